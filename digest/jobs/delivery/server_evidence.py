"""What the answers of a server say in one pass: whether the server fails, or messages that it fails at.

A message that a server fails at while it takes others is at fault itself. So a failure says nothing yet: what comes after
it on the same server decides, in the same pass or in a later one. Once a message is known to be at fault, its failures say
nothing of the server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from digest.core.delivery.pauses import ServerFailure, is_server_paused, is_trial_allowed
from digest.jobs.delivery.sender_pool import BATCH_SIZE, BatchResult, DeliveryBatch, Worker
from digest.model import Deferred, Delivery, Fault, Receipt, Refused, Unknown
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, partial_sends, rates, receipts
from digest.store.delivery.receipts import RetryMode, RetryPolicy

_DOUBT_THRESHOLD, _THRESHOLD = 2, 8
"""Different messages in a row that a server fails at before it is down: where it was in doubt before, and elsewhere."""
_FEW_SUSPECTS, _MANY_SUSPECTS = 2, 8
"""Suspects in a row that a server fails at before the others wait for a later pass: many if it took anything in this one."""
_MIN_COUNTED = 3
"""Attempts that count before a message is given up that servers fail at while they take others."""


_NOTE_INTERVAL = timedelta(minutes=1)
"""How often it is noted that a server takes messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPaused:
    """A server is in trouble.

    Attributes:
        failure: what with, and until when nothing is given to it.
        replaced: other servers of its channel take its mail; else all of it waits.
    """

    channel: str
    server: str
    failure: ServerFailure
    replaced: bool


@dataclass(frozen=True, slots=True)
class ServerVerdict:
    """What is known when a batch is done.

    Attributes:
        is_down: the server is in trouble, whatever it is given.
        faulty: deliveries whose attempt counts: the server failed at them while it took others. They are of this batch
            or of one before it.
        new_failures: deliveries of this batch that it failed at for the first time in this pass.
        is_down_if_alone: it is in trouble if there is nothing else to try: it has taken nothing since an earlier pass.
    """

    is_down: bool
    faulty: tuple[Delivery, ...]
    new_failures: frozenset[int]
    is_down_if_alone: bool = False


JudgedBatch = tuple[BatchResult, ServerVerdict]
"""A pack that a line is done with, and what it says. It is judged once, for a transaction may have to be repeated."""


@dataclass(slots=True, kw_only=True)
class ServerEvidence:
    """What a server did in a pass.

    Attributes:
        counted: deliveries with an attempt that counts, at any server; a pass counts one of each.
        has_taken: it took something, or said what was wrong with its recipient.
        has_taken_suspect: this was a message that a server failed at before.
        failures: the deliveries that it failed at.
    """

    counted: set[int] = field(default_factory=set)
    has_taken: bool = False
    has_taken_suspect: bool = False
    failures: set[int] = field(default_factory=set)
    _server_failures: set[int] = field(default_factory=set)  # these three: since it took something
    _suspect_failures: set[int] = field(default_factory=set)
    _undecided: dict[int, Delivery] = field(default_factory=dict)

    @property
    def is_failing(self) -> bool:
        """Whether it failed at the last message that it was given."""
        return bool(self._server_failures or self._suspect_failures)

    @property
    def speaks_against_server(self) -> bool:
        """Whether the last failure may be the server's trouble."""
        return bool(self._server_failures)

    @property
    def spares_suspects(self) -> bool:
        """Whether it failed at so many suspects in a row that the others wait for a later pass."""
        return len(self._suspect_failures) >= (_MANY_SUSPECTS if self.has_taken else _FEW_SUSPECTS)

    def add(
        self,
        batch_result: BatchResult,
        *,
        was_in_doubt: bool,
        took_others: bool = False,
        last_taken: datetime | None = None,
    ) -> ServerVerdict:
        """Add the result of a batch.

        Args:
            batch_result: the batch.
            was_in_doubt: the server's last answer of an earlier pass was a failure.
            took_others: it had taken something in that pass.
            last_taken: when it took something for the last time, as far as processes have noted it.
        """
        faulty: list[Delivery] = []
        earlier_failures = frozenset(self.failures)
        for delivery, _ in batch_result.list_answered():
            if batch_result.has_proof_of_server(delivery):
                faulty += self._add_success()
                self.has_taken_suspect |= delivery.is_suspect
            elif batch_result.is_in_trouble(delivery):
                faulty += self._add_failure(delivery, last_taken)
        threshold = _DOUBT_THRESHOLD if was_in_doubt and not self.has_taken else _THRESHOLD
        is_down = len(self._server_failures) >= threshold or batch_result.did_not_reach_server
        newly_faulty = tuple(delivery for delivery in faulty if delivery.id not in self.counted)
        self.counted.update(delivery.id for delivery in newly_faulty)
        return ServerVerdict(
            is_down=is_down,
            faulty=newly_faulty,
            new_failures=frozenset(self.failures - earlier_failures),
            is_down_if_alone=self.speaks_against_server
            and was_in_doubt
            and not (took_others or self.has_taken),
        )

    def _add_success(self) -> list[Delivery]:
        faulty = list(self._undecided.values())
        self.has_taken = True
        for failures in (self._server_failures, self._suspect_failures, self._undecided):
            failures.clear()
        return faulty

    def _add_failure(self, delivery: Delivery, last_taken: datetime | None) -> list[Delivery]:
        """Give the delivery if it is at fault itself: what the server took before a suspect counts.

        That is what it took in this pass, or since it failed at this one the last time that counted.
        """
        self.failures.add(delivery.id)
        has_taken_since = bool(last_taken and delivery.failed_at and delivery.failed_at < last_taken)
        is_at_fault = delivery.is_suspect and (self.has_taken or has_taken_since)
        if delivery.is_suspect:
            self._suspect_failures.add(delivery.id)
        if not is_at_fault:
            self._undecided[delivery.id] = delivery
        if not (is_at_fault or delivery.is_faulty):
            self._server_failures.add(delivery.id)
        return [delivery] if is_at_fault else []


@dataclass(slots=True, kw_only=True)
class ServerTracker:
    """What a pass knows of the servers that its lines lead to.

    Attributes:
        workers: of the lines.
        in_flight: the batches that they have.
        started_at: when the pass began.
        server_failures: of servers, which all processes share, as they were last read.
        newest_due: when the newest of what is due became so, by channel; as it was last read.
    """

    workers: Sequence[Worker]
    in_flight: Mapping[Worker, DeliveryBatch]
    started_at: datetime
    server_failures: Mapping[str, ServerFailure] = field(default_factory=dict)
    newest_due: dict[str, datetime | None] = field(default_factory=dict)
    _last_taken: dict[str, datetime] = field(
        default_factory=dict
    )  # when servers took something, as it was noted
    _evidence: dict[str, ServerEvidence] = field(default_factory=dict)
    _counted: set[int] = field(default_factory=set)  # deliveries with an attempt that counts

    def evaluate_batch(self, batch_result: BatchResult) -> ServerVerdict:
        """Weigh a batch, with all that came before it in this pass: does the server fail, or its messages?"""
        failure = self.server_failures.get(get_server_name(batch_result.worker))
        was_in_doubt = failure is not None and failure.since < self.started_at
        took_others = failure is not None and failure.took_others
        return self.get_evidence(batch_result.worker).add(
            batch_result,
            was_in_doubt=was_in_doubt,
            took_others=took_others,
            last_taken=self._last_taken.get(get_server_name(batch_result.worker)),
        )

    def get_evidence(self, worker: Worker) -> ServerEvidence:
        """What the server of a line did in this pass."""
        return self._evidence.setdefault(get_server_name(worker), ServerEvidence(counted=self._counted))

    def list_evidence(self, channel: str) -> list[ServerEvidence]:
        """What each server of a channel did in this pass, as far as it was given something."""
        servers = {get_server_name(worker) for worker in self.workers if worker.connection.channel == channel}
        return [self._evidence[server] for server in servers & self._evidence.keys()]

    def record_receipts(
        self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime, retry_policy: RetryPolicy
    ) -> Sequence[tuple[Delivery, Receipt]]:
        """Record the receipts of batches, and give them; messages that were not tried are due as before."""
        faulty = {delivery.id: delivery for _, verdict in finished for delivery in verdict.faulty}
        retries = {
            delivery_id: retry
            for judged in finished
            for delivery_id, retry in self._list_retries(*judged, faulty, now)
        }
        answered = [
            (delivery, _expire_receipt(delivery, receipt, now) if delivery.id in faulty else receipt)
            for judged, _ in finished
            for delivery, receipt in judged.list_answered()
        ]
        receipts.record_receipts(tx, answered, now, retry_policy, retry_modes=retries)
        earlier = faulty.keys() - {delivery.id for delivery, _ in answered}
        immediate_ids = {
            delivery.id
            for judged, verdict in finished
            for delivery in verdict.faulty
            if delivery.id in earlier and self._has_another(judged.worker, delivery, now)
        }
        receipts.count_attempts(
            tx,
            [faulty[delivery_id] for delivery_id in earlier],
            now,
            retry_policy,
            immediate_ids=immediate_ids,
        )
        partial_sends.save_progress(tx, dict(_list_sent_parts(answered)))
        outbox.return_untried(tx, [delivery for judged, _ in finished for delivery in judged.list_untried()])
        return answered

    def _list_retries(
        self, batch_result: BatchResult, verdict: ServerVerdict, counted: Collection[int], now: datetime
    ) -> Iterator[tuple[int, RetryMode]]:
        """How those are tried again that a server was in trouble with."""
        is_trusted = get_server_name(batch_result.worker) not in self.server_failures
        for delivery in filter(batch_result.is_in_trouble, batch_result.batch.deliveries):
            has_alternative = delivery.id in verdict.new_failures and self._has_another(
                batch_result.worker, delivery, now
            )
            yield (
                delivery.id,
                RetryMode(
                    counts_attempt=delivery.id in counted,
                    is_already_counted=delivery.id in self._counted,
                    is_immediate=verdict.is_down or has_alternative,
                    expires_by_clock=delivery.is_faulty and is_trusted,
                ),
            )

    def _has_another(self, worker: Worker, delivery: Delivery, now: datetime) -> bool:
        """Whether another server of a channel may well take what this one failed at, and was not given it yet."""
        return any(
            get_server_name(other) != get_server_name(worker) and not self.is_doubtful(other, delivery)
            for other in self.list_usable(worker.connection.channel, now)
        )

    def is_doubtful(self, worker: Worker, delivery: Delivery) -> bool:
        """Whether the server of a line may well fail at a message."""
        evidence = self.get_evidence(worker)
        return (
            delivery.id in evidence.failures
            or evidence.is_failing
            or get_server_name(worker) in self.server_failures
        )

    def note_result(
        self, tx: Transaction, batch_result: BatchResult, verdict: ServerVerdict, now: datetime
    ) -> ServerFailure | None:
        """Take note of how a server did; gives the pause that begins."""
        pause = self._save_result(tx, batch_result, verdict, now)
        if batch_result.server_error or get_server_name(batch_result.worker) in self.server_failures:
            self.load_server_states(tx, now)
        return pause

    def load_server_states(self, tx: Transaction, now: datetime) -> None:
        """Read what all processes know of servers: which are in trouble, and which take messages."""
        self.server_failures = rates.list_server_failures(tx)
        self._last_taken = rates.list_taken(tx, now)

    def _save_result(
        self, tx: Transaction, batch_result: BatchResult, verdict: ServerVerdict, now: datetime
    ) -> ServerFailure | None:
        server, evidence = get_server_name(batch_result.worker), self.get_evidence(batch_result.worker)
        if any(map(batch_result.has_proof_of_server, batch_result.batch.deliveries)):
            self._note_taken(tx, server, now)
        if verdict.is_down and batch_result.server_error:
            return rates.pause_server(tx, server, now, batch_result.server_error)
        if batch_result.server_error and evidence.speaks_against_server:
            rates.mark_server_doubtful(
                tx, server, now, batch_result.server_error, took_others=evidence.has_taken
            )
        return None

    def _note_taken(self, tx: Transaction, server: str, now: datetime) -> None:
        if server in self.server_failures:
            rates.mark_server_working(tx, server, now)
        last_taken = self._last_taken.get(server)
        if last_taken is None or now >= last_taken + _NOTE_INTERVAL:
            rates.note_taken(tx, server, now)
            self._last_taken[server] = now

    def list_usable(self, channel: str, now: datetime) -> list[Worker]:
        """The lines of a channel that are not paused; where all are, one of each server that may be tried."""
        channel_workers = [worker for worker in self.workers if worker.connection.channel == channel]
        newest_due = self.newest_due.get(channel)
        awake = [worker for worker in channel_workers if not self.is_paused(worker, now)]
        if awake:
            return awake
        trials: dict[str, Worker] = {}
        for worker in sorted(channel_workers, key=lambda worker: worker not in self.in_flight):
            if is_trial_allowed(self.server_failures[get_server_name(worker)], newest_due, now):
                trials.setdefault(get_server_name(worker), worker)
        return list(trials.values())

    def list_free(self, channel: str, now: datetime) -> list[Worker]:
        """The lines of a channel that can be given something; stand-bys only while all other servers are paused."""
        usable = self.list_usable(channel, now)
        ordinary = [worker for worker in usable if not worker.connection.is_stand_by]
        return [worker for worker in ordinary or usable if worker not in self.in_flight]

    def list_suspect_candidates(self, channel: str, now: datetime) -> list[Worker]:
        """The lines of a channel, busy ones too, whose server did not fail at so many suspects that it is spared more."""
        return [
            worker
            for worker in self.list_usable(channel, now)
            if not self.get_evidence(worker).spares_suspects
        ]

    def list_paused(self, now: datetime) -> list[ServerPaused]:
        """The servers that nothing is given to, each once."""
        paused = {
            get_server_name(worker): worker.connection.channel
            for worker in self.workers
            if self.is_paused(worker, now)
        }
        return [
            ServerPaused(
                channel=channel,
                server=server,
                failure=self.server_failures[server],
                replaced=self.has_awake(channel, now),
            )
            for server, channel in paused.items()
        ]

    def has_awake(self, channel: str, now: datetime) -> bool:
        """Whether a line of a channel is not paused."""
        return any(
            worker.connection.channel == channel and not self.is_paused(worker, now)
            for worker in self.workers
        )

    def is_paused(self, worker: Worker, now: datetime) -> bool:
        """Whether nothing is given to the server of a line."""
        failure = self.server_failures.get(get_server_name(worker))
        return failure is not None and is_server_paused(failure, now)

    def count_suspect_batches(self, channel: str) -> int:
        """How many connections of a channel have suspects."""
        return sum(
            any(delivery.is_suspect and delivery.channel == channel for delivery in batch.deliveries)
            for batch in self.in_flight.values()
        )

    def count_first_suspects(self, channel: str, worker_count: int) -> int:
        """How many suspects may go before all else: they can hold up a connection for long, so half of them stay free.

        Args:
            channel: its name.
            worker_count: how many of its connections can be given something.
        """
        batch_count = self.count_suspect_batches(channel)
        if not any(evidence.has_taken_suspect for evidence in self.list_evidence(channel)):
            return 0 if batch_count else 1
        connection_count = sum(worker.connection.channel == channel for worker in self.workers)
        return BATCH_SIZE * max(min(worker_count, max(connection_count // 2, 1) - batch_count), 0)

    def has_failed(self, channel: str) -> bool:
        """Whether a server of a channel failed at anything in this pass."""
        return any(evidence.failures for evidence in self.list_evidence(channel))

    def choose_worker(self, workers: Sequence[Worker], suspects: Sequence[Delivery]) -> Worker:
        """The line that is most likely to get suspects through."""

        def rank_worker(worker: Worker) -> tuple[bool, bool]:
            return any(
                self.is_doubtful(worker, suspect) for suspect in suspects
            ), worker.connection.is_stand_by

        return min(workers, key=rank_worker)


def get_server_name(worker: Worker) -> str:
    """What is paused where a line is in trouble."""
    return worker.connection.server or worker.connection.channel


def _list_sent_parts(answered: Sequence[tuple[Delivery, Receipt]]) -> Iterator[tuple[int, int]]:
    """Of what is several messages, how many are there; 0 where that need not be known any more."""
    for delivery, receipt in answered:
        if isinstance(receipt, Deferred | Unknown):
            if receipt.sent_parts:
                yield delivery.id, receipt.sent_parts
        elif delivery.attempts > 1:
            yield delivery.id, 0


def _expire_receipt(delivery: Delivery, receipt: Receipt, now: datetime) -> Receipt:
    """The receipt of a message that a server fails at while it takes others: at last it is never."""
    is_over = delivery.attempts >= _MIN_COUNTED and delivery.expires_at and now >= delivery.expires_at
    if not (is_over and isinstance(receipt, Deferred) and receipt.fault is Fault.OURS):
        return receipt
    answer = f"{receipt.answer} (given up after {delivery.attempts} attempts, while others were taken)"
    return Refused(answer=answer, fault=Fault.OURS)
