"""When shards were claimed and composed, for monitoring; 0045 added these columns before it was divided."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """Add columns that are NULL, so workers of the last release can still write the rows."""
    present = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("shards")}
    for name in ("claimed_at", "composed_at"):
        if name not in present:
            op.add_column("shards", sa.Column(name, sa.DateTime(timezone=True)))
