"""Deliveries of alerts, which are sent before the others."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0038"

_READY_ALERTS = "state = 'ready' AND is_alert"


def upgrade() -> None:
    """Add a column whose value needs no new version of a row, and an index of few rows."""
    with op.batch_alter_table("deliveries") as table:
        table.add_column(sa.Column("is_alert", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(
        "ix_deliveries_alerts",
        "deliveries",
        ["channel", "due_at"],
        sqlite_where=sa.text(_READY_ALERTS),
        postgresql_where=sa.text(_READY_ALERTS),
    )
