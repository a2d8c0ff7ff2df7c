"""How long others wait while ``digest db upgrade`` migrates a PostgreSQL with many digests.

The tables are those of the oldest release that works beside this one, with an edition and a delivery of each digest. While they
are migrated, workers and readers do what they always do, one statement every 20 ms over a connection each. Judged: none of these
statements takes longer than 2 s, for which a migration may lock a table or, while it waits for its lock, keep others behind it.

Two copies of the database are upgraded. While the second one is, others also read its tables in transactions of 1.5 s, as
exports do. A migration that needs such a table alone waits for their end, and all who come later wait behind it. It must not
have locked another table before, whose users would then wait for longer; and a transaction that has read the one and needs the
other is in a deadlock with it, which PostgreSQL ends after a second.

``DIGEST_BENCHMARK_DIGESTS=1000000`` measures a million digests.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import LiteralString

import psycopg

from benchmarks.many_workers import create_database, execute, start_server
from benchmarks.measure import Result, Row
from benchmarks.planning import FIRED_SLOTS, SLOTS, make_digests
from digest.store.database import clock
from digest.store.database.compatibility import COMPATIBLE_NOTE
from digest.store.database.dialect import make_engine
from digest.store.database.engine import (
    COMPATIBLE_SINCE,
    LATEST_MIGRATION,
    Store,
    migrate_to,
    read_version,
    upgrade,
)
from tests.support.postgres import Postgres, make_driver_address

DIGESTS = int(os.environ.get("DIGEST_BENCHMARK_DIGESTS", "20000"))
LIMIT = 2.0
"""Seconds for which a migration may keep others waiting."""
PAUSE = 0.02
"""Seconds between two statements of a connection."""
READERS = 3
READ_TIME = 1.5
"""Seconds of a transaction that reads: fewer than those after which a migration gives up a lock."""
SHARDS = 64
"""Shards of a run."""
_FILL = (
    (
        "INSERT INTO runs (id, slot_id, period, state, fire_at, made_at, from_seq, to_seq, closed_at, deliveries, held, released)"
        f" SELECT n, n, '2026-06-11T05:31', 'composed', now(), now(), 0, 1, now(), 0, '', false FROM generate_series(1, {SLOTS}) n"
    ),
    (
        "INSERT INTO shards (run_id, number, low_id, high_id, state, lease_token)"
        f" SELECT r, n, 0, 0, 'done', 7 FROM generate_series(1, {SLOTS}) r, generate_series(1, {SHARDS}) n"
    ),
    (
        "INSERT INTO editions (id, run_id, digest_id, composed_at, skipped, items, rest, dropped, excluded, batches)"
        " SELECT id, slot_id, id, now(), '', '[]', '[]', 0, 0, '[]' FROM digests ORDER BY id"
    ),
    # Each tenth waits, and each hundredth has failed.
    (
        "INSERT INTO deliveries (id, edition_id, destination_id, channel, state, due_at, main_query, paced, lease_token, attempts,"
        " unknown, message_id, answer, blame)"
        " SELECT d.digest_id, d.digest_id, d.id, 'smtp', CASE mod(d.id, 10) WHEN 0 THEN 'ready' ELSE 'sent' END, now(),"
        " mod(d.id, 1000), false, 7, 1, 0, '<' || md5(d.id::text) || '@example.org>', '250 2.0.0 Ok: queued as 4bKz7X2v5Gz9vB',"
        " CASE mod(d.id, 100) WHEN 0 THEN 'ours' ELSE '' END FROM destinations d ORDER BY d.digest_id"
    ),
    (
        "INSERT INTO workers (token, holder, command, release, queues, channels, file_hash, clock_offset, activity, started_at,"
        " heartbeat_at) VALUES (7, 'here:1', 'worker', '0', '', '', '', 0, '', now(), now())"
    ),
)
"""Statements that fill the tables of the oldest release, whose slots and digests are there."""
_STATEMENTS: Mapping[str, LiteralString] = {
    "claim a delivery": (
        "UPDATE deliveries SET state = 'leased', lease_until = now() + interval '10 minutes', lease_token = 7"
        " WHERE id IN (SELECT id FROM deliveries WHERE state = 'ready' AND channel = 'smtp' AND due_at <= now()"
        " ORDER BY due_at, main_query, id LIMIT 1 FOR UPDATE SKIP LOCKED)"
    ),
    "record a delivery": "UPDATE deliveries SET state = 'sent', sent_at = now() WHERE id = %(digest)s",
    "read a digest": "SELECT title, text FROM digests JOIN follows ON digest_id = digests.id WHERE digests.id = %(digest)s",
    "pause a digest": "UPDATE digests SET state = 'paused' WHERE id = %(digest)s",
    "read editions": (
        "SELECT period, items FROM editions JOIN runs ON runs.id = run_id WHERE digest_id = %(digest)s ORDER BY editions.id DESC"
    ),
    "sign in": (
        'INSERT INTO sessions (token_hash, subscriber_id, browser, "system", created_at, seen_at, expires_at)'
        " VALUES (gen_random_uuid()::text, %(digest)s, 'Firefox', 'Linux', now(), now(), now() + interval '30 days')"
    ),
    "save a heartbeat": "UPDATE workers SET heartbeat_at = now() WHERE token = 7",
    "lease a shard": "UPDATE shards SET lease_until = now() WHERE run_id = %(slot)s AND number = 1",
    "fire a slot": "UPDATE slots SET cursor_seq = cursor_seq + 1 WHERE id = %(slot)s",
}
"""What workers and readers do all the time, both in the oldest release and in this one, by name."""
_READ: LiteralString = (
    "SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM shards), (SELECT count(*) FROM workers),"
    " (SELECT max(id) FROM editions), (SELECT max(id) FROM deliveries), (SELECT max(id) FROM digests)"
)


def run(*, small: bool) -> Result:
    """Fill a database, and upgrade two copies of it."""
    number = 2_000 if small else DIGESTS
    rows: list[Row] = []
    with start_server() as (server, _), _make_old_database(server, number) as template:
        for case, readers in (("short transactions", 0), (f"also reads of {READ_TIME:g} s", READERS)):
            url = server.create(template)
            rows += _make_rows(case, _upgrade_beside_others(url, number, readers))
            server.drop(url)
    title = f"an upgrade from {COMPATIBLE_SINCE} to {LATEST_MIGRATION} with {number:,} digests; against {LIMIT:g} s"
    return Result(title=title, rows=tuple(rows))


@contextmanager
def _make_old_database(server: Postgres, number: int) -> Iterator[str]:
    """Fill a database of the oldest release that works beside this one; yields its URL."""
    with create_database(server) as url:
        engine = make_engine(url)
        migrate_to(engine, COMPATIBLE_SINCE)
        store = Store(engine)
        make_digests(store, number, fired_slots=FIRED_SLOTS)
        with store.begin_write() as tx:
            clock.set_note(
                tx, COMPATIBLE_NOTE, COMPATIBLE_SINCE
            )  # or the upgrade waits for the end of the worker
            for statement in _FILL:
                tx.exec_driver_sql(statement)
        store.close()
        execute(url, "VACUUM ANALYZE")
        yield url


@dataclass(frozen=True, slots=True, kw_only=True)
class _Upgrade:
    """An upgrade, and what others did meanwhile.

    Attributes:
        seconds: how long it took.
        deadlocks: the number of transactions that PostgreSQL ended because of a deadlock.
        statements: the seconds of each statement of others, by name.
    """

    seconds: float
    deadlocks: int
    statements: Mapping[str, list[float]]


def _upgrade_beside_others(url: str, number: int, readers: int) -> _Upgrade:
    """Upgrade a database on which others work.

    Args:
        url: the URL of the database.
        number: the number of its digests.
        readers: the number of those whose transactions are long.
    """
    is_over = threading.Event()
    others = len(_STATEMENTS) + readers
    barrier = threading.Barrier(others + 1)
    engine = make_engine(url)
    with ThreadPoolExecutor(others) as pool:
        futures = {
            name: pool.submit(_repeat, url, statement, number, barrier, is_over)
            for name, statement in _STATEMENTS.items()
        }
        reads = [pool.submit(_read, url, barrier, is_over) for _ in range(readers)]
        try:
            barrier.wait(60)
            began = perf_counter()
            upgrade(engine)
            seconds = perf_counter() - began
        finally:
            is_over.set()
        deadlocks = sum(future.result() for future in reads)
        statements = {name: future.result() for name, future in futures.items()}
    assert read_version(engine) == LATEST_MIGRATION
    engine.dispose()
    return _Upgrade(seconds=seconds, deadlocks=deadlocks, statements=statements)


def _repeat(
    url: str, statement: LiteralString, number: int, barrier: threading.Barrier, is_over: threading.Event
) -> list[float]:
    """Run a statement again and again, for random digests and slots; return the seconds of each time."""
    random = Random(statement)
    seconds: list[float] = []
    with psycopg.connect(make_driver_address(url), autocommit=True) as connection:
        barrier.wait(60)
        while not is_over.wait(PAUSE):
            values = {"digest": random.randint(1, number), "slot": random.randint(1, SLOTS)}
            began = perf_counter()
            connection.execute(statement, values)
            seconds.append(perf_counter() - began)
    return seconds


def _read(url: str, barrier: threading.Barrier, is_over: threading.Event) -> int:
    """Read the tables, and keep the transaction open for a while, again and again; return the number of deadlocks."""
    deadlocks = 0
    with psycopg.connect(make_driver_address(url)) as connection:
        barrier.wait(60)
        while not is_over.is_set():
            try:
                connection.execute(_READ)
                is_over.wait(READ_TIME)
            except psycopg.errors.DeadlockDetected:
                deadlocks += 1
            connection.rollback()
    return deadlocks


def _make_rows(case: str, upgraded: _Upgrade) -> Iterator[Row]:
    """Make a row for the upgrade, and one for each statement of others."""
    yield Row(
        work=case,
        candidate=f"the upgrade, {upgraded.deadlocks} deadlocks of others",
        seconds=upgraded.seconds,
        times=1.0,
        clock="elapsed",
    )
    for name, seconds in upgraded.statements.items():
        longest = max(seconds)
        yield Row(
            work=case,
            candidate=f"{name}, the longest of {len(seconds):,}",
            seconds=longest,
            times=LIMIT / longest,
            wanted=1.0,
            clock="elapsed",
        )
