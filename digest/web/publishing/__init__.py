"""Handlers of the public pages, which are the same for everybody."""
