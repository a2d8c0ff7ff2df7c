"""Lines: one thread a connection, which renders a pack of deliveries and hands it over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from queue import SimpleQueue

from digest.errors import RenderError
from digest.jobs.http.fetch import Clock
from digest.model import Blame, Chat, Deferred, Edition, Message, Missed, Receipt, Refused, Sent
from digest.ports import Channel, Line
from digest.redaction import redact
from digest.store.delivery.outbox import Delivery

PACK = 10
"""Messages that may be under way on a connection: what a crash can repeat at the most."""
_MOST_UNWRITTEN = 6
"""After so many attempts, an hour and a half, a message that cannot be written is given up."""
_FAREWELL = 6.0
"""Seconds that a line has for taking leave of its server."""

Write = Callable[[Edition, Delivery], Message]
"""Makes the message of an edition for a destination; the same one every time."""


@dataclass(slots=True, kw_only=True)
class Pack:
    """What a line is given.

    Attributes:
        some: at most ``PACK`` deliveries, leased.
        made: their editions.
        held_until: others may have them from then on.
        missed: earlier editions that they name, by delivery.
        begun: how many messages are there already of those that are several, by delivery.
    """

    some: Sequence[Delivery]
    made: Mapping[int, Edition]
    held_until: datetime
    missed: Mapping[int, tuple[Missed, ...]] = field(default_factory=dict)
    begun: Mapping[int, int] = field(default_factory=dict)

    def edition(self, delivery: Delivery) -> Edition:
        """What is told to whom a delivery goes."""
        made = self.made[delivery.edition]
        missed = self.missed.get(delivery.id)
        return replace(made, missed=missed) if missed else made


@dataclass(slots=True, kw_only=True)
class Finished:
    """A pack that a line is done with.

    Attributes:
        receipts: by delivery; one that is not in it was not tried.
        unwritten: deliveries whose message could not be made: their receipts are ours.
        trouble: what the server itself was in trouble with, in its words; "" if it was not.
        error: what ended it too early, to be raised where somebody hears it.
    """

    worker: Worker
    pack: Pack
    receipts: dict[int, Receipt] = field(default_factory=dict)
    unwritten: set[int] = field(default_factory=set)
    trouble: str = ""
    error: BaseException | None = None

    def answered(self) -> list[tuple[Delivery, Receipt]]:
        """The deliveries that were tried."""
        return [(one, self.receipts[one.id]) for one in self.pack.some if one.id in self.receipts]

    def is_in_trouble(self, delivery: Delivery) -> bool:
        """Whether the server was in trouble with one that was tried."""
        receipt = self.receipts.get(delivery.id)
        return isinstance(receipt, Deferred) and receipt.blame is Blame.OURS

    def shows_server_works(self, delivery: Delivery) -> bool:
        """Whether the server took one, or said what was wrong with its recipient."""
        receipt = self.receipts.get(delivery.id)
        if delivery.id in self.unwritten:
            return False
        about_recipient = isinstance(receipt, Deferred | Refused) and receipt.blame is not Blame.OURS
        return isinstance(receipt, Sent) or about_recipient

    @property
    def did_not_reach_server(self) -> bool:
        """Whether it was in trouble before it heard of any message that has no receipt now."""
        return bool(self.trouble) and not any(map(self.is_in_trouble, self.pack.some))

    def untried(self) -> list[Delivery]:
        """The others."""
        return [one for one in self.pack.some if one.id not in self.receipts]


class Worker(threading.Thread):
    """The thread of a line: waits for packs and says when it is done with one.

    Args:
        line: its way out.
        write: makes messages.
        clock: gives the time.
        done: where to say it.
    """

    def __init__(self, line: Line, write: Write, clock: Clock, done: SimpleQueue[Finished]) -> None:
        super().__init__(name=f"line {line.channel} {line.server}", daemon=True)
        self.line = line
        self._write = write
        self._clock = clock
        self._done = done
        self._packs: SimpleQueue[Pack | None] = SimpleQueue()
        self._channel: Channel | None = None

    def successor(self) -> Worker:
        """Another one for the same line, which has no connection yet."""
        return Worker(self.line, self._write, self._clock, self._done)

    def give(self, pack: Pack) -> None:
        """Let it deliver a pack; it must be done with the last one."""
        if self.ident is None:
            self.start()
        self._packs.put(pack)

    def leave(self) -> None:
        """Let it take leave of its server when it is done; nothing more can be given to it."""
        self._packs.put(None)

    def gone(self) -> None:
        """Wait until it has left; one that a server holds up is left behind."""
        if self.ident is not None:
            self.join(_FAREWELL)

    def run(self) -> None:
        """Deliver packs until told to leave."""
        while (pack := self._packs.get()) is not None:
            finished = Finished(worker=self, pack=pack)
            try:
                self._deliver(finished)
            except BaseException as error:  # noqa: BLE001 - the desk raises it
                finished.error = error
            self._done.put(finished)
        if self._channel is not None:
            self._channel.close()

    def _deliver(self, finished: Finished) -> None:
        if self._channel is None:
            self._channel = self.line.make()
        for message, said in self._channel.deliver(self._written(finished)):
            answer = redact(said.answer)
            receipt = said if answer == said.answer else replace(said, answer=answer)
            if isinstance(receipt, Deferred) and receipt.blame is Blame.OURS:
                finished.trouble = receipt.answer
            if not isinstance(receipt, Deferred) or receipt.tried:
                finished.receipts[message.delivery] = receipt
            if self._clock() >= finished.pack.held_until:
                return  # this machine slept, or the store could not be written to: others may be at it
        if finished.untried() and not finished.trouble:
            finished.trouble = "it has given no answer to some of the messages"

    def _written(self, finished: Finished) -> list[Message]:
        """The messages of a pack; one that a template fails on waits, and the others go."""
        messages: list[Message] = []
        for delivery in finished.pack.some:
            try:
                made = self._write(finished.pack.edition(delivery), delivery)
                begun = finished.pack.begun.get(delivery.id, 0)
                messages.append(replace(made, begun=begun) if begun and isinstance(made, Chat) else made)
            except RenderError as error:
                finished.receipts[delivery.id] = _unwritten(delivery, str(error))
                finished.unwritten.add(delivery.id)
        return messages


def _unwritten(delivery: Delivery, why: str) -> Receipt:
    """A message that cannot be written: the templates may be mended soon, and one edition may be the trouble."""
    if delivery.attempts >= _MOST_UNWRITTEN:
        return Refused(answer=f"{why} (given up after {delivery.attempts} attempts)", blame=Blame.OURS)
    return Deferred(answer=why)
