"""The status of everything, for the operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from digest.config import DeliverySettings
from digest.core.delivery.throttling.pauses import ServerFailure
from digest.core.delivery.throttling.rates import compute_slowdown
from digest.core.fetching import ledger
from digest.core.fetching.shortfall import is_missing
from digest.jobs.fetching.ledger import is_everything_failing
from digest.jobs.operations.worker_troubles import WorkerTrouble, find_worker_troubles
from digest.model import Batch, BounceClass, Delivery, PaperImport, Run, Section
from digest.store.database.engine import Store, Transaction
from digest.store.database.samples import Sample, list_first
from digest.store.delivery import outbox as deliveries
from digest.store.delivery import rates, reports, suppressions
from digest.store.delivery.reports import StoredReport
from digest.store.delivery.suppressions import Suppression
from digest.store.editions import alerts, runs
from digest.store.editions import held_runs as held
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.restore_hold import read_backup_time
from digest.store.editions.upcoming import UpcomingEdition, count_upcoming, find_upcoming
from digest.store.fetching import ledger as rows
from digest.store.fetching import rate_limits
from digest.store.fetching.rate_limits import BucketPause
from digest.store.operations import notices
from digest.store.operations.notices import Notice
from digest.store.papers import imports
from digest.store.subscribers import digests, pauses
from digest.store.subscribers.digests import Digest
from digest.store.subscribers.pauses import PausedDigest
from digest.store.workers import workers
from digest.store.workers.workers import Worker

_RECENT_DAYS = 7
_RUNS = 5
_TROUBLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowDomain:
    """A domain that asks for a lower rate.

    Attributes:
        factor: the factor by which the rate is reduced.
        until: the end of the pause, UTC; in the past if messages are sent again.
        is_paused: whether the pause is still in force.
    """

    factor: float
    until: datetime
    is_paused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertCount:
    """The number of alerts of a digest on its reader's current day, and their daily limit."""

    digest: str
    sent: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The status of everything.

    Attributes:
        sections: the configured sections, with the state of their routes.
        batches: those of the last seven days, and earlier ones that are incomplete.
        paused_buckets: the paused buckets of sources, until when and why.
        runs: the last runs, with the names of their digests.
        deliveries: the number of deliveries by state.
        rates: the configured sending rates, by what they apply to.
        servers: the servers in trouble.
        undelivered_notices: notices that have not reached all destinations of the operator.
        domains: the domains that ask for a lower rate.
        held_runs: the runs that wait for a decision of the operator.
        restored_from: the time of the backup from which the database was restored, if it is held because of that.
        reports: the number of bounces and complaints in the last seven days, by class.
        suppressions: the addresses that get nothing because of bounces or complaints, latest first.
        our_refusals: the last refusals within seven days that are our fault.
        troubles: the last deliveries that were refused or whose outcome is unknown.
        upcoming: the next editions of digests.
        paused_digests: the paused digests.
        alert_counts: the alerts of configured digests that have alerts.
        feeds: number, name and version of the feed address of configured digests that have feeds.
        imports: the imports of files of papers, the last one first.
        workers: the processes that work on this database, with the age of their last heartbeats in seconds.
        worker_troubles: what is wrong with them.
        all_fail: whether the last attempt failed for every section.
    """

    sections: tuple[Section, ...]
    batches: tuple[Batch, ...]
    paused_buckets: Mapping[str, BucketPause]
    runs: tuple[tuple[Run, Sample[str]], ...]
    deliveries: dict[str, int]
    rates: Mapping[str, str]
    servers: Mapping[str, ServerFailure]
    undelivered_notices: tuple[Notice, ...]
    domains: Mapping[str, SlowDomain]
    held_runs: tuple[HeldRun, ...]
    restored_from: datetime | None
    reports: Mapping[str, int]
    suppressions: tuple[Suppression, ...]
    our_refusals: tuple[StoredReport, ...]
    troubles: tuple[Delivery, ...]
    upcoming: Sample[UpcomingEdition]
    paused_digests: Sample[PausedDigest]
    alert_counts: Sample[AlertCount]
    feeds: Sample[tuple[int, str, int]]
    imports: tuple[PaperImport, ...]
    workers: tuple[tuple[Worker, float], ...]
    worker_troubles: tuple[WorkerTrouble, ...]
    all_fail: bool


def load_status(
    store: Store, now: datetime, settings: DeliverySettings, *, limit: int | None = None
) -> Status:
    """Load the status.

    Args:
        store: the store.
        now: the current time, UTC.
        settings: the settings of deliveries.
        limit: the maximum number of digests to name for each item; None for all.
    """
    with store.begin_read() as tx:
        refused = deliveries.list_recent(tx, state="refused", limit=_TROUBLES)
        unknown = deliveries.list_recent(tx, state="unknown", limit=_TROUBLES)
        with_alerts = digests.list_configured_with_alerts(tx)
        return Status(
            sections=rows.list_active_sections(tx),
            batches=load_recent_batches(tx, now),
            paused_buckets={
                name: bucket_pause
                for name, bucket_pause in rate_limits.list_paused(tx, now).items()
                if not rates.is_delivery_bucket(name)
            },
            runs=runs.list_recent_runs(tx, _RUNS, limit),
            deliveries=deliveries.count_by_state(tx),
            rates=_list_rates(settings),
            servers=rates.list_server_failures(tx),
            undelivered_notices=notices.list_undelivered(tx),
            domains=load_slow_domains(tx, now),
            held_runs=held.list_held_runs(tx),
            restored_from=read_backup_time(tx),
            reports=reports.count_by_finding(tx, now - timedelta(days=_RECENT_DAYS)),
            suppressions=suppressions.list_suppressions(tx),
            our_refusals=list_our_refusals(tx, now),
            troubles=(*refused, *unknown),
            upcoming=list_first(find_upcoming(tx, limit), limit, count_upcoming(tx)),
            paused_digests=list_first(pauses.list_paused(tx, limit), limit, pauses.count_paused(tx)),
            alert_counts=list_first(
                _load_alert_counts(tx, with_alerts[:limit], now), limit, len(with_alerts)
            ),
            feeds=list_first(digests.list_configured_feeds(tx), limit),
            imports=imports.list_imports(tx),
            workers=list_workers(tx),
            worker_troubles=find_worker_troubles(tx),
            all_fail=is_everything_failing(tx),
        )


def list_our_refusals(tx: Transaction, now: datetime) -> tuple[StoredReport, ...]:
    """Return the last refusals within a week that are our fault."""
    recent_reports = reports.list_recent(tx, limit=_TROUBLES, findings=[BounceClass.OURS])
    return tuple(report for report in recent_reports if report.at > now - timedelta(days=_RECENT_DAYS))


def _list_rates(settings: DeliverySettings) -> Mapping[str, str]:
    overall = {"in all": settings.rate} if settings.rate else {}
    return {subject: str(rate) for subject, rate in {**overall, **settings.rates, **settings.domains}.items()}


def load_slow_domains(tx: Transaction, now: datetime) -> Mapping[str, SlowDomain]:
    """Return the domains that ask for a lower rate."""
    domains = {
        name: SlowDomain(factor=compute_slowdown(slowed, until, now), until=until, is_paused=until > now)
        for name, (slowed, until) in rates.list_slow_domains(tx).items()
    }
    return {name: slow_domain for name, slow_domain in domains.items() if slow_domain.factor > 1}


def _load_alert_counts(tx: Transaction, digest_ids: Sequence[int], now: datetime) -> tuple[AlertCount, ...]:
    alerted_digests = digests.load_digests_by_id(tx, digest_ids)
    sent_alerts = alerts.list_alerts_since(
        tx, [digest.id for digest in alerted_digests], now - timedelta(days=2)
    )
    return tuple(
        AlertCount(
            digest=digest.name,
            sent=sum(
                digest_id == digest.id and _get_local_day(sent_at, digest) == _get_local_day(now, digest)
                for digest_id, sent_at in sent_alerts
            ),
            limit=digest.options.alerts_a_day,
        )
        for digest in alerted_digests
    )


def _get_local_day(at: datetime, digest: Digest) -> date:
    return at.astimezone(ZoneInfo(digest.options.timezone)).date()


def load_recent_batches(tx: Transaction, now: datetime) -> tuple[Batch, ...]:
    """Return the announcement days of the last week, and earlier ones that are incomplete."""
    recent = now.date() - timedelta(days=_RECENT_DAYS)
    shown_batches = [
        batch
        for batch in rows.list_recent_batches(tx, now.date() - ledger.REPAIR_PERIOD)
        if batch.day >= recent or is_missing(batch)
    ]
    return rows.add_usual_sizes(tx, shown_batches)


def list_workers(tx: Transaction) -> tuple[tuple[Worker, float], ...]:
    """Return the processes that work on a database, with the age of their last heartbeats in seconds."""
    now = workers.read_database_time(tx)
    return tuple((worker, (now - worker.heartbeat_at).total_seconds()) for worker in workers.list_workers(tx))
