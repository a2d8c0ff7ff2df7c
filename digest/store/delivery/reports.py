"""Reports: bounces and complaints about deliveries, each counted once however often and by whichever way it arrives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, desc, exists, func, select, update

from digest.model import BounceClass
from digest.store.database.dialect import BOUNCE_LOCK, insert_ignoring, split_into_chunks, take_lock
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, digests, editions, runs
from digest.store.database.tables.readers import reports

BOUNCE, COMPLAINT = "bounce", "complaint"
_MAX_EDITION_AGE = timedelta(days=120)
"""Age of editions up to which their messages are found."""
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
    """Delivery that a report is about.

    Attributes:
        delivery: the number of the delivery.
        destination: the number of its destination.
        mailbox: its recipient, in lower case.
        digest: the name of the digest.
        sent_at: when it was sent; None if it was not.
        proven: whether the reporter is known to have been involved in sending it.
    """

    delivery: int
    destination: int
    mailbox: str
    digest: str
    sent_at: datetime | None
    proven: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReport:
    """Report in the database.

    Attributes:
        delivery: the number of the delivery; 0 if unknown.
        mailbox: the reported address, in lower case.
        kind: ``bounce`` or ``complaint``.
        status: the enhanced status code, or "".
        road: how it was received: ``smtp``, ``mailbox``, or the name of a provider.
        at: when it happened.
        forgiven: whether it no longer counts, because somebody has resumed the address since.
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


# --- deliveries of reports ------------------------------------------------------------------------


def find_by_id(tx: Transaction, delivery: int) -> ReportedDelivery | None:
    """Return the delivery with a number if it went out by mail; None otherwise."""
    return _find_delivery(tx, deliveries.c.id == delivery)


def find_by_message_id(
    tx: Transaction, message_id: str, now: datetime, *, mailbox: str = "", destination: int = 0
) -> ReportedDelivery | None:
    """Return the delivery with a Message-ID to an address or destination; None if there is none.

    Args:
        tx: a transaction.
        message_id: the Message-ID with its angle brackets.
        now: the time; editions older than ``_MAX_EDITION_AGE`` are ignored.
        mailbox: the recipient, in lower case.
        destination: the number of the destination, if it is known instead of the recipient.
    """
    condition = _match_recipient(mailbox, destination) & (editions.c.composed_at > now - _MAX_EDITION_AGE)
    return _find_delivery(tx, condition & (deliveries.c.message_id == message_id))


def find_last_sent(
    tx: Transaction, before: datetime, since: datetime, *, mailbox: str = "", destination: int = 0
) -> ReportedDelivery | None:
    """Return the last delivery to an address or destination between two times; None if there is none."""
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
    """Join from the destination by its digest to editions and deliveries, because there are indexes in this direction."""
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


# --- writing --------------------------------------------------------------------------------------


def lock_bounces(tx: Transaction) -> None:
    """Lock the counting of bounces until this transaction ends, so that each transaction sees all earlier reports.

    Take it before anything that a bounce writes: one notice row stands for a whole domain, so two
    transactions that lock the notice and this lock in different order would deadlock.
    """
    take_lock(tx, BOUNCE_LOCK)


def save_report(tx: Transaction, report: StoredReport) -> StoredReport | None:
    """Store a report, or replace a milder one of the same kind about the same delivery.

    Args:
        tx: a writing transaction.
        report: the report; its ``id`` is ignored.

    Returns:
        The report with its number; None if it adds nothing.
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
    """Change the finding of reports to our own fault, so that they no longer count against their addresses."""
    for chunk in split_into_chunks(report_ids):
        tx.execute(update(reports).where(reports.c.id.in_(chunk)).values(finding=BounceClass.OURS.value))


def forgive_bounces(tx: Transaction, report_ids: Sequence[int]) -> None:
    """Mark bounces as forgiven; they no longer count."""
    for chunk in split_into_chunks(report_ids):
        tx.execute(update(reports).where(reports.c.id.in_(chunk)).values(forgiven=True))


def forgive_address(tx: Transaction, mailbox: str) -> None:
    """Mark all reports about an address as forgiven; they no longer count."""
    tx.execute(update(reports).where(reports.c.mailbox == mailbox, ~reports.c.forgiven).values(forgiven=True))


# --- reading --------------------------------------------------------------------------------------


def list_bounces(tx: Transaction, mailbox: str, since: datetime) -> tuple[tuple[datetime, BounceClass], ...]:
    """Return time and finding of the bounces of an address since a time, except forgiven ones."""
    condition = (reports.c.mailbox == mailbox) & (reports.c.kind == BOUNCE) & ~reports.c.forgiven
    rows = tx.execute(select(reports.c.at, reports.c.finding).where(condition, reports.c.at > since))
    return tuple((row.at, BounceClass(row.finding)) for row in rows)


class FinalBounce(NamedTuple):
    """Compared fields of a bounce that is permanent or our fault; a run may have thousands."""

    id: int
    mailbox: str
    status: str
    answer: str
    blames_us: bool


def list_final_of_run(
    tx: Transaction, delivery: int, domain: str = "", limit: int | None = None
) -> tuple[FinalBounce, ...]:
    """Return the bounces of a delivery's run that are permanent or our fault, except forgiven ones, latest first.

    Args:
        tx: a writing transaction.
        delivery: the number of any delivery of the run.
        domain: only addresses of this domain, in lower case; "" for all.
        limit: maximum number of bounces; None for all.
    """
    columns = (reports.c.id, reports.c.mailbox, reports.c.status, reports.c.answer, reports.c.finding)
    statement = _select_final(delivery, domain, *columns).order_by(reports.c.id.desc())
    return tuple(
        FinalBounce(number, mailbox, status, answer, finding == BounceClass.OURS)
        for number, mailbox, status, answer, finding in tx.execute(statement.limit(limit))
    )


def count_final_of_run(tx: Transaction, delivery: int, domain: str = "") -> int:
    """Return the number of bounces that ``list_final_of_run`` would return without a limit."""
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
    """Count the addresses of a domain, or the domains, with mail of a delivery's run that did not bounce.

    Messages that are still waiting count as well, because the first answers are not representative.

    Args:
        tx: a transaction.
        delivery: the number of any delivery of the run.
        limit: stop counting there.
        domain: count addresses of this domain, in lower case; "" to count domains.
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
    """Return the addresses with soft bounces since a time, except forgiven ones."""
    is_soft = (reports.c.finding == BounceClass.SOFT.value) & (reports.c.at > since) & ~reports.c.forgiven
    statement = select(reports.c.mailbox).where(is_soft).distinct().order_by(reports.c.mailbox)
    return tuple(tx.execute(statement).scalars())


def list_undisputed_sends(
    tx: Transaction, mailbox: str, since: datetime, until: datetime
) -> tuple[datetime, ...]:
    """Return when messages without a bounce were sent to an address in a period."""
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
    """Return the last reports, newest first, optionally only of an address (in lower case) or with some findings."""
    statement = select(reports).order_by(reports.c.at.desc(), reports.c.id.desc()).limit(limit)
    if mailbox:
        statement = statement.where(reports.c.mailbox == mailbox)
    if findings:
        statement = statement.where(reports.c.finding.in_([finding.value for finding in findings]))
    return tuple(map(_build_report, tx.execute(statement)))


def list_newest(tx: Transaction, limit: int, before: int | None = None) -> tuple[StoredReport, ...]:
    """Return the reports that were received last, newest first.

    Args:
        tx: a transaction.
        limit: the maximum number.
        before: only those with a lower number; None for all.
    """
    statement = select(reports).order_by(reports.c.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(reports.c.id < before)
    return tuple(map(_build_report, tx.execute(statement)))


def load_last_by_delivery(tx: Transaction, delivery_ids: Sequence[int]) -> dict[int, StoredReport]:
    """Return the last report about each of some deliveries, by delivery."""
    statement = select(reports).where(reports.c.delivery.in_(delivery_ids)).order_by(reports.c.id)
    return {row.delivery: _build_report(row) for row in tx.execute(statement)}


def count_by_finding(tx: Transaction, since: datetime) -> dict[str, int]:
    """Count the reports since a time by finding."""
    # The index begins with the finding; without all of them in the condition, every report is read.
    is_recent = reports.c.finding.in_([finding.value for finding in BounceClass]) & (reports.c.at > since)
    statement = select(reports.c.finding, func.count()).where(is_recent).group_by(reports.c.finding)
    return {finding: count for finding, count in tx.execute(statement.order_by(desc(func.count())))}  # noqa: C416 - a Row is not a pair to mypy


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
