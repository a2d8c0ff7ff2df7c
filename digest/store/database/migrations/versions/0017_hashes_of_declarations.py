"""Hashes of declarations, so that digests whose declaration did not change are not written again."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table, empty: the next file is applied completely."""
    op.create_table(
        "declarations",
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_declarations_digest_id"),
        sa.PrimaryKeyConstraint("digest_id", name="pk_declarations"),
    )
