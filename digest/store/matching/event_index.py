"""The index of papers for events: which events, among many, have papers with some terms."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from sqlalchemy import Date, bindparam, func, select

from digest.core.language.query import ByAuthor
from digest.core.matching.bitmaps import list_positions
from digest.core.matching.lookups import Lookup
from digest.core.matching.paper_terms import Column
from digest.core.matching.search.candidates import InColumns
from digest.core.papers.document import Text, make_event_facts
from digest.model import EventKind
from digest.store.database.content_version import read_content_version
from digest.store.database.dialect import fetch_raw_rows, get_day_reader, make_in_condition, to_in_param
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import events, indexed_papers, papers
from digest.store.matching import posting_lists, search_index
from digest.store.matching.indexed_papers import load_texts
from digest.store.matching.term_dictionary import StoredTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPositions:
    """Which document of the index each event's paper is, and which events each document's paper has.

    Attributes:
        documents: the document of each event's paper in the index; None if the index cannot decide about it.
        first_positions: the position of the first event of each document's paper.
        other_positions: the positions of the other events of each document's paper, if there are any.
        unindexed: the bitmap of the events about whose papers the index cannot decide.
    """

    documents: Sequence[int | None]
    first_positions: Mapping[int, int]
    other_positions: Mapping[int, Sequence[int]]
    unindexed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedEvents:
    """Events without their papers, in order, as parallel sequences, because there may be tens of thousands.

    Attributes:
        papers: the number of the root of each event's paper.
        positions: the documents of their papers in the index.
    """

    seqs: Sequence[int]
    kinds: Sequence[EventKind]
    days: Sequence[date]
    sources: Sequence[str]
    papers: Sequence[int]
    positions: DocumentPositions

    def __len__(self) -> int:
        return len(self.seqs)

    def find_position(self, seq: int) -> int:
        """Return the position of an event, which must be one of these."""
        return bisect_left(self.seqs, seq)


_ROOT_ID = func.coalesce(papers.c.merged_into, papers.c.id)
_SELECT_EVENTS = (
    select(
        *(events.c.seq, events.c.kind, events.c.day, events.c.source, _ROOT_ID.label("root")),
        *(indexed_papers.c.document, indexed_papers.c.is_complete, indexed_papers.c.withdrawn),
    )
    .join_from(events, papers, papers.c.id == events.c.paper_id)
    .outerjoin(indexed_papers, indexed_papers.c.paper_id == _ROOT_ID)
    .where(events.c.seq > bindparam("low"), events.c.day >= bindparam("since", type_=Date))
    .where(make_in_condition(events.c.kind, "kinds"))
    .order_by(events.c.seq)
)


def load_indexed_events(
    tx: Transaction,
    after: int,
    since: date,
    kinds: Collection[EventKind],
    *,
    unless_withdrawn: Collection[EventKind] = (),
) -> IndexedEvents:
    """Return events without their papers, in order.

    Args:
        tx: a transaction.
        after: only events with a higher seq.
        since: only events of this day or later.
        kinds: only events of these kinds.
        unless_withdrawn: omit events of these kinds if the index says that the paper is withdrawn.
    """
    values = {
        "low": after,
        "since": since.isoformat(),
        "kinds": to_in_param(tx, [kind.value for kind in kinds]),
    }
    excluded_kinds = {kind.value for kind in unless_withdrawn}
    rows = [
        row
        for row in fetch_raw_rows(tx, _SELECT_EVENTS, values)
        if not (row[-1] and row[1] in excluded_kinds)
    ]
    seqs, stored_kinds, stored_days, sources, roots, documents, are_complete, _ = (
        zip(*rows, strict=True) if rows else [()] * 8
    )
    kinds_by_value, read_day = {kind.value: kind for kind in kinds}, get_day_reader(tx)
    days = {day: read_day(day) for day in set(stored_days)}
    is_current = search_index.load_state(tx).is_current
    return IndexedEvents(
        seqs=seqs,
        kinds=[kinds_by_value[kind] for kind in stored_kinds],
        days=[days[day] for day in stored_days],
        sources=sources,
        papers=roots,
        positions=_find_positions(
            [
                document if is_complete and is_current else None
                for document, is_complete in zip(documents, are_complete, strict=True)
            ]
        ),
    )


def _find_positions(documents: Sequence[int | None]) -> DocumentPositions:
    first_positions: dict[int, int] = {}
    other_positions: dict[int, list[int]] = {}
    for position, number in enumerate(documents):
        if number is not None and first_positions.setdefault(number, position) != position:
            other_positions.setdefault(number, []).append(position)
    undecided = (position for position, number in enumerate(documents) if number is None)
    return DocumentPositions(
        documents=documents,
        first_positions=first_positions,
        other_positions=other_positions,
        unindexed=_make_bitmap(undecided, len(documents)),
    )


def _make_bitmap(positions: Iterable[int], size: int) -> int:
    """Make a bitmap of positions; the byte array needs only one pass over tens of thousands of them."""
    bits = bytearray(size // 8 + 1)
    for position in positions:
        bits[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(bits, "little")


class EventCache:
    """Keeps the events that were loaded last, until anything is stored about papers: readers try one query after the other."""

    def __init__(self) -> None:
        self._entry: tuple[object, IndexedEvents] | None = None

    def load(
        self,
        tx: Transaction,
        after: int,
        since: date,
        kinds: Collection[EventKind],
        *,
        unless_withdrawn: Collection[EventKind] = (),
    ) -> IndexedEvents:
        """Return what ``load_indexed_events`` returns for the same arguments."""
        key = (read_content_version(tx), after, since, frozenset(kinds), frozenset(unless_withdrawn))
        entry = self._entry
        if entry is None or entry[0] != key:
            loaded = load_indexed_events(tx, after, since, kinds, unless_withdrawn=unless_withdrawn)
            self._entry = entry = key, loaded
        return entry[1]


class EventIndex(StoredTerms):
    """Index of papers for some events; implements ``digest.core.matching.narrowing.PaperIndex``.

    Args:
        tx: a transaction.
        indexed_events: the events; the position of each is its bit in all bitmaps.
        signed_by_id: returns the seqs of events whose papers may be by a person who can only be recognized by
            ids.
    """

    def __init__(
        self,
        tx: Transaction,
        indexed_events: IndexedEvents,
        signed_by_id: Callable[[ByAuthor], Collection[int]],
    ) -> None:
        super().__init__(tx)
        self._events = indexed_events
        self._signed_by_id = signed_by_id
        self._first_positions = indexed_events.positions.first_positions
        self._other_positions = indexed_events.positions.other_positions
        self._first_document = min(self._first_positions, default=0)
        self.all_events = (1 << len(indexed_events)) - 1
        self.unindexed = indexed_events.positions.unindexed

    def find(self, columns: Sequence[Column], lookup: Lookup) -> int:
        """Return the bitmap of the events whose papers match a lookup in any of some columns."""
        if not self._first_positions:
            return 0
        matching_documents = self._first_positions.keys() & posting_lists.find_documents(
            self._tx, InColumns(tuple(columns), lookup), self._first_document
        )
        other_positions = chain.from_iterable(
            map(self._other_positions.__getitem__, self._other_positions.keys() & matching_documents)
        )
        return self._make_bitmap(
            chain(map(self._first_positions.__getitem__, matching_documents), other_positions)
        )

    def load_texts(self, bitmap: int) -> dict[int, Mapping[Column, Text]]:
        """Return the texts of the papers of some events by position, without papers that are not in the index."""
        requested = [
            (position, number)
            for position in list_positions(bitmap)
            if (number := self._events.positions.documents[position]) is not None
        ]
        texts_by_document = load_texts(self._tx, [number for _, number in requested])
        return {position: texts_by_document[number] for position, number in requested}

    def find_events(self, field: str, value: str) -> int:
        """Return the bitmap of the events with a fact: a kind or a source."""
        facts = enumerate(zip(self._events.kinds, self._events.sources, strict=True))
        return self._make_bitmap(
            position for position, (kind, source) in facts if (field, value) in make_event_facts(kind, source)
        )

    def find_signed_by_id(self, author: ByAuthor) -> int:
        """Return the bitmap of the events whose papers may be by a person who can only be recognized by ids."""
        seqs = self._signed_by_id(author)
        return self._make_bitmap(position for position, seq in enumerate(self._events.seqs) if seq in seqs)

    def _make_bitmap(self, positions: Iterable[int]) -> int:
        return _make_bitmap(positions, len(self._events))
