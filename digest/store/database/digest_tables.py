"""The tables of readers: queries, digests, editions and their ways out, and what the store keeps for itself.

Migrations bring a database here; a test compares them. What grows by the day is pruned by age elsewhere.
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
)

from digest.store.database.dialect import make_partial_index
from digest.store.database.types import RedactedText, UtcDateTime, metadata, own_id, reference

queries = Table(
    "queries",
    metadata,
    own_id(),
    Column("text", Text, nullable=False, unique=True),
    Column("compiled", Text, nullable=False, default=""),  # read already; "" where it is to be read anew
    Column("matched_from", BigInteger),  # every later seq up to `matched_to` is matched; NULL: none is
    Column("needed_from", BigInteger),  # some digest needs it matched from there on; NULL: nobody follows it
    Column("revision", BigInteger, nullable=False, default=0, index=True),  # of its last change, ascending
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
    Column("hits", LargeBinary, nullable=False),  # two bytes each: which event, and how it fits
    PrimaryKeyConstraint("query_id", "block"),
    Index("ix_match_blocks_block", "block"),
)

subscribers = Table(
    "subscribers",
    metadata,
    own_id(),
    Column("address", Text, nullable=False, unique=True),  # "" is the operator: the config file's owner
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
    Column("waits_for", Text, nullable=False, default=""),  # names of sources, sorted, a line each; "" is all
    Column("next_fire_at", UtcDateTime),  # NULL: no digest is in it, or it has fired for the last time
    Column("cursor_seq", BigInteger, nullable=False),
    Column("last_period", Text, nullable=False, default=""),
    Column("woken_at", UtcDateTime),  # since when it has had digests without a break
    UniqueConstraint("frequency", "zone", "at", "days", "every", "latest", "catch_up", "waits_for"),
    Index("ix_slots_next_fire_at", "next_fire_at"),
)

digests = Table(
    "digests",
    metadata,
    own_id(),
    reference("subscriber_id", "subscribers.id"),
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
    reference("slot_id", "slots.id", index=True),
    reference("next_slot_id", "slots.id", nullable=True),
    Column("from_seq", BigInteger),  # told up to here, where that differs from the slot's cursor
    Column("paused_until", UtcDateTime),  # while its state is `paused`; NULL: until somebody resumes it
    Column("resume_from", Text, nullable=False, default=""),  # `then` or `now`, while it is paused
    Column(
        "most_alerts", Integer, nullable=False, default=5
    ),  # a day; what comes above that waits for its slot
    Column("repeat_alerts", Boolean, nullable=False, default=False),  # its own editions tell them again
    Column("language", Text, nullable=False, default="en"),
    Column("abstracts", Text, nullable=False, default="short"),
    Column("feed_entries", Text, nullable=False, default="papers"),  # or `editions`
    Column("feed_version", Integer, nullable=False, default=0),  # how often its address was renewed
    Column(
        "pruned_editions", Integer, nullable=False, default=0, server_default="0"
    ),  # that it had and that are not kept any more: its archives are numbered from its first one
    UniqueConstraint("subscriber_id", "made_by", "name"),
)

make_partial_index(
    "ix_digests_next_slot_id", digests.c.next_slot_id, unique=False, where=digests.c.next_slot_id.is_not(None)
)
make_partial_index(
    "ix_digests_paused_until", digests.c.paused_until, unique=False, where=digests.c.paused_until.is_not(None)
)

declarations = Table(
    "declarations",
    metadata,
    reference("digest_id", "digests.id"),
    Column("hash", Text, nullable=False),  # of what the file declared when the digest was last written
    PrimaryKeyConstraint("digest_id"),
)

destinations = Table(
    "destinations",
    metadata,
    own_id(),
    reference("digest_id", "digests.id"),
    Column("channel", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column(
        "domain", Text, nullable=False, default=""
    ),  # of a mail address, in lower case: what is paced together
    Column("mailbox", Text, nullable=False, default="", index=True),  # a mail address, in lower case
    Column("state", Text, nullable=False),
    UniqueConstraint("digest_id", "channel", "address"),
    Index("ix_destinations_address", "address"),
)

follows = Table(
    "follows",
    metadata,
    own_id(),
    reference("digest_id", "digests.id"),
    reference("query_id", "queries.id"),
    Column("text", Text, nullable=False),
    Column("weight", Float, nullable=False),
    Column("exclude", Boolean, nullable=False),
    Column("alert", Boolean, nullable=False, default=False),
    Column(
        "only_query_id", BigInteger, nullable=False, default=0
    ),  # an exclusion from that follow; 0: from all
    Column("started_seq", BigInteger, nullable=False),
    Column("learned", Float, nullable=False, default=1.0),  # of its weight: from "more" and "less like this"
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
    Column("yes", Boolean, nullable=False),  # this is, or is not, the person that the digest follows
    Column("at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("digest_id", "paper_id", "position", "name"),
)

opinions = Table(
    "opinions",
    metadata,
    reference("digest_id", "digests.id"),
    reference("paper_id", "papers.id", index=True),
    Column("opinion", Text, nullable=False),  # `more` or `less` like it, or `saved`
    Column("queries", JSON, nullable=False),  # of the follows that had brought it
    Column("at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("digest_id", "paper_id", "opinion"),
)

# --- editions and their ways out ------------------------------------------------------------------

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
    Column("ready_seq", BigInteger),  # the highest seq when it became ready; it closes when that is matched
    Column("from_seq", BigInteger),
    Column("to_seq", BigInteger),
    Column("closed_at", UtcDateTime),
    Column("deliveries", Integer, nullable=False, default=0),  # that its editions made
    Column("held", Text, nullable=False, default=""),  # why nothing of it goes out; "" if it does
    Column("released", Boolean, nullable=False, default=False),  # an operator let it go: it is not held again
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
    Column("lease_token", BigInteger, nullable=False, default=0),
    PrimaryKeyConstraint("run_id", "number"),
)

editions = Table(
    "editions",
    metadata,
    own_id(),
    reference("run_id", "runs.id"),
    reference("digest_id", "digests.id"),
    Column("composed_at", UtcDateTime, nullable=False),
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
    own_id(),
    reference("edition_id", "editions.id"),
    reference("destination_id", "destinations.id"),
    Column("channel", Text, nullable=False),  # its destination's
    Column("state", Text, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("main_query", BigInteger, nullable=False, default=0),  # what most papers are there for; 0 for none
    Column("paced", Boolean, nullable=False, default=False),  # `due_at` is its turn among those of its domain
    Column("lease_until", UtcDateTime),
    Column("lease_token", BigInteger, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("unknown", Integer, nullable=False, default=0),
    Column("message_id", Text, nullable=False),
    Column("answer", RedactedText, nullable=False, default=""),
    Column(
        "blame", Text, nullable=False, default=""
    ),  # whose fault that was: `address`, `domain`, `ours`, `message`, "" for nobody's
    Column("expires_at", UtcDateTime),  # from its first failure that was not ours: no more attempts then
    Column("failed_at", UtcDateTime),  # its last failure that counted, or its first one
    Column("sent_at", UtcDateTime),
    Column(
        "named_in", BigInteger
    ),  # the delivery whose mail names this one, which did not arrive; -1: none yet
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

partly_sent = Table(
    "partly_sent",
    metadata,
    reference("delivery_id", "deliveries.id"),
    Column("parts", Integer, nullable=False),  # the first ones of its messages, which the other side has
    PrimaryKeyConstraint("delivery_id"),
)

reports = Table(
    "reports",
    metadata,
    own_id(),
    Column("delivery", BigInteger, nullable=False),  # which it is about; it outlives that. 0: it is not known
    Column("mailbox", Text, nullable=False),  # whom it is about: an address in lower case
    Column("kind", Text, nullable=False),  # `bounce` or `complaint`; each is counted once a delivery
    Column("finding", Text, nullable=False),
    Column("status", Text, nullable=False),  # the enhanced status code, "" for none
    Column("answer", RedactedText, nullable=False),
    Column("road", Text, nullable=False),  # by which it came: `smtp`, `mailbox`, or a provider
    Column("at", UtcDateTime, nullable=False),
    Column("forgiven", Boolean, nullable=False, default=False),  # somebody resumed the address since
    UniqueConstraint("delivery", "mailbox", "kind"),
    Index("ix_reports_mailbox_at", "mailbox", "at"),
    Index("ix_reports_finding_at", "finding", "at"),
)

suppressions = Table(
    "suppressions",
    metadata,
    Column("mailbox", Text, primary_key=True),
    Column("state", Text, nullable=False),  # as that of its destinations: `suppressed` or `resting`
    Column("since", UtcDateTime, nullable=False),
    Column("until", UtcDateTime),  # NULL: until somebody resumes it
    reference("report_id", "reports.id"),  # because of which
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
    Column("expires_at", UtcDateTime, nullable=False),
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

notices = Table(
    "notices",
    metadata,
    Column("name", Text, primary_key=True),
    Column("text", RedactedText, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),  # first in its day
    Column("due_at", UtcDateTime, index=True),  # it is told then; NULL: there is nothing to tell any more
    Column("attempts", Integer, nullable=False, default=0),
    Column("told", JSON, nullable=False),  # the ways that have it
)
