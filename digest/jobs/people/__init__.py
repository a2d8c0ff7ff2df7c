"""Persons: statements about them, profiles, and the overrides of readers."""
