"""What was made, found again as long as there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """The last things made, by what they were made of.

    A key may be the ``id`` of an object, if what was made of that holds on to it.

    Args:
        most: so many are kept, and as many more that were not asked for while these came in.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._new: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def all(self, keys: Sequence[K]) -> list[V | None]:
        """What was made with each of these keys."""
        new = self._new
        found = [new.get(key) for key in keys]
        if None in found:
            found = [self.get(key) if one is None else one for key, one in zip(keys, found, strict=True)]
        return found

    def get(self, key: K) -> V | None:
        """What was made with this key."""
        found = self._new.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self.put(key, found)
        return found

    def put(self, key: K, made: V) -> None:
        """Keep what was made with a key."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[key] = made
