"""Relaxation of queries: if a query finds nothing, its relaxed forms show which part is to blame."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from digest.core.language.canonical import canonicalize_query, is_positive
from digest.core.language.parser import parse_with_hints
from digest.core.language.query import And, Exact, InCategory, Not, Or, Phrase, Query, Unit
from digest.errors import QueryError

_FUNCTION_WORDS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "via", "with"]
)
"""Words with which a shortened phrase neither begins nor ends."""


class RelaxedQuery(NamedTuple):
    """A query that finds everything that the original query finds, and perhaps more.

    Attributes:
        removed_text: what it does not ask for, in contrast to the original; for people.
        query: in the order of the original.
    """

    removed_text: str
    query: Query


def relax_query(query: Query) -> Iterator[RelaxedQuery]:
    """Yield all queries that ask for one thing less than a query, each once.

    A part of an AND, which may be a NOT, is left out if something to look for remains. A phrase loses its
    first or last word, its quotes, or its field. ``=`` is replaced by any form of the word, and ``primary:``
    by any position. This is done on each side of an OR, one thing at a time.
    """
    canonical_queries = {canonicalize_query(query)}
    for relaxed in _relax(query):
        if (
            is_positive(relaxed.query)
            and (canonical_query := canonicalize_query(relaxed.query)) not in canonical_queries
        ):
            canonical_queries.add(canonical_query)
            yield relaxed


def iter_positive_parts(query: Query) -> Iterator[Query]:
    """Yield the leaves of a query, each a query by itself, except those behind a NOT."""
    match query:
        case And() | Or():
            for part in query.queries:
                yield from iter_positive_parts(part)
        case Not():
            return
        case _:
            yield query


def list_alternatives(query: Query) -> tuple[Query, ...]:
    """Return the alternatives of a query: the sides of its OR, or of each OR among the parts of its AND."""
    match query:
        case Or():
            return query.queries
        case And():
            return tuple(
                alternative for part in query.queries if isinstance(part, Or) for alternative in part.queries
            )
        case _:
            return ()


def _relax(query: Query) -> Iterator[RelaxedQuery]:
    match query:
        case And():
            for index, part in enumerate(query.queries):
                other_parts = (*query.queries[:index], *query.queries[index + 1 :])
                removed_text = f"({part})" if isinstance(part, And | Or) else str(part)
                yield RelaxedQuery(
                    removed_text, And(queries=other_parts) if len(other_parts) > 1 else other_parts[0]
                )
            yield from _relax_parts(query)
        case Or():
            yield from _relax_parts(query)
        case Phrase():
            yield from _relax_phrase(query)
        case Exact():
            yield from _relax_exact(query)
        case InCategory(primary=True):
            yield RelaxedQuery(f"primary: before {query.code}", InCategory(code=query.code))
        case _:
            return


def _relax_parts(query: And | Or) -> Iterator[RelaxedQuery]:
    """Yield the query with one of its parts relaxed."""
    for index, part in enumerate(query.queries):
        for relaxed in _relax(part):
            parts = (*query.queries[:index], relaxed.query, *query.queries[index + 1 :])
            yield RelaxedQuery(relaxed.removed_text, type(query)(queries=parts))


def _relax_phrase(query: Phrase) -> Iterator[RelaxedQuery]:
    inner = str(Phrase(units=query.units, near=query.near))
    if len(query.units) > 1:
        words = tuple(Phrase(field=query.field, units=(unit,)) for unit in query.units)
        yield RelaxedQuery(f"the quotes around {inner}", And(queries=words))
        for units in _shorten_phrase(query.units):
            removed_units = (
                query.units[len(units) :]
                if units == query.units[: len(units)]
                else query.units[: -len(units)]
            )
            shortened = Phrase(field=query.field, units=units, near=query.near if len(units) > 1 else 0)
            yield RelaxedQuery(f"{' '.join(map('-'.join, removed_units))} in {inner}", shortened)
    if query.field in {"title", "abstract"}:
        yield RelaxedQuery(f"{query.field}: before {inner}", Phrase(units=query.units, near=query.near))


def _shorten_phrase(units: tuple[Unit, ...]) -> Iterator[tuple[Unit, ...]]:
    """Yield a phrase without its last word and without its first word, and without function words at the new end."""
    without_last, without_first = units[:-1], units[1:]
    without_last = without_last[: len(without_last) - _count_function_words(without_last[::-1])]
    without_first = without_first[_count_function_words(without_first) :]
    yield from (shortened for shortened in (without_last, without_first) if shortened)


def _count_function_words(units: tuple[Unit, ...]) -> int:
    """Count the function words at the beginning."""
    return len(list(takewhile(lambda unit: unit[0].lower() in _FUNCTION_WORDS, units)))


def _relax_exact(query: Exact) -> Iterator[RelaxedQuery]:
    field = f"{query.field}:" if query.field else ""
    try:
        yield RelaxedQuery(f"= before {query.text}", parse_with_hints(f'{field}"{query.text}"').typed_query)
    except QueryError:
        return  # signs without a letter can only be looked for exactly
