"""When to request a feed without announcement days again, and when to adopt a redirect."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from digest.model import Freshness

_FIRST_INTERVAL = timedelta(hours=1)
_MIN_INTERVAL, _MAX_INTERVAL = timedelta(minutes=15), timedelta(hours=24)
_SHRINK_FACTOR, _GROWTH_FACTOR = 0.5, 1.2
"""Factors for the interval after news and after none; they lead to about four visits per news item."""
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
    """Return the new interval of a feed, and when to request it next.

    Args:
        interval: the last interval; zero at the first visit.
        has_news: whether this visit returned something new.
        fresh_for: how long the answer stays fresh, by its headers.
        freshness: what the feed says about it.
        now: the time of this visit.
        jitter: random number from 0 to 1, which delays the visit by up to a tenth.

    Returns:
        The interval, from 15 minutes to a day; and an instant after ``now``, outside the hours and days that
        the feed wants to be skipped (RSS 2.0, ``skipHours`` and ``skipDays``), unless it wants all to be
        skipped.
    """
    next_interval = _adapt_interval(interval, has_news=has_news)
    minimum_waits = [next_interval, fresh_for, freshness.ttl if freshness else None]
    wait = min(max(minimum for minimum in minimum_waits if minimum is not None), _MAX_INTERVAL)
    visit_at = now + wait * (1 + _MAX_JITTER * jitter)
    return next_interval, _move_outside_skipped(visit_at, freshness, jitter) if freshness else visit_at


def is_permanent_move(count: int, first_at: datetime, last_at: datetime) -> bool:
    """Return True if a permanent redirect is adopted.

    Servers under maintenance send such redirects by mistake, so 5 are needed, over at least 2 days.

    Args:
        count: number of consecutive redirects.
        first_at: the time of the first one.
        last_at: the time of the last one.
    """
    return count >= _MIN_MOVED_COUNT and last_at - first_at >= _MIN_MOVED_PERIOD


def _adapt_interval(interval: timedelta, *, has_news: bool) -> timedelta:
    if not interval:
        return _FIRST_INTERVAL
    return min(max(interval * (_SHRINK_FACTOR if has_news else _GROWTH_FACTOR), _MIN_INTERVAL), _MAX_INTERVAL)


def _move_outside_skipped(visit_at: datetime, freshness: Freshness, jitter: float) -> datetime:
    """Return the time itself, or else a time soon after the beginning of the next hour that is not skipped."""
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
