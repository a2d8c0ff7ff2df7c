"""Matching new papers with queries, and trying a query."""
