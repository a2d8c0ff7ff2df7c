"""What the operator's pages show of the service itself: what needs attention, and the sources with their days."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from digest.core.delivery.throttling.pauses import ServerFailure
from digest.core.fetching.shortfall import is_missing
from digest.jobs.fetching.ledger import is_everything_failing
from digest.jobs.operations.status import (
    SlowDomain,
    list_our_refusals,
    list_workers,
    load_recent_batches,
    load_slow_domains,
)
from digest.jobs.operations.worker_troubles import WorkerTrouble, find_worker_troubles
from digest.model import Batch, Section
from digest.store.database.engine import Store
from digest.store.delivery import outbox, rates
from digest.store.delivery.reports import StoredReport
from digest.store.editions import held_runs
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.restore_hold import read_backup_time
from digest.store.fetching import ledger, rate_limits
from digest.store.fetching.rate_limits import BucketPause
from digest.store.operations import cycles, notices
from digest.store.operations.cycles import CycleTimes
from digest.store.operations.notices import Notice
from digest.store.workers.workers import Worker


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What needs attention, and what is under way.

    Attributes:
        held_runs: the runs that wait for a decision.
        restored_from: the time of the backup from which the database was restored, if it is held because of that.
        servers: the servers in trouble.
        domains: the domains that ask for a lower rate.
        undelivered_notices: notices that have not reached all destinations.
        missing_days: the number of announcement days that are due and not complete.
        our_refusals: the last refusals within a week that are our fault.
        all_fail: whether the last attempt failed for every section.
        due: the number of deliveries that are due.
        oldest_due: when the one was due that waits longest; None if none is due.
        last_cycle: the last cycle that has ended; None if there is none.
        workers: the processes at work, with the age of their last heartbeats in seconds.
        worker_troubles: what is wrong with them.
    """

    held_runs: tuple[HeldRun, ...]
    restored_from: datetime | None
    servers: Mapping[str, ServerFailure]
    domains: Mapping[str, SlowDomain]
    undelivered_notices: tuple[Notice, ...]
    missing_days: int
    our_refusals: tuple[StoredReport, ...]
    all_fail: bool
    due: int
    oldest_due: datetime | None
    last_cycle: CycleTimes | None
    workers: tuple[tuple[Worker, float], ...]
    worker_troubles: tuple[WorkerTrouble, ...]


def load_overview(store: Store, now: datetime) -> Overview:
    """Load what needs attention.

    All of it is found by indexes or in small tables. Counting the deliveries that are due takes 0.1 s for a million.
    """
    with store.begin_read() as tx:
        return Overview(
            held_runs=held_runs.list_held_runs(tx),
            restored_from=read_backup_time(tx),
            servers=rates.list_server_failures(tx),
            domains=load_slow_domains(tx, now),
            undelivered_notices=notices.list_undelivered(tx),
            missing_days=sum(
                is_missing(batch) and batch.due_at <= now for batch in load_recent_batches(tx, now)
            ),
            our_refusals=list_our_refusals(tx, now),
            all_fail=is_everything_failing(tx),
            due=outbox.count_due(tx, now),
            oldest_due=outbox.find_oldest_due(tx, now),
            last_cycle=cycles.load_last_cycle(tx),
            workers=list_workers(tx),
            worker_troubles=find_worker_troubles(tx),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOverview:
    """The sources and their announcement days.

    Attributes:
        sections: the configured sections, with the state of their routes.
        batches: the days of the last week, and earlier ones that are incomplete.
        paused_buckets: the paused buckets of sources, until when and why.
    """

    sections: tuple[Section, ...]
    batches: tuple[Batch, ...]
    paused_buckets: Mapping[str, BucketPause]


def load_sources(store: Store, now: datetime) -> SourceOverview:
    """Load the sources; the time does not depend on the number of subscribers."""
    with store.begin_read() as tx:
        return SourceOverview(
            sections=ledger.list_active_sections(tx),
            batches=load_recent_batches(tx, now),
            paused_buckets={
                name: bucket_pause
                for name, bucket_pause in rate_limits.list_paused(tx, now).items()
                if not rates.is_delivery_bucket(name)
            },
        )
