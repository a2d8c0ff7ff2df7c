"""Copies of the database: backups, snapshots of a state, and what a restore would repeat."""
