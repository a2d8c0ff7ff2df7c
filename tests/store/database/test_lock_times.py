"""How long transactions wait for locks and hold them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from digest.store.database import dialect
from digest.store.database.engine import Store, Transaction
from digest.store.database.lock_times import LockKind, LockTime, get_lock_times, measure_wait
from digest.store.delivery import connections, rates
from digest.store.operations.server_activity import read_lock_waits
from digest.store.subscribers.digest_locks import lock_digests, lock_slots
from tests.store.factories import NOW, declare, make_digest
from tests.support.timeouts import PATIENCE


def get_time(kind: LockKind) -> LockTime:
    return get_lock_times().get(kind, LockTime())


def is_queued() -> bool:
    """Whether a thread waits for another one that writes."""
    return any(len(queue) > 1 for queue in dialect._WRITER_QUEUES.values())


def wait_until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline, "it has not become true"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("begin", "kind"),
    [
        (Store.begin_planning, LockKind.PLANNING),
        (Store.begin_ingest, LockKind.INGEST),
        (Store.begin_erasure, LockKind.ERASURE),
    ],
)
def test_a_transaction_counts_how_long_it_waits_for_its_lock_and_holds_it(
    store: Store, begin: Callable[[Store], AbstractContextManager[Transaction]], kind: LockKind
) -> None:
    def work() -> None:
        with begin(store):
            pass

    before = get_time(kind)
    with begin(store):
        second = threading.Thread(target=work)
        second.start()
        wait_until(is_queued)
        blocked_at = time.monotonic()
        time.sleep(0.02)
        blocked = time.monotonic() - blocked_at
    second.join(PATIENCE)

    after = get_time(kind)
    assert after.waited - before.waited >= blocked
    assert after.held - before.held >= blocked


def test_writers_of_sqlite_wait_for_each_other(store: Store) -> None:
    before = get_time(LockKind.WRITE)
    with store.begin_write():
        time.sleep(0.01)

    is_sqlite = store.engine.dialect.name == "sqlite"
    assert (get_time(LockKind.WRITE).held > before.held) == is_sqlite


def test_locks_of_rows_are_counted_by_what_they_are_of(store: Store) -> None:
    declare(store, make_digest())
    locks: dict[LockKind, Callable[[Transaction], object]] = {
        LockKind.SLOTS: lambda tx: lock_slots(tx, [1]),
        LockKind.DIGESTS: lambda tx: lock_digests(tx, [1]),
        LockKind.MAILBOXES: lambda tx: dialect.lock_mailboxes(tx, ["anna@example.org"]),
        LockKind.BOUNCES: lambda tx: dialect.take_lock(tx, dialect.BOUNCE_LOCK),
        LockKind.RATES: lambda tx: rates.lock_buckets(tx, ["deliver"], NOW),
        LockKind.CONNECTIONS: lambda tx: connections.reserve(
            tx, 7, NOW, server="mail:25", max_connections=1, requested=1, in_use=0
        ),
    }
    on_postgresql = {LockKind.DIGESTS, LockKind.MAILBOXES, LockKind.BOUNCES}
    for kind, lock in locks.items():
        before = get_time(kind)
        with store.begin_write() as tx:
            lock(tx)
        is_counted = get_time(kind).waited > before.waited
        assert is_counted == (kind not in on_postgresql or dialect.has_row_locks(tx)), kind
        assert get_time(kind).held == before.held


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_waiting_for_a_row_that_another_connection_has_locked_is_counted(store: Store) -> None:
    declare(store, make_digest())

    def work() -> None:
        with store.begin_write() as tx:
            lock_digests(tx, [1])

    before = get_time(LockKind.SLOTS)

    def is_waiting() -> bool:
        with store.begin_read() as tx:
            waits = read_lock_waits(tx)
        return waits is not None and waits.count > 0

    second = threading.Thread(target=work)
    with store.begin_write() as tx:
        lock_slots(tx, [1], is_exclusive=True)
        second.start()
        wait_until(is_waiting)
        blocked_at = time.monotonic()
        time.sleep(0.02)
        blocked = time.monotonic() - blocked_at
    second.join(PATIENCE)

    assert get_time(LockKind.SLOTS).waited - before.waited >= blocked


def test_time_is_counted_also_if_the_lock_is_not_available() -> None:
    before = get_time(LockKind.PLANNING)
    with pytest.raises(RuntimeError), measure_wait(LockKind.PLANNING):
        time.sleep(0.001)
        raise RuntimeError

    assert get_time(LockKind.PLANNING).waited > before.waited
