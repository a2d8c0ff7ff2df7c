"""Handlers of imports into digests, and of the archive of an account."""
