"""Editions that tell their reader what has changed in the digest."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table, empty."""
    op.create_table(
        "edition_changes",
        sa.Column("edition_id", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("changes", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("edition_id", name="pk_edition_changes"),
        sa.ForeignKeyConstraint(["edition_id"], ["editions.id"], name="fk_edition_changes_edition_id"),
    )
