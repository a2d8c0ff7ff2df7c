"""The outbox as the dispatcher uses it: record finished batches, and claim the next ones.

What a worker gets was claimed in the transaction before, and its receipts are recorded before it gets more. So a crash between
the server's "accepted" and our record of it repeats at most one batch per connection, with the same Message-IDs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from digest.core.delivery.retries import RetryPolicy
from digest.core.delivery.server_health import give_up_faulty
from digest.jobs.delivery.bounces.bounce_events import CountedReport, ReportAction
from digest.jobs.delivery.bounces.counting import count_refusals
from digest.jobs.delivery.channels import list_reporting_channels
from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.claims.claim_cursor import ChannelClaimer
from digest.jobs.delivery.claims.send_rate import SendRate
from digest.jobs.delivery.sender_pool import BatchResult, DeliveryBatch, Worker
from digest.jobs.delivery.servers import JudgedBatch, ServerPaused, ServerTracker
from digest.jobs.http.fetch import Clock
from digest.model import Deferred, Delivery, Edition, Receipt, Sent, Unknown
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import outbox, partial_sends, receipts
from digest.store.delivery.outbox import LEASE_DURATION
from digest.store.editions import held_runs
from digest.store.editions.edition_loader import EditionLoader
from digest.store.editions.editions import load_editions
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.undelivered import claim_undelivered

MAX_CLAIMED = 500
"""Maximum number of deliveries in a claim of something that is not sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAttempt:
    """A delivery that was attempted, and the answer; in a rehearsal nothing was sent."""

    delivery: Delivery
    receipt: Receipt
    is_rehearsal: bool = False


OutboxEvent = DeliveryAttempt | ServerPaused | HeldRun | CountedReport
"""An event of a pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The next batches.

    Attributes:
        batches: the batch of each worker that gets one, to be submitted after the commit.
        held_runs: runs that were held because they are unusually large.
        wake_after: seconds until something more can be claimed; None if there is nothing to wait for.
    """

    batches: Mapping[Worker, DeliveryBatch] = field(default_factory=dict)
    held_runs: Sequence[HeldRun] = ()
    wake_after: float | None = None


@dataclass(slots=True, kw_only=True)
class Outbox:
    """The deliveries of a pass.

    Attributes:
        servers: the servers and their workers.
        claimer: claims the deliveries of a channel.
        send_rate: the rates, and the domains that asked for less mail.
        circuit_breaker: holds runs that bounce.
        retry_policy: decides when a deferred delivery is tried again.
        token: the token of this process.
    """

    servers: ServerTracker
    claimer: ChannelClaimer
    send_rate: SendRate
    circuit_breaker: CircuitBreaker
    retry_policy: RetryPolicy
    token: int
    _edition_loader: EditionLoader = field(default_factory=EditionLoader, init=False)

    def judge(self, result: BatchResult) -> JudgedBatch:
        """Draw conclusions from a batch; done once, whereas the transaction that records it may have to be repeated."""
        self.circuit_breaker.count_receipts(result.list_answered())
        return self.servers.judge_batch(result)

    # --- completing ---------------------------------------------------------------------------------

    def complete(self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime) -> list[OutboxEvent]:
        """Record finished batches: receipts, bounces, the states of servers and domains, runs that bounce."""
        finished = [self._settle_verdict(tx, judged, now) for judged in finished]
        answered, reports = self._record_receipts(tx, finished, now)
        return [
            *[DeliveryAttempt(delivery=delivery, receipt=receipt) for delivery, receipt in answered],
            *[report for report in reports if report.action is not ReportAction.NOTHING],
            *self._record_servers(tx, finished, now),
            *self.circuit_breaker.hold_bouncing_runs(tx),
        ]

    def close(self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime) -> None:
        """Record the last batches, and release what was claimed and not attempted; what may still be sent keeps its lease."""
        self._record_receipts(tx, finished, now)
        self.claimer.cursor.leave_queues(tx)
        in_flight = self.servers.pool.in_flight.values()
        outbox.release_worker(
            tx, self.token, excluded=[delivery for batch in in_flight for delivery in batch.deliveries]
        )

    def _settle_verdict(self, tx: Transaction, judged: JudgedBatch, now: datetime) -> JudgedBatch:
        """Consider a server down that fails at the only message and has accepted nothing since an earlier pass."""
        channel = judged.result.worker.channel
        is_alone = (
            judged.verdict.is_down_if_alone
            and not self.servers.pool.is_busy(channel)
            and not outbox.is_any_due(tx, channel, now)
        )
        return replace(judged, verdict=replace(judged.verdict, is_down=True)) if is_alone else judged

    def _record_receipts(
        self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime
    ) -> tuple[Sequence[tuple[Delivery, Receipt]], Sequence[CountedReport]]:
        """Record receipts, and what refusals tell about addresses; deliveries that were not attempted are due as before."""
        faulty = {delivery.id: delivery for judged in finished for delivery in judged.verdict.faulty}
        answered = [
            (delivery, give_up_faulty(delivery, receipt, now) if delivery.id in faulty else receipt)
            for judged in finished
            for delivery, receipt in judged.result.list_answered()
        ]
        retry_modes = {
            delivery_id: retry_mode
            for judged in finished
            for delivery_id, retry_mode in self.servers.list_retry_modes(judged, faulty, now)
        }
        receipts.record_receipts(tx, answered, now, self.retry_policy, retry_modes=retry_modes)
        earlier_ids = faulty.keys() - {delivery.id for delivery, _ in answered}
        self._count_earlier_attempts(
            tx, finished, {delivery_id: faulty[delivery_id] for delivery_id in earlier_ids}, now
        )
        partial_sends.save_progress(tx, dict(_list_sent_parts(answered)))
        outbox.return_untried(
            tx, [delivery for judged in finished for delivery in judged.result.list_untried()]
        )
        return answered, count_refusals(tx, _select_failed(tx, answered), now, self.retry_policy)

    def _count_earlier_attempts(
        self,
        tx: Transaction,
        finished: Sequence[JudgedBatch],
        faulty: Mapping[int, Delivery],
        now: datetime,
    ) -> None:
        """Count attempts of earlier batches, now that their server has accepted something after them."""
        immediate_ids = {
            delivery.id
            for judged in finished
            for delivery in judged.verdict.faulty
            if delivery.id in faulty and self.servers.has_alternative(judged.result.worker, delivery, now)
        }
        receipts.count_attempts(
            tx, list(faulty.values()), now, self.retry_policy, immediate_ids=immediate_ids
        )

    def _record_servers(
        self, tx: Transaction, finished: Sequence[JudgedBatch], now: datetime
    ) -> list[ServerPaused]:
        """Record how servers and domains did; return the pauses that begin."""
        newly_paused: set[str] = set()
        for judged in finished:
            if self.servers.record_result(tx, judged, now):
                newly_paused.add(judged.result.worker.server)
            self.send_rate.slow_down_domains(tx, judged.result.list_answered(), now)
        return [paused for paused in self.servers.list_paused(now) if paused.server in newly_paused]

    # --- claiming -----------------------------------------------------------------------------------

    def claim(self, tx: Transaction, now: datetime) -> Claim:
        """Claim batches for the idle workers."""
        claims = [self.claimer.claim(tx, channel, now) for channel in self.servers.pool.channels]
        assignments = {worker: deliveries for claim in claims for worker, deliveries in claim.assignments}
        return Claim(
            batches=self._load_batches(tx, assignments, now),
            held_runs=[run for claim in claims for run in claim.held_runs],
            wake_after=min(
                (claim.wake_after for claim in claims if claim.wake_after is not None), default=None
            ),
        )

    def _load_batches(
        self, tx: Transaction, assignments: Mapping[Worker, Sequence[Delivery]], now: datetime
    ) -> Mapping[Worker, DeliveryBatch]:
        """Load all that the messages of the claimed deliveries contain."""
        claimed = [delivery for deliveries in assignments.values() for delivery in deliveries]
        editions = self._load_editions(tx, claimed)
        retried = [delivery.id for delivery in claimed if delivery.attempts > 1]
        sent_parts = partial_sends.load_progress(tx, retried)
        return {
            worker: DeliveryBatch(
                deliveries=deliveries,
                editions=editions,
                leased_until=now + LEASE_DURATION,
                sent_parts=sent_parts,
            )
            for worker, deliveries in assignments.items()
        }

    def _load_editions(self, tx: Transaction, claimed: Sequence[Delivery]) -> Mapping[int, Edition]:
        """Load the edition of each delivery, with the missed editions that its message names."""
        editions = load_editions(tx, {delivery.edition for delivery in claimed}, self._edition_loader)
        missed = claim_undelivered(tx, claimed, list_reporting_channels(self.servers.pool.channels))
        return {
            delivery.id: replace(editions[delivery.edition], missed=missed[delivery.id])
            if delivery.id in missed
            else editions[delivery.edition]
            for delivery in claimed
        }

    # --- what waits ---------------------------------------------------------------------------------

    def list_held_back(self, tx: Transaction, now: datetime) -> list[ServerPaused | HeldRun]:
        """List what holds deliveries back: paused servers without a replacement, and held runs."""
        blocking = [
            paused
            for paused in self.servers.list_paused(now)
            if not paused.replaced and outbox.is_any_due(tx, paused.channel, now)
        ]
        return [*blocking, *held_runs.list_held_runs(tx)]


def _select_failed(
    tx: Transaction, answered: Sequence[tuple[Delivery, Receipt]]
) -> list[tuple[Delivery, Receipt]]:
    """Return what was not sent, without deliveries that their reader has deleted: nothing is kept of their address."""
    failed = [(delivery, receipt) for delivery, receipt in answered if not isinstance(receipt, Sent)]
    present_ids = outbox.select_present(tx, [delivery.id for delivery, _ in failed])
    return [(delivery, receipt) for delivery, receipt in failed if delivery.id in present_ids]


def _list_sent_parts(answered: Sequence[tuple[Delivery, Receipt]]) -> Iterator[tuple[int, int]]:
    """List how many messages of a delivery arrived that consists of several; 0 if that need not be recorded any more."""
    for delivery, receipt in answered:
        if isinstance(receipt, Deferred | Unknown):
            if receipt.sent_parts:
                yield delivery.id, receipt.sent_parts
        elif delivery.attempts > 1:
            yield delivery.id, 0


def list_due_for_rehearsal(store: Store, clock: Clock) -> Iterator[DeliveryAttempt]:
    """List what is due without delivering it, for a rehearsal."""
    now = clock()
    with store.begin_write() as tx:
        for channel in sorted(outbox.list_waiting_channels(tx)):
            while deliveries := outbox.claim_deliveries(tx, channel, 1, now, MAX_CLAIMED):
                yield from (
                    DeliveryAttempt(delivery=delivery, receipt=Sent(), is_rehearsal=True)
                    for delivery in deliveries
                )
