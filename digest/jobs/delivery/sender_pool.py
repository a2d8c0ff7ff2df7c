"""Worker threads, one per connection, each of which renders a batch of deliveries and sends it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from queue import SimpleQueue

from digest.errors import RenderError
from digest.jobs.http.fetch import Clock
from digest.model import (
    Chat,
    Deferred,
    Delivery,
    Edition,
    Fault,
    Message,
    MissedEdition,
    Receipt,
    Refused,
    Sent,
)
from digest.ports import Channel, Connection
from digest.redaction import redact

BATCH_SIZE = 10
"""Messages in a batch: the most that a crash can repeat per connection."""
_MAX_UNWRITTEN_ATTEMPTS = 6
"""Attempts, over an hour and a half, after which a message that cannot be rendered is given up."""
_CLOSE_SECONDS = 6.0
"""Seconds that a worker may take to close its connection."""

WriteMessage = Callable[[Edition, Delivery], Message]
"""Makes the message of an edition for a destination, the same bytes every time."""


@dataclass(slots=True, kw_only=True)
class DeliveryBatch:
    """Deliveries for a worker.

    Attributes:
        deliveries: at most ``BATCH_SIZE`` leased deliveries.
        editions: their editions, by id.
        leased_until: end of the lease; other processes may claim them from then on.
        missed_by_delivery: earlier editions that the messages name as missed, by delivery.
        sent_parts: by delivery, how many messages the other side already has if the delivery consists of several.
    """

    deliveries: Sequence[Delivery]
    editions: Mapping[int, Edition]
    leased_until: datetime
    missed_by_delivery: Mapping[int, tuple[MissedEdition, ...]] = field(default_factory=dict)
    sent_parts: Mapping[int, int] = field(default_factory=dict)

    def get_edition(self, delivery: Delivery) -> Edition:
        """Return the edition of a delivery, with the missed ones that its message names."""
        edition = self.editions[delivery.edition]
        missed = self.missed_by_delivery.get(delivery.id)
        return replace(edition, missed=missed) if missed else edition


@dataclass(slots=True, kw_only=True)
class BatchResult:
    """The result of a batch.

    Attributes:
        receipts: by delivery; a delivery without one was not attempted.
        unwritten: deliveries whose message could not be rendered: their receipts are ours, not the server's.
        server_error: the trouble of the server itself, in its words; "" if it had none.
        error: an unexpected error that ended the batch, raised by the dispatcher.
    """

    worker: Worker
    batch: DeliveryBatch
    receipts: dict[int, Receipt] = field(default_factory=dict)
    unwritten: set[int] = field(default_factory=set)
    server_error: str = ""
    error: BaseException | None = None

    def list_answered(self) -> list[tuple[Delivery, Receipt]]:
        """List the deliveries that were attempted."""
        return [
            (delivery, self.receipts[delivery.id])
            for delivery in self.batch.deliveries
            if delivery.id in self.receipts
        ]

    def is_in_trouble(self, delivery: Delivery) -> bool:
        """Whether the server was in trouble with a delivery that was attempted."""
        receipt = self.receipts.get(delivery.id)
        return isinstance(receipt, Deferred) and receipt.fault is Fault.OURS

    def has_proof_of_server(self, delivery: Delivery) -> bool:
        """Whether the server accepted a message, or said what was wrong with its recipient."""
        receipt = self.receipts.get(delivery.id)
        if delivery.id in self.unwritten:
            return False
        about_recipient = isinstance(receipt, Deferred | Refused) and receipt.fault is not Fault.OURS
        return isinstance(receipt, Sent) or about_recipient

    @property
    def did_not_reach_server(self) -> bool:
        """Whether it failed before the server heard of any of its messages."""
        return bool(self.server_error) and not any(map(self.is_in_trouble, self.batch.deliveries))

    def list_untried(self) -> list[Delivery]:
        """List the deliveries that were not attempted."""
        return [delivery for delivery in self.batch.deliveries if delivery.id not in self.receipts]


class Worker(threading.Thread):
    """The thread of a connection: waits for batches and reports their results.

    Args:
        connection: makes its channel.
        write_message: makes the message of a delivery.
        clock: returns the time.
        finished_batches: the queue of results.
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
        """Return a new worker for the same connection, not yet connected."""
        return Worker(self.connection, self._write_message, self._clock, self._finished_batches)

    def submit_batch(self, batch: DeliveryBatch) -> None:
        """Submit a batch; the worker must be idle."""
        if self.ident is None:
            self.start()
        self._batches.put(batch)

    def request_close(self) -> None:
        """Let it close its connection when it is done; it takes no further batch."""
        self._batches.put(None)

    def wait_closed(self) -> None:
        """Wait until it is closed; a worker that a server blocks is abandoned."""
        if self.ident is not None:
            self.join(_CLOSE_SECONDS)

    def run(self) -> None:
        """Deliver batches until asked to close."""
        while (batch := self._batches.get()) is not None:
            batch_result = BatchResult(worker=self, batch=batch)
            try:
                self._deliver_batch(batch_result)
            except BaseException as error:  # noqa: BLE001 - the dispatcher raises it
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
                return  # the lease expired while this machine slept or the store was unavailable: others may deliver them
        if batch_result.list_untried() and not batch_result.server_error:
            batch_result.server_error = "it has given no answer to some of the messages"

    def _render_messages(self, batch_result: BatchResult) -> list[Message]:
        """Render the messages of a batch; a message whose template fails is deferred, and the others are sent."""
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
    """Return the receipt of a message that cannot be rendered: deferred, for the templates may soon be repaired."""
    if delivery.attempts >= _MAX_UNWRITTEN_ATTEMPTS:
        return Refused(answer=f"{reason} (given up after {delivery.attempts} attempts)", fault=Fault.OURS)
    return Deferred(answer=reason)


def split_batches(deliveries: Sequence[Delivery], size: int) -> Iterator[Sequence[Delivery]]:
    """Split deliveries into batches of at most this many."""
    return (deliveries[start : start + size] for start in range(0, len(deliveries), size))
