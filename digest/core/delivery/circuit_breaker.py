"""Circuit breaker: whether a run bounces too much, or is far larger than usual, so that it is to be held."""

from __future__ import annotations

from dataclasses import dataclass, replace

from digest.model import Receipt, Refused, Sent

_MIN_ANSWERED = 100
"""Fewest answers from which a run can be judged."""
_MAX_TALLIED = 1000
"""Number of answers at which all counts are halved, so that recent answers weigh more."""
MIN_EXCESS = 1000
"""Deliveries above the usual number that a run may have without being unusual."""

LAST_ANSWER = ", the last one with: "
"""Between the reason for which a run bounces too much and the words of a server, which may quote an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTally:
    """Counts of the final answers to a run's mails; older answers weigh less.

    Attributes:
        answered: mails that were sent or refused.
        refused: those that were refused.
        last_refusal: the other side's last words about one.
    """

    answered: int = 0
    refused: int = 0
    last_refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunVolume:
    """The size of a run.

    Attributes:
        run: the id of the run.
        deliveries: number of its deliveries.
        usual: usual number of deliveries of its slot; None if there were too few runs to tell.
    """

    run: int
    deliveries: int
    usual: float | None


def add_receipt(tally: AnswerTally, receipt: Receipt) -> AnswerTally:
    """Add a receipt to a tally; only final answers count."""
    match receipt:
        case Sent():
            return add_counts(tally, answered=1, refused=0)
        case Refused():
            return replace(add_counts(tally, answered=1, refused=1), last_refusal=receipt.answer)
        case _:
            return tally


def add_counts(tally: AnswerTally, *, answered: int, refused: int) -> AnswerTally:
    """Add counts to a tally; all counts are halved when there are more than 1,000 answers."""
    answered += tally.answered
    refused += tally.refused
    while answered > _MAX_TALLIED:
        answered //= 2
        refused //= 2
    return replace(tally, answered=answered, refused=refused)


def find_bounce_problem(tally: AnswerTally, max_refused_share: float) -> str:
    """Return why a run bounces too much, for the operator; "" if it does not.

    Args:
        tally: the answers to its mails.
        max_refused_share: highest share of refused messages, from 0 to 1; 0 for no limit.
    """
    if (
        not max_refused_share
        or tally.answered < _MIN_ANSWERED
        or tally.refused <= max_refused_share * tally.answered
    ):
        return ""
    return (
        f"{tally.refused} of the last {tally.answered} answered mails were refused"
        f"{LAST_ANSWER}{tally.last_refusal}"
    )


def find_volume_problem(volume: RunVolume, max_ratio: float) -> str:
    """Return why a run is unusually large, for the operator; "" if it is not.

    Args:
        volume: its size.
        max_ratio: how many times the usual size it may have; 0 for no limit.
    """
    if (
        not max_ratio
        or volume.usual is None
        or volume.deliveries - volume.usual < MIN_EXCESS
        or volume.deliveries <= max_ratio * volume.usual
    ):
        return ""
    return f"it has {volume.deliveries:,} deliveries, but its schedule usually has {volume.usual:,.0f}"
