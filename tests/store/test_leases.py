from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

import pytest

from digest.store import leases
from digest.store.engine import Store
from digest.store.leases import GREATEST
from tests.store.given import NOW, at_once, later

PACE = timedelta(seconds=3)


def take(store: Store, holder: str, now: datetime = NOW) -> str | None:
    with store.writing() as tx:
        return leases.take(tx, "cycle", holder, now)


def turn(store: Store, now: datetime = NOW, *, pace: timedelta = PACE, host: str = "arxiv.org") -> datetime:
    with store.writing() as tx:
        return leases.next_turn(tx, host, pace, now)


# --- who does what --------------------------------------------------------------------------------


def test_of_several_that_want_it_at_once_one_gets_it_and_the_others_hear_who(store: Store) -> None:
    answers = at_once(*(partial(take, store, f"host:{number}") for number in range(4)))

    (winner,) = [f"host:{number}" for number, other in enumerate(answers) if other is None]
    assert answers.count(winner) == 3


def test_who_has_it_goes_on_and_others_get_it_when_it_is_over_or_given_back(store: Store) -> None:
    assert take(store, "a") is None
    assert take(store, "a", later(minutes=10)) is None
    assert take(store, "b", later(minutes=20)) == "a"
    assert take(store, "b", later(minutes=25)) is None
    with store.writing() as tx:
        leases.give_back(tx, "cycle", "a")  # it is not a's any more
    assert take(store, "c", later(minutes=26)) == "b"
    with store.writing() as tx:
        leases.give_back(tx, "cycle", "b")
    assert take(store, "c", later(minutes=26)) is None


@pytest.mark.parametrize("behind", [timedelta(microseconds=1), timedelta(seconds=2), timedelta(minutes=5)])
def test_whoever_looks_at_a_clock_that_is_a_little_behind_takes_nothing_away(
    store: Store, behind: timedelta
) -> None:
    take(store, "a")

    assert take(store, "b", NOW - behind) == "a"


def test_a_lease_that_a_wrong_clock_made_is_over(store: Store) -> None:
    take(store, "a", later(days=365))

    assert take(store, "b") is None


def test_taking_and_giving_back_at_once_never_fails(store: Store) -> None:
    def work(holder: str) -> int:
        got = 0
        for _ in range(20):
            if take(store, holder) is None:
                got += 1
                with store.writing() as tx:
                    leases.give_back(tx, "cycle", holder)
        return got

    assert sum(at_once(*(partial(work, f"host:{number}") for number in range(4)))) >= 20


# --- the pace of hosts ----------------------------------------------------------------------------


def test_turns_of_all_processes_are_a_pace_apart(store: Store) -> None:
    def ask(worker: int) -> list[datetime]:
        # Each by its own clock, a little off.
        return [turn(store, NOW + timedelta(milliseconds=worker)) for _ in range(5)]

    turns = sorted(one for some in at_once(*(partial(ask, worker) for worker in range(4))) for one in some)

    assert {second - first for first, second in pairwise(turns)} == {PACE}
    assert len(turns) == 20


def test_who_comes_after_a_pause_does_not_wait_and_hosts_do_not_wait_for_each_other(store: Store) -> None:
    assert turn(store) == NOW
    assert turn(store, host="other.org") == NOW
    assert turn(store, later(seconds=10)) == later(seconds=10)
    assert turn(store, later(seconds=10)) == later(seconds=13)


def test_a_pace_longer_than_any_lease_is_kept_too(store: Store) -> None:
    hour = timedelta(hours=1)

    assert [turn(store, pace=hour) for _ in range(3)] == [NOW, NOW + hour, NOW + 2 * hour]


def test_a_clock_that_jumps_delays_nothing_for_long(store: Store) -> None:
    turn(store, later(days=1))

    assert turn(store) == NOW
    assert turn(store) == NOW + PACE
    assert turn(store, later(days=2)) == later(days=2)
    assert turn(store, later(days=2) - GREATEST) == later(days=2) + PACE


# --- pauses that hosts impose ---------------------------------------------------------------------


def pause(store: Store, until: datetime) -> None:
    with store.writing() as tx:
        leases.pause(tx, "arxiv.org", until)


def paused(store: Store, now: datetime = NOW) -> datetime | None:
    with store.reading() as tx:
        return leases.paused_until(tx, "arxiv.org", now)


@pytest.mark.parametrize("asked_before", [False, True])
def test_a_pause_lasts_as_long_as_the_host_said(store: Store, *, asked_before: bool) -> None:
    if asked_before:
        turn(store)
    assert paused(store) is None

    pause(store, later(hours=1))

    assert paused(store) == later(hours=1)
    assert paused(store, later(minutes=59)) == later(hours=1)
    assert paused(store, later(hours=1)) is None


def test_a_shorter_pause_does_not_end_a_longer_one(store: Store) -> None:
    pause(store, later(hours=6))
    pause(store, later(minutes=1))
    assert paused(store) == later(hours=6)

    pause(store, later(hours=7))
    assert paused(store) == later(hours=7)


def test_the_longest_pause_holds_also_by_a_clock_that_is_behind(store: Store) -> None:
    pause(store, later(days=1))

    assert paused(store, NOW - timedelta(seconds=5)) == later(days=1)


def test_a_pause_that_a_wrong_clock_made_does_not_count(store: Store) -> None:
    pause(store, later(days=400))
    assert paused(store) is None

    pause(store, later(minutes=1))
    assert paused(store) == later(minutes=1)


# --- the key --------------------------------------------------------------------------------------


def test_the_signing_key_is_the_one_that_came_first(store: Store) -> None:
    def key(fresh: bytes) -> bytes:
        with store.writing() as tx:
            return leases.signing_key(tx, fresh)

    kept = at_once(*(partial(key, bytes([number]) * 32) for number in range(4)))

    assert len(set(kept)) == 1
    assert key(b"x" * 32) == kept[0]
