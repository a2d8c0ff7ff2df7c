"""Tables and column types."""
