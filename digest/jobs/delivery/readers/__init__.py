"""Delivery to chats and webhooks of readers, who must not choose where this machine connects to."""
