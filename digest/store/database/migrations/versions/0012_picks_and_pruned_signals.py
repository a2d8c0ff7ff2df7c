"""Names of the persons who picked papers, and an index to prune signals by day."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the columns and the index."""
    for name in ("submitter", "submitter_id"):
        op.add_column("listings", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.create_index("ix_signals_day", "signals", ["day"], unique=False)
