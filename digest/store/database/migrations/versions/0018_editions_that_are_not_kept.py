"""Number of pruned editions of each digest."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the counter, beginning at 0."""
    op.add_column("digests", sa.Column("pruned_editions", sa.Integer(), nullable=False, server_default="0"))
