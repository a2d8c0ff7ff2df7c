"""Digests, what they follow, and who gets them."""
