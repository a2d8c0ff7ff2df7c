"""Vacuum settings of tables from which a day of rows is removed each day."""

from alembic import op

revision = "0044"
down_revision = "0043"

_TABLES = ("editions", "listings", "match_blocks")


def upgrade() -> None:
    """Set them: by default, new rows could fill the place of removed ones only once a fifth of the table is removed."""
    if op.get_bind().dialect.name == "postgresql":
        for table in _TABLES:
            op.execute(f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0.02)")
