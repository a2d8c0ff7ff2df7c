"""What was made of objects, found again by which object it is, as long as there is room."""

from __future__ import annotations

from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """The last things made, by the ``id`` of what they were made of, which each of them holds on to.

    What was not asked for while as many others came in is let go of.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._new: dict[int, V] = {}
        self._old: dict[int, V] = {}

    def get(self, number: int) -> V | None:
        """What was made of the object with this ``id``."""
        found = self._new.get(number)
        if found is None and (found := self._old.get(number)) is not None:
            self.put(number, found)
        return found

    def put(self, number: int, made: V) -> None:
        """Keep what holds on to the object with this ``id``."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[number] = made
