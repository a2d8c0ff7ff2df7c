"""Matching of papers against queries: one pair at a time with evidence, or many at once."""
