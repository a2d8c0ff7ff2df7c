"""Tables of sources, papers and persons: what was announced, and what is stated about it.

Migrations bring a database to this state; a test compares the two. ``store/operations/pruning`` removes
old rows.
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
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    true,
)

from digest.store.database.tables.column_types import (
    ByteText,
    Id,
    RedactedText,
    UtcDateTime,
    metadata,
    own_id,
    reference,
)

sections = Table(
    "sections",
    metadata,
    Column("source", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("since", Date, nullable=False),  # earlier days make no events, so a first pull floods nobody
    # whether it has announcement days that are due
    Column("accounted", Boolean, nullable=False, default=True),
    Column("fills", Boolean, nullable=False, default=False),  # whether a day of it fills gradually
    Column("left_at", UtcDateTime),  # when it was removed from the configuration
    PrimaryKeyConstraint("source", "section"),
)

source_state = Table(
    "source_state",
    metadata,
    Column("source", Text, nullable=False),
    Column("route", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("url", Text, nullable=False, default=""),  # the address that sent the validators
    Column("etag", Text, nullable=False, default=""),
    Column("last_modified", Text, nullable=False, default=""),
    Column("body_hash", Text, nullable=False, default=""),
    Column("cursor", Text, nullable=False, default=""),  # where the source continues, in its own format
    Column("unfinished", Boolean, nullable=False, default=False),  # whether the last answer has more pages
    Column("asked_at", UtcDateTime),  # end of the last attempt
    Column("answered_at", UtcDateTime),  # end of the last successful attempt
    Column("next_at", UtcDateTime),  # earliest next request by our own back-off; a person can override it
    Column("interval", Integer, nullable=False, default=0),  # seconds between two visits of a plain feed
    # when the feed says that it changes (`ttl`, `skipHours`, `skipDays`)
    Column("freshness", JSON(none_as_null=True)),
    # attempts in a row that brought nothing that was due
    Column("fruitless", Integer, nullable=False, default=0),
    Column("errors", Integer, nullable=False, default=0),  # failed attempts in a row
    Column("error", RedactedText, nullable=False, default=""),
    # HTTP 410: requested only if a person asks for it
    Column("gone", Boolean, nullable=False, default=False),
    PrimaryKeyConstraint("source", "route", "section"),
)

# Rate limits of hosts. `store/delivery/rates.py` gives some columns another meaning for mail domains and servers.
buckets = Table(
    "buckets",
    metadata,
    Column("name", Text, primary_key=True),  # one host, or several that share a rate
    Column("next_at", UtcDateTime, nullable=False),
    Column("pace", Float, nullable=False, default=0.0),  # seconds between two requests, as the host demands
    Column("busy_until", UtcDateTime),  # lease of the request that is under way
    Column("holder", BigInteger, nullable=False, default=0),  # token of the worker that makes it
    Column("paused_until", UtcDateTime),  # pause that the other side imposed
    Column("taken_at", UtcDateTime),  # when a mail server last accepted a message, to the minute
    Column("reason", RedactedText, nullable=False, default=""),  # reason of the pause
    Column("slowed", Float, nullable=False, default=1.0),  # how many times slower than configured; decays
)

moves = Table(
    "moves",
    metadata,
    Column("url", Text, primary_key=True),  # an address with a permanent redirect
    Column("target", Text, nullable=False),
    Column("times", Integer, nullable=False),  # how often in a row it was seen
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
    Column("error", RedactedText, nullable=False, default=""),  # message of the host, for the operator only
    Column("failure", Text, nullable=False, default=""),  # kind of the failure, for readers
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
    # the root, the paper with the lowest key; NULL for a root
    reference("merged_into", "papers.id", nullable=True, index=True),
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
    # False: inferred, to put the versions in order
    Column("version_told", Boolean, nullable=False, server_default=true()),
    Column("lists", JSON, nullable=False),  # all fields of a paper that have no column of their own
    PrimaryKeyConstraint("paper_id", "source", "version"),
)

claims = Table(
    "claims",
    metadata,
    Column("scheme", Text, nullable=False),
    Column("value", Text, nullable=False),
    reference("paper_id", "papers.id", index=True),
    # somebody stated that this id is another paper's
    Column("apart", Boolean, nullable=False, default=False),
    PrimaryKeyConstraint("scheme", "value", "paper_id"),
)

authorships = Table(
    "authorships",
    metadata,
    reference("paper_id", "papers.id"),
    Column("position", Integer, nullable=False),
    Column("block", Text, nullable=False, index=True),  # shared by all names that can have the same full form
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

# A statement names a byline by paper, position and name as they were when it was made. It keeps its meaning when a list
# of authors changes and when papers are merged or separated.
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
    # whether the statement is that they are, or are not, the same person
    Column("same", Boolean, nullable=False),
    Column("said_by", Text, nullable=False),
    Column("said_at", UtcDateTime, nullable=False),
    Column("withdrawn_at", UtcDateTime),
)

signals = Table(
    "signals",
    metadata,
    Column("subject", Text, nullable=False),  # key of a paper, or id of a person
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
    Column("subject", Text, nullable=False),  # key of a paper, or id of a person
    Column("asked_at", UtcDateTime, nullable=False),
    Column("next_at", UtcDateTime, nullable=False),
    Column("found", Boolean, nullable=False),
    PrimaryKeyConstraint("enricher", "kind", "subject"),
)

# Subjects whose pages people opened lately.
opened_subjects = Table(
    "opened_subjects",
    metadata,
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),  # key of a paper, or id of a person
    Column("opened_at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("kind", "subject"),
)

enrichers = Table(
    "enrichers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("day", Date, nullable=False),  # in UTC, the day of `requests`
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
    Column("submitter", Text, nullable=False, default=""),  # name of the person who picked the paper
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

# The index of papers. Its posting lists are not here, because they are not an ordinary table on SQLite
# (`store/matching/posting_lists.py`).
indexed_papers = Table(
    "indexed_papers",
    metadata,
    reference("paper_id", "papers.id"),  # a root
    # number in the posting lists, in the order of days (`core/matching/search/document_numbers.py`)
    Column("document", BigInteger, nullable=False, unique=True),
    # False: the paper exceeds the limits of the index, and must be evaluated each time
    Column("is_complete", Boolean, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("events", Text, nullable=False),  # kind:source of its events; :source if it has none; one a line
    Column("categories", Text, nullable=False),  # as printed, one a line
    Column("has_code", Boolean, nullable=False),
    Column("length", Integer, nullable=False),  # of title and abstract, in weighted words
    Column(
        "frequencies", LargeBinary, nullable=False
    ),  # of its terms (`core/matching/search/term_frequencies.py`)
    PrimaryKeyConstraint("paper_id"),
)

indexed_texts = Table(
    "indexed_texts",
    metadata,
    Column("document", Id, primary_key=True, autoincrement=False),
    Column("title", Text, nullable=False),  # readable, without TeX
    Column("body", Text, nullable=False),  # the abstract, readable
)

term_vectors = Table(
    "term_vectors",
    metadata,
    Column("document", Id, primary_key=True, autoincrement=False),
    # of title and abstract (`core/matching/search/term_vectors.py`)
    Column("norm", Integer, nullable=False),
    Column("entries", LargeBinary, nullable=False),
)

term_forms = Table(
    "term_forms",
    metadata,
    Column("form", ByteText, nullable=False),  # a form of a word
    Column("term", ByteText, nullable=False),  # a term of the posting lists whose words have this form
    PrimaryKeyConstraint("form", "term"),
)

term_counts = Table(
    "term_counts",
    metadata,
    Column("term", ByteText, primary_key=True),  # a term of titles and abstracts
    # how many papers have had it; those that changed are counted again
    Column("papers", Integer, nullable=False),
)

index_counters = Table(
    "index_counters",
    metadata,
    # `papers`: number of documents; `length`: sum of their lengths; `version`: version of the terms;
    # `partial`: 1 while papers may be missing in the index
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

# Imports of files of papers. An import writes its progress together with the papers, so it continues where it stopped.
paper_imports = Table(
    "paper_imports",
    metadata,
    own_id(),
    Column("file_name", Text, nullable=False),
    Column("file_hash", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("categories", Text, nullable=False),  # selected ones, separated by blanks; "" for all
    Column(
        "since", Date, nullable=False
    ),  # first day of the selected papers; the first day of year 1 for all
    Column("position", BigInteger, nullable=False, default=0),  # bytes of uncompressed text that are imported
    Column("added", Integer, nullable=False, default=0),
    Column("grown", Integer, nullable=False, default=0),
    Column("known", Integer, nullable=False, default=0),
    Column("unselected", Integer, nullable=False, default=0),
    Column("broken", Integer, nullable=False, default=0),
    Column("broken_records", JSON, nullable=False),  # descriptions of the first ones
    Column("first_day", Date),  # of the selected papers
    Column("last_day", Date),  # of the last change of a record
    Column("started_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    UniqueConstraint("file_hash", "categories", "since"),
)
