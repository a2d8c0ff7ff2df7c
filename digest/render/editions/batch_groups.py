"""Batches put together by what one sentence can say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from digest.model import Batch


@dataclass(frozen=True, slots=True)
class BatchGroup:
    """Batches of a source that one sentence is about.

    Attributes:
        sections: each of them is among the batches of every day, in their order.
    """

    source: str
    sections: tuple[str, ...]
    batches: Sequence[Batch]

    @property
    def days(self) -> Sequence[date]:
        """The days of the batches, each once, in order."""
        return sorted({batch.day for batch in self.batches})


def group_by_day(batches: Iterable[Batch]) -> list[tuple[str, date, list[Batch]]]:
    """The batches of each source and day, which must stand in that order."""
    groups = groupby(batches, key=lambda batch: (batch.source, batch.day))
    return [(source, day, list(group)) for (source, day), group in groups]


def group_by_reason(
    batches: Iterable[Batch], get_reason: Callable[[Batch], str] = lambda _batch: ""
) -> dict[str, list[BatchGroup]]:
    """Group the batches of each source by day, and those of a day by reason.

    Args:
        batches: by source and day, in that order.
        get_reason: gives the same text for the batches of a day that belong together; all do where it is not given.

    Returns:
        The groups of each source, in the order of the batches.
    """
    groups: dict[str, list[BatchGroup]] = {}
    for source, _day, day_batches in group_by_day(batches):
        by_reason: dict[str, list[Batch]] = {}
        for batch in day_batches:
            by_reason.setdefault(get_reason(batch), []).append(batch)
        groups.setdefault(source, []).extend(
            BatchGroup(source, tuple(batch.section for batch in reason_batches), reason_batches)
            for reason_batches in by_reason.values()
        )
    return groups


def merge_days(source: str, groups: Iterable[BatchGroup]) -> list[BatchGroup]:
    """The days of a source on which the same sections stand alike, joined."""
    batches_by_sections: dict[tuple[str, ...], list[Batch]] = {}
    for group in groups:
        batches_by_sections.setdefault(group.sections, []).extend(group.batches)
    return [BatchGroup(source, sections, batches) for sections, batches in batches_by_sections.items()]


def merge_groups(source: str, groups: Sequence[BatchGroup]) -> BatchGroup:
    """All of a source's groups as one, whose sections need not be there on each day."""
    sections = dict.fromkeys(section for group in groups for section in group.sections)
    return BatchGroup(source, tuple(sections), [batch for group in groups for batch in group.batches])
