"""Which days of numbers that come daily are thinned out as they grow old, and to how many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

DAILY_PERIOD = timedelta(days=90)
"""All days of a week are kept until its last one is older."""
WEEKLY_PERIOD = timedelta(days=365)
"""One day of each week is kept until the last day of its month is older; then one of each month."""
_DAY = timedelta(days=1)


def iter_spans_to_thin(since: date, today: date) -> Iterator[tuple[date, date]]:
    """Weeks, from Monday to Sunday, and months of which only the last number is to be kept.

    Args:
        since: when this was done last; what was to be done then is among it once more.
        today: what has grown old enough by this day.

    Yields:
        The first and the last day of each: weeks first, then months.
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
