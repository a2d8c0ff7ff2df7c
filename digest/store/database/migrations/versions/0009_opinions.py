"""Opinions of readers about papers: more like this, less like this, saved."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "opinions",
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("opinion", sa.Text(), nullable=False),
        sa.Column("queries", sa.JSON(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_opinions_digest_id"),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_opinions_paper_id"),
        sa.PrimaryKeyConstraint("digest_id", "paper_id", "opinion", name="pk_opinions"),
    )
    op.create_index("ix_opinions_paper_id", "opinions", ["paper_id"], unique=False)
