"""Chats and webhooks on the page of a reader's digest."""
