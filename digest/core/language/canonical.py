"""The canonical form of queries that differ only in order, case and brackets, and checks of what it asks for.

The form is never larger than the query: nothing is multiplied out.
"""

from __future__ import annotations

from collections.abc import Callable

from digest.core.language.query import And, ByAuthor, Exact, Fact, InCategory, Not, Or, Phrase, Prefix, Query
from digest.core.papers import taxonomy
from digest.core.text.words import normalize_prefix, normalize_word


def canonicalize_query(query: Query) -> Query:
    """Return the canonical form of a query, the same for all that differ only in order, case and brackets."""
    match query:
        case Phrase():
            units = tuple(tuple(map(normalize_word, unit)) for unit in query.units)
            return Phrase(field=query.field, units=units, near=query.near if len(units) > 1 else 0)
        case Prefix():
            *complete_parts, prefix = query.unit
            return Prefix(
                field=query.field, unit=(*map(normalize_word, complete_parts), normalize_prefix(prefix))
            )
        case ByAuthor():
            return ByAuthor(name=query.name, ids=tuple(sorted(set(query.ids))))
        case InCategory():
            code = query.code.lower().removesuffix(".*").strip()
            return InCategory(code=taxonomy.canonicalize_category(code), primary=query.primary)
        case Exact() | Fact():
            return query
        case Not():
            canonical_part = canonicalize_query(query.query)
            return canonical_part.query if isinstance(canonical_part, Not) else Not(query=canonical_part)
        case And() | Or():
            kind = type(query)
            parts = {
                part
                for canonical_part in map(canonicalize_query, query.queries)
                for part in _get_parts(canonical_part, kind)
            }
            ordered = tuple(sorted(parts, key=str))
            return ordered[0] if len(ordered) == 1 else kind(queries=ordered)


def _get_parts(query: Query, kind: type[And | Or]) -> tuple[Query, ...]:
    return query.queries if isinstance(query, And | Or) and type(query) is kind else (query,)


def is_positive(query: Query) -> bool:
    """Whether each alternative of the disjunctive normal form has something to look for."""
    return _has_leaf_in_each(query, lambda _: True)


def is_narrowed(query: Query) -> bool:
    """Whether each alternative asks for more than kinds, sources and code."""
    return _has_leaf_in_each(
        query, lambda leaf: not (isinstance(leaf, Fact) and leaf.field in _FILTER_FIELDS)
    )


_FILTER_FIELDS = frozenset({"kind", "source", "has"})


def _has_leaf_in_each(query: Query, is_counted: Callable[[Query], bool], *, negated: bool = False) -> bool:
    match query:
        case Not():
            return _has_leaf_in_each(query.query, is_counted, negated=not negated)
        case And() | Or():
            all_required = isinstance(query, Or) != negated
            checks = (_has_leaf_in_each(inner, is_counted, negated=negated) for inner in query.queries)
            return all(checks) if all_required else any(checks)
        case _:
            return not negated and is_counted(query)
