"""Editions as they are kept, read: what many of them have is read once, and is the same object in all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import islice
from typing import Any, Generic, TypeVar, overload

from digest.core.editions.lateness import first_days, is_late
from digest.core.fetching.ledger import DOUBTS
from digest.core.matching.bitmaps import places
from digest.failures import FailureKind
from digest.model import Batch, BatchState, Event, Item
from digest.store.database.engine import Transaction
from digest.store.editions import items, overflow
from digest.store.papers.events import events_at
from digest.store.papers.growth import with_growth
from digest.store.papers.signals import with_signals

T = TypeVar("T")

_MOST = 8_000
"""Items kept, of some 500 bytes each, and as many that came after them; and as many reasons. Who has most of them in common
comes together: four times as many spare one in fifty of those that are read anew."""
_MOST_EVENTS = 32_000
"""A day has two thousand."""
_MOST_BATCHES = 320


class _Texts(Generic[T]):
    """What texts of JSON say, each read once.

    Args:
        read: makes something of what one says.
        most: so many are kept.
    """

    def __init__(self, read: Callable[[Any], T], most: int = _MOST) -> None:
        self._read, self._most = read, most
        self._known: dict[str, T] = {}

    def knowing(self, texts: Collection[str]) -> Mapping[str, T]:
        """What is known, with these; new ones are read all at once, which takes a third of the time."""
        known = self._known
        new = {text for text in texts if text not in known}
        if len(known) + len(new) > self._most:
            self._known, new = {}, set(texts)
            known = self._known
        if new:
            known.update(zip(new, map(self._read, json.loads(f"[{','.join(new)}]")), strict=True))
        return known


class Known:
    """Items, batches and papers that were read before, by the text that is kept of them.

    It is for one pass over editions and one thread: what is corrected meanwhile shows in the next pass.
    """

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._heads = _Texts(items.read_head)
        self._reasons = _Texts(items.read_reason)
        self._batches = _Texts(lambda kept: tuple(map(batch_of, kept)), _MOST_BATCHES)
        self._events: dict[int, Event] = {}
        self._rows: dict[int, int] = {}
        self._first_days: dict[int, tuple[tuple[Batch, ...], dict[str, date]]] = {}
        self._late: dict[int, tuple[Item, Item]] = {}

    def items(self, tx: Transaction, texts: Sequence[str]) -> list[tuple[Item, ...]]:
        """The items of editions."""
        pieces = [items.pieces(text) for text in texts]
        if len(self._items) > 2 * _MOST:
            self._items = dict(islice(self._items.items(), _MOST, None))
        known = self._items
        self._read(tx, {piece for some in pieces for piece in some if piece not in known})
        return [tuple([known[piece] for piece in some]) for some in pieces]

    def mark_late(self, shown: tuple[Item, ...], batches: tuple[Batch, ...]) -> tuple[Item, ...]:
        """The items of an edition with those marked that came late for it: an item that is late is one object, too."""
        first = self._first_days_of(batches)
        late = {place for place, item in enumerate(shown) if is_late(item.event, first)} if first else ()
        if not late:
            return shown
        return tuple([self._as_late(item) if place in late else item for place, item in enumerate(shown)])

    def _first_days_of(self, batches: tuple[Batch, ...]) -> dict[str, date]:
        known = self._first_days.get(id(batches))
        if known is None:
            if len(self._first_days) >= _MOST_BATCHES:
                self._first_days.clear()
            known = self._first_days[id(batches)] = batches, first_days(batches)
        return known[1]

    def _as_late(self, item: Item) -> Item:
        known = self._late.get(id(item))
        if known is None:
            if len(self._late) >= _MOST:
                self._late.clear()
            known = self._late[id(item)] = item, replace(item, late=True)
        return known[1]

    def _read(self, tx: Transaction, pieces: Collection[str]) -> None:
        parted = [items.parted(piece) for piece in pieces]
        heads = self._heads.knowing([head for head, _ in parted])
        reasons = self._reasons.knowing([one for _, why in parted for one in why])
        self.learn(tx, [heads[head].seq for head, _ in parted])
        known, events = self._items, self._events
        for piece, (head, why) in zip(pieces, parted, strict=True):
            seq, part, score, waited = heads[head]
            given = tuple([reasons[one] for one in why])
            known[piece] = Item(event=events[seq], part=part, score=score, reasons=given, waited=waited)

    def rests(
        self, tx: Transaction, texts: Sequence[str], batches: Sequence[tuple[Batch, ...]]
    ) -> list[UnreadRest]:
        """What editions have beyond that, by what they tell of completeness."""
        kept = json.loads(f"[{','.join(texts)}]")
        placed = list(map(overflow.placed, kept))
        self._learn_rows(tx, placed)
        return [
            UnreadRest(one, row.bit_count(), self._events, self._first_days_of(accounts))
            for one, (_, row), accounts in zip(kept, placed, batches, strict=True)
        ]

    def batches(self, texts: Sequence[str]) -> list[tuple[Batch, ...]]:
        """What editions tell of completeness."""
        known = self._batches.knowing(texts)
        return [known[text] for text in texts]

    def learn(self, tx: Transaction, seqs: Iterable[int]) -> None:
        """Read the events that are not known yet."""
        wanted = set(seqs)
        missing = wanted.difference(self._events)
        if not missing:
            return
        if len(self._events) + len(missing) > _MOST_EVENTS:
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

    __slots__ = ("_events", "_first", "_kept", "_length", "_read")

    def __init__(
        self, kept: Mapping[str, Any], length: int, events: Mapping[int, Event], first: Mapping[str, date]
    ) -> None:
        self._kept, self._length, self._events, self._first = kept, length, events, first
        self._read: tuple[Item, ...] | None = None

    def _items(self) -> tuple[Item, ...]:
        if self._read is None:
            self._read = tuple(
                replace(item, late=True) if is_late(item.event, self._first) else item
                for item in overflow.items(self._kept, self._events)
            )
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
        failure=_failure(entry),
        fills=entry.get("fills", False),
        usual=entry.get("usual"),
    )


def _failure(entry: Mapping[str, Any]) -> FailureKind | None:
    """What readers are told of a failure; earlier releases kept words in its place, those of hosts among them."""
    if "failure" in entry:
        return FailureKind(entry["failure"]) if entry["failure"] else None
    ours = (kind for kind, words in DOUBTS.items() if words == entry["error"])
    return next(ours, FailureKind.OTHER) if entry["error"] else None
