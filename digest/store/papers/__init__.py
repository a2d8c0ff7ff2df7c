"""Papers, their authors, their events and their signals."""
