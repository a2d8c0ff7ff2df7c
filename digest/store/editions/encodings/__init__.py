"""Editions as columns hold them."""
