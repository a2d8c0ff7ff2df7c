"""Mailboxes from which bounces are read, one file for each kind."""
