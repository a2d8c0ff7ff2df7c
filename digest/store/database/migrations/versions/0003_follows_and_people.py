"""Authorships, statements about persons, and queries that a million readers can follow."""

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

from digest.core.names.fitting import make_block_key
from digest.core.papers.merge import merge_statements
from digest.model import Author, Paper, PaperKey, Statement

revision = "0003"
down_revision = "0002"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)
MANY = 1000
AUTHORSHIPS = sa.table(
    "authorships",
    *(sa.column(name, sa.Integer()) for name in ("paper_id", "position")),
    *(sa.column(name, sa.Text()) for name in ("block", "name")),
    *(sa.column(name, sa.JSON(none_as_null=True)) for name in ("affiliations", "ids")),
)
AUTHOR_IDS = sa.table(
    "author_ids",
    *(sa.column(name, sa.Text()) for name in ("scheme", "value")),
    *(sa.column(name, sa.Integer()) for name in ("paper_id", "position")),
)


def upgrade() -> None:
    """Create the new tables, and convert the matches to a format that also has confidence and author."""
    _add_authorships()
    _fill_authorships()
    _add_what_is_said()
    _add_feedback()
    _change_queries()
    _change_matches()
    _change_follows()


def _add_authorships() -> None:
    op.create_table(
        "authorships",
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("block", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("affiliations", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("ids", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_authorships_paper_id"),
        sa.PrimaryKeyConstraint("paper_id", "position", name="pk_authorships"),
    )
    op.create_index("ix_authorships_block", "authorships", ["block"], unique=False)
    op.create_table(
        "author_ids",
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_author_ids_paper_id"),
        sa.PrimaryKeyConstraint("scheme", "value", "paper_id", "position", name="pk_author_ids"),
    )
    op.create_index("ix_author_ids_paper_id", "author_ids", ["paper_id"], unique=False)


def _fill_authorships() -> None:
    """Store who signed the existing papers; merged papers once, under their root."""
    tx = op.get_bind()
    old = sa.MetaData()
    old.reflect(tx, only=["papers", "statements"])
    papers, statements = old.tables["papers"], old.tables["statements"]
    root = sa.func.coalesce(papers.c.merged_into, papers.c.id).label("root")
    said = sa.select(root, statements.c.source, statements.c.version, statements.c.lists)
    said = said.join_from(statements, papers, papers.c.id == statements.c.paper_id)
    last = tx.execute(sa.select(sa.func.max(papers.c.id))).scalar() or 0
    for low in range(0, last + 1, MANY):
        high = low + MANY - 1
        # Two conditions, because there is an index for each of them.
        alone = papers.c.id.between(low, high) & papers.c.merged_into.is_(None)
        told: dict[int, list[Statement]] = defaultdict(list)
        for row in tx.execute(said.where(sa.or_(alone, papers.c.merged_into.between(low, high)))):
            told[row.root].append(_told(row))
        _sign({number: merge_statements(each).authors for number, each in told.items()})


def _sign(signed: dict[int, tuple[Author, ...]]) -> None:
    bylines = [
        (number, position, author)
        for number, authors in signed.items()
        for position, author in enumerate(authors)
    ]
    op.bulk_insert(AUTHORSHIPS, [_signed(*byline) for byline in bylines])
    op.bulk_insert(
        AUTHOR_IDS,
        [
            {"scheme": scheme, "value": value, "paper_id": number, "position": position}
            for number, position, author in bylines
            for scheme, value in dict.fromkeys(author.ids)
        ],
    )


def _told(row: Any) -> Statement:
    lists = json.loads(row.lists) if isinstance(row.lists, str) else row.lists
    authors = tuple(_author(*written) for written in lists.get("authors", ()))
    paper = Paper(key=PaperKey(""), title="", url="", authors=authors, version=row.version)
    return Statement(source=row.source, paper=paper)


def _author(name: str, affiliations: Iterable[str] = (), ids: Iterable[tuple[str, str]] = ()) -> Author:
    return Author(name, tuple(affiliations), tuple((scheme, value) for scheme, value in ids))


def _signed(number: int, position: int, author: Author) -> dict[str, Any]:
    return {
        "paper_id": number,
        "position": position,
        "block": make_block_key(author.name),
        "name": author.name,
        "affiliations": author.affiliations or None,
        "ids": author.ids or None,
    }


def _add_what_is_said() -> None:
    op.create_table(
        "person_ids",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("said_by", sa.Text(), nullable=False),
        sa.Column("said_at", INSTANT, nullable=False),
        sa.Column("withdrawn_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_person_ids_paper_id"),
        sa.PrimaryKeyConstraint("id", name="pk_person_ids"),
    )
    op.create_index("ix_person_ids_paper_id", "person_ids", ["paper_id"], unique=False)
    op.create_index("ix_person_ids_scheme_value", "person_ids", ["scheme", "value"], unique=False)
    op.create_table(
        "same_person",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("other_paper_id", ID, nullable=False),
        sa.Column("other_position", sa.Integer(), nullable=False),
        sa.Column("other_name", sa.Text(), nullable=False),
        sa.Column("same", sa.Boolean(), nullable=False),
        sa.Column("said_by", sa.Text(), nullable=False),
        sa.Column("said_at", INSTANT, nullable=False),
        sa.Column("withdrawn_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_same_person_paper_id"),
        sa.ForeignKeyConstraint(["other_paper_id"], ["papers.id"], name="fk_same_person_other_paper_id"),
        sa.PrimaryKeyConstraint("id", name="pk_same_person"),
    )
    for name in ("paper_id", "other_paper_id"):
        op.create_index(f"ix_same_person_{name}", "same_person", [name], unique=False)


def _add_feedback() -> None:
    op.create_table(
        "feedback",
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("yes", sa.Boolean(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_feedback_digest_id"),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_feedback_paper_id"),
        sa.PrimaryKeyConstraint("digest_id", "paper_id", "position", "name", name="pk_feedback"),
    )
    op.create_index("ix_feedback_paper_id", "feedback", ["paper_id"], unique=False)


def _change_queries() -> None:
    op.add_column("queries", sa.Column("compiled", sa.Text(), nullable=False, server_default=""))
    op.add_column("queries", sa.Column("needed_from", sa.BigInteger(), nullable=True))
    op.add_column("queries", sa.Column("revision", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index("ix_queries_revision", "queries", ["revision"], unique=False)
    behind = sa.text("needed_from IS NOT NULL AND (matched_from IS NULL OR needed_from < matched_from)")
    op.create_index(
        "ix_queries_behind", "queries", ["id"], unique=False, sqlite_where=behind, postgresql_where=behind
    )
    counters = sa.table("counters", sa.column("name", sa.Text()), sa.column("value", sa.BigInteger()))
    op.bulk_insert(counters, [{"name": "query", "value": 0}])
    op.execute(
        """
        UPDATE queries SET needed_from = (
            SELECT min(coalesce(digests.from_seq, slots.cursor_seq))
            FROM follows JOIN digests ON digests.id = follows.digest_id JOIN slots ON slots.id = digests.slot_id
            WHERE follows.query_id = queries.id AND follows.ended_at IS NULL
        )
        """
    )


def _change_matches() -> None:
    _keep_matches()
    op.drop_table("match_blocks")
    op.create_table(
        "match_blocks",
        sa.Column("query_id", ID, nullable=False),
        sa.Column("block", sa.BigInteger(), nullable=False),
        sa.Column("hits", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["query_id"], ["queries.id"], name="fk_match_blocks_query_id"),
        sa.PrimaryKeyConstraint("query_id", "block", name="pk_match_blocks"),
    )
    op.create_index("ix_match_blocks_block", "match_blocks", ["block"], unique=False)
    op.execute(
        "INSERT INTO match_blocks (query_id, block, hits) SELECT query_id, block, hits FROM kept_blocks"
    )
    op.drop_table("kept_blocks")


def _keep_matches() -> None:
    """Convert the existing matches, because windows that are closed but not composed still need them."""
    op.create_table(
        "kept_blocks",
        sa.Column("query_id", ID, nullable=False),
        sa.Column("block", sa.BigInteger(), nullable=False),
        sa.Column("hits", sa.LargeBinary(), nullable=False),
    )
    tx = op.get_bind()
    old = sa.MetaData()
    old.reflect(tx, only=["match_blocks", "queries", "kept_blocks"])
    blocks, queries, kept = (old.tables[name] for name in ("match_blocks", "queries", "kept_blocks"))
    last = tx.execute(sa.select(sa.func.max(queries.c.id))).scalar() or 0
    for low in range(0, last + 1, MANY):
        mine = blocks.c.query_id.between(low, low + MANY - 1)
        found = tx.execute(sa.select(blocks, queries.c.text).join(queries).where(mine))
        rows = [{"query_id": row.query_id, "block": row.block, "hits": _hits(row)} for row in found]
        if rows:
            tx.execute(sa.insert(kept), rows)


def _hits(row: Any) -> bytes:
    """Pack matches into two bytes each: 11 bits of position, 2 of confidence, 1 of title, 2 of author confidence."""
    likely = 2 << 11 | 1 << 14 if "author:" in row.text else 3 << 11
    hits = [place | likely for place in _places(row.fits)] + [place | 1 << 11 for place in _places(row.maybe)]
    return b"".join(hit.to_bytes(2, "little") for hit in sorted(hits, key=lambda hit: hit & 2047))


def _places(packed: bytes) -> list[int]:
    return [packed[at] | packed[at + 1] << 8 for at in range(0, len(packed), 2)]


def _change_follows() -> None:
    op.add_column("follows", sa.Column("only_query_id", sa.BigInteger(), nullable=False, server_default="0"))
    op.drop_index("uq_follows_active", "follows")
    active = sa.text("ended_at IS NULL")
    columns = ["digest_id", "query_id", "only_query_id"]
    op.create_index(
        "uq_follows_active", "follows", columns, unique=True, sqlite_where=active, postgresql_where=active
    )
