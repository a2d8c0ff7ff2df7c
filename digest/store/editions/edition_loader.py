"""Loader of stored editions: what many editions share is decoded once and is the same object in all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import islice
from typing import Any, Generic, TypeVar, overload

from digest.core.editions.lateness import find_first_days, is_late
from digest.core.fetching.ledger import DOUBT_MESSAGES
from digest.core.matching.event_set import NO_EVENTS, EventSet
from digest.failures import FailureKind
from digest.model import Batch, BatchState, Event, Item
from digest.store.database.engine import Transaction
from digest.store.editions.encodings import items, overflow
from digest.store.editions.encodings.items import ItemEncoder, NewItem
from digest.store.editions.encodings.overflow import Overflow
from digest.store.papers.events import load_events_by_seq
from digest.store.papers.growth import add_growth
from digest.store.papers.signals import add_signals
from digest.store.papers.trends import add_gains

T = TypeVar("T")

_MAX_ITEMS = 8_000
"""Number of items that stay in the cache when it is full (about 500 bytes each), and half of its maximum.

It is also the maximum number of cached reasons. Deliveries come grouped by what they share: four times as
many save only
one in fifty of the items that are decoded again.
"""
_MAX_EVENTS = 32_000
"""Maximum number of cached events; a day has two thousand."""
_MAX_BATCHES = 320


class _JsonCache(Generic[T]):
    """Cache of decoded JSON by its text.

    Args:
        parse: converts a decoded value.
        max_entries: the maximum number of entries; then the cache starts again.
    """

    def __init__(self, parse: Callable[[Any], T], max_entries: int = _MAX_ITEMS) -> None:
        self._parse, self._max_entries = parse, max_entries
        self._entries: dict[str, T] = {}

    def load_all(self, texts: Collection[str]) -> Mapping[str, T]:
        """Return the cache with the values of some texts.

        New texts are decoded as one list, which takes a third of the time.
        """
        entries = self._entries
        missing = {text for text in texts if text not in entries}
        if len(entries) + len(missing) > self._max_entries:
            self._entries, missing = {}, set(texts)
            entries = self._entries
        if missing:
            entries.update(zip(missing, map(self._parse, json.loads(f"[{','.join(missing)}]")), strict=True))
        return entries


class EditionLoader:
    """Cache of decoded items, batches and papers, by their stored text.

    It is for one pass over editions and for one thread: corrections made meanwhile are visible in the next
    pass.
    """

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._heads = _JsonCache(items.read_head)
        self._reasons = _JsonCache(items.read_reason)
        self._batches = _JsonCache(lambda stored: tuple(map(read_batch, stored)), _MAX_BATCHES)
        self._events: dict[int, Event] = {}
        self._loaded_events: dict[int, EventSet] = {}
        self._first_days: dict[int, tuple[tuple[Batch, ...], dict[str, date]]] = {}
        self._late_items: dict[int, tuple[Item, Item]] = {}

    def load_items(self, tx: Transaction, texts: Sequence[str]) -> list[tuple[Item, ...]]:
        """Load the items of editions from their texts."""
        pieces = [items.split_items(text) for text in texts]
        if len(self._items) > 2 * _MAX_ITEMS:
            self._items = dict(islice(self._items.items(), _MAX_ITEMS, None))
        cache = self._items
        self._read_items(
            tx, {piece for edition_pieces in pieces for piece in edition_pieces if piece not in cache}
        )
        return [tuple([cache[piece] for piece in edition_pieces]) for edition_pieces in pieces]

    def mark_late(self, items: tuple[Item, ...], batches: tuple[Batch, ...]) -> tuple[Item, ...]:
        """Mark the items of an edition that were announced late for it; a marked item is one object, too."""
        section_first_days = self._get_first_days(batches)
        late_positions = (
            {position for position, item in enumerate(items) if is_late(item.event, section_first_days)}
            if section_first_days
            else ()
        )
        if not late_positions:
            return items
        return tuple(
            [
                self._mark_item_late(item) if position in late_positions else item
                for position, item in enumerate(items)
            ]
        )

    def _get_first_days(self, batches: tuple[Batch, ...]) -> dict[str, date]:
        entry = self._first_days.get(id(batches))
        if entry is None:
            if len(self._first_days) >= _MAX_BATCHES:
                self._first_days.clear()
            entry = self._first_days[id(batches)] = batches, find_first_days(batches)
        return entry[1]

    def _mark_item_late(self, item: Item) -> Item:
        entry = self._late_items.get(id(item))
        if entry is None:
            if len(self._late_items) >= _MAX_ITEMS:
                self._late_items.clear()
            entry = self._late_items[id(item)] = item, replace(item, late=True)
        return entry[1]

    def _read_items(self, tx: Transaction, pieces: Collection[str]) -> None:
        split_pieces = [items.split_item(piece) for piece in pieces]
        heads = self._heads.load_all([head for head, _ in split_pieces])
        reasons = self._reasons.load_all([text for _, reason_texts in split_pieces for text in reason_texts])
        self.load_events(tx, [heads[head].seq for head, _ in split_pieces])
        cache, events = self._items, self._events
        for piece, (head, reason_texts) in zip(pieces, split_pieces, strict=True):
            seq, part, score, waited = heads[head]
            item_reasons = tuple([reasons[text] for text in reason_texts])
            cache[piece] = Item(
                event=events[seq], part=part, score=score, reasons=item_reasons, waited=waited
            )

    def load_overflow(
        self, tx: Transaction, texts: Sequence[str], batches: Sequence[tuple[Batch, ...]]
    ) -> list[LazyOverflow]:
        """Load the overflows of editions from their texts; the items are decoded when they are accessed.

        Args:
            tx: a transaction.
            texts: the stored overflows.
            batches: the batches of each edition.
        """
        stored = json.loads(f"[{','.join(texts)}]")
        stored_events = list(map(overflow.read_events, stored))
        self._load_event_sets(tx, stored_events)
        return [
            LazyOverflow(stored_overflow, len(events), self._events, self._get_first_days(edition_batches))
            for stored_overflow, (_, events), edition_batches in zip(
                stored, stored_events, batches, strict=True
            )
        ]

    def complete(
        self,
        tx: Transaction,
        new_items: Iterable[NewItem],
        new_overflow: Overflow,
        batches: tuple[Batch, ...],
    ) -> tuple[tuple[Item, ...], Sequence[Item]]:
        """Return items and overflow of an edition that is not stored, as they would be after storing it."""
        (loaded,) = self.load_items(tx, [ItemEncoder().encode_items(new_items)])
        (lazy_overflow,) = self.load_overflow(tx, [new_overflow.to_json()], [batches])
        return self.mark_late(loaded, batches), lazy_overflow

    def load_batches(self, texts: Sequence[str]) -> list[tuple[Batch, ...]]:
        """Load the batches of editions from their texts."""
        cache = self._batches.load_all(texts)
        return [cache[text] for text in texts]

    def load_events(self, tx: Transaction, seqs: Iterable[int]) -> None:
        """Load the events that are not in the cache."""
        requested = set(seqs)
        missing = requested.difference(self._events)
        if not missing:
            return
        if len(self._events) + len(missing) > _MAX_EVENTS:
            # A new dictionary: overflows that are not decoded yet still use the old one.
            self._events, self._loaded_events = {}, {}
            missing = requested
        self._events.update(add_gains(tx, add_growth(tx, add_signals(tx, load_events_by_seq(tx, missing)))))

    def _load_event_sets(self, tx: Transaction, event_sets: Iterable[tuple[int, EventSet]]) -> None:
        """Load the events of overflows that are not in the cache.

        Thousands of overflows have the same papers; one operation on their sets tells that all are in the cache.
        """
        requested: dict[int, EventSet] = {}
        for first_seq, events in event_sets:
            requested[first_seq] = requested.get(first_seq, NO_EVENTS) | events
        for first_seq, events in requested.items():
            if events - self._loaded_events.get(first_seq, NO_EVENTS):
                self.load_events(tx, [first_seq + position for position in events])
                self._loaded_events[first_seq] = self._loaded_events.get(first_seq, NO_EVENTS) | events


class LazyOverflow(Sequence[Item]):
    """An overflow whose items are decoded when they are accessed: mails that link to a page never do that."""

    __slots__ = ("_events", "_first", "_kept", "_length", "_read")

    def __init__(
        self,
        stored: Mapping[str, Any],
        length: int,
        events: Mapping[int, Event],
        section_first_days: Mapping[str, date],
    ) -> None:
        self._kept, self._length, self._events, self._first = stored, length, events, section_first_days
        self._read: tuple[Item, ...] | None = None

    def _load_items(self) -> tuple[Item, ...]:
        if self._read is None:
            self._read = tuple(
                replace(item, late=True) if is_late(item.event, self._first) else item
                for item in overflow.read_items(self._kept, self._events)
            )
        return self._read

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, position: int) -> Item: ...
    @overload
    def __getitem__(self, position: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, position: int | slice) -> Item | tuple[Item, ...]:
        return self._load_items()[position]

    def __iter__(self) -> Iterator[Item]:
        return iter(self._load_items())

    def __eq__(self, other: object) -> bool:
        return self._load_items() == (other._load_items() if isinstance(other, LazyOverflow) else other)

    def __hash__(self) -> int:
        return hash(self._load_items())


# --- JSON -----------------------------------------------------------------------------------------


def read_batch(entry: Mapping[str, Any]) -> Batch:
    """Convert a batch as it was when its edition was composed."""

    def read_instant(name: str) -> datetime | None:
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
        asked_at=read_instant("asked_at"),
        answered_at=read_instant("answered_at"),
        failure=_read_failure(entry),
        fills=entry.get("fills", False),
        usual=entry.get("usual"),
    )


def _read_failure(entry: Mapping[str, Any]) -> FailureKind | None:
    """Return the kind of a failure; earlier releases stored a text instead, some of them from hosts."""
    if "failure" in entry:
        return FailureKind(entry["failure"]) if entry["failure"] else None
    kinds = (kind for kind, words in DOUBT_MESSAGES.items() if words == entry["error"])
    return next(kinds, FailureKind.OTHER) if entry["error"] else None
