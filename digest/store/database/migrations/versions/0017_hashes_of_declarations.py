"""Hashes of what files declared: digests that are declared as before are not written again."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table, empty: the next file is applied whole."""
    op.create_table(
        "declarations",
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_declarations_digest_id"),
        sa.PrimaryKeyConstraint("digest_id", name="pk_declarations"),
    )
