"""Editions: which papers they tell, and in which order."""
