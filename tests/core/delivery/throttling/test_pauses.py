from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.throttling.pauses import (
    DomainPause,
    ServerFailure,
    ServerPause,
    is_pausing,
    is_recovered,
    is_server_paused,
    is_trial_allowed,
    pause_server,
    slow_down_domain,
)
from tests.core.delivery.factories import NOW
from tests.support.cases import for_each_case

MINUTE = timedelta(minutes=1)
HOUR = 60 * MINUTE
WORKING = ServerPause(until=None, count=0, trial_at=NOW)
WAITS = st.timedeltas(timedelta(0), 2 * HOUR)


def fail(pause: ServerPause, now: datetime) -> ServerPause:
    changed = pause_server(pause, now, "421 busy")
    assert changed is not None
    return changed


# --- domains --------------------------------------------------------------------------------------


@for_each_case(
    ("retry_after", "length"),
    [(None, MINUTE), (timedelta(seconds=5), MINUTE), (10 * MINUTE, 10 * MINUTE), (9 * HOUR, HOUR)],
)
def test_a_domain_that_wants_less_gets_nothing_and_then_half(
    retry_after: timedelta | None, length: timedelta
) -> None:
    pause = slow_down_domain(DomainPause(), 1.0, NOW, "450 too much", retry_after)

    assert pause == DomainPause(until=NOW + length, reason="450 too much", slowdown=2.0)


def test_complaints_during_a_pause_change_nothing_unless_they_ask_for_a_longer_one() -> None:
    pause = slow_down_domain(DomainPause(), 1.0, NOW, "450 too much")

    assert slow_down_domain(pause, 2.0, NOW, "450 again") == pause
    assert slow_down_domain(pause, 2.0, NOW, "450 again", MINUTE / 2) == pause
    longer = slow_down_domain(pause, 2.0, NOW, "450 in five minutes", 5 * MINUTE)
    assert longer == DomainPause(until=NOW + 5 * MINUTE, reason="450 in five minutes", slowdown=2.0)


@given(st.lists(WAITS, min_size=1, max_size=40))
def test_a_domain_is_never_paused_for_more_than_an_hour_nor_slowed_without_limit(
    waits: list[timedelta],
) -> None:
    pause, now = DomainPause(), NOW
    for wait in waits:
        now += wait
        pause = slow_down_domain(pause, pause.slowdown, now, "450", wait)

        assert pause.until is not None
        assert now < pause.until <= now + HOUR
        assert 2.0 <= pause.slowdown <= 256.0


# --- servers --------------------------------------------------------------------------------------


def test_a_server_that_fails_again_and_again_is_paused_longer_each_time_up_to_half_an_hour() -> None:
    pause, now, lengths = WORKING, NOW, []
    for _ in range(8):
        pause = fail(pause, now)
        assert pause.until is not None
        lengths.append((pause.until - now) / MINUTE)
        now = pause.until

    assert lengths == [1, 2, 4, 8, 16, 30, 30, 30]


def test_during_a_pause_trials_are_made_after_two_minutes_and_twice_as_long_after_each_that_fails() -> None:
    pause = WORKING
    for _ in range(6):
        pause = fail(pause, pause.until or NOW)
    assert pause.until is not None
    began_at = pause.until - 30 * MINUTE

    trials = []
    for _ in range(5):
        now = pause.trial_at
        assert pause_server(pause, now - timedelta(microseconds=1), "421") is None, (
            "it cannot have been tried"
        )
        trials.append((now - began_at) / MINUTE)
        pause, began_at = fail(pause, now), now

    assert trials == [2, 4, 8, 16, 30]


@given(st.lists(WAITS, max_size=30))
def test_a_paused_server_says_since_when_and_is_tried_within_its_pause_or_two_minutes(
    waits: list[timedelta],
) -> None:
    pause, now = WORKING, NOW
    for wait in waits:
        now += wait
        changed = pause_server(pause, now, "421 busy")
        if changed is None:
            assert is_pausing(pause.until, now)
            continue
        pause, failure = changed, changed.failure
        assert failure is not None
        assert (failure.since, failure.reason) == (now, "421 busy")
        assert is_server_paused(failure, now)
        assert failure.trial_at is not None
        assert now + 2 * MINUTE <= failure.trial_at <= max(failure.until, now + 2 * MINUTE)


def test_a_server_that_is_in_doubt_is_not_paused() -> None:
    doubtful = ServerPause(until=NOW, count=0, trial_at=NOW, reason="421", took_others=True)

    assert doubtful.failure == ServerFailure(since=NOW, until=NOW, reason="421", took_others=True)
    assert not is_server_paused(doubtful.failure, NOW)
    assert is_recovered(doubtful, NOW)
    assert (WORKING.failure, is_recovered(WORKING, NOW)) == (None, False)


def test_a_message_that_was_accepted_while_another_connection_failed_ends_no_pause_that_just_began() -> None:
    pause = fail(fail(WORKING, NOW), NOW + 5 * MINUTE)

    assert not is_recovered(pause, NOW + 6 * MINUTE)
    assert is_recovered(pause, NOW + 7 * MINUTE)


@pytest.mark.parametrize("ahead", [HOUR + MINUTE, timedelta(days=4000)])
def test_a_pause_that_a_wrong_clock_made_does_not_count(ahead: timedelta) -> None:
    assert not is_pausing(NOW + ahead, NOW)


@for_each_case(
    ("newest_due_at", "now", "is_allowed"),
    [
        (NOW + MINUTE, NOW + 2 * MINUTE, True),
        (NOW + MINUTE, NOW + MINUTE, False),
        (NOW, NOW + 2 * MINUTE, False),
        (None, NOW + 2 * MINUTE, False),
    ],
)
def test_only_what_became_due_since_may_try_a_paused_server(
    newest_due_at: datetime | None, now: datetime, *, is_allowed: bool
) -> None:
    failure = fail(WORKING, NOW).failure
    assert failure is not None

    assert is_trial_allowed(failure, newest_due_at, now) == is_allowed
