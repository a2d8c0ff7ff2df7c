"""Who is at work, and whose work is free again because its process is no more."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from digest.jobs import cycle, workers
from digest.jobs.workers import get_holder
from digest.store.database import leases
from digest.store.database.engine import Store
from digest.store.delivery import outbox
from digest.store.editions import runs
from digest.store.fetching import rate_limits
from digest.store.workers import workers as worker_rows
from tests.store.factories import NOW, add_to_now, make_due_edition
from tests.support.processes import kill_at_end


@pytest.fixture
def living_process() -> Iterator[int]:
    """The number of a process that lives."""
    with kill_at_end(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)) as process:
        yield process.pid


@pytest.fixture
def dead_process() -> int:
    """The number of a process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def like(*, number: int | None = None, host: str = "", numbering: str = "", born: str = "") -> str:
    """A holder as this process is one, but for some of it."""
    here, _, process = get_holder().rpartition(":")
    mine, space, birth = process.split(".")
    return f"{host or here}:{number or mine}.{numbering or space}.{born or birth}"


def make_worker(holder: str, now: datetime) -> worker_rows.Worker:
    return worker_rows.Worker(
        token=7, holder=holder, command="run", release="0", started_at=now, heartbeat_at=now
    )


def at_work(store: Store, who: str) -> None:
    """Somebody is at a cycle, and has leased what is due."""
    make_due_edition(store, 3)
    with store.begin_write() as tx:
        leases.claim(tx, "cycle", who, NOW)
        worker_rows.save_worker(tx, make_worker(who, worker_rows.read_database_time(tx)))
        assert len(outbox.claim_deliveries(tx, "smtp", 7, NOW, 10)) == 3


def is_free(store: Store) -> bool:
    """Whether this process can begin a cycle a minute later, and claim all that is due."""
    begun = cycle.claim_cycle(store, add_to_now(minutes=1)) is None
    with workers.register_worker(store, 8), store.begin_write() as tx:
        claimed = outbox.claim_deliveries(tx, "smtp", 8, add_to_now(minutes=1), 10)
    assert len(claimed) == (3 if begun else 0)
    return begun


def test_what_a_killed_process_was_at_is_free_at_once(store: Store, dead_process: int) -> None:
    at_work(store, like(number=dead_process))

    assert is_free(store)


def test_what_a_living_process_is_at_is_not(store: Store, living_process: int) -> None:
    at_work(store, like(number=living_process))

    assert not is_free(store)


def test_nobody_judges_processes_of_other_machines(store: Store, dead_process: int) -> None:
    at_work(store, like(number=dead_process, host="elsewhere"))

    assert not is_free(store)


def test_nobody_judges_processes_of_other_containers_that_have_the_hosts_name(
    store: Store, dead_process: int
) -> None:
    at_work(store, like(number=dead_process, numbering="1"))

    assert not is_free(store)


def test_a_container_that_starts_again_is_not_taken_for_the_one_that_was_killed(store: Store) -> None:
    at_work(store, like(number=os.getpid(), born="00000000"))

    assert is_free(store)


def test_a_process_goes_on_with_its_own_cycle(store: Store) -> None:
    assert cycle.claim_cycle(store, NOW) is None
    assert cycle.claim_cycle(store, add_to_now(minutes=14)) is None
    cycle.release_cycle(store)
    with store.begin_write() as tx:
        assert leases.claim(tx, "cycle", "elsewhere:1.1.1", add_to_now(minutes=14)) is None


def test_what_a_worker_could_not_give_back_is_free_when_it_ends(store: Store) -> None:
    make_due_edition(store, 3)
    pace = timedelta(seconds=3)
    with workers.register_worker(store, 7), store.begin_write() as tx:
        assert runs.claim_shard(tx, 7, NOW) is not None
        assert rate_limits.reserve_request(tx, "host", pace, 7, NOW) is None

    with store.begin_write() as tx:
        assert runs.claim_shard(tx, 8, add_to_now(minutes=1)) is not None
        assert rate_limits.reserve_request(tx, "host", pace, 8, add_to_now(minutes=1)) is None


def test_what_may_still_be_on_its_way_is_not_free_before_its_process_is_no_more(store: Store) -> None:
    make_due_edition(store, 3)
    with workers.register_worker(store, 7), store.begin_write() as tx:
        assert len(outbox.claim_deliveries(tx, "smtp", 7, NOW, 10)) == 3

    with store.begin_write() as tx:
        assert [(worker.token, worker.holder) for worker in worker_rows.list_workers(tx)] == [
            (7, get_holder())
        ]
    assert cycle.claim_cycle(store, add_to_now(minutes=1)) is None
    with store.begin_write() as tx:
        assert outbox.claim_deliveries(tx, "smtp", 8, add_to_now(minutes=1), 10) == ()
