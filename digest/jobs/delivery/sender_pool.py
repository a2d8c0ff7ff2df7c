"""Worker threads, one per connection, each of which renders a batch of deliveries and sends it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from queue import Empty, SimpleQueue

from digest.core.delivery.server_health import ServerAnswer, is_server_failure, is_server_proof
from digest.errors import RenderError
from digest.jobs.http.fetch import Clock
from digest.model import (
    Chat,
    Deferred,
    Delivery,
    Edition,
    Fault,
    Message,
    Receipt,
    Refused,
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
        editions: the edition that each delivery sends, by the id of the delivery.
        leased_until: end of the lease; other processes may claim them from then on.
        sent_parts: by delivery, how many messages the other side already has if the delivery consists of several.
    """

    deliveries: Sequence[Delivery]
    editions: Mapping[int, Edition]
    leased_until: datetime
    sent_parts: Mapping[int, int] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class BatchResult:
    """The result of a batch.

    Attributes:
        worker: the worker that had it.
        batch: the batch.
        receipts: by delivery; a delivery without one was not attempted.
        unwritten: deliveries whose message could not be rendered or was put off on this machine: their receipts are ours,
            not the server's.
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

    def list_server_answers(self) -> list[ServerAnswer]:
        """List the answers that say something about the server."""
        return [
            ServerAnswer(delivery, is_failure=is_server_failure(receipt))
            for delivery, receipt in self.list_answered()
            if delivery.id not in self.unwritten and (is_server_failure(receipt) or is_server_proof(receipt))
        ]

    def list_failed(self) -> list[Delivery]:
        """List the deliveries that the server failed at."""
        return [delivery for delivery, is_failure in self.list_server_answers() if is_failure]

    def list_untried(self) -> list[Delivery]:
        """List the deliveries that were not attempted."""
        return [delivery for delivery in self.batch.deliveries if delivery.id not in self.receipts]

    @property
    def has_reached_server(self) -> bool:
        """Whether the server heard of any of the messages."""
        return not self.server_error or bool(self.list_failed())


class Worker(threading.Thread):
    """The thread of a connection: waits for batches and reports their results.

    Args:
        connection: makes its channel.
        write_message: makes the message of a delivery.
        clock: returns the time.
        may_send: whether other processes still consider this one alive, and leave it what it has leased.
        finished_batches: the queue of results.
    """

    def __init__(
        self,
        connection: Connection,
        write_message: WriteMessage,
        clock: Clock,
        may_send: Callable[[], bool],
        finished_batches: SimpleQueue[BatchResult],
    ) -> None:
        super().__init__(name=f"connection {connection.channel} {connection.server}", daemon=True)
        self.connection = connection
        self._write_message = write_message
        self._clock = clock
        self._may_send = may_send
        self._finished_batches = finished_batches
        self._batches: SimpleQueue[DeliveryBatch | None] = SimpleQueue()
        self._channel: Channel | None = None

    @property
    def channel(self) -> str:
        """The name of its channel."""
        return self.connection.channel

    @property
    def server(self) -> str:
        """The name under which its server is paused: that of the channel if there is no server."""
        return self.connection.server or self.connection.channel

    def create_successor(self) -> Worker:
        """Return a new worker for the same connection, not yet connected."""
        return Worker(
            self.connection, self._write_message, self._clock, self._may_send, self._finished_batches
        )

    def submit_batch(self, batch: DeliveryBatch) -> None:
        """Submit a batch; the worker must be idle."""
        if self.ident is None:
            self.start()
        self._batches.put(batch)

    def request_close(self) -> None:
        """Let the worker close its connection when it is done; it takes no further batch."""
        self._batches.put(None)

    def wait_closed(self) -> None:
        """Wait until the connection is closed; a worker that a server blocks is abandoned."""
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
        if not self._has_lease(batch_result.batch):
            return
        if self._channel is None:
            self._channel = self.connection.make_channel()
        for message, raw_receipt in self._channel.deliver(self._render_messages(batch_result)):
            answer = redact(raw_receipt.answer)
            receipt = raw_receipt if answer == raw_receipt.answer else replace(raw_receipt, answer=answer)
            if isinstance(receipt, Deferred) and receipt.is_local:
                batch_result.unwritten.add(message.delivery)
            elif is_server_failure(receipt):
                batch_result.server_error = receipt.answer
            if not isinstance(receipt, Deferred) or receipt.tried:
                batch_result.receipts[message.delivery] = receipt
            if not self._has_lease(batch_result.batch):
                return
        if batch_result.list_untried() and not batch_result.server_error:
            batch_result.server_error = "it did not answer some of the messages"

    def _has_lease(self, batch: DeliveryBatch) -> bool:
        """Whether nobody else can have a batch: not if this machine slept for long, or could not reach the store."""
        return self._clock() < batch.leased_until and self._may_send()

    def _render_messages(self, batch_result: BatchResult) -> list[Message]:
        """Render the messages of a batch; a message whose template fails is deferred, and the others are sent."""
        batch, messages = batch_result.batch, list[Message]()
        for delivery in batch.deliveries:
            try:
                message = self._write_message(batch.editions[delivery.id], delivery)
                sent_parts = batch.sent_parts.get(delivery.id, 0)
                if sent_parts and isinstance(message, Chat):
                    message = replace(message, sent_parts=sent_parts)
                messages.append(message)
            except RenderError as error:
                batch_result.receipts[delivery.id] = _make_render_failure_receipt(delivery, str(error))
                batch_result.unwritten.add(delivery.id)
        return messages


def _make_render_failure_receipt(delivery: Delivery, reason: str) -> Receipt:
    """Return the receipt of a message that cannot be rendered: deferred, because the templates may soon be repaired."""
    if delivery.attempts >= _MAX_UNWRITTEN_ATTEMPTS:
        return Refused(answer=f"{reason} (given up after {delivery.attempts} attempts)", fault=Fault.OURS)
    return Deferred(answer=reason)


@dataclass(slots=True, kw_only=True)
class SenderPool:
    """The workers of a pass, and the batches that they have; used by the thread of the dispatcher alone.

    Attributes:
        workers: one for each connection.
        may_send: whether other processes still consider this one alive, and leave it what it has leased.
        in_flight: the batches of busy workers.
    """

    workers: Sequence[Worker]
    may_send: Callable[[], bool]
    in_flight: dict[Worker, DeliveryBatch] = field(default_factory=dict, init=False)
    _results: SimpleQueue[BatchResult]

    @classmethod
    def create(
        cls,
        connections: Sequence[Connection],
        write_message: WriteMessage,
        clock: Clock,
        may_send: Callable[[], bool] = lambda: True,
    ) -> SenderPool:
        """Create a pool with a worker for each connection; nothing is connected yet."""
        results: SimpleQueue[BatchResult] = SimpleQueue()
        return cls(
            workers=[
                Worker(connection, write_message, clock, may_send, results) for connection in connections
            ],
            may_send=may_send,
            _results=results,
        )

    @property
    def channels(self) -> Sequence[str]:
        """The channels of all connections."""
        return sorted({worker.channel for worker in self.workers})

    @property
    def limited_channels(self) -> Sequence[str]:
        """The channels with a limit of connections."""
        return sorted({worker.channel for worker in self.workers if worker.connection.max_connections})

    def list_workers(self, channel: str) -> list[Worker]:
        """List the workers of a channel."""
        return [worker for worker in self.workers if worker.channel == channel]

    def is_busy(self, channel: str) -> bool:
        """Whether a worker of a channel has a batch."""
        return any(worker.channel == channel for worker in self.in_flight)

    def submit_batches(self, batches: Mapping[Worker, DeliveryBatch]) -> None:
        """Submit batches to idle workers."""
        for worker, batch in batches.items():
            self.in_flight[worker] = batch
            worker.submit_batch(batch)

    def receive_results(self, timeout: float) -> Iterator[BatchResult]:
        """Wait for a result, and yield all that have arrived by then; none if the time, in seconds, is over."""
        with suppress(Empty):
            yield self._remove_batch(self._results.get(timeout=timeout))
            while True:
                yield self._remove_batch(self._results.get_nowait())

    def finish_batches(self, grace: float) -> Iterator[BatchResult]:
        """End all workers, and yield the results of running batches that arrive within this time, in seconds."""
        for worker in self.workers:
            worker.request_close()
        deadline = time.monotonic() + grace
        with suppress(Empty):
            while self.in_flight:
                yield self._remove_batch(self._results.get(timeout=max(0.0, deadline - time.monotonic())))

    def wait_closed(self) -> None:
        """Wait until all workers have closed their connections."""
        for worker in self.workers:
            worker.wait_closed()

    def _remove_batch(self, batch_result: BatchResult) -> BatchResult:
        del self.in_flight[batch_result.worker]
        return batch_result


def split_batches(deliveries: Sequence[Delivery], size: int) -> Iterator[Sequence[Delivery]]:
    """Split deliveries into batches of at most this size."""
    return (deliveries[start : start + size] for start in range(0, len(deliveries), size))
