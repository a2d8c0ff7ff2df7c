"""Queries in which sources or papers are called by other names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from digest.core.language.canonical import canonicalize_query
from digest.core.language.parser import parse
from digest.core.language.query import And, Fact, Not, Or, Query
from digest.errors import QueryError


def rename_facts(query: Query, rename: Callable[[Fact], str]) -> Query:
    """Give facts other values.

    Args:
        query: in canonical form.
        rename: returns the value that a fact of the query has from now on.

    Returns:
        The canonical form of what results; the same query where nothing has another value.
    """
    renamed = _rename(query, rename)
    return query if renamed == query else canonicalize_query(renamed)


def _rename(query: Query, rename: Callable[[Fact], str]) -> Query:
    match query:
        case Fact():
            return replace(query, value=rename(query))
        case Not():
            return Not(query=_rename(query.query, rename))
        case And() | Or():
            return type(query)(queries=tuple(_rename(part, rename) for part in query.queries))
        case _:
            return query


def rename_in_text(text: str, new_names: Mapping[str, str], query: Query) -> str:
    """What a reader typed, with the names that sources and papers have now.

    Args:
        text: as typed.
        new_names: what a name, in small letters, becomes; at least one.
        query: what the text has to mean afterwards.

    Returns:
        The text with nothing but names changed, or the query itself where that is not what the text would mean.
    """
    pattern = re.compile("|".join(map(re.escape, sorted(new_names, key=len, reverse=True))), re.IGNORECASE)
    text = pattern.sub(lambda match: new_names[match[0].lower()], text)
    try:
        return text if parse(text) == query else str(query)
    except QueryError:
        return str(query)
