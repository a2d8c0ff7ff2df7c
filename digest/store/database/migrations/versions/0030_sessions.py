"""Sessions of readers who signed in: the hash of a token, never the token."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table, empty."""
    op.create_table(
        "sessions",
        sa.Column("id", _NUMBER, nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("subscriber_id", _NUMBER, nullable=False),
        sa.Column("browser", sa.Text(), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.ForeignKeyConstraint(["subscriber_id"], ["subscribers.id"], name="fk_sessions_subscriber_id"),
        sa.UniqueConstraint("token_hash", name="uq_sessions_token_hash"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sessions_subscriber_id", "sessions", ["subscriber_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
