"""How much of the announcement days is missing, with the usual size of their sections as the measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from statistics import fmean, median_low
from typing import NamedTuple

from digest.failures import FailureKind
from digest.model import Batch, BatchState

USUAL_SIZE_DAYS = 20
"""From how many of a section's last known days its usual size is taken: four weeks, so that no holiday decides."""
_NOTICEABLE_DIVISOR = 10
"""A tenth of a day's usual size, or more, is noticed."""
_RARELY_QUIET_SIZE = 3
"""A section of so many listings a day is without any on one day in twenty, if these come independently."""


def compute_usual_size(received: Sequence[int], *, has_failed: bool = False) -> int | None:
    """The size of a section's usual day.

    Args:
        received: how many listings its last known days had, the latest first; more than ``USUAL_SIZE_DAYS`` are left out.
        has_failed: it is for a day of which nobody can learn any more whether it had any.

    Returns:
        The median, and the mean of such a day if that is more: the median of a section that announces once a week
        is 0, whatever is lost. None for a section that has no known day yet.
    """
    recent = received[:USUAL_SIZE_DAYS]
    if not recent:
        return None
    return max(median_low(recent), round(fmean(recent))) if has_failed else median_low(recent)


class SourceDay(NamedTuple):
    """What is known of a source's day by all its sections.

    Attributes:
        is_announced: some of them have papers of it.
        usual: how many listings they usually have together, without those that are known to have none.
    """

    is_announced: bool
    usual: int


def aggregate_source_days(batches: Iterable[Batch]) -> Mapping[tuple[str, date], SourceDay]:
    """What is known of the days of sources, by source and day."""
    days: dict[tuple[str, date], SourceDay] = {}
    for batch in batches:
        key = batch.source, batch.day
        previous = days.get(key, SourceDay(is_announced=False, usual=0))
        usual = 0 if batch.state is BatchState.EMPTY else batch.usual or 0
        days[key] = SourceDay(previous.is_announced or batch.received > 0, previous.usual + usual)
    return days


def is_quiet_as_usual(batch: Batch, day: SourceDay) -> bool:
    """Whether a source answered that it has nothing of a day, as it often has of this section.

    Where other sections have papers of the day, the section is judged by itself. Where none has, the day may not be
    announced yet: small sections that are all quiet at once are as unusual as a large one that is, and where a
    section's usual size is not known nothing tells.

    Args:
        batch: the account of the day.
        day: what is known of it by all sections of the source.
    """
    has_answered = batch.answered_at is not None and batch.failure is None
    if batch.state is not BatchState.WAITING or not has_answered:
        return False
    if batch.usual is None:
        return day.is_announced
    return (batch.usual if day.is_announced else day.usual) < _RARELY_QUIET_SIZE


def select_noticeable(batches: Iterable[Batch]) -> tuple[Batch, ...]:
    """The batches whose missing papers a reader notices, in their order.

    These are a tenth of what a source usually has on such a day, or a whole section that usually has papers, or what
    nobody knows the size of.

    Args:
        batches: all that an edition was made from.
    """
    days: dict[tuple[object, ...], list[Batch]] = {}
    all_batches = tuple(batches)
    for batch in all_batches:
        days.setdefault((batch.source, batch.day), []).append(batch)
    noticeable_ids = {id(batch) for day in days.values() for batch in _select_noticeable_of_day(day)}
    return tuple(batch for batch in all_batches if id(batch) in noticeable_ids)


def _select_noticeable_of_day(day: Sequence[Batch]) -> list[Batch]:
    """The same for one day of one source."""
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
    """Whether papers of this day are, or may be, missing."""
    return batch.state not in {BatchState.COMPLETE, BatchState.EMPTY}


def _compute_shortfall(batch: Batch, day: SourceDay) -> int | None:
    """How many listings a day lacks, as far as can be judged; None where nobody knows.

    What may be that of the day before, or was cut at a limit, says nothing of how much there is.
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
