"""Runs and editions."""
