"""Claims under the rate limits of sending: in total, by channel and by the recipient's domain.

The decisions are in ``core/delivery/throttling/rates.py`` and
``core/delivery/throttling/domain_queues.py``; this module locks the rows of the rates, claims what they
allow and saves what was spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from digest.config import DeliverySettings
from digest.core.delivery.throttling.domain_queues import DomainRates, Times, admit_deliveries
from digest.core.delivery.throttling.rates import (
    Bucket,
    Rate,
    compute_allowance,
    compute_slowdown,
    record_spending,
)
from digest.jobs.delivery.sender_pool import BATCH_SIZE
from digest.jobs.http.fetch import Clock
from digest.model import Deferred, Delivery, Fault, Receipt
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, rates
from digest.store.delivery.queue_positions import QUEUE_FRONT, ClaimScope, QueuePosition


class ClaimResult(NamedTuple):
    """The result of a claim.

    Attributes:
        deliveries: leased deliveries.
        wait: time until a rate allows more; None if no rate is exhausted.
        limit: maximum number of deliveries that the rates allowed.
    """

    deliveries: tuple[Delivery, ...] = ()
    wait: timedelta | None = None
    limit: int = 0


@dataclass(slots=True, kw_only=True)
class SendRate:
    """The rates of one configuration, and the domains that asked for less mail.

    Attributes:
        settings: the configured rates.
        machine_clock: returns the machine's time.
    """

    settings: DeliverySettings
    machine_clock: Clock
    _slowdowns: Mapping[str, float] = field(default_factory=dict, init=False)  # by domain, as last loaded

    def load_slow_domains(self, tx: Transaction, now: datetime) -> None:
        """Load the domains that asked for less mail, and by which factor each is slowed down."""
        factors = {
            domain: compute_slowdown(*slowdown, now)
            for domain, slowdown in rates.list_slow_domains(tx).items()
        }
        self._slowdowns = {domain: factor for domain, factor in factors.items() if factor > 1}

    def slow_down_domains(
        self, tx: Transaction, answered: Iterable[tuple[Delivery, Receipt]], now: datetime
    ) -> None:
        """Slow down the domains that asked for less mail."""
        for delivery, receipt in answered:
            if isinstance(receipt, Deferred) and receipt.fault is Fault.DOMAIN and delivery.domain:
                slowdown = self._slowdowns.get(delivery.domain, 1.0)
                rates.reduce_domain_rate(
                    tx, delivery.domain, slowdown, now, receipt.answer, receipt.retry_after
                )
                self.load_slow_domains(tx, now)

    def claim(
        self,
        tx: Transaction,
        channel: str,
        limit: int,
        token: int,
        now: datetime,
        *,
        after: QueuePosition = QUEUE_FRONT,
        before: QueuePosition | None = None,
        scope: ClaimScope = ClaimScope.ALL,
    ) -> ClaimResult:
        """Claim deliveries that may be sent now; fewer than a batch are not claimed if a rate allows more in a moment.

        Args:
            tx: a writing transaction.
            channel: the name of the channel.
            limit: maximum number of deliveries.
            token: the token of this process.
            now: the time of the command, UTC.
            after: the position after which to begin.
            before: the position before which to end, as in ``outbox.claim_deliveries``.
            scope: which deliveries.
        """
        times = Times(command=now, machine=self.machine_clock())
        rated_buckets = self._lock_buckets(tx, channel, times.machine)
        allowance = compute_allowance(rated_buckets, limit, BATCH_SIZE, times.machine)
        if allowance.wait is not None:
            return ClaimResult(wait=allowance.wait)
        domain_rates = DomainRates(configured=self.settings.domains, slowdowns=self._slowdowns)
        admission = _DomainAdmission(tx=tx, domain_rates=domain_rates, times=times)
        deliveries = outbox.claim_deliveries(
            tx,
            channel,
            token,
            now,
            allowance.count,
            admit=admission.admit,
            after=after,
            before=before,
            scope=scope,
        )
        rates.save_buckets(tx, list(admission.buckets.values()))
        if deliveries:
            _spend_rates(tx, rated_buckets, len(deliveries), times.machine)
        return ClaimResult(deliveries=deliveries, limit=allowance.count)

    def _lock_buckets(
        self, tx: Transaction, channel: str, machine_now: datetime
    ) -> list[tuple[Rate, Bucket]]:
        """Lock the rates that apply to all deliveries of a claim, in the same order in every process."""
        channel_bucket = rates.make_channel_bucket_name(channel)
        applied_rates: dict[str, Rate] = {}
        if self.settings.rate:
            applied_rates[rates.ALL_MESSAGES_BUCKET] = self.settings.rate
        if channel in self.settings.rates:
            applied_rates[channel_bucket] = self.settings.rates[channel]
        names = set(applied_rates)
        if self._slowdowns or self.settings.domains:
            # This row is locked before any domain: two processes that lock domains in different orders would deadlock.
            names.add(channel_bucket)
        locked_buckets = rates.lock_buckets(tx, names, machine_now)
        return [(rate, locked_buckets[name]) for name, rate in sorted(applied_rates.items())]


def _spend_rates(
    tx: Transaction, rated_buckets: Sequence[tuple[Rate, Bucket]], count: int, machine_now: datetime
) -> None:
    """Record in several rates that a number of messages is sent now."""
    changed = [
        replace(bucket, spent_to=record_spending(rate, bucket.spent_to, machine_now, count))
        for rate, bucket in rated_buckets
    ]
    rates.save_buckets(tx, changed)


@dataclass(slots=True, kw_only=True)
class _DomainAdmission:
    """The admission policy of one claim, and the buckets of domains that it locked and changed."""

    tx: Transaction
    domain_rates: DomainRates
    times: Times
    buckets: dict[str, Bucket] = field(default_factory=dict)

    def admit(
        self, candidates: Sequence[Delivery], limit: int
    ) -> tuple[Sequence[Delivery], Mapping[int, datetime]]:
        """Decide which deliveries are sent now, and until when others are postponed."""
        domains = self.domain_rates.list_limited(candidates) - self.buckets.keys()
        names = {domain: rates.make_domain_bucket_name(domain) for domain in domains}
        locked_buckets = rates.lock_buckets(self.tx, names.values(), self.times.machine)
        self.buckets |= {domain: locked_buckets[name] for domain, name in names.items()}
        admission = admit_deliveries(candidates, limit, self.buckets, self.domain_rates, self.times)
        self.buckets |= admission.buckets
        return admission.admitted, admission.postponed
