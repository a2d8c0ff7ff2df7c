"""Deliveries of alerts, which are sent before the others."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Add a column with a constant default, for which PostgreSQL writes no row anew."""
    op.add_column(
        "deliveries", sa.Column("is_alert", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
