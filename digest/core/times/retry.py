"""How long to wait before trying again. Nothing here ever gives up: who gives up says so elsewhere."""

from __future__ import annotations

from datetime import datetime, timedelta

from digest.core.times.http_time import http_date

_FIRST = timedelta(minutes=5)
_PULL_MOST = timedelta(hours=2)
_FEED_MOST, _FEED_SELDOM = timedelta(hours=24), timedelta(days=7)
_FEED_PATIENCE = timedelta(days=30)
_DELIVERY = (1, 2, 5, 15, 60, 180, 360)
"""Minutes; the last one again and again."""
_UNKNOWN = timedelta(minutes=15)
"""What may have arrived is not sent again before; by then the other side has most often said what became of it."""
_IMPOSED_LEAST, _IMPOSED_MOST = timedelta(seconds=1), timedelta(hours=24)
_OUTAGE, _OUTAGE_MOST = timedelta(minutes=1), timedelta(minutes=30)
_DELIVERY_JITTER = 0.25
_JITTER = 0.1
"""So much longer a pause is at most, so that not all who failed together come again together."""


def pull_pause(fruitless: int, jitter: float) -> timedelta:
    """The pause after attempts in a row that brought nothing of what was due: 5 minutes, doubling, to 2 hours.

    Args:
        fruitless: how many, at least 1.
        jitter: from 0 to 1, by chance: up to a tenth longer.
    """
    return _doubled(fruitless, _PULL_MOST) * (1 + _JITTER * jitter)


def feed_pause(errors: int, jitter: float) -> timedelta:
    """The pause after errors in a row of a feed without days: 5 minutes, doubling, to a day; after 30 days a week.

    Args:
        errors: how many, at least 1.
        jitter: from 0 to 1, by chance: up to a tenth longer.
    """
    pause = _FEED_SELDOM if errors > _FEED_PATIENT else _doubled(errors, _FEED_MOST)
    return pause * (1 + _JITTER * jitter)


def delivery_pause(attempts: int, jitter: float) -> timedelta:
    """The pause after a number of attempts at a delivery, from a minute to six hours.

    Args:
        attempts: how many there were, at least 1.
        jitter: from 0 to 1, by chance: up to a quarter longer.
    """
    return timedelta(minutes=_DELIVERY[min(attempts, len(_DELIVERY)) - 1]) * (1 + _DELIVERY_JITTER * jitter)


def unknown_pause(attempts: int, jitter: float) -> timedelta:
    """The pause before a message that may have arrived is sent again: at least a quarter of an hour.

    Args:
        attempts: how many there were, at least 1.
        jitter: from 0 to 1, by chance: up to a quarter longer.
    """
    return max(delivery_pause(attempts, jitter), _UNKNOWN)


def outage_pause(times: int) -> timedelta:
    """The pause of a mail server that is in trouble for so many times in a row: a minute, doubling, to 30."""
    return min(_OUTAGE * (1 << min(times - 1, 10)), _OUTAGE_MOST)


def imposed_pause(retry_after: str, now: datetime) -> timedelta | None:
    """What a ``Retry-After`` header asks for, between a second and a day; None where it cannot be read.

    Both forms of RFC 9110, section 10.2.3: seconds, or a date.

    Args:
        retry_after: the header.
        now: by the clock of who wrote it.
    """
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        asked = timedelta(seconds=min(int(text[:9]), 10**7))
    elif until := http_date(text):
        asked = until - now
    else:
        return None
    return min(max(asked, _IMPOSED_LEAST), _IMPOSED_MOST)


def _doubled(count: int, most: timedelta) -> timedelta:
    return min(_FIRST * (1 << min(count - 1, 10)), most)


def _errors_within(patience: timedelta) -> int:
    """How many errors in a row, with their pauses, fit into a time."""
    count, waited = 0, timedelta(0)
    while waited < patience:
        count += 1
        waited += _doubled(count, _FEED_MOST)
    return count


_FEED_PATIENT = _errors_within(_FEED_PATIENCE)
