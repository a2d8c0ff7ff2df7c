"""Enrichers: one module for each service with further data on papers and persons; they do no I/O."""
