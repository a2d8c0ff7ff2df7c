"""Persons, computed from the bylines that may be theirs."""
