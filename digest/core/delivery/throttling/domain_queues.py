"""Queues of the recipients' domains: which deliveries may be sent now, and when the others may.

A delivery that exceeds the rate of its domain is postponed once, to its own place in the queue of that domain, so a backlog
for one domain is not scanned again and again. That place only says when to look again; whether there is capacity is decided
by the rate itself, so unused places do not add up to a right to send.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from digest.core.delivery.throttling.rates import Bucket, Rate, compute_next_time, count_free, record_spending
from digest.model import Delivery

_DEFAULT_RATE = Rate(10, timedelta(seconds=1))
"""Rate assumed for a domain that has none; back-off halves it."""
_MAX_QUEUE = timedelta(days=2)
"""Longest queue. A longer one means a wrong clock; later entries wrap around."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainRates:
    """The rates of all domains.

    Attributes:
        configured: rates by domain; ``*`` is for all other domains.
        slowdowns: by which factor domains that asked for less mail are slowed down.
    """

    configured: Mapping[str, Rate]
    slowdowns: Mapping[str, float]

    def find_rate(self, domain: str) -> Rate | None:
        """Return the rate of a domain without its slowdown; None if there is no limit."""
        if not domain:
            return None
        default = _DEFAULT_RATE if domain in self.slowdowns else None
        return self.configured.get(domain) or self.configured.get("*") or default

    def list_limited(self, deliveries: Iterable[Delivery]) -> set[str]:
        """List the domains of some deliveries that have a rate."""
        return {delivery.domain for delivery in deliveries if self.find_rate(delivery.domain)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The current time by two clocks.

    Attributes:
        command: time of the command, by which deliveries are due and domains are paused.
        machine: time of the machine, by which rates count.
    """

    command: datetime
    machine: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Which of some deliveries may be sent.

    Attributes:
        admitted: those that may be sent now.
        postponed: until when others are postponed, by id; all others stay where they are.
        buckets: the buckets of the domains afterwards, by domain.
    """

    admitted: Sequence[Delivery]
    postponed: Mapping[int, datetime]
    buckets: Mapping[str, Bucket]


def admit_deliveries(
    candidates: Sequence[Delivery],
    limit: int,
    buckets: Mapping[str, Bucket],
    domain_rates: DomainRates,
    times: Times,
) -> Admission:
    """Decide which deliveries are sent now, and until when those are postponed that exceed the rate of their domain.

    Args:
        candidates: deliveries that are due, in the order in which they are to be sent.
        limit: maximum number of admitted deliveries.
        buckets: the buckets of all domains that have a rate, by domain.
        domain_rates: the rates.
        times: the current time.
    """
    changed = dict(buckets)
    admitted: list[Delivery] = []
    postponed: dict[int, datetime] = {}
    for delivery in candidates:
        is_full = len(admitted) == limit
        rate = domain_rates.find_rate(delivery.domain)
        if rate is None:
            if not is_full:
                admitted.append(delivery)
            continue
        bucket = changed[delivery.domain]
        slowdown = domain_rates.slowdowns.get(delivery.domain, 1.0)
        if _may_send(bucket, rate, slowdown, times, is_queued=delivery.paced):
            if not is_full:
                admitted.append(delivery)
                spent_to = record_spending(rate, bucket.spent_to, times.machine, 1, slowdown)
                changed[delivery.domain] = replace(bucket, spent_to=spent_to)
            continue
        due_at = _find_queue_end(bucket, rate, slowdown, times)
        changed[delivery.domain] = replace(bucket, queued_to=due_at + rate.compute_interval(slowdown))
        postponed[delivery.id] = times.command + (due_at - times.machine)
    return Admission(admitted=admitted, postponed=postponed, buckets=changed)


def _may_send(bucket: Bucket, rate: Rate, slowdown: float, times: Times, *, is_queued: bool) -> bool:
    """Return True if a delivery may be sent now: it does not overtake the queue, and the rate has capacity."""
    is_overtaking = _get_queue_end(bucket, times) > times.machine and not is_queued
    return (
        _find_pause_end(bucket, times) <= times.machine
        and not is_overtaking
        and count_free(rate, bucket.spent_to, times.machine, slowdown) > 0
    )


def _find_queue_end(bucket: Bucket, rate: Rate, slowdown: float, times: Times) -> datetime:
    """Return when a delivery at the end of the queue may be sent, by the machine's clock; always in the future."""
    return max(
        _get_queue_end(bucket, times),
        compute_next_time(rate, bucket.spent_to, 1, slowdown),
        _find_pause_end(bucket, times),
        times.machine + rate.compute_interval(slowdown),
    )


def _get_queue_end(bucket: Bucket, times: Times) -> datetime:
    """Return up to when places in the queue are taken."""
    queued_to = bucket.queued_to or times.machine
    return times.machine if queued_to > times.machine + _MAX_QUEUE else queued_to


def _find_pause_end(bucket: Bucket, times: Times) -> datetime:
    """Return when the pause of a domain ends, by the machine's clock; now if it is not paused."""
    if bucket.paused_until is None or bucket.paused_until <= times.command:
        return times.machine
    return times.machine + (bucket.paused_until - times.command)
