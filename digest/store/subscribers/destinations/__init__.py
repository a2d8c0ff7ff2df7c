"""Chats and webhooks that readers add to their digests."""
