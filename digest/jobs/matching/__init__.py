"""Matching of new papers with queries, and previews of queries."""
