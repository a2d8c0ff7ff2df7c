"""The loop that delivers editions, in batches of at most ten.

``claim{lease} → render → channel → receipts → record + claim``
The dispatcher alone writes to the store; one worker thread per connection renders and sends. A worker gets its next batch when
the receipts of its last one are recorded, those of several workers in one transaction. Any number of processes can deliver
at the same time: all that they share is in the store.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain, repeat

from digest.core.delivery.retries import RetryPolicy
from digest.errors import StoreError
from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.claims.claim_cursor import ChannelClaimer, ClaimCursor
from digest.jobs.delivery.connection_share import ConnectionShare
from digest.jobs.delivery.maintenance import Maintenance
from digest.jobs.delivery.outbox import Claim, DeliveryAttempt, Outbox, OutboxEvent
from digest.jobs.delivery.sender_pool import SenderPool
from digest.jobs.delivery.servers import JudgedBatch, ServerPaused, ServerTracker
from digest.jobs.http.fetch import Clock
from digest.jobs.workers import WorkCounts
from digest.model import Sent
from digest.store.database.engine import Store, Transaction, defer_signals
from digest.store.editions.held_runs import HeldRun

_INTERVAL = timedelta(seconds=5)
"""Time between two runs of maintenance, and longest wait for something to be due."""
_STOP_GRACE_SECONDS = 10.0
"""Seconds that running batches may take to end when the pass is stopped."""
_POLL_SECONDS = 0.2
"""Poll interval of the results, in seconds: the longest delay of Ctrl-C."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreUnavailable:
    """The store cannot be written, so nothing is sent until it can."""

    reason: str


DispatchEvent = OutboxEvent | StoreUnavailable
"""An event of a pass."""


@dataclass(slots=True, kw_only=True)
class DeliveryDispatcher:
    """One pass over what is due, by one process.

    Attributes:
        store: the store with the deliveries.
        pool: the workers.
        connection_share: the connections that this process may open.
        outbox: records finished batches and claims the next ones.
        maintenance: renews leases and examines servers and runs at intervals.
        clock: returns the time of the command.
        keep_listed: called in each transaction that leases something, before it does (``WorkerHeartbeat.keep_listed``).
        stop: set from outside to end the pass after the running batches, however long they take.
        closing: set from outside when the process is about to end, so that batches get only a few seconds.
    """

    store: Store
    pool: SenderPool
    connection_share: ConnectionShare
    outbox: Outbox
    maintenance: Maintenance
    clock: Clock
    keep_listed: Callable[[Transaction], None]
    stop: threading.Event
    closing: threading.Event
    _has_opened_store: bool = field(default=False, init=False)

    def run(self) -> Iterator[DispatchEvent]:
        """Deliver what is due, and what becomes due soon."""
        finished: list[JudgedBatch] = []
        reported: set[DispatchEvent] = set()
        try:
            while True:
                events, claim = yield from self._commit_step(finished)
                errors = [judged.result.error for judged in finished if judged.result.error is not None]
                finished.clear()
                with defer_signals():
                    self.pool.submit_batches(claim.batches)
                reported.update(event for event in events if isinstance(event, ServerPaused | HeldRun))
                yield from events
                if errors:
                    raise errors[0]
                if self.closing.is_set() or (self.stop.is_set() and not self.pool.in_flight):
                    return
                if not self.pool.in_flight and claim.wake_after is None:
                    break
                self._wait(finished, claim.wake_after)
            with self.store.begin_read() as tx:
                held_back = self.outbox.list_held_back(tx, self.clock())
            yield from (event for event in held_back if event not in reported)
        finally:
            self._close(finished)

    def _commit_step(
        self, finished: list[JudgedBatch]
    ) -> Generator[DispatchEvent, None, tuple[Sequence[OutboxEvent], Claim]]:
        """Record and claim in one transaction; retried until it succeeds, or what was sent would be forgotten."""
        has_reported = False
        for pause in chain((1.0, 2.0, 5.0, 10.0), repeat(30.0)):
            try:
                with self.store.begin_write() as tx:
                    events, claim = self._record_and_claim(tx, finished)
            except StoreError as error:
                self.connection_share.forget()
                if not self._has_opened_store or self.closing.is_set():
                    raise
                if not has_reported:
                    yield StoreUnavailable(reason=str(error))
                has_reported = True
                self._wait(finished, pause)
            else:
                self._has_opened_store = True
                return events, claim
        raise AssertionError  # the pauses never end

    def _record_and_claim(
        self, tx: Transaction, finished: Sequence[JudgedBatch]
    ) -> tuple[Sequence[OutboxEvent], Claim]:
        """Record finished batches and claim the next ones; none are claimed if the pass is about to end."""
        now = self.clock()
        self.keep_listed(tx)
        self.connection_share.reserve_if_due(tx, now)
        events = [*self.outbox.complete(tx, finished, now), *self.maintenance.run(tx, now)]
        if self._is_ending or any(judged.result.error for judged in finished):
            return events, Claim()
        claim = self.outbox.claim(tx, now)
        return [*events, *claim.held_runs], claim

    @property
    def _is_ending(self) -> bool:
        """Whether nothing more is claimed: also while others have taken over what this process had leased."""
        return self.stop.is_set() or self.closing.is_set() or not self.pool.may_send()

    def _wait(self, finished: list[JudgedBatch], wake_after: float | None) -> None:
        """Wait until a batch is finished, something is due, or maintenance is; then collect all finished batches."""
        max_seconds = self.maintenance.interval.total_seconds()
        seconds_left = max_seconds if wake_after is None else max(0.0, min(wake_after, max_seconds))
        if not self.pool.in_flight:
            self.stop.wait(seconds_left)
            return
        count_before, deadline = len(finished), time.monotonic() + seconds_left
        while len(finished) == count_before and seconds_left >= 0:
            # Ctrl-C is deferred here: it would lose results that were received and not yet recorded.
            with defer_signals():
                results = self.pool.receive_results(min(seconds_left, _POLL_SECONDS))
                finished.extend(map(self.outbox.judge, results))
            seconds_left = deadline - time.monotonic()

    def _close(self, finished: list[JudgedBatch]) -> None:
        """End all workers. After Ctrl-C, too, answers are recorded, and what was not attempted is due again at once."""
        finished.extend(map(self.outbox.judge, self.pool.finish_batches(_STOP_GRACE_SECONDS)))
        if self._has_opened_store:
            with self.store.begin_write() as tx:
                self.outbox.close(tx, finished, self.clock())
        self.pool.wait_closed()
        if self.connection_share.has_leases:
            # If the store cannot be written, the leases expire by themselves.
            with suppress(StoreError), self.store.begin_write() as tx:
                self.connection_share.release_all(tx)


def make_dispatcher(
    *,
    store: Store,
    pool: SenderPool,
    cursor: ClaimCursor,
    circuit_breaker: CircuitBreaker,
    retry_policy: RetryPolicy,
    clock: Clock,
    time_passes: bool,
    keep_listed: Callable[[Transaction], None] = lambda _: None,
    stop: threading.Event,
    closing: threading.Event | None = None,
    interval: timedelta = _INTERVAL,
) -> DeliveryDispatcher:
    """Make the dispatcher of a pass.

    Args:
        store: the store with the deliveries.
        pool: the workers, one for each connection.
        cursor: the position of this process in the due deliveries, its token and the rates.
        circuit_breaker: holds runs that bounce or are unusually large.
        retry_policy: decides when a deferred delivery is tried again.
        clock: returns the time of the command.
        time_passes: False if the clock stands still, as with ``--now``: nothing becomes due then.
        keep_listed: called in each transaction that leases something, before it does.
        stop: set from outside to end the pass after the running batches.
        closing: set from outside when the process is about to end; None if ``stop`` says so.
        interval: time between two runs of maintenance.
    """
    servers = ServerTracker(pool=pool, started_at=clock())
    connection_share = ConnectionShare(
        pool=pool, token=cursor.token, clock=cursor.send_rate.machine_clock, interval=interval
    )
    claimer = ChannelClaimer(
        servers=servers,
        connection_share=connection_share,
        cursor=cursor,
        circuit_breaker=circuit_breaker,
        time_passes=time_passes,
    )
    outbox = _make_outbox(claimer, retry_policy)
    return DeliveryDispatcher(
        store=store,
        pool=pool,
        connection_share=connection_share,
        outbox=outbox,
        maintenance=Maintenance(outbox=outbox, interval=interval),
        clock=clock,
        keep_listed=keep_listed,
        stop=stop,
        closing=closing or stop,
    )


def count_sent(events: Iterator[DispatchEvent], counts: WorkCounts) -> Iterator[DispatchEvent]:
    """Pass the events of a pass on, and count the deliveries that were sent."""
    for event in events:
        if isinstance(event, DeliveryAttempt) and isinstance(event.receipt, Sent):
            counts.sent += 1
        yield event


def _make_outbox(claimer: ChannelClaimer, retry_policy: RetryPolicy) -> Outbox:
    return Outbox(
        servers=claimer.servers,
        claimer=claimer,
        send_rate=claimer.cursor.send_rate,
        circuit_breaker=claimer.circuit_breaker,
        retry_policy=retry_policy,
        token=claimer.cursor.token,
    )
