"""Database engine, SQL dialects, tables and column types."""
