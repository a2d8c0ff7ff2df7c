"""What the answers of a server say in one pass: whether the server fails, or messages that it fails at.

A message that a server fails at while it takes others is at fault itself. So a failure says nothing yet: what comes after
it on the same server decides. Once a message is known to be at fault, its failures say nothing of the server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from digest.jobs.delivery.sender_pool import Finished, Pack, Worker
from digest.model import Blame, Deferred, Receipt, Refused
from digest.store.database.engine import Transaction
from digest.store.delivery import rates
from digest.store.delivery.outbox import Delivery
from digest.store.delivery.rates import Trouble
from digest.store.delivery.receipts import Retry

_DOUBT_THRESHOLD, _THRESHOLD = 2, 8
"""Different messages in a row that a server fails at before it is down: where it was in doubt before, and elsewhere."""
_FEW_SUSPECTS, _MANY_SUSPECTS = 2, 8
"""Suspects in a row that a server fails at before the others wait for a later pass: many if it took anything in this one."""
_MIN_COUNTED = 3
"""Attempts that count before a message is given up that servers fail at while they take others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPaused:
    """A server is in trouble.

    Attributes:
        trouble: what with, and until when nothing is given to it.
        replaced: other servers of its channel take its mail; else all of it waits.
    """

    channel: str
    server: str
    trouble: Trouble
    replaced: bool


@dataclass(frozen=True, slots=True)
class Verdict:
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

    def add(self, finished: Finished, *, was_in_doubt: bool, took_others: bool = False) -> Verdict:
        """Add the result of a batch.

        Args:
            finished: the batch.
            was_in_doubt: the server's last answer of an earlier pass was a failure.
            took_others: it had taken something in that pass.
        """
        faulty: list[Delivery] = []
        earlier_failures = frozenset(self.failures)
        for delivery, _ in finished.answered():
            if finished.shows_server_works(delivery):
                faulty += self._add_success()
                self.has_taken_suspect |= delivery.is_suspect
            elif finished.is_in_trouble(delivery):
                faulty += self._add_failure(delivery)
        threshold = _DOUBT_THRESHOLD if was_in_doubt and not self.has_taken else _THRESHOLD
        is_down = len(self._server_failures) >= threshold or finished.did_not_reach_server
        newly_faulty = tuple(delivery for delivery in faulty if delivery.id not in self.counted)
        self.counted.update(delivery.id for delivery in newly_faulty)
        return Verdict(
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

    def _add_failure(self, delivery: Delivery) -> list[Delivery]:
        """Give the delivery if it is at fault itself: what the server took in this pass before a suspect counts."""
        self.failures.add(delivery.id)
        is_at_fault = delivery.is_suspect and self.has_taken
        if delivery.is_suspect:
            self._suspect_failures.add(delivery.id)
        if not is_at_fault:
            self._undecided[delivery.id] = delivery
        if not (is_at_fault or delivery.is_faulty):
            self._server_failures.add(delivery.id)
        return [delivery] if is_at_fault else []


@dataclass(slots=True, kw_only=True)
class Servers:
    """What a pass knows of the servers that its lines lead to.

    Attributes:
        workers: of the lines.
        under_way: the batches that they have.
        begun_at: when the pass began.
        troubles: of servers, which all processes share, as they were last read.
        newest_due: when the newest of what is due became so, by channel; as it was last read.
    """

    workers: Sequence[Worker]
    under_way: Mapping[Worker, Pack]
    begun_at: datetime
    troubles: Mapping[str, Trouble] = field(default_factory=dict)
    newest_due: dict[str, datetime | None] = field(default_factory=dict)
    _evidence: dict[str, ServerEvidence] = field(default_factory=dict)
    _counted: set[int] = field(default_factory=set)  # deliveries with an attempt that counts

    def judge(self, finished: Finished) -> Verdict:
        """Weigh a batch, with all that came before it in this pass: does the server fail, or its messages?"""
        trouble = self.troubles.get(server_of(finished.worker))
        was_in_doubt = trouble is not None and trouble.since < self.begun_at
        took_others = trouble is not None and trouble.took_others
        return self.evidence_of(finished.worker).add(
            finished, was_in_doubt=was_in_doubt, took_others=took_others
        )

    def evidence_of(self, worker: Worker) -> ServerEvidence:
        """What the server of a line did in this pass."""
        return self._evidence.setdefault(server_of(worker), ServerEvidence(counted=self._counted))

    def evidence_in(self, channel: str) -> list[ServerEvidence]:
        """What each server of a channel did in this pass, as far as it was given something."""
        servers = {server_of(worker) for worker in self.workers if worker.line.channel == channel}
        return [self._evidence[server] for server in servers & self._evidence.keys()]

    def list_retries(
        self, finished: Finished, verdict: Verdict, counted: Collection[int], now: datetime
    ) -> Iterator[tuple[int, Retry]]:
        """How those are tried again that a server was in trouble with."""
        is_trusted = server_of(finished.worker) not in self.troubles
        for delivery in filter(finished.is_in_trouble, finished.pack.some):
            goes_on = delivery.id in verdict.new_failures and self._has_another(
                finished.worker, delivery, now
            )
            yield (
                delivery.id,
                Retry(
                    counts_attempt=delivery.id in counted,
                    follows_count=delivery.id in self._counted,
                    is_immediate=verdict.is_down or goes_on,
                    expires_by_clock=delivery.is_faulty and is_trusted,
                ),
            )

    def _has_another(self, worker: Worker, delivery: Delivery, now: datetime) -> bool:
        """Whether another server of a channel may well take what this one failed at, and was not given it yet."""
        return any(
            server_of(one) != server_of(worker) and not self.is_doubtful(one, delivery)
            for one in self.list_usable(worker.line.channel, now)
        )

    def is_doubtful(self, worker: Worker, delivery: Delivery) -> bool:
        """Whether the server of a line may well fail at a message."""
        evidence = self.evidence_of(worker)
        return delivery.id in evidence.failures or evidence.is_failing or server_of(worker) in self.troubles

    def note_result(
        self, tx: Transaction, finished: Finished, verdict: Verdict, now: datetime
    ) -> Trouble | None:
        """Take note of how a server did; gives the pause that begins."""
        server, evidence = server_of(finished.worker), self.evidence_of(finished.worker)
        if server in self.troubles and any(map(finished.shows_server_works, finished.pack.some)):
            rates.server_works(tx, server, now)
        if verdict.is_down and finished.trouble:
            return rates.pause_server(tx, server, now, finished.trouble)
        if finished.trouble and evidence.speaks_against_server:
            rates.doubt_server(tx, server, now, finished.trouble, took_others=evidence.has_taken)
        return None

    def list_usable(self, channel: str, now: datetime) -> list[Worker]:
        """The lines of a channel that are not paused; where all are, one of each server that may be tried."""
        mine = [worker for worker in self.workers if worker.line.channel == channel]
        newest = self.newest_due.get(channel)
        awake = [worker for worker in mine if not self.is_paused(worker, now)]
        if awake:
            return awake
        trials: dict[str, Worker] = {}
        for worker in sorted(mine, key=lambda worker: worker not in self.under_way):
            if rates.may_be_tried(self.troubles[server_of(worker)], newest, now):
                trials.setdefault(server_of(worker), worker)
        return list(trials.values())

    def list_paused(self, now: datetime) -> list[ServerPaused]:
        """The servers that nothing is given to, each once."""
        paused = {server_of(one): one.line.channel for one in self.workers if self.is_paused(one, now)}
        return [
            ServerPaused(
                channel=channel,
                server=server,
                trouble=self.troubles[server],
                replaced=self.has_awake(channel, now),
            )
            for server, channel in paused.items()
        ]

    def has_awake(self, channel: str, now: datetime) -> bool:
        """Whether a line of a channel is not paused."""
        return any(one.line.channel == channel and not self.is_paused(one, now) for one in self.workers)

    def is_paused(self, worker: Worker, now: datetime) -> bool:
        """Whether nothing is given to the server of a line."""
        trouble = self.troubles.get(server_of(worker))
        return trouble is not None and rates.is_paused(trouble, now)

    def has_suspect(self, channel: str) -> bool:
        """Whether a suspect of a channel is under way."""
        under_way = [one for pack in self.under_way.values() for one in pack.some]
        return any(one.is_suspect and one.channel == channel for one in under_way)

    def choose_worker(self, workers: Sequence[Worker], suspects: Sequence[Delivery]) -> Worker:
        """The line that is most likely to get suspects through."""

        def order(worker: Worker) -> tuple[bool, bool]:
            return any(self.is_doubtful(worker, one) for one in suspects), worker.line.stand_by

        return min(workers, key=order)


def server_of(worker: Worker) -> str:
    """What is paused where a line is in trouble."""
    return worker.line.server or worker.line.channel


def give_up(delivery: Delivery, receipt: Receipt, now: datetime) -> Receipt:
    """The receipt of a message that a server fails at while it takes others: at last it is never."""
    is_over = delivery.attempts >= _MIN_COUNTED and delivery.expires_at and now >= delivery.expires_at
    if not (is_over and isinstance(receipt, Deferred) and receipt.blame is Blame.OURS):
        return receipt
    answer = f"{receipt.answer} (given up after {delivery.attempts} attempts, while others were taken)"
    return Refused(answer=answer, blame=Blame.OURS)
