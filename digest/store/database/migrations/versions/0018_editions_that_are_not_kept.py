"""How many editions a digest has had that are not kept any more."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Count from none."""
    op.add_column("digests", sa.Column("pruned_editions", sa.Integer(), nullable=False, server_default="0"))
