"""Which papers a query fits, how surely, and by which of their words.

``evaluate`` is the plain meaning of the language, for one paper, with its reason. ``match`` gives the same
answers for many queries and papers at once, without reasons: this is the seam for a faster engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import and_, or_

from digest.core.accents import without_tex
from digest.core.names import NameFit, name_fit
from digest.core.query import And, ByAuthor, InCategory, Not, Or, Phrase, Query, Unit
from digest.core.taxonomy import covers
from digest.core.text import LONGEST, join, parts, tex_to_unicode, wanted, words
from digest.model import Band, Evidence, Fit, Paper

# --- documents ------------------------------------------------------------------------------------

_Forms = frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Text:
    """A field of a paper, its words known.

    Attributes:
        text: readable, without TeX.
        forms: of each part, by its position.
        joined: the words made of several parts: by the position of the first, how many, and their forms.
    """

    text: str
    forms: tuple[_Forms, ...]
    joined: Mapping[int, tuple[tuple[int, _Forms], ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Document:
    """A paper as queries see it.

    Attributes:
        texts: title and abstract, by these names.
        authors: the names as printed, without TeX.
    """

    texts: Mapping[str, Text]
    authors: tuple[str, ...]
    categories: tuple[str, ...]


@lru_cache(maxsize=4096)
def document(paper: Paper) -> Document:
    """Read a paper once, for any number of queries, and for the reasons asked for after matching."""
    return Document(
        texts={"title": _text(paper.title), "abstract": _text(paper.abstract)},
        authors=tuple(without_tex(author.name) for author in paper.authors),
        categories=paper.categories,
    )


def _text(announced: str) -> Text:
    text = tex_to_unicode(announced)
    single: list[_Forms] = []
    joined: dict[int, tuple[tuple[int, _Forms], ...]] = {}
    for word in words(text):
        if word.span == 1:
            single.append(word.forms)
        else:
            joined[word.position] = (*joined.get(word.position, ()), (word.span, word.forms))
    return Text(text=text, forms=tuple(single), joined=joined)


# --- phrases --------------------------------------------------------------------------------------

_Wishes = Mapping[tuple[int, int], _Forms]
"""What a unit asks for: of each run of its parts, from and up to, taken as one word."""


@lru_cache(maxsize=1 << 14)
def _wishes(unit: Unit) -> _Wishes:
    size = len(unit)
    return {
        (start, end): wanted(unit[start] if end - start == 1 else join(unit[start:end]))
        for start in range(size)
        for end in range(start + 1, min(size, start + LONGEST) + 1)
    }


def _places(text: Text, query: Phrase) -> list[tuple[int, int]]:
    """Where a phrase stands: the first position of each place, and the one behind its last."""
    found = []
    units = [_wishes(unit) for unit in query.units]
    first = frozenset().union(*(wish for (start, _), wish in units[0].items() if start == 0))
    for position, here in enumerate(text.forms):
        if first.isdisjoint(here) and position not in text.joined:
            continue
        ends = {position}
        for unit, wishes in zip(query.units, units, strict=True):
            ends = _ends(text, wishes, len(unit), ends)
        if ends:
            found.append((position, max(ends)))
    return found


def _ends(text: Text, wishes: _Wishes, size: int, starts: set[int]) -> set[int]:
    """The positions behind a unit that starts at one of these; it may be printed split, joined or in between."""
    reached: list[set[int]] = [starts, *(set() for _ in range(size))]
    for (start, end), wish in wishes.items():
        for position in reached[start]:
            if position < len(text.forms) and not wish.isdisjoint(text.forms[position]):
                reached[end].add(position + 1)
            for span, joined in text.joined.get(position, ()):
                if not wish.isdisjoint(joined):
                    reached[end].add(position + span)
    return reached[size]


def _fields(query: Phrase) -> tuple[str, ...]:
    return (query.field,) if query.field else ("title", "abstract")


# --- one query, one paper -------------------------------------------------------------------------


def evaluate(query: Query, document: Document) -> Fit | None:
    """Whether and why a query fits a paper; None if it does not.

    AND is as sure as its least sure part, OR as its surest one; NOT takes nothing away by a maybe.
    """
    match query:
        case Phrase():
            return _phrase_fit(query, document)
        case ByAuthor():
            return _author_fit(query, document)
        case InCategory():
            found = [category for category in document.categories if covers(query.code, category)]
            return _fit(Band.SURELY, {"category": found})
        case Not():
            inner = evaluate(query.query, document)
            return None if inner and inner.band >= Band.LIKELY else Fit(band=Band.SURELY, evidence=())
        case And():
            fits = [evaluate(inner, document) for inner in query.queries]
            every = [fit for fit in fits if fit]
            return _together(min(fit.band for fit in every), every) if len(every) == len(fits) else None
        case Or():
            some = [fit for fit in (evaluate(inner, document) for inner in query.queries) if fit]
            best = max((fit.band for fit in some), default=Band.NOT)
            return _together(best, [fit for fit in some if fit.band is best]) if some else None


def _phrase_fit(query: Phrase, document: Document) -> Fit | None:
    found = {}
    for name in _fields(query):
        text = document.texts[name]
        if places := _places(text, query):
            spans = [(part.start, part.end) for part in parts(text.text)]
            found[name] = [text.text[spans[first][0] : spans[behind - 1][1]] for first, behind in places]
    return _fit(Band.SURELY, found)


def _author_fit(query: ByAuthor, document: Document) -> Fit | None:
    fits = [name_fit(query.name, printed) for printed in document.authors]
    best = max(fits, default=NameFit.NOT)
    if best is NameFit.NOT:
        return None
    names = [printed for printed, fit in zip(document.authors, fits, strict=True) if fit is best]
    return _fit(Band.LIKELY if best is NameFit.FULL else Band.MAYBE, {"author": names})


_ORDER = ("title", "abstract", "author", "category")


def _fit(band: Band, found: Mapping[str, Iterable[str]]) -> Fit | None:
    evidence = tuple(
        Evidence(field=name, words=printed)
        for name in _ORDER
        if (printed := tuple(dict.fromkeys(found.get(name, ()))))
    )
    return Fit(band=band, evidence=evidence) if evidence else None


def _together(band: Band, fits: Sequence[Fit]) -> Fit:
    found: dict[str, list[str]] = {}
    for fit in fits:
        for evidence in fit.evidence:
            found.setdefault(evidence.field, []).extend(evidence.words)
    return _fit(band, found) or Fit(band=band, evidence=())


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
        found = 0
        for name in _fields(query):
            rows = self.words[name]
            candidates = _common(self.every, (_candidates(unit, rows, self.every) for unit in query.units))
            if len(query.units) == len(query.units[0]) == 1:
                found |= candidates
            else:
                for position in _positions(candidates & ~found):
                    if _places(self.documents[position].texts[name], query):
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
        for printed in each.authors:
            authors[printed] = authors.get(printed, 0) | bit
        for code in each.categories:
            categories[code] = categories.get(code, 0) | bit
    every = (1 << len(documents)) - 1
    return _Index(documents=documents, words=rows, authors=authors, categories=categories, every=every)


def _looked_for(queries: Iterable[Query]) -> _Forms:
    """All forms that any of these queries asks for."""
    found: set[str] = set()
    rest = list(queries)
    while rest:
        query = rest.pop()
        if isinstance(query, Phrase):
            found.update(form for unit in query.units for wish in _wishes(unit).values() for form in wish)
        elif isinstance(query, Not):
            rest.append(query.query)
        elif isinstance(query, And | Or):
            rest.extend(query.queries)
    return frozenset(found)


def _candidates(unit: Unit, rows: Mapping[str, int], every: int) -> int:
    """The documents that have all parts of a unit, split or joined, in any order."""
    reached = [every, *(0 for _ in unit)]
    for (start, end), wish in _wishes(unit).items():
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
