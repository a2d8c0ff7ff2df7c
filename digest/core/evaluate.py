"""Whether and why a query fits a paper: the plain meaning of the language.

``digest.core.match`` gives the same answers for many queries and papers at once, without reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from digest.core.document import Document, Text
from digest.core.names import NameFit, name_fit
from digest.core.query import And, ByAuthor, Exact, Fact, InCategory, Not, Or, Phrase, Prefix, Query, Unit
from digest.core.taxonomy import covers
from digest.core.text import LONGEST, join, parts, wanted
from digest.model import Band, Evidence, Fit

# --- phrases --------------------------------------------------------------------------------------

Wishes = Mapping[tuple[int, int], frozenset[str]]
"""What a unit asks for: of each run of its parts, from and up to, taken as one word."""


@lru_cache(maxsize=1 << 14)
def wishes(unit: Unit) -> Wishes:
    """What a word asks for, taken as one word and as several."""
    size = len(unit)
    return {
        (start, end): wanted(unit[start] if end - start == 1 else join(unit[start:end]))
        for start in range(size)
        for end in range(start + 1, min(size, start + LONGEST) + 1)
    }


def places(text: Text, query: Phrase) -> list[tuple[int, int]]:
    """Where a phrase stands: the first position of each place, and the one behind its last."""
    found = []
    units = [wishes(unit) for unit in query.units]
    first = frozenset().union(*(wish for (start, _), wish in units[0].items() if start == 0))
    for position, here in enumerate(text.forms):
        if first.isdisjoint(here) and position not in text.joined:
            continue
        ends = {position}
        for unit, asked in zip(query.units, units, strict=True):
            ends = _ends(text, asked, len(unit), ends)
        if ends:
            found.append((position, max(ends)))
    return found


def _ends(text: Text, asked: Wishes, size: int, starts: set[int]) -> set[int]:
    """The positions behind a unit that starts at one of these; it may be printed split, joined or in between."""
    reached: list[set[int]] = [starts, *(set() for _ in range(size))]
    for (start, end), wish in asked.items():
        for position in reached[start]:
            if position < len(text.forms) and not wish.isdisjoint(text.forms[position]):
                reached[end].add(position + 1)
            for span, joined in text.joined.get(position, ()):
                if not wish.isdisjoint(joined):
                    reached[end].add(position + span)
    return reached[size]


def fields_of(query: Phrase) -> tuple[str, ...]:
    """The fields that a phrase is looked for in."""
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
        case Exact() | Prefix() | Fact():
            return None
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
    for name in fields_of(query):
        text = document.texts[name]
        if found_at := places(text, query):
            spans = [(part.start, part.end) for part in parts(text.text)]
            found[name] = [text.text[spans[first][0] : spans[behind - 1][1]] for first, behind in found_at]
    return _fit(Band.SURELY, found)


def _author_fit(query: ByAuthor, document: Document) -> Fit | None:
    fits = [name_fit(query.name, byline.name) for byline in document.bylines]
    best = max(fits, default=NameFit.NOT)
    if best is NameFit.NOT:
        return None
    names = [byline.name for byline, fit in zip(document.bylines, fits, strict=True) if fit is best]
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
