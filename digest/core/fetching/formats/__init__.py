"""Readers of the formats in which announcements come: feeds, XML, HTML and JSON."""
