"""Order of delivery in which mails with much in common follow each other."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the main query of each delivery, and order the due deliveries by it."""
    op.add_column(
        "deliveries", sa.Column("main_query", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    )
    op.drop_index("ix_deliveries_ready", "deliveries")
    ready = sa.text("state = 'ready'")
    op.create_index(
        "ix_deliveries_ready",
        "deliveries",
        ["channel", "due_at", "main_query", "id"],
        unique=False,
        sqlite_where=ready,
        postgresql_where=ready,
    )
