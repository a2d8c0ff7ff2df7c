"""Rates: so many messages a second, a minute, an hour or a day, spread evenly.

The generic cell rate algorithm (ITU-T I.371, annex A): a rate is kept with one instant, at which all that went out so
far would have gone out if it had gone evenly. What is free now is how far that instant may still be ahead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.errors import ConfigError

_PER = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_WRITTEN = re.compile(r"\s*(\d{1,9})\s*/\s*(second|minute|hour|day)s?\s*")
_WEARS_OFF = timedelta(minutes=10)
_AHEAD = timedelta(days=2)
"""Longer than any rate makes a message wait for the next one; what is further ahead was made by a wrong clock."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many messages in a time.

    Attributes:
        messages: at least 1.
        per: the time, at most a day.
    """

    messages: int
    per: timedelta

    def interval(self, slowed: float = 1.0) -> timedelta:
        """The time from one message to the next.

        Args:
            slowed: how many times slower than it says it is to be.
        """
        return self.per * slowed / self.messages

    @property
    def burst(self) -> int:
        """How many may go at once after a quiet time: as many as in an even second, and at least one."""
        return max(1, int(timedelta(seconds=1) / self.interval()))

    def __str__(self) -> str:
        """As it is written in the file."""
        unit = next(name for name, per in _PER.items() if per == self.per)
        return f"{self.messages}/{unit}"


def parse_rate(text: str) -> Rate:
    """Read a rate as people write it: ``100/second``, ``20/minute``, ``1000/hour``, ``5000/day``.

    Raises:
        ConfigError: what would be right.
    """
    found = _WRITTEN.fullmatch(text.lower())
    if not found or not int(found[1]):
        raise ConfigError(
            f'{text!r} is no rate; write "100/second", "20/minute", "1000/hour" or "5000/day", or leave it away'
        )
    return Rate(int(found[1]), _PER[found[2]])


def free(rate: Rate, spent_to: datetime, now: datetime, slowed: float = 1.0) -> int:
    """How many messages may go now.

    Args:
        rate: the rate.
        spent_to: as ``spend`` gave it; any instant in the past for one of which nothing has gone out.
        now: the machine's time.
        slowed: how many times slower it is to be.
    """
    interval = rate.interval(slowed)
    if spent_to > now + _AHEAD:
        return rate.burst
    return max(0, min(rate.burst, (now - spent_to) // interval + rate.burst))


def spend(rate: Rate, spent_to: datetime, now: datetime, count: int, slowed: float = 1.0) -> datetime:
    """Up to when the rate is spent after a number of messages that go now."""
    if spent_to > now + _AHEAD:
        spent_to = now
    return max(spent_to, now) + count * rate.interval(slowed)


def again_at(rate: Rate, spent_to: datetime, count: int, slowed: float = 1.0) -> datetime:
    """When that many messages may go, if none goes before; at most ``burst`` ever may."""
    return spent_to + (count - rate.burst) * rate.interval(slowed)


def slowed_now(slowed: float, since: datetime, now: datetime) -> float:
    """How many times slower something still is that was slowed down: half as much after every ten minutes.

    Args:
        slowed: how many times slower it was made.
        since: when it was.
        now: the time.
    """
    steps = max(0, (now - since) // _WEARS_OFF)
    return max(1.0, slowed / 2.0 ** min(steps, 64))
