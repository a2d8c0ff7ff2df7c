"""When to ask a feed without announcement days again, and whether to believe that an address has moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from digest.model import Freshness

_FIRST = timedelta(hours=1)
_LEAST, _MOST = timedelta(minutes=15), timedelta(hours=24)
_SHORTER, _LONGER = 0.5, 1.2
"""Half after news and a fifth longer after none: about four visits for each news."""
_JITTER = 0.1
_WEEK = 7 * 24
_MOVED_TIMES, _MOVED_FOR = 5, timedelta(hours=48)


def next_visit(
    interval: timedelta,
    *,
    brought: bool,
    fresh_for: timedelta | None,
    freshness: Freshness | None,
    now: datetime,
    jitter: float,
) -> tuple[timedelta, datetime]:
    """The new interval of a feed, and when to ask it next.

    Args:
        interval: the last one; zero at the first visit.
        brought: whether this visit brought something.
        fresh_for: how long the answer stays good, by its headers.
        freshness: what the feed says about it.
        now: the time of this visit.
        jitter: from 0 to 1, by chance: up to a tenth later.

    Returns:
        The interval, from 15 minutes to a day; and an instant later than ``now``, in no hour and on no
        day that the feed wants skipped (RSS 2.0, ``skipHours`` and ``skipDays``), unless it wants all skipped.
    """
    adapted = _adapted(interval, brought=brought)
    wishes = [adapted, fresh_for, freshness.ttl if freshness else None]
    wait = min(max(wish for wish in wishes if wish is not None), _MOST)
    then = now + wait * (1 + _JITTER * jitter)
    return adapted, _outside_skipped(then, freshness, jitter) if freshness else then


def adopted(times: int, first: datetime, last: datetime) -> bool:
    """Whether an address that says that it has moved for good is asked at the new one from now on.

    Servers that are being mended say so by mistake: it must be said 5 times, over 2 days at least.

    Args:
        times: how often it was said, without a break.
        first: when it was said first.
        last: when it was said last.
    """
    return times >= _MOVED_TIMES and last - first >= _MOVED_FOR


def _adapted(interval: timedelta, *, brought: bool) -> timedelta:
    if not interval:
        return _FIRST
    return min(max(interval * (_SHORTER if brought else _LONGER), _LEAST), _MOST)


def _outside_skipped(then: datetime, freshness: Freshness, jitter: float) -> datetime:
    """The time itself, else soon after the next hour begins that is not skipped."""
    if not _skipped(then.astimezone(UTC), freshness):
        return then
    hour = then.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    for ahead in range(1, _WEEK + 1):
        later = hour + timedelta(hours=ahead)
        if not _skipped(later, freshness):
            return later + timedelta(hours=1) * _JITTER * jitter
    return then


def _skipped(then: datetime, freshness: Freshness) -> bool:
    return then.hour in freshness.skip_hours or then.weekday() in freshness.skip_weekdays
