"""Whether and why a query fits a paper: the plain meaning of the language, one query and one paper at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

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
from digest.core.matching.positions import lacks, needed, places
from digest.core.names.fitting import NameFit, name_fit
from digest.core.papers.document import Byline, Document
from digest.core.papers.taxonomy import covers
from digest.model import Band, Evidence, Fit


def evaluate(query: Query, document: Document) -> Fit | None:
    """Whether and why a query fits a paper; None if it does not.

    AND is as sure as its least sure part, OR as its surest one; NOT takes nothing away by a maybe. The evidence
    of an OR is that of its surest parts.
    """
    match query:
        case Not():
            inner = evaluate(query.query, document)
            return None if inner and inner.band >= Band.LIKELY else Fit(band=Band.SURELY, evidence=())
        case And():
            fits = []
            for part in query.queries:
                fit = evaluate(part, document)
                if fit is None:
                    return None
                fits.append(fit)
            return _together(min(fit.band for fit in fits), fits, fits)
        case Or():
            some = [fit for part in query.queries if (fit := evaluate(part, document))]
            best = max((fit.band for fit in some), default=Band.NOT)
            return _together(best, some, [fit for fit in some if fit.band is best]) if some else None
        case _:
            return _leaf(query, document)


def reasons(query: Query, document: Document) -> tuple[Evidence, ...]:
    """What to show of a paper that a query is known to fit: the evidence of all that it asks for and that is there.

    A person who was known by nothing but ids of other papers is found only if the bylines have their standings.
    """
    found = to_mark(asked_for(query), document)
    return tuple([Evidence(field=field, words=tuple(words)) for field, words in found])


def to_mark(asked: Iterable[Asked], document: Document) -> _Shown:
    """The same for what a query asks for: who shows many papers of it takes it apart once.

    Returns:
        Fields, and the words in each.
    """
    found: dict[str, dict[str, None]] = {}
    for leaf, field, words in asked:
        if words and lacks(document.texts[field], words):  # most fit by another side of an OR
            continue
        for name, here in _shown(leaf, document):
            if name in found:
                found[name].update(here)
            else:
                found[name] = here
    return [(name, found[name]) for name in (found if len(found) < 2 else sorted(found, key=_order))]


class Asked(NamedTuple):
    """A part of a query that asks for something.

    Attributes:
        field: of a phrase, where it is looked for.
        words: of a phrase, what a text must have for it.
    """

    leaf: Leaf
    field: str = ""
    words: tuple[frozenset[str], ...] = ()


def asked_for(query: Query) -> tuple[Asked, ...]:
    """What a query asks for, without what it takes out."""
    match query:
        case And() | Or():
            return tuple([asked for part in query.queries for asked in asked_for(part)])
        case Not():
            return ()
        case Phrase():
            return (Asked(query, query.field, needed(query.units)),)
        case _:
            return (Asked(query),)


def _together(band: Band, fits: Sequence[Fit], shown: Sequence[Fit]) -> Fit:
    return Fit(
        band=band,
        evidence=_evidence(shown),
        in_title=any(fit.in_title for fit in fits),
        by_author=max(fit.by_author for fit in fits),
    )


_FIELDS = ("title", "abstract", "comment", "journal", "institution", "author", "category")
"""In the order in which they are shown; facts come behind."""
_ORDER = {name: place for place, name in enumerate(_FIELDS)}


def _order(field: str) -> int:
    return _ORDER.get(field, len(_FIELDS))


def _evidence(fits: Iterable[Fit]) -> tuple[Evidence, ...]:
    found: dict[str, dict[str, None]] = {}
    for fit in fits:
        for evidence in fit.evidence:
            found.setdefault(evidence.field, {}).update(dict.fromkeys(evidence.words))
    return tuple(Evidence(field=name, words=tuple(found[name])) for name in sorted(found, key=_order))


# --- what a query asks for ------------------------------------------------------------------------

Leaf = TextQuery | ByAuthor | InCategory | Fact
"""What stands by itself in a query."""
_Shown = Sequence[tuple[str, dict[str, None]]]
"""Words of a paper, in their order, by their field."""


def _leaf(query: Leaf, document: Document) -> Fit | None:
    if isinstance(query, ByAuthor):
        return _person(query, document)
    shown = _shown(query, document)
    if not shown:
        return None
    evidence = tuple([Evidence(field=field, words=tuple(words)) for field, words in shown])
    in_words = not isinstance(query, InCategory | Fact)
    return Fit(band=Band.SURELY, evidence=evidence, in_title=in_words and shown[0][0] == "title")


def _shown(query: Leaf, document: Document) -> _Shown:
    """What of a paper a query is fitted by; nothing if it does not fit."""
    match query:
        case Phrase() | Exact() | Prefix():
            return _words(query, document)
        case ByAuthor():
            fit = _person(query, document)
            return [(one.field, dict.fromkeys(one.words)) for one in fit.evidence] if fit else ()
        case InCategory():
            among = document.categories[:1] if query.primary else document.categories
            codes = [code for code in among if covers(query.code, code)]
            return [("category", dict.fromkeys(codes))] if codes else ()
        case Fact():
            return (
                [(query.field, {query.value: None})] if (query.field, query.value) in document.facts else ()
            )


def _words(query: TextQuery, document: Document) -> _Shown:
    name = query.field
    text = document.texts[name]
    found = places(text, query)
    if not found:
        return ()
    printed = text.text
    words = [printed[start:end] for start, end in found]
    if name:
        return [(name, dict.fromkeys(words))]
    behind = len(document.texts["title"].text)
    if found[0][0] >= behind:  # as it is mostly
        return [("abstract", dict.fromkeys(words))]
    if found[-1][0] < behind:
        return [("title", dict.fromkeys(words))]
    size = sum([start < behind for start, _ in found])
    return [("title", dict.fromkeys(words[:size])), ("abstract", dict.fromkeys(words[size:]))]


# --- persons --------------------------------------------------------------------------------------


def _person(query: ByAuthor, document: Document) -> Fit | None:
    bands = [byline_band(query, byline) for byline in document.bylines]
    best = max(bands, default=Band.NOT)
    if best is Band.NOT:
        return None
    names = dict.fromkeys(
        byline.name for byline, band in zip(document.bylines, bands, strict=True) if band is best
    )
    return Fit(band=best, evidence=(Evidence(field="author", words=tuple(names)),), by_author=best)


def byline_band(query: ByAuthor, byline: Byline, fit: Callable[[str, str], NameFit] = name_fit) -> Band:
    """How surely a byline is that person; an id says more than a name, and another id of a kind says no.

    Args:
        query: the person.
        byline: of a paper.
        fit: says how well the printed name fits.
    """
    if not byline.ids.isdisjoint(query.ids):
        return Band.SURELY
    by_name = fit(query.name, byline.name) if query.name else NameFit.NOT
    if not byline.standing.ids.isdisjoint(query.ids):
        return Band.NOT if query.name and by_name is NameFit.NOT else Band.LIKELY
    schemes = {scheme for scheme, _ in query.ids}
    if any(scheme in schemes for scheme, _ in byline.ids | byline.standing.ids):
        return Band.NOT
    if by_name is NameFit.FULL and byline.standing.sole:
        return Band.LIKELY
    return Band.NOT if by_name is NameFit.NOT else Band.MAYBE
