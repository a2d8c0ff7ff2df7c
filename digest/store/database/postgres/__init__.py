"""What only PostgreSQL needs."""
