"""Candidates of a query among all papers: documents of the index that the query may match, as operations on lookups.

The database computes them, newest first, and stops when there are enough; so a query with frequent words costs no
more than others. No matching paper is missed. The evaluator (``digest.core.matching.evaluate``) decides about the
candidates for which the index does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.language.query import And, ByAuthor, Not, Or, Query
from digest.core.matching.event_queries import (
    group_events,
    has_event_facts,
    parse_event_summary,
)
from digest.core.matching.lookups import (
    NO_MATCH,
    AdjacentTerms,
    AnyOf,
    Lookup,
    TermDictionary,
    TermPrefix,
    build_any_term,
    build_leaf_lookups,
    build_name_lookup,
)
from digest.core.matching.paper_terms import EVENT, UNREAD_TERM, Column, make_field_term

# --- documents ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InColumns:
    """The documents in which one of some columns matches a lookup."""

    columns: tuple[Column, ...]
    lookup: Lookup


@dataclass(frozen=True, slots=True)
class Union:
    """The documents in any of some sets."""

    parts: tuple[Documents, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    """The documents in all of some sets."""

    parts: tuple[Documents, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The documents of a set that are not in another one."""

    base: Documents
    removed: Documents


Documents = InColumns | Union | Intersection | Difference
NO_DOCUMENTS = Union(())


class _DocumentSet(NamedTuple):
    """Documents, or all documents except these."""

    documents: Documents
    is_complement: bool = False


def _complement(selection: _DocumentSet) -> _DocumentSet:
    return _DocumentSet(selection.documents, not selection.is_complement)


def _intersect(selections: Iterable[_DocumentSet]) -> _DocumentSet:
    bases: dict[Documents, None] = {}
    removed: dict[Documents, None] = {}
    for documents, is_complement in selections:
        (removed if is_complement else bases)[documents] = None
    removed.pop(NO_DOCUMENTS, None)
    excluded = _unite_documents([*removed])
    if not bases:
        return _DocumentSet(excluded, is_complement=True)
    if NO_DOCUMENTS in bases or not bases.keys().isdisjoint(removed):
        return _DocumentSet(NO_DOCUMENTS)
    base = Intersection(tuple(bases)) if len(bases) > 1 else next(iter(bases))
    return _DocumentSet(_subtract(base, excluded) if removed else base)


def _subtract(base: Documents, excluded: Documents) -> Documents:
    """Return a difference, in which the sets of a union that are excluded altogether need not be looked up."""
    if isinstance(base, Union):
        base = _unite_documents([part for part in base.parts if part != excluded])
    return Difference(base, excluded)


def _unite(selections: Iterable[_DocumentSet]) -> _DocumentSet:
    complements = [_complement(selection) for selection in selections]
    if all(is_complement for _, is_complement in complements):
        return _DocumentSet(_unite_documents([documents for documents, _ in complements]))
    return _complement(_intersect(complements))


def _unite_documents(parts: Sequence[Documents]) -> Documents:
    distinct = dict.fromkeys(part for part in parts if part != NO_DOCUMENTS)
    return next(iter(distinct)) if len(distinct) == 1 else Union(tuple(distinct))


# --- queries --------------------------------------------------------------------------------------


class Candidates(NamedTuple):
    """The documents that a query may match.

    Attributes:
        possible: all of them.
        undecided: those of them for which the evaluator must decide; the query surely matches the others.
    """

    possible: Documents
    undecided: Documents


class _CandidateBounds(NamedTuple):
    """The documents that a query surely matches, and those that it may match."""

    sure: _DocumentSet
    possible: _DocumentSet


def _join(
    bounds: Iterable[_CandidateBounds], join: Callable[[Sequence[_DocumentSet]], _DocumentSet]
) -> _CandidateBounds:
    sure, possible = zip(*bounds, strict=True) if (bounds := [*bounds]) else ((), ())
    return _CandidateBounds(join(sure), join(possible))


_EVERY_SELECTION = _DocumentSet(NO_DOCUMENTS, is_complement=True)
_UNBOUNDED = _CandidateBounds(_EVERY_SELECTION, _EVERY_SELECTION)

_UNREAD = InColumns(("body",), AdjacentTerms((UNREAD_TERM,)))
_EVERYTHING = InColumns(("body",), TermPrefix(make_field_term(EVENT, "")))
"""Each document has terms of events or, if the paper has none, of sources."""


class CandidateBuilder:
    """Builder of the candidates of queries.

    Args:
        dictionary: the terms of the index.
        list_names: returns the names that a person without a name in the query signs with, according to ids.
    """

    def __init__(self, dictionary: TermDictionary, list_names: Callable[[ByAuthor], Iterable[str]]) -> None:
        self._dictionary = dictionary
        self._list_names = list_names

    def build(self, query: Query) -> Candidates:
        """Build the candidates of a query."""
        sure, possible = self._bound_by_events(query) if has_event_facts(query) else self._bound(query)
        everything = _DocumentSet(_EVERYTHING)
        decided = _intersect([everything, sure]) if sure.is_complement else sure
        found = _intersect([everything, possible]) if possible.is_complement else possible
        undecided = _intersect([found, _complement(decided)])
        unread = _DocumentSet(_UNREAD)
        return Candidates(_unite([found, unread]).documents, _unite([undecided, unread]).documents)

    def _bound_by_events(self, query: Query) -> _CandidateBounds:
        """Return the bounds of a query that depends on events: for each kind and source that occurs, and united."""
        prefix = make_field_term(EVENT, "")
        terms = {
            parse_event_summary(term.removeprefix(prefix)): term
            for term in self._dictionary.find_terms([prefix])
        }
        bounds = []
        for remaining_query, events in group_events(query, terms).items():
            lookup = build_any_term(sorted(terms[event] for event in events))
            has_event = _DocumentSet(InColumns(("body",), lookup))
            sure, possible = _UNBOUNDED if isinstance(remaining_query, bool) else self._bound(remaining_query)
            bounds.append(_CandidateBounds(_intersect([has_event, sure]), _intersect([has_event, possible])))
        return _join(bounds, _unite)

    def _bound(self, query: Query) -> _CandidateBounds:
        match query:
            case And():
                return _join(map(self._bound, query.queries), _intersect)
            case Or():
                return _join(map(self._bound, query.queries), _unite)
            case Not():
                sure, possible = self._bound(query.query)
                return _CandidateBounds(_complement(possible), _complement(sure))
            case ByAuthor() if not query.name:
                by_name = build_name_lookup(self._list_names(query))
                by_id = build_leaf_lookups(query, self._dictionary).possible
                return self._bound_lookups(("body",), NO_MATCH, AnyOf((by_id, by_name)))
            case _:
                return self._bound_lookups(*build_leaf_lookups(query, self._dictionary))

    @staticmethod
    def _bound_lookups(columns: tuple[Column, ...], sure: Lookup, possible: Lookup) -> _CandidateBounds:
        sure_documents = InColumns(columns, sure) if sure is not NO_MATCH else NO_DOCUMENTS
        possible_documents = InColumns(columns, possible) if possible is not NO_MATCH else NO_DOCUMENTS
        return _CandidateBounds(
            _DocumentSet(sure_documents), _DocumentSet(_unite_documents([sure_documents, possible_documents]))
        )
