"""The state of everything, gathered for whoever looks after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from digest.config import DeliverySettings
from digest.core.delivery.rates import slowed_now
from digest.core.fetching import ledger
from digest.core.fetching.shortfall import is_missing
from digest.jobs.fetching.ledger import all_fail
from digest.model import Batch, Finding, Run, Section
from digest.store.database.engine import Store, Transaction
from digest.store.database.samples import Listed, list_first
from digest.store.delivery import outbox as deliveries
from digest.store.delivery import rates, reports, suppressions
from digest.store.delivery.outbox import Delivery
from digest.store.delivery.rates import Trouble
from digest.store.delivery.reports import Kept
from digest.store.delivery.suppressions import Suppression
from digest.store.editions import alerts, runs
from digest.store.editions import held_runs as held
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.upcoming import Coming, count_coming, find_coming
from digest.store.fetching import ledger as rows
from digest.store.fetching import rate_limits
from digest.store.fetching.rate_limits import Paused
from digest.store.operations import notices
from digest.store.operations.notices import Notice
from digest.store.subscribers import digests, pauses
from digest.store.subscribers.digests import Digest
from digest.store.subscribers.pauses import Resting

_DAYS = 7
_RUNS = 5
_TROUBLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Slow:
    """A domain that wants less from us.

    Attributes:
        slowed: how many times slower it is written to.
        until: nothing is written to it before; a time that is past where it is written to again.
        paused: whether that is to come.
    """

    slowed: float
    until: datetime
    paused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerted:
    """How many alerts a digest had on its reader's day, and how many it may have."""

    digest: str
    told: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What there is to know.

    Attributes:
        sections: of the configuration, and how asking them went.
        batches: of the last seven days, and those before that are not whole.
        paused: what shares a pace and is not to be asked just now, until when and why.
        runs: the last ones, with the names of their digests.
        deliveries: how many are in each state.
        rates: what deliveries are held to, by what for.
        servers: those in trouble.
        untold: the notices that some way of the operator could not be told.
        domains: those that want less from us.
        held: the runs that wait for an operator's decision.
        reports: how many bounces and complaints came in the last seven days, by what they say.
        suppressed: the addresses that nothing goes to because mail came back, the last ones first.
        blaming: the last refusals of the last seven days whose reason is ours.
        troubles: the last deliveries that were refused or may not have arrived.
        coming: when digests are due next.
        resting: the digests that are paused.
        alerted: of the digests of the file that have alerts.
        feeds: the digests of the file that have feeds: their numbers and names, and how often the address was renewed.
        all_fail: the last attempt at every section failed.
    """

    sections: tuple[Section, ...]
    batches: tuple[Batch, ...]
    paused: Mapping[str, Paused]
    runs: tuple[tuple[Run, Listed[str]], ...]
    deliveries: dict[str, int]
    rates: Mapping[str, str]
    servers: Mapping[str, Trouble]
    untold: tuple[Notice, ...]
    domains: Mapping[str, Slow]
    held: tuple[HeldRun, ...]
    reports: Mapping[str, int]
    suppressed: tuple[Suppression, ...]
    blaming: tuple[Kept, ...]
    troubles: tuple[Delivery, ...]
    coming: Listed[Coming]
    resting: Listed[Resting]
    alerted: Listed[Alerted]
    feeds: Listed[tuple[int, str, int]]
    all_fail: bool


def status(store: Store, now: datetime, limits: DeliverySettings, *, most: int | None = None) -> Status:
    """Gather it.

    Args:
        store: what is looked at.
        now: the time.
        limits: what deliveries are held to.
        most: how many digests are named for each thing; None for all.
    """
    with store.reading() as tx:
        refused = deliveries.recent(tx, state="refused", most=_TROUBLES)
        unknown = deliveries.recent(tx, state="unknown", most=_TROUBLES)
        with_alerts = digests.with_alerts_of_file(tx)
        return Status(
            sections=rows.active_sections(tx),
            batches=_batches(tx, now),
            paused={
                name: one
                for name, one in rate_limits.paused(tx, now).items()
                if not rates.is_of_delivering(name)
            },
            runs=runs.recent_runs(tx, _RUNS, most),
            deliveries=deliveries.count_by_state(tx),
            rates=_rates(limits),
            servers=rates.troubles(tx),
            untold=notices.untold(tx),
            domains=_slow_domains(tx, now),
            held=held.held_runs(tx),
            reports=reports.counted(tx, now - timedelta(days=_DAYS)),
            suppressed=suppressions.suppressed(tx),
            blaming=_blaming(tx, now),
            troubles=(*refused, *unknown),
            coming=list_first(find_coming(tx, most), most, count_coming(tx)),
            resting=list_first(pauses.resting(tx, most), most, pauses.count_resting(tx)),
            alerted=list_first(_alerted(tx, with_alerts[:most], now), most, len(with_alerts)),
            feeds=list_first(digests.feeds_of_file(tx), most),
            all_fail=all_fail(tx),
        )


def _blaming(tx: Transaction, now: datetime) -> tuple[Kept, ...]:
    told = reports.recent(tx, most=_TROUBLES, findings=[Finding.OURS])
    return tuple(one for one in told if one.at > now - timedelta(days=_DAYS))


def _rates(limits: DeliverySettings) -> Mapping[str, str]:
    in_all = {"in all": limits.rate} if limits.rate else {}
    return {what: str(rate) for what, rate in {**in_all, **limits.rates, **limits.domains}.items()}


def _slow_domains(tx: Transaction, now: datetime) -> Mapping[str, Slow]:
    found = {
        name: Slow(slowed=slowed_now(slowed, until, now), until=until, paused=until > now)
        for name, (slowed, until) in rates.slow_domains(tx).items()
    }
    return {name: slow for name, slow in found.items() if slow.slowed > 1}


def _alerted(tx: Transaction, numbers: Sequence[int], now: datetime) -> tuple[Alerted, ...]:
    theirs = digests.digests_numbered(tx, numbers)
    told = alerts.told_since(tx, [digest.id for digest in theirs], now - timedelta(days=2))
    return tuple(
        Alerted(
            digest=digest.name,
            told=sum(number == digest.id and _day(at, digest) == _day(now, digest) for number, at in told),
            most=digest.most_alerts,
        )
        for digest in theirs
    )


def _day(at: datetime, digest: Digest) -> date:
    return at.astimezone(ZoneInfo(digest.zone)).date()


def _batches(tx: Transaction, now: datetime) -> tuple[Batch, ...]:
    recent = now.date() - timedelta(days=_DAYS)
    shown = [
        batch
        for batch in rows.recent_batches(tx, now.date() - ledger.REPAIRED)
        if batch.day >= recent or is_missing(batch)
    ]
    return rows.with_usual_sizes(tx, shown)
