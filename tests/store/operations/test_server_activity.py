"""What PostgreSQL says of waits for locks and of replicas, to whom it may say it."""

from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy import text

from digest.store.database.engine import Store
from digest.store.operations.server_activity import (
    LockWaits,
    Replication,
    read_lock_waits,
    read_replication,
)
from tests.support.timeouts import PATIENCE

LOCK = text("SELECT pg_advisory_xact_lock(20261129)")


def load_lock_waits(store: Store) -> LockWaits | None:
    with store.begin_read() as tx:
        return read_lock_waits(tx)


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_sqlite_has_neither_waits_nor_replicas(store: Store) -> None:
    assert load_lock_waits(store) is None
    with store.begin_read() as tx:
        assert read_replication(tx) is None


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_a_session_that_waits_for_a_lock_is_counted_until_it_has_it(store: Store) -> None:
    def wait_for_lock() -> None:
        with store.engine.connect() as connection:
            connection.execute(LOCK)

    assert load_lock_waits(store) == LockWaits(count=0, longest_seconds=0)
    waiter = threading.Thread(target=wait_for_lock)
    with store.engine.connect() as connection:
        connection.execute(LOCK)
        waiter.start()
        deadline = time.monotonic() + PATIENCE
        while not (waits := load_lock_waits(store)) or not waits.count or waits.longest_seconds < 0.2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert waits.count == 1
    waiter.join()

    assert load_lock_waits(store) == LockWaits(count=0, longest_seconds=0)


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_replicas_are_told_only_to_a_role_that_may_know_them(store: Store) -> None:
    with store.engine.connect() as connection:
        assert read_replication(connection) == Replication(replicas=0, lag_seconds=0)
        connection.execute(text("CREATE ROLE digest_plain"))
        connection.execute(text("SET LOCAL ROLE digest_plain"))
        assert read_replication(connection) is None
        connection.execute(text("RESET ROLE"))
        connection.execute(text("GRANT pg_monitor TO digest_plain"))
        connection.execute(text("SET LOCAL ROLE digest_plain"))
        assert read_replication(connection) == Replication(replicas=0, lag_seconds=0)
        connection.rollback()
