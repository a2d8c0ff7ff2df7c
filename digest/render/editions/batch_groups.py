"""Batches put together by what one sentence can say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from digest.model import Batch


@dataclass(frozen=True, slots=True)
class Group:
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


def days_of(batches: Iterable[Batch]) -> list[tuple[str, date, list[Batch]]]:
    """The batches of each source and day, which must stand in that order."""
    groups = groupby(batches, key=lambda batch: (batch.source, batch.day))
    return [(source, day, list(group)) for (source, day), group in groups]


def groups_of(
    batches: Iterable[Batch], reason: Callable[[Batch], str] = lambda _batch: ""
) -> dict[str, list[Group]]:
    """Group the batches of each source by day, and those of a day by reason.

    Args:
        batches: by source and day, in that order.
        reason: gives the same text for the batches of a day that belong together; all do where it is not given.

    Returns:
        The groups of each source, in the order of the batches.
    """
    groups: dict[str, list[Group]] = {}
    for source, _day, several in days_of(batches):
        by_reason: dict[str, list[Batch]] = {}
        for batch in several:
            by_reason.setdefault(reason(batch), []).append(batch)
        groups.setdefault(source, []).extend(
            Group(source, tuple(batch.section for batch in same), same) for same in by_reason.values()
        )
    return groups


def spans_of(source: str, groups: Iterable[Group]) -> list[Group]:
    """The days of a source on which the same sections stand alike, joined."""
    same: dict[tuple[str, ...], list[Batch]] = {}
    for group in groups:
        same.setdefault(group.sections, []).extend(group.batches)
    return [Group(source, sections, batches) for sections, batches in same.items()]


def joined(source: str, groups: Sequence[Group]) -> Group:
    """All of a source's groups as one, whose sections need not be there on each day."""
    sections = dict.fromkeys(section for group in groups for section in group.sections)
    return Group(source, tuple(sections), [batch for group in groups for batch in group.batches])
