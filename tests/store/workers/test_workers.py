"""Which processes live: by their heartbeats, and by the database's clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from digest.store.database.engine import Store
from digest.store.workers import workers
from digest.store.workers.workers import DEAD_AFTER, Worker

LATER = timedelta(seconds=1)


def make_worker(now: datetime, token: int = 7) -> Worker:
    return Worker(
        token=token,
        holder="here:1.2.3",
        command="worker",
        release="1",
        queues=("compose", "pull:a blog"),
        channels=("smtp",),
        file_hash="f",
        clock_offset=-0.5,
        activity="composing",
        started_at=now,
        heartbeat_at=now,
    )


def test_a_worker_is_listed_as_it_said_of_itself(store: Store) -> None:
    with store.begin_write() as tx:
        worker = make_worker(workers.read_database_time(tx))
        workers.save_worker(tx, worker)

    with store.begin_read() as tx:
        assert workers.list_workers(tx) == (worker,)
        assert workers.are_sharing(tx)


def test_workers_without_queues_share_nothing(store: Store) -> None:
    with store.begin_write() as tx:
        assert not workers.are_sharing(tx)
        workers.save_worker(tx, replace(make_worker(workers.read_database_time(tx)), queues=()))
        assert not workers.are_sharing(tx)


def test_a_heartbeat_does_not_make_a_second_worker(store: Store) -> None:
    with store.begin_write() as tx:
        now = workers.read_database_time(tx)
        workers.save_worker(tx, make_worker(now))
        workers.save_worker(tx, make_worker(now + LATER))

        assert [worker.heartbeat_at for worker in workers.list_workers(tx)] == [now + LATER]


def test_a_worker_lives_until_its_last_heartbeat_is_a_minute_old() -> None:
    now = datetime(2026, 6, 12, tzinfo=UTC)
    worker = make_worker(now)

    assert not worker.is_silent(now)
    assert not worker.is_silent(now + DEAD_AFTER)
    assert worker.is_silent(now + DEAD_AFTER + LATER)


def test_a_heartbeat_from_the_far_future_keeps_nobody_alive() -> None:
    now = datetime(2026, 6, 12, tzinfo=UTC)

    assert make_worker(now + timedelta(days=1)).is_silent(now)


def test_a_worker_that_may_still_be_sending_lives_until_its_leases_end(store: Store) -> None:
    with store.begin_write() as tx:
        now = workers.read_database_time(tx)
        workers.save_worker(tx, make_worker(now))
        workers.retain_worker(tx, 7, now + timedelta(minutes=15))
        (worker,) = workers.list_workers(tx)

    assert not worker.is_silent(now + timedelta(minutes=14))
    assert worker.is_silent(now + timedelta(minutes=15, seconds=1))


def test_the_time_of_the_database_is_in_utc(store: Store) -> None:
    with store.begin_read() as tx:
        now = workers.read_database_time(tx)

    assert now.utcoffset() == timedelta(0)
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)
