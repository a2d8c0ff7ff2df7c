"""Who signed which paper, what is said of persons, and queries that a million can follow."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the new tables; what is followed is matched anew, for a hit says more than it did."""
    _add_authorships()
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
        UPDATE queries SET matched_from = NULL, needed_from = (
            SELECT min(coalesce(digests.from_seq, slots.cursor_seq))
            FROM follows JOIN digests ON digests.id = follows.digest_id JOIN slots ON slots.id = digests.slot_id
            WHERE follows.query_id = queries.id AND follows.ended_at IS NULL
        )
        """
    )


def _change_matches() -> None:
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


def _change_follows() -> None:
    op.add_column("follows", sa.Column("only_query_id", sa.BigInteger(), nullable=False, server_default="0"))
    op.drop_index("uq_follows_active", "follows")
    active = sa.text("ended_at IS NULL")
    columns = ["digest_id", "query_id", "only_query_id"]
    op.create_index(
        "uq_follows_active", "follows", columns, unique=True, sqlite_where=active, postgresql_where=active
    )
