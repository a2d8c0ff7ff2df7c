"""The first of many things, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
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


def list_first(things: Iterable[T], most: int | None, total: int | None = None) -> Listed[T]:
    """List things.

    Args:
        things: in their order; as many as are shown, or more.
        most: how many are shown; None for all.
        total: how many there are, where not all are given.
    """
    given = tuple(things)
    return Listed(tuple(islice(given, most)), len(given) if total is None else total)
