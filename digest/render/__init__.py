"""Editions become mails, feeds, files and pages: text in, text out, without a clock."""
