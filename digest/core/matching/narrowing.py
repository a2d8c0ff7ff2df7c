"""Which papers a query fits as far as the index of papers tells: those that it surely fits, and those that it may fit.

For most queries there is no difference: a word, a phrase or a category fits wherever the index has it. Of a spelling, of
words near each other and of some compounds the index only proposes where to look; the texts that it keeps decide
(``Narrower.decide``), and on what is left the evaluator (``digest.core.matching.evaluate``). Rows of bits have a place for
each event in question.
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
"""Most rows of terms in which a phrase is looked up; one with more is looked up by its words."""

_COLUMNS: dict[str, tuple[Column, ...]] = {"": ("title", "body"), "title": ("title",), "abstract": ("body",)}


# --- what an index is asked -----------------------------------------------------------------------


class AdjacentTerms(NamedTuple):
    """Terms that follow each other; one term, too."""

    terms: tuple[str, ...]


class TermPrefix(NamedTuple):
    """A term that begins so, behind terms that follow each other."""

    prefix: str
    preceding: tuple[str, ...] = ()


class NearTerms(NamedTuple):
    """TextQuery of which each is one of some terms, with ``max_gap`` other terms between the first and the last at most.

    In this order or, where a database does not tell, in any.
    """

    words: tuple[tuple[str, ...], ...]
    max_gap: int


class AllOf(NamedTuple):
    """All of these, in one column."""

    parts: tuple[Lookup, ...]


class AnyOf(NamedTuple):
    """One of these, in one column."""

    parts: tuple[Lookup, ...]


Lookup = AdjacentTerms | NearTerms | TermPrefix | AllOf | AnyOf
NO_MATCH = AnyOf(())
"""What no paper has."""


class PaperIndex(Protocol):
    """An index of papers, for some events; rows of bits have a place for each of these."""

    @property
    def all_events(self) -> int:
        """The row of all places."""

    @property
    def unindexed(self) -> int:
        """The events whose papers are not in the index."""

    def find(self, column: Column, lookup: Lookup) -> int:
        """The events whose papers have something in a column."""

    def load_texts(self, bitmap: int) -> Mapping[int, Mapping[Column, Text]]:
        """The texts of the papers of some events, by place; those whose papers are not in the index are left out."""

    def find_terms(self, word_forms: Iterable[str]) -> Collection[str]:
        """The terms that words with one of some forms have, without those that are such a form."""

    def find_terms_by_prefix(self, prefix: str) -> Collection[str]:
        """The terms of words with a form that begins so, without those that are such a form."""

    def find_events(self, field: str, value: str) -> int:
        """The events of a kind or source."""

    def find_signed_by_id(self, person: ByAuthor) -> int:
        """The events whose papers may be signed by a person who is known by ids alone."""


class Bounds(NamedTuple):
    """What a query fits, as far as an index tells.

    Attributes:
        sure: the events that it fits, surely.
        possible: these, and those that it may fit.
    """

    sure: int
    possible: int

    @property
    def open_events(self) -> int:
        """The events of which the index does not tell."""
        return self.possible ^ self.sure


# --- queries --------------------------------------------------------------------------------------


class Narrower:
    """Tells of queries which events they fit, as far as an index tells; each part of a query is looked up once."""

    def __init__(self, index: PaperIndex) -> None:
        self._index = index
        self._leaf_bounds: dict[Query, Bounds] = {}
        self._column_bounds: dict[tuple[TextQuery, Column], Bounds] = {}
        self._lookups: dict[Query, _LookupPair] = {}
        self._readers: dict[TextQuery, TextReader] = {}

    def narrow(self, query: Query) -> Bounds:
        """The events that a query fits surely, and those that it may fit; of all others the answer is no."""
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
        """Read the texts of some events for what was looked up in title or abstract, and is open there."""
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
        """The same for what a part of a query has in the title alone."""
        return self._narrow_column(part, "title") if part.field in {"", "title"} else Bounds(0, 0)

    def find_possibly_signed(self, person: ByAuthor) -> int:
        """The events whose papers may be signed by a person."""
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
            case _:  # nothing is known of it here
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
        """Of the other texts the index has the words without their positions, each behind its field."""
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
"""What tells that a query fits, and what tells that it may."""


class _WordTerms(NamedTuple):
    """The terms for a word that is asked for: those whose words all fit, and those of which only some may."""

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
    """A single part with capitals is in the index as it is printed; of others the words are, and the text decides."""
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
    """TextQuery that follow each other: rows of sure terms; where one is a compound or doubtful, all words anywhere."""
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
    """What a text has that a phrase fits in whatever order: of each part a run of parts that it is in."""
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
    """Of a word of several parts the last one is begun: those before it stand there, or are one word with it."""
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
    """The rows of terms that words which follow each other surely are; none if these are too many to be looked up."""
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
    """The same with all terms behind a field, which have no positions."""
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
    """One of several lookups, without those that find nothing."""
    matching_lookups = tuple([lookup for lookup in lookups if lookup is not NO_MATCH])
    return AnyOf(matching_lookups) if matching_lookups else NO_MATCH


def _add_joined_terms(terms: Iterable[str]) -> list[str]:
    """Terms as a part has them and as a compound does."""
    return [variant for base_term in terms for variant in (base_term, JOINED + base_term)]
