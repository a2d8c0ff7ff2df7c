"""Terms and queries in the form of ``tsvector`` and ``tsquery``, for the posting lists on PostgreSQL.

PostgreSQL combines the posting lists of one column without looking at any row, but not those of two columns. So there
is a column of titles, and one that has everything; in it, the positions of titles have the weight A, and those of
abstracts the weight D.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from digest.core.matching.lookups import AdjacentTerms, AllOf, AnyOf, Lookup, NearTerms, TermPrefix
from digest.core.matching.paper_terms import FIELD_SEPARATOR, ColumnTerms
from digest.core.matching.search.candidates import Difference, Documents, InColumns, Intersection, Union
from digest.store.matching.expressions import join_all, join_any

_LAST_POSITION = 16_383
"""Highest position in a ``tsvector``; it stands for terms without a position."""
_COLUMN_GAP = 64
"""Number of positions between title and abstract, which no words near each other have between them."""


def build_title_vector(title: ColumnTerms) -> str:
    """Write the terms of a title as a ``tsvector``."""
    positions: dict[str, list[str]] = {}
    for position, term in enumerate(title.words, start=1):
        positions.setdefault(term, []).append(str(position))
    return _write_vector(positions, title.unpositioned)


def build_whole_vector(title: ColumnTerms, body: ColumnTerms) -> str:
    """Write all terms of a paper as a ``tsvector``, those of the title with the weight A."""
    positions: dict[str, list[str]] = {}
    for position, term in enumerate(title.words, start=1):
        positions.setdefault(term, []).append(f"{position}A")
    for position, term in enumerate(body.words, start=len(title.words) + _COLUMN_GAP):
        positions.setdefault(term, []).append(str(position))
    for term in title.unpositioned:
        positions.setdefault(term, []).append(f"{_LAST_POSITION - 1}A")
    for term in body.unpositioned:
        if not _is_field_term(term):
            positions.setdefault(term, []).append(str(_LAST_POSITION))
    return _write_vector(positions, filter(_is_field_term, body.unpositioned))


def _write_vector(positions: Mapping[str, Iterable[str]], unpositioned: Iterable[str]) -> str:
    positioned = [f"{_quote_term(term)}:{','.join(entries)}" for term, entries in positions.items()]
    return " ".join((*positioned, *map(_quote_term, unpositioned)))


def _build_ts_query(lookup: Lookup, weight: str = "") -> str:
    """Write a lookup as a ``tsquery``; "" if it matches nothing.

    Args:
        lookup: the lookup.
        weight: the weight that the positions of words must have; "" for any.
    """

    def write(term: str, mark: str = "") -> str:
        marks = mark + ("" if _is_field_term(term) else weight)
        return f"{_quote_term(term)}:{marks}" if marks else _quote_term(term)

    match lookup:
        case AdjacentTerms():
            return f"({' <-> '.join(map(write, lookup.terms))})"
        case TermPrefix():
            return f"({' <-> '.join((*map(write, lookup.preceding), write(lookup.prefix, '*')))})"
        case NearTerms():
            words = [f"({' | '.join(map(write, alternatives))})" for alternatives in lookup.words]
            if len(words) != 2:  # a tsquery has distances between two words, but no nearness of several
                return f"({' & '.join(words)})"
            return f"({' | '.join(f'{words[0]} <{distance}> {words[1]}' for distance in range(1, lookup.max_gap + 2))})"
        case AllOf():
            return join_all([_build_ts_query(part, weight) for part in lookup.parts], " & ")
        case AnyOf():
            return join_any([_build_ts_query(part, weight) for part in lookup.parts], " | ")


def _build_whole_query(documents: Documents) -> str | None:
    """Write a set of documents as one ``tsquery`` for the column of everything; "" if it is empty.

    None if titles alone decide about it.
    """
    match documents:
        case InColumns(columns=("title",)):
            return None
        case InColumns():
            return _build_ts_query(documents.lookup, "" if "title" in documents.columns else "D")
        case Union() | Intersection():
            queries = [_build_whole_query(part) for part in documents.parts]
            known = [query for query in queries if query is not None]
            if len(known) < len(queries):
                return None
            return join_any(known, " | ") if isinstance(documents, Union) else join_all(known, " & ")
        case Difference():
            base, removed = map(_build_whole_query, (documents.base, documents.removed))
            if base is None or removed is None:
                return None
            return f"({base} & !{removed})" if base and removed else base


def build_condition(documents: Documents) -> tuple[str, list[str]]:
    """Write a set of documents as an SQL condition and its parameters; "" if it is empty."""
    query_text = _build_whole_query(documents)
    if query_text is not None:
        return ("whole @@ CAST(%s AS tsquery)", [query_text]) if query_text else ("", [])
    match documents:
        case InColumns():
            title_query = _build_ts_query(documents.lookup)
            return ("title @@ CAST(%s AS tsquery)", [title_query]) if title_query else ("", [])
        case Union():
            return _join_conditions(_merge_parts(documents.parts, Union), " OR ", needs_all=False)
        case Intersection():
            return _join_conditions(_merge_parts(documents.parts, Intersection), " AND ", needs_all=True)
        case Difference():
            (base, params), (removed, removed_params) = map(
                build_condition, (documents.base, documents.removed)
            )
            return (
                (f"({base} AND NOT ({removed}))", params + removed_params)
                if base and removed
                else (base, params)
            )


def _merge_parts(parts: Sequence[Documents], join: type[Union | Intersection]) -> list[tuple[str, list[str]]]:
    """Build the conditions of parts, one for all that can be one ``tsquery``."""
    mergeable = [part for part in parts if _build_whole_query(part) is not None]
    others = [part for part in parts if _build_whole_query(part) is None]
    return [
        *([build_condition(join(tuple(mergeable)))] if mergeable else []),
        *map(build_condition, others),
    ]


def _join_conditions(
    conditions: Sequence[tuple[str, list[str]]], operator: str, *, needs_all: bool
) -> tuple[str, list[str]]:
    if needs_all and any(not condition for condition, _ in conditions):
        return "", []
    known = [(condition, params) for condition, params in conditions if condition]
    joined = operator.join(condition for condition, _ in known)
    return f"({joined})" if joined else "", [param for _, params in known for param in params]


def _is_field_term(term: str) -> bool:
    """Whether a term is about a field other than title and abstract, so that it needs no weight."""
    return term.startswith(FIELD_SEPARATOR)


def _quote_term(term: str) -> str:
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
