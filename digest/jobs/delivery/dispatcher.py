"""Deliver: editions to their destinations, in packs of at most ten, each claimed before and marked after.

``claim{lease} → render → channel → receipts → mark + claim``
A *desk* owns the store, and a thread a line renders and sends. A line gets its next pack when the receipts of its last
one are kept, those of several lines in one transaction. So a crash between the other side's "accepted" and our mark
repeats at most a pack a line, with the same Message-IDs. Any number of processes can be at it: all that they share is in
the store.
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
from digest.jobs.delivery.cpu_affinity import CpuAffinity
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
from digest.model import Deferred, Receipt, Sent
from digest.ports import Connection
from digest.store.database.engine import Store, Transaction, defer_signals
from digest.store.delivery import outbox, partial_sends, rates, receipts
from digest.store.delivery.outbox import LEASE_DURATION, ClaimScope, Delivery
from digest.store.delivery.receipts import RetryPolicy
from digest.store.editions import editions, held_runs, undelivered
from digest.store.editions.edition_loader import EditionLoader
from digest.store.editions.held_runs import HeldRun

_LEASE_RENEWAL_AGE = timedelta(minutes=1)
"""A pack that has lasted longer than this since its lease was last prolonged has it prolonged."""
_MAX_WAIT = timedelta(hours=1)
"""A pass stays for what has its turn within this time."""
_STOP_GRACE_SECONDS = 10.0
"""Seconds that packs under way have to end when the pass is stopped."""
_POLL_SECONDS = 0.2
"""Seconds that Ctrl-C may wait for a line."""
_RECHECK_SECONDS = 0.05
"""Seconds to wait where another process is at what is due."""
_MAX_POSTPONED = 500
_NO_SUCH_CHANNEL = Deferred(answer="the configuration has no such channel any more")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAttempt:
    """A delivery that was tried, and what the other side answered; in a rehearsal nobody was asked."""

    delivery: Delivery
    receipt: Receipt
    is_rehearsal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreUnavailable:
    """The store cannot be written to: nothing is sent until it can."""

    reason: str


DispatchEvent = DeliveryAttempt | ServerPaused | StoreUnavailable | HeldRun | CountedReport
"""What happens in a pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _RoundResult:
    """What one transaction came to.

    Attributes:
        events: what happened.
        batches: for whom, each to be given when the transaction is kept.
        wake_after: seconds until something more is due; None where nothing is to be waited for.
    """

    events: Sequence[DispatchEvent] = ()
    batches: Mapping[Worker, DeliveryBatch] = field(default_factory=dict)
    wake_after: float | None = None


@dataclass(slots=True, kw_only=True)
class DeliveryDispatcher:
    """One pass over what is due, by one process.

    Attributes:
        store: whose deliveries.
        connections: the ways out.
        write_message: makes messages.
        send_rate: the rates.
        circuit_breaker: holds runs.
        retry_policy: with what is put off.
        token: of this worker, for its leases.
        clock: gives the time of the command.
        time_passes: False where that is always the same: nothing becomes due then.
        stop: set from outside to end the pass; packs under way are ended first.
        start_share: where it begins in what is due, from 0 to 1: each of several processes elsewhere.
        maintenance_interval: how often it looks after leases, servers and runs.
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
    _cpu_affinity: CpuAffinity = field(default_factory=CpuAffinity, init=False)
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
        """Deliver what is due, and what has its turn soon."""
        finished: list[JudgedBatch] = []
        try:
            while True:
                self._cpu_affinity.bind_threads(self._servers.workers)
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
            self._cpu_affinity.release_threads(())

    def _wait(self, finished: list[JudgedBatch], wake_after: float | None) -> None:
        """Wait until a line is done, or something is to be done; takes up all packs that ended meanwhile."""
        max_seconds = self.maintenance_interval.total_seconds()
        seconds = max(0.0, min(max_seconds if wake_after is None else wake_after, max_seconds))
        if not self._in_flight:
            self.stop.wait(seconds)
            return
        count_before, until = len(finished), time.monotonic() + seconds
        seconds_left = seconds
        while len(finished) == count_before and seconds_left >= 0:
            # What was got and not yet taken up would be lost to Ctrl-C, which waits so long.
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
        """Mark what ended and claim what is next; insists on it, for what was sent must not be forgotten."""
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
        raise AssertionError  # the pauses have no end

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
        """Take a server for down that fails at the only message, and has taken nothing since an earlier pass."""
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
        """Record the receipts, and what refusals say of addresses."""
        answered = self._servers.record_receipts(tx, finished, now, self.retry_policy)
        return answered, bounces.count_refusals(tx, answered, now, self.retry_policy)

    def _update_server_states(
        self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime
    ) -> Sequence[ServerPaused]:
        """What the answers say about servers and domains; gives the pauses that begin."""
        newly_paused: set[str] = set()
        for outcome, verdict in finished:
            if self._servers.note_result(tx, outcome, verdict, now):
                newly_paused.add(get_server_name(outcome.worker))
            self._claim_cursor.slow_down_domains(tx, outcome.list_answered(), now)
        return [outcome for outcome in self._servers.list_paused(now) if outcome.server in newly_paused]

    def _run_maintenance(self, tx: Transaction) -> Iterator[DispatchEvent]:
        """Look after leases, servers, domains and runs, now and then."""
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
        """Keep the leases of packs that take long: a server may take ten minutes for a message (RFC 5321, 4.5.3.2.6)."""
        for batch in self._in_flight.values():
            if now > batch.leased_until - LEASE_DURATION + _LEASE_RENEWAL_AGE:
                still_leased = outbox.renew_leases(tx, batch.deliveries, now)
                batch.leased_until = (
                    now + LEASE_DURATION if len(still_leased) == len(batch.deliveries) else now
                )

    def _defer_missing_channels(self, tx: Transaction, now: datetime) -> Iterator[DispatchEvent]:
        """Put off what is to go by a channel that has no line."""
        for channel in outbox.list_waiting_channels(tx) - set(self._channels):
            deliveries = outbox.claim_deliveries(tx, channel, self.token, now, _MAX_POSTPONED)
            answered = [(delivery, _NO_SUCH_CHANNEL) for delivery in deliveries]
            receipts.record_receipts(tx, answered, now, self.retry_policy)
            yield from (DeliveryAttempt(delivery=delivery, receipt=receipt) for delivery, receipt in answered)

    # --- claiming ---------------------------------------------------------------------------------

    def _claim_batches(
        self, tx: Transaction, now: datetime
    ) -> tuple[Mapping[Worker, DeliveryBatch], Sequence[HeldRun], float | None]:
        """Packs for the lines that are free."""
        assignments: list[tuple[Worker, Sequence[Delivery]]] = []
        stopped: list[HeldRun] = []
        wake_seconds: list[float] = []
        for channel in self._channels:
            if not self._servers.has_awake(channel, now):
                self._servers.newest_due[channel] = outbox.find_newest_due(tx, channel, now)
            free_workers = self._servers.list_free(channel, now)
            workers = list(self._connection_share.list_usable(free_workers, self._in_flight))
            if free_workers and not workers and self._is_due(tx, channel, now):
                wake_seconds.append(self.maintenance_interval.total_seconds())  # others have all places
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
        """What was claimed for lines, with all that its messages tell."""
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
        """Claim a batch of suspects, batches of others, and say in how many seconds there may be more.

        Suspects can hold up a connection for long, so they go one at a time when nothing else is due. Those
        that may have failed only because the server takes so many a day go first, until anything fails; the other
        connections go on with what is due meanwhile, one by one: they shall not use up what the server takes.
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
        """Claim suspects that go first: one alone, and batches for half of the connections once a server has taken one."""
        if not (self._spares_quota(channel, now) and self._claim_cursor.may_find_unproven(channel)):
            return ()
        limit = self._servers.count_first_suspects(channel, worker_count)
        return self._claim_cursor.claim_unproven(tx, channel, limit, now) if limit else ()

    def _spares_quota(self, channel: str, now: datetime) -> bool:
        """Whether no server of a channel failed in this pass yet, and some shall take first what they failed at."""
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
        """The free lines that a suspect can be given to, stand-bys too: to whichever server did not fail at it.

        None while all lines of one such server are busy: it may be the one that takes it.
        """
        candidates = self._servers.list_suspect_candidates(channel, now)
        free_candidates = [worker for worker in candidates if worker not in self._in_flight]
        usable = list(self._connection_share.list_usable(free_candidates, self._in_flight))
        busy_servers = {get_server_name(worker) for worker in candidates if worker in self._in_flight}
        return usable if busy_servers <= {get_server_name(worker) for worker in usable} else []

    def _reserve_connections(self, tx: Transaction, now: datetime) -> None:
        """Hold connections of servers while something is due.

        It comes first in a transaction: who has locked a rate or a domain would wait for who has locked places.
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
        """In how many seconds something is due that is worth waiting for."""
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
        """What is left, and why."""
        now = self.clock()
        with self.store.begin_read() as tx:
            for paused in self._servers.list_paused(now):
                if not paused.replaced and self._is_due(tx, paused.channel, now):
                    yield paused
            yield from held_runs.list_held_runs(tx)

    def _close_workers(self, finished: list[JudgedBatch]) -> None:
        """End all lines. On Ctrl-C, too, what was answered is kept, and what was not tried is due again at once."""
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
            # Where it cannot be written, the leases end by themselves.
            with suppress(StoreError), self.store.begin_write() as tx:
                self._connection_share.release_all(tx)


def list_due_for_rehearsal(store: Store, clock: Clock) -> Iterator[DeliveryAttempt]:
    """What is due, told and given back undelivered: for a rehearsal."""
    now = clock()
    with store.begin_write() as tx:
        for channel in sorted(outbox.list_waiting_channels(tx)):
            while deliveries := outbox.claim_deliveries(tx, channel, 1, now, _MAX_POSTPONED):
                yield from (
                    DeliveryAttempt(delivery=delivery, receipt=Sent(), is_rehearsal=True)
                    for delivery in deliveries
                )
