"""Persons: statements about them, profiles, and the answers of readers."""
