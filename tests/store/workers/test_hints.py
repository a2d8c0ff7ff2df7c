"""Hints are there with the work that they tell of, and never in the way."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from digest.store.database.engine import Store, Transaction, open_store
from digest.store.workers import hints
from digest.store.workers.hints import MAX_WAITING, Hint, Queue
from tests.store.conftest import NOW

SMTP = hints.make_delivery_hint("smtp")


@pytest.fixture
def shared_store(postgres_url: str) -> Iterator[Store]:
    """A store that workers can share: PostgreSQL."""
    store = open_store(postgres_url, NOW)
    yield store
    store.close()


def count_waiting(store: Store) -> dict[str, int]:
    with store.begin_read() as tx:
        return hints.count_waiting(tx)


def test_sqlite_has_no_hints(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/digest.db", NOW)
    with store.begin_write() as tx:
        hints.defer_hint(tx, hints.MATCH)

        assert hints.count_waiting(tx) == {}
        assert not hints.has_more_urgent(tx, hints.PUBLISH, list(Queue))


def test_a_hint_waits_in_the_queue_of_its_source_or_channel(shared_store: Store) -> None:
    with shared_store.begin_write() as tx:
        hints.defer_hint(tx, hints.MATCH)
        hints.defer_hint(tx, hints.make_pull_hint("a blog"))
        hints.defer_hint(tx, hints.make_delivery_hint("smtp"), 3)

    assert count_waiting(shared_store) == {"match": 1, "pull:a blog": 1, "deliver:smtp": 3}


def test_hints_of_work_that_was_rolled_back_are_gone(shared_store: Store) -> None:
    def fail(tx: Transaction) -> None:
        hints.defer_hint(tx, hints.COMPOSE, 5)
        raise RuntimeError

    with pytest.raises(RuntimeError), shared_store.begin_write() as tx:
        fail(tx)

    assert count_waiting(shared_store) == {}


def test_as_many_wait_as_could_be_of_use_and_no_more(shared_store: Store) -> None:
    for count in (1, 3, 2, 1000, 1000):
        with shared_store.begin_write() as tx:
            hints.defer_hint(tx, hints.COMPOSE, count)

    assert count_waiting(shared_store) == {"compose": MAX_WAITING}


def test_nothing_to_do_needs_no_hint(shared_store: Store) -> None:
    with shared_store.begin_write() as tx:
        hints.defer_hint(tx, hints.COMPOSE, 0)

    assert count_waiting(shared_store) == {}


def test_transactions_that_defer_the_same_hint_do_not_wait_for_each_other_or_fail(
    shared_store: Store,
) -> None:
    barrier = threading.Barrier(4)
    failures: list[BaseException] = []

    def defer() -> None:
        try:
            with shared_store.begin_write() as tx:
                hints.defer_hint(tx, hints.MATCH)
                barrier.wait(30)  # all of them have deferred theirs, and none has committed
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=defer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert 1 <= count_waiting(shared_store)["match"] <= 4


def test_queues_are_in_the_order_of_urgency() -> None:
    ordered = sorted(Queue, key=lambda queue: -queue.priority)

    assert ordered == [
        Queue.ALERT,
        Queue.TICK,
        Queue.PULL,
        Queue.MATCH,
        Queue.COMPOSE,
        Queue.DELIVER,
        Queue.PUBLISH,
    ]


def test_only_more_urgent_hints_of_served_queues_interrupt(shared_store: Store) -> None:
    with shared_store.begin_write() as tx:
        hints.defer_hint(tx, hints.COMPOSE)

    with shared_store.begin_read() as tx:
        assert hints.has_more_urgent(tx, SMTP, ["compose"])
        assert not hints.has_more_urgent(tx, SMTP, ["match"])
        assert not hints.has_more_urgent(tx, hints.COMPOSE, ["compose"])
        assert not hints.has_more_urgent(tx, hints.MATCH, ["compose"])


def test_another_channel_has_its_turn_when_one_takes_long(shared_store: Store) -> None:
    with shared_store.begin_write() as tx:
        hints.defer_hint(tx, SMTP)
        assert not hints.has_more_urgent(tx, SMTP, ["deliver:smtp"], with_equal=True)
        hints.defer_hint(tx, hints.make_delivery_hint("files"))

    with shared_store.begin_read() as tx:
        assert hints.has_more_urgent(tx, SMTP, ["deliver:smtp", "deliver:files"], with_equal=True)
        assert not hints.has_more_urgent(tx, SMTP, ["deliver:smtp", "deliver:files"])


def test_hints_that_a_dead_worker_had_taken_are_removed(shared_store: Store) -> None:
    with shared_store.begin_write() as tx:
        hints.defer_hint(tx, SMTP, 2)
        tx.exec_driver_sql(
            "UPDATE procrastinate_jobs SET status = 'doing' WHERE id = (SELECT min(id) FROM procrastinate_jobs)"
        )
        hints.forget_dead(tx)

        assert tx.exec_driver_sql("SELECT count(*) FROM procrastinate_jobs").scalar() == 1
        assert hints.count_waiting(tx) == {"deliver:smtp": 1}


def test_a_name_of_any_length_has_a_queue(shared_store: Store) -> None:
    hint = hints.make_pull_hint("x" * 500)
    with shared_store.begin_write() as tx:
        hints.defer_hint(tx, hint)

    assert count_waiting(shared_store) == {hint.queue_name: 1}


def test_hints_of_two_tasks_in_one_queue_do_not_replace_each_other(shared_store: Store) -> None:
    with shared_store.begin_write() as tx:
        for task in ("one", "two", "one"):
            hints.defer_hint(tx, Hint(Queue.MATCH, task))

        assert Counter(hints.count_waiting(tx)) == {"match": 2}
