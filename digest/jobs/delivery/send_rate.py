"""Claims under the rate limits of sending: in total, by channel and by the recipient's domain.

The decisions are in ``core/delivery/rates.py`` and ``core/delivery/domain_queues.py``; this module locks the rows of the
rates, claims what they allow and saves what was spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from digest.config import DeliverySettings
from digest.core.delivery.domain_queues import DomainRates, Times, admit_deliveries
from digest.core.delivery.rates import Bucket, Rate, compute_allowance, compute_slowdown, record_spending
from digest.jobs.delivery.sender_pool import BATCH_SIZE
from digest.jobs.http.fetch import Clock
from digest.model import Deferred, Delivery, Fault, Receipt
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, rates
from digest.store.delivery.outbox import QUEUE_FRONT, ClaimScope, QueuePosition


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
        times = Times(command=now, machine=self.machine_clock())
        rated_buckets = self._lock_buckets(tx, channel, times.machine, by_domain=bool(slow_domains))
        allowance = compute_allowance(rated_buckets, limit, batch_size, times.machine)
        if allowance.wait is not None:
            return ClaimResult(wait=allowance.wait)
        domain_rates = DomainRates(configured=self.settings.domains, slowdowns=slow_domains)
        admission = _DomainAdmission(tx=tx, domain_rates=domain_rates, times=times)
        deliveries = outbox.claim_deliveries(
            tx, channel, token, now, allowance.count, admit=admission.admit, after=after, scope=scope
        )
        rates.save_buckets(tx, list(admission.buckets.values()))
        if deliveries:
            rates.save_buckets(
                tx,
                [
                    replace(
                        bucket,
                        spent_to=record_spending(rate, bucket.spent_to, times.machine, len(deliveries)),
                    )
                    for rate, bucket in rated_buckets
                ],
            )
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
