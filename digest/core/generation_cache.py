"""What was made, found again as long as there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class GenerationCache(Generic[K, V]):
    """The last things made, by what they were made of.

    A key may be the ``id`` of an object, if what was made of that holds on to it.

    Args:
        max_entries: so many are kept, and as many more that were not asked for while these came in.
    """

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._current: dict[K, V] = {}
        self._previous: dict[K, V] = {}

    def get_all(self, keys: Sequence[K]) -> list[V | None]:
        """What was made with each of these keys."""
        current = self._current
        values = [current.get(key) for key in keys]
        if None in values:
            values = [
                self.get(key) if value is None else value for key, value in zip(keys, values, strict=True)
            ]
        return values

    def get(self, key: K) -> V | None:
        """What was made with this key."""
        value = self._current.get(key)
        if value is None and (value := self._previous.get(key)) is not None:
            self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Keep what was made with a key."""
        if len(self._current) >= self._max_entries:
            self._previous, self._current = self._current, {}
        self._current[key] = value
