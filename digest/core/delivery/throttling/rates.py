"""Sending rates: messages per second, minute, hour or day, spread evenly.

They use the generic cell rate algorithm (ITU-T I.371, annex A). The state of a rate is one instant: the time
at which everything sent so far would have been sent at an even rate. It may be ahead of the current time by
the burst.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.errors import ConfigError

_UNITS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_RATE_TEXT = re.compile(r"\s*(\d{1,9})\s*/\s*(second|minute|hour|day)s?\s*")
_SLOWDOWN_HALF_LIFE = timedelta(minutes=10)
_MAX_AHEAD = timedelta(days=2)
"""Maximum time by which the state may be ahead; no message waits so long, so a later one is due to a wrong clock."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of messages in a period.

    Attributes:
        messages: at least 1.
        per: the period, at most a day.
    """

    messages: int
    per: timedelta

    def compute_interval(self, slowdown: float = 1.0) -> timedelta:
        """Return the time from one message to the next.

        Args:
            slowdown: factor by which the rate is reduced.
        """
        return self.per * slowdown / self.messages

    @property
    def burst(self) -> int:
        """Maximum number of messages at once after an idle period: those of one second, at least one."""
        return max(1, int(timedelta(seconds=1) / self.compute_interval()))

    def __str__(self) -> str:
        """Return the rate in the notation of the configuration file."""
        unit = next(name for name, per in _UNITS.items() if per == self.per)
        return f"{self.messages}/{unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """The state of a rate, shared by all processes.

    Attributes:
        name: the name in the store.
        spent_to: as ``record_spending`` returned it, by the machine's clock.
        queued_to: end of the reserved part of the queue, by the machine's clock; None if nothing was ever reserved.
        paused_until: end of the last pause, by the time of the command; None if there was none.
    """

    name: str
    spent_to: datetime
    queued_to: datetime | None = None
    paused_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of messages that several rates together allow now.

    Attributes:
        count: messages that may be sent.
        wait: time until there is capacity for more; None if no rate is exhausted.
    """

    count: int
    wait: timedelta | None = None


def parse_rate(text: str) -> Rate:
    """Parse a rate: ``100/second``, ``20/minute``, ``1000/hour``, ``5000/day``.

    Raises:
        ConfigError: the text is invalid; the message shows valid ones.
    """
    match = _RATE_TEXT.fullmatch(text.lower())
    if not match or not int(match[1]):
        raise ConfigError(
            f'{text!r} is not a rate; write "100/second", "20/minute", "1000/hour" or "5000/day", or remove it'
        )
    rate = Rate(int(match[1]), _UNITS[match[2]])
    if rate.compute_interval() < timedelta.resolution:
        raise ConfigError(f"{text!r} is more than a million a second, which limits nothing; remove it")
    return rate


def count_free(rate: Rate, spent_to: datetime, now: datetime, slowdown: float = 1.0) -> int:
    """Return how many messages may be sent now.

    Args:
        rate: the rate.
        spent_to: the result of ``record_spending``; any past instant if nothing was sent.
        now: the current time of the machine.
        slowdown: factor by which the rate is reduced.
    """
    interval = rate.compute_interval(slowdown)
    if spent_to > now + _MAX_AHEAD:
        return rate.burst
    return max(0, min(rate.burst, (now - spent_to) // interval + rate.burst))


def record_spending(
    rate: Rate, spent_to: datetime, now: datetime, count: int, slowdown: float = 1.0
) -> datetime:
    """Return the instant up to which the rate is spent after sending ``count`` messages now."""
    if spent_to > now + _MAX_AHEAD:
        spent_to = now
    return max(spent_to, now) + count * rate.compute_interval(slowdown)


def compute_next_time(rate: Rate, spent_to: datetime, count: int, slowdown: float = 1.0) -> datetime:
    """Return when ``count`` messages may be sent, if none is sent before; ``count`` is at most ``burst``."""
    return spent_to + (count - rate.burst) * rate.compute_interval(slowdown)


def compute_allowance(
    rated_buckets: Sequence[tuple[Rate, Bucket]], limit: int, batch_size: int, now: datetime
) -> Allowance:
    """Compute how many messages may be sent now under several rates at once.

    Args:
        rated_buckets: the rates, each with its state.
        limit: maximum number of messages.
        batch_size: with capacity for fewer messages than this, none are allowed if a rate allows more in a moment.
        now: the machine's time.
    """
    for rate, bucket in rated_buckets:
        min_count = min(limit, rate.burst, batch_size)
        free_count = count_free(rate, bucket.spent_to, now)
        if free_count < min_count:
            return Allowance(0, compute_next_time(rate, bucket.spent_to, min_count) - now)
        limit = min(limit, free_count)
    return Allowance(limit)


def compute_slowdown(slowdown: float, since: datetime, now: datetime) -> float:
    """Return the current slowdown, which halves every ten minutes until it is 1.

    Args:
        slowdown: the slowdown at the beginning.
        since: the time of the beginning.
        now: the current time.
    """
    halvings = max(0, (now - since) // _SLOWDOWN_HALF_LIFE)
    return max(1.0, slowdown / 2.0 ** min(halvings, 64))
