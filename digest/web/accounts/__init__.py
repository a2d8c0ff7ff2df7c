"""Accounts of readers: their digests, their address, and what belongs to them."""
