"""Sets of events: the type on which editions are composed.

A digest has some thousand events to choose from, and a run composes up to a million digests, so a set is one Python
integer with one bit for each event, and an operation on it is one operation on the integer. The type gives these
operations the names of set algebra and keeps them apart from numbers.

Three ways to write it were considered. The figures are the CPU time of composing 10,000 digests of the mix in
``benchmarks/rank_fanout.py``, compared with the release before, which used bare integers. In brackets, the events of
the kinds that a digest asks for are looked up beforehand, as in a run.

- A class that wraps the integer, as here: 1.02 (1.10). Operators take about 0.2 µs longer than those of integers;
  skipping empty parts, authors and exclusions pays for most of it.
- The same class with assignment forbidden at run time: 1.11 (1.21). So it is immutable by convention only.
- A ``NewType`` of the integer, or a subclass that inherits its operators, would cost nothing, and was not needed: to the
  type checker, results of operators are plain integers, ``-`` means something else, and ``len`` and iteration would be
  functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, final

from digest.core.matching.bitmaps import MatchBitmaps, list_positions, make_bitmap, take_lowest_positions

_new = object.__new__
"""Creates a set without ``__init__``, with which an operator takes half as long again."""


@final
class EventSet:
    """An immutable set of events, each given by its position in a window (0 is the first event).

    ``|``, ``&`` and ``-`` are union, intersection and difference. A set is true if it is not empty, ``len`` counts its
    events, ``in`` tests a position, and iteration yields the positions in order.

    Args:
        bitmap: the set as an integer, one bit for each event, the first event lowest.
    """

    __slots__ = ("_bitmap",)
    _bitmap: int

    def __init__(self, bitmap: int = 0) -> None:
        self._bitmap = bitmap

    @property
    def bitmap(self) -> int:
        """The set as an integer, to store it."""
        return self._bitmap

    @staticmethod
    def from_positions(positions: Iterable[int]) -> EventSet:
        """Return the set of the events at some positions."""
        return EventSet(make_bitmap(positions))

    @staticmethod
    def before(position: int) -> EventSet:
        """Return the set of all events before a position; it is empty for positions up to 0."""
        return EventSet((1 << max(0, position)) - 1)

    @staticmethod
    def union(sets: Sequence[EventSet]) -> EventSet:
        """Return the events that are in at least one of some sets."""
        if len(sets) == 1:
            return sets[0]
        bitmap = 0
        for events in sets:
            bitmap |= events._bitmap  # noqa: SLF001 - of this class
        return EventSet(bitmap)

    def first(self, limit: int) -> EventSet:
        """Return the first events of the set, at most ``limit`` of them."""
        return EventSet(take_lowest_positions(self._bitmap, limit))

    def isdisjoint(self, other: EventSet) -> bool:
        """Return True if no event is in both sets."""
        return not self._bitmap & other._bitmap

    def __or__(self, other: EventSet) -> EventSet:
        events = _new(EventSet)
        events._bitmap = self._bitmap | other._bitmap
        return events

    def __and__(self, other: EventSet) -> EventSet:
        events = _new(EventSet)
        events._bitmap = self._bitmap & other._bitmap
        return events

    def __sub__(self, other: EventSet) -> EventSet:
        events = _new(EventSet)
        events._bitmap = self._bitmap & ~other._bitmap
        return events

    def __bool__(self) -> bool:
        return self._bitmap != 0

    def __len__(self) -> int:
        return self._bitmap.bit_count()

    def __iter__(self) -> Iterator[int]:
        return iter(list_positions(self._bitmap))

    def __contains__(self, position: int) -> bool:
        return self._bitmap >> position & 1 == 1

    def __eq__(self, other: object) -> bool:
        return self._bitmap == other._bitmap if isinstance(other, EventSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._bitmap)

    def __repr__(self) -> str:
        return f"EventSet.from_positions({list_positions(self._bitmap)})"


NO_EVENTS: Final = EventSet()
"""The empty set."""


class MatchedEvents(NamedTuple):
    """The events that a query matches, and how.

    Attributes:
        maybe: all of them.
        likely: those that it matches with confidence *likely* or *surely*.
        surely: those that it matches with confidence *surely*.
        title: those whose title matches part of the query.
        author_likely: those that it matches by an author who is *likely* or *surely* the right one.
        author_surely: those that it matches by an author who is *surely* the right one.
    """

    maybe: EventSet
    likely: EventSet
    surely: EventSet
    title: EventSet
    author_likely: EventSet
    author_surely: EventSet

    @classmethod
    def from_bitmaps(cls, bitmaps: MatchBitmaps) -> MatchedEvents:
        """Convert matches as the engine returns them.

        Equal bitmaps become the same object: most matches are sure and have no author, and a run keeps those of 50,000
        queries in memory.
        """
        sets = {0: NO_EVENTS}
        return cls._make([sets.setdefault(bitmap, EventSet(bitmap)) for bitmap in bitmaps])


NO_MATCHES: Final = MatchedEvents(NO_EVENTS, NO_EVENTS, NO_EVENTS, NO_EVENTS, NO_EVENTS, NO_EVENTS)
"""The matches of a query that matches nothing."""
