"""What watches the service: whether it works, and its numbers."""
