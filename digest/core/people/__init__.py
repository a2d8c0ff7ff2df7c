"""Persons, worked out of the bylines that may be theirs."""
