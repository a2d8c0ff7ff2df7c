"""The store: a day of listings kept, 100,000 deliveries kept in shards, claimed and marked; SQLite and PostgreSQL.

The peer in the same run is the driver alone, ``sqlite3`` and ``psycopg``, doing by hand what has to be done: the same
columns, as many transactions, the same locks and indexes, and plain tuples in and out. Both leave the same rows, asserted.
On PostgreSQL the CPU seconds of the server's process count, too. The day (``by_hand`` is its peer) is on SQLite; the same
day once more is shown beside it: the peer compares rows there, and digest joins what is said with what was said.

``DIGEST_BENCHMARK_DELIVERIES=1000000`` shows a million.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Any, Protocol

import psycopg
from sqlalchemy import func, insert, select

from benchmarks.by_hand import upsert
from benchmarks.ingest import DAY_SIZE, new_store, recorded_day
from benchmarks.measure import DATA, Result, Row
from digest.model import Delivery, Sent
from digest.store.database.dialect import make_engine
from digest.store.database.engine import Store, upgrade
from digest.store.database.tables.digests import deliveries as rows
from digest.store.database.tables.digests import destinations, digests
from digest.store.delivery import outbox, receipts
from digest.store.delivery.outbox import LEASE_DURATION
from digest.store.editions import editions, runs
from digest.store.editions.editions import NewDelivery, NewEdition
from digest.store.editions.encodings.overflow import Overflow
from digest.store.fetching import listings
from tests.store.factories import declare, make_digest
from tests.support.postgres import start_postgres

DELIVERIES = int(os.environ.get("DIGEST_BENCHMARK_DELIVERIES", "100000"))
SHARD = 1_000
CLAIM = 400
"""What forty connections take at once."""
WANTED = 0.8
NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
TOKEN = 7
ANSWER = "250 2.0.0 Ok: queued as 4bKz7X2v5Gz9vB"


def run(*, small: bool) -> Result:
    """Measure both databases."""
    number, repeats = (2_000, 1) if small else (DELIVERIES, 3)
    gc.set_threshold(200_000, 20, 100)  # as the command has it
    found: list[Row] = [*_days(200 if small else DAY_SIZE, repeats=1 if small else 9)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="digest-benchmark-")))
        server = stack.enter_context(start_postgres())
        for name in ("SQLite", "PostgreSQL"):
            taken: dict[str, list[float]] = {}
            for repeat in range(repeats):
                for who in ("driver", "digest"):
                    path = folder / f"{repeat}-{who}.db"
                    url = f"sqlite:///{path}" if name == "SQLite" else server.create()
                    for what, seconds in _measured(url, who, number).items():
                        taken.setdefault(f"{what} {who}", []).append(seconds)
                    if name == "PostgreSQL":
                        server.drop(url)
                    else:
                        path.unlink()
            found += _rows(name, number, {key: statistics.median(each) for key, each in taken.items()})
    return Result(title="a day and its deliveries in the store, against the driver alone", rows=tuple(found))


def _rows(name: str, number: int, taken: dict[str, float]) -> Iterator[Row]:
    for what in ("keep", "deliver"):
        work, limit, ours = f"{what} {number:,}, {name}", taken[f"{what} driver"], taken[f"{what} digest"]
        yield Row(
            work=work, candidate=f"driver, {limit / number * 1e6:.1f} µs each", seconds=limit, times=1.0
        )
        mine = f"digest, {ours / number * 1e6:.1f} µs each"
        yield Row(work=work, candidate=mine, seconds=ours, times=limit / ours, wanted=WANTED)


_CONTENT_VERSION = "content"
"""The row of ``counters`` that the peer has no use for."""


# --- a day of listings ----------------------------------------------------------------------------


def _days(size: int, *, repeats: int) -> Iterator[Row]:
    """A day kept by both, and the same once more."""
    if not (DATA / "corpus").is_dir():
        return
    listed = recorded_day(size)
    telling = frozenset(one.paper.key for one in listed)
    taken: dict[str, list[float]] = {}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            store, batch = new_store(Path(folder) / "digest.db")
            other, _ = new_store(Path(folder) / "driver.db")
            with _connected(Path(folder) / "driver.db") as driver:
                for what in ("a day", "again"):
                    begun = process_time()
                    upsert(driver, batch, listed)
                    taken.setdefault(f"{what} driver", []).append(process_time() - begun)
                    begun = process_time()
                    with store.begin_ingest() as tx:
                        listings.save_listings(tx, batch, listed, announceable=telling)
                    taken.setdefault(f"{what} digest", []).append(process_time() - begun)
            assert _contents(store) == _contents(other)
            store.close()
            other.close()
    for what, wanted in (("a day", WANTED), ("again", None)):
        limit, ours = (statistics.median(taken[f"{what} {who}"]) for who in ("driver", "digest"))
        work = f"{what}, {size:,} papers, SQLite"
        yield Row(work=work, candidate="driver, by hand", seconds=limit, times=1.0)
        yield Row(work=work, candidate="digest", seconds=ours, times=limit / ours, wanted=wanted)


def _contents(store: Store) -> dict[str, list[str]]:
    """All that a day leaves, without the number of changes after which pages are made again."""
    tables = ("papers", "statements", "claims", "authorships", "listings", "events", "counters")
    with store.begin_read() as tx:
        contents = {table: tx.exec_driver_sql(f"SELECT * FROM {table}").all() for table in tables}
    contents["counters"] = [each for each in contents["counters"] if each.name != _CONTENT_VERSION]
    return {table: sorted(map(repr, rows)) for table, rows in contents.items()}


# --- what both begin with -------------------------------------------------------------------------


def _measured(url: str, who: str, number: int) -> dict[str, float]:
    """The CPU seconds of keeping and of delivering; making what is kept is composing's work, and does not count."""
    engine = make_engine(url)
    upgrade(engine)
    store = Store(engine)
    run_number, ways = _readers(store, number)
    with _candidate(who, url, store, run_number) as one:
        kept = 0.0
        for at in range(0, number, SHARD):
            made = one.composed(ways[at : at + SHARD])
            begun = one.cpu()
            one.keep(made)
            kept += one.cpu() - begun
        begun = one.cpu()
        done = one.deliver()
        delivered = one.cpu() - begun
    with store.begin_read() as tx:
        assert outbox.count_by_state(tx) == {"sent": done} == {"sent": number}
        right = select(func.count()).where(rows.c.sent_at == NOW, rows.c.attempts == 1)
        assert tx.execute(right).scalar() == number
    store.close()
    return {"keep": kept, "deliver": delivered}


class Candidate(Protocol):
    """Who keeps and delivers."""

    def cpu(self) -> float:
        """The CPU seconds used so far, the database's own among them."""

    def composed(self, shard: Sequence[tuple[int, int]]) -> Sequence[Any]:
        """Editions with a delivery each, as they are kept."""

    def keep(self, made: Sequence[Any]) -> None:
        """Keep them, in one transaction."""

    def deliver(self) -> int:
        """Claim and mark all, so many in a transaction; how many that were."""


@contextmanager
def _candidate(who: str, url: str, store: Store, run_number: int) -> Iterator[Candidate]:
    if who == "digest":
        yield _Digest(store, run_number)
    elif url.startswith("sqlite"):
        with _connected(Path(url.removeprefix("sqlite:///"))) as connection:
            yield _Sqlite(connection, run_number)
    else:
        with psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True) as to:
            yield _Postgres(to, run_number)


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    yield connection
    connection.close()


def _readers(store: Store, number: int) -> tuple[int, Sequence[tuple[int, int]]]:
    """So many digests with a destination each, and a run of theirs; numbers of the run, and of each digest and way."""
    declare(store, make_digest())
    with store.begin_write() as tx:
        runs.wake_slots(tx, NOW)
        runs.fire_slots(tx, NOW)
        (one,) = runs.list_open_runs(tx)
        runs.close_run(tx, one, 0, NOW)
        like = dict(tx.execute(select(digests)).mappings().one())
        like.pop("id")
        tx.execute(insert(digests), [like | {"name": f"d{each}"} for each in range(1, number)])
        numbers = tx.execute(select(digests.c.id).order_by(digests.c.id)).scalars().all()
        to = {"channel": "smtp", "domain": "example.org", "state": "active"}
        there = frozenset(tx.execute(select(destinations.c.digest_id)).scalars())
        more = [
            to | {"digest_id": each, "address": f"reader-{each}@example.org"}
            for each in numbers
            if each not in there
        ]
        tx.execute(insert(destinations), more)
        ways = tx.execute(
            select(destinations.c.digest_id, destinations.c.id).order_by(destinations.c.digest_id)
        )
        return one.id, [(row.digest_id, row.id) for row in ways]


def _message_id(way: int) -> str:
    return f"<{way:026}@digest.example.org>"


# --- digest ---------------------------------------------------------------------------------------


class _Digest:
    def __init__(self, store: Store, run_number: int) -> None:
        self._store = store
        self._run = run_number
        self._server: int | None = None
        if store.engine.dialect.name != "sqlite":
            with store.begin_read() as tx:
                self._server = tx.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()

    def cpu(self) -> float:
        return process_time() + (cpu_of(self._server) if self._server else 0)

    def composed(self, shard: Sequence[tuple[int, int]]) -> Sequence[NewEdition]:
        return [
            NewEdition(digest=one, deliveries=(NewDelivery(way, "smtp", _message_id(way), NOW),))
            for one, way in shard
        ]

    def keep(self, made: Sequence[NewEdition]) -> None:
        with self._store.begin_write() as tx:
            editions.save_editions(tx, self._run, made, [], NOW)

    def deliver(self) -> int:
        receipt = Sent(answer=ANSWER)
        some: tuple[Delivery, ...] = ()
        done = 0
        while True:
            with self._store.begin_write() as tx:
                receipts.record_receipts(tx, [(one, receipt) for one in some], NOW)
                some = outbox.claim_deliveries(tx, "smtp", TOKEN, NOW, CLAIM)
            if not some:
                return done
            done += len(some)


def cpu_of(process: int) -> float:
    """The CPU seconds, user and system, that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- the driver alone -----------------------------------------------------------------------------

_EDITION = "editions (run_id, composed_at, batches, digest_id, skipped, items, rest, dropped, excluded)"
_DELIVERY = (
    "deliveries (edition_id, destination_id, channel, due_at, message_id, state, paced, lease_token, attempts, "
    "unknown, answer, blame)"
)
_REST = Overflow().to_json()
_UNTRIED = ("ready", False, 0, 0, 0, "", "")
_MADE = "SELECT digest_id, id FROM editions WHERE run_id = ? AND digest_id BETWEEN ? AND ?"
_CLAIM = (
    "SELECT d.id, d.edition_id, d.destination_id, e.run_id, g.name, r.period, d.channel, t.address, t.domain, "
    "d.due_at, d.paced, d.attempts, d.unknown, d.message_id, d.answer, d.blame, d.expires_at, "
    "t.state, g.state, r.held, r.released "
    "FROM (SELECT id FROM deliveries WHERE state = 'ready' AND channel = 'smtp' AND due_at <= ? "
    "ORDER BY due_at, id LIMIT ? {lock}) f JOIN deliveries d ON d.id = f.id JOIN editions e ON e.id = d.edition_id "
    "JOIN digests g ON g.id = e.digest_id JOIN runs r ON r.id = e.run_id "
    "JOIN destinations t ON t.id = d.destination_id ORDER BY d.due_at, d.id"
)
_LEASE = "UPDATE deliveries SET state = 'leased', lease_until = ?, lease_token = ?, attempts = attempts + 1 WHERE id = ?"
_MARK = (
    "UPDATE deliveries SET state = 'sent', blame = '', answer = ?, sent_at = ?, lease_until = NULL, paced = false "
    "WHERE id = ? AND lease_token = ? AND state IN ('leased', 'ready')"
)


class _Driver:
    """What both drivers have in common: editions as plain tuples."""

    def __init__(self, run_number: int) -> None:
        self._run = run_number

    def composed(self, shard: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int, str]]:
        return [(one, way, _message_id(way)) for one, way in shard]

    def _editions(self, made: Sequence[tuple[int, int, str]], now: Any) -> list[tuple[Any, ...]]:
        return [(self._run, now, "[]", one, "", "[]", _REST, 0, 0) for one, _, _ in made]

    def _deliveries(
        self, made: Sequence[tuple[int, int, str]], numbers: dict[int, int], now: Any
    ) -> list[tuple[Any, ...]]:
        return [(numbers[one], way, "smtp", now, name, *_UNTRIED) for one, way, name in made]


class _Sqlite(_Driver):
    def __init__(self, connection: sqlite3.Connection, run_number: int) -> None:
        super().__init__(run_number)
        self._to = connection

    def cpu(self) -> float:
        return process_time()

    def keep(self, made: Sequence[tuple[int, int, str]]) -> None:
        now = _as_sqlite(NOW)
        self._to.execute("BEGIN IMMEDIATE")
        self._fill(_EDITION, self._editions(made, now))
        numbers = dict(self._to.execute(_MADE, (self._run, made[0][0], made[-1][0])))
        self._fill(_DELIVERY, self._deliveries(made, numbers, now))
        self._to.execute("COMMIT")

    def _fill(self, table: str, these: Sequence[tuple[Any, ...]]) -> None:
        marks = ", ".join("?" * len(these[0]))
        self._to.executemany(f"INSERT INTO {table} VALUES ({marks})", these)

    def deliver(self) -> int:
        now, until = _as_sqlite(NOW), _as_sqlite(NOW + LEASE_DURATION)
        some: list[Any] = []
        done = 0
        while True:
            self._to.execute("BEGIN IMMEDIATE")
            self._to.executemany(_MARK, [(ANSWER, now, one[0], TOKEN) for one in some])
            some = self._to.execute(_CLAIM.format(lock=""), (now, CLAIM)).fetchall()
            self._to.executemany(_LEASE, [(until, TOKEN, one[0]) for one in some])
            self._to.execute("COMMIT")
            if not some:
                return done
            done += len(some)


class _Postgres(_Driver):
    def __init__(self, connection: psycopg.Connection[Any], run_number: int) -> None:
        super().__init__(run_number)
        self._to = connection

    def cpu(self) -> float:
        return process_time() + cpu_of(self._to.info.backend_pid)

    def keep(self, made: Sequence[tuple[int, int, str]]) -> None:
        with self._to.transaction(), self._to.cursor() as cursor:
            self._fill(cursor, _EDITION, self._editions(made, NOW))
            cursor.execute(_here(_MADE), (self._run, made[0][0], made[-1][0]))
            self._fill(cursor, _DELIVERY, self._deliveries(made, dict(cursor.fetchall()), NOW))

    def _fill(self, cursor: psycopg.Cursor[Any], table: str, these: Sequence[tuple[Any, ...]]) -> None:
        with cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for one in these:
                copy.write_row(one)

    def deliver(self) -> int:
        until = NOW + LEASE_DURATION
        some: list[Any] = []
        done = 0
        while True:
            with self._to.transaction(), self._to.cursor() as cursor:
                if some:
                    cursor.executemany(_here(_MARK), [(ANSWER, NOW, one[0], TOKEN) for one in some])
                cursor.execute(_here(_CLAIM.format(lock="FOR UPDATE SKIP LOCKED")), (NOW, CLAIM))
                some = cursor.fetchall()
                these = (until, TOKEN, [one[0] for one in some])
                cursor.execute(_here(_LEASE.replace("id = ?", "id = ANY(?)")), these)
            if not some:
                return done
            done += len(some)


def _as_sqlite(at: datetime) -> str:
    """As the store keeps it there."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", timespec="microseconds")


def _here(statement: str) -> Any:
    """With the marks that psycopg knows."""
    return statement.replace("?", "%s")
