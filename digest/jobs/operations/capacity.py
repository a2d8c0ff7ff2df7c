"""Load what the last days took, and estimate what the service can take."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.config import Settings
from digest.errors import ConfigError
from digest.jobs.delivery.channels import count_local_processes
from digest.jobs.operations.capacity_estimate import CapacityEstimate, Resources, estimate_capacity
from digest.store.database.dialect import get_file
from digest.store.database.engine import Store, Transaction
from digest.store.operations import cycles
from digest.store.operations.capacity import load_recent_use
from digest.store.workers import workers

RECENT_DAYS = 7
"""Number of days whose rows are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """An estimate, and what it is based on.

    Attributes:
        resources: what the configuration and the machine offer.
        last_cycle: how long the last cycle took; None if none has ended.
    """

    estimate: CapacityEstimate
    resources: Resources
    last_cycle: timedelta | None


def load_capacity(
    store: Store, settings: Settings, now: datetime, subscribers: int | None = None
) -> Capacity:
    """Estimate what a day takes, and which limit comes first.

    Args:
        store: the store.
        settings: the configuration, with its rates.
        now: the current time, UTC.
        subscribers: the number of subscribers to estimate for; None for those in the store.

    Raises:
        ConfigError: there is nobody from whom to conclude.
        StoreError: the database does not answer.
    """
    with store.begin_read() as tx:
        use = load_recent_use(tx, now, RECENT_DAYS)
        resources = _find_resources(tx, settings)
        cycle = cycles.load_last_cycle(tx)
    if subscribers is not None and not use.subscribers:
        raise ConfigError("nobody gets a digest yet, so nothing is known about more subscribers")
    return Capacity(
        estimate=estimate_capacity(use, resources, subscribers),
        resources=resources,
        last_cycle=cycle.ended_at - cycle.began_at if cycle else None,
    )


def _find_resources(tx: Transaction, settings: Settings) -> Resources:
    delivery = settings.delivery
    return Resources(
        rate=delivery.rate,
        rates=delivery.rates,
        domains=delivery.domains,
        connections=sum(relay.connections for relay in settings.smtp.relays) if settings.smtp else 0,
        keep_days=None if settings.keep is None else settings.keep.days,
        processes=_count_processes(tx, settings),
        disk_bytes=_measure_disk(settings),
    )


def _count_processes(tx: Transaction, settings: Settings) -> int:
    """Count the processes that can deliver: the workers that are alive, or those that a large run would start here."""
    now = workers.read_database_time(tx)
    live_count = sum(
        bool(worker.queues and worker.channels) and not worker.is_silent(now)
        for worker in workers.list_workers(tx)
    )
    return live_count or count_local_processes(settings.delivery)


def _measure_disk(settings: Settings) -> int | None:
    """Return what the file of the database may grow to; None if it is on a server."""
    file = get_file(settings.store)
    if file is None:
        return None
    try:
        return shutil.disk_usage(file.parent).free + file.stat().st_size
    except OSError:
        return None
