"""Notices for the operator, and the progress of deliveries that consist of several messages."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables; existing rows keep their behaviour."""
    op.create_table(
        "notices",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("noted_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_notices"),
    )
    op.create_index("ix_notices_due_at", "notices", ["due_at"], unique=False)
    op.create_table(
        "partly_sent",
        sa.Column("delivery_id", ID, autoincrement=False, nullable=False),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["delivery_id"], ["deliveries.id"], name="fk_partly_sent_delivery_id"),
        sa.PrimaryKeyConstraint("delivery_id", name="pk_partly_sent"),
    )
