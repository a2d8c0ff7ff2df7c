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

from digest.config import Destination, Settings
from digest.core.delivery.notice_lines import gathered, packed
from digest.core.times.retry import delivery_pause
from digest.core.times.schedule import last_firing
from digest.errors import DigestError
from digest.jobs.delivery.channels import lines_to
from digest.jobs.delivery.dispatcher import Delivered, StoreTrouble
from digest.jobs.delivery.messages import form_of
from digest.jobs.delivery.server_evidence import ServerPaused
from digest.jobs.fetching.pull import Pulled
from digest.jobs.http.fetch import Clock
from digest.model import Mail, Receipt, Refused, Sent
from digest.render.branding import Masthead
from digest.store.database import clock as clocks
from digest.store.database.engine import Store, Transaction
from digest.store.editions.held_runs import HeldRun
from digest.store.fetching import ledger
from digest.store.operations import notices
from digest.store.operations.notices import Notice

T = TypeVar("T")

_FAILED = 3
"""A source that fails so many times in a row by all its routes is a trouble."""
_LASTS = timedelta(seconds=90)
"""A server that is tried again sooner than that may only have hiccuped."""
_MOST_ATTEMPTS = 12
_SUMMARY = "summary:"
_SINCE = "summary_since"
_log = logging.getLogger(__name__)


# --- what is a trouble ----------------------------------------------------------------------------


def trouble_in(happening: object, now: datetime) -> tuple[str, str] | None:
    """The name and the text of what an operator should know; None for what is part of the day's work."""
    match happening:
        case HeldRun():
            run = happening
            return f"run:{run.id}", (
                f"Run {run.id} of {run.period} is held, and nothing more of it goes out: {run.why}. Look at it with "
                f"`digest deliveries list --run {run.id}`; `digest deliveries release {run.id}` lets it go on, "
                f"`digest deliveries drop --run {run.id}` drops what is left."
            )
        case ServerPaused() if happening.trouble.until - now > _LASTS:
            meanwhile = "Others take its mail." if happening.replaced else "What is to go there waits."
            why = happening.trouble.reason.removeprefix(f"{happening.server}: ")
            return f"server:{happening.server}", (
                f"{happening.server} is in trouble: {why}. {meanwhile} It is tried again and again; "
                "`digest check` says more."
            )
        case Delivered(receipt=Refused()) if happening.delivery.channel != "smtp":
            # Of mail what comes back is counted: there it is an address's fault, or ours.
            one = happening.delivery
            return f"destination:{one.address}", (
                f"{one.address} takes nothing of {one.digest} any more, or not this: "
                f"{happening.receipt.answer.rstrip('. ')}. "
                "`digest deliveries list --state refused` names what was refused, `digest deliveries retry` tries it again."
            )
        case StoreTrouble():
            return "store", (
                f"The store cannot be written to, and nothing is sent until it can: {happening.told} "
                "It goes on by itself then."
            )
        case _:
            return None


def _failing_source(tx: Transaction, pulled: Pulled) -> tuple[str, str] | None:
    """A source that did not answer several times in a row, by any of its routes."""
    sections = [one for one in ledger.active_sections(tx) if one.source == pulled.source]
    asked = [
        route for one in sections if one.name == pulled.section for route in one.routes if route.asked_at
    ]
    if not asked or min(route.errors for route in asked) < _FAILED:
        return None
    return f"source:{pulled.source}", (
        f"{pulled.name} cannot be reached, {_FAILED} times in a row: {pulled.error}. Editions say what is missing, and "
        "it is asked again and again; `digest check` tries it at once."
    )


# --- telling --------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class Operator:
    """Tells whoever looks after us.

    Attributes:
        store: where notices are kept.
        settings: the ways, and when a summary is wanted.
        masthead: what messages show of us.
        sign: signs the mails.
        clock: gives the time of the command.
    """

    store: Store
    settings: Settings
    masthead: Masthead
    sign: Callable[[Mail], Mail]
    clock: Clock
    _telling: threading.Lock = field(default_factory=threading.Lock, init=False)
    _noting: threading.Lock = field(default_factory=threading.Lock, init=False)
    _threads: list[threading.Thread] = field(default_factory=list, init=False)
    _at_once: dict[str, tuple[datetime, str]] = field(default_factory=dict, init=False)

    def watched(self, happenings: Iterator[T], *, patience: float = 10.0) -> Iterator[T]:
        """Pass happenings on; what is a trouble in them is noted, and told meanwhile.

        Args:
            happenings: as they happen.
            patience: seconds to wait at the end for what is being told.
        """
        for one in happenings:
            self._see(one)
            yield one
        # Who presses Ctrl-C does not wait: what was not told is told by the next pass.
        ends = time.monotonic() + patience
        while self._threads:
            self._threads.pop().join(max(0.0, ends - time.monotonic()))

    def passed(self, happenings: Iterator[T]) -> Iterator[T]:
        """The same for a pass, at whose end all that is due is told."""
        yield from self.watched(happenings, patience=60.0)
        self.tell()

    def tell(self) -> None:
        """Tell what is due, and the summary, if it is its time; another process that is at it is left to it."""
        if not self._telling.acquire(blocking=False):
            return
        try:
            self._keep_told()
            self._note_summary()
            with self.store.reading() as tx:
                due = notices.due(tx, self.clock())
            if due:
                self._tell(due)
        except Exception as error:  # noqa: BLE001 - no notice ever stops anything
            _log.warning("Notices could not be told: %s", _words(error))
        finally:
            self._telling.release()

    def note(self, name: str, text: str) -> bool:
        """Note a trouble in a transaction of its own; says whether it is to be told.

        Where the store cannot be written to, it is told at once, and that is noted as soon as it can be.
        """
        with self._noting:
            return self._note(name, text, self.clock())

    def _note(self, name: str, text: str, now: datetime) -> bool:
        try:
            with self.store.writing() as tx:
                return notices.note(tx, name, text, now)
        except DigestError:
            with suppress(DigestError), self.store.reading() as tx:
                if any(one.name == name for one in notices.recent(tx, now - notices.DAY)):
                    return False
        last = self._at_once.get(name)
        if last is None or now >= last[0] + notices.DAY:
            self._at_once[name] = now, text
            for way in self.settings.operator.notify:
                self._sent(way, {name: text}, now, is_summary=False)
        return False

    def _keep_told(self) -> None:
        """Note what was told while the store could not be written to, so that no other process tells it again."""
        for name, (at, text) in tuple(self._at_once.items()):
            with self.store.writing() as tx:
                if notices.note(tx, name, text, at):
                    mine = [one for one in notices.due(tx, self.clock()) if one.name == name]
                    notices.told(tx, mine, {way.address: None for way in self.settings.operator.notify})
            del self._at_once[name]

    def _see(self, happening: object) -> None:
        if not self.settings.operator.notify:
            return
        try:
            found = trouble_in(happening, self.clock())
            if isinstance(happening, Pulled) and happening.error and happening.unreached:
                with self.store.reading() as tx:
                    found = _failing_source(tx, happening)
        except Exception as error:  # noqa: BLE001 - no notice ever stops anything
            _log.warning("A trouble could not be looked at: %s", _words(error))
            return
        if found is not None:
            # In a thread: where the store is in trouble, or a way does not answer, either takes its time.
            thread = threading.Thread(target=self._note_and_tell, args=found, name="operator", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _note_and_tell(self, name: str, text: str) -> None:
        try:
            if self.note(name, text):
                self.tell()
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("A trouble could not be noted: %s", _words(error))

    def _note_summary(self) -> None:
        """A summary is a notice, too: one of each of its times, however many processes there are."""
        schedule, now = self.settings.operator.summary, self.clock()
        firing = last_firing(schedule, now) if schedule else None
        if firing is None:
            return
        with self.store.reading() as tx:
            since = clocks.note(tx, _SINCE)
        if since and firing.at <= datetime.fromisoformat(since):
            return
        from digest.jobs.operations.health import summary  # seldom needed, and not at each start

        text = summary(self.store, now, self.settings.delivery) if since else ""
        with self.store.writing() as tx:
            clocks.set_note(tx, _SINCE, (firing.at if since else now).isoformat())
            if text:
                notices.note(tx, f"{_SUMMARY}{firing.period}", text, now)

    def _tell(self, due: Sequence[Notice]) -> None:
        """Tell each way what it does not have yet; those that fail are tried again."""
        now = self.clock()
        with self.store.writing() as tx:
            mine = notices.claim(tx, due, now)
        for some in _parted(mine):
            is_summary = some[0].name.startswith(_SUMMARY)
            noted_at = min(one.noted_at for one in some)
            again = now + delivery_pause(max(one.attempts for one in some) + 1, 0.0)
            ways: dict[str, datetime | None] = {}
            for way in self.settings.operator.notify:
                lines = {one.name: one.text for one in some if way.address not in one.told}
                receipt = self._sent(way, lines, noted_at, is_summary=is_summary) if lines else Sent()
                done = isinstance(receipt, Sent | Refused)
                given_up = max(one.attempts for one in some) >= _MOST_ATTEMPTS
                ways[way.address] = None if done or given_up else again
            with self.store.writing() as tx:
                notices.told(tx, some, ways)

    def _sent(
        self, way: Destination, lines: Mapping[str, str], at: datetime, *, is_summary: bool
    ) -> Receipt | None:
        """What came of telling one way; None where it could not even be tried."""
        from digest.render.delivery.notice import Told, notice  # as above

        try:
            told = Told(lines=lines, at=at, is_summary=is_summary)
            made = notice(told, self.masthead, form_of(way.channel), way.address)
            made = self.sign(made) if isinstance(made, Mail) and way.channel == "smtp" else made
            for line in dict.fromkeys(lines_to(self.settings, [way])):
                if line.channel != way.channel:
                    continue
                with closing(line.make()) as channel:
                    for _, receipt in channel.deliver([made]):
                        if isinstance(receipt, Sent | Refused):
                            return receipt
        except Exception as error:  # noqa: BLE001 - no notice ever stops anything
            _log.warning("A notice cannot be told to %s: %s", way.address, _words(error))
        return None


def _parted(some: Sequence[Notice]) -> Iterator[list[Notice]]:
    """Notices, a message's at a time: a summary by itself, and of the others no more than any way has room for."""
    by_name = {one.name: one for one in some}
    yield from ([one] for one in some if one.name.startswith(_SUMMARY))
    troubles = {one.name: one.text for one in some if not one.name.startswith(_SUMMARY)}
    for pack in packed(gathered(troubles)):
        yield [by_name[name] for line in pack for name in line.names]


def _words(error: Exception) -> str:
    """What may be told of an error: of those that are not ours only what it is, for there may be secrets in it."""
    return str(error) if isinstance(error, DigestError) else type(error).__name__
