"""Refusals of many addresses that are so alike that they are about us: nobody is suppressed for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from digest.jobs.delivery.bounces.bounce_events import CountedReport, ReportAction
from digest.jobs.notices import note_trouble
from digest.model import BounceClass
from digest.store.database.engine import Transaction
from digest.store.delivery import reports, suppressions
from digest.store.delivery.reports import FinalBounce, StoredReport

FINAL_CLASSES = frozenset({BounceClass.GONE, BounceClass.CLOSED})
"""Bounces that say that an address does not exist or no longer receives mail."""


def detect_mass_refusal(
    tx: Transaction, stored_report: StoredReport, digest: str, now: datetime
) -> CountedReport | None:
    """Suppress nobody if the refusals in a run are so alike that they are about us; None if they are not.

    Addresses that were suppressed before this became clear are released.
    """
    alike_bounces = _find_same_wording(tx, stored_report, now) or _find_unknown_domains(
        tx, stored_report, now
    )
    if not alike_bounces:
        return None
    bounce_ids = [bounce.id for bounce in alike_bounces if not bounce.blames_us]
    suppressions.withdraw_for_reports(tx, bounce_ids)
    reports.mark_as_own_fault(tx, bounce_ids)
    return CountedReport(
        report=replace(stored_report, finding=BounceClass.OURS), digest=digest, action=ReportAction.BLAMED_US
    )


def _find_same_wording(tx: Transaction, stored_report: StoredReport, now: datetime) -> Sequence[FinalBounce]:
    """Find the bounces at the same domain with the same wording, if they are about us."""
    from digest.core.delivery.bounces.refused_alike import normalize_refusal

    domain, words = (
        get_domain(stored_report.mailbox),
        normalize_refusal(stored_report.answer, stored_report.mailbox),
    )

    def is_alike(bounce: FinalBounce) -> bool:
        return normalize_refusal(bounce.answer, bounce.mailbox) == words

    def notify_operator(refused: int, accepted: int) -> None:
        note_trouble(
            tx, f"refused-alike:{domain}", _format_alike_notice(domain, refused, accepted, stored_report), now
        )

    return _select_our_fault(tx, stored_report, domain, is_alike, notify_operator)


def _find_unknown_domains(
    tx: Transaction, stored_report: StoredReport, now: datetime
) -> Sequence[FinalBounce]:
    """Find the bounces that call a domain unknown, if there are so many that our name server or the relay's must be at fault."""
    from digest.core.delivery.wordings import Topic, detect_topic

    def is_alike(bounce: FinalBounce) -> bool:
        return detect_topic(bounce.answer) is Topic.NO_DOMAIN

    def notify_operator(refused: int, _accepted: int) -> None:
        note_trouble(tx, "refused-alike", _format_unknown_domains_notice(refused, stored_report), now)

    if detect_topic(stored_report.answer) is not Topic.NO_DOMAIN:
        return ()
    return _select_our_fault(tx, stored_report, "", is_alike, notify_operator)


def _select_our_fault(
    tx: Transaction,
    stored_report: StoredReport,
    domain: str,
    is_alike: Callable[[FinalBounce], bool],
    notify_operator: Callable[[int, int], None],
) -> Sequence[FinalBounce]:
    """Select the similar bounces of a run if there are so many that they are about us; else none.

    Args:
        tx: a writing transaction.
        stored_report: the report that was added.
        domain: the domain whose addresses are compared; "" to compare domains.
        is_alike: whether a bounce is similar to the report.
        notify_operator: notes for the operator how many recipients were refused and how many were not.
    """
    from digest.core.delivery.bounces.refused_alike import (
        MIN_REFUSED,
        REFUSED_DIVISOR,
        is_about_us,
        is_worth_counting,
    )

    delivery = stored_report.delivery
    last_bounces = reports.list_final_of_run(tx, delivery, domain, _MAX_COMPARED)
    alike_bounces = list(filter(is_alike, last_bounces))
    refused_count = len(
        {bounce.mailbox if domain else get_domain(bounce.mailbox) for bounce in alike_bounces}
    )
    if len(last_bounces) == _MAX_COMPARED:
        refused_count = refused_count * reports.count_final_of_run(tx, delivery, domain) // _MAX_COMPARED
    if not is_worth_counting(refused_count):  # as decided when that report was counted
        return (
            alike_bounces
            if refused_count >= MIN_REFUSED and _is_previous_our_fault(alike_bounces, stored_report)
            else ()
        )
    accepted_count = reports.count_accepting_of_run(tx, delivery, refused_count * REFUSED_DIVISOR, domain)
    if not is_about_us(refused_count, accepted_count):
        return ()
    notify_operator(refused_count, accepted_count)
    return list(filter(is_alike, reports.list_final_of_run(tx, delivery, domain)))


def _is_previous_our_fault(alike_bounces: Sequence[FinalBounce], stored_report: StoredReport) -> bool:
    """Whether the last final refusal before it was decided to be about us.

    A refusal whose own wording blames us is no such decision.
    """
    previous = next(
        (
            bounce_before
            for bounce_before in alike_bounces
            if bounce_before.id != stored_report.id and _is_final(bounce_before)
        ),
        None,
    )
    return previous is not None and previous.blames_us


def _is_final(final_bounce: FinalBounce) -> bool:
    from digest.core.delivery.bounces.address_status import parse_bounce

    return (
        not final_bounce.blames_us
        or parse_bounce(final_bounce.status, final_bounce.answer)[0] in FINAL_CLASSES
    )


_MAX_COMPARED = 200
"""Number of bounces of a run or domain that are compared one by one; with more, the number is estimated."""


def get_domain(mailbox: str) -> str:
    """Return the domain of an address."""
    return mailbox.rpartition("@")[2]


def _format_alike_notice(domain: str, refused: int, accepted: int, stored_report: StoredReport) -> str:
    return f"At least {refused} addresses at {domain} were refused with the same words in one run, while {accepted} accepted their mail or have not answered: {stored_report.answer}. So many addresses do not disappear at once: their server blocks us or has a problem, whatever it says, so nobody is suppressed for it. Ask the postmaster of {domain}, and run `digest check`. If the addresses no longer exist, remove them from the configuration. `digest subscribers unsuppress` takes back earlier suppressions by reason and time."


def _format_unknown_domains_notice(refused: int, stored_report: StoredReport) -> str:
    return (
        f"At least {refused} domains were unknown in one run, a quarter of all: {stored_report.answer}. So many domains do not disappear at once: the name server of your relay, or of this machine, has a problem, so nobody is suppressed for it. "
        "`digest subscribers unsuppress` takes back earlier suppressions by reason and time."
    )
