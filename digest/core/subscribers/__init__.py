"""Subscribers: their libraries and their opinions."""
