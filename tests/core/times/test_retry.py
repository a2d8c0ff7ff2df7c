from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.core.times.retry import (
    compute_delivery_pause,
    compute_feed_pause,
    compute_outage_pause,
    compute_pull_pause,
    compute_unknown_pause,
    parse_retry_after,
)
from tests.support.cases import for_each_case

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
COUNTS = st.integers(1, 10_000)
CHANCE = st.floats(0, 1, exclude_max=True)


@given(COUNTS)
def test_pauses_grow_and_never_give_up(count: int) -> None:
    assert compute_pull_pause(count, 0) <= compute_pull_pause(count + 1, 0) <= timedelta(hours=2)
    assert compute_feed_pause(count, 0) <= compute_feed_pause(count + 1, 0) <= timedelta(days=7)
    assert compute_delivery_pause(count, 0) <= compute_delivery_pause(count + 1, 0) <= timedelta(hours=6)
    assert compute_outage_pause(count) <= compute_outage_pause(count + 1) <= timedelta(minutes=30)


@given(COUNTS, CHANCE)
def test_chance_makes_a_pause_up_to_a_tenth_longer(count: int, chance: float) -> None:
    for pause in (compute_pull_pause, compute_feed_pause):
        assert pause(count, 0) <= pause(count, chance) <= pause(count, 0) * 1.1


@given(COUNTS, CHANCE)
def test_chance_makes_a_deliverys_pause_up_to_a_quarter_longer(count: int, chance: float) -> None:
    assert (
        compute_delivery_pause(count, 0)
        <= compute_delivery_pause(count, chance)
        <= compute_delivery_pause(count, 0) * 1.25
    )
    assert compute_unknown_pause(count, chance) == max(
        compute_delivery_pause(count, chance), timedelta(minutes=15)
    )


def test_a_mail_server_in_trouble_is_left_alone_for_a_minute_and_at_most_for_30() -> None:
    assert [compute_outage_pause(times) / timedelta(minutes=1) for times in range(1, 8)] == [
        1,
        2,
        4,
        8,
        16,
        30,
        30,
    ]


def test_a_day_that_is_due_is_asked_for_after_5_minutes_and_at_least_every_2_hours() -> None:
    minutes = [compute_pull_pause(count, 0) / timedelta(minutes=1) for count in range(1, 8)]

    assert minutes == [5, 10, 20, 40, 80, 120, 120]


def test_a_feed_that_fails_is_asked_daily_for_30_days_and_then_weekly() -> None:
    waited, count = timedelta(0), 0
    while compute_feed_pause(count + 1, 0) < timedelta(days=7):
        count += 1
        waited += compute_feed_pause(count, 0)

    assert compute_feed_pause(1, 0) == timedelta(minutes=5)
    assert (
        compute_feed_pause(9, 0)
        < compute_feed_pause(10, 0)
        == compute_feed_pause(count, 0)
        == timedelta(days=1)
    )
    assert timedelta(days=30) <= waited < timedelta(days=31)


@for_each_case(
    ("header", "expected"),
    [
        ("120", timedelta(minutes=2)),
        ("Fri, 12 Jun 2026 05:40:00 GMT", timedelta(minutes=10)),
        ("0", timedelta(seconds=1)),
        ("Fri, 12 Jun 2026 05:00:00 GMT", timedelta(seconds=1)),
        ("99999999999999999999", timedelta(hours=24)),
        ("Fri, 12 Jun 9999 05:00:00 GMT", timedelta(hours=24)),
        ("soon", None),
        ("-5", None),
        ("٣", None),
        ("", None),
    ],
)
def test_both_forms_of_retry_after_are_understood(header: str, expected: timedelta | None) -> None:
    assert expected == parse_retry_after(header, NOW)


@given(st.text())
def test_no_header_breaks_the_reading_of_retry_after(header: str) -> None:
    pause = parse_retry_after(header, NOW)

    assert pause is None or timedelta(seconds=1) <= pause <= timedelta(hours=24)
