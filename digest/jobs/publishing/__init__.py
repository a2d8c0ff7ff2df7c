"""Feeds, the output folder and the static site."""
