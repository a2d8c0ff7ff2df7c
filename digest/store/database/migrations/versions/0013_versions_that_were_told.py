"""Distinction between version numbers that a source stated and those that were inferred."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Mark all existing versions as stated, because it was not recorded which were inferred."""
    op.add_column(
        "statements", sa.Column("version_told", sa.Boolean(), nullable=False, server_default=sa.true())
    )
