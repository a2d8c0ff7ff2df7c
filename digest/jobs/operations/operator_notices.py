"""The operator: told of troubles by the ways that the file names for that, each trouble at most once a day.

A trouble is noted where it shows, in the transaction that finds it or in one of its own; it is told beside the pass
that found it, and tried again later where a way cannot be used. No notice ever stops anything.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from digest import plugins
from digest.config import Destination, Settings
from digest.core.delivery.notice_lines import group_troubles, split_messages
from digest.core.times.retry import compute_delivery_pause
from digest.core.times.schedule import find_last_firing
from digest.errors import DigestError
from digest.jobs.delivery.channels import make_connections_to
from digest.jobs.delivery.dispatcher import StoreUnavailable
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.http.fetch import Clock
from digest.model import Mail, MessageForm, Receipt, Refused, Sent
from digest.render.branding import Branding
from digest.store.database import clock as clocks
from digest.store.database.engine import Store, Transaction
from digest.store.editions.held_runs import HeldRun
from digest.store.fetching import ledger
from digest.store.operations import notices
from digest.store.operations.notices import Notice

T = TypeVar("T")

_MIN_FAILURES = 3
"""A source that fails so many times in a row by all its routes is a trouble."""
_MIN_PAUSE = timedelta(seconds=90)
"""A server that is tried again sooner than that may only have hiccuped."""
_MAX_ATTEMPTS = 12
_SUMMARY_PREFIX = "summary:"
_SUMMARY_NOTE = "summary_since"
_log = logging.getLogger(__name__)


def _is_mail(channel: str) -> bool:
    return plugins.load_channel(channel).form is MessageForm.MAIL


# --- what is a trouble ----------------------------------------------------------------------------


def describe_trouble(event: object, now: datetime) -> tuple[str, str] | None:
    """The name and the text of what an operator should know; None for what is part of the day's work."""
    match event:
        case HeldRun():
            run = event
            return f"run:{run.id}", (
                f"Run {run.id} of {run.period} is held, and nothing more of it goes out: {run.reason}. Look at it with "
                f"`digest deliveries list --run {run.id}`; `digest deliveries release {run.id}` lets it go on, "
                f"`digest deliveries drop --run {run.id}` drops what is left."
            )
        case ServerPaused() if event.failure.until - now > _MIN_PAUSE:
            meanwhile = "Others take its mail." if event.replaced else "What is to go there waits."
            reason = event.failure.reason.removeprefix(f"{event.server}: ")
            return f"server:{event.server}", (
                f"{event.server} is in trouble: {reason}. {meanwhile} It is tried again and again; "
                "`digest check` says more."
            )
        case DeliveryAttempt(receipt=Refused()) if not _is_mail(event.delivery.channel):
            # Of mail what comes back is counted: there it is an address's fault, or ours.
            delivery = event.delivery
            return f"destination:{delivery.address}", (
                f"{delivery.address} takes nothing of {delivery.digest} any more, or not this: "
                f"{event.receipt.answer.rstrip('. ')}. "
                "`digest deliveries list --state refused` names what was refused, `digest deliveries retry` tries it again."
            )
        case StoreUnavailable():
            return "store", (
                f"The store cannot be written to, and nothing is sent until it can: {event.reason} "
                "It goes on by itself then."
            )
        case _:
            return None


def _describe_failing_source(tx: Transaction, pull_progress: PullProgress) -> tuple[str, str] | None:
    """A source that did not answer several times in a row, by any of its routes."""
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
        f"{pull_progress.name} cannot be reached, {_MIN_FAILURES} times in a row: {pull_progress.error}. Editions say what is missing, and "
        "it is asked again and again; `digest check` tries it at once."
    )


# --- telling --------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class OperatorNotifier:
    """Tells whoever looks after us.

    Attributes:
        store: where notices are kept.
        settings: the ways, and when a summary is wanted.
        branding: what messages show of us.
        sign_mail: signs the mails.
        clock: gives the time of the command.
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
        """Pass happenings on; what is a trouble in them is noted, and told meanwhile.

        Args:
            events: as they happen.
            timeout: seconds to wait at the end for what is being told.
        """
        for event in events:
            self._inspect_event(event)
            yield event
        # Who presses Ctrl-C does not wait: what was not told is told by the next pass.
        deadline = time.monotonic() + timeout
        while self._threads:
            self._threads.pop().join(max(0.0, deadline - time.monotonic()))

    def watch_pass(self, events: Iterator[T]) -> Iterator[T]:
        """The same for a pass, at whose end all that is due is told."""
        yield from self.watch_events(events, timeout=60.0)
        self.send_due()

    def send_due(self) -> None:
        """Tell what is due, and the summary, if it is its time; another process that is at it is left to it."""
        if not self._send_lock.acquire(blocking=False):
            return
        try:
            self._record_sent()
            self._note_summary()
            with self.store.begin_read() as tx:
                due = notices.list_due(tx, self.clock())
            if due:
                self._send_notices(due)
        except Exception as error:  # noqa: BLE001 - no notice ever stops anything
            _log.warning("Notices could not be told: %s", _format_error(error))
        finally:
            self._send_lock.release()

    def note_trouble(self, name: str, text: str) -> bool:
        """Note a trouble in a transaction of its own; says whether it is to be told.

        Where the store cannot be written to, it is told at once, and that is noted as soon as it can be.
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
        """Note what was told while the store could not be written to, so that no other process tells it again."""
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
        except Exception as error:  # noqa: BLE001 - no notice ever stops anything
            _log.warning("A trouble could not be looked at: %s", _format_error(error))
            return
        if trouble is not None:
            # In a thread: where the store is in trouble, or a way does not answer, either takes its time.
            thread = threading.Thread(target=self._note_and_send, args=trouble, name="operator", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _note_and_send(self, name: str, text: str) -> None:
        try:
            if self.note_trouble(name, text):
                self.send_due()
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("A trouble could not be noted: %s", _format_error(error))

    def _note_summary(self) -> None:
        """A summary is a notice, too: one of each of its times, however many processes there are."""
        schedule, now = self.settings.operator.summary, self.clock()
        firing = find_last_firing(schedule, now) if schedule else None
        if firing is None:
            return
        with self.store.begin_read() as tx:
            last_summary = clocks.read_note(tx, _SUMMARY_NOTE)
        if last_summary and firing.at <= datetime.fromisoformat(last_summary):
            return
        from digest.jobs.operations.health import format_summary  # seldom needed, and not at each start

        text = format_summary(self.store, now, self.settings.delivery) if last_summary else ""
        with self.store.begin_write() as tx:
            clocks.set_note(tx, _SUMMARY_NOTE, (firing.at if last_summary else now).isoformat())
            if text:
                notices.record_notice(tx, f"{_SUMMARY_PREFIX}{firing.period}", text, now)

    def _send_notices(self, due: Sequence[Notice]) -> None:
        """Tell each way what it does not have yet; those that fail are tried again."""
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
        """What came of telling one way; None where it could not even be tried."""
        from digest.render.delivery.notice import OperatorNotice, make_notice  # as above

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
            for connection in dict.fromkeys(make_connections_to(self.settings, [destination])):
                if connection.channel != destination.channel:
                    continue
                with closing(connection.make_channel()) as channel:
                    for _, receipt in channel.deliver([message]):
                        if isinstance(receipt, Sent | Refused):
                            return receipt
        except Exception as error:  # noqa: BLE001 - no notice ever stops anything
            _log.warning("A notice cannot be told to %s: %s", destination.address, _format_error(error))
        return None


def _split_messages(due_notices: Sequence[Notice]) -> Iterator[list[Notice]]:
    """Notices, a message's at a time: a summary by itself, and of the others no more than any way has room for."""
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
    """What may be told of an error: of those that are not ours only what it is, for there may be secrets in it."""
    return str(error) if isinstance(error, DigestError) else type(error).__name__
