"""Lookup of queries in the index of papers: the events that a query surely matches, and those that it may match.

For most queries these are the same: a word, phrase or category matches wherever the index has it. For
spellings, words near each other and some compounds the index only proposes candidates. The texts in the index
decide about these (``Narrower.decide``), and the evaluator (``digest.core.matching.evaluate``) decides the
rest. Bitmaps have one bit for each event in question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod
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
    Unit,
)
from digest.core.matching.bitmaps import list_positions, make_bitmap
from digest.core.matching.paper_terms import (
    AUTHOR,
    CATEGORY,
    EVENT_FIELDS,
    JOINED,
    PRIMARY,
    SPELLED,
    Column,
    is_indexed_as_spelled,
    make_field_term,
    make_term,
    split_core_forms,
)
from digest.core.matching.percolator.terms import list_word_sequences
from digest.core.matching.percolator.text_reader import TextReader
from digest.core.matching.positions import map_prefixes, map_wanted_forms
from digest.core.names.fitting import make_index_keys
from digest.core.papers.document import Text
from digest.core.papers.taxonomy import covers
from digest.core.text.words import MAX_COMPOUND_PARTS, find_forms, find_query_forms, iter_parts

_MAX_TERM_SEQUENCES = 64
"""Maximum number of sequences of terms that are looked up for a phrase; a phrase with more is looked up by its words."""

_COLUMNS: dict[str, tuple[Column, ...]] = {"": ("title", "body"), "title": ("title",), "abstract": ("body",)}


# --- lookups --------------------------------------------------------------------------------------


class AdjacentTerms(NamedTuple):
    """Lookup of adjacent terms in this order, or of a single term."""

    terms: tuple[str, ...]


class TermPrefix(NamedTuple):
    """Lookup of a term with a prefix, directly after adjacent terms."""

    prefix: str
    preceding: tuple[str, ...] = ()


class NearTerms(NamedTuple):
    """Lookup of words near each other, each with alternative terms.

    There may be at most ``max_gap`` other terms between the first and the last word. They must be in this
    order, or may be in any order if the database does not support that.
    """

    words: tuple[tuple[str, ...], ...]
    max_gap: int


class AllOf(NamedTuple):
    """A conjunction of lookups in one column."""

    parts: tuple[Lookup, ...]


class AnyOf(NamedTuple):
    """A disjunction of lookups in one column."""

    parts: tuple[Lookup, ...]


Lookup = AdjacentTerms | NearTerms | TermPrefix | AllOf | AnyOf
NO_MATCH = AnyOf(())
"""A lookup that matches no paper."""


class PaperIndex(Protocol):
    """The index of papers, limited to some events; bitmaps have one bit for each of these."""

    @property
    def all_events(self) -> int:
        """Bitmap of all events."""

    @property
    def unindexed(self) -> int:
        """Bitmap of the events whose papers are not in the index."""

    def find(self, column: Column, lookup: Lookup) -> int:
        """Return the events whose papers match a lookup in a column."""

    def load_texts(self, bitmap: int) -> Mapping[int, Mapping[Column, Text]]:
        """Return the texts of the papers of some events, by position; papers that are not in the index are left out."""

    def find_terms(self, word_forms: Iterable[str]) -> Collection[str]:
        """Return the terms of words that have one of some forms, except terms that are such a form themselves."""

    def find_terms_by_prefix(self, prefix: str) -> Collection[str]:
        """Return the terms of words that have a form with a prefix, except terms that are such a form themselves."""

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
        self._column_bounds: dict[tuple[TextQuery, Column], Bounds] = {}
        self._lookups: dict[Query, _LookupPair] = {}
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
        for (query, column), open_bitmap in undecided.items():
            if open_bitmap:
                reader = self._readers.setdefault(query, TextReader(query))
                matches = make_bitmap(
                    position
                    for position in list_positions(open_bitmap)
                    if reader.has_match(texts[position][column])
                )
                bounds = self._column_bounds[query, column]
                self._column_bounds[query, column] = Bounds(
                    bounds.sure | matches, (bounds.possible ^ open_bitmap) | matches
                )
                self._leaf_bounds.pop(query, None)

    def narrow_title(self, part: TextQuery) -> Bounds:
        """Return the bounds of a text query for the title alone."""
        return self._narrow_column(part, "title") if part.field in {"", "title"} else Bounds(0, 0)

    def find_possibly_signed(self, person: ByAuthor) -> int:
        """Return the events whose papers may be signed by a person."""
        terms = [make_field_term(AUTHOR, f"{scheme}:{value}") for scheme, value in person.ids]
        terms += (
            [make_field_term(AUTHOR, handle) for handle in make_index_keys(person.name)]
            if person.name
            else []
        )
        bitmap = self._find_bounds("body", NO_MATCH, _build_any_term(terms)).possible
        return bitmap if person.name else bitmap | self._index.find_signed_by_id(person)

    def _narrow_leaf(self, query: Query) -> Bounds:
        match query:
            case Phrase() | Exact() | Prefix() if query.field in _COLUMNS:
                return _join_bounds(
                    [self._narrow_column(query, column) for column in _COLUMNS[query.field]], or_
                )
            case Phrase() | Exact() | Prefix():
                return self._narrow_field(query)
            case InCategory():
                return self._narrow_category(query)
            case Fact() if query.field in EVENT_FIELDS:
                bitmap = self._index.find_events(query.field, query.value)
                return Bounds(bitmap, bitmap)
            case Fact():
                return self._find_bounds("body", AdjacentTerms((make_field_term(query.field, query.value),)))
            case ByAuthor():
                return Bounds(0, self.find_possibly_signed(query))
            case _:  # the index decides nothing
                return Bounds(0, self._index.all_events)

    def _narrow_category(self, query: InCategory) -> Bounds:
        field = PRIMARY if query.primary else CATEGORY
        prefix = make_field_term(field, "")
        terms = self._index.find_terms([prefix])
        return self._find_bounds(
            "body",
            _build_any_term(
                category_term for category_term in terms if covers(query.code, category_term[len(prefix) :])
            ),
        )

    def _narrow_column(self, query: TextQuery, column: Column) -> Bounds:
        if (query, column) not in self._column_bounds:
            self._column_bounds[query, column] = self._find_bounds(column, *self._get_lookups(query))
        return self._column_bounds[query, column]

    def _narrow_field(self, query: TextQuery) -> Bounds:
        """Return the bounds in one of the other fields, whose terms have the field as prefix and no positions."""
        sure, possible = self._get_lookups(query)
        lookups = [_add_field(query.field, lookup) for lookup in (sure, possible)]
        return (
            self._find_bounds("body", NO_MATCH, _build_any_of(lookups))
            if _has_sequences(sure)
            else self._find_bounds("body", *lookups)
        )

    def _find_bounds(self, column: Column, sure: Lookup, possible: Lookup = NO_MATCH) -> Bounds:
        sure_bitmap = self._index.find(column, sure) if sure is not NO_MATCH else 0
        possible_bitmap = self._index.find(column, possible) if possible is not NO_MATCH else 0
        return Bounds(sure_bitmap, sure_bitmap | possible_bitmap | self._index.unindexed)

    def _get_lookups(self, query: TextQuery) -> _LookupPair:
        if query not in self._lookups:
            self._lookups[query] = _build_lookups(query, self._index)
        return self._lookups[query]


def _join_bounds(bounds: Iterable[Bounds], join: Callable[[int, int], int]) -> Bounds:
    sure, possible = zip(*bounds, strict=True)
    return Bounds(reduce(join, sure), reduce(join, possible))


# --- words ----------------------------------------------------------------------------------------

_LookupPair = tuple[Lookup, Lookup]
"""Lookups for sure matches and for possible matches."""


class _WordTerms(NamedTuple):
    """The terms for a word of a query: those whose words all match, and those whose words match only in part."""

    sure: Sequence[str]
    doubtful: Sequence[str]

    @property
    def combined(self) -> Sequence[str]:
        return (*self.sure, *self.doubtful)


def _find_word_terms(wanted_forms: frozenset[str], index: PaperIndex) -> _WordTerms:
    known_terms = index.find_terms(wanted_forms)
    sure = [
        known_term for known_term in known_terms if not wanted_forms.isdisjoint(split_core_forms(known_term))
    ]
    return _WordTerms(sorted({*wanted_forms, *sure}), sorted({*known_terms} - {*sure, *wanted_forms}))


def _build_lookups(query: TextQuery, index: PaperIndex) -> _LookupPair:
    match query:
        case Exact():
            return _build_exact_lookups(query.text)
        case Prefix():
            return _build_prefix_lookups(query.unit, index)
        case Phrase():
            return _build_phrase_lookups(query, index)


def _build_exact_lookups(text: str) -> _LookupPair:
    """Build the lookups for an exact spelling.

    A single part with capitals is in the index as printed. For others the index only has the words, and the
    text decides.
    """
    printed_parts = [part.printed for part in iter_parts(text)]
    if printed_parts == [text] and is_indexed_as_spelled(text):
        return AdjacentTerms((SPELLED + text,)), NO_MATCH
    complete_parts = printed_parts if len(printed_parts) == 1 else printed_parts[1:-1]
    spelled_terms = [
        AdjacentTerms((SPELLED + part,)) for part in complete_parts if is_indexed_as_spelled(part)
    ]
    return NO_MATCH, AllOf(
        (AdjacentTerms(tuple([make_term(find_forms(part)) for part in printed_parts])), *spelled_terms)
    )


def _build_phrase_lookups(query: Phrase, index: PaperIndex) -> _LookupPair:
    word_sequences = list_word_sequences(query.units)
    if word_sequences is None:
        return NO_MATCH, _build_parts_lookup(query.units, index)
    lookups = [
        _build_sequence_lookups([_find_word_terms(find_query_forms(word), index) for word in words])
        for words in word_sequences
    ]
    sure, possible = (_build_any_of(lookup_group) for lookup_group in zip(*lookups, strict=True))
    if not query.near:
        return sure, possible
    if len(word_sequences) > 1:
        return sure, _build_parts_lookup(query.units, index)
    term_choices = [tuple(_find_word_terms(find_query_forms(word), index).sure) for word in word_sequences[0]]
    if prod(map(len, term_choices)) > _MAX_TERM_SEQUENCES:
        return sure, _build_parts_lookup(query.units, index)
    return sure, _build_any_of(
        (NearTerms(tuple(term_choices), query.near + max(0, len(term_choices) - 2)), possible)
    )


def _build_sequence_lookups(words: Sequence[_WordTerms]) -> _LookupPair:
    """Build the lookups for adjacent words.

    Sequences of sure terms are sure matches. If a word is a compound or doubtful, the words may be anywhere,
    and the match is only possible.
    """
    if len(words) == 1:
        (word,) = words
        return _build_any_term(_add_joined_terms(word.sure)), _build_any_term(
            _add_joined_terms(word.doubtful)
        )
    anywhere_lookups = [_build_any_term(_add_joined_terms(word.combined)) for word in words]
    sequences = [AdjacentTerms(terms) for terms in _list_term_sequences(words)]
    if not sequences:
        return NO_MATCH, AllOf(tuple(anywhere_lookups))
    irregular_lookups = [
        _build_any_term([*word.doubtful, *(JOINED + joined_term for joined_term in word.combined)])
        for word in words
    ]
    return AnyOf(tuple(sequences)), AnyOf(
        tuple(
            AllOf((irregular_lookups[index], *anywhere_lookups[:index], *anywhere_lookups[index + 1 :]))
            for index in range(len(words))
        )
    )


def _build_parts_lookup(units: Sequence[Unit], index: PaperIndex) -> Lookup:
    """Build a lookup that every text with a phrase matches: for each part, a run of parts that contains it, anywhere."""
    part_lookups = []
    for unit in units:
        runs = {
            run: _add_joined_terms(_find_word_terms(wanted_forms, index).combined)
            for run, wanted_forms in map_wanted_forms(unit).items()
        }
        for part_number in range(min(len(unit), MAX_COMPOUND_PARTS)):
            term_lists = [run_terms for (start, end), run_terms in runs.items() if start <= part_number < end]
            part_lookups.append(
                _build_any_term(run_term for run_terms in term_lists for run_term in run_terms)
            )
    return AllOf(tuple(part_lookups))


def _build_prefix_lookups(unit: Unit, index: PaperIndex) -> _LookupPair:
    """Build the lookups for a prefix; complete parts before it are adjacent words, or are joined with it."""
    sure: list[Lookup] = []
    possible: list[Lookup] = []
    for (start, _), prefixes in map_prefixes(unit).items():
        preceding_words = [_find_word_terms(find_query_forms(part), index) for part in unit[:start]]
        anywhere = _build_parts_lookup([unit[:start]], index) if preceding_words else None
        for prefix in prefixes:
            terms = index.find_terms_by_prefix(prefix)
            sure_terms = {
                known_term
                for known_term in terms
                if any(form.startswith(prefix) for form in split_core_forms(known_term))
            }
            prefix_lookups = [
                TermPrefix(prefix),
                TermPrefix(JOINED + prefix),
                _build_any_term(_add_joined_terms(sorted(terms))),
            ]
            if anywhere is not None:
                sure += [TermPrefix(prefix, preceding) for preceding in _list_term_sequences(preceding_words)]
                possible.append(AllOf((anywhere, _build_any_of(prefix_lookups))))
            else:
                sure += [*prefix_lookups[:2], _build_any_term(_add_joined_terms(sorted(sure_terms)))]
                possible.append(_build_any_term(_add_joined_terms(sorted({*terms} - sure_terms))))
    return _build_any_of(sure), _build_any_of(possible)


def _list_term_sequences(words: Sequence[_WordTerms]) -> Iterable[tuple[str, ...]]:
    """Return the sequences of sure terms for adjacent words; none if there are too many to look up."""
    return (
        product(*(word.sure for word in words))
        if prod(len(word.sure) for word in words) <= _MAX_TERM_SEQUENCES
        else ()
    )


def _has_sequences(lookup: Lookup) -> bool:
    match lookup:
        case AdjacentTerms():
            return len(lookup.terms) > 1
        case TermPrefix():
            return bool(lookup.preceding)
        case NearTerms():
            return True
        case _:
            return any(map(_has_sequences, lookup.parts))


def _add_field(field: str, lookup: Lookup) -> Lookup:
    """Return a lookup for a field: its terms have the field as prefix and no positions."""
    match lookup:
        case AdjacentTerms():
            return AllOf(
                tuple(AdjacentTerms((make_field_term(field, lookup_term),)) for lookup_term in lookup.terms)
            )
        case TermPrefix():
            prefix_lookup = TermPrefix(make_field_term(field, lookup.prefix))
            return AllOf(
                (
                    *(
                        AdjacentTerms((make_field_term(field, lookup_term),))
                        for lookup_term in lookup.preceding
                    ),
                    prefix_lookup,
                )
            )
        case NearTerms():
            return AllOf(
                tuple(
                    _build_any_term(make_field_term(field, lookup_term) for lookup_term in word)
                    for word in lookup.words
                )
            )
        case AllOf():
            return AllOf(tuple(_add_field(field, part) for part in lookup.parts))
        case AnyOf():
            return _build_any_of(_add_field(field, part) for part in lookup.parts)


def _build_any_term(terms: Iterable[str]) -> Lookup:
    return _build_any_of([AdjacentTerms((lookup_term,)) for lookup_term in terms])


def _build_any_of(lookups: Iterable[Lookup]) -> Lookup:
    """Build a disjunction of lookups, without those that match nothing."""
    matching_lookups = tuple([lookup for lookup in lookups if lookup is not NO_MATCH])
    return AnyOf(matching_lookups) if matching_lookups else NO_MATCH


def _add_joined_terms(terms: Iterable[str]) -> list[str]:
    """Return each term as it is for a part and as it is for a compound."""
    return [variant for base_term in terms for variant in (base_term, JOINED + base_term)]
