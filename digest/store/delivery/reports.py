"""Reports: what comes back about deliveries, each counted once however often and by whichever road it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, desc, exists, func, select, update

from digest.model import BounceClass
from digest.store.database.dialect import BOUNCE_LOCK, insert_ignoring, split_into_chunks, take_lock
from digest.store.database.digest_tables import deliveries, destinations, digests, editions, reports, runs
from digest.store.database.engine import Transaction

BOUNCE, COMPLAINT = "bounce", "complaint"
_MAX_EDITION_AGE = timedelta(days=120)
"""Editions older than this are not looked through for a message."""
_MAX_DELIVERIES = 2000
_FINDINGS_WORST_FIRST = (
    BounceClass.GONE,
    BounceClass.CLOSED,
    BounceClass.SOFT,
    BounceClass.DOMAIN,
    BounceClass.OURS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedDelivery:
    """What a report is about.

    Attributes:
        delivery: its number.
        destination: the number of where it went.
        mailbox: whom it went to, in small letters.
        digest: the digest's name.
        sent_at: when it was taken; None where it never was.
        proven: who reports had to do with sending it.
    """

    delivery: int
    destination: int
    mailbox: str
    digest: str
    sent_at: datetime | None
    proven: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReport:
    """A report that is kept.

    Attributes:
        delivery: which it is about; 0 where that is not known.
        mailbox: whom it is about, in small letters.
        kind: ``bounce`` or ``complaint``.
        status: the enhanced status code, "" for none.
        road: by which it came: ``smtp``, ``mailbox``, or the name of a provider.
        at: when it was.
        forgiven: somebody resumed the address since, so it counts no more.
    """

    id: int
    delivery: int
    mailbox: str
    kind: str
    finding: BounceClass
    status: str
    answer: str
    road: str
    at: datetime
    forgiven: bool


# --- which delivery -------------------------------------------------------------------------------


def find_by_id(tx: Transaction, delivery: int) -> ReportedDelivery | None:
    """The delivery of a number that went out by mail; None where there is none."""
    return _find_delivery(tx, deliveries.c.id == delivery)


def find_by_message_id(
    tx: Transaction, message_id: str, now: datetime, *, mailbox: str = "", destination: int = 0
) -> ReportedDelivery | None:
    """The delivery of a Message-ID, to an address or at a destination; None where there is none.

    Args:
        tx: a transaction.
        message_id: with its angle brackets.
        now: the time; older ones than ``_MAX_EDITION_AGE`` are not found.
        mailbox: whom it went to, in small letters.
        destination: where it went to, if that is known instead.
    """
    condition = _match_recipient(mailbox, destination) & (editions.c.composed_at > now - _MAX_EDITION_AGE)
    return _find_delivery(tx, condition & (deliveries.c.message_id == message_id))


def find_last_sent(
    tx: Transaction, before: datetime, since: datetime, *, mailbox: str = "", destination: int = 0
) -> ReportedDelivery | None:
    """The last delivery that an address or a destination got, up to a time and since another."""
    is_sent = (deliveries.c.sent_at <= before) & (deliveries.c.sent_at > since)
    is_recent = editions.c.composed_at > since - timedelta(days=30)
    return _find_delivery(tx, _match_recipient(mailbox, destination) & is_recent & is_sent)


def _match_recipient(mailbox: str, destination: int) -> ColumnElement[bool]:
    return destinations.c.id == destination if destination else destinations.c.mailbox == mailbox


def _find_delivery(tx: Transaction, condition: ColumnElement[bool]) -> ReportedDelivery | None:
    row = tx.execute(_select_joined().where(condition).order_by(deliveries.c.id.desc()).limit(1)).first()
    if row is None:
        return None
    return ReportedDelivery(
        delivery=row.id,
        destination=row.destination_id,
        mailbox=row.mailbox,
        digest=row.name,
        sent_at=row.sent_at,
    )


def _select_joined() -> Select[Any]:
    """By the digest of a destination, whose editions are found by an index; deliveries are by edition and destination."""
    return (
        select(
            deliveries.c.id,
            deliveries.c.destination_id,
            destinations.c.mailbox,
            digests.c.name,
            deliveries.c.sent_at,
        )
        .select_from(destinations)
        .join(digests, digests.c.id == destinations.c.digest_id)
        .join(editions, editions.c.digest_id == digests.c.id)
        .join(
            deliveries,
            (deliveries.c.edition_id == editions.c.id) & (deliveries.c.destination_id == destinations.c.id),
        )
        .where(destinations.c.mailbox != "")
    )


# --- keeping --------------------------------------------------------------------------------------


def lock_bounces(tx: Transaction) -> None:
    """Wait until nobody else counts bounces, so that each sees what the others kept; until this transaction ends.

    It comes before everything that a bounce writes: a notice is one row for a whole domain, and two that have both of
    these to wait for would wait for each other.
    """
    take_lock(tx, BOUNCE_LOCK)


def save_report(tx: Transaction, report: StoredReport) -> StoredReport | None:
    """Keep a report; one of the same kind about the same delivery is the same one, and the worse of the two holds.

    Args:
        tx: a writing transaction.
        report: its ``id`` is not looked at.

    Returns:
        It with its number; None where it says nothing new.
    """
    row = {
        "delivery": report.delivery,
        "mailbox": report.mailbox,
        "kind": report.kind,
        "finding": report.finding.value,
        "status": report.status,
        "answer": report.answer[:500],
        "road": report.road,
        "at": report.at,
        "forgiven": False,
    }
    added_id = tx.execute(insert_ignoring(tx, reports).returning(reports.c.id), row).scalar()
    if added_id is not None:
        return _copy_with_number(report, added_id)
    is_same = (
        (reports.c.delivery == report.delivery)
        & (reports.c.mailbox == report.mailbox)
        & (reports.c.kind == report.kind)
    )
    milder_findings = (
        [
            finding.value
            for finding in _FINDINGS_WORST_FIRST[_FINDINGS_WORST_FIRST.index(report.finding) + 1 :]
        ]
        if report.finding in _FINDINGS_WORST_FIRST
        else []
    )
    changes = {name: row[name] for name in ("finding", "status", "answer", "road", "at")}
    statement = (
        update(reports)
        .where(is_same, reports.c.finding.in_(milder_findings), ~reports.c.forgiven)
        .values(changes)
    )
    changed_id = tx.execute(statement.returning(reports.c.id)).scalar() if milder_findings else None
    return None if changed_id is None else _copy_with_number(report, changed_id)


def _copy_with_number(report: StoredReport, number: int) -> StoredReport:
    return StoredReport(
        id=number,
        delivery=report.delivery,
        mailbox=report.mailbox,
        kind=report.kind,
        finding=report.finding,
        status=report.status,
        answer=report.answer[:500],
        road=report.road,
        at=report.at,
        forgiven=False,
    )


def mark_as_own_fault(tx: Transaction, report_ids: Sequence[int]) -> None:
    """Let reports say nothing of their addresses: what they tell turned out to be about us."""
    for chunk in split_into_chunks(report_ids):
        tx.execute(update(reports).where(reports.c.id.in_(chunk)).values(finding=BounceClass.OURS.value))


def forgive_bounces(tx: Transaction, report_ids: Sequence[int]) -> None:
    """Let some bounces count no more."""
    for chunk in split_into_chunks(report_ids):
        tx.execute(update(reports).where(reports.c.id.in_(chunk)).values(forgiven=True))


def forgive_address(tx: Transaction, mailbox: str) -> None:
    """Let what was said of an address so far count no more."""
    tx.execute(update(reports).where(reports.c.mailbox == mailbox, ~reports.c.forgiven).values(forgiven=True))


# --- reading --------------------------------------------------------------------------------------


def list_bounces(tx: Transaction, mailbox: str, since: datetime) -> tuple[tuple[datetime, BounceClass], ...]:
    """The bounces of an address since a time that nobody forgave."""
    condition = (reports.c.mailbox == mailbox) & (reports.c.kind == BOUNCE) & ~reports.c.forgiven
    rows = tx.execute(select(reports.c.at, reports.c.finding).where(condition, reports.c.at > since))
    return tuple((row.at, BounceClass(row.finding)) for row in rows)


class FinalBounce(NamedTuple):
    """What is compared of a bounce that says never, or blames us; a run may have thousands."""

    id: int
    mailbox: str
    status: str
    answer: str
    blames_us: bool


def list_final_of_run(
    tx: Transaction, delivery: int, domain: str = "", limit: int | None = None
) -> tuple[FinalBounce, ...]:
    """The bounces in the run of a delivery that say never or blame us, and that nobody forgave; the last one first.

    Args:
        tx: a writing transaction.
        delivery: the number of one of the run's deliveries.
        domain: only those at it, in small letters; "" for all.
        limit: how many; None for all.
    """
    columns = (reports.c.id, reports.c.mailbox, reports.c.status, reports.c.answer, reports.c.finding)
    statement = _select_final(delivery, domain, *columns).order_by(reports.c.id.desc())
    return tuple(
        FinalBounce(number, mailbox, status, answer, finding == BounceClass.OURS)
        for number, mailbox, status, answer, finding in tx.execute(statement.limit(limit))
    )


def count_final_of_run(tx: Transaction, delivery: int, domain: str = "") -> int:
    """How many ``list_final_of_run`` would give."""
    return int(tx.execute(_select_final(delivery, domain, func.count())).scalar_one())


def _select_final(delivery: int, domain: str, *columns: Any) -> Select[Any]:
    run = (
        select(runs.c.id, runs.c.made_at)
        .join(editions, editions.c.run_id == runs.c.id)
        .join(deliveries, deliveries.c.edition_id == editions.c.id)
        .where(deliveries.c.id == delivery)
        .subquery()
    )
    is_final = reports.c.finding.in_(
        [finding.value for finding in (BounceClass.GONE, BounceClass.CLOSED, BounceClass.OURS)]
    )
    condition = is_final & (reports.c.kind == BOUNCE) & ~reports.c.forgiven & (reports.c.at >= run.c.made_at)
    if domain:
        condition &= reports.c.mailbox.endswith(f"@{domain}", autoescape=True)
    return (
        select(*columns)
        .select_from(reports)
        .join(deliveries, deliveries.c.id == reports.c.delivery)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(run, run.c.id == editions.c.run_id)
        .where(condition)
    )


def count_accepting_of_run(tx: Transaction, delivery: int, limit: int, domain: str = "") -> int:
    """How many took the mail of a delivery's run, which did not come back, or have not answered yet.

    Addresses of a domain, or domains. Those to come count, for the first that answer say little of many.

    Args:
        tx: a transaction.
        delivery: the number of one of the run's deliveries.
        limit: no more are counted.
        domain: whose addresses, in small letters; "" to count domains.
    """
    run = (
        select(editions.c.run_id)
        .join(deliveries, deliveries.c.edition_id == editions.c.id)
        .where(deliveries.c.id == delivery)
        .scalar_subquery()
    )
    has_bounced = exists().where(reports.c.delivery == deliveries.c.id, reports.c.kind == BOUNCE)
    recipients = (
        select(destinations.c.mailbox if domain else destinations.c.domain)
        .distinct()
        .select_from(editions)
        .join(deliveries, deliveries.c.edition_id == editions.c.id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .where(editions.c.run_id == run, deliveries.c.state.in_(["sent", "ready", "leased"]))
        .where(destinations.c.mailbox != "", ~has_bounced)
        .limit(limit)
    )
    if domain:
        recipients = recipients.where(destinations.c.domain == domain)
    return tx.execute(select(func.count()).select_from(recipients.subquery())).scalar_one()


def list_bounced(tx: Transaction, since: datetime) -> tuple[str, ...]:
    """The addresses with soft bounces since a time that nobody forgave."""
    is_soft = (reports.c.finding == BounceClass.SOFT.value) & (reports.c.at > since) & ~reports.c.forgiven
    statement = select(reports.c.mailbox).where(is_soft).distinct().order_by(reports.c.mailbox)
    return tuple(tx.execute(statement).scalars())


def list_undisputed_sends(
    tx: Transaction, mailbox: str, since: datetime, until: datetime
) -> tuple[datetime, ...]:
    """When messages went to an address, from a time to another, that nothing came back about."""
    has_bounced = exists().where(
        reports.c.delivery == deliveries.c.id,
        reports.c.mailbox == destinations.c.mailbox,
        reports.c.kind == BOUNCE,
    )
    is_sent = (
        (deliveries.c.state == "sent") & (deliveries.c.sent_at > since) & (deliveries.c.sent_at <= until)
    )
    is_recent = editions.c.composed_at > since - timedelta(days=30)
    statement = _select_joined().where(destinations.c.mailbox == mailbox, is_recent, is_sent, ~has_bounced)
    return tuple(row.sent_at for row in tx.execute(statement.limit(_MAX_DELIVERIES)))


def list_recent(
    tx: Transaction, *, limit: int, mailbox: str = "", findings: Sequence[BounceClass] = ()
) -> tuple[StoredReport, ...]:
    """The last reports, the newest first; only of an address in small letters, only with some findings."""
    statement = select(reports).order_by(reports.c.at.desc(), reports.c.id.desc()).limit(limit)
    if mailbox:
        statement = statement.where(reports.c.mailbox == mailbox)
    if findings:
        statement = statement.where(reports.c.finding.in_([finding.value for finding in findings]))
    return tuple(map(_build_report, tx.execute(statement)))


def load_last_by_delivery(tx: Transaction, delivery_ids: Sequence[int]) -> dict[int, StoredReport]:
    """The last report about each of some deliveries that came back."""
    statement = select(reports).where(reports.c.delivery.in_(delivery_ids)).order_by(reports.c.id)
    return {row.delivery: _build_report(row) for row in tx.execute(statement)}


def count_by_finding(tx: Transaction, since: datetime) -> dict[str, int]:
    """How many reports there were since a time, by finding."""
    statement = (
        select(reports.c.finding, func.count()).where(reports.c.at > since).group_by(reports.c.finding)
    )
    return {finding: count for finding, count in tx.execute(statement.order_by(desc(func.count())))}  # noqa: C416 - a Row is no pair to mypy


def _build_report(row: Row[Any]) -> StoredReport:
    return StoredReport(
        id=row.id,
        delivery=row.delivery,
        mailbox=row.mailbox,
        kind=row.kind,
        finding=BounceClass(row.finding),
        status=row.status,
        answer=row.answer,
        road=row.road,
        at=row.at,
        forgiven=row.forgiven,
    )
