"""Tables of running processes: what they have leased, and their heartbeats."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Table, Text

from digest.store.database.types import UtcDateTime, metadata

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
    Column(
        "clock_offset", Float, nullable=False
    ),  # seconds that its machine's clock is ahead of the database's
    Column("activity", Text, nullable=False),  # what it does now; "" while it waits
    Column("started_at", UtcDateTime, nullable=False),  # by the database's clock, as is the next one
    Column("heartbeat_at", UtcDateTime, nullable=False),
)
