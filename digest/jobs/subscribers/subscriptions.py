"""Stop and resume: what readers and operators decide about who gets what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.config import Settings
from digest.core.delivery.bounces.address_status import (
    BOUNCE_LIFETIME,
    DELIVERED_AFTER,
    BounceScore,
    score_bounces,
)
from digest.errors import ConfigError
from digest.model import AddressKind, BounceClass
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import reports, suppressions
from digest.store.delivery.reports import StoredReport
from digest.store.delivery.suppressions import Suppression
from digest.store.subscribers import subscribers as rows
from digest.store.subscribers.digests import ACTIVE
from digest.store.subscribers.subscribers import Subscriber


def stop_destination(store: Store, destination: int) -> tuple[Subscriber, bool] | None:
    """Unsubscribe a destination: nothing goes there any more, whatever the file says.

    Returns:
        Who it was, and whether that was not so before; None where there is no such destination.
    """
    with store.begin_write() as tx:
        changed = rows.stop_destination(tx, destination)
        subscriber = rows.find_subscriber(tx, destination)
    return (subscriber, changed) if subscriber else None


def resume_destination(store: Store, settings: Settings, destination: int) -> Subscriber | None:
    """Let a digest go to a destination again, because its reader wants it; None where there is no such one.

    Who asks for it has the mail, so its address works: what came back is forgiven.
    """
    with store.begin_write() as tx:
        subscriber = rows.find_subscriber(tx, destination)
        if subscriber is None:
            return None
        _forgive_bounces(tx, subscriber.mailbox)
        _resume_subscribers(tx, settings, [subscriber])
        return rows.find_subscriber(tx, destination)


def resume_address(store: Store, settings: Settings, address: str) -> tuple[Subscriber, ...]:
    """Let all digests go to an address again that unsubscribed, or that mail came back from, as far as the file has it.

    Returns:
        Those that nothing went to, as they are now.

    Raises:
        ConfigError: the address is not known.
    """
    with store.begin_write() as tx:
        matching = rows.list_subscribers(tx, address=address)
        if not matching:
            raise ConfigError(
                f"{address} is not and was not a destination; `digest subscribers list` lists all destinations"
            )
        inactive_ids = {
            subscriber.destination for subscriber in matching if subscriber.stopped or subscriber.came_back
        }
        for mailbox in {subscriber.mailbox for subscriber in matching}:
            _forgive_bounces(tx, mailbox)
        _resume_subscribers(tx, settings, [subscriber for subscriber in matching if subscriber.stopped])
        updated = rows.list_subscribers(tx, address=address)
    return tuple(subscriber for subscriber in updated if subscriber.destination in inactive_ids)


def _forgive_bounces(tx: Transaction, mailbox: str) -> None:
    if mailbox:
        reports.forgive_address(tx, mailbox)
        suppressions.remove_suppression(tx, mailbox)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressionFilter:
    """Which suppressions to take back: those that all of it fits.

    Attributes:
        reason: stands in what the server said, a code as a whole, or is the enhanced status code; "" for any.
        domain: of the address, in small letters; "" for any.
        since: the suppression began then or later; None for any.
        until: it began before then; None for any.
    """

    reason: str = ""
    domain: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def is_match(self, suppression: Suppression) -> bool:
        """Whether a suppression is one of these."""
        in_time = (self.since is None or suppression.since >= self.since) and (
            self.until is None or suppression.since < self.until
        )
        at_domain = not self.domain or suppression.mailbox.rpartition("@")[2] == self.domain
        return in_time and at_domain and self.has_reason(suppression.status, suppression.answer)

    def has_reason(self, status: str, answer: str) -> bool:
        """Whether a server gave that reason."""
        if _CODE.fullmatch(self.reason):
            code_pattern = rf"(?<![\w.]){re.escape(self.reason)}(?!\.?\w)"
            return self.reason == status or re.search(code_pattern, answer) is not None
        return self.reason.lower() in answer.lower()


_CODE = re.compile(r"[245]\d\d|[245]\.\d{1,3}\.\d{1,3}")
"""A reply code or an enhanced status code: 5.1.1 is none of the signs of 5.1.10."""


def find_suppressions(store: Store, suppression_filter: SuppressionFilter) -> tuple[Suppression, ...]:
    """The suppressions that a filter fits, the last one first."""
    with store.begin_read() as tx:
        return tuple(filter(suppression_filter.is_match, suppressions.list_suppressions(tx)))


def find_unsubscribed(store: Store, matching: Sequence[Suppression]) -> frozenset[str]:
    """The addresses of suppressions, in small letters, that have unsubscribed from all digests, so that nothing goes there."""
    with store.begin_read() as tx:
        return suppressions.list_unsubscribed(tx, [suppression.mailbox for suppression in matching])


def lift_suppressions(
    store: Store, suppression_filter: SuppressionFilter, matching: Sequence[Suppression]
) -> tuple[Suppression, ...]:
    """Take back suppressions, from the next edition on; who unsubscribed stays so.

    The bounces that gave the same reason count no more, so that the next one does not bring the suppression back.

    Args:
        store: the database.
        suppression_filter: the filter that found them.
        matching: the suppressions, as somebody has seen them.

    Returns:
        Those that were still there.
    """
    with store.begin_write() as tx:
        report_by_mailbox = {suppression.mailbox: suppression.report for suppression in matching}
        chosen = [
            suppression
            for suppression in suppressions.list_suppressions(tx)
            if report_by_mailbox.get(suppression.mailbox) == suppression.report
        ]
        for suppression in chosen:
            suppressions.remove_suppression(tx, suppression.mailbox)
            recent_reports = reports.list_recent(tx, limit=_MAX_FORGIVEN, mailbox=suppression.mailbox)
            bounces = (report for report in recent_reports if report.kind == reports.BOUNCE)
            report_ids = [
                report.id for report in bounces if suppression_filter.has_reason(report.status, report.answer)
            ]
            reports.forgive_bounces(tx, [suppression.report, *report_ids])
    return tuple(chosen)


_MAX_FORGIVEN = 1_000
"""Bounces of one address; older ones count no more anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressStanding:
    """How an address stands.

    Attributes:
        score: its soft bounces that count.
        suppression: None where nothing keeps mail from it.
        complaint: the last one that nobody forgave; None for none.
    """

    score: BounceScore
    suppression: Suppression | None
    complaint: StoredReport | None


def load_standing(tx: Transaction, mailbox: str, now: datetime) -> AddressStanding:
    """How an address stands, in small letters."""
    marks = reports.list_bounces(tx, mailbox, now - BOUNCE_LIFETIME)
    delivered_at = (
        reports.list_undisputed_sends(tx, mailbox, now - BOUNCE_LIFETIME, now - DELIVERED_AFTER)
        if marks
        else ()
    )
    (suppression, *_) = (*suppressions.list_suppressions(tx, [mailbox]), None)
    recent_complaints = reports.list_recent(tx, limit=1, mailbox=mailbox, findings=[BounceClass.COMPLAINT])
    complaint = next((report for report in recent_complaints if not report.forgiven), None)
    return AddressStanding(
        score=score_bounces(marks, delivered_at, now), suppression=suppression, complaint=complaint
    )


def load_scores(tx: Transaction, now: datetime) -> dict[str, BounceScore]:
    """The scores of all addresses that mail came back from lately, in small letters."""
    bounced_mailboxes = reports.list_bounced(tx, now - BOUNCE_LIFETIME)
    return {mailbox: load_standing(tx, mailbox, now).score for mailbox in bounced_mailboxes}


def list_suppressed(store: Store, settings: Settings) -> tuple[tuple[str, Suppression], ...]:
    """The addresses of the file that nothing goes to because mail came back, as written, and why."""
    declared: dict[str, str] = {}
    for destination in (
        destination
        for digest in settings.digests
        for destination in digest.destinations
        if destination.kind is AddressKind.MAILBOX
    ):
        declared.setdefault(destination.address.lower(), destination.address)
    with store.begin_read() as tx:
        suppressed = suppressions.list_suppressions(tx) if declared else ()
    return tuple(
        (declared[suppression.mailbox], suppression)
        for suppression in suppressed
        if suppression.mailbox in declared
    )


def list_unsubscribed(store: Store, settings: Settings) -> tuple[tuple[str, str], ...]:
    """What the file declares and nothing goes to, because its reader unsubscribed: digest and address.

    A destination that the file has only now counts where its address has unsubscribed from any digest of it:
    it will start stopped.
    """
    with store.begin_read() as tx:
        stopped = rows.list_stopped(tx)
        states_by_destination = {
            (subscriber.digest, subscriber.channel, subscriber.address): subscriber.state
            for address in {subscriber.address.lower() for subscriber in stopped}
            for subscriber in rows.list_subscribers(tx, address=address)
        }
    addresses = {(subscriber.channel, subscriber.address.lower()) for subscriber in stopped}
    return tuple(
        (digest.name, destination.address)
        for digest in settings.digests
        for destination in digest.destinations
        if (destination.channel, destination.address.lower()) in addresses
        and states_by_destination.get((digest.name, destination.channel, destination.address)) != ACTIVE
    )


def _resume_subscribers(tx: Transaction, settings: Settings, subscribers: Sequence[Subscriber]) -> None:
    declared_ids = [
        subscriber.destination for subscriber in subscribers if _is_declared(settings, subscriber)
    ]
    rows.resume_destinations(tx, [subscriber.destination for subscriber in subscribers], declared_ids)


def _is_declared(settings: Settings, subscriber: Subscriber) -> bool:
    return any(
        (destination.channel, destination.address) == (subscriber.channel, subscriber.address)
        for digest in settings.digests
        if digest.name == subscriber.digest
        for destination in digest.destinations
    )
