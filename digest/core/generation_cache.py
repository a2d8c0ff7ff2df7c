"""A cache of limited size with two generations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class GenerationCache(Generic[K, V]):
    """A cache that keeps the most recently used values, in two generations.

    When the current generation is full, it becomes the previous one, and the previous one is dropped. A value
    found in the previous generation moves to the current one.

    A key may be the ``id`` of an object if the cached value keeps a reference to that object.

    Args:
        max_entries: maximum number of entries of a generation.
    """

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._current: dict[K, V] = {}
        self._previous: dict[K, V] = {}

    def get_all(self, keys: Sequence[K]) -> list[V | None]:
        """Return the cached value of each key, in the order of the keys; None if there is none."""
        current = self._current
        values = [current.get(key) for key in keys]
        if None in values:
            values = [
                self.get(key) if value is None else value for key, value in zip(keys, values, strict=True)
            ]
        return values

    def get(self, key: K) -> V | None:
        """Return the cached value of a key, or None if there is none."""
        value = self._current.get(key)
        if value is None and (value := self._previous.get(key)) is not None:
            self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Store the value of a key."""
        if len(self._current) >= self._max_entries:
            self._previous, self._current = self._current, {}
        self._current[key] = value
