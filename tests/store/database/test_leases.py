from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import pytest

from digest.store.database import leases
from digest.store.database.engine import Store
from tests.store.factories import NOW, add_to_now, run_concurrently


def take(store: Store, holder: str, now: datetime = NOW) -> str | None:
    with store.begin_write() as tx:
        return leases.claim(tx, "cycle", holder, now)


# --- who does what --------------------------------------------------------------------------------


def test_of_several_that_want_it_at_once_one_gets_it_and_the_others_hear_who(store: Store) -> None:
    answers = run_concurrently(*(partial(take, store, f"host:{number}") for number in range(4)))

    (winner,) = [f"host:{number}" for number, other in enumerate(answers) if other is None]
    assert answers.count(winner) == 3


def test_who_has_it_goes_on_and_others_get_it_when_it_is_over_or_given_back(store: Store) -> None:
    assert take(store, "a") is None
    assert take(store, "a", add_to_now(minutes=10)) is None
    assert take(store, "b", add_to_now(minutes=20)) == "a"
    assert take(store, "b", add_to_now(minutes=25)) is None
    with store.begin_write() as tx:
        leases.release(tx, "cycle", "a")  # it is not a's any more
    assert take(store, "c", add_to_now(minutes=26)) == "b"
    with store.begin_write() as tx:
        leases.release(tx, "cycle", "b")
    assert take(store, "c", add_to_now(minutes=26)) is None


@pytest.mark.parametrize("behind", [timedelta(microseconds=1), timedelta(seconds=2), timedelta(minutes=5)])
def test_whoever_looks_at_a_clock_that_is_a_little_behind_takes_nothing_away(
    store: Store, behind: timedelta
) -> None:
    take(store, "a")

    assert take(store, "b", NOW - behind) == "a"


def test_a_lease_that_a_wrong_clock_made_is_over(store: Store) -> None:
    take(store, "a", add_to_now(days=365))

    assert take(store, "b") is None


def test_taking_and_giving_back_at_once_never_fails(store: Store) -> None:
    def work(holder: str) -> int:
        got = 0
        while got < 20:
            if take(store, holder) is None:
                got += 1
                with store.begin_write() as tx:
                    leases.release(tx, "cycle", holder)
        return got

    assert run_concurrently(*(partial(work, f"host:{number}") for number in range(4))) == [20] * 4


# --- the key --------------------------------------------------------------------------------------


def test_the_signing_key_is_the_one_that_came_first(store: Store) -> None:
    def key(fresh: bytes) -> bytes:
        with store.begin_write() as tx:
            return leases.get_signing_key(tx, fresh)

    remaining = run_concurrently(*(partial(key, bytes([number]) * 32) for number in range(4)))

    assert len(set(remaining)) == 1
    assert key(b"x" * 32) == remaining[0]
