"""Feeds and pages."""
