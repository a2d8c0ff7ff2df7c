"""Maintenance of a pass: leases, states of servers and domains, runs that are too large, channels that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from digest.jobs.delivery.outbox import MAX_CLAIMED, DeliveryAttempt, Outbox, OutboxEvent
from digest.model import Deferred
from digest.store.database.engine import Transaction
from digest.store.delivery import connections, outbox, queue_cursors, rates, receipts
from digest.store.delivery.outbox import LEASE_DURATION
from digest.store.workers import workers

_LEASE_RENEWAL_AGE = timedelta(minutes=1)
"""Renew the lease of a batch that has run for this long."""
_NO_SUCH_CHANNEL = Deferred(answer="the configuration no longer has this channel")


@dataclass(slots=True, kw_only=True)
class Maintenance:
    """Maintenance of an outbox at intervals.

    Attributes:
        outbox: the deliveries, servers and limits of the pass.
        interval: time between two runs.
    """

    outbox: Outbox
    interval: timedelta
    _ran_at: datetime | None = field(default=None, init=False)  # by the machine's clock

    def run(self, tx: Transaction, now: datetime) -> Iterator[OutboxEvent]:
        """Renew the leases of slow batches, and do everything else if the interval is over."""
        machine_now = self.outbox.send_rate.machine_clock()
        self._renew_leases(tx, now)
        if self._ran_at is not None and self._ran_at <= machine_now < self._ran_at + self.interval:
            return
        if self._ran_at is None:
            rates.forget_idle_domains(tx, machine_now)
            queue_cursors.forget_old(tx, machine_now)
            connections.forget_old(tx, machine_now)
        outbox.release_expired(tx, now)
        self.outbox.send_rate.load_slow_domains(tx, now)
        self.outbox.servers.load_states(tx, now)
        yield from self.outbox.circuit_breaker.hold_unusual_runs(tx)
        yield from self._defer_missing_channels(tx, now)
        self._ran_at = machine_now

    def _renew_leases(self, tx: Transaction, now: datetime) -> None:
        """Renew the leases of slow batches: a server may take ten minutes for a message (RFC 5321, 4.5.3.2.6)."""
        for batch in self.outbox.servers.pool.in_flight.values():
            if now > batch.leased_until - LEASE_DURATION + _LEASE_RENEWAL_AGE:
                still_leased = outbox.renew_leases(tx, batch.deliveries, now)
                is_complete = len(still_leased) == len(batch.deliveries)
                batch.leased_until = now + LEASE_DURATION if is_complete else now

    def _defer_missing_channels(self, tx: Transaction, now: datetime) -> Iterator[OutboxEvent]:
        """Defer deliveries whose channel has no connection; if workers share the work, another one may have it."""
        if workers.are_sharing(tx):
            return
        for channel in outbox.list_waiting_channels(tx, self.outbox.servers.pool.channels):
            deliveries = outbox.claim_deliveries(tx, channel, self.outbox.token, now, MAX_CLAIMED)
            answered = [(delivery, _NO_SUCH_CHANNEL) for delivery in deliveries]
            receipts.record_receipts(tx, answered, now, self.outbox.retry_policy)
            yield from (DeliveryAttempt(delivery=delivery, receipt=receipt) for delivery, receipt in answered)
