"""Operation of the service: configuration, notices, health, status, capacity, traces and pruning."""
