"""Operation of the service: configuration, notices, health, status, pruning and snapshots."""
