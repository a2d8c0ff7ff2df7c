"""Whether and why a query fits a paper: the plain meaning of the language, one query and one paper at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from digest.core.language.query import And, ByAuthor, Exact, Fact, InCategory, Not, Or, Phrase, Prefix, Query
from digest.core.matching.places import places
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
    fits = [fit for leaf in _asked_for(query) if (fit := _leaf(leaf, document))]
    return fits[0].evidence if len(fits) == 1 else _evidence(fits)


def _asked_for(query: Query) -> Iterator[_Leaf]:
    match query:
        case And() | Or():
            for part in query.queries:
                yield from _asked_for(part)
        case Not():
            return
        case _:
            yield query


def _together(band: Band, fits: Sequence[Fit], shown: Sequence[Fit]) -> Fit:
    return Fit(
        band=band,
        evidence=_evidence(shown),
        in_title=any(fit.in_title for fit in fits),
        by_author=max(fit.by_author for fit in fits),
    )


_FIELDS = ("title", "abstract", "comment", "journal", "institution", "author", "category")
"""In the order in which they are shown; facts come behind."""


def _evidence(fits: Iterable[Fit]) -> tuple[Evidence, ...]:
    found: dict[str, dict[str, None]] = {name: {} for name in _FIELDS}
    for fit in fits:
        for evidence in fit.evidence:
            found.setdefault(evidence.field, {}).update(dict.fromkeys(evidence.words))
    return tuple(Evidence(field=name, words=tuple(words)) for name, words in found.items() if words)


# --- what a query asks for ------------------------------------------------------------------------

_Leaf = Phrase | Exact | Prefix | ByAuthor | InCategory | Fact


def _leaf(query: _Leaf, document: Document) -> Fit | None:
    match query:
        case Phrase() | Exact() | Prefix():
            return _words(query, document)
        case ByAuthor():
            return _person(query, document)
        case InCategory():
            among = document.categories[:1] if query.primary else document.categories
            return _fit("category", [code for code in among if covers(query.code, code)])
        case Fact():
            return _fit(query.field, [query.value] if (query.field, query.value) in document.facts else [])


def _words(query: Phrase | Exact | Prefix, document: Document) -> Fit | None:
    name = query.field
    text = document.texts[name]
    found = places(text, query)
    if not found:
        return None
    if name:
        words = dict.fromkeys([text.text[start:end] for start, end in found])
        return Fit(
            band=Band.SURELY,
            evidence=(Evidence(field=name, words=tuple(words)),),
            in_title=name == "title",
        )
    behind = len(document.texts["title"].text)
    title = dict.fromkeys([text.text[start:end] for start, end in found if start < behind])
    abstract = dict.fromkeys([text.text[start:end] for start, end in found if start >= behind])
    evidence = [
        Evidence(field=field, words=tuple(words))
        for field, words in (("title", title), ("abstract", abstract))
        if words
    ]
    return Fit(band=Band.SURELY, evidence=tuple(evidence), in_title=bool(title))


def _fit(field: str, words: Sequence[str]) -> Fit | None:
    if not words:
        return None
    return Fit(band=Band.SURELY, evidence=(Evidence(field=field, words=tuple(dict.fromkeys(words))),))


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
