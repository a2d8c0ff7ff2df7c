"""Which papers a query fits, and how surely: many queries and papers at once.

``match`` gives the answers of ``digest.core.evaluate``, without reasons: this is the seam for a faster engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_

from digest.core.document import Document
from digest.core.names import NameFit, name_fit
from digest.core.query import And, ByAuthor, Exact, Fact, InCategory, Not, Or, Phrase, Prefix, Query, Unit
from digest.core.taxonomy import covers

_Forms = frozenset[str]

# --- many queries, many papers --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What a query fits.

    Attributes:
        query: its number.
        fits: the positions of the documents that it fits surely or likely.
        maybe: of those that it may fit.
    """

    query: int
    fits: tuple[int, ...]
    maybe: tuple[int, ...]


def match(queries: Iterable[tuple[int, Query]], documents: Sequence[Document]) -> Iterator[Hits]:
    """What ``evaluate`` would find, for each query that fits anything.

    Args:
        queries: with their numbers.
        documents: at most some thousands: a row of bits is kept for each word looked for.
    """
    numbered = list(queries)
    index = _index(documents, _looked_for(query for _, query in numbered))
    for number, query in numbered:
        found = index.find(query)
        if found.possible:
            yield Hits(
                query=number, fits=_positions(found.fits), maybe=_positions(found.possible & ~found.fits)
            )


@dataclass(frozen=True, slots=True)
class _Found:
    """Rows of bits, one for each document: it fits surely or likely; it may fit."""

    fits: int
    possible: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    """Where each word, name and category stands: a row of bits, one for each document."""

    documents: Sequence[Document]
    words: Mapping[str, Mapping[str, int]]
    authors: Mapping[str, int]
    categories: Mapping[str, int]
    every: int
    names: dict[str, _Found] = field(default_factory=dict)

    def find(self, query: Query) -> _Found:
        """The documents that a query fits."""
        match query:
            case Phrase():
                return self._phrase(query)
            case ByAuthor():
                if query.name not in self.names:
                    self.names[query.name] = self._by(query.name)
                return self.names[query.name]
            case InCategory():
                found = _union(row for code, row in self.categories.items() if covers(query.code, code))
                return _Found(found, found)
            case Exact() | Prefix() | Fact():
                return _Found(0, 0)
            case Not():
                left = self.every & ~self.find(query.query).fits
                return _Found(left, left)
            case And():
                every = [self.find(inner) for inner in query.queries]
                return _Found(
                    _common(self.every, (f.fits for f in every)),
                    _common(self.every, (f.possible for f in every)),
                )
            case Or():
                some = [self.find(inner) for inner in query.queries]
                return _Found(_union(f.fits for f in some), _union(f.possible for f in some))

    def _phrase(self, query: Phrase) -> _Found:
        from digest.core.places import fields_of, places

        found = 0
        for name in fields_of(query):
            rows = self.words[name]
            candidates = _common(self.every, (_candidates(unit, rows, self.every) for unit in query.units))
            if len(query.units) == len(query.units[0]) == 1:
                found |= candidates
            else:
                for position in _positions(candidates & ~found):
                    if places(self.documents[position].texts[name], query):
                        found |= 1 << position
        return _Found(found, found)

    def _by(self, name: str) -> _Found:
        fits = {printed: name_fit(name, printed) for printed in self.authors}
        return _Found(
            _union(self.authors[printed] for printed, fit in fits.items() if fit is NameFit.FULL),
            _union(self.authors[printed] for printed, fit in fits.items() if fit is not NameFit.NOT),
        )


def _index(documents: Sequence[Document], looked_for: _Forms) -> _Index:
    rows: dict[str, dict[str, int]] = {"title": {}, "abstract": {}}
    authors: dict[str, int] = {}
    categories: dict[str, int] = {}
    for position, each in enumerate(documents):
        bit = 1 << position
        for name, text in each.texts.items():
            single = frozenset().union(*text.forms)
            made = (joined for several in text.joined.values() for _, joined in several)
            for form in looked_for & single.union(*made):
                rows[name][form] = rows[name].get(form, 0) | bit
        for printed in {byline.name for byline in each.bylines}:
            authors[printed] = authors.get(printed, 0) | bit
        for code in each.categories:
            categories[code] = categories.get(code, 0) | bit
    every = (1 << len(documents)) - 1
    return _Index(documents=documents, words=rows, authors=authors, categories=categories, every=every)


def _looked_for(queries: Iterable[Query]) -> _Forms:
    """All forms that any of these queries asks for."""
    from digest.core.places import wishes

    found: set[str] = set()
    rest = list(queries)
    while rest:
        query = rest.pop()
        if isinstance(query, Phrase):
            found.update(form for unit in query.units for wish in wishes(unit).values() for form in wish)
        elif isinstance(query, Not):
            rest.append(query.query)
        elif isinstance(query, And | Or):
            rest.extend(query.queries)
    return frozenset(found)


def _candidates(unit: Unit, rows: Mapping[str, int], every: int) -> int:
    """The documents that have all parts of a unit, split or joined, in any order."""
    from digest.core.places import wishes

    reached = [every, *(0 for _ in unit)]
    for (start, end), wish in wishes(unit).items():
        reached[end] |= reached[start] & _union(rows.get(form, 0) for form in wish)
    return reached[-1]


def _union(rows: Iterable[int]) -> int:
    return reduce(or_, rows, 0)


def _common(every: int, rows: Iterable[int]) -> int:
    return reduce(and_, rows, every)


def _positions(bits: int) -> tuple[int, ...]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)
