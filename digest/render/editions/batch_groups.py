"""Groups of batches that one sentence can describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from digest.model import Batch


@dataclass(frozen=True, slots=True)
class BatchGroup:
    """Batches of one source that one sentence describes.

    Attributes:
        sections: the sections, in their order; each day has a batch of each of them, unless groups were
            merged.
    """

    source: str
    sections: tuple[str, ...]
    batches: Sequence[Batch]

    @property
    def days(self) -> Sequence[date]:
        """The days of the batches, each once, in order."""
        return sorted({batch.day for batch in self.batches})


def group_by_day(batches: Iterable[Batch]) -> list[tuple[str, date, list[Batch]]]:
    """Group batches by source and day; they must be sorted by these."""
    groups = groupby(batches, key=lambda batch: (batch.source, batch.day))
    return [(source, day, list(group)) for (source, day), group in groups]


def group_by_reason(
    batches: Iterable[Batch], get_reason: Callable[[Batch], str] = lambda _batch: ""
) -> dict[str, list[BatchGroup]]:
    """Group the batches of each source by day, and those of a day by reason.

    Args:
        batches: the batches, sorted by source and day.
        get_reason: returns the same text for batches of a day that belong together; by default all do.

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
    """Merge the groups of a source that have the same sections, over all days."""
    batches_by_sections: dict[tuple[str, ...], list[Batch]] = {}
    for group in groups:
        batches_by_sections.setdefault(group.sections, []).extend(group.batches)
    return [BatchGroup(source, sections, batches) for sections, batches in batches_by_sections.items()]


def merge_groups(source: str, groups: Sequence[BatchGroup]) -> BatchGroup:
    """Merge all groups of a source into one, even if some days lack some of the sections."""
    sections = dict.fromkeys(section for group in groups for section in group.sections)
    return BatchGroup(source, tuple(sections), [batch for group in groups for batch in group.batches])
