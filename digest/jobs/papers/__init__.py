"""Papers from files."""
