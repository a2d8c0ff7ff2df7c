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
from digest.core.matching.bitmaps import places, row_of
from digest.core.matching.paper_terms import (
    AUTHOR,
    CATEGORY,
    EVENT_FIELDS,
    JOINED,
    PRIMARY,
    SPELLED,
    Column,
    core_forms,
    field_term,
    is_spelled,
    term,
)
from digest.core.matching.percolator.terms import ways
from digest.core.matching.percolator.text_reader import TextReader
from digest.core.matching.positions import openings, wishes
from digest.core.names.fitting import handles
from digest.core.papers.document import Text
from digest.core.papers.taxonomy import covers
from digest.core.text.words import LONGEST, forms, parts, wanted

_MOST_ROWS = 64
"""Most rows of terms in which a phrase is looked up; one with more is looked up by its words."""

_COLUMNS: dict[str, tuple[Column, ...]] = {"": ("title", "body"), "title": ("title",), "abstract": ("body",)}


# --- what an index is asked -----------------------------------------------------------------------


class Adjacent(NamedTuple):
    """Terms that follow each other; one term, too."""

    terms: tuple[str, ...]


class Beginning(NamedTuple):
    """A term that begins so, behind terms that follow each other."""

    text: str
    behind: tuple[str, ...] = ()


class Near(NamedTuple):
    """TextQuery of which each is one of some terms, with ``within`` other terms between the first and the last at most.

    In this order or, where a database does not tell, in any.
    """

    words: tuple[tuple[str, ...], ...]
    within: int


class AllOf(NamedTuple):
    """All of these, in one column."""

    parts: tuple[Lookup, ...]


class AnyOf(NamedTuple):
    """One of these, in one column."""

    parts: tuple[Lookup, ...]


Lookup = Adjacent | Near | Beginning | AllOf | AnyOf
NOTHING = AnyOf(())
"""What no paper has."""


class Index(Protocol):
    """An index of papers, for some events; rows of bits have a place for each of these."""

    @property
    def every(self) -> int:
        """The row of all places."""

    @property
    def unknown(self) -> int:
        """The events whose papers are not in the index."""

    def find(self, column: Column, lookup: Lookup) -> int:
        """The events whose papers have something in a column."""

    def texts(self, row: int) -> Mapping[int, Mapping[Column, Text]]:
        """The texts of the papers of some events, by place; those whose papers are not in the index are left out."""

    def terms_of(self, some: Iterable[str]) -> Collection[str]:
        """The terms that words with one of some forms have, without those that are such a form."""

    def terms_from(self, beginning: str) -> Collection[str]:
        """The terms of words with a form that begins so, without those that are such a form."""

    def events_with(self, field: str, value: str) -> int:
        """The events of a kind or source."""

    def signed_by_id(self, person: ByAuthor) -> int:
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
    def open(self) -> int:
        """The events of which the index does not tell."""
        return self.possible ^ self.sure


# --- queries --------------------------------------------------------------------------------------


class Narrower:
    """Tells of queries which events they fit, as far as an index tells; each part of a query is looked up once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._leaves: dict[Query, Bounds] = {}
        self._columns: dict[tuple[TextQuery, Column], Bounds] = {}
        self._lookups: dict[Query, _Lookups] = {}
        self._readers: dict[TextQuery, TextReader] = {}

    def narrow(self, query: Query) -> Bounds:
        """The events that a query fits surely, and those that it may fit; of all others the answer is no."""
        match query:
            case And():
                return _joined(map(self.narrow, query.queries), and_)
            case Or():
                return _joined(map(self.narrow, query.queries), or_)
            case Not():
                inner, every = self.narrow(query.query), self._index.every
                return Bounds(every & ~inner.possible, every & ~inner.sure)
            case _:
                if query not in self._leaves:
                    self._leaves[query] = self._leaf(query)
                return self._leaves[query]

    def decide(self, row: int) -> None:
        """Read the texts of some events for what was looked up in title or abstract, and is open there."""
        unclear = {key: found.open & row & ~self._index.unknown for key, found in self._columns.items()}
        texts = self._index.texts(reduce(or_, unclear.values(), 0))
        for (query, column), open_row in unclear.items():
            if open_row:
                reader = self._readers.setdefault(query, TextReader(query))
                fits = row_of(at for at in places(open_row) if reader.stands_in(texts[at][column]))
                found = self._columns[query, column]
                self._columns[query, column] = Bounds(found.sure | fits, (found.possible ^ open_row) | fits)
                self._leaves.pop(query, None)

    def narrow_title(self, part: TextQuery) -> Bounds:
        """The same for what a part of a query has in the title alone."""
        return self._in_column(part, "title") if part.field in {"", "title"} else Bounds(0, 0)

    def signed_perhaps(self, person: ByAuthor) -> int:
        """The events whose papers may be signed by a person."""
        terms = [field_term(AUTHOR, f"{scheme}:{value}") for scheme, value in person.ids]
        terms += [field_term(AUTHOR, handle) for handle in handles(person.name)] if person.name else []
        row = self._found("body", NOTHING, _any_term(terms)).possible
        return row if person.name else row | self._index.signed_by_id(person)

    def _leaf(self, query: Query) -> Bounds:
        match query:
            case Phrase() | Exact() | Prefix() if query.field in _COLUMNS:
                return _joined([self._in_column(query, column) for column in _COLUMNS[query.field]], or_)
            case Phrase() | Exact() | Prefix():
                return self._in_field(query)
            case InCategory():
                return self._in_category(query)
            case Fact() if query.field in EVENT_FIELDS:
                row = self._index.events_with(query.field, query.value)
                return Bounds(row, row)
            case Fact():
                return self._found("body", Adjacent((field_term(query.field, query.value),)))
            case ByAuthor():
                return Bounds(0, self.signed_perhaps(query))
            case _:  # nothing is known of it here
                return Bounds(0, self._index.every)

    def _in_category(self, query: InCategory) -> Bounds:
        field = PRIMARY if query.primary else CATEGORY
        form = field_term(field, "")
        known = self._index.terms_of([form])
        return self._found("body", _any_term(one for one in known if covers(query.code, one[len(form) :])))

    def _in_column(self, query: TextQuery, column: Column) -> Bounds:
        if (query, column) not in self._columns:
            self._columns[query, column] = self._found(column, *self._looked_up(query))
        return self._columns[query, column]

    def _in_field(self, query: TextQuery) -> Bounds:
        """Of the other texts the index has the words without their positions, each behind its field."""
        sure, possible = self._looked_up(query)
        both = [_behind_field(query.field, one) for one in (sure, possible)]
        return self._found("body", NOTHING, _any(both)) if _has_rows(sure) else self._found("body", *both)

    def _found(self, column: Column, sure: Lookup, possible: Lookup = NOTHING) -> Bounds:
        row = self._index.find(column, sure) if sure is not NOTHING else 0
        more = self._index.find(column, possible) if possible is not NOTHING else 0
        return Bounds(row, row | more | self._index.unknown)

    def _looked_up(self, query: TextQuery) -> _Lookups:
        if query not in self._lookups:
            self._lookups[query] = _lookups(query, self._index)
        return self._lookups[query]


def _joined(several: Iterable[Bounds], join: Callable[[int, int], int]) -> Bounds:
    sure, possible = zip(*several, strict=True)
    return Bounds(reduce(join, sure), reduce(join, possible))


# --- words ----------------------------------------------------------------------------------------

_Lookups = tuple[Lookup, Lookup]
"""What tells that a query fits, and what tells that it may."""


class _Terms(NamedTuple):
    """The terms for a word that is asked for: those whose words all fit, and those of which only some may."""

    sure: Sequence[str]
    doubtful: Sequence[str]

    @property
    def all(self) -> Sequence[str]:
        return (*self.sure, *self.doubtful)


def _terms(wish: frozenset[str], index: Index) -> _Terms:
    known = index.terms_of(wish)
    sure = [one for one in known if not wish.isdisjoint(core_forms(one))]
    return _Terms(sorted({*wish, *sure}), sorted({*known} - {*sure, *wish}))


def _lookups(query: TextQuery, index: Index) -> _Lookups:
    match query:
        case Exact():
            return _of_spelling(query.text)
        case Prefix():
            return _of_beginning(query.unit, index)
        case Phrase():
            return _of_phrase(query, index)


def _of_spelling(text: str) -> _Lookups:
    """A single part with capitals is in the index as it is printed; of others the words are, and the text decides."""
    printed = [part.printed for part in parts(text)]
    if printed == [text] and is_spelled(text):
        return Adjacent((SPELLED + text,)), NOTHING
    whole = printed if len(printed) == 1 else printed[1:-1]
    spelled = [Adjacent((SPELLED + part,)) for part in whole if is_spelled(part)]
    return NOTHING, AllOf((Adjacent(tuple([term(forms(part)) for part in printed])), *spelled))


def _of_phrase(query: Phrase, index: Index) -> _Lookups:
    several = ways(query.units)
    if several is None:
        return NOTHING, _each_part(query.units, index)
    found = [_of_row([_terms(wanted(word), index) for word in way]) for way in several]
    sure, possible = (_any(each) for each in zip(*found, strict=True))
    if not query.near:
        return sure, possible
    if len(several) > 1:
        return sure, _each_part(query.units, index)
    row = [tuple(_terms(wanted(word), index).sure) for word in several[0]]
    if prod(map(len, row)) > _MOST_ROWS:
        return sure, _each_part(query.units, index)
    return sure, _any((Near(tuple(row), query.near + max(0, len(row) - 2)), possible))


def _of_row(row: Sequence[_Terms]) -> _Lookups:
    """TextQuery that follow each other: rows of sure terms; where one is a compound or doubtful, all words anywhere."""
    if len(row) == 1:
        (word,) = row
        return _any_term(_both(word.sure)), _any_term(_both(word.doubtful))
    anywhere = [_any_term(_both(word.all)) for word in row]
    rows = [Adjacent(terms) for terms in _rows_of_terms(row)]
    if not rows:
        return NOTHING, AllOf(tuple(anywhere))
    odd = [_any_term([*word.doubtful, *(JOINED + one for one in word.all)]) for word in row]
    return AnyOf(tuple(rows)), AnyOf(
        tuple(AllOf((odd[at], *anywhere[:at], *anywhere[at + 1 :])) for at in range(len(row)))
    )


def _each_part(units: Sequence[Unit], index: Index) -> Lookup:
    """What a text has that a phrase fits in whatever order: of each part a run of parts that it is in."""
    needed = []
    for unit in units:
        runs = {run: _both(_terms(wish, index).all) for run, wish in wishes(unit).items()}
        for place in range(min(len(unit), LONGEST)):
            around = [known for (start, end), known in runs.items() if start <= place < end]
            needed.append(_any_term(one for known in around for one in known))
    return AllOf(tuple(needed))


def _of_beginning(unit: Unit, index: Index) -> _Lookups:
    """Of a word of several parts the last one is begun: those before it stand there, or are one word with it."""
    sure: list[Lookup] = []
    possible: list[Lookup] = []
    for (start, _), begun in openings(unit).items():
        row = [_terms(wanted(part), index) for part in unit[:start]]
        anywhere = _each_part([unit[:start]], index) if row else None
        for beginning in begun:
            found = index.terms_from(beginning)
            known = {one for one in found if any(form.startswith(beginning) for form in core_forms(one))}
            either = [Beginning(beginning), Beginning(JOINED + beginning), _any_term(_both(sorted(found)))]
            if anywhere is not None:
                sure += [Beginning(beginning, terms) for terms in _rows_of_terms(row)]
                possible.append(AllOf((anywhere, _any(either))))
            else:
                sure += [*either[:2], _any_term(_both(sorted(known)))]
                possible.append(_any_term(_both(sorted({*found} - known))))
    return _any(sure), _any(possible)


def _rows_of_terms(row: Sequence[_Terms]) -> Iterable[tuple[str, ...]]:
    """The rows of terms that words which follow each other surely are; none if these are too many to be looked up."""
    return product(*(word.sure for word in row)) if prod(len(word.sure) for word in row) <= _MOST_ROWS else ()


def _has_rows(lookup: Lookup) -> bool:
    match lookup:
        case Adjacent():
            return len(lookup.terms) > 1
        case Beginning():
            return bool(lookup.behind)
        case Near():
            return True
        case _:
            return any(map(_has_rows, lookup.parts))


def _behind_field(field: str, lookup: Lookup) -> Lookup:
    """The same with all terms behind a field, which have no positions."""
    match lookup:
        case Adjacent():
            return AllOf(tuple(Adjacent((field_term(field, one),)) for one in lookup.terms))
        case Beginning():
            last = Beginning(field_term(field, lookup.text))
            return AllOf((*(Adjacent((field_term(field, one),)) for one in lookup.behind), last))
        case Near():
            return AllOf(tuple(_any_term(field_term(field, one) for one in word) for word in lookup.words))
        case AllOf():
            return AllOf(tuple(_behind_field(field, part) for part in lookup.parts))
        case AnyOf():
            return _any(_behind_field(field, part) for part in lookup.parts)


def _any_term(terms: Iterable[str]) -> Lookup:
    return _any([Adjacent((one,)) for one in terms])


def _any(several: Iterable[Lookup]) -> Lookup:
    """One of several lookups, without those that find nothing."""
    found = tuple([one for one in several if one is not NOTHING])
    return AnyOf(found) if found else NOTHING


def _both(terms: Iterable[str]) -> list[str]:
    """Terms as a part has them and as a compound does."""
    return [one for known in terms for one in (known, JOINED + known)]
