"""Search index of papers for trying queries; existing papers are indexed later, in batches."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTE_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "indexed_papers",
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("document", sa.BigInteger(), nullable=True),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_indexed_papers_paper_id"),
        sa.PrimaryKeyConstraint("paper_id", name="pk_indexed_papers"),
    )
    op.create_index("ix_indexed_papers_document", "indexed_papers", ["document"])
    op.create_table(
        "term_forms",
        sa.Column("form", BYTE_TEXT, nullable=False),
        sa.Column("term", BYTE_TEXT, nullable=False),
        sa.PrimaryKeyConstraint("form", "term", name="pk_term_forms"),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "sqlite":
        # The tokenizer splits at ASCII signs and lowercases ASCII capitals, so terms are encoded to have neither.
        op.execute("CREATE VIRTUAL TABLE paper_terms USING fts5(title, body, content='', tokenize='ascii')")
    else:
        op.execute(
            "CREATE TABLE paper_terms (document bigint PRIMARY KEY, title tsvector NOT NULL, body tsvector NOT NULL)"
        )
        op.execute("CREATE INDEX ix_paper_terms_title ON paper_terms USING gin (title)")
        op.execute("CREATE INDEX ix_paper_terms_body ON paper_terms USING gin (body)")
    counters = op.create_table(
        "index_counters",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_index_counters"),
    )
    op.bulk_insert(counters, [{"name": "document", "value": 0}, {"name": "version", "value": 0}])
