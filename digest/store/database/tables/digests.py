"""Tables of readers (queries, digests, editions, deliveries) and of the database's own state.

Migrations bring a database to this state; a test compares the two. ``store/operations/pruning`` removes
old rows.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from digest.store.database.dialect import make_partial_index
from digest.store.database.tables.column_types import RedactedText, UtcDateTime, metadata, own_id, reference

queries = Table(
    "queries",
    metadata,
    own_id(),
    Column("text", Text, nullable=False, unique=True),
    Column("compiled", Text, nullable=False, default=""),  # the parsed form; "" if it has to be parsed again
    Column("matched_from", BigInteger),  # matched from here to `matched_to`; NULL: not matched
    Column("needed_from", BigInteger),  # lowest seq that some digest needs; NULL: nobody follows the query
    Column("revision", BigInteger, nullable=False, default=0, index=True),  # of its last change; ascending
)
make_partial_index(
    "ix_queries_behind",
    queries.c.id,
    unique=False,
    where=queries.c.needed_from.is_not(None)
    & (queries.c.matched_from.is_(None) | (queries.c.needed_from < queries.c.matched_from)),
)

match_blocks = Table(
    "match_blocks",
    metadata,
    reference("query_id", "queries.id"),
    Column("block", BigInteger, nullable=False),
    Column("hits", LargeBinary, nullable=False),  # two bytes each: position in the block, and how it matches
    PrimaryKeyConstraint("query_id", "block"),
    Index("ix_match_blocks_block", "block"),
)

subscribers = Table(
    "subscribers",
    metadata,
    own_id(),
    # in lower case; "" for the owner of the configuration file
    Column("address", Text, nullable=False, unique=True),
)

slots = Table(
    "slots",
    metadata,
    own_id(),
    Column("frequency", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("days", Text, nullable=False),
    Column("every", Integer, nullable=False),
    Column("latest", Text, nullable=False),
    Column("catch_up", Text, nullable=False),
    # names of sources, sorted, one per line; "" for all
    Column("waits_for", Text, nullable=False, default=""),
    Column("next_fire_at", UtcDateTime),  # NULL: no digests, or it has fired for the last time
    Column("cursor_seq", BigInteger, nullable=False),
    Column("last_period", Text, nullable=False, default=""),
    Column("woken_at", UtcDateTime),  # since when it has had digests without interruption
    UniqueConstraint("frequency", "zone", "at", "days", "every", "latest", "catch_up", "waits_for"),
    Index("ix_slots_next_fire_at", "next_fire_at"),
)

make_partial_index(
    "ix_slots_asleep",
    slots.c.id,
    unique=False,
    where=slots.c.next_fire_at.is_(None) & ((slots.c.frequency != "once") | (slots.c.last_period == "")),
)

digests = Table(
    "digests",
    metadata,
    own_id(),
    reference("subscriber_id", "subscribers.id"),
    Column("made_by", Text, nullable=False),  # `config`, or `web` if a reader made it on the site
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("timezone", Text, nullable=False),
    Column("kinds", JSON, nullable=False),
    Column("limit", Integer, nullable=False),
    Column("minimum", Integer, nullable=False),
    Column("when_empty", Text, nullable=False),
    Column("feed", Boolean, nullable=False),
    reference("slot_id", "slots.id", index=True),
    reference("next_slot_id", "slots.id", nullable=True),
    Column("from_seq", BigInteger),  # reported up to here, if that differs from the slot's cursor
    Column("paused_until", UtcDateTime),  # while the state is `paused`; NULL: until somebody resumes it
    Column("resume_from", Text, nullable=False, default=""),  # `then` or `now`, while it is paused
    # per day; further ones wait for the digest's slot
    Column("alerts_a_day", Integer, nullable=False, default=5),
    # whether regular editions repeat what alerts reported
    Column("repeat_alerts", Boolean, nullable=False, default=False),
    Column("language", Text, nullable=False, default="en"),
    Column("abstracts", Text, nullable=False, default="key"),
    Column("arrange", Text, nullable=False, default="ranked", server_default="ranked"),
    Column("full", Integer, nullable=False, default=12, server_default="12"),
    Column("feed_entries", Text, nullable=False, default="papers"),  # or `editions`
    Column("feed_version", Integer, nullable=False, default=0),  # how often the feed's address was renewed
    # removed editions, so that archives keep their numbers
    Column("pruned_editions", Integer, nullable=False, default=0, server_default="0"),
    # the public digest that it was copied from; "" for its reader's own, and for those of the file
    Column("public_digest", Text, nullable=False, default="", server_default=""),
    # of what it was last copied from
    Column("public_hash", Text, nullable=False, default="", server_default=""),
    # whether its reader has changed a follow or an option, so that it is no longer updated
    Column("is_customized", Boolean, nullable=False, default=False, server_default=false()),
    Column("change_note", JSON(none_as_null=True)),  # changes that its reader has not been told of
    UniqueConstraint("subscriber_id", "made_by", "name"),
)

make_partial_index(
    "uq_digests_public_digest",
    digests.c.public_digest,
    digests.c.subscriber_id,
    unique=True,
    where=digests.c.public_digest != "",
)

make_partial_index(
    "ix_digests_next_slot_id",
    digests.c.next_slot_id,
    digests.c.slot_id,
    digests.c.id,
    unique=False,
    where=digests.c.next_slot_id.is_not(None),
)
make_partial_index(
    "ix_digests_standing",
    digests.c.slot_id,
    digests.c.id,
    unique=False,
    where=digests.c.state.in_(["active", "paused"]),
)
make_partial_index(
    "ix_digests_paused_until", digests.c.paused_until, unique=False, where=digests.c.paused_until.is_not(None)
)

declarations = Table(
    "declarations",
    metadata,
    reference("digest_id", "digests.id"),
    Column("hash", Text, nullable=False),  # of the declaration in the file when the digest was last written
    PrimaryKeyConstraint("digest_id"),
)

public_digests = Table(
    "public_digests",
    metadata,
    Column("name", Text, primary_key=True),
    # of the declaration that all copies were last updated from; "" if some may be of another one
    Column("hash", Text, nullable=False),
)

destinations = Table(
    "destinations",
    metadata,
    own_id(),
    reference("digest_id", "digests.id"),
    Column("channel", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("domain", Text, nullable=False, default=""),  # of a mail address, in lower case: rates apply to it
    Column("mailbox", Text, nullable=False, default="", index=True),  # a mail address, in lower case
    Column("state", Text, nullable=False),
    # of the editions, if not the channel's
    Column("form", Text, nullable=False, default="", server_default=""),
    UniqueConstraint("digest_id", "channel", "address"),
    Index("ix_destinations_address", "address"),
)

follows = Table(
    "follows",
    metadata,
    own_id(),
    reference("digest_id", "digests.id", index=True),
    reference("query_id", "queries.id"),
    Column("text", Text, nullable=False),
    Column("weight", Float, nullable=False),
    Column("exclude", Boolean, nullable=False),
    Column("alert", Boolean, nullable=False, default=False),
    # exclude only what that query's follow brings; 0: from the whole digest
    Column("only_query_id", BigInteger, nullable=False, default=0),
    Column("started_seq", BigInteger, nullable=False),
    # factor of the weight, from "more" and "less like this"
    Column("learned", Float, nullable=False, default=1.0),
    Column("ended_at", UtcDateTime),
)
make_partial_index(
    "uq_follows_active",
    follows.c.digest_id,
    follows.c.query_id,
    follows.c.only_query_id,
    unique=True,
    where=follows.c.ended_at.is_(None),
)
Index("ix_follows_query_id", follows.c.query_id)
make_partial_index(
    "ix_follows_alert",
    follows.c.query_id,
    follows.c.digest_id,
    unique=False,
    where=follows.c.alert & follows.c.ended_at.is_(None),
)

feedback = Table(
    "feedback",
    metadata,
    reference("digest_id", "digests.id"),
    reference("paper_id", "papers.id", index=True),
    Column("position", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("yes", Boolean, nullable=False),  # whether the byline is by the person whom the digest follows
    Column("at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("digest_id", "paper_id", "position", "name"),
)

opinions = Table(
    "opinions",
    metadata,
    reference("digest_id", "digests.id"),
    reference("paper_id", "papers.id", index=True),
    Column("opinion", Text, nullable=False),  # `more` or `less` like it, or `saved`
    Column("queries", JSON, nullable=False),  # of the follows that brought the paper
    Column("at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("digest_id", "paper_id", "opinion"),
)

# --- editions and deliveries ----------------------------------------------------------------------

runs = Table(
    "runs",
    metadata,
    own_id(),
    reference("slot_id", "slots.id"),
    Column("period", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("fire_at", UtcDateTime, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("latest_at", UtcDateTime),
    Column("ready_seq", BigInteger),  # highest seq when it became ready; it closes when that is matched
    Column("from_seq", BigInteger),
    Column("to_seq", BigInteger),
    Column("closed_at", UtcDateTime),
    Column("composed_at", UtcDateTime),  # when its last shard was found composed
    Column("deliveries", Integer, nullable=False, default=0),  # number of deliveries of its editions
    Column("held", Text, nullable=False, default=""),  # why its deliveries are held; "" if they are not
    # the operator released it: it is not held again
    Column("released", Boolean, nullable=False, default=False),
    UniqueConstraint("slot_id", "period"),
    Index("ix_runs_state", "state"),
    Index("ix_runs_period", "period"),
)

run_batches = Table(
    "run_batches",
    metadata,
    reference("run_id", "runs.id"),
    reference("batch_id", "batches.id"),
    PrimaryKeyConstraint("run_id", "batch_id"),
)

shards = Table(
    "shards",
    metadata,
    reference("run_id", "runs.id"),
    Column("number", Integer, nullable=False),
    Column("low_id", BigInteger, nullable=False),
    Column("high_id", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("lease_until", UtcDateTime),
    Column("lease_token", BigInteger, nullable=False, default=0),  # also of the worker that composed it
    Column("claimed_at", UtcDateTime),  # by the worker that composes it, or did
    Column("composed_at", UtcDateTime),
    PrimaryKeyConstraint("run_id", "number"),
)
make_partial_index(
    "ix_shards_unfinished", shards.c.run_id, shards.c.number, unique=False, where=shards.c.state != "done"
)

# What processes that compose a run together share until it is composed: why queries match papers.
shard_evidence = Table(
    "shard_evidence",
    metadata,
    reference("run_id", "runs.id"),
    Column("number", Integer, nullable=False),
    Column("found", LargeBinary, nullable=False),
    PrimaryKeyConstraint("run_id", "number"),
)

editions = Table(
    "editions",
    metadata,
    own_id(),
    reference("run_id", "runs.id"),
    reference("digest_id", "digests.id"),
    Column("composed_at", UtcDateTime, nullable=False),
    Column("skipped", Text, nullable=False, default=""),  # why it was not composed; "" if it was
    Column("items", JSON, nullable=False),
    Column("rest", JSON, nullable=False),  # overflow items
    Column("dropped", Integer, nullable=False),
    Column("excluded", Integer, nullable=False),
    Column("batches", JSON, nullable=False),  # as reported
    UniqueConstraint("run_id", "digest_id"),
    Index("ix_editions_digest_id_id", "digest_id", "id"),
)

edition_changes = Table(
    "edition_changes",
    metadata,
    reference("edition_id", "editions.id"),
    Column("changes", JSON, nullable=False),  # what its reader is told of the digest itself
    PrimaryKeyConstraint("edition_id"),
)

deliveries = Table(
    "deliveries",
    metadata,
    own_id(),
    reference("edition_id", "editions.id"),
    reference("destination_id", "destinations.id", index=True),
    Column("channel", Text, nullable=False),  # that of its destination
    Column("state", Text, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    # the query that most of its papers match; 0 for none
    Column("main_query", BigInteger, nullable=False, default=0),
    Column(
        "is_alert", Boolean, nullable=False, default=False, server_default=false()
    ),  # sent before the others
    # `due_at` was set by the rate limit of its domain
    Column("paced", Boolean, nullable=False, default=False),
    Column("lease_until", UtcDateTime),
    Column("lease_token", BigInteger, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("unknown", Integer, nullable=False, default=0),
    Column("message_id", Text, nullable=False),
    Column("answer", RedactedText, nullable=False, default=""),
    # who was at fault: `address`, `domain`, `ours`, `message`, or "" for nobody
    Column("blame", Text, nullable=False, default=""),
    Column("expires_at", UtcDateTime),  # no attempts after it; set by the first failure that was not ours
    Column("failed_at", UtcDateTime),  # the last failure that counted, or the first failure
    Column("sent_at", UtcDateTime),
    Column("named_in", BigInteger),  # delivery whose mail names this one as missed; -1: none yet
    UniqueConstraint("edition_id", "destination_id"),
)
make_partial_index(
    "ix_deliveries_ready",
    deliveries.c.channel,
    deliveries.c.due_at,
    deliveries.c.main_query,
    deliveries.c.id,
    unique=False,
    where=deliveries.c.state == "ready",
)
make_partial_index(
    "ix_deliveries_alerts",
    deliveries.c.channel,
    deliveries.c.due_at,
    unique=False,
    where=(deliveries.c.state == "ready") & deliveries.c.is_alert,
)
make_partial_index(
    "ix_deliveries_leased",
    deliveries.c.lease_until,
    deliveries.c.lease_token,
    unique=False,
    where=deliveries.c.state == "leased",
)
make_partial_index(
    "ix_deliveries_missed",
    deliveries.c.destination_id,
    unique=False,
    where=deliveries.c.state.in_(["expired", "refused"]) | deliveries.c.named_in.is_not(None),
)

make_partial_index(
    "ix_deliveries_suspect",
    deliveries.c.state,  # one more column that must be equal, or SQLite prefers the index of ready deliveries
    deliveries.c.channel,
    deliveries.c.due_at,
    deliveries.c.main_query,
    deliveries.c.id,
    unique=False,
    where=(deliveries.c.state == "ready")
    & (deliveries.c.blame.in_(["ours", "message"]) | (deliveries.c.unknown > 0)),
)

partly_sent = Table(
    "partly_sent",
    metadata,
    reference("delivery_id", "deliveries.id"),
    Column("parts", Integer, nullable=False),  # number of its first messages that have arrived
    PrimaryKeyConstraint("delivery_id"),
)

# --- state of the database ------------------------------------------------------------------------

counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
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
    Column("name", Text, primary_key=True),  # facts about the database itself
    Column("value", Text, nullable=False),
)

notices = Table(
    "notices",
    metadata,
    Column("name", Text, primary_key=True),
    Column("text", RedactedText, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),  # when the problem first occurred that day
    Column("due_at", UtcDateTime, index=True),  # when it is sent; NULL: nothing to send any more
    Column("attempts", Integer, nullable=False, default=0),
    Column("told", JSON, nullable=False),  # the channels that have sent it
)
