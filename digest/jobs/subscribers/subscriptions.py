"""Stop and resume deliveries, by readers and by operators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
from digest.store.operations.audit import Actor, AuditAction, record_change
from digest.store.operations.growth import ReaderEvent, count_event
from digest.store.subscribers import subscribers as rows
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.config_sync import end_digests
from digest.store.subscribers.digest_locks import lock_digests
from digest.store.subscribers.digests import ACTIVE, ENDED, Digest, load_digests_of
from digest.store.subscribers.subscribers import Subscriber


def stop_destination(store: Store, destination: int, now: datetime) -> tuple[Subscriber, bool] | None:
    """Unsubscribe a destination at the request of its reader: it gets nothing any more, whatever the file declares.

    With the mail of a digest that a reader made, its chats and webhooks end.

    Args:
        store: the store.
        destination: the number of the destination.
        now: the current time, UTC.

    Returns:
        The subscriber, and whether this changed anything; None if there is no such destination.
    """
    with store.begin_write() as tx:
        changed = _stop_with_companions(tx, destination)
        subscriber = rows.find_subscriber(tx, destination)
        if changed:
            count_event(tx, ReaderEvent.UNSUBSCRIPTION, now)
    return (subscriber, changed) if subscriber else None


def resume_destination(store: Store, settings: Settings, destination: int) -> Subscriber | None:
    """Resume a destination at the request of its reader; return None if there is no such destination.

    The reader has received the mail with the link, so the address works: its bounces are forgiven.
    """
    with store.begin_write() as tx:
        subscriber = rows.find_subscriber(tx, destination)
        if subscriber is None:
            return None
        _forgive_bounces(tx, subscriber.mailbox)
        _resume_subscribers(tx, settings, [subscriber, *_list_companions(tx, [subscriber])])
        return rows.find_subscriber(tx, destination)


def resume_address(
    store: Store, settings: Settings, actor: Actor, address: str, now: datetime
) -> tuple[Subscriber, ...]:
    """Resume all digests for an address that unsubscribed or bounced, as far as the file declares them.

    Args:
        store: the store.
        settings: the configuration.
        actor: the operator who decides.
        address: the address, in any case.
        now: the current time, UTC.

    Returns:
        The subscribers that got nothing before, in their new state; those that ``gets_editions`` are resumed.

    Raises:
        ConfigError: the address is unknown.
    """
    with store.begin_write() as tx:
        matching = _list_known(tx, address)
        inactive_ids = {
            subscriber.destination for subscriber in matching if subscriber.stopped or subscriber.came_back
        }
        mailboxes = {subscriber.mailbox for subscriber in matching}
        lifted = sum(_forgive_bounces(tx, mailbox) for mailbox in mailboxes)
        stopped = [subscriber for subscriber in matching if subscriber.stopped]
        _resume_subscribers(tx, settings, [*stopped, *_list_companions(tx, stopped)])
        updated = rows.list_subscribers(tx, address=address)
        previous = [subscriber for subscriber in updated if subscriber.destination in inactive_ids]
        resumed = sum(subscriber.gets_editions for subscriber in previous)
        if resumed:
            record_change(tx, actor, AuditAction.RESUME_ADDRESS, describe_address(tx, matching), resumed, now)
        elif lifted:
            record_change(
                tx, actor, AuditAction.LIFT_SUPPRESSIONS, describe_address(tx, matching), lifted, now
            )
    return tuple(previous)


def stop_address(store: Store, actor: Actor, address: str, now: datetime) -> tuple[Subscriber, ...]:
    """Unsubscribe an address from all digests, of the file and of the site.

    Returns:
        The subscribers that got something before, in their new state.

    Raises:
        ConfigError: the address is unknown.
    """
    with store.begin_write() as tx:
        matching = _list_known(tx, address)
        stopped_ids = {
            subscriber.destination
            for subscriber in matching
            if subscriber.state != ENDED and _stop_with_companions(tx, subscriber.destination)
        }
        if stopped_ids:
            subject = describe_address(tx, matching)
            record_change(tx, actor, AuditAction.STOP_ADDRESS, subject, len(stopped_ids), now)
        updated = rows.list_subscribers(tx, address=address)
    return tuple(subscriber for subscriber in updated if subscriber.destination in stopped_ids)


def end_reader_digest(
    store: Store, actor: Actor, name: str, address: str, now: datetime
) -> tuple[Subscriber, ...]:
    """End a digest that a reader made on the site, as its reader can: no further edition comes, and its feed is gone.

    Returns:
        The subscribers of the digest, in their new state.

    Raises:
        ConfigError: the reader has no digest with this name.
    """
    with store.begin_write() as tx:
        lock_digests(tx, [find_reader_digest(tx, name, address).id])
        digest = find_reader_digest(tx, name, address)
        mails = [
            subscriber.destination
            for subscriber in rows.list_subscribers(tx, address=address)
            if subscriber.made_on_site and subscriber.digest == name
        ]
        chats = [chat for mail in mails for chat in rows.list_companions(tx, mail)]
        for destination in (*mails, *chats):
            rows.stop_destination(tx, destination)
        end_digests(tx, [digest.id], now)
        record_change(tx, actor, AuditAction.END_DIGEST, f"digest {digest.id}", 1, now)
        ended = (rows.find_subscriber(tx, destination) for destination in (*mails, *chats))
        return tuple(subscriber for subscriber in ended if subscriber is not None)


def find_reader_digest(tx: Transaction, name: str, address: str) -> Digest:
    """Return the digest with a name that a reader made on the site, paused or not.

    Raises:
        ConfigError: there is none; the message lists the names of the reader's digests.
    """
    own_digests = load_digests_of(tx, address.lower())
    match = next((digest for digest in own_digests if digest.name == name), None)
    if match is None:
        names = ", ".join(digest.name for digest in own_digests) or "none"
        raise ConfigError(f"{address} has no digest {name!r} on the site; digests: {names}")
    return match


def describe_address(tx: Transaction, matching: Sequence[Subscriber]) -> str:
    """Name an address in the audit log, by the number of its reader, or of its first destination.

    Args:
        tx: a transaction.
        matching: the destinations with this address; at least one.
    """
    reader = find_subscriber_id(tx, matching[0].mailbox)
    return f"destination {matching[0].destination}" if reader is None else f"subscriber {reader}"


def _list_known(tx: Transaction, address: str) -> tuple[Subscriber, ...]:
    matching = rows.list_subscribers(tx, address=address)
    if not matching:
        raise ConfigError(
            f"{address} is not and was not a destination; `digest subscribers list` lists all destinations"
        )
    return matching


def _stop_with_companions(tx: Transaction, destination: int) -> bool:
    """Unsubscribe a destination and its companions; return whether it was subscribed before."""
    for companion in rows.list_companions(tx, destination):
        rows.stop_destination(tx, companion)
    return rows.stop_destination(tx, destination)


def _list_companions(tx: Transaction, subscribers: Sequence[Subscriber]) -> Iterator[Subscriber]:
    for subscriber in subscribers:
        for companion in rows.list_companions(tx, subscriber.destination):
            chat = rows.find_subscriber(tx, companion)
            if chat is not None and chat.stopped:
                yield chat


def _forgive_bounces(tx: Transaction, mailbox: str) -> bool:
    """Forget the bounces of an address; return whether they had suppressed it."""
    if not mailbox:
        return False
    reports.forgive_address(tx, mailbox)
    return suppressions.remove_suppression(tx, mailbox)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressionFilter:
    """Selects suppressions that match all of its conditions.

    Attributes:
        reason: a part of the server's answer, a whole reply code, or the enhanced status code; "" for any.
        domain: the domain of the address, in lower case; "" for any.
        since: the earliest beginning of the suppression, inclusive; None for any.
        until: the latest beginning, exclusive; None for any.
    """

    reason: str = ""
    domain: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def is_match(self, suppression: Suppression) -> bool:
        """Whether a suppression matches."""
        in_time = (self.since is None or suppression.since >= self.since) and (
            self.until is None or suppression.since < self.until
        )
        at_domain = not self.domain or suppression.mailbox.rpartition("@")[2] == self.domain
        return in_time and at_domain and self.has_reason(suppression.status, suppression.answer)

    def has_reason(self, status: str, answer: str) -> bool:
        """Whether a server's status and answer match the reason."""
        if _CODE.fullmatch(self.reason):
            code_pattern = rf"(?<![\w.]){re.escape(self.reason)}(?!\.?\w)"
            return self.reason == status or re.search(code_pattern, answer) is not None
        return self.reason.lower() in answer.lower()


_CODE = re.compile(r"[245]\d\d|[245]\.\d{1,3}\.\d{1,3}")
"""A reply code or an enhanced status code, which is compared as a whole: 5.1.1 does not match 5.1.10."""


def find_suppressions(store: Store, suppression_filter: SuppressionFilter) -> tuple[Suppression, ...]:
    """Find the suppressions that a filter matches, latest first."""
    with store.begin_read() as tx:
        return tuple(filter(suppression_filter.is_match, suppressions.list_suppressions(tx)))


def find_unsubscribed(store: Store, matching: Sequence[Suppression]) -> frozenset[str]:
    """Find the suppressed addresses that unsubscribed from all digests, in lower case."""
    with store.begin_read() as tx:
        return suppressions.list_unsubscribed(tx, [suppression.mailbox for suppression in matching])


def lift_suppressions(
    store: Store,
    actor: Actor,
    suppression_filter: SuppressionFilter,
    matching: Sequence[Suppression],
    now: datetime,
) -> tuple[Suppression, ...]:
    """Lift suppressions from the next edition on; unsubscribed addresses stay unsubscribed.

    Bounces with the same reason no longer count, so that the next one does not renew the suppression.

    Args:
        store: the store.
        actor: the operator who decides.
        suppression_filter: the filter that found them.
        matching: the suppressions as the operator has seen them.
        now: the current time, UTC.

    Returns:
        The lifted suppressions, which were still unchanged.
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
        if chosen:
            subject = _describe_suppression(tx, chosen[0]) if len(chosen) == 1 else ""
            record_change(tx, actor, AuditAction.LIFT_SUPPRESSIONS, subject, len(chosen), now)
    return tuple(chosen)


def _describe_suppression(tx: Transaction, suppression: Suppression) -> str:
    reader = find_subscriber_id(tx, suppression.mailbox)
    return f"report {suppression.report}" if reader is None else f"subscriber {reader}"


_MAX_FORGIVEN = 1_000
"""Maximum number of bounces of one address that are forgiven; older ones no longer count anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressStanding:
    """The standing of an address.

    Attributes:
        score: its soft bounces that count.
        suppression: its suppression; None if there is none.
        complaint: the last complaint that was not forgiven; None if there is none.
    """

    score: BounceScore
    suppression: Suppression | None
    complaint: StoredReport | None


def load_standing(tx: Transaction, mailbox: str, now: datetime) -> AddressStanding:
    """Load the standing of an address, which is given in lower case."""
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
    """Load the scores of all addresses with recent bounces, by address in lower case."""
    bounced_mailboxes = reports.list_bounced(tx, now - BOUNCE_LIFETIME)
    return {mailbox: load_standing(tx, mailbox, now).score for mailbox in bounced_mailboxes}


def list_suppressed(store: Store, settings: Settings) -> tuple[tuple[str, Suppression], ...]:
    """List the suppressed addresses of the file, as they are written there, with their suppressions."""
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
    """List digest and address of declared destinations that get nothing because the reader unsubscribed.

    A destination that is new in the file counts if its address has unsubscribed from any digest in it,
    because it will start stopped.
    """
    with store.begin_read() as tx:
        stopped = [subscriber for subscriber in rows.list_stopped(tx) if not subscriber.made_on_site]
        states_by_destination = {
            (subscriber.digest, subscriber.channel, subscriber.address): subscriber.state
            for address in {subscriber.address.lower() for subscriber in stopped}
            for subscriber in rows.list_subscribers(tx, address=address)
            if not subscriber.made_on_site
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
    """Whether a destination is to get editions: the file declares it, or its reader has the digest on the site."""
    if subscriber.made_on_site:
        return not subscriber.digest_ended
    return any(
        (destination.channel, destination.address) == (subscriber.channel, subscriber.address)
        for digest in settings.digests
        if digest.name == subscriber.digest
        for destination in digest.destinations
    )
