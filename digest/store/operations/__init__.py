"""Running the service: notices, pruning, snapshots, and what a wrong clock left."""
