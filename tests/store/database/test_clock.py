from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import partial

from digest.store.database import clock
from digest.store.database.engine import Store
from tests.store.factories import NOW, add_to_now, run_concurrently


def latest(store: Store) -> datetime | None:
    with store.begin_read() as tx:
        return clock.read_latest_seen(tx)


def see(store: Store, now: datetime) -> None:
    with store.begin_write() as tx:
        clock.record_time(tx, now)


def test_the_latest_time_seen_goes_back_only_where_a_clock_was_set_back(store: Store) -> None:
    assert latest(store) is None
    see(store, NOW)
    see(store, add_to_now(minutes=-59))
    assert latest(store) == NOW
    see(store, add_to_now(minutes=2))
    assert latest(store) == add_to_now(minutes=2)
    see(store, NOW)
    assert latest(store) == add_to_now(minutes=2)
    see(store, add_to_now(hours=-1))
    assert latest(store) == add_to_now(hours=-1)


def test_times_of_other_zones_are_compared_as_instants(store: Store) -> None:
    see(store, NOW)
    # A later instant, and an earlier text.
    see(store, add_to_now(hours=1).astimezone(timezone(timedelta(hours=-9))))

    assert latest(store) == add_to_now(hours=1)
    assert datetime(2026, 6, 12, 6, 30, tzinfo=UTC) == add_to_now(hours=1)


def test_the_latest_of_several_times_seen_at_once_stays(store: Store) -> None:
    run_concurrently(*(partial(see, store, add_to_now(seconds=number)) for number in (360, 120, 480, 240)))

    assert latest(store) == add_to_now(seconds=480)


def test_a_store_stays_with_the_kind_of_time_it_began_with(store: Store) -> None:
    def begun(*, given: bool) -> bool:
        with store.begin_write() as tx:
            return clock.check_started_with_now(tx, has_now_option=given)

    assert begun(given=True)
    assert begun(given=False)


def test_notes_are_kept_until_replaced(store: Store) -> None:
    with store.begin_write() as tx:
        assert clock.read_note(tx, "applied") == ""
        clock.set_note(tx, "applied", "one")
        clock.set_note(tx, "applied", "two")
        clock.set_note(tx, "other", "three")
        assert (clock.read_note(tx, "applied"), clock.read_note(tx, "other")) == ("two", "three")
