"""The numbers of the service for monitoring: cycles, days by state, deliveries, and quotas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.ports import Enricher
from digest.store import enrichments
from digest.store.database.engine import Store
from digest.store.delivery import outbox, rates
from digest.store.fetching import ledger, rate_limits
from digest.store.operations import cycles
from digest.store.operations.cycles import CycleTimes

BATCH_PERIOD = timedelta(days=7)
"""Age up to which announcement days are counted."""
LAST_DELIVERIES = 100_000
"""Number of deliveries that are counted; counting those of years would take longer than a scrape may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaUse:
    """How much of a daily quota is used."""

    used: int
    quota: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """The numbers at one instant.

    Attributes:
        last_cycle: the last cycle that has ended; None if there is none.
        batches: the number of days of sections in the last week, by source and state.
        deliveries: the states of the last deliveries, with their numbers.
        oldest_due: when the delivery was due that waits longest; None if none is due.
        paused_hosts: the number of hosts that are not asked at the moment.
        quotas: the use of the day's quota, by enricher.
    """

    last_cycle: CycleTimes | None
    batches: Mapping[tuple[str, str], int]
    deliveries: Mapping[str, int]
    oldest_due: datetime | None
    paused_hosts: int
    quotas: Mapping[str, QuotaUse]


def load_measurements(store: Store, enrichers: Mapping[str, Enricher], now: datetime) -> Measurements:
    """Load the numbers.

    Args:
        store: the store.
        enrichers: the configured enrichers, by name.
        now: the current time, UTC.

    Raises:
        StoreError: the database does not answer.
    """
    with store.begin_read() as tx:
        return Measurements(
            last_cycle=cycles.load_last_cycle(tx),
            batches=ledger.count_batches_by_state(tx, now.date() - BATCH_PERIOD),
            deliveries=outbox.count_last_by_state(tx, LAST_DELIVERIES),
            oldest_due=outbox.find_oldest_due(tx, now),
            paused_hosts=sum(not rates.is_delivery_bucket(name) for name in rate_limits.list_paused(tx, now)),
            quotas={
                name: QuotaUse(
                    used=enrichments.load_status(tx, name, now.date()).requests, quota=enricher.quota
                )
                for name, enricher in enrichers.items()
            },
        )
