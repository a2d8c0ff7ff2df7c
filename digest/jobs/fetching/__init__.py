"""Asking sources for announcements, and keeping what they answer."""
