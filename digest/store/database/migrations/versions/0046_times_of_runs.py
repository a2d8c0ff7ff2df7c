"""When runs were composed, for monitoring; 0045 added this column before it was divided."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Add a column that is NULL, so workers of the last release can still write the rows."""
    present = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("runs")}
    if "composed_at" not in present:
        op.add_column("runs", sa.Column("composed_at", sa.DateTime(timezone=True)))
