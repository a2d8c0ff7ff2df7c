"""Maintenance of a pass: leases, states of servers and domains, runs that are too large, channels that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.outbox import MAX_CLAIMED, DeliveryAttempt, OutboxEvent
from digest.jobs.delivery.send_rate import SendRate
from digest.jobs.delivery.servers import ServerTracker
from digest.model import Deferred
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, rates, receipts
from digest.store.delivery.outbox import LEASE_DURATION
from digest.store.delivery.receipts import RetryPolicy

_LEASE_RENEWAL_AGE = timedelta(minutes=1)
"""Renew the lease of a batch that has run for this long."""
_NO_SUCH_CHANNEL = Deferred(answer="the configuration no longer has this channel")


@dataclass(slots=True, kw_only=True)
class Maintenance:
    """Maintenance at intervals.

    Attributes:
        servers: the servers and their workers.
        send_rate: the rates, and the domains that asked for less mail.
        circuit_breaker: holds runs that are unusually large.
        retry_policy: decides when a deferred delivery is tried again.
        token: the token of this process.
        interval: time between two runs.
    """

    servers: ServerTracker
    send_rate: SendRate
    circuit_breaker: CircuitBreaker
    retry_policy: RetryPolicy
    token: int
    interval: timedelta
    _ran_at: datetime | None = field(default=None, init=False)  # by the machine's clock

    def run(self, tx: Transaction, now: datetime) -> Iterator[OutboxEvent]:
        """Renew the leases of slow batches, and do everything else if the interval is over."""
        machine_now = self.send_rate.machine_clock()
        self._renew_leases(tx, now)
        if self._ran_at is not None and self._ran_at <= machine_now < self._ran_at + self.interval:
            return
        if self._ran_at is None:
            rates.forget_idle_domains(tx, machine_now)
        outbox.release_expired(tx, now)
        self.send_rate.load_slow_domains(tx, now)
        self.servers.load_states(tx, now)
        yield from self.circuit_breaker.hold_unusual_runs(tx)
        yield from self._defer_missing_channels(tx, now)
        self._ran_at = machine_now

    def _renew_leases(self, tx: Transaction, now: datetime) -> None:
        """Renew the leases of slow batches: a server may take ten minutes for a message (RFC 5321, 4.5.3.2.6)."""
        for batch in self.servers.pool.in_flight.values():
            if now > batch.leased_until - LEASE_DURATION + _LEASE_RENEWAL_AGE:
                still_leased = outbox.renew_leases(tx, batch.deliveries, now)
                is_complete = len(still_leased) == len(batch.deliveries)
                batch.leased_until = now + LEASE_DURATION if is_complete else now

    def _defer_missing_channels(self, tx: Transaction, now: datetime) -> Iterator[OutboxEvent]:
        """Defer deliveries whose channel has no connection."""
        for channel in outbox.list_waiting_channels(tx) - set(self.servers.pool.channels):
            deliveries = outbox.claim_deliveries(tx, channel, self.token, now, MAX_CLAIMED)
            answered = [(delivery, _NO_SUCH_CHANNEL) for delivery in deliveries]
            receipts.record_receipts(tx, answered, now, self.retry_policy)
            yield from (DeliveryAttempt(delivery=delivery, receipt=receipt) for delivery, receipt in answered)
