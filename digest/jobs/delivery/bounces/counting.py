"""Counting a report once, and changing the status of its address."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from digest.core.delivery.retries import RetryPolicy, is_failed
from digest.jobs.delivery.bounces.bounce_events import CountedReport, ReportAction, UncountedReason
from digest.jobs.delivery.bounces.mass_refusals import FINAL_CLASSES, detect_mass_refusal, get_domain
from digest.jobs.notices import note_trouble
from digest.model import BounceClass, Delivery, Receipt, Report
from digest.store.database.engine import Transaction
from digest.store.delivery import reports, suppressions
from digest.store.delivery.reports import BOUNCE, COMPLAINT, ReportedDelivery, StoredReport
from digest.store.editions import undelivered
from digest.store.subscribers import subscribers
from digest.store.subscribers.digests import SUPPRESSED

_BY_MAIL = "smtp"
"""Route of the replies of servers, and the channel of all mail to people."""


def count_report(
    tx: Transaction, message: ReportedDelivery, report: Report, route: str, now: datetime
) -> CountedReport | UncountedReason:
    """Count a report once, and change the status of the address accordingly.

    Args:
        tx: a writing transaction.
        message: the message that it is about.
        report: the report.
        route: the route by which it came.
        now: the time, UTC.
    """
    if report.bounce_class is BounceClass.NOTHING:
        return UncountedReason.NOTHING
    kind = COMPLAINT if report.bounce_class is BounceClass.COMPLAINT else BOUNCE
    occurred_at = min(max(report.at or now, message.sent_at or now), now)
    new_report = StoredReport(
        id=0,
        delivery=message.delivery,
        mailbox=message.mailbox,
        kind=kind,
        finding=report.bounce_class,
        status=report.status,
        answer=report.answer,
        road=route,
        at=occurred_at,
        forgiven=False,
    )
    if kind == BOUNCE:
        reports.lock_bounces(tx)
    stored_report = reports.save_report(tx, new_report)
    if stored_report is None:
        return UncountedReason.KNOWN
    if stored_report.finding is BounceClass.COMPLAINT:
        _unsubscribe_complainer(tx, message, stored_report.mailbox)
        return CountedReport(report=stored_report, digest=message.digest, action=ReportAction.UNSUBSCRIBED)
    undelivered.mark_returned(tx, stored_report.delivery)
    if stored_report.finding is BounceClass.OURS:
        domain = get_domain(stored_report.mailbox)
        note_trouble(tx, f"refused:{domain}", _format_blame_notice(domain, stored_report), now)
    if stored_report.finding in FINAL_CLASSES and (
        counted := detect_mass_refusal(tx, stored_report, message.digest, now)
    ):
        return counted
    return _apply_address_status(tx, stored_report, message.digest, now)


def _unsubscribe_complainer(tx: Transaction, message: ReportedDelivery, mailbox: str) -> None:
    """Unsubscribe from all digests, or only from that of the message if nothing proves that the complainer received it."""
    if message.proven:
        suppressions.stop_all_digests(tx, mailbox, "the reader complained, which unsubscribes the address")
    else:
        subscribers.stop_destination(tx, message.destination)


def _format_blame_notice(domain: str, stored_report: StoredReport) -> str:
    return f"{domain} refuses our mail for a reason that is on our side; no address is suppressed for it: {stored_report.answer}. `digest check` tests what large providers require."


def _apply_address_status(
    tx: Transaction, stored_report: StoredReport, digest: str, now: datetime
) -> CountedReport:
    """Change the status of the address."""
    from digest.core.delivery.bounces.address_status import (
        BOUNCE_LIFETIME,
        CLOSED_PERIOD,
        DELIVERED_AFTER,
        SUSPENSION_PERIOD,
        AddressStatus,
        decide_status,
    )

    since = now - max(BOUNCE_LIFETIME, CLOSED_PERIOD)
    marks = reports.list_bounces(tx, stored_report.mailbox, since)
    delivered_at = reports.list_undisputed_sends(
        tx, stored_report.mailbox, now - BOUNCE_LIFETIME, now - DELIVERED_AFTER
    )
    status = decide_status(stored_report.finding, marks, delivered_at, now)
    stored_states = {
        suppression.mailbox: suppression.state
        for suppression in suppressions.list_suppressions(tx, [stored_report.mailbox])
    }
    state = stored_states.get(stored_report.mailbox)
    if status is AddressStatus.SUPPRESSED and state != SUPPRESSED:
        suppressions.suppress_address(tx, stored_report.mailbox, now, until=None, report=stored_report.id)
        return CountedReport(report=stored_report, digest=digest, action=ReportAction.SUPPRESSED)
    if status is AddressStatus.SUSPENDED and state is None:
        until = now + SUSPENSION_PERIOD
        suppressions.suppress_address(tx, stored_report.mailbox, now, until=until, report=stored_report.id)
        return CountedReport(report=stored_report, digest=digest, action=ReportAction.RESTS, until=until)
    return CountedReport(report=stored_report, digest=digest, action=ReportAction.NOTHING)


def count_refusals(
    tx: Transaction, answered: Sequence[tuple[Delivery, Receipt]], now: datetime, retry_policy: RetryPolicy
) -> list[CountedReport]:
    """Count the replies of servers that ended a delivery by mail, because it was refused or given up.

    Args:
        tx: the transaction that records the receipts.
        answered: claimed deliveries and their receipts.
        now: the time, UTC.
        retry_policy: decides when a deferred delivery is given up.
    """
    counted_reports: list[CountedReport] = []
    for delivery, receipt in answered:
        if delivery.channel != _BY_MAIL or not is_failed(delivery, receipt, now, retry_policy):
            continue
        from digest.core.delivery.bounces.address_status import (
            derive_bounce_class,  # slow to import: it has many rules
        )
        from digest.core.delivery.replies import extract_status

        message = ReportedDelivery(
            delivery=delivery.id,
            destination=delivery.destination,
            mailbox=delivery.address.lower(),
            digest=delivery.digest,
            sent_at=None,
        )
        status = extract_status(receipt.answer)
        report = Report(
            bounce_class=derive_bounce_class(receipt),
            status="" if status == "-" else status,
            answer=receipt.answer,
        )
        counted = count_report(tx, message, report, _BY_MAIL, now)
        counted_reports += [counted] if isinstance(counted, CountedReport) else []
    return counted_reports
