"""Accounts of readers: sign-ups that wait to be confirmed, and sessions."""
