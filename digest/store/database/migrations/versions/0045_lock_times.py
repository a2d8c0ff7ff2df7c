"""How long workers waited for locks, for monitoring.

A migration changes one table that others use: with the lock of a first one, it would let them wait for the second one, too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Add a column with a constant default, so workers of the last release can still write the rows."""
    op.add_column(
        "workers", sa.Column("lock_times", sa.JSON(), server_default=sa.text("'{}'"), nullable=False)
    )
