"""The tables of sources, papers and persons: what was announced and what is said of it.

Migrations bring a database here; a test compares them. What grows by the day is pruned by age elsewhere.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Float,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    true,
)

from digest.store.database.types import ByteText, Id, RedactedText, UtcDateTime, metadata, own_id, reference

sections = Table(
    "sections",
    metadata,
    Column("source", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("since", Date, nullable=False),  # days before it make no events: a first pull floods nobody
    Column("accounted", Boolean, nullable=False, default=True),  # it has announcement days that are due
    Column("fills", Boolean, nullable=False, default=False),  # a day of it fills while it lasts
    Column("left_at", UtcDateTime),  # when it left the configuration
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
    Column("asked_at", UtcDateTime),  # when the last attempt ended
    Column("answered_at", UtcDateTime),  # when an attempt last ended well
    Column("next_at", UtcDateTime),  # our own pause: not asked before, unless a person asks
    Column("interval", Integer, nullable=False, default=0),  # seconds between two visits of a plain feed
    Column("freshness", JSON(none_as_null=True)),  # what it said about when to come again
    Column("fruitless", Integer, nullable=False, default=0),  # attempts in a row that brought nothing due
    Column("errors", Integer, nullable=False, default=0),  # attempts in a row that failed
    Column("error", RedactedText, nullable=False, default=""),
    Column("gone", Boolean, nullable=False, default=False),  # HTTP 410: not asked, unless a person asks
    PrimaryKeyConstraint("source", "route", "section"),
)

buckets = Table(
    "buckets",
    metadata,
    Column("name", Text, primary_key=True),  # one host or several: all processes share their pace
    Column("next_at", UtcDateTime, nullable=False),
    Column("pace", Float, nullable=False, default=0.0),  # seconds between two requests, as the host says
    Column("busy_until", UtcDateTime),  # somebody is asking: one at a time
    Column("holder", BigInteger, nullable=False, default=0),  # the token of who is
    Column("paused_until", UtcDateTime),  # imposed by the other side
    Column("taken_at", UtcDateTime),  # a mail server took a message, to the minute
    Column("reason", RedactedText, nullable=False, default=""),  # why it is paused
    Column(
        "slowed", Float, nullable=False, default=1.0
    ),  # how many times slower than configured; it wears off
)

moves = Table(
    "moves",
    metadata,
    Column("url", Text, primary_key=True),  # an address that says that it has moved for good
    Column("target", Text, nullable=False),
    Column("times", Integer, nullable=False),  # that it said so, without a break
    Column("first_at", UtcDateTime, nullable=False),
    Column("last_at", UtcDateTime, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    own_id(),
    Column("source", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("day", Date, nullable=False),
    Column("state", Text, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("expected", Integer),
    Column("received", Integer, nullable=False, default=0),
    Column("late", Integer, nullable=False, default=0),
    Column("asked_at", UtcDateTime),
    Column("answered_at", UtcDateTime),
    Column("error", RedactedText, nullable=False, default=""),  # the host's words: for the operator alone
    Column("failure", Text, nullable=False, default=""),  # what readers are told of it
    UniqueConstraint("source", "section", "day"),
    Index("ix_batches_due_at", "due_at"),
)

day_answers = Table(
    "day_answers",
    metadata,
    reference("batch_id", "batches.id"),
    Column("route", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("listed", Integer, nullable=False),
    Column("expected", Integer),
    PrimaryKeyConstraint("batch_id", "route"),
)

papers = Table(
    "papers",
    metadata,
    own_id(),
    Column("key", Text, nullable=False, unique=True),
    reference(
        "merged_into", "papers.id", nullable=True, index=True
    ),  # the root, of the least key; NULL: itself
)

statements = Table(
    "statements",
    metadata,
    reference("paper_id", "papers.id"),
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
    Column(
        "version_told", Boolean, nullable=False, server_default=true()
    ),  # False: worked out, to put it in order
    Column("lists", JSON, nullable=False),  # what is several: authors, categories, ids, addresses
    PrimaryKeyConstraint("paper_id", "source", "version"),
)

claims = Table(
    "claims",
    metadata,
    Column("scheme", Text, nullable=False),
    Column("value", Text, nullable=False),
    reference("paper_id", "papers.id", index=True),
    Column("apart", Boolean, nullable=False, default=False),  # somebody said that this is not that paper's
    PrimaryKeyConstraint("scheme", "value", "paper_id"),
)

authorships = Table(
    "authorships",
    metadata,
    reference("paper_id", "papers.id"),
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
    reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    PrimaryKeyConstraint("scheme", "value", "paper_id", "position"),
)

# What somebody said names a byline by the paper's number, the position and the name as they were then: a list
# of authors changes, papers become one and part again, and what was said goes on to mean the same author.
person_ids = Table(
    "person_ids",
    metadata,
    own_id(),
    reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("scheme", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("said_by", Text, nullable=False),
    Column("said_at", UtcDateTime, nullable=False),
    Column("withdrawn_at", UtcDateTime),
    Index("ix_person_ids_scheme_value", "scheme", "value"),
)

same_person = Table(
    "same_person",
    metadata,
    own_id(),
    reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    Column("name", Text, nullable=False),
    reference("other_paper_id", "papers.id", index=True),
    Column("other_position", Integer, nullable=False),
    Column("other_name", Text, nullable=False),
    Column("same", Boolean, nullable=False),  # or not: somebody said either
    Column("said_by", Text, nullable=False),
    Column("said_at", UtcDateTime, nullable=False),
    Column("withdrawn_at", UtcDateTime),
)

signals = Table(
    "signals",
    metadata,
    Column("subject", Text, nullable=False),  # a paper's key, or an id of a person
    Column("kind", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("day", Date, nullable=False),
    Column("value", Float, nullable=False),
    PrimaryKeyConstraint("subject", "kind", "source", "day"),
    Index("ix_signals_day", "day"),
)

enrichments = Table(
    "enrichments",
    metadata,
    Column("enricher", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),  # a paper's key, or an id of a person
    Column("asked_at", UtcDateTime, nullable=False),
    Column("next_at", UtcDateTime, nullable=False),
    Column("found", Boolean, nullable=False),
    PrimaryKeyConstraint("enricher", "kind", "subject"),
)

enrichers = Table(
    "enrichers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("day", Date, nullable=False),  # UTC, that of `requests`
    Column("requests", Integer, nullable=False),
    Column("answered_at", UtcDateTime),
    Column("error", RedactedText, nullable=False, default=""),  # of the last request; "" if it was answered
    Column("error_at", UtcDateTime),
)

listings = Table(
    "listings",
    metadata,
    reference("batch_id", "batches.id"),
    reference("paper_id", "papers.id", index=True),
    Column("kind", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("submitter", Text, nullable=False, default=""),  # the name of the person who picked it
    Column("submitter_id", Text, nullable=False, default=""),  # scheme:name
    PrimaryKeyConstraint("batch_id", "paper_id", "kind"),
)

events = Table(
    "events",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    reference("paper_id", "papers.id", index=True),
    Column("kind", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("day", Date, nullable=False, index=True),
    Column("source", Text, nullable=False),
    Column("first", Boolean, nullable=False),
    UniqueConstraint("paper_id", "kind", "number"),
)

# The index of papers. Its posting lists (`store/matching/posting_lists.py`) are no table of this kind on every database.
indexed_papers = Table(
    "indexed_papers",
    metadata,
    reference("paper_id", "papers.id"),  # a root of papers that are one
    Column(
        "document", BigInteger, index=True
    ),  # of the posting lists; NULL: the paper does not fit into them
    Column("withdrawn", Boolean, nullable=False),
    PrimaryKeyConstraint("paper_id"),
)

indexed_texts = Table(
    "indexed_texts",
    metadata,
    Column("document", Id, primary_key=True, autoincrement=False),
    Column("title", Text, nullable=False),  # readable, as its terms are
    Column("body", Text, nullable=False),  # the abstract
)

term_forms = Table(
    "term_forms",
    metadata,
    Column("form", ByteText, nullable=False),  # of a word
    Column("term", ByteText, nullable=False),  # that words with this form have in the posting lists
    PrimaryKeyConstraint("form", "term"),
)

index_counters = Table(
    "index_counters",
    metadata,
    Column("name", Text, primary_key=True),  # `document`: the last number; `version`: of the terms
    Column("value", BigInteger, nullable=False),
)
