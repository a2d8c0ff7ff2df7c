"""Fetching announcements from sources, and storing the answers."""
