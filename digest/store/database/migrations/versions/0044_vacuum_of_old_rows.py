"""Vacuum settings of tables from which a day is removed each day, so that new rows fill its place."""

from alembic import op

revision = "0044"
down_revision = "0043"

_TABLES = ("editions", "listings", "match_blocks")


def upgrade() -> None:
    """Set them: by default a fifth of the rows may be dead, which is a fifth of all that is kept, many days."""
    if op.get_bind().dialect.name == "postgresql":
        for table in _TABLES:
            op.execute(f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0.02)")
