"""Parsers for the formats of announcements: feeds, XML, HTML and JSON."""
