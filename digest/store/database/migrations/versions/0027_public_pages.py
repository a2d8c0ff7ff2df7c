"""Subjects whose pages people open, about which the enrichers are asked, and the number of changes of papers."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Create the table, empty, and begin to count."""
    op.create_table(
        "opened_subjects",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name="pk_opened_subjects"),
    )
    counters = sa.table("counters", sa.column("name", sa.Text()), sa.column("value", sa.BigInteger()))
    op.bulk_insert(counters, [{"name": "content", "value": 0}])
