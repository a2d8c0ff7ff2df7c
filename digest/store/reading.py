"""Editions as they are kept, read: what many of them have is read once, and is the same object in all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any, overload

from digest.model import Band, Batch, BatchState, Event, Item, Part, Reason
from digest.store import rest
from digest.store.engine import Transaction
from digest.store.events import events_at

_MOST = 20_000
"""Items kept, of some 600 bytes each; and as many events, of which a day has two thousand."""
_LINE = re.compile(r"^\[(\d+),", re.MULTILINE)
"""How each line of a rest begins."""


class Known:
    """Items, batches and papers that were read before, by the text that is kept of them.

    It is for one pass over editions and one thread: what is corrected meanwhile shows in the next pass.
    """

    def __init__(self) -> None:
        self._items: dict[str, tuple[Item, ...]] = {}
        self._batches: dict[str, tuple[Batch, ...]] = {}
        self._events: dict[int, Event] = {}

    def items(self, tx: Transaction, texts: Sequence[str]) -> list[tuple[Item, ...]]:
        """The items of editions."""
        pieces = [text[1:-1].split(",\n") if len(text) > 2 else () for text in texts]
        if len(self._items) > _MOST:
            self._items = {}
        known = self._items
        new = {piece: json.loads(f"[{piece}]") for some in pieces for piece in some if piece not in known}
        self.learn(tx, {entry["seq"] for entries in new.values() for entry in entries})
        for piece, entries in new.items():
            known[piece] = tuple([item_of(entry, self._events) for entry in entries])
        return [tuple(chain.from_iterable([known[piece] for piece in some])) for some in pieces]

    def rests(self, tx: Transaction, texts: Sequence[str]) -> list[UnreadRest]:
        """What editions have beyond that."""
        seqs = [_LINE.findall(text) for text in texts]
        self.learn(tx, set(map(int, set(chain.from_iterable(seqs)))))
        return [UnreadRest(text, len(some), self._events) for text, some in zip(texts, seqs, strict=True)]

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
        missing = set(seqs).difference(self._events)
        if missing and len(self._events) + len(missing) > _MOST:
            self._events = {}  # those who have the old ones keep them
            missing = set(seqs)
        self._events.update(events_at(tx, missing))


class UnreadRest(Sequence[Item]):
    """The items of a rest, read when somebody looks at them: where there is a page, mails do not."""

    __slots__ = ("_events", "_length", "_read", "_text")

    def __init__(self, text: str, length: int, events: Mapping[int, Event]) -> None:
        self._text, self._length, self._events = text, length, events
        self._read: tuple[Item, ...] | None = None

    def _items(self) -> tuple[Item, ...]:
        if self._read is None:
            self._read = rest.read(json.loads(self._text)).items(self._events)
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


def item_of(entry: Mapping[str, Any], known: Mapping[int, Event]) -> Item:
    """An item as it was kept."""
    return Item(
        event=known[entry["seq"]],
        part=Part(entry["part"]),
        score=entry["score"],
        reasons=tuple(
            Reason(
                follow=reason["follow"],
                band=Band(reason["band"]),
                evidence=rest.evidence(reason["evidence"]),
            )
            for reason in entry["reasons"]
        ),
    )


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
