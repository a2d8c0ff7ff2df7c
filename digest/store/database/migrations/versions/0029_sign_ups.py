"""Sign-ups: when somebody was written to who has not confirmed, and which links were used. Neither has an address."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "link_mails",
        sa.Column("mailbox_hash", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.JSON(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("mailbox_hash", name="pk_link_mails"),
    )
    op.create_index("ix_link_mails_last_at", "link_mails", ["last_at"])
    op.create_table(
        "used_links",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_used_links"),
    )
    op.create_index("ix_used_links_expires_at", "used_links", ["expires_at"])
