"""Thinning of daily numbers as they age: which days are reduced to one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

DAILY_PERIOD = timedelta(days=90)
"""Age of the last day of a week up to which all its days are kept."""
WEEKLY_PERIOD = timedelta(days=365)
"""Age of the last day of a month up to which one day of each week is kept; after that, one of the month."""
_DAY = timedelta(days=1)


def iter_spans_to_thin(since: date, today: date) -> Iterator[tuple[date, date]]:
    """Yield weeks, from Monday to Sunday, and months that are reduced to their last number.

    Args:
        since: the day of the last thinning; spans that were due then are repeated.
        today: the current day.

    Yields:
        The first and the last day of each span: weeks first, then months.
    """
    first_day = since - DAILY_PERIOD - _DAY
    monday = first_day - first_day.weekday() * _DAY
    while (sunday := monday + 6 * _DAY) < today - DAILY_PERIOD:
        yield monday, sunday
        monday += 7 * _DAY
    month_start = (since - WEEKLY_PERIOD - _DAY).replace(day=1)
    while (next_month := (month_start + 31 * _DAY).replace(day=1)) - _DAY < today - WEEKLY_PERIOD:
        yield month_start, next_month - _DAY
        month_start = next_month
