"""Enrichers: one file for each service that knows more of papers and persons; no I/O."""
