"""Numbers that come daily are kept daily for 90 days, then one a week for a year, then one a month."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.core.times.thinning import DAILY_PERIOD, WEEKLY_PERIOD, iter_spans_to_thin

FIRST = date(2024, 1, 1)
_DAYS = st.dates(date(2024, 1, 1), date(2027, 12, 31))


def kept(days: set[date], since: date, today: date) -> set[date]:
    """The days of which numbers stay."""
    left = set(days)
    for first, last in iter_spans_to_thin(since, today):
        among = {day for day in left if first <= day <= last}
        left -= among - {max(among, default=last)}
    return left


def every_day(first: date, last: date) -> set[date]:
    return {first + timedelta(days=number) for number in range((last - first).days + 1)}


@given(today=_DAYS)
def test_days_stay_for_90_days_then_a_day_a_week_then_a_day_a_month(today: date) -> None:
    left = kept(every_day(FIRST, today), FIRST, today)

    young = {day for day in every_day(FIRST, today) if day >= today - DAILY_PERIOD}
    assert young <= left
    older = {day for day in left if day < today - DAILY_PERIOD - timedelta(days=7)}
    assert all(day.weekday() == 6 for day in older), "Sundays, the last of their weeks"
    monthly = [day for day in left if day < (today - WEEKLY_PERIOD).replace(day=1)]
    assert len({(day.year, day.month) for day in monthly}) == len(monthly)


@given(today=_DAYS, pauses=st.lists(st.integers(1, 60), max_size=30))
def test_it_is_the_same_however_often_and_rarely_it_is_done(today: date, pauses: list[int]) -> None:
    days, since = every_day(FIRST, today), FIRST
    for pause in pauses:
        then = min(today, since + timedelta(days=pause))
        days = {day for day in days if day > then} | kept({day for day in days if day <= then}, since, then)
        since = then

    assert kept(days, since, today) == kept(every_day(FIRST, today), FIRST, today)
