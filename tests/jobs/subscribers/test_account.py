"""Whoever gets a digest lets it rest for a time that people name, in the zone they live by."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from digest.jobs.editions.explain import find_digest
from digest.jobs.subscribers import account
from digest.jobs.subscribers.account import PauseFor
from digest.store.database.engine import Store
from tests.store.factories import NOW, declare, make_digest, run_concurrently


def begin(store: Store, zone: str = "Europe/Berlin") -> int:
    """A digest that goes to one destination; its number."""
    declare(store, make_digest(zone=zone))
    with store.begin_read() as tx:
        [(number, *_)] = find_digest(tx, "systems").destinations
    return number


def until(store: Store, destination: int, how_long: PauseFor, now: datetime) -> datetime | None:
    managed_digest = account.pause_digest(store, destination, how_long, now)
    assert managed_digest is not None
    assert managed_digest.digest is not None
    assert managed_digest.digest.pause is not None
    assert managed_digest.digest.pause.resume_from == "then"
    return managed_digest.digest.pause.until


@pytest.mark.parametrize(
    ("how_long", "zone", "now", "ends"),
    [
        (PauseFor.WEEK, "Europe/Berlin", "2026-06-12T05:30", "2026-06-18T22:00"),
        (PauseFor.WEEK, "Asia/Tokyo", "2026-06-12T20:00", "2026-06-19T15:00"),
        (PauseFor.WEEK, "Europe/Berlin", "2026-10-22T05:30", "2026-10-28T23:00"),
        (PauseFor.MONTH, "UTC", "2026-06-12T05:30", "2026-07-12T00:00"),
        (PauseFor.MONTH, "UTC", "2026-01-31T05:30", "2026-02-28T00:00"),
        (PauseFor.MONTH, "UTC", "2028-01-30T05:30", "2028-02-29T00:00"),
        (PauseFor.MONTH, "UTC", "2026-12-31T05:30", "2027-01-31T00:00"),
    ],
)
def test_a_rest_ends_as_a_day_begins_where_the_reader_lives(
    store: Store, how_long: PauseFor, zone: str, now: str, ends: str
) -> None:
    found_time = until(store, begin(store, zone), how_long, datetime.fromisoformat(now).replace(tzinfo=UTC))

    assert found_time == datetime.fromisoformat(ends).replace(tzinfo=UTC)


def test_a_rest_without_end_lasts_until_its_reader_ends_it(store: Store) -> None:
    destination = begin(store)
    assert until(store, destination, PauseFor.OPEN, NOW) is None

    for _ in range(2):
        managed_digest = account.resume_digest(store, destination, "then", NOW)
        assert managed_digest is not None
        assert managed_digest.digest is not None
        assert managed_digest.digest.pause is None


def test_who_is_no_destination_manages_nothing(store: Store) -> None:
    begin(store)

    assert account.load_managed(store, 999) is None
    assert account.pause_digest(store, 999, PauseFor.WEEK, NOW) is None
    assert account.resume_digest(store, 999, "now", NOW) is None


def test_a_digest_that_has_ended_neither_rests_nor_goes_on(store: Store) -> None:
    destination = begin(store)
    declare(store)

    for managed_digest in (
        account.pause_digest(store, destination, PauseFor.WEEK, NOW),
        account.resume_digest(store, destination, "now", NOW),
    ):
        assert managed_digest is not None
        assert managed_digest.digest is None


def test_from_several_hands_at_once_it_rests_or_goes_on(store: Store) -> None:
    destination = begin(store)

    run_concurrently(
        *(lambda: account.pause_digest(store, destination, PauseFor.WEEK, NOW) for _ in range(3)),
        *(lambda: account.resume_digest(store, destination, "now", NOW) for _ in range(3)),
    )

    assert account.load_managed(store, destination) is not None


def test_the_schedule_shown_is_the_one_by_which_it_goes_on(store: Store) -> None:
    destination = begin(store)  # its first edition is due at once

    managed_digest = account.load_managed(store, destination)

    assert managed_digest is not None
    assert (managed_digest.schedule.at, managed_digest.schedule.days) == ("07:30", (0, 1, 2, 3, 4))
