"""The tables and indexes, and nothing else. Migrations bring a database here; a test compares them.

No part of a unique key is ever NULL. Instants are UTC. What grows by the day is pruned by age elsewhere.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

from digest.store.dialect import Id, partial_index

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Instant(TypeDecorator[datetime]):
    """A moment in UTC; aware on both sides, whatever the database keeps."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Only aware instants go in."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """SQLite keeps no zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _id() -> Column[int]:
    return Column("id", Id, primary_key=True, autoincrement=True)


def _reference(name: str, target: str, **options: Any) -> Column[int]:
    return Column(name, Id, ForeignKey(target), nullable=options.pop("nullable", False), **options)


# --- what sources announce ------------------------------------------------------------------------

sections = Table(
    "sections",
    metadata,
    Column("source", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("since", Date, nullable=False),  # days before it make no events: a first pull floods nobody
    Column("accounted", Boolean, nullable=False, default=True),  # it has announcement days that are due
    Column("fills", Boolean, nullable=False, default=False),  # a day of it fills while it lasts
    Column("left_at", Instant),  # when it left the configuration
    PrimaryKeyConstraint("source", "section"),
)

source_state = Table(
    "source_state",
    metadata,
    Column("source", Text, nullable=False),
    Column("route", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("url", Text, nullable=False, default=""),  # where the validators are from
    Column("etag", Text, nullable=False, default=""),
    Column("last_modified", Text, nullable=False, default=""),
    Column("body_hash", Text, nullable=False, default=""),
    Column("cursor", Text, nullable=False, default=""),  # what the source remembers
    Column("unfinished", Boolean, nullable=False, default=False),  # more pages of the last answer are to come
    Column("asked_at", Instant),  # when the last attempt ended
    Column("answered_at", Instant),  # when an attempt last ended well
    Column("next_at", Instant),  # our own pause: not asked before, unless a person asks
    Column("interval", Integer, nullable=False, default=0),  # seconds between two visits of a plain feed
    Column("freshness", JSON(none_as_null=True)),  # what it said about when to come again
    Column("fruitless", Integer, nullable=False, default=0),  # attempts in a row that brought nothing due
    Column("errors", Integer, nullable=False, default=0),  # attempts in a row that failed
    Column("error", Text, nullable=False, default=""),
    Column("gone", Boolean, nullable=False, default=False),  # HTTP 410: not asked, unless a person asks
    PrimaryKeyConstraint("source", "route", "section"),
)

buckets = Table(
    "buckets",
    metadata,
    Column("name", Text, primary_key=True),  # one host or several: all processes share their pace
    Column("next_at", Instant, nullable=False),
    Column("pace", Float, nullable=False, default=0.0),  # seconds between two requests, as the host says
    Column("busy_until", Instant),  # somebody is asking: one at a time
    Column("holder", BigInteger, nullable=False, default=0),  # the token of who is
    Column("paused_until", Instant),  # imposed by the other side
    Column("reason", Text, nullable=False, default=""),  # why it is paused
)

moves = Table(
    "moves",
    metadata,
    Column("url", Text, primary_key=True),  # an address that says that it has moved for good
    Column("target", Text, nullable=False),
    Column("times", Integer, nullable=False),  # that it said so, without a break
    Column("first_at", Instant, nullable=False),
    Column("last_at", Instant, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    _id(),
    Column("source", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("day", Date, nullable=False),
    Column("state", Text, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("expected", Integer),
    Column("received", Integer, nullable=False, default=0),
    Column("late", Integer, nullable=False, default=0),
    Column("asked_at", Instant),
    Column("answered_at", Instant),
    Column("error", Text, nullable=False, default=""),
    UniqueConstraint("source", "section", "day"),
    Index("ix_batches_due_at", "due_at"),
)

day_answers = Table(
    "day_answers",
    metadata,
    _reference("batch_id", "batches.id"),
    Column("route", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("listed", Integer, nullable=False),
    Column("expected", Integer),
    PrimaryKeyConstraint("batch_id", "route"),
)

papers = Table(
    "papers",
    metadata,
    _id(),
    Column("key", Text, nullable=False, unique=True),
    _reference(
        "merged_into", "papers.id", nullable=True, index=True
    ),  # the root, of the least key; NULL: itself
)

statements = Table(
    "statements",
    metadata,
    _reference("paper_id", "papers.id"),
    Column("source", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("abstract", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("pdf_url", Text, nullable=False),
    Column("doi", Text, nullable=False),
    Column("journal_ref", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("license_url", Text, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("lists", JSON, nullable=False),  # what is several: authors, categories, ids, addresses
    PrimaryKeyConstraint("paper_id", "source", "version"),
)

claims = Table(
    "claims",
    metadata,
    Column("scheme", Text, nullable=False),
    Column("value", Text, nullable=False),
    _reference("paper_id", "papers.id", index=True),
    Column("apart", Boolean, nullable=False, default=False),  # somebody said that this is not that paper's
    PrimaryKeyConstraint("scheme", "value", "paper_id"),
)

authorships = Table(
    "authorships",
    metadata,
    _reference("paper_id", "papers.id"),
    Column("position", Integer, nullable=False),
    Column("block", Text, nullable=False, index=True),  # shared by all names that can be the same in full
    Column("name", Text, nullable=False),  # as printed
    Column("affiliations", JSON(none_as_null=True)),
    Column("ids", JSON(none_as_null=True)),
    PrimaryKeyConstraint("paper_id", "position"),
)

author_ids = Table(
    "author_ids",
    metadata,
    Column("scheme", Text, nullable=False),
    Column("value", Text, nullable=False),
    _reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    PrimaryKeyConstraint("scheme", "value", "paper_id", "position"),
)

# What somebody said names a byline by the paper's number, the position and the name as they were then: a list
# of authors changes, papers become one and part again, and what was said goes on to mean the same author.
person_ids = Table(
    "person_ids",
    metadata,
    _id(),
    _reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("scheme", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("said_by", Text, nullable=False),
    Column("said_at", Instant, nullable=False),
    Column("withdrawn_at", Instant),
    Index("ix_person_ids_scheme_value", "scheme", "value"),
)

same_person = Table(
    "same_person",
    metadata,
    _id(),
    _reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    Column("name", Text, nullable=False),
    _reference("other_paper_id", "papers.id", index=True),
    Column("other_position", Integer, nullable=False),
    Column("other_name", Text, nullable=False),
    Column("same", Boolean, nullable=False),  # or not: somebody said either
    Column("said_by", Text, nullable=False),
    Column("said_at", Instant, nullable=False),
    Column("withdrawn_at", Instant),
)

signals = Table(
    "signals",
    metadata,
    Column("subject", Text, nullable=False),  # a paper's key
    Column("kind", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("day", Date, nullable=False),
    Column("value", Float, nullable=False),
    PrimaryKeyConstraint("subject", "kind", "source", "day"),
)

listings = Table(
    "listings",
    metadata,
    _reference("batch_id", "batches.id"),
    _reference("paper_id", "papers.id", index=True),
    Column("kind", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("batch_id", "paper_id", "kind"),
)

events = Table(
    "events",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _reference("paper_id", "papers.id", index=True),
    Column("kind", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("day", Date, nullable=False, index=True),
    Column("source", Text, nullable=False),
    Column("first", Boolean, nullable=False),
    UniqueConstraint("paper_id", "kind", "number"),
)

# --- who follows what -----------------------------------------------------------------------------

queries = Table(
    "queries",
    metadata,
    _id(),
    Column("text", Text, nullable=False, unique=True),
    Column("compiled", Text, nullable=False, default=""),  # read already; "" where it is to be read anew
    Column("matched_from", BigInteger),  # every later seq up to `matched_to` is matched; NULL: none is
    Column("needed_from", BigInteger),  # some digest needs it matched from there on; NULL: nobody follows it
    Column("revision", BigInteger, nullable=False, default=0, index=True),  # of its last change, ascending
)
partial_index(
    "ix_queries_behind",
    queries.c.id,
    unique=False,
    where=queries.c.needed_from.is_not(None)
    & (queries.c.matched_from.is_(None) | (queries.c.needed_from < queries.c.matched_from)),
)

match_blocks = Table(
    "match_blocks",
    metadata,
    _reference("query_id", "queries.id"),
    Column("block", BigInteger, nullable=False),
    Column("hits", LargeBinary, nullable=False),  # two bytes each: which event, and how it fits
    PrimaryKeyConstraint("query_id", "block"),
    Index("ix_match_blocks_block", "block"),
)

subscribers = Table(
    "subscribers",
    metadata,
    _id(),
    Column("address", Text, nullable=False, unique=True),  # "" is the operator: the config file's owner
)

slots = Table(
    "slots",
    metadata,
    _id(),
    Column("frequency", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("days", Text, nullable=False),
    Column("every", Integer, nullable=False),
    Column("latest", Text, nullable=False),
    Column("catch_up", Text, nullable=False),
    Column("next_fire_at", Instant),  # NULL: no digest is in it, or it has fired for the last time
    Column("cursor_seq", BigInteger, nullable=False),
    Column("last_period", Text, nullable=False, default=""),
    Column("woken_at", Instant),  # since when it has had digests without a break
    UniqueConstraint("frequency", "zone", "at", "days", "every", "latest", "catch_up"),
    Index("ix_slots_next_fire_at", "next_fire_at"),
)

digests = Table(
    "digests",
    metadata,
    _id(),
    _reference("subscriber_id", "subscribers.id"),
    Column("made_by", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("kinds", JSON, nullable=False),
    Column("most_items", Integer, nullable=False),
    Column("minimum", Integer, nullable=False),
    Column("when_empty", Text, nullable=False),
    Column("feed", Boolean, nullable=False),
    _reference("slot_id", "slots.id", index=True),
    _reference("next_slot_id", "slots.id", nullable=True),
    Column("from_seq", BigInteger),  # told up to here, where that differs from the slot's cursor
    UniqueConstraint("subscriber_id", "made_by", "name"),
)

destinations = Table(
    "destinations",
    metadata,
    _id(),
    _reference("digest_id", "digests.id"),
    Column("channel", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("state", Text, nullable=False),
    UniqueConstraint("digest_id", "channel", "address"),
)

follows = Table(
    "follows",
    metadata,
    _id(),
    _reference("digest_id", "digests.id"),
    _reference("query_id", "queries.id"),
    Column("text", Text, nullable=False),
    Column("weight", Float, nullable=False),
    Column("exclude", Boolean, nullable=False),
    Column(
        "only_query_id", BigInteger, nullable=False, default=0
    ),  # an exclusion from that follow; 0: from all
    Column("started_seq", BigInteger, nullable=False),
    Column("ended_at", Instant),
)
partial_index(
    "uq_follows_active",
    follows.c.digest_id,
    follows.c.query_id,
    follows.c.only_query_id,
    unique=True,
    where=follows.c.ended_at.is_(None),
)
Index("ix_follows_query_id", follows.c.query_id)

feedback = Table(
    "feedback",
    metadata,
    _reference("digest_id", "digests.id"),
    _reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("yes", Boolean, nullable=False),  # this is, or is not, the person that the digest follows
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("digest_id", "paper_id", "position", "name"),
)

# --- editions and their ways out ------------------------------------------------------------------

runs = Table(
    "runs",
    metadata,
    _id(),
    _reference("slot_id", "slots.id"),
    Column("period", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("fire_at", Instant, nullable=False),
    Column("made_at", Instant, nullable=False),
    Column("latest_at", Instant),
    Column("ready_seq", BigInteger),  # the highest seq when it became ready; it closes when that is matched
    Column("from_seq", BigInteger),
    Column("to_seq", BigInteger),
    Column("closed_at", Instant),
    UniqueConstraint("slot_id", "period"),
    Index("ix_runs_state", "state"),
)

run_batches = Table(
    "run_batches",
    metadata,
    _reference("run_id", "runs.id"),
    _reference("batch_id", "batches.id"),
    PrimaryKeyConstraint("run_id", "batch_id"),
)

shards = Table(
    "shards",
    metadata,
    _reference("run_id", "runs.id"),
    Column("number", Integer, nullable=False),
    Column("low_id", BigInteger, nullable=False),
    Column("high_id", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("lease_until", Instant),
    Column("lease_token", BigInteger, nullable=False, default=0),
    PrimaryKeyConstraint("run_id", "number"),
)

editions = Table(
    "editions",
    metadata,
    _id(),
    _reference("run_id", "runs.id"),
    _reference("digest_id", "digests.id"),
    Column("composed_at", Instant, nullable=False),
    Column("skipped", Text, nullable=False, default=""),  # why it was not made; "" if it was
    Column("items", JSON, nullable=False),
    Column("rest", JSON, nullable=False),
    Column("dropped", Integer, nullable=False),
    Column("excluded", Integer, nullable=False),
    Column("batches", JSON, nullable=False),  # as told
    UniqueConstraint("run_id", "digest_id"),
    Index("ix_editions_digest_id_id", "digest_id", "id"),
)

deliveries = Table(
    "deliveries",
    metadata,
    _id(),
    _reference("edition_id", "editions.id"),
    _reference("destination_id", "destinations.id"),
    Column("state", Text, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("lease_until", Instant),
    Column("lease_token", BigInteger, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("unknown", Integer, nullable=False, default=0),
    Column("message_id", Text, nullable=False),
    Column("answer", Text, nullable=False, default=""),
    Column("sent_at", Instant),
    UniqueConstraint("edition_id", "destination_id"),
)
partial_index(
    "ix_deliveries_ready",
    deliveries.c.due_at,
    deliveries.c.id,
    unique=False,
    where=deliveries.c.state == "ready",
)

# --- the store's own ------------------------------------------------------------------------------

counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("expires_at", Instant, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

notes = Table(
    "notes",
    metadata,
    Column("name", Text, primary_key=True),  # what the store knows about itself, a line each
    Column("value", Text, nullable=False),
)
