"""Random faults of machines: which, where and when."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle, islice


class FaultKind(StrEnum):
    """What befalls a machine."""

    KILL = "kill"
    """All its processes are killed; they start again."""
    STOP = "stop"
    """All its processes are stopped, and go on later."""
    CUT = "cut"
    """Its network is cut in both directions."""
    RESTART = "restart"
    """The database is restarted."""
    DROP = "drop"
    """A connection to the database is dropped during a commit."""
    CLOCK = "clock"
    """Its clock is ten minutes off."""
    DISK = "disk"
    """Its disk is full."""


REPEATING = frozenset({FaultKind.KILL, FaultKind.STOP, FaultKind.CUT})
"""Faults after which what a machine's connections were sending may be sent again."""


_MIX = (*FaultKind, *(kind for kind in FaultKind if kind is not FaultKind.STOP))
"""In this proportion; stops take longer than all others."""
SENDER = 0
"""Number that stands for the machine that sent the last mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault.

    Attributes:
        kind: its kind.
        machine: the number of the machine, from 1, or ``SENDER``.
        after_mails: it happens when so many mails of the due time have arrived, not counting repeats, or all.
        after_seconds: it happens not earlier than so many seconds after the machines woke up.
        seconds: how long it lasts.
        choice: one of the two variants that some kinds have.
    """

    kind: FaultKind
    machine: int
    after_mails: int
    after_seconds: float
    seconds: float
    choice: bool

    def is_due(self, mails: float, seconds: float) -> bool:
        """Whether it is time for it, after so many mails and seconds; infinitely many if all have arrived."""
        return mails >= self.after_mails and seconds >= self.after_seconds

    def __str__(self) -> str:
        variant, machine = "ab"[self.choice], self.machine or "that sends"
        return (
            f"{self.kind} {variant} of machine {machine} for {self.seconds:.1f} s, "
            f"after {self.after_mails} mails and {self.after_seconds:.1f} s"
        )


def plan_faults(
    chance: random.Random, count: int, mails: Sequence[int], workers: int, stop_seconds: float
) -> list[list[Fault]]:
    """Plan faults for each of several due times, evenly spread over those with mails; seven have all kinds.

    Args:
        chance: the source of randomness.
        count: the number of faults.
        mails: how many mails each due time brings.
        workers: the number of machines with a worker; the database is on the one after these.
        stop_seconds: how long a stop lasts.
    """
    kinds = list(islice(cycle(_MIX), count))
    chance.shuffle(kinds)
    busy = [number for number, mail_count in enumerate(mails) if mail_count]
    plan: list[list[Fault]] = [[] for _ in mails]
    for number, kind in enumerate(kinds):
        place = busy[number * len(busy) // count]
        is_while_sending = mails[place] > 1 and chance.random() < 0.7
        plan[place].append(
            Fault(
                kind=kind,
                machine=_choose_machine(chance, kind, workers, is_sending=is_while_sending),
                after_mails=chance.randint(1, mails[place] - 1) if is_while_sending else 0,
                after_seconds=0.0 if is_while_sending else chance.uniform(0.0, 25.0),
                seconds=stop_seconds if kind is FaultKind.STOP else _choose_seconds(chance, kind),
                choice=chance.random() < 0.5,
            )
        )
    return plan


def _choose_machine(chance: random.Random, kind: FaultKind, workers: int, *, is_sending: bool) -> int:
    """Choose a machine: mostly the one that is sending, if one is."""
    if kind is FaultKind.RESTART:
        return workers + 1
    if is_sending and chance.random() < 0.7:
        return SENDER
    return chance.randint(1, workers + (kind in {FaultKind.CUT, FaultKind.CLOCK, FaultKind.DISK}))


def _choose_seconds(chance: random.Random, kind: FaultKind) -> float:
    if kind is FaultKind.CUT and chance.random() < 0.2:
        return chance.uniform(65.0, 90.0)  # longer than a heartbeat may be old
    return chance.uniform(1.0, 20.0)
