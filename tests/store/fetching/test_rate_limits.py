from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

import pytest

from digest.store.database.engine import Store
from digest.store.fetching import rate_limits
from digest.store.fetching.rate_limits import BucketPause
from tests.store.factories import NOW, add_to_now, run_concurrently

HOST = "arxiv.org"
PACE = timedelta(seconds=3)
MOMENT = timedelta(seconds=1)
"""How long a request takes here."""


def take(
    store: Store, token: int = 1, now: datetime = NOW, *, pace: timedelta = PACE, host: str = HOST
) -> datetime | None:
    with store.begin_write() as tx:
        return rate_limits.reserve_request(tx, host, pace, token, now)


def give_back(store: Store, token: int, now: datetime, *, pace: timedelta = PACE) -> None:
    with store.begin_write() as tx:
        rate_limits.finish_request(tx, HOST, pace, token, now)


def ask(store: Store, token: int, now: datetime, *, pace: timedelta = PACE) -> datetime:
    """Wait for a turn, ask, and end; says when it was."""
    while (turn := take(store, token, now, pace=pace)) is not None:
        assert turn > now, "who waits comes further"
        now = turn
    give_back(store, token, now + MOMENT, pace=pace)
    return now


# --- turns ----------------------------------------------------------------------------------------


def test_of_several_that_want_to_ask_at_once_one_does(store: Store) -> None:
    answers = run_concurrently(*(partial(take, store, token) for token in (1, 2, 3, 4)))

    assert answers.count(None) == 1
    assert all(answer is None or answer > NOW for answer in answers)


def test_requests_of_all_processes_are_a_pace_apart(store: Store) -> None:
    # Each by its own clock, a little off, and each wants more than its share.
    starts = [NOW + timedelta(milliseconds=100 * token) for token in range(4)]
    times: list[datetime] = []
    for _ in range(5):
        for token, now in enumerate(starts, start=1):
            times.append(ask(store, token, now))

    assert all(second - first >= PACE for first, second in pairwise(sorted(times)))
    assert max(times) - min(times) < 20 * (PACE + timedelta(seconds=0.1))


def test_nobody_asks_while_another_one_does_however_long_it_takes(store: Store) -> None:
    assert take(store, 1) is None

    for seconds in (0, 2, 4, 30, 200):
        turn = take(store, 2, add_to_now(seconds=seconds))
        assert turn is not None
        assert add_to_now(seconds=seconds) < turn <= add_to_now(seconds=seconds + 1)
    give_back(store, 1, add_to_now(seconds=201))

    # It may have tried again in the meantime, up to its end: the pace counts from there.
    assert take(store, 2, add_to_now(seconds=201)) == add_to_now(seconds=204)
    assert take(store, 2, add_to_now(seconds=204)) is None


def test_who_holds_a_turn_is_not_held_up_by_itself_and_only_it_gives_it_back(store: Store) -> None:
    assert take(store, 1) is None
    give_back(store, 2, add_to_now(seconds=1))

    assert take(store, 2, add_to_now(seconds=5)) is not None
    assert take(store, 1, add_to_now(seconds=5)) is None


def test_a_worker_that_is_no_more_holds_nothing_up_for_long(store: Store) -> None:
    assert take(store, 1) is None
    assert take(store, 2, add_to_now(minutes=3)) is not None
    assert take(store, 2, add_to_now(minutes=4)) is None

    with store.begin_write() as tx:
        rate_limits.release_worker(tx, 1)  # the wrong one
    assert take(store, 3, add_to_now(minutes=5)) is not None
    with store.begin_write() as tx:
        rate_limits.release_worker(tx, 2)  # known to be dead
    assert take(store, 3, add_to_now(minutes=5)) is None


def test_hosts_do_not_wait_for_each_other_nor_who_comes_after_a_while(store: Store) -> None:
    assert take(store, 1) is None
    assert take(store, 2, host="other.org") is None
    give_back(store, 1, add_to_now(seconds=1))

    assert take(store, 1, add_to_now(seconds=10)) is None


def test_the_pace_that_a_host_asks_for_is_kept_where_it_is_the_slower_one(store: Store) -> None:
    ask(store, 1, NOW)
    with store.begin_write() as tx:
        rate_limits.set_min_interval(tx, HOST, timedelta(seconds=10), add_to_now(seconds=1))
    assert ask(store, 1, add_to_now(seconds=3)) == add_to_now(seconds=11)
    assert ask(store, 1, add_to_now(seconds=12)) == add_to_now(seconds=21)

    with store.begin_write() as tx:
        rate_limits.set_min_interval(tx, HOST, timedelta(seconds=1), add_to_now(seconds=22))
    assert ask(store, 1, add_to_now(seconds=23)) == add_to_now(seconds=31)
    assert ask(store, 1, add_to_now(seconds=32)) == add_to_now(seconds=34)


def test_a_pace_longer_than_any_hold_is_kept_too(store: Store) -> None:
    hour = timedelta(hours=1)

    assert ask(store, 1, NOW, pace=hour) == NOW
    assert ask(store, 1, add_to_now(minutes=1), pace=hour) == NOW + hour
    assert ask(store, 2, add_to_now(minutes=61), pace=hour) == NOW + 2 * hour


@pytest.mark.parametrize("returned", [True, False])
def test_a_clock_that_ran_ahead_delays_nothing_for_long(store: Store, *, returned: bool) -> None:
    assert take(store, 1, add_to_now(days=1)) is None
    if returned:
        give_back(store, 1, add_to_now(days=1))

    assert take(store, 2) is None
    give_back(store, 2, add_to_now(seconds=1))
    assert take(store, 2, add_to_now(seconds=1)) == NOW + PACE


# --- pauses that hosts impose ---------------------------------------------------------------------


def pause(store: Store, until: datetime, reason: str = "HTTP 429") -> None:
    with store.begin_write() as tx:
        rate_limits.pause_bucket(tx, HOST, until, reason)


def paused(store: Store, now: datetime = NOW) -> datetime | None:
    with store.begin_read() as tx:
        bucket_pause = rate_limits.list_paused(tx, now).get(HOST)
    return bucket_pause.until if bucket_pause else None


@pytest.mark.parametrize("asked_before", [False, True])
def test_a_pause_lasts_as_long_as_the_host_said(store: Store, *, asked_before: bool) -> None:
    if asked_before:
        ask(store, 1, NOW)
    assert paused(store) is None

    pause(store, add_to_now(hours=1))

    assert paused(store) == add_to_now(hours=1)
    assert paused(store, add_to_now(minutes=59)) == add_to_now(hours=1)
    assert paused(store, add_to_now(hours=1)) is None


def test_a_pause_tells_its_reason_and_is_of_one_host(store: Store) -> None:
    pause(store, add_to_now(hours=1), "its request quota is used up")

    with store.begin_read() as tx:
        assert rate_limits.list_paused(tx, NOW) == {
            HOST: BucketPause(until=add_to_now(hours=1), reason="its request quota is used up")
        }


def test_a_shorter_pause_does_not_end_a_longer_one(store: Store) -> None:
    pause(store, add_to_now(hours=6))
    pause(store, add_to_now(minutes=1))
    assert paused(store) == add_to_now(hours=6)

    pause(store, add_to_now(hours=7))
    assert paused(store) == add_to_now(hours=7)


def test_the_longest_pause_holds_also_by_a_clock_that_is_behind(store: Store) -> None:
    pause(store, add_to_now(days=1))

    assert paused(store, NOW - timedelta(seconds=5)) == add_to_now(days=1)


def test_a_pause_that_a_wrong_clock_made_does_not_count(store: Store) -> None:
    pause(store, add_to_now(days=400))
    assert paused(store) is None

    pause(store, add_to_now(minutes=1))
    assert paused(store) == add_to_now(minutes=1)
