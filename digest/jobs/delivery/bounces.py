"""Bounces and complaints: they become reports, and reports decide whether mail still goes to an address.

A report comes from a server's reply, the mailbox or a provider. It is matched with its message, counted once, and changes the
status of the address. All three routes count in the same way, so a bounce that arrives by two of them counts once. A report that
not about our messages is ignored, and so is everything that says nothing about an address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.errors import ReportError
from digest.jobs.http.fetch import Clock
from digest.jobs.notices import note_trouble
from digest.model import BounceClass, Delivery, Receipt, Report
from digest.ports import Mailbox
from digest.render.languages.english import BOUNCE_MEANINGS
from digest.store.database.clock import read_note, set_note
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import reports, suppressions
from digest.store.delivery.receipts import RetryPolicy, is_failed
from digest.store.delivery.reports import BOUNCE, COMPLAINT, FinalBounce, ReportedDelivery, StoredReport
from digest.store.editions import undelivered
from digest.store.subscribers import subscribers
from digest.store.subscribers.digests import SUPPRESSED

BY_MAIL = "smtp"
"""Route of the replies of servers, and the channel of all mail to people."""
BY_MAILBOX = "mailbox"
"""Route of what arrives in the mailbox."""

_MAX_MESSAGES, _MAX_BYTES = 5_000, 300_000
"""Messages read in one go, and bytes read of each: a bounce may quote the whole of our mail at its end."""
_LAST_READ_NOTE = "bounces_read_at"
_PROVIDER_HEAD_START = timedelta(minutes=5)
"""Tolerance for a provider that reports a message before our record of it is committed."""
_MAX_MESSAGE_AGE = timedelta(days=30)
"""A report that names only the recipient is about the last message sent there within this time."""


class ReportAction(StrEnum):
    """The action that a report caused."""

    NOTHING = "nothing"
    RESTS = "rests"
    SUPPRESSED = "suppressed"
    UNSUBSCRIBED = "unsubscribed"
    BLAMED_US = "ours"
    """Many recipients were refused alike: the refusals are about us, and no address is suppressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedReport:
    """A report that was counted.

    Attributes:
        report: the report as stored.
        digest: the name of the digest whose message it is about.
        action: what it caused.
        until: end of the suspension of the address, if it is suspended.
    """

    report: StoredReport
    digest: str
    action: ReportAction
    until: datetime | None = None

    @property
    def text(self) -> str:
        """The report and its action, in sentences."""
        report = self.report
        action_texts = {
            ReportAction.NOTHING: "",
            ReportAction.RESTS: f" Nothing is sent there until {self.until:%Y-%m-%d}." if self.until else "",
            ReportAction.SUPPRESSED: " Nothing is sent there until you use `digest subscribers resume`.",
            ReportAction.UNSUBSCRIBED: " It was unsubscribed.",
            ReportAction.BLAMED_US: " So many addresses were refused in the same way that the cause must be on our side, so none of them is suppressed.",
        }
        return f"{report.mailbox}: {BOUNCE_MEANINGS[report.finding]} ({report.answer}).{action_texts[self.action]}"


class UncountedReason(StrEnum):
    """Why a report was not counted."""

    NOTHING = "without information about an address"
    KNOWN = "already known"
    FORGED = "not matching the message they name"
    FOREIGN = "not about our messages"
    BROKEN = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxRead:
    """The result of reading the mailbox.

    Attributes:
        messages: number of unread messages that were read.
        left_by_reason: number of them that were not counted, by reason.
        error: why reading stopped early, or "".
    """

    messages: int = 0
    left_by_reason: Mapping[UncountedReason, int] = field(default_factory=dict)
    error: str = ""


BounceEvent = CountedReport | MailboxRead
"""An event of reading reports."""


# --- counting -------------------------------------------------------------------------------------


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
        domain = _get_domain(stored_report.mailbox)
        note_trouble(tx, f"refused:{domain}", _format_blame_notice(domain, stored_report), now)
    if stored_report.finding in _FINAL_CLASSES and (
        counted := _detect_mass_refusal(tx, stored_report, message.digest, now)
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


_FINAL_CLASSES = frozenset({BounceClass.GONE, BounceClass.CLOSED})


def _detect_mass_refusal(
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
        _get_domain(stored_report.mailbox),
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
        {bounce.mailbox if domain else _get_domain(bounce.mailbox) for bounce in alike_bounces}
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
        or parse_bounce(final_bounce.status, final_bounce.answer)[0] in _FINAL_CLASSES
    )


_MAX_COMPARED = 200
"""Number of bounces of a run or domain that are compared one by one; with more, the number is estimated."""


def _get_domain(mailbox: str) -> str:
    return mailbox.rpartition("@")[2]


def _format_alike_notice(domain: str, refused: int, accepted: int, stored_report: StoredReport) -> str:
    return f"At least {refused} addresses at {domain} were refused with the same words in one run, while {accepted} accepted their mail or have not answered: {stored_report.answer}. So many addresses do not disappear at once: their server blocks us or has a problem, whatever it says, so nobody is suppressed for it. Ask the postmaster of {domain}, and run `digest check`. If the addresses no longer exist, remove them from the configuration. `digest subscribers unsuppress` takes back earlier suppressions by reason and time."


def _format_unknown_domains_notice(refused: int, stored_report: StoredReport) -> str:
    return (
        f"At least {refused} domains were unknown in one run, a quarter of all: {stored_report.answer}. So many domains do not disappear at once: the name server of your relay, or of this machine, has a problem, so nobody is suppressed for it. "
        "`digest subscribers unsuppress` takes back earlier suppressions by reason and time."
    )


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
        if delivery.channel != BY_MAIL or not is_failed(delivery, receipt, now, retry_policy):
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
        counted = count_report(tx, message, report, BY_MAIL, now)
        counted_reports += [counted] if isinstance(counted, CountedReport) else []
    return counted_reports


# --- reports from outside ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportReceiver:
    """Receives reports from outside.

    Attributes:
        store: the store.
        return_path: reads signed envelope senders; None if they are not signed.
        pages: reads the addresses of our pages; None if there is no web site.
        sender: the address in the From header.
        clock: returns the time, UTC.
    """

    store: Store
    return_path: ReturnPath | None
    pages: OwnPages | None
    sender: str
    clock: Clock

    def receive(self, report: Report, route: str) -> CountedReport | UncountedReason:
        """Match a report with its message, and count it."""
        if report.bounce_class is BounceClass.NOTHING:
            return UncountedReason.NOTHING
        now = self.clock()
        with self.store.begin_write() as tx:
            message = self._find_message(tx, report, now)
            if message is None:
                return self._classify_unmatched(report)
            return count_report(tx, message, _soften_forwarded(report, message), route, now)

    def _find_message(self, tx: Transaction, report: Report, now: datetime) -> ReportedDelivery | None:
        """Find the message that a report is about, by the most reliable clue.

        Only the return path or a provider proves that the reporter took part in sending the message. Anybody who saw the message knows
        its unsubscribe link and perhaps its Message-ID; a report with these can do no more than the link: end that digest.
        """
        keys = report.match_keys
        for delivery_id in (
            self.return_path.read_delivery(address) for address in keys.senders if self.return_path
        ):
            if delivery_id is not None and (message := reports.find_by_id(tx, delivery_id)):
                return message
        if not report.is_trusted and report.bounce_class is not BounceClass.COMPLAINT:
            return None
        likely_message = self._find_by_content(tx, report, now)
        if likely_message is not None:
            return replace(likely_message, proven=report.is_trusted)
        if report.is_trusted and self._is_ours(report):
            until = (report.at or now) + _PROVIDER_HEAD_START
            for mailbox in dict.fromkeys(address.lower() for address in keys.recipients):
                if message := reports.find_last_sent(tx, until, now - _MAX_MESSAGE_AGE, mailbox=mailbox):
                    return message
        return None

    def _find_by_content(self, tx: Transaction, report: Report, now: datetime) -> ReportedDelivery | None:
        """Find the message by clues that its readers can see: its unsubscribe link, or its Message-ID and recipient."""
        ids = report.match_keys.message_ids
        destination_ids = [
            destination_id
            for key in report.match_keys.unsubscribe_tokens
            if self.pages and (destination_id := self.pages.read_unsubscribe_token(key))
        ]
        for destination_id in destination_ids:
            for message_id in ids:
                if message := reports.find_by_message_id(tx, message_id, now, destination=destination_id):
                    return message
            if message := reports.find_last_sent(tx, now, now - _MAX_MESSAGE_AGE, destination=destination_id):
                return message
        for mailbox in dict.fromkeys(key.lower() for key in report.match_keys.recipients):
            for message_id in ids:
                if message := reports.find_by_message_id(tx, message_id, now, mailbox=mailbox):
                    return message
        return None

    def _is_ours(self, report: Report) -> bool:
        """Whether a provider's report is about mail from our address, and not from another customer of the provider."""
        senders = {sender.lower() for sender in report.match_keys.senders}
        return self.sender.lower() in senders or any(
            self.return_path and self.return_path.is_return_path(sender) for sender in senders
        )

    def _classify_unmatched(self, report: Report) -> UncountedReason:
        looks_ours = any(
            self.return_path and self.return_path.is_return_path(sender)
            for sender in report.match_keys.senders
        )
        return UncountedReason.FORGED if looks_ours else UncountedReason.FOREIGN

    def read_due(self, mailbox: Mailbox | None, interval: timedelta) -> Iterator[BounceEvent]:
        """End expired suspensions, and read the mailbox if it is due.

        Args:
            mailbox: the mailbox, or None.
            interval: shortest time between two readings, unless one is requested.
        """
        resume_rested(self.store, self.clock())
        if mailbox is not None and self.is_mailbox_due(interval):
            yield from self.read_mailbox(mailbox)

    # --- the mailbox ------------------------------------------------------------------------------

    def is_mailbox_due(self, interval: timedelta) -> bool:
        """Whether the last reading of the mailbox is older than the interval; a reading in the future means a wrong clock."""
        with self.store.begin_read() as tx:
            last_read = read_note(tx, _LAST_READ_NOTE)
        now = self.clock()
        return not last_read or not now - interval < datetime.fromisoformat(last_read) <= now

    def read_mailbox(self, mailbox: Mailbox) -> Iterator[BounceEvent]:
        """Read unread messages; a message is marked as read only after its report is stored."""
        messages, left_by_reason, error = 0, Counter[UncountedReason](), ""
        try:
            for name, content in mailbox.fetch_unread(_MAX_MESSAGES, _MAX_BYTES):
                outcome = self.receive_mail(content)
                mailbox.mark_read(name)
                messages += 1
                if isinstance(outcome, CountedReport):
                    yield outcome
                else:
                    left_by_reason[outcome] += 1
        except ReportError as mailbox_error:
            error = str(mailbox_error)
        finally:
            mailbox.close()
        with self.store.begin_write() as tx:
            set_note(tx, _LAST_READ_NOTE, self.clock().isoformat())
            if error:
                note_trouble(tx, "bounces", f"The mailbox for bounces cannot be read: {error}.", self.clock())
        yield MailboxRead(messages=messages, left_by_reason=dict(left_by_reason), error=error)

    def receive_mail(self, content: bytes) -> CountedReport | UncountedReason:
        """Receive the reports in a mail."""
        from digest.core.delivery.bounces.reports import (
            read_returned_mail,  # slow to import, and not needed if nothing comes back
        )

        try:
            report = read_returned_mail(content)
        except Exception:  # noqa: BLE001 - a malformed mail must not keep those behind it from being read
            return UncountedReason.BROKEN
        return self.receive(report, BY_MAILBOX)


def _soften_forwarded(report: Report, message: ReportedDelivery) -> Report:
    """Soften a bounce of a forwarded mail: the address that it was forwarded to is gone, not the reader's."""
    recipients = {recipient.lower() for recipient in report.match_keys.recipients}
    is_hard_bounce = report.bounce_class in {BounceClass.GONE, BounceClass.CLOSED}
    if is_hard_bounce and recipients and message.mailbox not in recipients:
        return replace(report, bounce_class=BounceClass.SOFT)
    return report


def request_mailbox_read(tx: Transaction) -> None:
    """Request that the mailbox is read at the next opportunity, whenever it was read last."""
    set_note(tx, _LAST_READ_NOTE, "")


def resume_rested(store: Store, now: datetime) -> tuple[str, ...]:
    """Resume mail to addresses whose suspension is over; return them in lower case."""
    with store.begin_read() as tx:
        if not suppressions.has_expired_rest(tx, now):
            return ()
    with store.begin_write() as tx:
        return suppressions.remove_expired_rests(tx, now)
