"""The servers of one pass: their health, and which of their workers can get a batch.

What a server does in this pass is evidence in memory (``core/delivery/server_health.py``); its pauses are rows that all
processes share (``core/delivery/throttling/pauses.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from digest.core.delivery.retries import RetryMode
from digest.core.delivery.server_health import (
    ServerEvidence,
    ServerHistory,
    ServerVerdict,
    count_first_suspects,
    evaluate_answers,
)
from digest.core.delivery.throttling.pauses import ServerFailure, is_server_paused, is_trial_allowed
from digest.jobs.delivery.sender_pool import BATCH_SIZE, BatchResult, SenderPool, Worker
from digest.model import Delivery
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, rates

_NOTE_INTERVAL = timedelta(minutes=1)
"""Shortest time between two notes that a server accepts messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPaused:
    """A server is in trouble.

    Attributes:
        channel: the name of its channel.
        server: the name of the server.
        failure: its trouble, and until when nothing is sent to it.
        replaced: whether other servers of its channel take its mail; otherwise all of it waits.
    """

    channel: str
    server: str
    failure: ServerFailure
    replaced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBatch:
    """The result of a batch and the conclusion from it, which is drawn once although a transaction may be repeated."""

    result: BatchResult
    verdict: ServerVerdict


@dataclass(slots=True, kw_only=True)
class ServerTracker:
    """The servers that the connections of a pass lead to.

    Attributes:
        pool: the workers.
        started_at: when the pass began.
        failures: servers in trouble, as last loaded; all processes share them.
    """

    pool: SenderPool
    started_at: datetime
    failures: Mapping[str, ServerFailure] = field(default_factory=dict, init=False)
    _last_taken: dict[str, datetime] = field(default_factory=dict, init=False)
    _newest_due: dict[str, datetime | None] = field(default_factory=dict, init=False)  # by channel
    _evidence: dict[str, ServerEvidence] = field(default_factory=dict, init=False)
    _counted: frozenset[int] = field(default=frozenset(), init=False)  # deliveries whose attempt counted

    # --- evidence ---------------------------------------------------------------------------------

    def judge_batch(self, result: BatchResult) -> JudgedBatch:
        """Evaluate the result of a batch, together with all earlier ones of this pass."""
        server = result.worker.server
        failure = self.failures.get(server)
        history = ServerHistory(
            was_in_doubt=failure is not None and failure.since < self.started_at,
            took_others=failure is not None and failure.took_others,
            last_taken=self._last_taken.get(server),
        )
        self._evidence[server], verdict = evaluate_answers(
            self.get_evidence(server),
            result.list_server_answers(),
            history,
            counted=self._counted,
            was_unreachable=not result.has_reached_server,
        )
        self._counted |= {delivery.id for delivery in verdict.faulty}
        return JudgedBatch(result=result, verdict=verdict)

    def get_evidence(self, server: str) -> ServerEvidence:
        """Return what a server did in this pass."""
        return self._evidence.get(server, ServerEvidence())

    def list_evidence(self, channel: str) -> list[ServerEvidence]:
        """List what each server of a channel did in this pass."""
        return [self.get_evidence(server) for server in {w.server for w in self.pool.list_workers(channel)}]

    def list_retry_modes(
        self, judged: JudgedBatch, faulty: Collection[int], now: datetime
    ) -> Iterator[tuple[int, RetryMode]]:
        """List how each delivery is retried that the server failed at.

        Args:
            judged: the batch.
            faulty: ids of the deliveries whose attempt counts.
            now: the time.
        """
        worker, verdict = judged.result.worker, judged.verdict
        for delivery in judged.result.list_failed():
            is_new_failure = delivery.id in verdict.new_failures
            mode = RetryMode(
                counts_attempt=delivery.id in faulty,
                is_already_counted=delivery.id in self._counted,
                is_immediate=verdict.is_down
                or (is_new_failure and self.has_alternative(worker, delivery, now)),
                expires_by_clock=delivery.is_faulty and worker.server not in self.failures,
            )
            yield delivery.id, mode

    def has_alternative(self, worker: Worker, delivery: Delivery, now: datetime) -> bool:
        """Whether another server of a channel may well accept a message that this one failed at."""
        return any(
            other.server != worker.server and not self._is_doubtful(other, delivery)
            for other in self.list_usable(worker.channel, now)
        )

    def _is_doubtful(self, worker: Worker, delivery: Delivery) -> bool:
        """Whether the server of a worker may well fail at a message."""
        evidence = self.get_evidence(worker.server)
        return delivery.id in evidence.failures or evidence.is_failing or worker.server in self.failures

    # --- states that all processes share -----------------------------------------------------------

    def load_states(self, tx: Transaction, now: datetime) -> None:
        """Load which servers are in trouble, and when each accepted something for the last time."""
        self.failures = rates.list_server_failures(tx)
        self._last_taken = rates.list_taken(tx, now)

    def load_newest_due(self, tx: Transaction, channel: str, now: datetime) -> None:
        """Load whether paused servers may be tried, which is decided by what became due since; only needed if all are paused."""
        if not self.has_awake(channel, now):
            self._newest_due[channel] = outbox.find_newest_due(tx, channel, now)

    def record_result(self, tx: Transaction, judged: JudgedBatch, now: datetime) -> ServerFailure | None:
        """Record how a server did; return the pause that begins."""
        server, error = judged.result.worker.server, judged.result.server_error
        was_in_trouble = server in self.failures
        if any(not is_failure for _, is_failure in judged.result.list_server_answers()):
            self._record_taken(tx, server, now)
        pause, evidence = None, self.get_evidence(server)
        if error and judged.verdict.is_down:
            pause = rates.pause_server(tx, server, now, error)
        elif error and evidence.is_doubtful:
            rates.mark_server_doubtful(tx, server, now, error, took_others=evidence.has_taken)
        if error or was_in_trouble:
            self.load_states(tx, now)
        return pause

    def _record_taken(self, tx: Transaction, server: str, now: datetime) -> None:
        if server in self.failures:
            rates.mark_server_working(tx, server, now)
        last_taken = self._last_taken.get(server)
        if last_taken is None or now >= last_taken + _NOTE_INTERVAL:
            rates.note_taken(tx, server, now)
            self._last_taken[server] = now

    def list_paused(self, now: datetime) -> list[ServerPaused]:
        """List the paused servers."""
        paused = {
            worker.server: worker.channel for worker in self.pool.workers if self._is_paused(worker, now)
        }
        return [
            ServerPaused(
                channel=channel,
                server=server,
                failure=self.failures[server],
                replaced=self.has_awake(channel, now),
            )
            for server, channel in paused.items()
        ]

    def has_awake(self, channel: str, now: datetime) -> bool:
        """Whether a server of a channel is not paused."""
        return any(not self._is_paused(worker, now) for worker in self.pool.list_workers(channel))

    def _is_paused(self, worker: Worker, now: datetime) -> bool:
        failure = self.failures.get(worker.server)
        return failure is not None and is_server_paused(failure, now)

    # --- choice of workers --------------------------------------------------------------------------

    def list_usable(self, channel: str, now: datetime) -> list[Worker]:
        """List the workers of a channel whose server is not paused; if all are, one of each server that may be tried."""
        workers = self.pool.list_workers(channel)
        awake = [worker for worker in workers if not self._is_paused(worker, now)]
        if awake:
            return awake
        trials: dict[str, Worker] = {}
        for worker in sorted(workers, key=lambda worker: worker not in self.pool.in_flight):
            if is_trial_allowed(self.failures[worker.server], self._newest_due.get(channel), now):
                trials.setdefault(worker.server, worker)
        return list(trials.values())

    def list_free(self, channel: str, now: datetime) -> list[Worker]:
        """List the workers of a channel that can get a batch; stand-bys only while all other servers are paused."""
        usable = self.list_usable(channel, now)
        regular = [worker for worker in usable if not worker.connection.is_stand_by]
        return [worker for worker in regular or usable if worker not in self.pool.in_flight]

    def list_suspect_candidates(self, channel: str, now: datetime) -> list[Worker]:
        """List the workers of a channel, busy ones too, whose server did not fail at too many suspects in a row."""
        usable = self.list_usable(channel, now)
        return [worker for worker in usable if not self.get_evidence(worker.server).is_spared]

    def choose_worker(self, workers: Sequence[Worker], suspects: Sequence[Delivery]) -> Worker:
        """Choose the worker whose server is most likely to accept some suspects."""

        def rank_worker(worker: Worker) -> tuple[bool, bool]:
            is_doubtful = any(self._is_doubtful(worker, suspect) for suspect in suspects)
            return is_doubtful, worker.connection.is_stand_by

        return min(workers, key=rank_worker)

    # --- suspects -----------------------------------------------------------------------------------

    def has_failed(self, channel: str) -> bool:
        """Whether a server of a channel failed at anything in this pass."""
        return any(evidence.failures for evidence in self.list_evidence(channel))

    def count_suspect_batches(self, channel: str) -> int:
        """Count the connections of a channel that have suspects at present."""
        return sum(
            any(delivery.is_suspect and delivery.channel == channel for delivery in batch.deliveries)
            for batch in self.pool.in_flight.values()
        )

    def count_first_suspects(self, channel: str, free_count: int) -> int:
        """Count how many suspects may go before everything else, if so many connections of a channel are free."""
        return count_first_suspects(
            self.list_evidence(channel),
            free_count=free_count,
            connection_count=len(self.pool.list_workers(channel)),
            suspect_count=self.count_suspect_batches(channel),
            batch_size=BATCH_SIZE,
        )
