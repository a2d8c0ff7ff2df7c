from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.throttling.rates import (
    Bucket,
    Rate,
    compute_allowance,
    compute_next_time,
    compute_slowdown,
    count_free,
    parse_rate,
    record_spending,
)
from digest.errors import ConfigError
from tests.support.cases import for_each_case

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
SECOND = timedelta(seconds=1)
RATES = st.builds(
    Rate, st.integers(1, 1000), st.sampled_from([SECOND, 60 * SECOND, 3600 * SECOND, 86400 * SECOND])
)


@dataclass
class RateRequest:
    """Somebody who wants messages to go, a while after the one before, by a clock that is off."""

    after: timedelta
    requested_count: int
    off: timedelta


def askings(off: timedelta) -> st.SearchStrategy[list[RateRequest]]:
    while_ = st.timedeltas(timedelta(0), timedelta(minutes=5)) | st.timedeltas(timedelta(0), SECOND)
    return st.lists(
        st.builds(RateRequest, while_, st.integers(1, 200), st.timedeltas(timedelta(0), off)), max_size=60
    )


@given(RATES, askings(timedelta(0)))
def test_in_no_window_go_more_than_the_rate_and_one_burst(rate: Rate, asked: list[RateRequest]) -> None:
    went = _went(rate, asked)

    for number, (begin, _) in enumerate(went):
        total = 0
        for end, count in went[number:]:
            total += count
            assert total <= (end - begin) / rate.compute_interval() + rate.burst + 1e-6


@given(RATES, askings(timedelta(seconds=30)))
def test_clocks_that_differ_cost_no_more_than_what_goes_in_their_difference(
    rate: Rate, asked: list[RateRequest]
) -> None:
    went = _went(rate, asked)
    allowed = rate.burst + timedelta(seconds=30) / rate.compute_interval() + 1e-6

    for number, (begin, _) in enumerate(went):
        total = 0
        for end, count in went[number:]:
            total += count
            assert total <= (end - begin) / rate.compute_interval() + allowed


def _went(rate: Rate, rate_requests: list[RateRequest]) -> list[tuple[datetime, int]]:
    """How many went when, if everybody takes what is free."""
    spent_to, true, went = NOW - timedelta(days=9), NOW, []
    for rate_request in rate_requests:
        true += rate_request.after
        count = min(rate_request.requested_count, count_free(rate, spent_to, true + rate_request.off))
        if count:
            spent_to = record_spending(rate, spent_to, true + rate_request.off, count)
            went.append((true, count))
    return went


@given(RATES, st.integers(1, 300))
def test_who_waits_until_it_is_told_gets_all_of_it(rate: Rate, wanted: int) -> None:
    wanted = min(wanted, rate.burst)
    spent_to = record_spending(rate, NOW, NOW, count_free(rate, NOW, NOW))

    at = compute_next_time(rate, spent_to, wanted)

    assert count_free(rate, spent_to, at) >= wanted
    assert count_free(rate, spent_to, at - rate.compute_interval()) < wanted
    assert count_free(rate, spent_to, NOW + timedelta(days=3)) == rate.burst


def test_slower_means_so_many_times_fewer() -> None:
    rate = Rate(100, SECOND)
    spent_to = record_spending(rate, NOW, NOW, 100, slowdown=4)

    assert spent_to == NOW + 4 * SECOND
    assert count_free(rate, spent_to, NOW + SECOND, slowdown=4) == 25


@pytest.mark.parametrize("ahead", [timedelta(days=3), timedelta(days=4000)])
def test_what_a_wrong_clock_spent_delays_nothing(ahead: timedelta) -> None:
    rate = Rate(10, SECOND)

    assert count_free(rate, NOW + ahead, NOW) == 10
    assert record_spending(rate, NOW + ahead, NOW, 10) == NOW + SECOND


@for_each_case(
    ("text", "rate", "burst"),
    [
        ("100/second", Rate(100, SECOND), 100),
        (" 20 / Minutes ", Rate(20, 60 * SECOND), 1),
        ("7200/hour", Rate(7200, 3600 * SECOND), 2),
        ("1/day", Rate(1, 86400 * SECOND), 1),
        ("999999999/day", Rate(999_999_999, 86400 * SECOND), 11_627),
        ("1000000/second", Rate(1_000_000, SECOND), 1_000_000),
    ],
)
def test_rates_are_read_as_people_write_them(text: str, rate: Rate, burst: int) -> None:
    assert parse_rate(text) == rate
    assert parse_rate(str(rate)) == rate
    assert rate.burst == burst


@for_each_case("text", ["", "fast", "0/second", "-1/second", "1.5/second", "10", "10/week", "10 per day"])
def test_what_is_no_rate_is_told(text: str) -> None:
    with pytest.raises(ConfigError, match="is not a rate; write"):
        parse_rate(text)


@for_each_case("text", ["999999999/second", "2000001/second", "120000001/minute"])
def test_a_rate_too_high_to_measure_is_told(text: str) -> None:
    with pytest.raises(ConfigError, match="more than a million a second"):
        parse_rate(text)


def test_what_was_slowed_down_is_half_as_slow_every_ten_minutes() -> None:
    minutes = [0, 9, 10, 20, 30, 40, 10**6]

    assert [compute_slowdown(8, NOW, NOW + timedelta(minutes=minute)) for minute in minutes] == [
        8,
        8,
        4,
        2,
        1,
        1,
        1,
    ]
    assert compute_slowdown(8, NOW + timedelta(hours=1), NOW) == 8


@given(
    st.lists(st.tuples(RATES, st.timedeltas(-60 * SECOND, 60 * SECOND)), max_size=3),
    st.integers(1, 40),
    st.integers(1, 10),
)
def test_several_rates_allow_what_the_strictest_allows_and_no_less_than_a_batch(
    spent: list[tuple[Rate, timedelta]], limit: int, batch_size: int
) -> None:
    rated = [(rate, Bucket(name="deliver", spent_to=NOW + ahead)) for rate, ahead in spent]

    allowance = compute_allowance(rated, limit, batch_size, NOW)

    free = [count_free(rate, bucket.spent_to, NOW) for rate, bucket in rated]
    if allowance.wait is None:
        assert allowance.count == min([limit, *free])
    else:
        assert allowance.count == 0
        assert allowance.wait > timedelta(0)
        assert any(count < min(limit, batch_size) for count in free)
