"""When a message failed and when its server last accepted one; together they show which of the two is at fault."""

import sqlalchemy as sa
from alembic import op

from digest.store.database.tables.column_types import UtcDateTime

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the columns, empty."""
    op.add_column("deliveries", sa.Column("failed_at", UtcDateTime()))
    op.add_column("buckets", sa.Column("taken_at", UtcDateTime()))
