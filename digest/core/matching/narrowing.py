"""Lookup of queries in the index of papers: the events that a query surely matches, and those that it may match.

For most queries these are the same. For spellings, words near each other and some compounds the index only
proposes candidates (``digest.core.matching.lookups``). The texts in the index decide about these
(``Narrower.decide``), and the evaluator (``digest.core.matching.evaluate``) decides the rest. Bitmaps have one
bit for each event in question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple, Protocol

from digest.core.language.query import (
    And,
    ByAuthor,
    Exact,
    Fact,
    InCategory,
    Not,
    Or,
    Phrase,
    Prefix,
    Query,
    TextQuery,
)
from digest.core.matching.bitmaps import list_positions, make_bitmap
from digest.core.matching.event_queries import EVENT_FIELDS
from digest.core.matching.lookups import (
    NO_MATCH,
    TEXT_COLUMNS,
    LeafLookups,
    Lookup,
    TermDictionary,
    build_author_lookup,
    build_leaf_lookups,
)
from digest.core.matching.paper_terms import Column
from digest.core.matching.percolator.text_reader import TextReader
from digest.core.papers.document import Text


class PaperIndex(TermDictionary, Protocol):
    """The index of papers, limited to some events; bitmaps have one bit for each of these."""

    @property
    def all_events(self) -> int:
        """Bitmap of all events."""

    @property
    def unindexed(self) -> int:
        """Bitmap of the events whose papers are not in the index."""

    def find(self, columns: Sequence[Column], lookup: Lookup) -> int:
        """Return the events whose papers match a lookup in any of some columns."""

    def load_texts(self, bitmap: int) -> Mapping[int, Mapping[Column, Text]]:
        """Return the texts of the papers of some events, by position; papers that are not in the index are left out."""

    def find_events(self, field: str, value: str) -> int:
        """Return the events with a kind or source."""

    def find_signed_by_id(self, person: ByAuthor) -> int:
        """Return the events whose papers may be signed by a person with ids but no name."""


class Bounds(NamedTuple):
    """The matches of a query, as far as the index decides.

    Attributes:
        sure: events that it surely matches.
        possible: events that it surely matches or may match.
    """

    sure: int
    possible: int

    @property
    def open_events(self) -> int:
        """Events about which the index does not decide."""
        return self.possible ^ self.sure


# --- queries --------------------------------------------------------------------------------------


class Narrower:
    """Lookup of queries in the index; each part of a query is looked up once."""

    def __init__(self, index: PaperIndex) -> None:
        self._index = index
        self._leaf_bounds: dict[Query, Bounds] = {}
        self._column_bounds: dict[tuple[TextQuery, tuple[Column, ...]], Bounds] = {}
        self._lookups: dict[Query, LeafLookups] = {}
        self._readers: dict[TextQuery, TextReader] = {}

    def narrow(self, query: Query) -> Bounds:
        """Return the events that a query surely matches, and those that it may match; it does not match any other."""
        match query:
            case And():
                return _join_bounds(map(self.narrow, query.queries), and_)
            case Or():
                return _join_bounds(map(self.narrow, query.queries), or_)
            case Not():
                inner, all_events = self.narrow(query.query), self._index.all_events
                return Bounds(all_events & ~inner.possible, all_events & ~inner.sure)
            case _:
                if query not in self._leaf_bounds:
                    self._leaf_bounds[query] = self._narrow_leaf(query)
                return self._leaf_bounds[query]

    def decide(self, bitmap: int) -> None:
        """Read the texts of some events, and decide by them what is open in title and abstract."""
        undecided = {
            key: bounds.open_events & bitmap & ~self._index.unindexed
            for key, bounds in self._column_bounds.items()
        }
        texts = self._index.load_texts(reduce(or_, undecided.values(), 0))
        for (query, columns), open_bitmap in undecided.items():
            if open_bitmap:
                reader = self._readers.setdefault(query, TextReader(query))
                matches = make_bitmap(
                    position
                    for position in list_positions(open_bitmap)
                    if any(reader.has_match(texts[position][column]) for column in columns)
                )
                bounds = self._column_bounds[query, columns]
                self._column_bounds[query, columns] = Bounds(
                    bounds.sure | matches, (bounds.possible ^ open_bitmap) | matches
                )
                self._leaf_bounds.pop(query, None)

    def narrow_title(self, part: TextQuery) -> Bounds:
        """Return the bounds of a text query for the title alone."""
        return self._narrow_columns(part, ("title",)) if part.field in {"", "title"} else Bounds(0, 0)

    def find_possibly_signed(self, person: ByAuthor) -> int:
        """Return the events whose papers may be signed by a person."""
        bitmap = self._find_bounds(["body"], NO_MATCH, build_author_lookup(person)).possible
        return bitmap if person.name else bitmap | self._index.find_signed_by_id(person)

    def _narrow_leaf(self, leaf: TextQuery | InCategory | Fact | ByAuthor) -> Bounds:
        match leaf:
            case ByAuthor():
                return Bounds(0, self.find_possibly_signed(leaf))
            case Fact() if leaf.field in EVENT_FIELDS:
                bitmap = self._index.find_events(leaf.field, leaf.value)
                return Bounds(bitmap, bitmap)
            case Phrase() | Exact() | Prefix() if leaf.field in TEXT_COLUMNS:
                return self._narrow_columns(leaf, TEXT_COLUMNS[leaf.field])
            case _:
                lookups = self._get_lookups(leaf)
                return self._find_bounds(lookups.columns, lookups.sure, lookups.possible)

    def _narrow_columns(self, query: TextQuery, columns: tuple[Column, ...]) -> Bounds:
        if (query, columns) not in self._column_bounds:
            lookups = self._get_lookups(query)
            self._column_bounds[query, columns] = self._find_bounds(columns, lookups.sure, lookups.possible)
        return self._column_bounds[query, columns]

    def _find_bounds(self, columns: Sequence[Column], sure: Lookup, possible: Lookup = NO_MATCH) -> Bounds:
        sure_bitmap = self._index.find(columns, sure) if sure is not NO_MATCH else 0
        possible_bitmap = self._index.find(columns, possible) if possible is not NO_MATCH else 0
        return Bounds(sure_bitmap, sure_bitmap | possible_bitmap | self._index.unindexed)

    def _get_lookups(self, leaf: TextQuery | InCategory | Fact) -> LeafLookups:
        if leaf not in self._lookups:
            self._lookups[leaf] = build_leaf_lookups(leaf, self._index)
        return self._lookups[leaf]


def _join_bounds(bounds: Iterable[Bounds], join: Callable[[int, int], int]) -> Bounds:
    sure, possible = zip(*bounds, strict=True)
    return Bounds(reduce(join, sure), reduce(join, possible))
