"""The mail that names an edition which did not reach its reader."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column; editions that were missed before are never named."""
    op.add_column("deliveries", sa.Column("named_in", sa.BigInteger(), nullable=True))
    missed = sa.text("state IN ('expired', 'refused') OR named_in IS NOT NULL")
    op.execute("UPDATE deliveries SET named_in = 0 WHERE state IN ('expired', 'refused')")
    op.create_index(
        "ix_deliveries_missed",
        "deliveries",
        ["destination_id"],
        unique=False,
        sqlite_where=missed,
        postgresql_where=missed,
    )
