"""When runs were composed and delivered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import update

from digest.model import RunState
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries
from digest.store.editions import runs
from digest.store.operations.run_times import (
    DeliveryTimes,
    RunTimes,
    ShardTimes,
    find_last_run_before,
    list_runs_after,
    load_run_times,
)
from tests.store.factories import NOW, add_to_now, make_due_edition


def load(store: Store, max_shards: int = 10) -> RunTimes:
    with store.begin_read() as tx:
        times = load_run_times(tx, 1, max_shards)
    assert times is not None
    return times


def change_deliveries(store: Store, last_id: int, **values: object) -> None:
    with store.begin_write() as tx:
        tx.execute(update(deliveries).where(deliveries.c.id <= last_id).values(**values))


def compose(store: Store) -> None:
    with store.begin_write() as tx:
        shard = runs.claim_shard(tx, 7, add_to_now(minutes=1))
        assert shard is not None
        assert runs.finish_shard(tx, shard, add_to_now(minutes=2))
        runs.finish_runs(tx, add_to_now(minutes=3))


def test_a_run_has_the_times_of_its_steps(store: Store) -> None:
    make_due_edition(store, 5)
    compose(store)
    for number in (3, 2):
        change_deliveries(store, number, state="sent", sent_at=add_to_now(minutes=10 + number))

    times = load(store)
    assert (times.state, times.composed_at) == (RunState.COMPOSED, add_to_now(minutes=3))
    assert times.shards == (
        ShardTimes(number=0, token=7, claimed_at=add_to_now(minutes=1), composed_at=add_to_now(minutes=2)),
    )
    assert times.deliveries == (
        DeliveryTimes(channel="smtp", state="ready", count=2, first_sent_at=None, last_sent_at=None),
        DeliveryTimes(
            channel="smtp",
            state="sent",
            count=3,
            first_sent_at=add_to_now(minutes=12),
            last_sent_at=add_to_now(minutes=13),
        ),
    )


def test_a_run_is_finished_once_it_is_composed_and_nothing_more_will_be_sent(store: Store) -> None:
    def is_finished(change: Callable[[], None]) -> bool:
        change()
        return load(store).is_finished

    make_due_edition(store, 2)
    assert not is_finished(lambda: change_deliveries(store, 2, state="sent", sent_at=NOW))
    assert is_finished(lambda: compose(store))
    for state in ("ready", "leased", "held"):
        assert not is_finished(lambda state=state: change_deliveries(store, 1, state=state))  # type: ignore[misc]
    for state in ("refused", "unknown", "expired", "dropped"):
        assert is_finished(lambda state=state: change_deliveries(store, 1, state=state))  # type: ignore[misc]


def test_of_many_shards_only_the_first_are_loaded(store: Store) -> None:
    make_due_edition(store, 1)
    compose(store)

    times = load(store, max_shards=0)
    assert (times.shards, times.shard_count) == ((), 1)


def test_a_shard_that_is_returned_was_not_composed(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        shard = runs.claim_shard(tx, 7, NOW)
        assert shard is not None
        runs.return_shard(tx, shard)

    assert load(store).shards == ()


def test_runs_are_found_by_their_number_and_their_age(store: Store) -> None:
    make_due_edition(store, 1)

    with store.begin_read() as tx:
        assert list(list_runs_after(tx, 0, 10)) == [1]
        assert list(list_runs_after(tx, 0, 0)) == list(list_runs_after(tx, 1, 10)) == []
        assert find_last_run_before(tx, NOW) == 0
        assert find_last_run_before(tx, NOW + timedelta(seconds=1)) == 1
        assert load_run_times(tx, 99, 10) is None
