"""The one form of all queries that mean the same but for order, case and brackets, and what such a form asks for.

No form is larger than the query: nothing is multiplied out.
"""

from __future__ import annotations

from collections.abc import Callable

from digest.core.language.query import And, ByAuthor, Exact, Fact, InCategory, Not, Or, Phrase, Prefix, Query
from digest.core.papers import taxonomy
from digest.core.text.words import canonical, canonical_beginning


def canonical_form(query: Query) -> Query:
    """The one form of all queries that mean the same but for order, case and brackets."""
    match query:
        case Phrase():
            units = tuple(tuple(map(canonical, unit)) for unit in query.units)
            return Phrase(field=query.field, units=units, near=query.near if len(units) > 1 else 0)
        case Prefix():
            *whole, begun = query.unit
            return Prefix(field=query.field, unit=(*map(canonical, whole), canonical_beginning(begun)))
        case ByAuthor():
            return ByAuthor(name=query.name, ids=tuple(sorted(set(query.ids))))
        case InCategory():
            code = query.code.lower().removesuffix(".*")
            return InCategory(code=taxonomy.canonical(code), primary=query.primary)
        case Exact() | Fact():
            return query
        case Not():
            inner = canonical_form(query.query)
            return inner.query if isinstance(inner, Not) else Not(query=inner)
        case And() | Or():
            kind = type(query)
            flat = {part for inner in map(canonical_form, query.queries) for part in _parts(inner, kind)}
            ordered = tuple(sorted(flat, key=str))
            return ordered[0] if len(ordered) == 1 else kind(queries=ordered)


def _parts(query: Query, kind: type[And | Or]) -> tuple[Query, ...]:
    return query.queries if isinstance(query, And | Or) and type(query) is kind else (query,)


def is_positive(query: Query) -> bool:
    """Whether each alternative of the disjunctive form has something to look for."""
    return _each_has(query, lambda _: True)


def is_narrowed(query: Query) -> bool:
    """Whether each alternative has more to look for than kinds, sources and whether there is code."""
    return _each_has(query, lambda leaf: not (isinstance(leaf, Fact) and leaf.field in _FILTERS))


_FILTERS = frozenset({"kind", "source", "has"})


def _each_has(query: Query, counts: Callable[[Query], bool], *, negated: bool = False) -> bool:
    match query:
        case Not():
            return _each_has(query.query, counts, negated=not negated)
        case And() | Or():
            every = isinstance(query, Or) != negated
            found = (_each_has(inner, counts, negated=negated) for inner in query.queries)
            return all(found) if every else any(found)
        case _:
            return not negated and counts(query)
