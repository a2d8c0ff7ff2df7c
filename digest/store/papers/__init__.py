"""Papers, who signed them, their events and numbers."""
