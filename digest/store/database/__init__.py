"""The database itself: engine, dialects, tables and column types."""
