"""Decisions of subscribers: opinions, libraries, pauses and subscriptions."""
