"""How long workers waited for locks, and when runs and their shards were composed, for monitoring."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Add columns that are NULL or have a constant default, so workers of the last release can still write the rows."""
    op.add_column(
        "workers", sa.Column("lock_times", sa.JSON(), server_default=sa.text("'{}'"), nullable=False)
    )
    op.add_column("runs", sa.Column("composed_at", sa.DateTime(timezone=True)))
    for name in ("claimed_at", "composed_at"):
        op.add_column("shards", sa.Column(name, sa.DateTime(timezone=True)))
