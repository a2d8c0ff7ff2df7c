"""Database engine, SQL dialects, tables, locks and the replica."""
