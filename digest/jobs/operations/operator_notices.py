"""Notify the operator of problems by the configured destinations, at most once a day for each problem.

A problem is recorded where it occurs, in the transaction that finds it or in one of its own. It is delivered
in a separate thread, and again later if a destination fails. Notices never stop other work.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from digest import plugins
from digest.config import Destination, Settings
from digest.core.delivery.notice_lines import group_troubles, split_messages
from digest.core.times.retry import compute_delivery_pause
from digest.core.times.schedule import find_last_firing
from digest.errors import DigestError
from digest.jobs.delivery.dispatcher import StoreUnavailable
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.delivery.single_messages import deliver_at_once
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.http.fetch import Clock
from digest.model import Delivery, Mail, MessageForm, Receipt, Refused, Sent
from digest.render.branding import Branding
from digest.store.database import clock as clocks
from digest.store.database.engine import Store, Transaction
from digest.store.editions.held_runs import HeldRun
from digest.store.fetching import ledger
from digest.store.operations import notices
from digest.store.operations.notices import Notice
from digest.store.subscribers.destinations.sealed_addresses import load_sealed_address

T = TypeVar("T")

_MIN_FAILURES = 3
"""Number of consecutive failures of all routes of a section after which the operator is notified."""
_MIN_PAUSE = timedelta(seconds=90)
"""Minimum pause of a server that is reported; a shorter one may be a brief disturbance."""
_MAX_ATTEMPTS = 12
_SUMMARY_PREFIX = "summary:"
_SUMMARY_NOTE = "summary_since"
_log = logging.getLogger(__name__)


def _is_mail(channel: str) -> bool:
    return plugins.load_channel(channel).form is MessageForm.MAIL


# --- problems -------------------------------------------------------------------------------------


def describe_trouble(event: object, now: datetime) -> tuple[str, str] | None:
    """Return the name and the text of a notice about an event; None if the event is part of normal operation."""
    match event:
        case HeldRun():
            run = event
            return f"run:{run.id}", (
                f"Run {run.id} of {run.period} is held, and nothing more of it is sent: {run.reason}. Inspect it with `digest deliveries list --run {run.id}`; `digest deliveries release {run.id}` continues it, `digest deliveries drop --run {run.id}` drops its remaining deliveries."
            )
        case ServerPaused() if event.failure.until - now > _MIN_PAUSE:
            meanwhile = "Other servers take over its mail." if event.replaced else "Its mail waits."
            reason = event.failure.reason.removeprefix(f"{event.server}: ")
            return f"server:{event.server}", (
                f"{event.server} is in trouble: {reason}. {meanwhile} It is retried; `digest check` shows more."
            )
        case DeliveryAttempt(receipt=Refused()) if not _is_mail(event.delivery.channel):
            # Refused mail is counted as a bounce instead: the address may be at fault.
            delivery = event.delivery
            return f"destination:{delivery.address}", (
                f"{delivery.address} no longer accepts {delivery.digest}, or refused this edition: "
                f"{event.receipt.answer.rstrip('. ')}. "
                "`digest deliveries list --state refused` lists refused deliveries, `digest deliveries retry` retries them."
            )
        case StoreUnavailable():
            return "store", (
                f"The database cannot be written to, so nothing is sent until it can: {event.reason} Sending then continues by itself."
            )
        case _:
            return None


def _describe_failing_source(tx: Transaction, pull_progress: PullProgress) -> tuple[str, str] | None:
    """Return the notice about a section that failed several times in a row by all its routes; None if it did not."""
    sections = [
        section for section in ledger.list_active_sections(tx) if section.source == pull_progress.source
    ]
    tried_routes = [
        route
        for section in sections
        if section.name == pull_progress.section
        for route in section.routes
        if route.asked_at
    ]
    if not tried_routes or min(route.errors for route in tried_routes) < _MIN_FAILURES:
        return None
    return f"source:{pull_progress.source}", (
        f"{pull_progress.name} could not be reached {_MIN_FAILURES} times in a row: {pull_progress.error}. Editions say what is missing, and the request is retried; `digest check` tries it at once."
    )


# --- delivery -------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class OperatorNotifier:
    """Records and delivers notices to the operator.

    Attributes:
        store: the store.
        settings: the destinations of notices, and the schedule of summaries.
        branding: the branding of messages.
        sign_mail: signs the mails.
        clock: returns the time of the command, UTC.
    """

    store: Store
    settings: Settings
    branding: Branding
    sign_mail: Callable[[Mail], Mail]
    clock: Clock
    _send_lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _note_lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _threads: list[threading.Thread] = field(default_factory=list, init=False)
    _sent_unrecorded: dict[str, tuple[datetime, str]] = field(default_factory=dict, init=False)

    def watch_events(self, events: Iterator[T], *, timeout: float = 10.0) -> Iterator[T]:
        """Pass events on; record problems among them, and deliver the notices meanwhile.

        Args:
            events: the events, as they happen.
            timeout: seconds to wait at the end for deliveries under way.
        """
        for event in events:
            self._inspect_event(event)
            yield event
        # Ctrl-C does not wait for this; the next pass delivers the rest.
        deadline = time.monotonic() + timeout
        while self._threads:
            self._threads.pop().join(max(0.0, deadline - time.monotonic()))

    def watch_pass(self, events: Iterator[T]) -> Iterator[T]:
        """Pass the events of a delivery pass on as ``watch_events`` does, and deliver all due notices at its end."""
        yield from self.watch_events(events, timeout=60.0)
        self.send_due()

    def send_due(self) -> None:
        """Deliver due notices, and the summary if it is due; do nothing if another thread is already doing that."""
        if not self._send_lock.acquire(blocking=False):
            return
        try:
            self._record_sent()
            self._note_summary()
            with self.store.begin_read() as tx:
                due = notices.list_due(tx, self.clock())
            if due:
                self._send_notices(due)
        except Exception as error:  # noqa: BLE001 - notices must not stop other work
            _log.warning("Notices could not be delivered: %s", _format_error(error))
        finally:
            self._send_lock.release()

    def note_trouble(self, name: str, text: str) -> bool:
        """Record a problem in a transaction of its own, and return whether it has to be delivered.

        If the store cannot be written to, the notice is delivered at once, and recorded as soon as possible.
        """
        with self._note_lock:
            return self._save_notice(name, text, self.clock())

    def _save_notice(self, name: str, text: str, now: datetime) -> bool:
        try:
            with self.store.begin_write() as tx:
                return notices.record_notice(tx, name, text, now)
        except DigestError:
            with suppress(DigestError), self.store.begin_read() as tx:
                if any(
                    recent_notice.name == name
                    for recent_notice in notices.list_recent(tx, now - notices.REPEAT_INTERVAL)
                ):
                    return False
        last_sent = self._sent_unrecorded.get(name)
        if last_sent is None or now >= last_sent[0] + notices.REPEAT_INTERVAL:
            self._sent_unrecorded[name] = now, text
            for destination in self.settings.operator.notify:
                self._send_to(destination, {name: text}, now, is_summary=False)
        return False

    def _record_sent(self) -> None:
        """Record notices that were delivered while the store was unavailable, so that no process repeats them."""
        for name, (sent_at, text) in tuple(self._sent_unrecorded.items()):
            with self.store.begin_write() as tx:
                if notices.record_notice(tx, name, text, sent_at):
                    matching_notices = [
                        due_notice
                        for due_notice in notices.list_due(tx, self.clock())
                        if due_notice.name == name
                    ]
                    notices.record_delivery(
                        tx,
                        matching_notices,
                        {destination.address: None for destination in self.settings.operator.notify},
                    )
            del self._sent_unrecorded[name]

    def _inspect_event(self, event: object) -> None:
        if not self.settings.operator.notify:
            return
        try:
            trouble = describe_trouble(event, self.clock())
            if isinstance(event, PullProgress) and event.error and event.is_unreachable:
                with self.store.begin_read() as tx:
                    trouble = _describe_failing_source(tx, event)
            if isinstance(event, DeliveryAttempt) and trouble and self._is_of_reader(event.delivery):
                return  # its page tells the reader, and the operator cannot help
        except Exception as error:  # noqa: BLE001 - notices must not stop other work
            _log.warning("A problem could not be examined: %s", _format_error(error))
            return
        if trouble is not None:
            # In a thread, because a locked store or a slow destination would delay the events.
            thread = threading.Thread(target=self._note_and_send, args=trouble, name="operator", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _is_of_reader(self, delivery: Delivery) -> bool:
        """Whether a delivery goes to a chat or webhook that a reader added."""
        with self.store.begin_read() as tx:
            return load_sealed_address(tx, delivery.id) is not None

    def _note_and_send(self, name: str, text: str) -> None:
        try:
            if self.note_trouble(name, text):
                self.send_due()
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("A problem could not be recorded: %s", _format_error(error))

    def _note_summary(self) -> None:
        """Record the due summary as a notice, once for each time in its schedule, in whichever process."""
        schedule, now = self.settings.operator.summary, self.clock()
        firing = find_last_firing(schedule, now) if schedule else None
        if firing is None:
            return
        with self.store.begin_read() as tx:
            last_summary = clocks.read_note(tx, _SUMMARY_NOTE)
        if last_summary and firing.at <= datetime.fromisoformat(last_summary):
            return
        from digest.jobs.operations.health import format_summary  # rarely needed

        text = format_summary(self.store, now, self.settings.delivery) if last_summary else ""
        with self.store.begin_write() as tx:
            clocks.set_note(tx, _SUMMARY_NOTE, (firing.at if last_summary else now).isoformat())
            if text:
                notices.record_notice(tx, f"{_SUMMARY_PREFIX}{firing.period}", text, now)

    def _send_notices(self, due: Sequence[Notice]) -> None:
        """Deliver notices to each destination that does not have them yet, and schedule retries of failures."""
        now = self.clock()
        with self.store.begin_write() as tx:
            claimed = notices.claim_notices(tx, due, now)
        for message_notices in _split_messages(claimed):
            is_summary = message_notices[0].name.startswith(_SUMMARY_PREFIX)
            noted_at = min(claimed_notice.noted_at for claimed_notice in message_notices)
            retry_at = now + compute_delivery_pause(
                max(claimed_notice.attempts for claimed_notice in message_notices) + 1, 0.0
            )
            retry_by_address: dict[str, datetime | None] = {}
            for destination in self.settings.operator.notify:
                lines = {
                    claimed_notice.name: claimed_notice.text
                    for claimed_notice in message_notices
                    if destination.address not in claimed_notice.delivered_to
                }
                receipt = (
                    self._send_to(destination, lines, noted_at, is_summary=is_summary) if lines else Sent()
                )
                is_finished = isinstance(receipt, Sent | Refused)
                is_given_up = (
                    max(claimed_notice.attempts for claimed_notice in message_notices) >= _MAX_ATTEMPTS
                )
                retry_by_address[destination.address] = None if is_finished or is_given_up else retry_at
            with self.store.begin_write() as tx:
                notices.record_delivery(tx, message_notices, retry_by_address)

    def _send_to(
        self, destination: Destination, lines: Mapping[str, str], noted_at: datetime, *, is_summary: bool
    ) -> Receipt | None:
        """Deliver lines to one destination; return the final receipt, or None if it has to be tried again."""
        from digest.render.delivery.notice import OperatorNotice, make_notice  # rarely needed

        try:
            undelivered = OperatorNotice(lines=lines, created_at=noted_at, is_summary=is_summary)
            message = make_notice(
                undelivered,
                self.branding,
                plugins.load_channel(destination.channel).form,
                destination.address,
            )
            message = (
                self.sign_mail(message)
                if isinstance(message, Mail) and _is_mail(destination.channel)
                else message
            )
            return deliver_at_once(self.store, self.settings, destination.channel, [destination], message)
        except Exception as error:  # noqa: BLE001 - notices must not stop other work
            _log.warning(
                "A notice could not be delivered to %s: %s", destination.address, _format_error(error)
            )
        return None


def _split_messages(due_notices: Sequence[Notice]) -> Iterator[list[Notice]]:
    """Split notices into messages: one for each summary, and others as long as every channel allows."""
    by_name = {due_notice.name: due_notice for due_notice in due_notices}
    yield from ([due_notice] for due_notice in due_notices if due_notice.name.startswith(_SUMMARY_PREFIX))
    troubles = {
        due_notice.name: due_notice.text
        for due_notice in due_notices
        if not due_notice.name.startswith(_SUMMARY_PREFIX)
    }
    for message_lines in split_messages(group_troubles(troubles)):
        yield [by_name[name] for line in message_lines for name in line.names]


def _format_error(error: Exception) -> str:
    """Return what may be logged about an error: for foreign ones only the class, as the text may contain secrets."""
    return str(error) if isinstance(error, DigestError) else type(error).__name__
