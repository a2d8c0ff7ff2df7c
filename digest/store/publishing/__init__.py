"""Queries of the web site and the public feeds."""
