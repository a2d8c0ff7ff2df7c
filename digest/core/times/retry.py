"""Pauses before another attempt. These functions never give up; the callers decide that."""

from __future__ import annotations

from datetime import datetime, timedelta

from digest.core.times.http_time import parse_http_date

_FIRST_PAUSE = timedelta(minutes=5)
_MAX_PULL_PAUSE = timedelta(hours=2)
_MAX_FEED_PAUSE, _STALE_FEED_PAUSE = timedelta(hours=24), timedelta(days=7)
_FEED_STALE_AFTER = timedelta(days=30)
_DELIVERY_PAUSES = (1, 2, 5, 15, 60, 180, 360)
"""Pauses after consecutive attempts, in minutes; the last one repeats."""
_MIN_UNKNOWN_PAUSE = timedelta(minutes=15)
"""Minimum pause before a message that may have arrived is sent again.

In most cases the other side reports within this time what happened to it.
"""
_MIN_IMPOSED_PAUSE, _MAX_IMPOSED_PAUSE = timedelta(seconds=1), timedelta(hours=24)
_FIRST_OUTAGE_PAUSE, _MAX_OUTAGE_PAUSE = timedelta(minutes=1), timedelta(minutes=30)
_MAX_DELIVERY_JITTER = 0.25
_MAX_JITTER = 0.1
"""Maximum fraction by which jitter extends a pause, so that attempts that failed together are not repeated together."""


def compute_pull_pause(empty_attempts: int, jitter: float) -> timedelta:
    """Return the pause after consecutive attempts that returned nothing due: 5 minutes, doubling, up to 2 hours.

    Args:
        empty_attempts: number of such attempts, at least 1.
        jitter: random number from 0 to 1, which extends the pause by up to a tenth.
    """
    return _compute_backoff(empty_attempts, _MAX_PULL_PAUSE) * (1 + _MAX_JITTER * jitter)


def compute_feed_pause(errors: int, jitter: float) -> timedelta:
    """Return the pause after consecutive errors of a feed without days.

    It is 5 minutes, doubling, up to a day, and a week after 30 days of errors.

    Args:
        errors: number of errors, at least 1.
        jitter: random number from 0 to 1, which extends the pause by up to a tenth.
    """
    pause = _STALE_FEED_PAUSE if errors > _MAX_FEED_ERRORS else _compute_backoff(errors, _MAX_FEED_PAUSE)
    return pause * (1 + _MAX_JITTER * jitter)


def compute_delivery_pause(attempts: int, jitter: float) -> timedelta:
    """Return the pause after a number of attempts at a delivery, from a minute to six hours.

    Args:
        attempts: number of attempts, at least 1.
        jitter: random number from 0 to 1, which extends the pause by up to a quarter.
    """
    return timedelta(minutes=_DELIVERY_PAUSES[min(attempts, len(_DELIVERY_PAUSES)) - 1]) * (
        1 + _MAX_DELIVERY_JITTER * jitter
    )


def compute_unknown_pause(attempts: int, jitter: float) -> timedelta:
    """Return the pause before a message that may have arrived is sent again: at least 15 minutes.

    Args:
        attempts: number of attempts, at least 1.
        jitter: random number from 0 to 1, which extends the pause by up to a quarter.
    """
    return max(compute_delivery_pause(attempts, jitter), _MIN_UNKNOWN_PAUSE)


def compute_outage_pause(failures: int) -> timedelta:
    """Return the pause of a mail server after consecutive failures: a minute, doubling, up to 30."""
    return min(_FIRST_OUTAGE_PAUSE * (1 << min(failures - 1, 10)), _MAX_OUTAGE_PAUSE)


def parse_retry_after(retry_after: str, now: datetime) -> timedelta | None:
    """Parse a ``Retry-After`` header into a pause between a second and a day; return None if it is invalid.

    It is a number of seconds or a date (RFC 9110, section 10.2.3).

    Args:
        retry_after: the header.
        now: the current time, by the clock that wrote the header.
    """
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        requested = timedelta(seconds=min(int(text[:9]), 10**7))
    elif retry_at := parse_http_date(text):
        requested = retry_at - now
    else:
        return None
    return min(max(requested, _MIN_IMPOSED_PAUSE), _MAX_IMPOSED_PAUSE)


def _compute_backoff(count: int, limit: timedelta) -> timedelta:
    return min(_FIRST_PAUSE * (1 << min(count - 1, 10)), limit)


def _count_errors_within(period: timedelta) -> int:
    """Return how many consecutive errors, with their pauses, fit into a period."""
    count, elapsed = 0, timedelta(0)
    while elapsed < period:
        count += 1
        elapsed += _compute_backoff(count, _MAX_FEED_PAUSE)
    return count


_MAX_FEED_ERRORS = _count_errors_within(_FEED_STALE_AFTER)
