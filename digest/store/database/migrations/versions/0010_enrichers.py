"""State of enrichers: their subjects, and when each is due again."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "enrichments",
        sa.Column("enricher", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("asked_at", INSTANT, nullable=False),
        sa.Column("next_at", INSTANT, nullable=False),
        sa.Column("found", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("enricher", "kind", "subject", name="pk_enrichments"),
    )
    op.create_table(
        "enrichers",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("answered_at", INSTANT, nullable=True),
        sa.Column("error", sa.Text(), nullable=False, server_default=""),
        sa.Column("error_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_enrichers"),
    )
