"""Decisions of the public pages: their addresses, and which papers a page of a day shows."""
