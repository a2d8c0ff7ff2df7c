"""Estimate of how many papers of announcement days are missing, from the usual size of their sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from statistics import fmean, median_low
from typing import NamedTuple

from digest.failures import FailureKind
from digest.model import Batch, BatchState

USUAL_SIZE_DAYS = 20
"""Number of a section's last known days that determine its usual size: four weeks, so that holidays do not matter."""
_NOTICEABLE_DIVISOR = 10
"""Divisor of a day's usual size that gives the smallest noticeable shortfall: a tenth."""
_RARELY_QUIET_SIZE = 3
"""Usual number of listings from which a section is rarely quiet.

With three independent listings a day on average, one day in twenty has none.
"""


def compute_usual_size(received: Sequence[int], *, has_failed: bool = False) -> int | None:
    """Return the number of listings of a section's usual day.

    Args:
        received: numbers of listings of its last known days, the latest first; only ``USUAL_SIZE_DAYS`` of
            them count.
        has_failed: whether it is for a failed day, whose listings can no longer be fetched.

    Returns:
        The median; for a failed day the mean if that is larger, because the median of a section that
        announces once a week is 0, whatever is lost. None for a section without known days.
    """
    recent = received[:USUAL_SIZE_DAYS]
    if not recent:
        return None
    return max(median_low(recent), round(fmean(recent))) if has_failed else median_low(recent)


class SourceDay(NamedTuple):
    """What all sections of a source together show about a day.

    Attributes:
        is_announced: whether some section has papers of it.
        usual: their usual number of listings together, without the sections that are known to have none.
    """

    is_announced: bool
    usual: int


def aggregate_source_days(batches: Iterable[Batch]) -> Mapping[tuple[str, date], SourceDay]:
    """Combine the batches of all sections, by source and day."""
    days: dict[tuple[str, date], SourceDay] = {}
    for batch in batches:
        key = batch.source, batch.day
        previous = days.get(key, SourceDay(is_announced=False, usual=0))
        usual = 0 if batch.state is BatchState.EMPTY else batch.usual or 0
        days[key] = SourceDay(previous.is_announced or batch.received > 0, previous.usual + usual)
    return days


def is_quiet_as_usual(batch: Batch, day: SourceDay) -> bool:
    """Return True if a source answered that it has nothing of a day, as it often does for this section.

    If other sections have papers of the day, the section is judged on its own. If none has, the day may not
    be announced yet: small sections that are quiet all at once are as unusual as a large one that is quiet.
    Then a section whose usual size is unknown proves nothing.

    Args:
        batch: the batch of the day.
        day: what all sections of the source show about the day.
    """
    has_answered = batch.answered_at is not None and batch.failure is None
    if batch.state is not BatchState.WAITING or not has_answered:
        return False
    if batch.usual is None:
        return day.is_announced
    return (batch.usual if day.is_announced else day.usual) < _RARELY_QUIET_SIZE


def select_noticeable(batches: Iterable[Batch]) -> tuple[Batch, ...]:
    """Return the batches whose missing papers a reader notices, in their order.

    Noticeable is a tenth of what a source usually has on such a day, a whole section that usually has papers,
    or an unknown number.

    Args:
        batches: all batches of an edition.
    """
    days: dict[tuple[object, ...], list[Batch]] = {}
    all_batches = tuple(batches)
    for batch in all_batches:
        days.setdefault((batch.source, batch.day), []).append(batch)
    noticeable_ids = {id(batch) for day in days.values() for batch in _select_noticeable_of_day(day)}
    return tuple(batch for batch in all_batches if id(batch) in noticeable_ids)


def _select_noticeable_of_day(day: Sequence[Batch]) -> list[Batch]:
    """Return the noticeable batches of one day of one source."""
    (source_day,) = aggregate_source_days(day).values()
    shortfalls = {
        id(batch): _compute_shortfall(batch, source_day)
        for batch in day
        if is_missing(batch) and not batch.is_filling
    }
    size = sum(max(batch.usual or 0, batch.expected or 0, batch.received) for batch in day)
    total = sum(filter(None, shortfalls.values()))
    is_large = total > 0 and total * _NOTICEABLE_DIVISOR >= size

    def is_noticeable(batch: Batch) -> bool:
        shortfall = shortfalls.get(id(batch), 0)
        return shortfall is None or (shortfall > 0 and (is_large or not batch.received))

    return list(filter(is_noticeable, day))


def is_missing(batch: Batch) -> bool:
    """Return True if papers of this day are, or may be, missing."""
    return batch.state not in {BatchState.COMPLETE, BatchState.EMPTY}


def _compute_shortfall(batch: Batch, day: SourceDay) -> int | None:
    """Estimate how many listings a day lacks; None if that is unknown.

    An answer that may be that of the day before, or was cut at a limit, does not show how many there are.
    """
    if batch.failure is FailureKind.UNCHECKED:
        return None
    if batch.expected is not None and batch.received:
        return max(batch.expected - batch.received, 0)
    if batch.failure is FailureKind.INCOMPLETE:
        return None
    if is_quiet_as_usual(batch, day):
        return 0
    return None if batch.usual is None else max(batch.usual - batch.received, 0)
