"""Commands for the database, its backups, and the states of scheduled jobs."""
