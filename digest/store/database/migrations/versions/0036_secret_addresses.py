"""Sealed addresses of the chats and webhooks that readers add to their digests."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Create the table, empty."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "secret_addresses",
        sa.Column("destination_id", number, autoincrement=False, nullable=False),
        sa.Column("service", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("active_after", sa.BigInteger(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(
            ["destination_id"], ["destinations.id"], name="fk_secret_addresses_destination_id"
        ),
        sa.PrimaryKeyConstraint("destination_id", name="pk_secret_addresses"),
    )
    op.create_index("ix_secret_addresses_service", "secret_addresses", ["service"])
