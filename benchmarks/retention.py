"""What it takes to remove a day that has grown old, each day, and whether the database stops growing.

Each day the editions and deliveries of a run are stored, claimed and marked, and those of the oldest day are removed. All
three designs have the same columns, indexes and rows, and do the first part by the same statements:

- digest removes what nothing depends on any more (``prune_daily``), row by row, and vacuums;
- the limit for rows deletes all of a run by two statements, whatever may still depend on them, and vacuums;
- the limit for tables has a partition a day, and drops the oldest, whatever may still depend on its rows. Its statements name
  the days in which anything waits, so that they look into no other partition.

Each day is analyzed before it is claimed. That is a row of its own: the tables are analyzed as a whole, of the partitions only the
new ones, and a server analyzes as often as it is configured to. CPU is that of the server's processes and of this one.
"""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from time import process_time

import psutil
from sqlalchemy import Connection

from benchmarks.many_workers import find_postmaster, measure_server
from benchmarks.measure import Result, Row
from benchmarks.planning import make_digests
from digest.jobs.operations.pruning import prune_daily
from digest.store.database.dialect import make_engine
from digest.store.database.engine import Store, Transaction, open_store, upgrade
from tests.support.postgres import start_postgres

DIGESTS = int(os.environ.get("DIGEST_BENCHMARK_DIGESTS", "5000"))
KEPT_DAYS = 92
EXTRA_DAYS = 8
"""Days after the first that was removed; the database must not grow in them."""
CLAIM = 400
FIRST = datetime(2026, 3, 1, 5, 30, tzinfo=UTC)
LARGEST_GROWTH = 1.02
"""The size at the end over the size when the first day had been removed."""
_EDITION_COLUMNS = "id, run_id, digest_id, composed_at, skipped, items, rest, dropped, excluded, batches"
_DELIVERY_COLUMNS = (
    "id, edition_id, destination_id, channel, state, due_at, main_query, paced, lease_token, attempts, unknown, message_id, "
    "answer, blame"
)


def run(*, small: bool) -> Result:
    """Measure the same days in all three designs."""
    number, kept_days = (300, 6) if small else (DIGESTS, KEPT_DAYS)
    rows: list[Row] = []
    with start_postgres() as server:
        used: dict[str, DayUsage] = {}
        for name, design in (
            ("rows, all of a run", PlainTables),
            ("a partition a day", PartitionedTables),
            ("digest", DigestTables),
        ):
            url = server.create()
            engine = make_engine(url)
            upgrade(engine)
            engine.dispose()
            store = open_store(url, FIRST)
            try:
                make_digests(store, number, fired_slots=0)
                used[name] = measure_days(design(store, number), find_postmaster(url), kept_days)
            finally:
                store.close()
                server.drop(url)
    for work in ("store, claim, mark", "analyze", "remove", "all of a day"):
        limit = used["a partition a day"].seconds(work)
        for name, usage in used.items():
            seconds = usage.seconds(work)
            each = f"{name}, {seconds / number * 1e6:.0f} µs a digest"
            rows.append(Row(work=work, candidate=each, seconds=seconds, times=limit / seconds))
    for name, usage in used.items():
        sizes = f"{name}, {usage.first_size / 1e6:.0f} and {usage.last_size / 1e6:.0f} MB"
        rows.append(
            Row(
                work=f"size, day {kept_days} and {kept_days + EXTRA_DAYS}",
                candidate=sizes,
                seconds=0,
                times=usage.first_size / usage.last_size,
                wanted=1 / LARGEST_GROWTH if name == "digest" else None,
            )
        )
    title = f"{number} digests a day, of which {kept_days} days are kept; against dropping partitions"
    return Result(title=title, rows=tuple(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class DayUsage:
    """What a day takes when one is removed for each that comes.

    Attributes:
        stored: CPU seconds of storing, claiming and marking.
        analyzed: CPU seconds of statistics for the planner.
        removed: CPU seconds of removing.
        first_size: bytes of the database after the first removal.
        last_size: bytes at the end.
    """

    stored: float
    analyzed: float
    removed: float
    first_size: int
    last_size: int

    def seconds(self, work: str) -> float:
        """Return the CPU seconds of a part of the day, or of all of it."""
        return {"store, claim, mark": self.stored, "analyze": self.analyzed, "remove": self.removed}.get(
            work, self.stored + self.analyzed + self.removed
        )


def measure_days(design: DigestTables, postmaster: psutil.Process, kept_days: int) -> DayUsage:
    """Measure what the days take."""
    stored: list[float] = []
    analyzed: list[float] = []
    removed: list[float] = []
    sizes: list[int] = []
    with design.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for day in range(kept_days + EXTRA_DAYS):
            times = [measure_server(postmaster) + process_time()]
            for step in (design.store_day, design.analyze_day, design.send_day):
                step(connection, day)
                times.append(measure_server(postmaster) + process_time())
            if day >= kept_days:
                design.remove_day(connection, day, kept_days)
                storing, analyzing, sending = (later - earlier for earlier, later in pairwise(times))
                stored.append(storing + sending)
                analyzed.append(analyzing)
                removed.append(measure_server(postmaster) + process_time() - times[-1])
                sizes.append(
                    connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()
                )
    return DayUsage(
        stored=statistics.median(stored),
        analyzed=statistics.median(analyzed),
        removed=statistics.median(removed),
        first_size=sizes[0],
        last_size=sizes[-1],
    )


class DigestTables:
    """The tables of digest, from which it removes what nothing depends on."""

    editions, deliveries, day_column, day_value, day_condition = "editions", "deliveries", "", "", ""

    def __init__(self, store: Store, number: int) -> None:
        self.store = store
        self._number = number
        with store.begin_write() as tx:
            self.make_tables(tx)

    def make_tables(self, tx: Transaction) -> None:
        """Make tables beside those of digest; there is nothing to make."""

    def store_day(self, connection: Connection, day: int) -> None:
        """Store the editions and deliveries of a day."""
        fired_at = FIRST + timedelta(days=day)
        self._insert_run(connection, day, fired_at)
        values = {
            "first": day * self._number,
            "number": self._number,
            "run": day + 1,
            "at": fired_at,
            "day": day,
            "last": (day + 1) * self._number,
        }
        for statement in (_INSERT_EDITIONS, _INSERT_DELIVERIES):
            connection.exec_driver_sql(self._fill(statement), values)

    def analyze_day(self, connection: Connection, day: int) -> None:  # noqa: ARG002 - partitions need it
        """Analyze the tables that got rows."""
        for table in (self.editions, self.deliveries):
            connection.exec_driver_sql(f"ANALYZE {table}")

    def send_day(self, connection: Connection, day: int) -> None:
        """Claim and mark the deliveries of a day in batches."""
        fired_at = FIRST + timedelta(days=day)
        claim, mark = self._fill(_CLAIM), self._fill(_MARK)
        after = 0
        while claimed := connection.exec_driver_sql(
            claim, {"after": after, "most": CLAIM, "at": fired_at, "day": day}
        ).all():
            ids = [row.id for row in claimed]
            after = max(ids)
            connection.exec_driver_sql(mark, {"ids": ids, "at": fired_at, "day": day})

    def _fill(self, statement: str) -> str:
        return statement.format(
            editions=self.editions,
            deliveries=self.deliveries,
            day_column=self.day_column,
            day_value=self.day_value,
            day_condition=self.day_condition,
        )

    def _insert_run(self, connection: Connection, day: int, fired_at: datetime) -> None:
        values = {
            "run": day + 1,
            "period": f"{fired_at:%Y-%m-%dT%H:%M}",
            "at": fired_at,
            "from": day,
            "to": day + 1,
        }
        connection.exec_driver_sql(_INSERT_RUN, values)
        connection.exec_driver_sql("UPDATE slots SET cursor_seq = %(to)s WHERE id = 1", {"to": day + 1})

    def remove_day(self, connection: Connection, day: int, kept_days: int) -> None:
        """Remove what is older than the kept days."""
        now = FIRST + timedelta(days=day, hours=1)
        prune_daily(self.store, timedelta(days=kept_days), now)
        self._vacuum(connection)

    def _vacuum(self, connection: Connection) -> None:
        # The server does it by itself, but not as often as days pass here.
        for table in (self.deliveries, self.editions):
            connection.exec_driver_sql(f"VACUUM {table}")


class PlainTables(DigestTables):
    """Tables like those of digest, from which all of a run is deleted."""

    editions, deliveries = "editions_by_hand", "deliveries_by_hand"

    def make_tables(self, tx: Transaction) -> None:
        """Make the tables with the same indexes and the same reference."""
        tx.exec_driver_sql(f"CREATE TABLE {self.editions} (LIKE editions INCLUDING ALL)")
        tx.exec_driver_sql(f"CREATE TABLE {self.deliveries} (LIKE deliveries INCLUDING ALL)")
        for table in (self.editions, self.deliveries):
            tx.exec_driver_sql(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")
        _add_references(tx, self.editions, self.deliveries)
        tx.exec_driver_sql(
            f"ALTER TABLE {self.deliveries} ADD FOREIGN KEY (edition_id) REFERENCES {self.editions} (id)"
        )

    def remove_day(self, connection: Connection, day: int, kept_days: int) -> None:
        """Delete a run."""
        values = {"run": day - kept_days + 1}
        connection.exec_driver_sql(
            f"DELETE FROM {self.deliveries} d USING {self.editions} e WHERE e.run_id = %(run)s AND d.edition_id = e.id",
            values,
        )
        connection.exec_driver_sql(f"DELETE FROM {self.editions} WHERE run_id = %(run)s", values)
        self._vacuum(connection)


class PartitionedTables(DigestTables):
    """Tables with a partition a day."""

    editions, deliveries = "editions_by_day", "deliveries_by_day"
    day_column, day_value, day_condition = ", day", ", %(day)s", "day = %(day)s AND"

    def make_tables(self, tx: Transaction) -> None:
        """Make the tables, whose unique keys have the day; no key can refer to another without it."""
        for name, of in ((self.editions, "editions"), (self.deliveries, "deliveries")):
            tx.exec_driver_sql(
                f"CREATE TABLE {name} (LIKE {of} INCLUDING DEFAULTS, day integer NOT NULL) PARTITION BY LIST (day)"
            )
        for index in _INDEXES_BY_DAY:
            tx.exec_driver_sql(self._fill(index))
        _add_references(tx, self.editions, self.deliveries)

    def store_day(self, connection: Connection, day: int) -> None:
        """Store a day in partitions of its own."""
        for table in (self.editions, self.deliveries):
            connection.exec_driver_sql(
                f"CREATE TABLE {table}_{day} PARTITION OF {table} FOR VALUES IN ({day})"
            )
        super().store_day(connection, day)

    def analyze_day(self, connection: Connection, day: int) -> None:
        """Analyze the new partitions; the whole tables would be all days."""
        for table in (self.editions, self.deliveries):
            connection.exec_driver_sql(f"ANALYZE {table}_{day}")

    def remove_day(self, connection: Connection, day: int, kept_days: int) -> None:
        """Drop the oldest partitions."""
        for table in (self.deliveries, self.editions):
            connection.exec_driver_sql(f"DROP TABLE {table}_{day - kept_days}")


def _add_references(tx: Transaction, editions: str, deliveries: str) -> None:
    """Let tables refer to what those of digest refer to."""
    for table, column, target in (
        (editions, "run_id", "runs"),
        (editions, "digest_id", "digests"),
        (deliveries, "destination_id", "destinations"),
    ):
        tx.exec_driver_sql(f"ALTER TABLE {table} ADD FOREIGN KEY ({column}) REFERENCES {target} (id)")


_INSERT_RUN = (
    "INSERT INTO runs (id, slot_id, period, state, fire_at, made_at, from_seq, to_seq, closed_at, deliveries, held, released)"
    " VALUES (%(run)s, 1, %(period)s, 'composed', %(at)s, %(at)s, %(from)s, %(to)s, %(at)s, 0, '', false)"
)
_INSERT_EDITIONS = (
    f"INSERT INTO {{editions}} ({_EDITION_COLUMNS}{{day_column}})"
    " SELECT %(first)s + n, %(run)s, n, %(at)s, '', json_build_array(json_build_object('seq', n, 'why', repeat(md5(n::text), 20))),"
    " '[]', 0, 0, '[]'{day_value} FROM generate_series(1, %(number)s) n"
)
_INSERT_DELIVERIES = (
    f"INSERT INTO {{deliveries}} ({_DELIVERY_COLUMNS}{{day_column}})"
    " SELECT %(first)s + n, %(first)s + n, n, 'smtp', 'ready', %(at)s, 0, false, 0, 0, 0, '<' || md5(n::text) || '@example.org>',"
    " '', ''{day_value} FROM generate_series(1, %(number)s) n"
)
_CLAIM = (
    "UPDATE {deliveries} SET state = 'leased', lease_until = %(at)s, lease_token = 7, attempts = 1"
    " WHERE {day_condition} id IN (SELECT id FROM {deliveries} WHERE {day_condition} state = 'ready' AND channel = 'smtp'"
    " AND due_at <= %(at)s AND (due_at, main_query, id) > (%(at)s, 0, %(after)s)"
    " ORDER BY due_at, main_query, id LIMIT %(most)s FOR UPDATE SKIP LOCKED) RETURNING id"
)
_MARK = (
    "UPDATE {deliveries} SET state = 'sent', sent_at = %(at)s, answer = '250 2.0.0 Ok: queued as 4bKz7X2v5Gz9vB'"
    " WHERE {day_condition} id = ANY(%(ids)s)"
)
_INDEXES_BY_DAY = (
    "CREATE UNIQUE INDEX ON {editions} (id, day)",
    "CREATE UNIQUE INDEX ON {editions} (run_id, digest_id, day)",
    "CREATE INDEX ON {editions} (digest_id, id)",
    "CREATE UNIQUE INDEX ON {deliveries} (id, day)",
    "CREATE UNIQUE INDEX ON {deliveries} (edition_id, destination_id, day)",
    "CREATE INDEX ON {deliveries} (destination_id)",
    "CREATE INDEX ON {deliveries} (channel, due_at, main_query, id) WHERE state = 'ready'",
    "CREATE INDEX ON {deliveries} (channel, due_at) WHERE state = 'ready' AND is_alert",
    "CREATE INDEX ON {deliveries} (lease_until, lease_token) WHERE state = 'leased'",
    "CREATE INDEX ON {deliveries} (destination_id) WHERE state IN ('expired', 'refused') OR named_in IS NOT NULL",
    (
        "CREATE INDEX ON {deliveries} (state, channel, due_at, main_query, id)"
        " WHERE state = 'ready' AND (blame IN ('ours', 'message') OR unknown > 0)"
    ),
)
