"""Digests of new papers for researchers.

digest fetches announcements of new papers, matches them against what each reader follows, and sends each reader
one digest on their own schedule. ``docs/internals.md`` follows a paper from its source to a mailbox.
"""

__version__ = "0.2.0"
