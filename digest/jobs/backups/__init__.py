"""States of scheduled jobs, and databases that were restored from a backup."""
