"""Editions as they are kept, read: what many of them have is read once, and is the same object in all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any, overload

from digest.core.matching.hits import places
from digest.model import Batch, BatchState, Event, Item
from digest.store import items, rest
from digest.store.engine import Transaction
from digest.store.events import events_at
from digest.store.growth import with_growth
from digest.store.signals import with_signals

_MOST = 32_000
"""Items kept, of some 600 bytes each, and as many that were not asked for lately; and as many events, of which a day
has two thousand."""


class Known:
    """Items, batches and papers that were read before, by the text that is kept of them.

    It is for one pass over editions and one thread: what is corrected meanwhile shows in the next pass.
    """

    def __init__(self) -> None:
        self._items: dict[str, tuple[Item, ...]] = {}
        self._older: dict[str, tuple[Item, ...]] = {}
        self._batches: dict[str, tuple[Batch, ...]] = {}
        self._events: dict[int, Event] = {}
        self._rows: dict[int, int] = {}

    def items(self, tx: Transaction, texts: Sequence[str]) -> list[tuple[Item, ...]]:
        """The items of editions."""
        pieces = [items.pieces(text) for text in texts]
        if len(self._items) > _MOST:
            self._items, self._older = {}, self._items
        known = self._items
        wanted = set(chain.from_iterable(pieces)).difference(known)
        again = {piece for piece in wanted if piece in self._older}
        known.update({piece: self._older[piece] for piece in again})
        if fresh := list(wanted - again):
            self._read(tx, fresh)
        return [tuple(chain.from_iterable([known[piece] for piece in some])) for some in pieces]

    def _read(self, tx: Transaction, pieces: Sequence[str]) -> None:
        """Read pieces all at once, which takes a third of the time of one by one."""
        read = json.loads(f"[[{'],['.join(pieces)}]]")
        self.learn(tx, [entry["seq"] for entries in read for entry in entries])
        for piece, entries in zip(pieces, read, strict=True):
            self._items[piece] = tuple([items.read(entry, self._events) for entry in entries])

    def rests(self, tx: Transaction, texts: Sequence[str]) -> list[UnreadRest]:
        """What editions have beyond that."""
        kept = [rest.NOTHING if text == rest.NONE else json.loads(text) for text in texts]
        self._learn_rows(tx, map(rest.placed, kept))
        return [UnreadRest(one, self._events) for one in kept]

    def batches(self, text: str) -> tuple[Batch, ...]:
        """What an edition tells of completeness."""
        known = self._batches.get(text)
        if known is None:
            if len(self._batches) > _MOST // 100:
                self._batches = {}
            known = self._batches[text] = tuple(map(batch_of, json.loads(text)))
        return known

    def learn(self, tx: Transaction, seqs: Iterable[int]) -> None:
        """Read the events that are not known yet."""
        wanted = set(seqs)
        missing = wanted.difference(self._events)
        if missing and len(self._events) + len(missing) > _MOST:
            self._events, self._rows = {}, {}  # those who have the old ones keep them
            missing = wanted
        self._events.update(with_growth(tx, with_signals(tx, events_at(tx, missing))))

    def _learn_rows(self, tx: Transaction, rows: Iterable[tuple[int, int]]) -> None:
        """The same, of rows: thousands of rests have the same papers, and a row says at once that all are known."""
        wanted: dict[int, int] = {}
        for first, row in rows:
            wanted[first] = wanted.get(first, 0) | row
        for first, row in wanted.items():
            if row & ~self._rows.get(first, 0):
                self.learn(tx, [first + place for place in places(row)])
                self._rows[first] = self._rows.get(first, 0) | row


class UnreadRest(Sequence[Item]):
    """The items of a rest, read when somebody looks at them: where there is a page, mails do not."""

    __slots__ = ("_events", "_kept", "_length", "_read")

    def __init__(self, kept: Mapping[str, Any], events: Mapping[int, Event]) -> None:
        self._kept, self._length, self._events = kept, rest.count(kept), events
        self._read: tuple[Item, ...] | None = None

    def _items(self) -> tuple[Item, ...]:
        if self._read is None:
            self._read = tuple(rest.items(self._kept, self._events))
        return self._read

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, place: int | slice) -> Item | tuple[Item, ...]:
        return self._items()[place]

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items())

    def __eq__(self, other: object) -> bool:
        return self._items() == (other._items() if isinstance(other, UnreadRest) else other)

    def __hash__(self) -> int:
        return hash(self._items())


# --- as JSON --------------------------------------------------------------------------------------


def batch_of(entry: Mapping[str, Any]) -> Batch:
    """A batch as it stood."""

    def instant(name: str) -> datetime | None:
        return datetime.fromisoformat(entry[name]) if entry[name] else None

    return Batch(
        id=entry["id"],
        source=entry["source"],
        section=entry["section"],
        day=date.fromisoformat(entry["day"]),
        state=BatchState(entry["state"]),
        due_at=datetime.fromisoformat(entry["due_at"]),
        expected=entry["expected"],
        received=entry["received"],
        late=entry.get("late", 0),
        asked_at=instant("asked_at"),
        answered_at=instant("answered_at"),
        error=entry["error"],
        fills=entry.get("fills", False),
    )
