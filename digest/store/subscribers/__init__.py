"""Digests, their follows, and their subscribers."""
