"""How long a tick, and whoever changes one digest, keeps others from working on a PostgreSQL with many digests.

Asserted: a cycle that finds nothing to do locks no slot, and nothing that happens at each tick takes the lock of
``Store.begin_planning``, for which everybody would wait. Judged: every transaction of a step of a tick, or of a reader's
change, holds the row of a slot for at most 20 ms, also while another process holds that lock.

The longest one says something on a quiet machine only. No commit waits for the disk here: with a durable server the longest
took 16 ms with a million digests, and 745 ms with 20,000 while others wrote to the same disk. Python collects garbage as rarely
as in the commands of digest; by default it would do so completely in one of some fifty transactions, in 0.1 s.

``DIGEST_BENCHMARK_DIGESTS=20000`` measures fewer digests than a million.
"""

from __future__ import annotations

import gc
import os
import statistics
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

from sqlalchemy import event

from benchmarks.measure import Result, Row
from digest.core.subscribers.own_digest import OwnFollow
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots, open_alert_run
from digest.jobs.matching.match import match
from digest.jobs.slot_updates import finish_runs, update_slots
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.ports import Source
from digest.sources.arxiv import Source as ArxivSource
from digest.store.database.dialect import make_engine
from digest.store.database.engine import Store, Transaction, open_store, upgrade
from tests.support.postgres import start_postgres

DIGESTS = int(os.environ.get("DIGEST_BENCHMARK_DIGESTS", "1000000"))
SLOTS = 40
READERS = 100
"""Readers who change their digests, one after the other."""
FIRED_SLOTS = 20_000
"""Slots of single editions that have fired: one for each minute in which readers signed up."""
LIMIT = 0.020
"""Seconds for which a lock may be held that others wait for."""
NOW = datetime(2026, 6, 12, 5, 20, tzinfo=UTC)
FIRES_AT = datetime(2026, 6, 12, 5, 31, tzinfo=UTC)
SOURCES: dict[str, Source] = {"arxiv": ArxivSource(categories=("cs.LG",))}


def run(*, small: bool) -> Result:
    """Make the digests, and let a day begin."""
    number = 20_000 if small else DIGESTS
    with start_postgres() as server:
        url = server.create()
        engine = make_engine(url)
        upgrade(engine)
        engine.dispose()
        store = open_store(url, NOW)
        try:
            make_digests(store, number, fired_slots=FIRED_SLOTS)
            with _collect_rarely():
                rows = list(_measure_day(store, url))
        finally:
            store.close()
    return Result(
        title=f"{number:,} digests in {SLOTS} slots, beside {FIRED_SLOTS:,} that have fired for the last time; against 20 ms",
        rows=tuple(rows),
    )


# --- measuring ------------------------------------------------------------------------------------


class _Locks:
    """How long transactions held the planning lock, and rows of slots, until they ended.

    Attributes:
        planning: seconds of each transaction with the planning lock.
        slots: seconds of each transaction from its first lock of a slot on.
        writes: the number of transactions that wrote or locked anything.
    """

    def __init__(self) -> None:
        self.planning: list[float] = []
        self.slots: list[float] = []
        self.writes = 0
        self._since: dict[str, float] = {}
        self._writes = False

    def note_statement(self, _connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        """Note when a lock was granted; called after the statement."""
        if f"advisory_xact_lock({0x646967657374})" in statement:
            self._since.setdefault("planning", perf_counter())
        elif "slots" in statement and (" FOR " in statement or statement.startswith("UPDATE slots")):
            self._since.setdefault("slots", perf_counter())
        self._writes |= not statement.startswith(("SELECT", "SET")) or " FOR " in statement

    def note_end(self, _connection: Any) -> None:
        """Note that a transaction has ended."""
        for name, since in self._since.items():
            getattr(self, name).append(perf_counter() - since)
        self.writes += self._writes
        self._since, self._writes = {}, False


@contextmanager
def _watch(store: Store) -> Iterator[_Locks]:
    locks = _Locks()
    listeners = (
        ("after_cursor_execute", locks.note_statement),
        ("commit", locks.note_end),
        ("rollback", locks.note_end),
    )
    for name, listener in listeners:
        event.listen(store.engine, name, listener)
    try:
        yield locks
    finally:
        for name, listener in listeners:
            event.remove(store.engine, name, listener)


@contextmanager
def _collect_rarely() -> Iterator[None]:
    """Collect garbage as rarely as the commands do."""
    thresholds = gc.get_threshold()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def _measure_day(store: Store, url: str) -> Iterator[Row]:
    message_ids = MessageIds(key=b"key", domain="example.org")
    fire_slots(store, SOURCES, NOW)  # makes the days of the ledger, and wakes the slots
    match(store)
    _add_follows(store, [READERS + 1])  # imports what it needs

    def tick(now: datetime) -> None:
        fire_slots(store, SOURCES, now)
        match(store)
        open_alert_run(store, now)
        close_runs(store, SOURCES, now, wait=True)
        finish_runs(store, now)
        update_slots(store, now)

    idle = NOW + timedelta(seconds=30)
    steps: dict[str, Callable[[], object]] = {
        "tick, nothing to do": lambda: tick(idle),
        "slots fire": lambda: fire_slots(store, SOURCES, FIRES_AT),
        "runs close": lambda: close_runs(store, SOURCES, FIRES_AT, wait=False),
        "runs end": lambda: _finish_shards(store, message_ids),
        "digests move": lambda: _move_digests(store),
        f"{READERS} readers add a follow": lambda: _add_follows(store, range(1, READERS + 1)),
        "the same, lock held": lambda: _add_follows_beside(store, url, range(1, READERS + 1)),
    }
    for step, work in steps.items():
        with _watch(store) as locks:
            began = perf_counter()
            work()
            seconds = perf_counter() - began
        if step.startswith("tick"):
            assert not locks.slots, "a cycle that finds nothing to do locks no slot"
        assert not locks.planning, "nothing of a tick takes the planning lock"
        lasting = f"{len(locks.slots)} of {locks.writes} lock slots"
        yield Row(work=step, candidate="in all", seconds=seconds, times=LIMIT / seconds, clock="elapsed")
        if locks.slots:
            for name, seconds in (("median", statistics.median(locks.slots)), ("longest", max(locks.slots))):
                yield Row(
                    work=step,
                    candidate=f"{name} lock of a slot, {lasting}",
                    seconds=seconds,
                    times=LIMIT / seconds,
                    wanted=1.0,
                    clock="elapsed",
                )


def _finish_shards(store: Store, message_ids: MessageIds) -> None:
    """End the runs as if their editions had been composed, which other benchmarks measure."""
    with store.begin_write() as tx:
        tx.exec_driver_sql("UPDATE shards SET state = 'done'")
    compose_editions(store, message_ids, 1, FIRES_AT)


def _move_digests(store: Store) -> None:
    """Move some digests of a slot to another one, as when the schedule of a public digest changes."""
    with store.begin_write() as tx:
        tx.exec_driver_sql("UPDATE digests SET next_slot_id = 2 WHERE slot_id = 1 AND id <= 20000")
    update_slots(store, FIRES_AT)


def _add_follows(store: Store, readers: Sequence[int], text: str = "a") -> None:
    """Let readers, whose digests have their numbers, add a follow each."""
    for reader in readers:
        editor = OwnDigestEditor(store=store, subscriber=reader, now=FIRES_AT)
        editor.add_follow(reader, OwnFollow(text=text, query=text))


def _add_follows_beside(store: Store, url: str, readers: Sequence[int]) -> None:
    """Let readers add a follow each, while another process holds the planning lock."""
    other = open_store(url, NOW)
    has_lock, is_over = threading.Event(), threading.Event()

    def hold_lock() -> None:
        with other.begin_planning():
            has_lock.set()
            is_over.wait(60)

    thread = threading.Thread(target=hold_lock)
    thread.start()
    try:
        assert has_lock.wait(60)
        _add_follows(store, readers, "b")
    finally:
        is_over.set()
        thread.join()
        other.close()


# --- rows -----------------------------------------------------------------------------------------


def make_digests(store: Store, number: int, *, fired_slots: int) -> None:
    """Make subscribers with a digest each: half of them in one slot, the others in slots of the minutes after it.

    Args:
        store: an empty store.
        number: the number of digests.
        fired_slots: the number of slots that have fired for the last time.
    """
    with store.begin_write() as tx:
        _insert_slots(tx, fired_slots)
        tx.exec_driver_sql(
            "INSERT INTO subscribers (address) SELECT n || '@example.org' FROM generate_series(1, %s) n",
            (number,),
        )
        tx.exec_driver_sql(
            'INSERT INTO digests (subscriber_id, made_by, name, state, title, timezone, kinds, "limit", minimum,'
            " when_empty, feed, slot_id, resume_from, alerts_a_day, repeat_alerts, language, abstracts,"
            " feed_entries, feed_version)"
            " SELECT n, 'web', 'mine', 'active', 'Mine', 'UTC', '[\"new\"]', 20, 0, 'skip', false,"
            " CASE WHEN n %% 2 = 0 THEN 1 ELSE 1 + n %% %s END, '',"
            " 5, false, 'en', 'key', 'papers', 0 FROM generate_series(1, %s) n ORDER BY n",
            (SLOTS, number),
        )
        tx.exec_driver_sql(
            "INSERT INTO destinations (digest_id, channel, address, domain, mailbox, state)"
            " SELECT id, 'smtp', id || '@example.org', 'example.org', id || '@example.org', 'active' FROM digests"
        )
        tx.exec_driver_sql(
            "INSERT INTO queries (text, compiled, needed_from, matched_from, revision)"
            " SELECT 'w' || n, '[\"p\",\"\",0,[\"w' || n || '\"]]', 0, 0, 0 FROM generate_series(1, 1000) n"
        )
        tx.exec_driver_sql(
            "INSERT INTO follows (digest_id, query_id, text, weight, exclude, alert, only_query_id, started_seq, learned)"
            " SELECT id, 1 + id %% 1000, 'w', 1, false, false, 0, 0, 1 FROM digests"
        )
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")


def _insert_slots(tx: Transaction, fired_slots: int) -> None:
    tx.exec_driver_sql(
        "INSERT INTO slots (frequency, zone, at, days, every, latest, catch_up, waits_for, cursor_seq, last_period)"
        " SELECT 'daily', 'UTC', '05:' || lpad(CAST((n + 29) %% 60 AS text), 2, '0'), '0,1,2,3,4,5,6', 0, '', 'once',"
        " '', 0, '' FROM generate_series(1, %s) n ORDER BY n",
        (SLOTS,),
    )
    tx.exec_driver_sql(
        "INSERT INTO slots (frequency, zone, at, days, every, latest, catch_up, waits_for, cursor_seq, last_period)"
        " SELECT 'once', 'UTC', to_char(timestamp '2026-06-01' + n * interval '1 minute', 'YYYY-MM-DD\"T\"HH24:MI:SS'),"
        " '', 1, '', 'once', '', 0, 'x' FROM generate_series(1, %s) n",
        (fired_slots,),
    )
