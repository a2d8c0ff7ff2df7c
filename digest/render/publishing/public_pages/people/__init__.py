"""Persons on public pages: the page of a person, and of a name that several have."""
