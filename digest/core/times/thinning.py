"""Which days of numbers that come daily are thinned out as they grow old, and to how many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

DAILY = timedelta(days=90)
"""All days of a week are kept until its last one is older."""
WEEKLY = timedelta(days=365)
"""One day of each week is kept until the last day of its month is older; then one of each month."""
_DAY = timedelta(days=1)


def spans_to_thin(since: date, today: date) -> Iterator[tuple[date, date]]:
    """Weeks, from Monday to Sunday, and months of which only the last number is to be kept.

    Args:
        since: when this was done last; what was to be done then is among it once more.
        today: what has grown old enough by this day.

    Yields:
        The first and the last day of each: weeks first, then months.
    """
    first = since - DAILY - _DAY
    monday = first - first.weekday() * _DAY
    while (sunday := monday + 6 * _DAY) < today - DAILY:
        yield monday, sunday
        monday += 7 * _DAY
    begin = (since - WEEKLY - _DAY).replace(day=1)
    while (following := (begin + 31 * _DAY).replace(day=1)) - _DAY < today - WEEKLY:
        yield begin, following - _DAY
        begin = following
