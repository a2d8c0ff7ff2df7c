"""Renaming of sources and papers in queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from digest.core.language.canonical import canonicalize_query
from digest.core.language.parser import parse
from digest.core.language.query import And, Fact, Not, Or, Query
from digest.errors import QueryError


def rename_facts(query: Query, rename: Callable[[Fact], str]) -> Query:
    """Return a query with other values of its facts.

    Args:
        query: in canonical form.
        rename: returns the new value of a fact.

    Returns:
        The canonical form of the result; the same object if no value changes.
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
    """Return what a reader typed, with the new names of sources and papers.

    Args:
        text: as typed.
        new_names: by name in lower case; at least one.
        query: the query that the text must mean afterwards.

    Returns:
        The text with only names changed, or the text of ``query`` if the changed text would not mean that.
    """
    pattern = re.compile("|".join(map(re.escape, sorted(new_names, key=len, reverse=True))), re.IGNORECASE)
    text = pattern.sub(lambda match: new_names[match[0].lower()], text)
    try:
        return text if parse(text) == query else str(query)
    except QueryError:
        return str(query)
