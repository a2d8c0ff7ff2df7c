"""Mailboxes that are read for what came back, one file a kind."""
