"""Deliveries in the store: 100,000 kept in shards, then claimed and marked, on SQLite and on PostgreSQL.

The peer in the same run is the driver alone, ``sqlite3`` and ``psycopg``, doing by hand what has to be done: the same
rows, as many transactions, the same locks and indexes, and plain tuples for the result. Both leave the same rows, asserted.
On PostgreSQL the CPU seconds of the server's process count, too. A day of listings against the driver is in ``ingest``.

``DIGEST_BENCHMARK_DELIVERIES=1000000`` shows a million.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import psycopg
from sqlalchemy import func, insert, select

from benchmarks.measure import Result, Row
from digest.model import Sent
from digest.store import deliveries, editions, runs
from digest.store.deliveries import LEASE, Delivery
from digest.store.dialect import make_engine
from digest.store.digest_tables import deliveries as rows
from digest.store.digest_tables import destinations, digests
from digest.store.editions import ItemTexts, NewDelivery, NewEdition
from digest.store.engine import Store, upgrade
from digest.store.rest import Rest
from tests.servers import started_postgres
from tests.store.given import declare, digest

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
    found: list[Row] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="digest-benchmark-")))
        server = stack.enter_context(started_postgres(folder))
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
    return Result(title="deliveries kept, claimed and marked, against the driver alone", rows=tuple(found))


def _rows(name: str, number: int, taken: dict[str, float]) -> Iterator[Row]:
    for what in ("keep", "deliver"):
        work, limit, ours = f"{what} {number:,}, {name}", taken[f"{what} driver"], taken[f"{what} digest"]
        yield Row(
            work=work, candidate=f"driver, {limit / number * 1e6:.1f} µs each", seconds=limit, times=1.0
        )
        mine = f"digest, {ours / number * 1e6:.1f} µs each"
        yield Row(work=work, candidate=mine, seconds=ours, times=limit / ours, wanted=WANTED)


# --- what both begin with -------------------------------------------------------------------------


def _measured(url: str, who: str, number: int) -> dict[str, float]:
    """The CPU seconds of keeping and of delivering."""
    engine = make_engine(url)
    upgrade(engine)
    store = Store(engine)
    run_number, ways = _readers(store, number)
    with _plain(url) as plain:
        cpu = plain.cpu if who == "driver" else _cpu_of(store)
        begun = cpu()
        if who == "driver":
            plain.keep(run_number, ways)
        else:
            _keep(store, run_number, ways)
        kept = cpu()
        done = plain.deliver() if who == "driver" else _deliver(store)
        delivered = cpu()
    with store.reading() as tx:
        assert deliveries.count_by_state(tx) == {"sent": number}
        assert (
            tx.execute(select(func.count()).where(rows.c.sent_at == NOW, rows.c.attempts == 1)).scalar()
            == number
        )
    store.close()
    assert done == number
    return {"keep": kept - begun, "deliver": delivered - kept}


def _readers(store: Store, number: int) -> tuple[int, Sequence[tuple[int, int]]]:
    """So many digests with a destination each, and a run of theirs; numbers of the run, and of each digest and way."""
    declare(store, digest())
    with store.writing() as tx:
        runs.wake_slots(tx, NOW)
        runs.fire_slots(tx, NOW)
        (one,) = runs.open_runs(tx)
        runs.close(tx, one, 0, NOW)
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


def _shards(ways: Sequence[tuple[int, int]]) -> Iterator[Sequence[tuple[int, int]]]:
    return (ways[at : at + SHARD] for at in range(0, len(ways), SHARD))


def _message_id(way: int) -> str:
    return f"<{way:026}@digest.example.org>"


# --- digest ---------------------------------------------------------------------------------------


def _keep(store: Store, run_number: int, ways: Sequence[tuple[int, int]]) -> None:
    texts = ItemTexts()
    for shard in _shards(ways):
        made = (
            NewEdition(
                digest=one,
                items=(),
                rest=Rest(),
                dropped=0,
                excluded=0,
                skipped="",
                deliveries=(NewDelivery(way, "smtp", _message_id(way), NOW),),
            )
            for one, way in shard
        )
        with store.writing() as tx:
            editions.keep(tx, run_number, made, [], NOW, texts=texts)


def _deliver(store: Store) -> int:
    receipt = Sent(answer=ANSWER)
    some: tuple[Delivery, ...] = ()
    done = 0
    while True:
        with store.writing() as tx:
            deliveries.mark(tx, [(one, receipt) for one in some], NOW)
            some = deliveries.claim(tx, "smtp", TOKEN, NOW, CLAIM)
        if not some:
            return done
        assert all(one.address for one in some)
        done += len(some)


def _cpu_of(store: Store) -> Any:
    if store.engine.dialect.name == "sqlite":
        return _own_cpu
    with store.reading() as tx:
        pid = tx.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    return lambda: _own_cpu() + _cpu_of_process(pid)


def _own_cpu() -> float:
    ours = os.times()
    return ours.user + ours.system


def _cpu_of_process(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- the driver alone -----------------------------------------------------------------------------

_EDITION = (
    "INSERT INTO editions (run_id, digest_id, composed_at, skipped, items, rest, dropped, excluded, batches) "
    "VALUES (?, ?, ?, '', '[]', ?, 0, 0, '[]')"
)
_DELIVERY = (
    "INSERT INTO deliveries (edition_id, destination_id, channel, state, due_at, message_id, paced, lease_token, "
    "attempts, unknown, answer, blame) VALUES (?, ?, 'smtp', 'ready', ?, ?, ?, 0, 0, 0, '', '')"
)
_CLAIM = (
    "SELECT d.id, d.edition_id, d.destination_id, d.message_id, d.attempts, d.due_at, t.address, t.domain, g.name, "
    "r.period, r.held FROM (SELECT id FROM deliveries WHERE state = 'ready' AND channel = 'smtp' AND due_at <= ? "
    "ORDER BY due_at, id LIMIT ? {lock}) f JOIN deliveries d ON d.id = f.id JOIN editions e ON e.id = d.edition_id "
    "JOIN digests g ON g.id = e.digest_id JOIN runs r ON r.id = e.run_id "
    "JOIN destinations t ON t.id = d.destination_id ORDER BY d.due_at, d.id"
)
_LEASE = "UPDATE deliveries SET state = 'leased', lease_until = ?, lease_token = ?, attempts = attempts + 1 WHERE id = ?"
_MARK = (
    "UPDATE deliveries SET state = 'sent', due_at = ?, attempts = ?, unknown = 0, answer = ?, blame = '', "
    "expires_at = NULL, sent_at = ?, lease_until = NULL, paced = ? "
    "WHERE id = ? AND lease_token = ? AND state IN ('leased', 'ready')"
)


class Plain(Protocol):
    """A driver and nothing else."""

    def cpu(self) -> float:
        """The CPU seconds used so far."""

    def keep(self, run_number: int, ways: Sequence[tuple[int, int]]) -> None:
        """Keep editions and deliveries, a transaction a shard."""

    def deliver(self) -> int:
        """Claim and mark all, so many in a transaction; how many that were."""


@contextmanager
def _plain(url: str) -> Iterator[Plain]:
    if url.startswith("sqlite"):
        connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")
        yield _Sqlite(connection)
        connection.close()
    else:
        with psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True) as to:
            yield _Postgres(to)


class _Sqlite:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._to = connection

    def cpu(self) -> float:
        return _own_cpu()

    def keep(self, run_number: int, ways: Sequence[tuple[int, int]]) -> None:
        rest, now = str(Rest().written()), _as_sqlite(NOW)
        for shard in _shards(ways):
            self._to.execute("BEGIN IMMEDIATE")
            self._to.executemany(_EDITION, [(run_number, one, now, rest) for one, _ in shard])
            between = (run_number, shard[0][0], shard[-1][0])
            made = dict(
                self._to.execute(
                    "SELECT digest_id, id FROM editions WHERE run_id = ? AND digest_id BETWEEN ? AND ?",
                    between,
                )
            )
            self._to.executemany(
                _DELIVERY, [(made[one], way, now, _message_id(way), 0) for one, way in shard]
            )
            self._to.execute("COMMIT")

    def deliver(self) -> int:
        now, until = _as_sqlite(NOW), _as_sqlite(NOW + LEASE)
        some: list[Any] = []
        done = 0
        while True:
            self._to.execute("BEGIN IMMEDIATE")
            marked = [(one[5], one[4] + 1, ANSWER, now, 0, one[0], TOKEN) for one in some]
            self._to.executemany(_MARK, marked)
            some = self._to.execute(_CLAIM.format(lock=""), (now, CLAIM)).fetchall()
            self._to.executemany(_LEASE, [(until, TOKEN, one[0]) for one in some])
            self._to.execute("COMMIT")
            if not some:
                return done
            done += len(some)


class _Postgres:
    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._to = connection

    def cpu(self) -> float:
        return _own_cpu() + _cpu_of_process(self._to.info.backend_pid)

    def keep(self, run_number: int, ways: Sequence[tuple[int, int]]) -> None:
        rest = str(Rest().written())
        for shard in _shards(ways):
            with self._to.transaction(), self._to.cursor() as cursor:
                cursor.executemany(_here(_EDITION), [(run_number, one, NOW, rest) for one, _ in shard])
                between = (run_number, shard[0][0], shard[-1][0])
                cursor.execute(
                    "SELECT digest_id, id FROM editions WHERE run_id = %s AND digest_id BETWEEN %s AND %s",
                    between,
                )
                made = dict(cursor.fetchall())
                due = [(made[one], way, NOW, _message_id(way), False) for one, way in shard]
                cursor.executemany(_here(_DELIVERY), due)

    def deliver(self) -> int:
        until = NOW + LEASE
        some: list[Any] = []
        done = 0
        while True:
            with self._to.transaction(), self._to.cursor() as cursor:
                marked = [(one[5], one[4] + 1, ANSWER, NOW, False, one[0], TOKEN) for one in some]
                if marked:
                    cursor.executemany(_here(_MARK), marked)
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
