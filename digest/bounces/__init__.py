"""Providers that send our mail and tell us by requests what became of it, one file each."""
