"""Caches of limited size with two generations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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

    def remove(self, key: K) -> None:
        """Forget the value of a key, if there is one."""
        self._current.pop(key, None)
        self._previous.pop(key, None)


class ComputedCache(dict[K, V]):
    """A dictionary that computes values that it does not have, for keys that recur by the million.

    It is a subclass of ``dict`` so that ``get_all`` looks up known keys without running any Python code, in a third
    of the time of ``lru_cache``. Like ``GenerationCache`` it keeps the most recently used values.

    Args:
        compute: returns the value of a key; it may depend on nothing else.
        max_entries: maximum number of entries of a generation.
    """

    def __init__(self, compute: Callable[[K], V], max_entries: int) -> None:
        super().__init__()
        self._compute = compute
        self._max_entries = max_entries
        self._previous: dict[K, V] = {}

    def __missing__(self, key: K) -> V:
        """Take the value from the previous generation, or compute it."""
        if len(self) >= self._max_entries:
            self._previous = dict(self)
            self.clear()
        self[key] = value = self._previous[key] if key in self._previous else self._compute(key)
        return value

    def get_all(self, keys: Iterable[K]) -> list[V]:
        """Return the value of each key, in the order of the keys."""
        return list(map(self.__getitem__, keys))
