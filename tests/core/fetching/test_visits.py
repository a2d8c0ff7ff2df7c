from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.visits import is_permanent_move, schedule_visit
from digest.model import Freshness
from tests.support.cases import for_each_case

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
"""A Friday."""
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def visit(interval: timedelta = HOUR, **options: Any) -> tuple[timedelta, datetime]:
    expected = {"has_news": False, "fresh_for": None, "freshness": None, "now": NOW, "jitter": 0.0} | options
    return schedule_visit(interval, **expected)


def intervals(visits: str) -> list[timedelta]:
    """What becomes of the interval where each ``+`` is a visit that brought something."""
    interval, results = timedelta(0), []
    for one in visits:
        interval, _ = visit(interval, has_news=one == "+")
        results.append(interval)
    return results


# --- the interval ---------------------------------------------------------------------------------


@pytest.mark.parametrize("brought", [True, False])
def test_a_feed_is_first_asked_again_after_an_hour(*, brought: bool) -> None:
    assert visit(timedelta(0), has_news=brought) == (HOUR, NOW + HOUR)


def test_a_feed_that_brings_something_is_asked_sooner_and_one_that_does_not_later() -> None:
    first, sooner, later, latest = intervals("++--")

    assert sooner < first
    assert sooner < later < latest


def test_a_busy_feed_is_asked_every_quarter_of_an_hour_and_a_dead_one_daily() -> None:
    assert intervals("+" * 30)[-1] == timedelta(minutes=15)
    assert intervals("-" * 30)[-1] == DAY


# --- what the answer and the feed say -------------------------------------------------------------


@for_each_case(
    ("fresh_for", "ttl", "expected"),
    [
        (timedelta(minutes=5), None, 1.2 * HOUR),
        (3 * HOUR, None, 3 * HOUR),
        (None, 4 * HOUR, 4 * HOUR),
        (3 * HOUR, 4 * HOUR, 4 * HOUR),
        (timedelta(days=365), None, DAY),
        (None, timedelta(days=365), DAY),
    ],
)
def test_a_feed_is_not_asked_while_it_says_that_nothing_is_new_but_daily_at_least(
    fresh_for: timedelta | None, ttl: timedelta | None, expected: timedelta
) -> None:
    interval, then = visit(fresh_for=fresh_for, freshness=Freshness(ttl=ttl) if ttl else None)

    assert interval == 1.2 * HOUR  # what it says is for this time
    assert then == NOW + expected


@for_each_case(
    ("hours", "weekdays", "expected"),
    [
        ({7}, set(), datetime(2026, 6, 12, 6, 42, tzinfo=UTC)),
        ({6}, set(), datetime(2026, 6, 12, 7, tzinfo=UTC)),
        (set(range(24)) - {3}, set(), datetime(2026, 6, 13, 3, tzinfo=UTC)),
        (set(), {4}, datetime(2026, 6, 13, tzinfo=UTC)),
        (set(), {4, 5, 6}, datetime(2026, 6, 15, tzinfo=UTC)),
        ({0, 1}, {4, 5}, datetime(2026, 6, 14, 2, tzinfo=UTC)),
        (set(range(24)) - {6}, set(range(7)) - {4}, datetime(2026, 6, 12, 6, 42, tzinfo=UTC)),
        (set(range(24)) - {5}, set(range(7)) - {4}, datetime(2026, 6, 19, 5, tzinfo=UTC)),
    ],
)
def test_hours_and_days_that_a_feed_wants_skipped_are_skipped(
    hours: set[int], weekdays: set[int], expected: datetime
) -> None:
    wishes = Freshness(skip_hours=frozenset(hours), skip_weekdays=frozenset(weekdays))

    assert visit(freshness=wishes)[1] == expected


def test_skipped_hours_are_those_of_greenwich() -> None:
    east = NOW.astimezone(tz=datetime.strptime("+0900", "%z").tzinfo)

    assert visit(now=east, freshness=Freshness(skip_hours=frozenset({6}))) == visit(
        freshness=Freshness(skip_hours=frozenset({6}))
    )


def test_a_feed_that_wants_all_hours_skipped_is_asked_all_the_same() -> None:
    assert visit(freshness=Freshness(skip_hours=frozenset(range(24)))) == visit()
    assert visit(freshness=Freshness(skip_weekdays=frozenset(range(7)))) == visit()


TIMES = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 hypothesis adds it
SPANS = st.timedeltas(timedelta(0), timedelta(days=10_000))
WISHES = st.none() | st.builds(
    Freshness,
    ttl=st.none() | SPANS,
    skip_hours=st.frozensets(st.integers(0, 23)),
    skip_weekdays=st.frozensets(st.integers(0, 6)),
)


@given(
    interval=st.timedeltas(timedelta(0), DAY),
    brought=st.booleans(),
    fresh_for=st.none() | SPANS,
    freshness=WISHES,
    now=TIMES,
    jitter=st.floats(0, 1, exclude_max=True),
)
def test_the_next_visit_is_later_within_days_and_in_no_skipped_hour(
    *,
    interval: timedelta,
    brought: bool,
    fresh_for: timedelta | None,
    freshness: Freshness | None,
    now: datetime,
    jitter: float,
) -> None:
    adapted, then = schedule_visit(
        interval, has_news=brought, fresh_for=fresh_for, freshness=freshness, now=now, jitter=jitter
    )

    assert timedelta(minutes=15) <= adapted <= DAY
    assert now + adapted <= then <= now + 1.1 * DAY + 7 * DAY
    assert fresh_for is None or then >= now + min(fresh_for, DAY)
    if freshness is not None and len(freshness.skip_hours) < 24 and len(freshness.skip_weekdays) < 7:
        assert then.hour not in freshness.skip_hours
        assert then.weekday() not in freshness.skip_weekdays


# --- addresses that move --------------------------------------------------------------------------


@for_each_case(
    ("times", "apart", "expected"),
    [
        (1, timedelta(0), False),
        (4, timedelta(days=9), False),
        (100, timedelta(hours=47, minutes=59), False),
        (5, timedelta(hours=48), True),
        (6, timedelta(days=30), True),
    ],
)
def test_a_new_address_is_believed_when_it_was_said_five_times_over_two_days(
    *, times: int, apart: timedelta, expected: bool
) -> None:
    assert is_permanent_move(times, NOW, NOW + apart) is expected
