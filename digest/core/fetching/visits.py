"""When to ask a feed without announcement days again, and whether to believe that an address has moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from digest.model import Freshness

_FIRST_INTERVAL = timedelta(hours=1)
_MIN_INTERVAL, _MAX_INTERVAL = timedelta(minutes=15), timedelta(hours=24)
_SHRINK_FACTOR, _GROWTH_FACTOR = 0.5, 1.2
"""Half after news and a fifth longer after none: about four visits for each news."""
_MAX_JITTER = 0.1
_HOURS_PER_WEEK = 7 * 24
_MIN_MOVED_COUNT, _MIN_MOVED_PERIOD = 5, timedelta(hours=48)


def schedule_visit(
    interval: timedelta,
    *,
    has_news: bool,
    fresh_for: timedelta | None,
    freshness: Freshness | None,
    now: datetime,
    jitter: float,
) -> tuple[timedelta, datetime]:
    """The new interval of a feed, and when to ask it next.

    Args:
        interval: the last one; zero at the first visit.
        has_news: whether this visit brought something.
        fresh_for: how long the answer stays good, by its headers.
        freshness: what the feed says about it.
        now: the time of this visit.
        jitter: from 0 to 1, by chance: up to a tenth later.

    Returns:
        The interval, from 15 minutes to a day; and an instant later than ``now``, in no hour and on no
        day that the feed wants skipped (RSS 2.0, ``skipHours`` and ``skipDays``), unless it wants all skipped.
    """
    next_interval = _adapt_interval(interval, has_news=has_news)
    minimum_waits = [next_interval, fresh_for, freshness.ttl if freshness else None]
    wait = min(max(minimum for minimum in minimum_waits if minimum is not None), _MAX_INTERVAL)
    visit_at = now + wait * (1 + _MAX_JITTER * jitter)
    return next_interval, _move_outside_skipped(visit_at, freshness, jitter) if freshness else visit_at


def is_permanent_move(count: int, first_at: datetime, last_at: datetime) -> bool:
    """Whether an address that says that it has moved for good is asked at the new one from now on.

    Servers that are being mended say so by mistake: it must be said 5 times, over 2 days at least.

    Args:
        count: how often it was said, without a break.
        first_at: when it was said first.
        last_at: when it was said last.
    """
    return count >= _MIN_MOVED_COUNT and last_at - first_at >= _MIN_MOVED_PERIOD


def _adapt_interval(interval: timedelta, *, has_news: bool) -> timedelta:
    if not interval:
        return _FIRST_INTERVAL
    return min(max(interval * (_SHRINK_FACTOR if has_news else _GROWTH_FACTOR), _MIN_INTERVAL), _MAX_INTERVAL)


def _move_outside_skipped(visit_at: datetime, freshness: Freshness, jitter: float) -> datetime:
    """The time itself, else soon after the next hour begins that is not skipped."""
    if not _is_skipped(visit_at.astimezone(UTC), freshness):
        return visit_at
    hour = visit_at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    for hours_ahead in range(1, _HOURS_PER_WEEK + 1):
        candidate = hour + timedelta(hours=hours_ahead)
        if not _is_skipped(candidate, freshness):
            return candidate + timedelta(hours=1) * _MAX_JITTER * jitter
    return visit_at


def _is_skipped(visit_at: datetime, freshness: Freshness) -> bool:
    return visit_at.hour in freshness.skip_hours or visit_at.weekday() in freshness.skip_weekdays
