"""An index of papers in the order of days, with what search counts and ranks by; papers are indexed again in batches."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTE_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Recreate the index of papers, empty, with counts and vectors of terms; papers are indexed again in batches."""
    op.drop_table("indexed_papers")
    _create_tables()
    if op.get_bind().dialect.name == "postgresql":
        _recreate_posting_lists()
    _reset_counters()


def _create_tables() -> None:
    op.create_table(
        "indexed_papers",
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("document", sa.BigInteger(), nullable=False),
        sa.Column("is_complete", sa.Boolean(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("categories", sa.Text(), nullable=False),
        sa.Column("has_code", sa.Boolean(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("frequencies", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_indexed_papers_paper_id"),
        sa.PrimaryKeyConstraint("paper_id", name="pk_indexed_papers"),
        sa.UniqueConstraint("document", name="uq_indexed_papers_document"),
    )
    op.create_table(
        "term_vectors",
        sa.Column("document", ID, autoincrement=False, nullable=False),
        sa.Column("norm", sa.Integer(), nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document", name="pk_term_vectors"),
    )
    op.create_table(
        "term_counts",
        sa.Column("term", BYTE_TEXT, nullable=False),
        sa.Column("papers", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("term", name="pk_term_counts"),
        sqlite_with_rowid=False,
    )


def _recreate_posting_lists() -> None:
    op.execute("DROP TABLE paper_terms")
    # A search visits many rows and needs the vectors of few, so these are kept apart from the rows.
    op.execute(
        "CREATE TABLE paper_terms (document bigint PRIMARY KEY, title tsvector NOT NULL, whole tsvector NOT NULL)"
        " WITH (toast_tuple_target = 128)"
    )
    for column in ("title", "whole"):
        op.execute(f"CREATE INDEX ix_paper_terms_{column} ON paper_terms USING gin ({column})")


def _reset_counters() -> None:
    counters = sa.table("index_counters", sa.column("name", sa.Text()), sa.column("value", sa.BigInteger()))
    tx = op.get_bind()
    tx.execute(sa.delete(counters).where(counters.c.name == "document"))
    tx.execute(sa.update(counters).where(counters.c.name == "version").values(value=0))
    names = ("papers", "length", "partial")
    op.bulk_insert(counters, [{"name": name, "value": int(name == "partial")} for name in names])
