"""Channels, which deliver messages: one file or folder each, with a class named ``Channel``."""
