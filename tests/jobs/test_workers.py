"""What becomes of the work of processes that fall silent."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from digest.errors import StoreError
from digest.jobs import workers as jobs
from digest.jobs.workers import (
    ReleasedWork,
    WorkerHeartbeat,
    WorkerProfile,
    claim_task,
    get_holder,
    register_worker,
)
from digest.store.database import leases
from digest.store.database.engine import Store, Transaction
from digest.store.database.lock_times import LockKind, LockTime, get_lock_times
from digest.store.delivery import connections, outbox
from digest.store.editions import runs
from digest.store.fetching import rate_limits
from digest.store.workers import workers
from digest.store.workers.workers import DEAD_AFTER, Worker
from tests.store.factories import NOW, add_to_now, make_due_edition

ELSEWHERE = "elsewhere:1.2.3"
ON_POSTGRES = pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
PROFILE = WorkerProfile(command="worker", queues=("compose",), channels=("smtp",), file_hash="f")


def age_heartbeats(store: Store, age: timedelta, holder: str = ELSEWHERE) -> None:
    """Make the heartbeats of all workers older; they are on another machine, whose processes nobody sees."""
    with store.begin_write() as tx:
        now = workers.read_database_time(tx)
        for worker in workers.list_workers(tx):
            workers.save_worker(tx, rebuild(worker, holder, now - age))


def rebuild(worker: Worker, holder: str, heartbeat_at: datetime) -> Worker:
    return Worker(
        token=worker.token,
        holder=holder,
        command=worker.command,
        release=worker.release,
        started_at=worker.started_at,
        heartbeat_at=heartbeat_at,
    )


@pytest.fixture
def silent_worker(store: Store) -> int:
    """A worker with leases of every kind, from which nothing is heard any more."""
    token = 7
    make_due_edition(store, 3)
    heartbeat = WorkerHeartbeat(store, token, PROFILE)
    heartbeat.beat()
    with store.begin_write() as tx:
        assert runs.claim_shard(tx, token, NOW) is not None
        assert len(outbox.claim_deliveries(tx, "smtp", token, NOW, 10)) == 3
        assert rate_limits.reserve_request(tx, "host", timedelta(seconds=3), token, NOW) is None
        reserve(tx, token)
        assert leases.claim(tx, "task:match", ELSEWHERE, NOW) is None
    return token


def reserve(tx: Transaction, token: int) -> int:
    """Reserve the only connection of a server; return how many of them there are for this worker."""
    reserved, _ = connections.reserve(
        tx, token, NOW, server="mail:25", max_connections=1, requested=1, in_use=0
    )
    return reserved


def list_free(store: Store) -> dict[str, bool]:
    """What another worker gets a moment later."""
    now = add_to_now(seconds=80)
    with store.begin_write() as tx:
        return {
            "shard": runs.claim_shard(tx, 8, now) is not None,
            "deliveries": len(outbox.claim_deliveries(tx, "smtp", 8, now, 10)) == 3,
            "bucket": rate_limits.reserve_request(tx, "host", timedelta(seconds=3), 8, now) is None,
            "connection": reserve(tx, 8) == 1,
            "task": leases.claim(tx, "task:match", "third:1.1.1", now) is None,
        }


def test_all_that_a_silent_worker_had_is_free_with_the_next_heartbeat_of_another(
    store: Store, silent_worker: int
) -> None:
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))

    WorkerHeartbeat(store, silent_worker + 1, PROFILE).beat()

    assert set(list_free(store).values()) == {True}


def test_nothing_that_a_worker_has_is_free_while_it_is_heard_of(store: Store, silent_worker: int) -> None:
    age_heartbeats(store, DEAD_AFTER - timedelta(seconds=10))

    WorkerHeartbeat(store, silent_worker + 1, PROFILE).beat()

    assert set(list_free(store).values()) == {False}


def test_who_was_only_slow_has_lost_its_leases_and_goes_on(store: Store, silent_worker: int) -> None:
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
    jobs.release_dead_workers(store)
    with store.begin_write() as tx:
        (shard,) = [runs.claim_shard(tx, 8, NOW)]
        assert shard is not None

    WorkerHeartbeat(store, silent_worker, PROFILE).beat()

    with store.begin_write() as tx:
        assert [worker.token for worker in workers.list_workers(tx)] == [silent_worker]
        stale = runs.Shard(run=shard.run, number=shard.number, first_id=1, last_id=1, token=silent_worker)
        assert not runs.finish_shard(tx, stale, NOW)
        assert runs.finish_shard(tx, shard, NOW)


def list_tokens(store: Store) -> list[int]:
    with store.begin_read() as tx:
        return sorted(worker.token for worker in workers.list_workers(tx))


@ON_POSTGRES
def test_what_a_dead_worker_leases_at_the_last_moment_is_free_with_a_later_heartbeat(store: Store) -> None:
    make_due_edition(store, 3)
    dead, other = WorkerHeartbeat(store, 7, PROFILE), WorkerHeartbeat(store, 8, PROFILE)
    dead.beat()
    with store.begin_write() as tx:  # its commit comes late
        dead.keep_listed(tx)
        assert runs.claim_shard(tx, 7, NOW) is not None
        assert len(outbox.claim_deliveries(tx, "smtp", 7, NOW, 10)) == 3
        age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
        other.beat()
        assert list_tokens(store) == [7, 8]

    other.beat()

    assert list_tokens(store) == [8]
    with store.begin_write() as tx:
        assert runs.claim_shard(tx, 8, NOW) is not None
        assert len(outbox.claim_deliveries(tx, "smtp", 8, NOW, 10)) == 3


def test_who_was_taken_for_dead_and_leases_something_is_listed_again(
    store: Store, silent_worker: int
) -> None:
    silent = WorkerHeartbeat(store, silent_worker, PROFILE)
    has_earlier_leases = silent.watch_leases()
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
    WorkerHeartbeat(store, silent_worker + 1, PROFILE).beat()
    assert list_tokens(store) == [silent_worker + 1]

    with store.begin_write() as tx:
        silent.keep_listed(tx)

    assert list_tokens(store) == [silent_worker, silent_worker + 1]
    assert not has_earlier_leases()
    assert silent.watch_leases()()


def test_a_process_that_slept_does_not_take_itself_for_dead(store: Store) -> None:
    with register_worker(store, 7, PROFILE):
        age_heartbeats(store, timedelta(hours=8), get_holder())

        assert jobs.release_dead_workers(store) == ReleasedWork()
        assert list_tokens(store) == [7]


def test_a_worker_that_a_process_could_not_remove_at_its_end_is_removed_by_a_later_one_of_the_same_process(
    store: Store, silent_worker: int
) -> None:
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1), get_holder())
    with register_worker(store, silent_worker + 1, PROFILE):
        assert list_tokens(store) == [silent_worker + 1]


@ON_POSTGRES
def test_a_rehearsal_releases_nothing_and_waits_for_locks_and_sources_as_long_as_they_take(
    store: Store, silent_worker: int
) -> None:
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
    with store.begin_dry_run() as trial:
        WorkerHeartbeat(trial, 8, PROFILE).beat()
        with trial.begin_read() as tx:
            assert tx.exec_driver_sql("SHOW lock_timeout").scalar() == "0"
            assert tx.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar() == "0"

    assert list_tokens(store) == [silent_worker]


def test_a_task_that_a_process_leases_after_it_was_removed_is_free_with_the_next_heartbeat_of_another(
    store: Store, silent_worker: int
) -> None:
    other = WorkerHeartbeat(store, silent_worker + 1, PROFILE)
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
    other.beat()
    with store.begin_write() as tx:
        assert leases.claim(tx, "task:tick", ELSEWHERE, NOW) is None

    other.beat()

    with store.begin_write() as tx:
        assert leases.claim(tx, "task:tick", "third:1.1.1", NOW) is None


@ON_POSTGRES
def test_the_tasks_of_a_process_are_free_even_if_two_others_release_its_two_workers_at_once(
    store: Store, silent_worker: int
) -> None:
    WorkerHeartbeat(
        store, silent_worker + 1, PROFILE
    ).beat()  # of the same process, as after a restart by signal
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
    with store.begin_write() as tx:  # the first of both is at one of them
        now = workers.read_database_time(tx)
        (first, second) = jobs.list_dead_workers(tx, now)
        assert workers.remove_silent_worker(tx, first.token, first.heartbeat_at)
        jobs.release_dead_workers(store)
        jobs._release_leases(tx, first, now)

    assert second.token not in list_tokens(store)
    with store.begin_write() as tx:
        assert leases.claim(tx, "task:match", "third:1.1.1", NOW) is None


@ON_POSTGRES
@pytest.mark.parametrize("knows_that_it_leases", [True, False])
def test_a_worker_that_hangs_in_a_transaction_keeps_nobody_from_releasing_what_others_had(
    store: Store, *, knows_that_it_leases: bool
) -> None:
    make_due_edition(store, 5)
    hung, dead = WorkerHeartbeat(store, 6, PROFILE), WorkerHeartbeat(store, 7, PROFILE)
    for heartbeat, token, count in ((hung, 6, 3), (dead, 7, 2)):
        heartbeat.beat()
        with store.begin_write() as tx:
            assert len(outbox.claim_deliveries(tx, "smtp", token, NOW, count)) == count
    with store.begin_write() as tx:
        if knows_that_it_leases:
            hung.keep_listed(tx)
        outbox.release_worker(tx, 6)
        age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))

        WorkerHeartbeat(store, 8, PROFILE).beat()

        assert list_tokens(store) == [6, 8]
        with store.begin_write() as other:
            assert len(outbox.claim_deliveries(other, "smtp", 8, NOW, 10)) == 2


def test_what_was_freed_is_told_in_the_same_transaction(store: Store, silent_worker: int) -> None:
    told: list[bool] = []

    def note(tx: Transaction) -> None:
        told.append(runs.claim_shard(tx, 8, NOW) is not None)

    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
    WorkerHeartbeat(store, silent_worker + 1, PROFILE, on_release=note).beat()
    WorkerHeartbeat(store, silent_worker + 1, PROFILE, on_release=note).beat()

    assert told == [True]


def test_workers_that_take_each_other_for_dead_do_not_block_each_other(store: Store) -> None:
    heartbeats = [WorkerHeartbeat(store, token, PROFILE) for token in range(1, 7)]
    for heartbeat in heartbeats:
        heartbeat.beat()
    failures: list[BaseException] = []

    def beat(heartbeat: WorkerHeartbeat) -> None:
        try:
            heartbeat.beat()
        except BaseException as error:
            failures.append(error)
            raise

    for _ in range(5):
        age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
        threads = [threading.Thread(target=beat, args=(heartbeat,)) for heartbeat in heartbeats]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert failures == []
    for heartbeat in heartbeats:
        heartbeat.beat()
    with store.begin_read() as tx:
        assert [worker.token for worker in workers.list_workers(tx)] == [*range(1, 7)]


def test_a_worker_trusts_its_leases_only_while_nobody_can_have_taken_them_over(store: Store) -> None:
    heartbeat = WorkerHeartbeat(store, 7, PROFILE)
    heartbeat.beat()
    assert heartbeat.is_trusted

    heartbeat._beat_at -= DEAD_AFTER.total_seconds() - 20
    assert heartbeat.is_trusted

    heartbeat._beat_at -= 15
    assert not heartbeat.is_trusted


def test_who_slept_never_trusts_again_what_it_had_leased_before(store: Store) -> None:
    heartbeat = WorkerHeartbeat(store, 7, PROFILE)
    heartbeat.beat()
    has_earlier_leases = heartbeat.watch_leases()
    heartbeat.beat()
    assert has_earlier_leases()

    heartbeat._beat_at -= DEAD_AFTER.total_seconds()
    assert not has_earlier_leases()
    heartbeat.beat()

    assert heartbeat.is_trusted
    assert not has_earlier_leases()
    assert heartbeat.watch_leases()()


def test_a_worker_tells_what_it_is_and_does(store: Store) -> None:
    with register_worker(store, 7, PROFILE) as heartbeat:
        heartbeat.activity = "composing"
        heartbeat.beat()
        with store.begin_read() as tx:
            (worker,) = workers.list_workers(tx)

    assert (worker.command, worker.queues, worker.channels) == ("worker", ("compose",), ("smtp",))
    assert worker.activity == "composing"
    assert worker.holder == get_holder()
    assert abs(worker.clock_offset) < 60
    with store.begin_read() as tx:
        assert workers.list_workers(tx) == ()


def test_a_worker_tells_what_it_has_done_since_it_started(store: Store) -> None:
    heartbeat = WorkerHeartbeat(store, 7, PROFILE)
    for found_work in (True, False, True):
        heartbeat.counts.count_task(found_work=found_work)
    heartbeat.counts.sent += 5
    heartbeat.beat()

    with store.begin_read() as tx:
        (worker,) = workers.list_workers(tx)
    assert (worker.tasks, worker.idle_tasks, worker.sent, worker.released_leases) == (3, 1, 5, 0)


def test_a_worker_tells_how_long_it_has_waited_for_locks_since_it_started(store: Store) -> None:
    with store.begin_planning():
        time.sleep(0.01)
    earlier = get_lock_times()[LockKind.PLANNING]
    heartbeat = WorkerHeartbeat(store, 7, PROFILE)
    with store.begin_ingest():
        time.sleep(0.01)
    heartbeat.beat()

    with store.begin_read() as tx:
        (worker,) = workers.list_workers(tx)
    assert earlier.held >= 0.01
    assert worker.lock_times["planning"] == LockTime()
    assert 0.01 <= worker.lock_times["ingest"].held <= get_lock_times()[LockKind.INGEST].held + 0.001


def test_leases_that_dead_workers_lost_are_counted_once(store: Store, silent_worker: int) -> None:
    age_heartbeats(store, DEAD_AFTER + timedelta(seconds=1))
    heartbeat = WorkerHeartbeat(store, silent_worker + 1, PROFILE)
    for _ in range(3):
        heartbeat.beat()

    with store.begin_read() as tx:
        (worker,) = workers.list_workers(tx)
    assert worker.released_leases == 4  # three deliveries and a shard


def test_heartbeats_go_on_by_themselves_and_through_errors(store: Store) -> None:
    beats = threading.Semaphore(0)

    class Failing(WorkerHeartbeat):
        def beat(self) -> None:
            super().beat()
            beats.release()
            raise StoreError("the line is down")

    heartbeat = Failing(store, 7, PROFILE, interval=timedelta(milliseconds=1))
    heartbeat.start()
    for _ in range(3):
        assert beats.acquire(timeout=60)
    heartbeat.stop()


def test_one_process_at_a_time_has_a_task(store: Store) -> None:
    with claim_task(store, "match") as is_first, store.begin_write() as tx:
        now = workers.read_database_time(tx)
        assert leases.claim(tx, "task:match", ELSEWHERE, now) == get_holder()
    with store.begin_write() as tx:
        is_free = leases.claim(tx, "task:match", ELSEWHERE, now) is None
    with claim_task(store, "match") as is_second:
        pass

    assert (is_first, is_free, is_second) == (True, True, False)


def test_a_long_task_is_kept_by_heartbeats(store: Store) -> None:
    heartbeat = WorkerHeartbeat(store, 7, PROFILE)
    with claim_task(store, "match"):
        with store.begin_write() as tx:
            now = workers.read_database_time(tx)
            long_ago = now - leases.MAX_LEASE_DURATION - timedelta(minutes=1)
            leases.claim(tx, "task:match", get_holder(), long_ago)
        heartbeat.beat()
        with store.begin_write() as tx:
            assert leases.claim(tx, "task:match", ELSEWHERE, now) == get_holder()


def test_a_task_whose_lease_could_not_be_released_is_free_with_the_next_heartbeat(store: Store) -> None:
    with store.begin_write() as tx:
        now = workers.read_database_time(tx)
        leases.claim(tx, "task:match", get_holder(), now)  # as a lost connection would leave it
        leases.claim(tx, "cycle", get_holder(), now)
    WorkerHeartbeat(store, 7, PROFILE).beat()

    with store.begin_write() as tx:
        assert leases.claim(tx, "task:match", ELSEWHERE, now) is None
        assert leases.claim(tx, "cycle", ELSEWHERE, now) == get_holder()


def test_a_living_process_keeps_its_leases_when_an_earlier_worker_of_it_is_dead(store: Store) -> None:
    with store.begin_write() as tx:
        now = workers.read_database_time(tx)
        old = rebuild(
            Worker(token=6, holder=ELSEWHERE, command="serve", release="1", started_at=now, heartbeat_at=now),
            ELSEWHERE,
            now - 2 * DEAD_AFTER,
        )
        workers.save_worker(tx, old)
        workers.save_worker(tx, replace(old, token=7, heartbeat_at=now))
        leases.claim(tx, "cycle", ELSEWHERE, now)
    jobs.release_dead_workers(store)

    with store.begin_write() as tx:
        assert [worker.token for worker in workers.list_workers(tx)] == [7]
        assert leases.claim(tx, "cycle", "third:1.1.1", now) == ELSEWHERE


def test_all_machines_go_by_the_clock_of_the_database(store: Store) -> None:
    heartbeat = WorkerHeartbeat(store, 7, PROFILE)
    clock = heartbeat.correct_clock(lambda: NOW)
    assert clock() == NOW

    heartbeat._clock_offset = timedelta(minutes=16)  # as a machine whose clock is ahead would measure it
    assert clock() == NOW - timedelta(minutes=16)
    heartbeat.beat()
    assert clock() == NOW
