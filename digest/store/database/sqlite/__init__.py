"""What only SQLite needs: a file, and a queue of those who write to it."""
