"""Circuit breaker: a run that bounces, or is far larger than usual, is held until the operator decides."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from digest.config import DeliverySettings
from digest.model import Delivery, Receipt, Refused, Sent
from digest.store.database.engine import Transaction
from digest.store.editions import held_runs
from digest.store.editions.held_runs import HeldRun

_MIN_ANSWERED = 100
"""Fewest answers from which a run can be judged."""
_MAX_TALLIED = 1000
"""Number of answers at which all counts are halved, so that recent answers weigh more."""
_MIN_EXCESS = 1000
"""Deliveries above the usual number that a run may have without being unusual."""


@dataclass(slots=True, kw_only=True)
class _Tally:
    """Counts of the answers to a run's deliveries."""

    answered: int = 0
    refused: int = 0
    last_refusal: str = ""
    has_stored_counts: bool = False

    def add(self, answered: int, refused: int) -> None:
        self.answered += answered
        self.refused += refused
        while self.answered > _MAX_TALLIED:
            self.answered //= 2
            self.refused //= 2


@dataclass(slots=True, kw_only=True)
class CircuitBreaker:
    """What one dispatcher knows about the runs that it delivers.

    Attributes:
        settings: as configured.
    """

    settings: DeliverySettings
    _tallies: dict[int, _Tally] = field(default_factory=dict)
    _checked_runs: set[int] = field(default_factory=set)

    def count_receipts(self, receipts: Iterable[tuple[Delivery, Receipt]]) -> None:
        """Count answers."""
        for delivery, receipt in receipts:
            tally = self._tallies.setdefault(delivery.run, _Tally())
            if isinstance(receipt, Refused):
                tally.add(1, 1)
                tally.last_refusal = receipt.answer
            elif isinstance(receipt, Sent):
                tally.add(1, 0)

    def hold_bouncing_runs(self, tx: Transaction) -> Iterator[HeldRun]:
        """Hold runs with too many refusals; all counted answers are already recorded."""
        max_bounce_share = self.settings.most_bounces
        for run, tally in self._tallies.items():
            if not max_bounce_share or not tally.refused:
                continue
            if not tally.has_stored_counts:  # other and earlier processes had answers too
                tally.answered = tally.refused = 0
                tally.add(*held_runs.count_answered(tx, run))
                tally.has_stored_counts = True
            if tally.answered >= _MIN_ANSWERED and tally.refused > max_bounce_share * tally.answered:
                reason = (
                    f"{tally.refused} of the last {tally.answered} messages that were answered have been "
                    f"refused, the last one with: {tally.last_refusal}"
                )
                held_run = held_runs.hold_run(tx, run, reason)
                if held_run:
                    yield held_run

    def hold_unusual_runs(self, tx: Transaction, run_ids: Collection[int] = ()) -> Iterator[HeldRun]:
        """Hold runs that are far larger than their predecessors, among these and those passed earlier."""
        self._checked_runs.update(run_ids)
        if not self.settings.unusual or not self._checked_runs:
            return
        for volume in held_runs.list_volumes(tx, run_ids or self._checked_runs, _MIN_EXCESS):
            if volume.usual is None or volume.deliveries - volume.usual < _MIN_EXCESS:
                continue
            if volume.deliveries > self.settings.unusual * volume.usual:
                reason = f"it has {volume.deliveries:,} deliveries, and its schedule usually has {volume.usual:,.0f}"
                held_run = held_runs.hold_run(tx, volume.run, reason)
                if held_run:
                    yield held_run

    def exclude_unusual_runs(
        self, tx: Transaction, deliveries: Sequence[Delivery]
    ) -> tuple[Sequence[Delivery], Sequence[HeldRun]]:
        """Remove the deliveries of runs that are examined for the first time and are too large."""
        new_runs = frozenset(delivery.run for delivery in deliveries) - self._checked_runs
        if not new_runs:
            return deliveries, ()
        stopped = tuple(self.hold_unusual_runs(tx, new_runs))
        run_ids = {run.id for run in stopped}
        held_runs.put_on_hold(tx, [delivery for delivery in deliveries if delivery.run in run_ids])
        return [delivery for delivery in deliveries if delivery.run not in run_ids], stopped
