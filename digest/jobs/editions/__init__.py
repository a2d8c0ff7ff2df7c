"""Editions: runs fire, close and are composed; and why a paper is in one."""
