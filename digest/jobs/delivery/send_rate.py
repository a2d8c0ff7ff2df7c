"""Rate limits of sending: in total, by channel and by the recipient's domain.

A rate says how many of the claimed deliveries may be sent now. A delivery that exceeds the rate of its domain is postponed once, to
its own place in the queue of that domain, so a backlog for one domain is not scanned again and again. That place only
says when to look again; whether there is room is decided by the rate itself, so late turns do no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from digest.config import DeliverySettings
from digest.core.delivery.rates import Rate, compute_next_time, compute_slowdown, count_free, record_spending
from digest.jobs.delivery.sender_pool import BATCH_SIZE
from digest.jobs.http.fetch import Clock
from digest.model import Deferred, Delivery, Fault, Receipt
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, rates
from digest.store.delivery.outbox import QUEUE_FRONT, ClaimScope, QueuePosition
from digest.store.delivery.rates import Bucket

_DEFAULT_DOMAIN_RATE = Rate(10, timedelta(seconds=1))
"""Rate assumed for a domain that has none; back-off halves it."""
_MAX_QUEUE = timedelta(days=2)
"""Longest queue. A longer one means a wrong clock; later entries wrap around."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResult:
    """The result of a claim.

    Attributes:
        deliveries: leased deliveries.
        wait: time until a rate allows more; None if no rate is exhausted.
    """

    deliveries: tuple[Delivery, ...] = ()
    wait: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SendRate:
    """The rates of one configuration.

    Attributes:
        settings: the configured rates.
        machine_clock: returns the machine's time.
    """

    settings: DeliverySettings
    machine_clock: Clock

    def load_slow_domains(self, tx: Transaction, now: datetime) -> Mapping[str, float]:
        """Load the domains that asked for less mail, and by which factor each is slowed down."""
        factors = {
            domain: compute_slowdown(*slowdown, now)
            for domain, slowdown in rates.list_slow_domains(tx).items()
        }
        return {domain: factor for domain, factor in factors.items() if factor > 1}

    def claim(
        self,
        tx: Transaction,
        channel: str,
        limit: int,
        token: int,
        now: datetime,
        *,
        batch_size: int,
        slow_domains: Mapping[str, float],
        after: QueuePosition = QUEUE_FRONT,
        scope: ClaimScope = ClaimScope.ALL,
    ) -> ClaimResult:
        """Claim deliveries that may be sent now.

        Args:
            tx: a writing transaction.
            channel: the name of the channel.
            limit: the most deliveries.
            token: the worker's token.
            now: the time of the command, UTC.
            batch_size: fewer deliveries than this are not claimed if the rate allows more in a moment.
            slow_domains: as ``load_slow_domains`` returned them.
            after: where to begin.
            scope: which deliveries.
        """
        machine_now = self.machine_clock()
        rated_buckets = self._lock_buckets(tx, channel, machine_now, by_domain=bool(slow_domains))
        for rate, bucket in rated_buckets:
            min_count = min(limit, rate.burst, batch_size)
            free_count = count_free(rate, bucket.spent_to, machine_now)
            if free_count < min_count:
                return ClaimResult(wait=compute_next_time(rate, bucket.spent_to, min_count) - machine_now)
            limit = min(limit, free_count)
        queues = _DomainQueues(
            tx=tx, limits=self.settings.domains, slow_domains=slow_domains, now=now, machine_now=machine_now
        )
        deliveries = outbox.claim_deliveries(
            tx, channel, token, now, limit, admit=queues.admit_deliveries, after=after, scope=scope
        )
        queues.save()
        for rate, bucket in rated_buckets:
            bucket.spent_to = record_spending(rate, bucket.spent_to, machine_now, len(deliveries))
        rates.save_buckets(tx, [bucket for _, bucket in rated_buckets] if deliveries else [])
        return ClaimResult(deliveries=deliveries)

    def _lock_buckets(
        self, tx: Transaction, channel: str, machine_now: datetime, *, by_domain: bool
    ) -> list[tuple[Rate, Bucket]]:
        """Lock the rates that apply to all deliveries of a claim, in the same order in every process."""
        required_rates: dict[str, Rate] = {}
        if self.settings.rate:
            required_rates[rates.ALL_MESSAGES_BUCKET] = self.settings.rate
        if channel in self.settings.rates:
            required_rates[rates.make_channel_bucket_name(channel)] = self.settings.rates[channel]
        # This row is locked before any domain: two processes that lock domains in different orders would deadlock.
        channel_bucket = (
            {rates.make_channel_bucket_name(channel)} if by_domain or self.settings.domains else set()
        )
        locked_buckets = rates.lock_buckets(tx, required_rates.keys() | channel_bucket, machine_now)
        return [(rate, locked_buckets[name]) for name, rate in sorted(required_rates.items())]


@dataclass(slots=True, kw_only=True)
class ClaimCursor:
    """The claims of one pass by one process: its position in the due deliveries, and the slowed domains.

    Attributes:
        send_rate: the rates.
        token: the process's token.
        start_share: where it begins in the due deliveries, from 0 to 1.
        slow_domains: as last loaded.
    """

    send_rate: SendRate
    token: int
    start_share: float
    slow_domains: Mapping[str, float] = field(default_factory=dict, init=False)
    _reached_positions: dict[str, QueuePosition] = field(default_factory=dict, init=False)
    _reached_unproven: dict[str, QueuePosition] = field(default_factory=dict, init=False)
    _without_unproven: set[str] = field(default_factory=set, init=False)  # channels

    def claim_ordinary(self, tx: Transaction, channel: str, limit: int, now: datetime) -> ClaimResult:
        """Claim deliveries that are no suspects, after the last claimed one."""
        after = self._reached_positions.get(channel) or outbox.choose_start_position(
            tx, channel, self.start_share
        )
        claim = self._claim(tx, channel, limit, now, scope=ClaimScope.ORDINARY, after=after)
        if claim.deliveries:
            self._reached_positions[channel] = QueuePosition.from_delivery(claim.deliveries[-1])
        return claim

    def claim_unproven(self, tx: Transaction, channel: str, limit: int, now: datetime) -> Sequence[Delivery]:
        """Claim suspects that go first.

        The index does not know suspects, so each claim continues after the last one: together they scan the due deliveries
        about twice a pass.
        """
        after = self._reached_unproven.get(channel, QUEUE_FRONT)
        claim = self._claim(tx, channel, limit, now, scope=ClaimScope.UNPROVEN, after=after)
        if claim.deliveries:
            self._reached_unproven[channel] = QueuePosition.from_delivery(claim.deliveries[-1])
        if len(claim.deliveries) < limit and claim.wait is None:
            self._without_unproven.add(channel)
        return claim.deliveries

    def may_find_unproven(self, channel: str) -> bool:
        """Whether there may be more suspects of a channel that go first."""
        return channel not in self._without_unproven

    def claim_suspect(self, tx: Transaction, channel: str, now: datetime) -> ClaimResult:
        """Claim the first suspect."""
        return self._claim(tx, channel, 1, now, scope=ClaimScope.SUSPECT, after=QUEUE_FRONT)

    def _claim(
        self,
        tx: Transaction,
        channel: str,
        limit: int,
        now: datetime,
        *,
        scope: ClaimScope,
        after: QueuePosition,
    ) -> ClaimResult:
        return self.send_rate.claim(
            tx,
            channel,
            limit,
            self.token,
            now,
            batch_size=BATCH_SIZE,
            slow_domains=self.slow_domains,
            after=after,
            scope=scope,
        )

    def load_slow_domains(self, tx: Transaction, now: datetime) -> None:
        """Reload the domains that asked for less mail."""
        self.slow_domains = self.send_rate.load_slow_domains(tx, now)

    def slow_down_domains(
        self, tx: Transaction, answered: Iterable[tuple[Delivery, Receipt]], now: datetime
    ) -> None:
        """Slow down the domains that asked for less mail."""
        for delivery, receipt in answered:
            if isinstance(receipt, Deferred) and receipt.fault is Fault.DOMAIN and delivery.domain:
                factor = self.slow_domains.get(delivery.domain, 1.0)
                rates.reduce_domain_rate(
                    tx, delivery.domain, factor, now, receipt.answer, receipt.retry_after
                )
                self.load_slow_domains(tx, now)


@dataclass(slots=True, kw_only=True)
class _DomainQueues:
    """The domains of the deliveries in one transaction."""

    tx: Transaction
    limits: Mapping[str, Rate]
    slow_domains: Mapping[str, float]
    now: datetime
    machine_now: datetime
    buckets: dict[str, Bucket] = field(default_factory=dict)

    def admit_deliveries(
        self, candidates: Sequence[Delivery], limit: int
    ) -> tuple[Sequence[Delivery], Mapping[int, datetime]]:
        """Decide which deliveries go now, and until when those are postponed that exceed the rate of their domain."""
        limited_domains = {delivery.domain for delivery in candidates if self._get_rate(delivery.domain)}
        self.buckets |= rates.lock_buckets(
            self.tx,
            {rates.make_domain_bucket_name(domain) for domain in limited_domains} - self.buckets.keys(),
            self.machine_now,
        )
        admitted: list[Delivery] = []
        postponed: dict[int, datetime] = {}
        for delivery in candidates:
            if len(admitted) == limit and delivery.domain not in limited_domains:
                continue
            due_at = (
                self._schedule_delivery(delivery, is_full=len(admitted) == limit)
                if delivery.domain in limited_domains
                else self.machine_now
            )
            if due_at is None:
                continue
            if due_at <= self.machine_now:
                admitted.append(delivery)
            else:
                postponed[delivery.id] = self.now + (due_at - self.machine_now)
        return admitted, postponed

    def _get_rate(self, domain: str) -> Rate | None:
        if not domain:
            return None
        return (
            self.limits.get(domain)
            or self.limits.get("*")
            or (_DEFAULT_DOMAIN_RATE if domain in self.slow_domains else None)
        )

    def _schedule_delivery(self, delivery: Delivery, *, is_full: bool) -> datetime | None:
        """Return when a delivery may go: now, or at the end of its domain's queue; None to leave it where it is."""
        bucket = self.buckets[rates.make_domain_bucket_name(delivery.domain)]
        rate, factor = self._get_rate(delivery.domain), self.slow_domains.get(delivery.domain, 1.0)
        assert rate is not None
        queued_to = bucket.queued_to or self.machine_now
        if queued_to > self.machine_now + _MAX_QUEUE:
            queued_to = self.machine_now
        open_at = self.machine_now
        if bucket.paused_until is not None and bucket.paused_until > self.now:
            open_at += bucket.paused_until - self.now
        is_queue_waiting = queued_to > self.machine_now and not delivery.paced
        if (
            open_at <= self.machine_now
            and not is_queue_waiting
            and count_free(rate, bucket.spent_to, self.machine_now, factor)
        ):
            if is_full:
                return None
            bucket.spent_to = record_spending(rate, bucket.spent_to, self.machine_now, 1, factor)
            return self.machine_now
        room_at = compute_next_time(rate, bucket.spent_to, 1, factor)
        due_at = max(queued_to, room_at, open_at, self.machine_now + rate.compute_interval(factor))
        bucket.queued_to = due_at + rate.compute_interval(factor)
        return due_at

    def save(self) -> None:
        """Save the changed rates and queues."""
        rates.save_buckets(self.tx, list(self.buckets.values()))
