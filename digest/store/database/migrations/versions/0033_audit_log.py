"""The audit log: who changed what, by commands, on the operator's pages and by tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Create the table, empty."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "audit_entries",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("subscriber_id", number, nullable=True),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["subscriber_id"], ["subscribers.id"], name="fk_audit_entries_subscriber_id"),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entries"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_entries_at", "audit_entries", ["at"])
    op.create_index("ix_audit_entries_subscriber_id", "audit_entries", ["subscriber_id"])
