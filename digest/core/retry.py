"""How long to wait before trying again. Nothing here ever gives up: who gives up says so elsewhere."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

_PULL_FIRST, _PULL_MOST = timedelta(minutes=5), timedelta(hours=2)
_DELIVERY = (1, 2, 5, 15, 60, 180, 360)
"""Minutes; the last one again and again."""
_IMPOSED_LEAST, _IMPOSED_MOST = timedelta(seconds=1), timedelta(hours=24)


def pull_pause(fruitless: int) -> timedelta:
    """The pause after attempts in a row that brought nothing of what was due: 5 minutes, doubling, to 2 hours."""
    return min(_PULL_FIRST * (1 << min(fruitless - 1, 10)), _PULL_MOST)


def delivery_pause(attempts: int) -> timedelta:
    """The pause after a number of attempts at a delivery, from a minute to six hours."""
    return timedelta(minutes=_DELIVERY[min(attempts, len(_DELIVERY)) - 1])


def imposed_pause(retry_after: str, now: datetime) -> timedelta | None:
    """What a ``Retry-After`` header asks for, between a second and a day; None where it cannot be read.

    Both forms of RFC 9110, section 10.2.3: seconds, or a date.
    """
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        asked = timedelta(seconds=min(int(text[:9]), 10**7))
    else:
        try:
            until = parsedate_to_datetime(text)
        except ValueError:
            return None
        asked = (until if until.tzinfo else until.replace(tzinfo=now.tzinfo)) - now
    return min(max(asked, _IMPOSED_LEAST), _IMPOSED_MOST)
