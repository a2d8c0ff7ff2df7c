"""How long a test waits for another thread or process before it fails."""

PATIENCE = 300.0
"""Seconds. Only a failure waits for so long, and no machine is so slow that a success does.

Less than the limit of a test (``timeout`` in pyproject.toml), so that the message is the one of the test.
"""
