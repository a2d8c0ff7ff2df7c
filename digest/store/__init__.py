"""The tables and all SQL. Functions take and return dataclasses and plain values, not rows of SQLAlchemy."""
