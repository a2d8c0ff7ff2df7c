"""Lines: one thread a connection, which renders a pack of deliveries and hands it over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from queue import SimpleQueue

from digest.errors import RenderError
from digest.jobs.http.fetch import Clock
from digest.model import Chat, Deferred, Edition, Fault, Message, MissedEdition, Receipt, Refused, Sent
from digest.ports import Channel, Connection
from digest.redaction import redact
from digest.store.delivery.outbox import Delivery

BATCH_SIZE = 10
"""Messages that may be under way on a connection: what a crash can repeat at the most."""
_MAX_UNWRITTEN_ATTEMPTS = 6
"""After so many attempts, an hour and a half, a message that cannot be written is given up."""
_CLOSE_SECONDS = 6.0
"""Seconds that a line has for taking leave of its server."""

WriteMessage = Callable[[Edition, Delivery], Message]
"""Makes the message of an edition for a destination; the same one every time."""


@dataclass(slots=True, kw_only=True)
class DeliveryBatch:
    """What a line is given.

    Attributes:
        deliveries: at most ``BATCH_SIZE`` deliveries, leased.
        editions: their editions.
        leased_until: others may have them from then on.
        missed_by_delivery: earlier editions that they name, by delivery.
        sent_parts: how many messages are there already of those that are several, by delivery.
    """

    deliveries: Sequence[Delivery]
    editions: Mapping[int, Edition]
    leased_until: datetime
    missed_by_delivery: Mapping[int, tuple[MissedEdition, ...]] = field(default_factory=dict)
    sent_parts: Mapping[int, int] = field(default_factory=dict)

    def get_edition(self, delivery: Delivery) -> Edition:
        """What is told to whom a delivery goes."""
        edition = self.editions[delivery.edition]
        missed = self.missed_by_delivery.get(delivery.id)
        return replace(edition, missed=missed) if missed else edition


@dataclass(slots=True, kw_only=True)
class BatchResult:
    """A pack that a line is done with.

    Attributes:
        receipts: by delivery; one that is not in it was not tried.
        unwritten: deliveries whose message could not be made: their receipts are ours.
        server_error: what the server itself was in trouble with, in its words; "" if it was not.
        error: what ended it too early, to be raised where somebody hears it.
    """

    worker: Worker
    batch: DeliveryBatch
    receipts: dict[int, Receipt] = field(default_factory=dict)
    unwritten: set[int] = field(default_factory=set)
    server_error: str = ""
    error: BaseException | None = None

    def list_answered(self) -> list[tuple[Delivery, Receipt]]:
        """The deliveries that were tried."""
        return [
            (delivery, self.receipts[delivery.id])
            for delivery in self.batch.deliveries
            if delivery.id in self.receipts
        ]

    def is_in_trouble(self, delivery: Delivery) -> bool:
        """Whether the server was in trouble with one that was tried."""
        receipt = self.receipts.get(delivery.id)
        return isinstance(receipt, Deferred) and receipt.fault is Fault.OURS

    def has_proof_of_server(self, delivery: Delivery) -> bool:
        """Whether the server took one, or said what was wrong with its recipient."""
        receipt = self.receipts.get(delivery.id)
        if delivery.id in self.unwritten:
            return False
        about_recipient = isinstance(receipt, Deferred | Refused) and receipt.fault is not Fault.OURS
        return isinstance(receipt, Sent) or about_recipient

    @property
    def did_not_reach_server(self) -> bool:
        """Whether it was in trouble before it heard of any message that has no receipt now."""
        return bool(self.server_error) and not any(map(self.is_in_trouble, self.batch.deliveries))

    def list_untried(self) -> list[Delivery]:
        """The others."""
        return [delivery for delivery in self.batch.deliveries if delivery.id not in self.receipts]


class Worker(threading.Thread):
    """The thread of a line: waits for packs and says when it is done with one.

    Args:
        connection: its way out.
        write_message: makes messages.
        clock: gives the time.
        finished_batches: where to say it.
    """

    def __init__(
        self,
        connection: Connection,
        write_message: WriteMessage,
        clock: Clock,
        finished_batches: SimpleQueue[BatchResult],
    ) -> None:
        super().__init__(name=f"line {connection.channel} {connection.server}", daemon=True)
        self.connection = connection
        self._write_message = write_message
        self._clock = clock
        self._finished_batches = finished_batches
        self._batches: SimpleQueue[DeliveryBatch | None] = SimpleQueue()
        self._channel: Channel | None = None

    def create_successor(self) -> Worker:
        """Another one for the same line, which has no connection yet."""
        return Worker(self.connection, self._write_message, self._clock, self._finished_batches)

    def submit_batch(self, batch: DeliveryBatch) -> None:
        """Let it deliver a pack; it must be done with the last one."""
        if self.ident is None:
            self.start()
        self._batches.put(batch)

    def request_close(self) -> None:
        """Let it take leave of its server when it is done; nothing more can be given to it."""
        self._batches.put(None)

    def wait_closed(self) -> None:
        """Wait until it has left; one that a server holds up is left behind."""
        if self.ident is not None:
            self.join(_CLOSE_SECONDS)

    def run(self) -> None:
        """Deliver packs until told to leave."""
        while (batch := self._batches.get()) is not None:
            batch_result = BatchResult(worker=self, batch=batch)
            try:
                self._deliver_batch(batch_result)
            except BaseException as error:  # noqa: BLE001 - the desk raises it
                batch_result.error = error
            self._finished_batches.put(batch_result)
        if self._channel is not None:
            self._channel.close()

    def _deliver_batch(self, batch_result: BatchResult) -> None:
        if self._channel is None:
            self._channel = self.connection.make_channel()
        for message, raw_receipt in self._channel.deliver(self._render_messages(batch_result)):
            answer = redact(raw_receipt.answer)
            receipt = raw_receipt if answer == raw_receipt.answer else replace(raw_receipt, answer=answer)
            if isinstance(receipt, Deferred) and receipt.fault is Fault.OURS:
                batch_result.server_error = receipt.answer
            if not isinstance(receipt, Deferred) or receipt.tried:
                batch_result.receipts[message.delivery] = receipt
            if self._clock() >= batch_result.batch.leased_until:
                return  # this machine slept, or the store could not be written to: others may be at it
        if batch_result.list_untried() and not batch_result.server_error:
            batch_result.server_error = "it has given no answer to some of the messages"

    def _render_messages(self, batch_result: BatchResult) -> list[Message]:
        """The messages of a pack; one that a template fails on waits, and the others go."""
        messages: list[Message] = []
        for delivery in batch_result.batch.deliveries:
            try:
                rendered = self._write_message(batch_result.batch.get_edition(delivery), delivery)
                sent_parts = batch_result.batch.sent_parts.get(delivery.id, 0)
                messages.append(
                    replace(rendered, sent_parts=sent_parts)
                    if sent_parts and isinstance(rendered, Chat)
                    else rendered
                )
            except RenderError as error:
                batch_result.receipts[delivery.id] = _make_render_failure_receipt(delivery, str(error))
                batch_result.unwritten.add(delivery.id)
        return messages


def _make_render_failure_receipt(delivery: Delivery, reason: str) -> Receipt:
    """A message that cannot be written: the templates may be mended soon, and one edition may be the trouble."""
    if delivery.attempts >= _MAX_UNWRITTEN_ATTEMPTS:
        return Refused(answer=f"{reason} (given up after {delivery.attempts} attempts)", fault=Fault.OURS)
    return Deferred(answer=reason)


def split_batches(deliveries: Sequence[Delivery], size: int) -> Iterator[Sequence[Delivery]]:
    """Split deliveries into batches of at most this many."""
    return (deliveries[start : start + size] for start in range(0, len(deliveries), size))
