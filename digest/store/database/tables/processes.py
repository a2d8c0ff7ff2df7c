"""Tables of running processes: what they have leased, their heartbeats, and where they deliver."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, Float, PrimaryKeyConstraint, Table, Text, text

from digest.store.database.tables.column_types import UtcDateTime, metadata

leases = Table(
    "leases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
)

workers = Table(
    "workers",
    metadata,
    Column("token", BigInteger, primary_key=True, autoincrement=False),  # the fencing token of its leases
    Column("holder", Text, nullable=False),  # its machine and process
    Column("command", Text, nullable=False),
    Column("release", Text, nullable=False),
    Column("queues", Text, nullable=False),  # the names of those that it serves, one a line
    Column("channels", Text, nullable=False),  # those by which it can deliver, one a line
    Column("file_hash", Text, nullable=False),  # of its configuration file
    # seconds that its machine's clock is ahead of the database's
    Column("clock_offset", Float, nullable=False),
    Column("activity", Text, nullable=False),  # what it does now; "" while it waits
    Column("started_at", UtcDateTime, nullable=False),  # by the database's clock, as is the next one
    Column("heartbeat_at", UtcDateTime, nullable=False),
    # What it has done since it started. Each worker writes only its own row, so none waits for another one.
    Column("tasks", BigInteger, nullable=False, server_default=text("0")),
    Column(
        "idle_tasks", BigInteger, nullable=False, server_default=text("0")
    ),  # those that found nothing to do
    Column("sent", BigInteger, nullable=False, server_default=text("0")),  # deliveries
    # leases of dead workers that it has released
    Column("released_leases", BigInteger, nullable=False, server_default=text("0")),
    # seconds that it has waited for locks and held them, by kind
    Column("lock_times", JSON, nullable=False, server_default=text("'{}'")),
)

# Where the processes that deliver are. Only hints: they save looking for the next deliveries, whose rows decide.
queue_cursors = Table(
    "queue_cursors",
    metadata,
    Column("channel", Text, nullable=False),
    Column("token", BigInteger, nullable=False),  # of the process
    Column("noted_at", UtcDateTime, nullable=False),  # by the machine's clock, as is `front_at`
    # nothing was due before this position at `front_at`; NULL: not known
    Column("front_due_at", UtcDateTime),
    Column("front_query", BigInteger, nullable=False),
    Column("front_id", BigInteger, nullable=False),
    Column("front_at", UtcDateTime, nullable=False),
    # it delivers what is due at this time, from this position to that of the next process; NULL: anything
    Column("due_at", UtcDateTime),
    Column("main_query", BigInteger, nullable=False),
    Column("delivery_id", BigInteger, nullable=False),
    PrimaryKeyConstraint("channel", "token"),
)
