"""The brake: a run that bounces, or that is far larger than usual, is held until somebody decides about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from digest.config import DeliverySettings
from digest.model import Receipt, Refused, Sent
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import Delivery
from digest.store.editions import held_runs
from digest.store.editions.held_runs import HeldRun

_LEAST_ANSWERED = 100
"""Fewer answers say nothing about a run."""
_REMEMBERED = 1000
"""The last answers count: when there are so many, half of them are forgotten."""
_LEAST_MORE = 1000
"""A run that has fewer deliveries than this above what is usual is not unusual."""


@dataclass(slots=True, kw_only=True)
class _Tally:
    """The answers to a run's deliveries."""

    answered: int = 0
    refused: int = 0
    last: str = ""
    begun: bool = False

    def add(self, answered: int, refused: int) -> None:
        self.answered += answered
        self.refused += refused
        while self.answered > _REMEMBERED:
            self.answered //= 2
            self.refused //= 2


@dataclass(slots=True, kw_only=True)
class Brake:
    """What one desk knows of the runs it delivers.

    Attributes:
        limits: as configured.
    """

    limits: DeliverySettings
    _tallies: dict[int, _Tally] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)

    def count(self, receipts: Iterable[tuple[Delivery, Receipt]]) -> None:
        """Take note of answers."""
        for delivery, receipt in receipts:
            tally = self._tallies.setdefault(delivery.run, _Tally())
            if isinstance(receipt, Refused):
                tally.add(1, 1)
                tally.last = receipt.answer
            elif isinstance(receipt, Sent):
                tally.add(1, 0)

    def bouncing(self, tx: Transaction) -> Iterator[HeldRun]:
        """Hold the runs of which too much is refused; all answers that were counted are marked."""
        most = self.limits.most_bounces
        for run, tally in self._tallies.items():
            if not most or not tally.refused:
                continue
            if not tally.begun:  # other processes, and earlier ones, had answers, too
                tally.answered = tally.refused = 0
                tally.add(*held_runs.answered(tx, run))
                tally.begun = True
            if tally.answered >= _LEAST_ANSWERED and tally.refused > most * tally.answered:
                why = (
                    f"{tally.refused} of the last {tally.answered} messages that were answered have been "
                    f"refused, the last one with: {tally.last}"
                )
                made = held_runs.hold(tx, run, why)
                if made:
                    yield made

    def unusual(self, tx: Transaction, numbers: Collection[int] = ()) -> Iterator[HeldRun]:
        """Hold the runs that are far larger than those before them: those given, and those given before."""
        self._seen.update(numbers)
        if not self.limits.unusual or not self._seen:
            return
        for volume in held_runs.volumes(tx, numbers or self._seen, _LEAST_MORE):
            if volume.usual is None or volume.deliveries - volume.usual < _LEAST_MORE:
                continue
            if volume.deliveries > self.limits.unusual * volume.usual:
                why = f"it has {volume.deliveries:,} deliveries, and its schedule usually has {volume.usual:,.0f}"
                made = held_runs.hold(tx, volume.run, why)
                if made:
                    yield made

    def new(self, some: Iterable[Delivery]) -> frozenset[int]:
        """The runs that this desk has delivered nothing of before."""
        return frozenset(one.run for one in some) - self._seen
