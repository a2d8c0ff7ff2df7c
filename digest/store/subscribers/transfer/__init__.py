"""Digests that readers import from an archive."""
