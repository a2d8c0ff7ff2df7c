"""What workers have done since they started, for monitoring."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    """Add columns with a constant default, so workers of the last release can still save themselves."""
    for name in ("tasks", "idle_tasks", "sent", "released_leases"):
        op.add_column(
            "workers", sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False)
        )
