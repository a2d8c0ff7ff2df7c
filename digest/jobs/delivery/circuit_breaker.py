"""Circuit breaker: a run that bounces, or is far larger than usual, is held until the operator decides."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from digest import plugins
from digest.config import DeliverySettings
from digest.core.delivery.circuit_breaker import (
    MIN_EXCESS,
    AnswerTally,
    add_counts,
    add_receipt,
    find_bounce_problem,
    find_volume_problem,
)
from digest.model import AddressKind, Delivery, Receipt
from digest.store.database.engine import Transaction
from digest.store.editions import held_runs
from digest.store.editions.held_runs import HeldRun


@dataclass(slots=True, kw_only=True)
class CircuitBreaker:
    """The runs that one dispatcher delivers: their answers, and which of them it has examined.

    Attributes:
        settings: the configured limits.
    """

    settings: DeliverySettings
    _tallies: dict[int, AnswerTally] = field(default_factory=dict)
    _runs_with_stored_answers: set[int] = field(default_factory=set)
    _checked_runs: set[int] = field(default_factory=set)

    def count_receipts(self, receipts: Iterable[tuple[Delivery, Receipt]]) -> None:
        """Count the answers to mails; a refusal by a chat or webhook is no bounce, and readers choose their webhooks."""
        for delivery, receipt in receipts:
            if plugins.load_channel(delivery.channel).address_kind is not AddressKind.MAILBOX:
                continue
            self._tallies[delivery.run] = add_receipt(self._tallies.get(delivery.run, AnswerTally()), receipt)

    def hold_bouncing_runs(self, tx: Transaction) -> Iterator[HeldRun]:
        """Hold runs with too many refusals; all counted answers are already recorded."""
        if not self.settings.most_bounces:
            return
        for run, tally in self._tallies.items():
            if tally.refused:
                reason = find_bounce_problem(self._load_tally(tx, run), self.settings.most_bounces)
                yield from _hold_run(tx, run, reason)

    def _load_tally(self, tx: Transaction, run: int) -> AnswerTally:
        """Return the tally of a run, with the answers that other and earlier processes recorded."""
        if run not in self._runs_with_stored_answers:
            answered, refused = held_runs.count_answered(tx, run)
            recounted = AnswerTally(last_refusal=self._tallies[run].last_refusal)
            self._tallies[run] = add_counts(recounted, answered=answered, refused=refused)
            self._runs_with_stored_answers.add(run)
        return self._tallies[run]

    def hold_unusual_runs(self, tx: Transaction, run_ids: Collection[int] = ()) -> Iterator[HeldRun]:
        """Hold runs that are far larger than their predecessors, among these and those passed earlier."""
        self._checked_runs.update(run_ids)
        if not self.settings.unusual or not self._checked_runs:
            return
        for volume in held_runs.list_volumes(tx, run_ids or self._checked_runs, MIN_EXCESS):
            yield from _hold_run(tx, volume.run, find_volume_problem(volume, self.settings.unusual))

    def exclude_unusual_runs(
        self, tx: Transaction, deliveries: Sequence[Delivery]
    ) -> tuple[Sequence[Delivery], Sequence[HeldRun]]:
        """Remove the deliveries of runs that are examined for the first time and are too large."""
        new_runs = frozenset(delivery.run for delivery in deliveries) - self._checked_runs
        if not new_runs:
            return deliveries, ()
        held = tuple(self.hold_unusual_runs(tx, new_runs))
        run_ids = {run.id for run in held}
        held_runs.put_on_hold(tx, [delivery for delivery in deliveries if delivery.run in run_ids])
        return [delivery for delivery in deliveries if delivery.run not in run_ids], held


def _hold_run(tx: Transaction, run: int, reason: str) -> Iterator[HeldRun]:
    """Hold a run if there is a reason; yields nothing if it is already held or an operator released it."""
    if reason and (held_run := held_runs.hold_run(tx, run, reason)):
        yield held_run
