"""Statements of several sources about a paper, merged papers, and several routes to a section."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)
PLAIN = ("title", "abstract", "url", "pdf_url", "doi", "journal_ref", "comment", "license_url")
BLOCK = 1000


def upgrade() -> None:
    """Create the new tables, and convert papers to statements of the source that listed them."""
    _add_columns()
    _add_accounts()
    _add_statements()
    _move_papers()
    _drop_what_moved()


def _add_columns() -> None:
    text: dict[str, Any] = {"nullable": False, "server_default": ""}
    none: dict[str, Any] = {"nullable": False, "server_default": "0"}
    no: dict[str, Any] = {"nullable": False, "server_default": sa.false()}
    op.add_column("sections", sa.Column("accounted", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("sections", sa.Column("fills", sa.Boolean(), **no))
    for name in ("url", "body_hash", "cursor"):
        op.add_column("source_state", sa.Column(name, sa.Text(), **text))
    for name in ("unfinished", "gone"):
        op.add_column("source_state", sa.Column(name, sa.Boolean(), **no))
    op.add_column("source_state", sa.Column("interval", sa.Integer(), **none))
    op.add_column("source_state", sa.Column("freshness", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("buckets", sa.Column("pace", sa.Float(), **none))
    op.add_column("buckets", sa.Column("busy_until", INSTANT, nullable=True))
    op.add_column("buckets", sa.Column("holder", sa.BigInteger(), **none))
    op.add_column("buckets", sa.Column("reason", sa.Text(), **text))
    op.add_column("batches", sa.Column("late", sa.Integer(), **none))


def _add_accounts() -> None:
    op.create_table(
        "moves",
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("first_at", INSTANT, nullable=False),
        sa.Column("last_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("url", name="pk_moves"),
    )
    op.create_table(
        "day_answers",
        sa.Column("batch_id", ID, nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("listed", sa.Integer(), nullable=False),
        sa.Column("expected", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name="fk_day_answers_batch_id"),
        sa.PrimaryKeyConstraint("batch_id", "route", name="pk_day_answers"),
    )


def _add_statements() -> None:
    op.create_table(
        "statements",
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in PLAIN),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("lists", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_statements_paper_id"),
        sa.PrimaryKeyConstraint("paper_id", "source", "version", name="pk_statements"),
    )
    op.create_table(
        "claims",
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("apart", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_claims_paper_id"),
        sa.PrimaryKeyConstraint("scheme", "value", "paper_id", name="pk_claims"),
    )
    op.create_index("ix_claims_paper_id", "claims", ["paper_id"], unique=False)
    op.create_table(
        "signals",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "kind", "source", "day", name="pk_signals"),
    )


def _move_papers() -> None:
    tx = op.get_bind()
    old = sa.MetaData()
    old.reflect(
        tx, only=["papers", "authorships", "paper_ids", "listings", "batches", "statements", "claims"]
    )
    papers, statements, claims = (old.tables[name] for name in ("papers", "statements", "claims"))
    listed = sa.select(
        old.tables["listings"].c.paper_id, sa.func.min(old.tables["batches"].c.source).label("source")
    )
    listed = listed.join(old.tables["batches"]).group_by(old.tables["listings"].c.paper_id)
    sources = {row.paper_id: row.source for row in tx.execute(listed)}
    last = tx.execute(sa.select(sa.func.max(papers.c.id))).scalar() or 0
    for low in range(0, last + 1, BLOCK):
        mine = papers.c.id.between(low, low + BLOCK - 1)
        authors = _authors(tx, old.tables["authorships"], low)
        rows = [_statement(row, sources, authors) for row in tx.execute(sa.select(papers).where(mine))]
        if rows:
            tx.execute(sa.insert(statements), rows)
    ids = old.tables["paper_ids"]
    columns = ["scheme", "value", "paper_id"]
    tx.execute(sa.insert(claims).from_select(columns, sa.select(*(ids.c[name] for name in columns))))


def _authors(tx: sa.Connection, authorships: sa.Table, low: int) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    mine = authorships.c.paper_id.between(low, low + BLOCK - 1)
    order = (authorships.c.paper_id, authorships.c.position)
    for row in tx.execute(sa.select(authorships).where(mine).order_by(*order)):
        found.setdefault(row.paper_id, []).append([row.name, _read(row.affiliations)])
    return found


def _statement(row: Any, sources: dict[int, str], authors: dict[int, list[Any]]) -> dict[str, Any]:
    lists = {"authors": authors.get(row.id, []), "categories": _read(row.categories)}
    return {name: getattr(row, name) for name in PLAIN} | {
        "paper_id": row.id,
        "source": sources.get(row.id, "arxiv"),
        "version": row.version,
        "withdrawn": False,
        "lists": {name: value for name, value in lists.items() if value},
    }


def _read(value: Any) -> Any:
    """Decode JSON, which a reflected column returns as text on one of the databases."""
    return json.loads(value) if isinstance(value, str) else value


def _drop_what_moved() -> None:
    op.drop_table("authorships")
    op.drop_table("paper_ids")
    for name in (*PLAIN, "categories", "version"):
        op.drop_column("papers", name)
    # In SQL, because alembic recreates a table on SQLite to add a reference, and other tables refer to this one.
    integer = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    reference = "CONSTRAINT fk_papers_merged_into REFERENCES papers (id)"
    op.execute(f"ALTER TABLE papers ADD COLUMN merged_into {integer} {reference}")
    op.create_index("ix_papers_merged_into", "papers", ["merged_into"], unique=False)
