"""What operators are told of workers that do not fit together."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta

import pytest

from digest import __version__
from digest.jobs.operations.worker_troubles import find_worker_troubles, note_worker_troubles
from digest.store.database import clock
from digest.store.database.engine import Store
from digest.store.operations import notices
from digest.store.workers import workers
from digest.store.workers.workers import DEAD_AFTER, Worker
from tests.store.factories import NOW, add_to_now, ensure_batch, make_due_edition

FILE = hashlib.sha256(b"the file").hexdigest()
QUEUES = ("alert", "tick", "match", "compose", "pull:arxiv", "deliver:smtp")


def add_worker(
    store: Store, token: int = 1, host: str = "one", *, age: timedelta = timedelta(0), **facts: object
) -> None:
    """A worker that fits, but for some facts."""
    with store.begin_write() as tx:
        now = workers.read_database_time(tx)
        worker = Worker(
            token=token,
            holder=f"{host}:{token}.1.1",
            command="worker",
            release=__version__,
            queues=QUEUES,
            channels=("smtp",),
            file_hash=FILE,
            started_at=now,
            heartbeat_at=now - age,
        )
        workers.save_worker(tx, replace(worker, **facts))  # type: ignore[arg-type]


def list_troubles(store: Store) -> list[str]:
    with store.begin_read() as tx:
        return [trouble.text for trouble in find_worker_troubles(tx)]


@pytest.fixture(autouse=True)
def applied(store: Store) -> None:
    """The file has been applied, and declares a section of arXiv."""
    with store.begin_write() as tx:
        clock.set_note(tx, "applied", f"{FILE} one:/etc/digest.toml")
        ensure_batch(tx)


def test_workers_that_fit_together_are_no_trouble(store: Store) -> None:
    make_due_edition(store, 1)
    add_worker(store, 1, "one")
    add_worker(store, 2, "two", clock_offset=30.0)

    assert list_troubles(store) == []


def test_another_file_is_told_with_its_machine(store: Store) -> None:
    add_worker(store, 1, "one")
    add_worker(store, 2, "two", file_hash="other")
    add_worker(store, 3, "two", file_hash="other")

    (text,) = list_troubles(store)
    assert text.startswith("`digest worker` on two has another configuration file than one:/etc/digest.toml")


@pytest.mark.parametrize(("offset", "text"), [(600.0, "10 minutes ahead of"), (-125.0, "2 minutes behind")])
def test_a_wrong_clock_is_told_with_its_machine(store: Store, offset: float, text: str) -> None:
    add_worker(store, 1, "one", clock_offset=offset)

    assert f"The clock of one is {text} that of the database" in list_troubles(store)[0]


def test_another_release_is_told(store: Store) -> None:
    add_worker(store, 1, "one", release="0.0.1")

    assert list_troubles(store) == [
        f"one runs digest 0.0.1, and others run {__version__}; upgrade all of them."
    ]


@pytest.mark.parametrize(
    ("queue", "text"),
    [
        ("tick", "No worker decides what is due"),
        ("pull:arxiv", "No worker asks arxiv"),
        ("match", "start one with `digest worker --queues match`"),
        ("deliver:smtp", "No worker delivers by smtp"),
    ],
)
def test_work_that_nobody_does_is_told(store: Store, queue: str, text: str) -> None:
    make_due_edition(store, 1)
    add_worker(store, queues=tuple(name for name in QUEUES if name != queue))

    (trouble,) = list_troubles(store)
    assert text in trouble


def test_a_service_does_all_work(store: Store) -> None:
    make_due_edition(store, 1)
    add_worker(store, 1, queues=("compose",))
    add_worker(store, 2, command="serve", queues=())

    assert list_troubles(store) == []


def test_who_runs_from_time_to_time_needs_nobody_for_its_queues(store: Store) -> None:
    make_due_edition(store, 1)
    add_worker(store, command="run", queues=())

    assert list_troubles(store) == []


def test_the_dead_are_no_trouble(store: Store) -> None:
    add_worker(store, 1, "one")
    add_worker(store, 2, "two", age=DEAD_AFTER + timedelta(seconds=1), file_hash="other", clock_offset=900.0)

    assert list_troubles(store) == []


def test_each_trouble_is_told_once_a_day(store: Store) -> None:
    add_worker(store, 1, "one", clock_offset=600.0)
    for hours in (0, 1, 23):
        with store.begin_write() as tx:
            note_worker_troubles(tx, add_to_now(hours=hours))
    with store.begin_read() as tx:
        (notice,) = notices.list_due(tx, add_to_now(hours=23))
    assert notice.noted_at == NOW

    with store.begin_write() as tx:
        note_worker_troubles(tx, add_to_now(hours=25))
    with store.begin_read() as tx:
        (notice,) = notices.list_due(tx, add_to_now(hours=25))
    assert notice.noted_at == add_to_now(hours=25)
