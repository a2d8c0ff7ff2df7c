"""Addresses that must not be written to although their reader deleted everything: a keyed hash, never the address."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Create the table, empty."""
    op.create_table(
        "suppressed_hashes",
        sa.Column("mailbox_hash", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("mailbox_hash", name="pk_suppressed_hashes"),
    )
