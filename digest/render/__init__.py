"""Rendering of editions as mails, feeds, files and pages; pure functions that do not use the current time."""
