"""Parsers for the records of bibliographic services, shared by their sources and enrichers."""
