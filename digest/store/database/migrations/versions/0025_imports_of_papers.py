"""Imports of files of papers: what the database knows of earlier years, and where an import continues."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table, empty."""
    op.create_table(
        "paper_imports",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("file_hash", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("categories", sa.Text(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("added", sa.Integer(), nullable=False),
        sa.Column("grown", sa.Integer(), nullable=False),
        sa.Column("known", sa.Integer(), nullable=False),
        sa.Column("unselected", sa.Integer(), nullable=False),
        sa.Column("broken", sa.Integer(), nullable=False),
        sa.Column("broken_records", sa.JSON(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=True),
        sa.Column("last_day", sa.Date(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_paper_imports"),
        sa.UniqueConstraint(
            "file_hash", "categories", "since", name="uq_paper_imports_file_hash_categories_since"
        ),
    )
