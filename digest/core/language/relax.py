"""What a query would be with one thing less asked for: of one that finds nothing, which part is to blame?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from digest.core.language.canonical import canonical_form, is_positive
from digest.core.language.parser import reading
from digest.core.language.query import And, Exact, InCategory, Not, Or, Phrase, Query, Unit
from digest.errors import QueryError

_LITTLE = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "via", "with"]
)
"""A shortened phrase neither begins nor ends with one of these."""


class Wider(NamedTuple):
    """A query that finds all that another one finds, and perhaps more.

    Attributes:
        without: what of the other one it does not ask for, for people.
        query: in the order of the other one.
    """

    without: str
    query: Query


def wider(query: Query) -> Iterator[Wider]:
    """All queries that ask for one thing less, each once.

    A part of an AND is left out, a NOT too, as long as something to look for remains. A phrase loses its first
    or its last word, its quotes, or the field that it has to stand in; ``=`` gives way to any form of the word,
    ``primary:`` to any place. On each side of an OR, and one thing at a time.
    """
    seen = {canonical_form(query)}
    for one in _wider(query):
        if is_positive(one.query) and (form := canonical_form(one.query)) not in seen:
            seen.add(form)
            yield one


def asked_for(query: Query) -> Iterator[Query]:
    """The parts that are to be there, each a query by itself; not those behind a NOT."""
    match query:
        case And() | Or():
            for part in query.queries:
                yield from asked_for(part)
        case Not():
            return
        case _:
            yield query


def sides(query: Query) -> tuple[Query, ...]:
    """The alternatives of a query: the sides of its OR, or of each OR among the parts of its AND."""
    match query:
        case Or():
            return query.queries
        case And():
            return tuple(side for part in query.queries if isinstance(part, Or) for side in part.queries)
        case _:
            return ()


def _wider(query: Query) -> Iterator[Wider]:
    match query:
        case And():
            for place, part in enumerate(query.queries):
                rest = (*query.queries[:place], *query.queries[place + 1 :])
                left_out = f"({part})" if isinstance(part, And | Or) else str(part)
                yield Wider(left_out, And(queries=rest) if len(rest) > 1 else rest[0])
            yield from _within(query)
        case Or():
            yield from _within(query)
        case Phrase():
            yield from _wider_phrase(query)
        case Exact():
            yield from _any_form(query)
        case InCategory(primary=True):
            yield Wider(f"primary: before {query.code}", InCategory(code=query.code))
        case _:
            return


def _within(query: And | Or) -> Iterator[Wider]:
    """With one part wider."""
    for place, part in enumerate(query.queries):
        for one in _wider(part):
            parts = (*query.queries[:place], one.query, *query.queries[place + 1 :])
            yield Wider(one.without, type(query)(queries=parts))


def _wider_phrase(query: Phrase) -> Iterator[Wider]:
    inner = str(Phrase(units=query.units, near=query.near))
    if len(query.units) > 1:
        words = tuple(Phrase(field=query.field, units=(unit,)) for unit in query.units)
        yield Wider(f"the quotes around {inner}", And(queries=words))
        for units in _shorter(query.units):
            cut = (
                query.units[len(units) :]
                if units == query.units[: len(units)]
                else query.units[: -len(units)]
            )
            shorter = Phrase(field=query.field, units=units, near=query.near if len(units) > 1 else 0)
            yield Wider(f"{' '.join(map('-'.join, cut))} in {inner}", shorter)
    if query.field in {"title", "abstract"}:
        yield Wider(f"{query.field}: before {inner}", Phrase(units=query.units, near=query.near))


def _shorter(units: tuple[Unit, ...]) -> Iterator[tuple[Unit, ...]]:
    """Without the last word, without the first one, and without little words that then end or begin it."""
    last, first = units[:-1], units[1:]
    last = last[: len(last) - _little(last[::-1])]
    first = first[_little(first) :]
    yield from (one for one in (last, first) if one)


def _little(units: tuple[Unit, ...]) -> int:
    """How many little words stand first."""
    return len(list(takewhile(lambda unit: unit[0].lower() in _LITTLE, units)))


def _any_form(query: Exact) -> Iterator[Wider]:
    field = f"{query.field}:" if query.field else ""
    try:
        yield Wider(f"= before {query.text}", reading(f'{field}"{query.text}"').typed)
    except QueryError:
        return  # signs without a letter are nothing to look for but exactly
