"""The first of many things, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sample(Generic[T]):
    """Some of many, to be shown.

    Attributes:
        first: those that are shown.
        total: how many there are.
    """

    first: tuple[T, ...]
    total: int

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.total - len(self.first)


def list_first(items: Iterable[T], limit: int | None, total: int | None = None) -> Sample[T]:
    """List things.

    Args:
        items: in their order; as many as are shown, or more.
        limit: how many are shown; None for all.
        total: how many there are, where not all are given.
    """
    sequence = tuple(items)
    return Sample(tuple(islice(sequence, limit)), len(sequence) if total is None else total)
