"""When runs were composed, for monitoring; 0045 added these columns before it was divided."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Add columns that are NULL, so workers of the last release can still write the rows."""
    present = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("runs")}
    for name in ("composed_at",):
        if name not in present:
            op.add_column("runs", sa.Column(name, sa.DateTime(timezone=True)))
