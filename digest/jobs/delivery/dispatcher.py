"""Delivering editions in batches of at most ten, each claimed before and recorded after.

``claim{lease} → render → channel → receipts → record + claim``
The dispatcher alone writes to the store; one worker thread per connection renders and sends. A worker gets its next batch
when the receipts of its last one are recorded, those of several workers in one transaction. So a crash between the
server's "accepted" and our record repeats at most one batch per connection, with the same Message-IDs. Any number of processes
can deliver at the same time: all that they share is in the store.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain, repeat
from queue import Empty, SimpleQueue

from digest.errors import StoreError
from digest.jobs.delivery import bounces
from digest.jobs.delivery.bounces import CountedReport, ReportAction
from digest.jobs.delivery.channels import list_reporting_channels
from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.connection_share import ConnectionShare
from digest.jobs.delivery.send_rate import ClaimCursor, SendRate
from digest.jobs.delivery.sender_pool import (
    BATCH_SIZE,
    BatchResult,
    DeliveryBatch,
    Worker,
    WriteMessage,
    split_batches,
)
from digest.jobs.delivery.server_evidence import (
    JudgedBatch,
    ServerPaused,
    ServerTracker,
    get_server_name,
)
from digest.jobs.http.fetch import Clock
from digest.model import Deferred, Delivery, Receipt, Sent
from digest.ports import Connection
from digest.store.database.engine import Store, Transaction, defer_signals
from digest.store.delivery import outbox, partial_sends, rates, receipts
from digest.store.delivery.outbox import LEASE_DURATION, ClaimScope
from digest.store.delivery.receipts import RetryPolicy
from digest.store.editions import editions, held_runs, undelivered
from digest.store.editions.edition_loader import EditionLoader
from digest.store.editions.held_runs import HeldRun

_LEASE_RENEWAL_AGE = timedelta(minutes=1)
"""Renew the lease of a batch that has run for this long."""
_MAX_WAIT = timedelta(hours=1)
"""A pass waits for deliveries that are due within this time."""
_STOP_GRACE_SECONDS = 10.0
"""Seconds that running batches may take to end when the pass is stopped."""
_POLL_SECONDS = 0.2
"""Poll interval of the result queue, in seconds: the longest delay of Ctrl-C."""
_RECHECK_SECONDS = 0.05
"""Seconds to wait while another process delivers what is due."""
_MAX_POSTPONED = 500
_NO_SUCH_CHANNEL = Deferred(answer="the configuration has no such channel any more")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAttempt:
    """A delivery that was attempted, and the answer; in a rehearsal nothing was sent."""

    delivery: Delivery
    receipt: Receipt
    is_rehearsal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreUnavailable:
    """The store cannot be written, so nothing is sent until it can."""

    reason: str


DispatchEvent = DeliveryAttempt | ServerPaused | StoreUnavailable | HeldRun | CountedReport
"""What happens in a pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _RoundResult:
    """The result of one transaction.

    Attributes:
        events: what happened.
        batches: the next batch of each worker, to be submitted after the commit.
        wake_after: seconds until something more is due; None if there is nothing to wait for.
    """

    events: Sequence[DispatchEvent] = ()
    batches: Mapping[Worker, DeliveryBatch] = field(default_factory=dict)
    wake_after: float | None = None


@dataclass(slots=True, kw_only=True)
class DeliveryDispatcher:
    """One pass over what is due, by one process.

    Attributes:
        store: the store with the deliveries.
        connections: the connections of all channels.
        write_message: makes the message of a delivery.
        send_rate: the rates.
        circuit_breaker: holds runs that bounce or are unusually large.
        retry_policy: decides when a deferred delivery is tried again.
        token: identifies this process in its leases.
        clock: returns the time of the command.
        time_passes: False if the clock stands still, as with ``--now``: nothing becomes due then.
        stop: set from outside to end the pass after the running batches.
        start_share: where this process begins in the due deliveries, from 0 to 1, so that several begin apart.
        maintenance_interval: seconds between two checks of leases, servers and runs.
    """

    store: Store
    connections: Sequence[Connection]
    write_message: WriteMessage
    send_rate: SendRate
    circuit_breaker: CircuitBreaker
    retry_policy: RetryPolicy
    token: int
    clock: Clock
    time_passes: bool
    stop: threading.Event = field(default_factory=threading.Event)
    start_share: float = 0.0
    maintenance_interval: timedelta = timedelta(seconds=5)
    _machine_started_at: datetime = field(init=False)
    _finished_batches: SimpleQueue[BatchResult] = field(default_factory=SimpleQueue, init=False)
    _in_flight: dict[Worker, DeliveryBatch] = field(default_factory=dict, init=False)
    _edition_loader: EditionLoader = field(default_factory=EditionLoader, init=False)
    _servers: ServerTracker = field(init=False)
    _has_opened_store: bool = field(default=False, init=False)
    _maintained_at: datetime | None = field(default=None, init=False)
    _claim_cursor: ClaimCursor = field(init=False)
    _reported_events: set[DispatchEvent] = field(default_factory=set, init=False)
    _connection_share: ConnectionShare = field(init=False)
    _reserved_connections_at: datetime = field(init=False)  # by the machine's clock

    def __post_init__(self) -> None:
        self._machine_started_at = self._reserved_connections_at = self.send_rate.machine_clock()
        self._connection_share = ConnectionShare(token=self.token)
        self._claim_cursor = ClaimCursor(
            send_rate=self.send_rate, token=self.token, start_share=self.start_share
        )
        self._servers = ServerTracker(
            workers=[
                Worker(connection, self.write_message, self.clock, self._finished_batches)
                for connection in self.connections
            ],
            in_flight=self._in_flight,
            started_at=self.clock(),
        )

    def run(self) -> Iterator[DispatchEvent]:
        """Deliver what is due, and what becomes due soon."""
        finished: list[JudgedBatch] = []
        try:
            while True:
                round_result = yield from self._commit_round(finished)
                errors = [outcome.error for outcome, _ in finished if outcome.error is not None]
                finished.clear()
                with defer_signals():
                    for worker, batch in round_result.batches.items():
                        self._in_flight[worker] = batch
                        worker.submit_batch(batch)
                self._reported_events.update(
                    outcome for outcome in round_result.events if isinstance(outcome, ServerPaused | HeldRun)
                )
                yield from round_result.events
                if errors:
                    raise errors[0]
                if self.stop.is_set():
                    return
                if not self._in_flight and round_result.wake_after is None:
                    break
                self._wait(finished, round_result.wake_after)
            yield from (outcome for outcome in self._list_held_back() if outcome not in self._reported_events)
        finally:
            self._close_workers(finished)

    def _wait(self, finished: list[JudgedBatch], wake_after: float | None) -> None:
        """Wait until a batch is finished or something is due, and collect all finished batches."""
        max_seconds = self.maintenance_interval.total_seconds()
        seconds = max(0.0, min(max_seconds if wake_after is None else wake_after, max_seconds))
        if not self._in_flight:
            self.stop.wait(seconds)
            return
        count_before, until = len(finished), time.monotonic() + seconds
        seconds_left = seconds
        while len(finished) == count_before and seconds_left >= 0:
            # Ctrl-C is deferred here: it would lose results that were received and not yet recorded.
            with defer_signals(), suppress(Empty):
                self._collect_batch(
                    finished, self._finished_batches.get(timeout=min(seconds_left, _POLL_SECONDS))
                )
                while True:
                    self._collect_batch(finished, self._finished_batches.get_nowait())
            seconds_left = until - time.monotonic()

    def _collect_batch(self, finished: list[JudgedBatch], batch_result: BatchResult) -> None:
        finished.append((batch_result, self._servers.evaluate_batch(batch_result)))
        del self._in_flight[batch_result.worker]
        self.circuit_breaker.count_receipts(batch_result.list_answered())

    # --- the one transaction ----------------------------------------------------------------------

    def _commit_round(self, finished: list[JudgedBatch]) -> Generator[DispatchEvent, None, _RoundResult]:
        """Record finished batches and claim the next ones; retried until it succeeds, or what was sent would be forgotten."""
        has_reported = False
        for pause in chain((1.0, 2.0, 5.0, 10.0), repeat(30.0)):
            try:
                with self.store.begin_write() as tx:
                    round_result = self._process_round(tx, finished)
            except StoreError as error:
                self._connection_share.forget()
                if not self._has_opened_store or self.stop.is_set():
                    raise
                if not has_reported:
                    yield StoreUnavailable(reason=str(error))
                has_reported = True
                self._wait(finished, pause)
            else:
                self._has_opened_store = True
                return round_result
        raise AssertionError  # the pauses never end

    def _process_round(self, tx: Transaction, finished: Sequence[JudgedBatch]) -> _RoundResult:
        now = self.clock()
        self._reserve_connections(tx, now)
        finished = [self._decide_server_state(tx, entry, now) for entry in finished]
        answered, bounce_reports = self._record_receipts(tx, finished, now)
        dispatch_events: list[DispatchEvent] = [
            DeliveryAttempt(delivery=entry, receipt=receipt) for entry, receipt in answered
        ]
        dispatch_events += [entry for entry in bounce_reports if entry.action is not ReportAction.NOTHING]
        dispatch_events += self._update_server_states(tx, finished, now)
        dispatch_events += self.circuit_breaker.hold_bouncing_runs(tx)
        dispatch_events += self._run_maintenance(tx)
        if self.stop.is_set() or any(entry.error for entry, _ in finished):
            return _RoundResult(events=dispatch_events)
        batches, held_runs_now, wake_after = self._claim_batches(tx, now)
        return _RoundResult(events=[*dispatch_events, *held_runs_now], batches=batches, wake_after=wake_after)

    def _decide_server_state(self, tx: Transaction, judged: JudgedBatch, now: datetime) -> JudgedBatch:
        """Consider a server down that fails at the only message and has accepted nothing since an earlier pass."""
        batch_result, verdict = judged
        channel = batch_result.worker.connection.channel
        is_alone = (
            verdict.is_down_if_alone
            and not any(worker.connection.channel == channel for worker in self._in_flight)
            and not self._is_due(tx, channel, now)
        )
        return batch_result, replace(verdict, is_down=verdict.is_down or is_alone)

    def _record_receipts(
        self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime
    ) -> tuple[Sequence[tuple[Delivery, Receipt]], Sequence[CountedReport]]:
        """Record receipts, and what refusals tell about addresses."""
        answered = self._servers.record_receipts(tx, finished, now, self.retry_policy)
        return answered, bounces.count_refusals(tx, answered, now, self.retry_policy)

    def _update_server_states(
        self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime
    ) -> Sequence[ServerPaused]:
        """Update servers and domains from the answers; yield the pauses that begin."""
        newly_paused: set[str] = set()
        for outcome, verdict in finished:
            if self._servers.note_result(tx, outcome, verdict, now):
                newly_paused.add(get_server_name(outcome.worker))
            self._claim_cursor.slow_down_domains(tx, outcome.list_answered(), now)
        return [outcome for outcome in self._servers.list_paused(now) if outcome.server in newly_paused]

    def _run_maintenance(self, tx: Transaction) -> Iterator[DispatchEvent]:
        """Renew leases and check servers, domains and runs at intervals."""
        machine_now, now = self.send_rate.machine_clock(), self.clock()
        self._renew_leases(tx, now)
        if self._maintained_at is not None and self._is_recent(self._maintained_at, machine_now):
            return
        if self._maintained_at is None:
            rates.forget_idle_domains(tx, machine_now)
        outbox.release_expired(tx, now)
        self._claim_cursor.load_slow_domains(tx, now)
        self._servers.load_server_states(tx, now)
        yield from self.circuit_breaker.hold_unusual_runs(tx)
        yield from self._defer_missing_channels(tx, now)
        self._maintained_at = machine_now

    def _is_recent(self, at: datetime, machine_now: datetime) -> bool:
        return at <= machine_now < at + self.maintenance_interval

    def _renew_leases(self, tx: Transaction, now: datetime) -> None:
        """Renew the leases of slow batches: a server may take ten minutes for a message (RFC 5321, 4.5.3.2.6)."""
        for batch in self._in_flight.values():
            if now > batch.leased_until - LEASE_DURATION + _LEASE_RENEWAL_AGE:
                still_leased = outbox.renew_leases(tx, batch.deliveries, now)
                batch.leased_until = (
                    now + LEASE_DURATION if len(still_leased) == len(batch.deliveries) else now
                )

    def _defer_missing_channels(self, tx: Transaction, now: datetime) -> Iterator[DispatchEvent]:
        """Defer deliveries whose channel has no connection."""
        for channel in outbox.list_waiting_channels(tx) - set(self._channels):
            deliveries = outbox.claim_deliveries(tx, channel, self.token, now, _MAX_POSTPONED)
            answered = [(delivery, _NO_SUCH_CHANNEL) for delivery in deliveries]
            receipts.record_receipts(tx, answered, now, self.retry_policy)
            yield from (DeliveryAttempt(delivery=delivery, receipt=receipt) for delivery, receipt in answered)

    # --- claiming ---------------------------------------------------------------------------------

    def _claim_batches(
        self, tx: Transaction, now: datetime
    ) -> tuple[Mapping[Worker, DeliveryBatch], Sequence[HeldRun], float | None]:
        """Claim batches for the idle workers."""
        assignments: list[tuple[Worker, Sequence[Delivery]]] = []
        stopped: list[HeldRun] = []
        wake_seconds: list[float] = []
        for channel in self._channels:
            if not self._servers.has_awake(channel, now):
                self._servers.newest_due[channel] = outbox.find_newest_due(tx, channel, now)
            free_workers = self._servers.list_free(channel, now)
            workers = list(self._connection_share.list_usable(free_workers, self._in_flight))
            if free_workers and not workers and self._is_due(tx, channel, now):
                # Other processes use all allowed connections.
                wake_seconds.append(self.maintenance_interval.total_seconds())
            if not workers:
                continue
            suspects, ordinary, channel_wake_seconds = self._claim_for_channel(tx, channel, len(workers), now)
            wake_seconds += channel_wake_seconds
            suspects, held_suspects = self.circuit_breaker.exclude_unusual_runs(tx, suspects)
            ordinary, held_ordinary = self.circuit_breaker.exclude_unusual_runs(tx, ordinary)
            held_runs_now = [*held_suspects, *held_ordinary]
            stopped += held_runs_now
            wake_seconds += [0.0] * len(held_runs_now)
            size = 1 if suspects or self._spares_quota(channel, now) else BATCH_SIZE
            suspect_workers = self._find_suspect_workers(channel, now) or workers
            for batch in split_batches(suspects, BATCH_SIZE):
                suspect_worker = self._servers.choose_worker(suspect_workers or workers, batch)
                assignments.append((suspect_worker, batch))
                suspect_workers = [worker for worker in suspect_workers if worker is not suspect_worker]
                workers = [worker for worker in workers if worker is not suspect_worker]
            assignments += zip(workers, split_batches(ordinary, size), strict=False)
        return self._load_batches(tx, assignments, now), stopped, min(wake_seconds, default=None)

    def _load_batches(
        self, tx: Transaction, assignments: Sequence[tuple[Worker, Sequence[Delivery]]], now: datetime
    ) -> Mapping[Worker, DeliveryBatch]:
        """Load all that the messages of the claimed deliveries contain."""
        claimed = [delivery for _, deliveries in assignments for delivery in deliveries]
        loaded_editions = editions.load_editions(
            tx, {delivery.edition for delivery in claimed}, self._edition_loader
        )
        missed_editions = undelivered.claim_undelivered(tx, claimed, list_reporting_channels(self._channels))
        sent_parts = partial_sends.load_progress(
            tx, [delivery.id for delivery in claimed if delivery.attempts > 1]
        )
        return {
            worker: DeliveryBatch(
                deliveries=deliveries,
                editions=loaded_editions,
                leased_until=now + LEASE_DURATION,
                missed_by_delivery=missed_editions,
                sent_parts=sent_parts,
            )
            for worker, deliveries in assignments
        }

    def _claim_for_channel(
        self, tx: Transaction, channel: str, worker_count: int, now: datetime
    ) -> tuple[Sequence[Delivery], Sequence[Delivery], Sequence[float]]:
        """Claim suspects and ordinary deliveries; also return in how many seconds there may be more.

        A suspect can block a connection for long, so suspects go one at a time when nothing else is due. Suspects that
        may have failed only because of the server's daily limit go first, until anything fails; meanwhile the other
        connections send one message at a time, so that they do not use up that limit.
        """
        suspects = self._claim_unproven(tx, channel, worker_count, now)
        limit = worker_count - len(tuple(split_batches(suspects, BATCH_SIZE)))
        if not limit:
            return suspects, (), ()
        if not (suspects or self._spares_quota(channel, now)):
            limit *= BATCH_SIZE
        ordinary = self._claim_cursor.claim_ordinary(tx, channel, limit, now)
        if len(ordinary.deliveries) == limit:
            return suspects, ordinary.deliveries, ()
        if ordinary.wait is not None:
            return suspects, ordinary.deliveries, (ordinary.wait.total_seconds(),)
        suspect_count = len(suspects) + self._servers.count_suspect_batches(channel)
        has_suspect = suspect_count > 0 or not self._find_suspect_workers(channel, now)
        if not (ordinary.deliveries or has_suspect):
            last_suspect = self._claim_cursor.claim_suspect(tx, channel, now)
            if last_suspect.wait is not None:
                return (), (), (last_suspect.wait.total_seconds(),)
            suspects, has_suspect = last_suspect.deliveries, bool(last_suspect.deliveries)
        scope = ClaimScope.ORDINARY if has_suspect else ClaimScope.ALL
        return suspects, ordinary.deliveries, self._list_wake_seconds(tx, channel, now, scope)

    def _claim_unproven(
        self, tx: Transaction, channel: str, worker_count: int, now: datetime
    ) -> Sequence[Delivery]:
        """Claim suspects that go first: a single one, then batches for half of the connections once a server has accepted one."""
        if not (self._spares_quota(channel, now) and self._claim_cursor.may_find_unproven(channel)):
            return ()
        limit = self._servers.count_first_suspects(channel, worker_count)
        return self._claim_cursor.claim_unproven(tx, channel, limit, now) if limit else ()

    def _spares_quota(self, channel: str, now: datetime) -> bool:
        """Whether no server of a channel has failed in this pass and some suspects are to go first."""
        is_possible = self._claim_cursor.may_find_unproven(channel) or self._servers.count_suspect_batches(
            channel
        )
        return (
            bool(is_possible)
            and not self._servers.has_failed(channel)
            and self._servers.has_awake(channel, now)
        )

    @property
    def _channels(self) -> Sequence[str]:
        return sorted({connection.channel for connection in self.connections})

    @property
    def _limited_channels(self) -> Sequence[str]:
        return sorted({connection.channel for connection in self.connections if connection.max_connections})

    def _is_due(self, tx: Transaction, channel: str, now: datetime) -> bool:
        first_due, _ = outbox.find_next_due(tx, channel, now)
        return first_due is not None and first_due <= now

    def _find_suspect_workers(self, channel: str, now: datetime) -> list[Worker]:
        """Return the idle workers that can take a suspect, stand-bys included: any server that has not failed at it.

        Empty while all workers of such a server are busy: it may be the one that accepts the message.
        """
        candidates = self._servers.list_suspect_candidates(channel, now)
        free_candidates = [worker for worker in candidates if worker not in self._in_flight]
        usable = list(self._connection_share.list_usable(free_candidates, self._in_flight))
        busy_servers = {get_server_name(worker) for worker in candidates if worker in self._in_flight}
        return usable if busy_servers <= {get_server_name(worker) for worker in usable} else []

    def _reserve_connections(self, tx: Transaction, now: datetime) -> None:
        """Reserve connections to servers while something is due.

        This comes first in a transaction: a process that has locked a rate or a domain would deadlock with one that has
        locked connections.
        """
        machine_now = self.send_rate.machine_clock()
        if self._connection_share.is_reserved:
            if self._is_recent(self._reserved_connections_at, machine_now):
                return
        elif not any(self._is_due(tx, channel, now) for channel in self._limited_channels):
            return
        self._servers.workers = self._connection_share.reserve_connections(
            tx, self._servers.workers, self._in_flight, machine_now
        )
        self._reserved_connections_at = machine_now

    def _list_wake_seconds(
        self, tx: Transaction, channel: str, now: datetime, scope: ClaimScope
    ) -> list[float]:
        """List in how many seconds something is due that is worth waiting for."""
        first_due, next_fresh = outbox.find_next_due(tx, channel, now, scope)
        if first_due is not None and first_due <= now:
            return [_RECHECK_SECONDS]
        if (
            next_fresh is None
            or not self.time_passes
            or self.send_rate.machine_clock() > self._machine_started_at + _MAX_WAIT
        ):
            return []
        wait = next_fresh - now
        return [wait.total_seconds()] if wait <= _MAX_WAIT else []

    # --- the end ----------------------------------------------------------------------------------

    def _list_held_back(self) -> Iterator[DispatchEvent]:
        """List what is held back, and why."""
        now = self.clock()
        with self.store.begin_read() as tx:
            for paused in self._servers.list_paused(now):
                if not paused.replaced and self._is_due(tx, paused.channel, now):
                    yield paused
            yield from held_runs.list_held_runs(tx)

    def _close_workers(self, finished: list[JudgedBatch]) -> None:
        """End all workers. After Ctrl-C, too, answers are recorded, and what was not attempted is due again at once."""
        for worker in self._servers.workers:
            worker.request_close()
        deadline = time.monotonic() + _STOP_GRACE_SECONDS
        with suppress(Empty):
            while self._in_flight:
                self._collect_batch(
                    finished, self._finished_batches.get(timeout=max(0.0, deadline - time.monotonic()))
                )
        in_flight = [delivery for batch in self._in_flight.values() for delivery in batch.deliveries]
        if self._has_opened_store:
            with self.store.begin_write() as tx:
                self._record_receipts(tx, finished, self.clock())
                outbox.release_worker(tx, self.token, excluded=in_flight)
        for worker in self._servers.workers:
            worker.wait_closed()
        if self._connection_share.has_leases:
            # If the store cannot be written, the leases expire by themselves.
            with suppress(StoreError), self.store.begin_write() as tx:
                self._connection_share.release_all(tx)


def list_due_for_rehearsal(store: Store, clock: Clock) -> Iterator[DeliveryAttempt]:
    """List what is due without delivering it, for a rehearsal."""
    now = clock()
    with store.begin_write() as tx:
        for channel in sorted(outbox.list_waiting_channels(tx)):
            while deliveries := outbox.claim_deliveries(tx, channel, 1, now, _MAX_POSTPONED):
                yield from (
                    DeliveryAttempt(delivery=delivery, receipt=Sent(), is_rehearsal=True)
                    for delivery in deliveries
                )
