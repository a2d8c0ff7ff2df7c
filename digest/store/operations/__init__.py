"""Notices, pruning, snapshots, and repair after clock errors."""
