"""How long to wait before trying again. Nothing here ever gives up: who gives up says so elsewhere."""

from __future__ import annotations

from datetime import datetime, timedelta

from digest.core.times.http_time import parse_http_date

_FIRST_PAUSE = timedelta(minutes=5)
_MAX_PULL_PAUSE = timedelta(hours=2)
_MAX_FEED_PAUSE, _STALE_FEED_PAUSE = timedelta(hours=24), timedelta(days=7)
_FEED_STALE_AFTER = timedelta(days=30)
_DELIVERY_PAUSES = (1, 2, 5, 15, 60, 180, 360)
"""Minutes; the last one again and again."""
_MIN_UNKNOWN_PAUSE = timedelta(minutes=15)
"""What may have arrived is not sent again before; by then the other side has most often said what became of it."""
_MIN_IMPOSED_PAUSE, _MAX_IMPOSED_PAUSE = timedelta(seconds=1), timedelta(hours=24)
_FIRST_OUTAGE_PAUSE, _MAX_OUTAGE_PAUSE = timedelta(minutes=1), timedelta(minutes=30)
_MAX_DELIVERY_JITTER = 0.25
_MAX_JITTER = 0.1
"""So much longer a pause is at most, so that not all who failed together come again together."""


def compute_pull_pause(empty_attempts: int, jitter: float) -> timedelta:
    """The pause after attempts in a row that brought nothing of what was due: 5 minutes, doubling, to 2 hours.

    Args:
        empty_attempts: how many, at least 1.
        jitter: from 0 to 1, by chance: up to a tenth longer.
    """
    return _compute_backoff(empty_attempts, _MAX_PULL_PAUSE) * (1 + _MAX_JITTER * jitter)


def compute_feed_pause(errors: int, jitter: float) -> timedelta:
    """The pause after errors in a row of a feed without days: 5 minutes, doubling, to a day; after 30 days a week.

    Args:
        errors: how many, at least 1.
        jitter: from 0 to 1, by chance: up to a tenth longer.
    """
    pause = _STALE_FEED_PAUSE if errors > _MAX_FEED_ERRORS else _compute_backoff(errors, _MAX_FEED_PAUSE)
    return pause * (1 + _MAX_JITTER * jitter)


def compute_delivery_pause(attempts: int, jitter: float) -> timedelta:
    """The pause after a number of attempts at a delivery, from a minute to six hours.

    Args:
        attempts: how many there were, at least 1.
        jitter: from 0 to 1, by chance: up to a quarter longer.
    """
    return timedelta(minutes=_DELIVERY_PAUSES[min(attempts, len(_DELIVERY_PAUSES)) - 1]) * (
        1 + _MAX_DELIVERY_JITTER * jitter
    )


def compute_unknown_pause(attempts: int, jitter: float) -> timedelta:
    """The pause before a message that may have arrived is sent again: at least a quarter of an hour.

    Args:
        attempts: how many there were, at least 1.
        jitter: from 0 to 1, by chance: up to a quarter longer.
    """
    return max(compute_delivery_pause(attempts, jitter), _MIN_UNKNOWN_PAUSE)


def compute_outage_pause(failures: int) -> timedelta:
    """The pause of a mail server that is in trouble for so many times in a row: a minute, doubling, to 30."""
    return min(_FIRST_OUTAGE_PAUSE * (1 << min(failures - 1, 10)), _MAX_OUTAGE_PAUSE)


def parse_retry_after(retry_after: str, now: datetime) -> timedelta | None:
    """What a ``Retry-After`` header asks for, between a second and a day; None where it cannot be read.

    Both forms of RFC 9110, section 10.2.3: seconds, or a date.

    Args:
        retry_after: the header.
        now: by the clock of who wrote it.
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
    """How many errors in a row, with their pauses, fit into a time."""
    count, elapsed = 0, timedelta(0)
    while elapsed < period:
        count += 1
        elapsed += _compute_backoff(count, _MAX_FEED_PAUSE)
    return count


_MAX_FEED_ERRORS = _count_errors_within(_FEED_STALE_AFTER)
