"""The numbers of the service for monitoring: cycles, days by state, deliveries, workers, and quotas.

No statement takes longer with a larger backlog or a longer history: what has no index is counted up to a limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.jobs.operations.worker_troubles import find_worker_troubles
from digest.ports import Enricher
from digest.store import enrichments
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import outbox, rates
from digest.store.editions import held_runs, runs
from digest.store.fetching import ledger, rate_limits
from digest.store.operations import cycles
from digest.store.operations.cycles import CycleTimes
from digest.store.operations.server_activity import (
    LockWaits,
    Replication,
    read_lock_waits,
    read_replication,
)
from digest.store.workers import hints, workers
from digest.store.workers.workers import Worker

BATCH_PERIOD = timedelta(days=7)
"""Age up to which announcement days are counted."""
LAST_DELIVERIES = 100_000
"""Number of deliveries that are counted; counting those of years would take longer than a scrape may."""
MAX_COUNTED = 10_000
"""Highest number of due deliveries of a channel, and of leased ones, that is counted."""
LAST_RUNS = 10_000
"""Number of runs among which held ones are counted."""
_SHARD_KINDS = (("edition", False), ("alert", True))
"""The kinds of shards, and whether they are of alerts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaUse:
    """How much of a daily quota is used."""

    used: int
    quota: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelQueue:
    """The queue of a channel.

    Attributes:
        due: the number of deliveries that are due and not leased, at most ``MAX_COUNTED``.
        leased: the number of those that are being sent.
        oldest_due: when the delivery was due that waits longest; None if none is due.
    """

    due: int
    leased: int
    oldest_due: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pauses:
    """The numbers of those that get fewer requests or mails at the moment, or none.

    Attributes:
        hosts: hosts of sources that get no requests.
        servers: mail servers that get no mails.
        domains: domains that get no mails.
        slow_domains: domains that get fewer mails than configured.
    """

    hosts: int
    servers: int
    domains: int
    slow_domains: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerMeasurements:
    """The workers.

    Attributes:
        workers: all of them.
        now: the time of the database's clock, which their heartbeats have.
        troubles: how many things are wrong with them.
        waiting_hints: the number of hints that wait, by queue.
        hint_ages: how long the oldest of them has been waiting, in seconds.
        ready_shards: the number of shards that no worker composes yet: of editions, and of alerts.
        leased_shards: the number of those that a worker composes.
        oldest_closed: when the run was closed that has been waiting longest to be composed; None if none does.
    """

    workers: tuple[Worker, ...]
    now: datetime
    troubles: int
    waiting_hints: Mapping[str, int]
    hint_ages: Mapping[str, float]
    ready_shards: Mapping[str, int]
    leased_shards: Mapping[str, int]
    oldest_closed: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """The numbers at one instant.

    Attributes:
        last_cycle: the last cycle that has ended; None if there is none.
        batches: the number of days of sections in the last week, by source and state.
        deliveries: the states of the last deliveries, with their numbers.
        oldest_due: when the delivery was due that waits longest; None if none is due.
        channels: the queues of the channels that have any deliveries to send.
        held_runs: the number of runs that wait for an operator's decision.
        pauses: the numbers of hosts, servers and domains that get less, or nothing.
        workers: the workers and what waits for them.
        quotas: the use of the day's quota, by enricher.
        lock_waits: how our sessions wait for locks; None on SQLite.
        replication: the state of the replicas; None on SQLite, and if our role may not know it.
    """

    last_cycle: CycleTimes | None
    batches: Mapping[tuple[str, str], int]
    deliveries: Mapping[str, int]
    oldest_due: datetime | None
    channels: Mapping[str, ChannelQueue]
    held_runs: int
    pauses: Pauses
    workers: WorkerMeasurements
    quotas: Mapping[str, QuotaUse]
    lock_waits: LockWaits | None
    replication: Replication | None


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
            channels=_load_channels(tx, now),
            held_runs=held_runs.count_held_runs(tx, LAST_RUNS),
            pauses=_count_pauses(tx, now),
            workers=_load_workers(tx),
            quotas={
                name: QuotaUse(
                    used=enrichments.load_status(tx, name, now.date()).requests, quota=enricher.quota
                )
                for name, enricher in enrichers.items()
            },
            lock_waits=read_lock_waits(tx),
            replication=read_replication(tx),
        )


def _load_channels(tx: Transaction, now: datetime) -> dict[str, ChannelQueue]:
    leased = outbox.count_leased_by_channel(tx, MAX_COUNTED)
    oldest_due = outbox.find_oldest_due_by_channel(tx, now)
    return {
        channel: ChannelQueue(
            due=outbox.count_due(tx, now, MAX_COUNTED, channel=channel),
            leased=leased.get(channel, 0),
            oldest_due=oldest_due.get(channel),
        )
        for channel in outbox.list_waiting_channels(tx) | leased.keys()
    }


def _count_pauses(tx: Transaction, now: datetime) -> Pauses:
    paused = rate_limits.list_paused(tx, now)
    return Pauses(
        hosts=sum(not rates.is_delivery_bucket(name) for name in paused),
        servers=sum(map(rates.is_server_bucket, paused)),
        domains=sum(map(rates.is_domain_bucket, paused)),
        slow_domains=len(rates.list_slow_domains(tx)),
    )


def _load_workers(tx: Transaction) -> WorkerMeasurements:
    return WorkerMeasurements(
        workers=workers.list_workers(tx),
        now=workers.read_database_time(tx),
        troubles=len(find_worker_troubles(tx)),
        waiting_hints=hints.count_waiting(tx),
        hint_ages=hints.find_oldest_waiting(tx),
        ready_shards={kind: runs.count_ready_shards(tx, alerts=alerts) for kind, alerts in _SHARD_KINDS},
        leased_shards={kind: runs.count_leased_shards(tx, alerts=alerts) for kind, alerts in _SHARD_KINDS},
        oldest_closed=runs.find_oldest_closed(tx),
    )
