"""Reports from outside: from the mailbox or a provider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.errors import ReportError
from digest.jobs.delivery.bounces.bounce_events import (
    BounceEvent,
    CountedReport,
    MailboxRead,
    UncountedReason,
)
from digest.jobs.delivery.bounces.counting import count_report
from digest.jobs.delivery.bounces.mass_refusals import FINAL_CLASSES
from digest.jobs.http.fetch import Clock
from digest.jobs.notices import note_trouble
from digest.model import BounceClass, Report
from digest.ports import Mailbox
from digest.store.database.clock import read_note, set_note
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import reports, suppressions
from digest.store.delivery.reports import ReportedDelivery

BY_MAILBOX = "mailbox"
"""Route of what arrives in the mailbox."""

_MAX_MESSAGES, _MAX_BYTES = 5_000, 300_000
"""Messages read in one go, and bytes read of each: a bounce may quote the whole of our mail at its end."""
_LAST_READ_NOTE = "bounces_read_at"
_PROVIDER_HEAD_START = timedelta(minutes=5)
"""Tolerance for a provider that reports a message before our record of it is committed."""
_MAX_MESSAGE_AGE = timedelta(days=30)
"""A report that names only the recipient is about the last message sent there within this time."""


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
    is_hard_bounce = report.bounce_class in FINAL_CLASSES
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
