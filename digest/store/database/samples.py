"""First items of a long list, with the number of all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sample(Generic[T]):
    """First items of a list.

    Attributes:
        first: the items that are shown.
        total: the number of all items.
    """

    first: tuple[T, ...]
    total: int

    @property
    def more(self) -> int:
        """Number of items that are not shown."""
        return self.total - len(self.first)


def list_first(items: Iterable[T], limit: int | None, total: int | None = None) -> Sample[T]:
    """Return the first items of a list.

    Args:
        items: in their order; at least as many as are shown.
        limit: maximum number of items shown; None for all.
        total: the number of all items, if ``items`` has only some of them.
    """
    sequence = tuple(items)
    return Sample(tuple(islice(sequence, limit)), len(sequence) if total is None else total)
