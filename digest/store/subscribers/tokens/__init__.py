"""API tokens of readers."""
