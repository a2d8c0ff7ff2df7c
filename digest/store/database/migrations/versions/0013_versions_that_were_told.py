"""Versions that were worked out are kept apart from those that a source told."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Take the versions there are for told: which of them were worked out was not written down."""
    op.add_column(
        "statements", sa.Column("version_told", sa.Boolean(), nullable=False, server_default=sa.true())
    )
