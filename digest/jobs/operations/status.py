"""The state of everything, gathered for whoever looks after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from digest.config import DeliverySettings
from digest.core.delivery.pauses import ServerFailure
from digest.core.delivery.rates import compute_slowdown
from digest.core.fetching import ledger
from digest.core.fetching.shortfall import is_missing
from digest.jobs.fetching.ledger import is_everything_failing
from digest.model import Batch, BounceClass, Delivery, Run, Section
from digest.store.database.engine import Store, Transaction
from digest.store.database.samples import Sample, list_first
from digest.store.delivery import outbox as deliveries
from digest.store.delivery import rates, reports, suppressions
from digest.store.delivery.reports import StoredReport
from digest.store.delivery.suppressions import Suppression
from digest.store.editions import alerts, runs
from digest.store.editions import held_runs as held
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.upcoming import UpcomingEdition, count_upcoming, find_upcoming
from digest.store.fetching import ledger as rows
from digest.store.fetching import rate_limits
from digest.store.fetching.rate_limits import BucketPause
from digest.store.operations import notices
from digest.store.operations.notices import Notice
from digest.store.subscribers import digests, pauses
from digest.store.subscribers.digests import Digest
from digest.store.subscribers.pauses import PausedDigest

_RECENT_DAYS = 7
_RUNS = 5
_TROUBLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowDomain:
    """A domain that wants less from us.

    Attributes:
        factor: how many times slower it is written to.
        until: nothing is written to it before; a time that is past where it is written to again.
        is_paused: whether that is to come.
    """

    factor: float
    until: datetime
    is_paused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertCount:
    """How many alerts a digest had on its reader's day, and how many it may have."""

    digest: str
    sent: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What there is to know.

    Attributes:
        sections: of the configuration, and how asking them went.
        batches: of the last seven days, and those before that are not whole.
        paused_buckets: what shares a pace and is not to be asked just now, until when and why.
        runs: the last ones, with the names of their digests.
        deliveries: how many are in each state.
        rates: what deliveries are held to, by what for.
        servers: those in trouble.
        undelivered_notices: the notices that some way of the operator could not be told.
        domains: those that want less from us.
        held_runs: the runs that wait for an operator's decision.
        reports: how many bounces and complaints came in the last seven days, by what they say.
        suppressions: the addresses that nothing goes to because mail came back, the last ones first.
        our_refusals: the last refusals of the last seven days whose reason is ours.
        troubles: the last deliveries that were refused or may not have arrived.
        upcoming: when digests are due next.
        paused_digests: the digests that are paused.
        alert_counts: of the digests of the file that have alerts.
        feeds: the digests of the file that have feeds: their numbers and names, and how often the address was renewed.
        all_fail: the last attempt at every section failed.
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
    reports: Mapping[str, int]
    suppressions: tuple[Suppression, ...]
    our_refusals: tuple[StoredReport, ...]
    troubles: tuple[Delivery, ...]
    upcoming: Sample[UpcomingEdition]
    paused_digests: Sample[PausedDigest]
    alert_counts: Sample[AlertCount]
    feeds: Sample[tuple[int, str, int]]
    all_fail: bool


def load_status(
    store: Store, now: datetime, settings: DeliverySettings, *, limit: int | None = None
) -> Status:
    """Gather it.

    Args:
        store: what is looked at.
        now: the time.
        settings: what deliveries are held to.
        limit: how many digests are named for each thing; None for all.
    """
    with store.begin_read() as tx:
        refused = deliveries.list_recent(tx, state="refused", limit=_TROUBLES)
        unknown = deliveries.list_recent(tx, state="unknown", limit=_TROUBLES)
        with_alerts = digests.list_configured_with_alerts(tx)
        return Status(
            sections=rows.list_active_sections(tx),
            batches=_load_batches(tx, now),
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
            domains=_load_slow_domains(tx, now),
            held_runs=held.list_held_runs(tx),
            reports=reports.count_by_finding(tx, now - timedelta(days=_RECENT_DAYS)),
            suppressions=suppressions.list_suppressions(tx),
            our_refusals=_list_our_refusals(tx, now),
            troubles=(*refused, *unknown),
            upcoming=list_first(find_upcoming(tx, limit), limit, count_upcoming(tx)),
            paused_digests=list_first(pauses.list_paused(tx, limit), limit, pauses.count_paused(tx)),
            alert_counts=list_first(
                _load_alert_counts(tx, with_alerts[:limit], now), limit, len(with_alerts)
            ),
            feeds=list_first(digests.list_configured_feeds(tx), limit),
            all_fail=is_everything_failing(tx),
        )


def _list_our_refusals(tx: Transaction, now: datetime) -> tuple[StoredReport, ...]:
    recent_reports = reports.list_recent(tx, limit=_TROUBLES, findings=[BounceClass.OURS])
    return tuple(report for report in recent_reports if report.at > now - timedelta(days=_RECENT_DAYS))


def _list_rates(settings: DeliverySettings) -> Mapping[str, str]:
    overall = {"in all": settings.rate} if settings.rate else {}
    return {subject: str(rate) for subject, rate in {**overall, **settings.rates, **settings.domains}.items()}


def _load_slow_domains(tx: Transaction, now: datetime) -> Mapping[str, SlowDomain]:
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


def _load_batches(tx: Transaction, now: datetime) -> tuple[Batch, ...]:
    recent = now.date() - timedelta(days=_RECENT_DAYS)
    shown_batches = [
        batch
        for batch in rows.list_recent_batches(tx, now.date() - ledger.REPAIR_PERIOD)
        if batch.day >= recent or is_missing(batch)
    ]
    return rows.add_usual_sizes(tx, shown_batches)
