"""Posting lists of the index of papers: FTS5 on SQLite, ``tsvector`` with GIN on PostgreSQL.

Migrations 0015 (SQLite) and 0026 (PostgreSQL) create the table. PostgreSQL combines the posting lists of one column
without looking at any row, but not those of two columns. So there is a column of titles, and one that has everything;
in it, the positions of titles have the weight A, and those of abstracts the weight D. Documents are numbered in the order of days
(``core/matching/search/document_numbers.py``) and never changed. SQLite cannot delete a document without its terms, so a
document that no paper refers to stays until the index is emptied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from sqlalchemy import Connection, table

from digest.core.matching.lookups import AdjacentTerms, AllOf, AnyOf, Lookup, NearTerms, TermPrefix
from digest.core.matching.paper_terms import FIELD_SEPARATOR, TERM_SEPARATOR, ColumnTerms
from digest.core.matching.search.candidates import Difference, Documents, InColumns, Intersection, Union
from digest.store.database.dialect import insert_bulk

MAX_DOCUMENT = (1 << 63) - 1
"""Highest number that the databases can store."""
TABLE = "paper_terms"
_TABLE = table(TABLE)


class IndexedDocument(NamedTuple):
    """Terms of a paper in the index.

    Attributes:
        number: the number of the document, never used before.
    """

    number: int
    title: ColumnTerms
    body: ColumnTerms


def clear_postings(connection: Connection) -> None:
    """Empty the posting lists."""
    if _is_sqlite(connection):
        sql = f"INSERT INTO {TABLE} ({TABLE}) VALUES ('delete-all')"  # noqa: S608 - names of our own
        connection.exec_driver_sql(sql)
    else:
        connection.exec_driver_sql(f"TRUNCATE {TABLE}")


def add_documents(connection: Connection, documents: Sequence[IndexedDocument]) -> None:
    """Add documents to the posting lists."""
    if _is_sqlite(connection):
        columns = "rowid", "title", "body"
        rows = [
            (document.number, _build_text(document.title), _build_text(document.body))
            for document in documents
        ]
    else:
        columns = "document", "title", "whole"
        rows = [
            (document.number, _build_title_vector(document.title), _build_whole_vector(document))
            for document in documents
        ]
    insert_bulk(connection, _TABLE, columns, rows)


def remove_documents(connection: Connection, document_ids: Iterable[int]) -> None:
    """Remove documents on PostgreSQL; does nothing on SQLite."""
    if not _is_sqlite(connection) and (ids := list(document_ids)):
        connection.exec_driver_sql(f"DELETE FROM {TABLE} WHERE document = ANY(%s)", (ids,))  # noqa: S608


def find_documents(connection: Connection, documents: Documents, first: int) -> list[int]:
    """Return the numbers of the documents of a set, from a number on, in any order."""
    if _is_sqlite(connection):
        expression = build_fts_expression(documents)
        values: tuple[Any, ...] = (expression, first)
        sql = f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH ? AND rowid >= ?"  # noqa: S608
    else:
        expression, params = _build_condition(documents)
        values = (*params, first)
        sql = f"SELECT document FROM {TABLE} WHERE {expression} AND document >= %s"  # noqa: S608
    return _fetch_numbers(connection, sql, values) if expression else []


def _fetch_numbers(connection: Connection, sql: str, values: tuple[Any, ...]) -> list[int]:
    cursor_result = connection.exec_driver_sql(sql, values)
    try:
        return [number for (number,) in cursor_result.cursor.fetchall()]
    finally:
        cursor_result.close()


def prepare_search(connection: Connection) -> None:
    """Let PostgreSQL combine posting lists in this transaction, whatever a query asks for; does nothing on SQLite.

    For frequent words it would read the rows and compare each, which it takes for one of the cheapest operations.
    But the vectors of a paper are kept apart from its row (TOAST), and reading one takes 10 µs: that is 20 times the
    time of the posting lists.
    """
    if not _is_sqlite(connection):
        ruled_out = "enable_seqscan", "enable_indexscan", "jit"
        settings = [*(f"{name} = off" for name in ruled_out), "max_parallel_workers_per_gather = 0"]
        connection.exec_driver_sql("; ".join(f"SET LOCAL {setting}" for setting in settings))


def find_last_document(connection: Connection, before: int) -> int:
    """Return the highest number of a document below a number, even if it was removed; -1 if there is none."""
    if _is_sqlite(connection):
        sql = f"SELECT max(id) FROM {TABLE}_docsize WHERE id < ?"  # noqa: S608
    else:
        sql = f"SELECT max(document) FROM {TABLE} WHERE document < %s"  # noqa: S608
    last: int | None = connection.exec_driver_sql(sql, (before,)).scalar()
    return -1 if last is None else last


def find_newest(
    connection: Connection, documents: Documents, limit: int, *, first: int = 0, before: int = MAX_DOCUMENT
) -> list[int]:
    """Return the documents with the highest numbers of a set, the highest first.

    Args:
        connection: a connection to the database.
        documents: the set; on SQLite, documents that no paper refers to any more can be among the results.
        limit: maximum number of documents.
        first: only documents with this number or a higher one.
        before: only documents with a lower number.
    """
    if _is_sqlite(connection):
        expression = build_fts_expression(documents)
        values: tuple[Any, ...] = (expression, first, before, limit)
        sql = f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
    else:
        expression, params = _build_condition(documents)
        values = (*params, first, before, limit)
        # OFFSET 0 keeps the planner from reading the rows in their order, and the vector of each.
        found = (
            f"SELECT document FROM {TABLE} WHERE {expression} AND document >= %s AND document < %s OFFSET 0"  # noqa: S608
        )
        sql = f"SELECT document FROM ({found}) AS found ORDER BY document DESC LIMIT %s"  # noqa: S608
    return _fetch_numbers(connection, sql, values) if expression else []


def _is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


# --- SQLite ---------------------------------------------------------------------------------------

_ENCODED_CHARACTERS = {
    code: 0xE000 + code for code in range(128) if not (chr(code).isdigit() or chr(code).islower())
}
"""Private use characters for the ASCII signs and capitals, which the tokenizer would drop or lowercase."""
_ENCODED_SIGNS = {chr(code): chr(to) for code, to in _ENCODED_CHARACTERS.items()}
_SIGN = re.compile(rf"[^{TERM_SEPARATOR}0-9a-z\x80-\U0010ffff]")


def _encode_term(term: str) -> str:
    return term.translate(_ENCODED_CHARACTERS)


def _encode_joined_terms(joined_terms: str) -> str:
    """Encode terms that are joined by ``TERM_SEPARATOR``.

    The regular expression takes a third of the time of ``str.translate``, because words contain few signs.
    """
    return _SIGN.sub(_encode_sign, joined_terms)


def _encode_sign(match: re.Match[str]) -> str:
    return _ENCODED_SIGNS[match[0]]


def _build_text(terms: ColumnTerms) -> str:
    """Return a text for FTS5 with one term per line."""
    return _encode_joined_terms(TERM_SEPARATOR.join((terms.joined_words, *terms.unpositioned)))


def _build_fts_query(lookup: Lookup) -> str:
    """Write a lookup as an FTS5 query; "" if it matches nothing."""
    match lookup:
        case AdjacentTerms():
            return f'"{" ".join(map(_encode_term, lookup.terms))}"'
        case TermPrefix():
            return f'"{" ".join(map(_encode_term, (*lookup.preceding, lookup.prefix)))}" *'
        case NearTerms():
            rows = [" ".join(f'"{_encode_term(word)}"' for word in row) for row in product(*lookup.words)]
            return f"({' OR '.join(f'NEAR({row}, {lookup.max_gap})' for row in rows)})"
        case AllOf():
            return _join_parts([_build_fts_query(part) for part in lookup.parts], " AND ", needs_all=True)
        case AnyOf():
            return _join_parts([_build_fts_query(part) for part in lookup.parts], " OR ", needs_all=False)


def _join_parts(parts: Sequence[str], operator: str, *, needs_all: bool) -> str:
    queries = list(dict.fromkeys(filter(None, parts)))
    if not queries or (needs_all and "" in parts):
        return ""
    return queries[0] if len(queries) == 1 else f"({operator.join(queries)})"


def build_fts_expression(documents: Documents) -> str:
    """Write a set of documents as an FTS5 query; "" if it is empty."""
    match documents:
        case InColumns():
            query_text = _build_fts_query(documents.lookup)
            columns = " ".join(documents.columns)
            return f"({{{columns}}} : ({query_text}))" if query_text else ""
        case Union():
            return _join_parts([*map(build_fts_expression, documents.parts)], " OR ", needs_all=False)
        case Intersection():
            return _join_parts([*map(build_fts_expression, documents.parts)], " AND ", needs_all=True)
        case Difference():
            base, removed = map(build_fts_expression, (documents.base, documents.removed))
            return f"({base} NOT {removed})" if base and removed else base


# --- PostgreSQL -----------------------------------------------------------------------------------


_LAST_POSITION = 16_383
"""Highest position in a ``tsvector``; it stands for terms without a position."""
_COLUMN_GAP = 64
"""Number of positions between title and abstract, which no words near each other have between them."""


def _build_title_vector(title: ColumnTerms) -> str:
    """Write the terms of a title as a ``tsvector``."""
    positions: dict[str, list[str]] = {}
    for position, term in enumerate(title.words, start=1):
        positions.setdefault(term, []).append(str(position))
    return _write_vector(positions, title.unpositioned)


def _build_whole_vector(document: IndexedDocument) -> str:
    """Write all terms of a paper as a ``tsvector``, those of the title with the weight A."""
    positions: dict[str, list[str]] = {}
    for position, term in enumerate(document.title.words, start=1):
        positions.setdefault(term, []).append(f"{position}A")
    for position, term in enumerate(document.body.words, start=len(document.title.words) + _COLUMN_GAP):
        positions.setdefault(term, []).append(str(position))
    for term in document.title.unpositioned:
        positions.setdefault(term, []).append(f"{_LAST_POSITION - 1}A")
    for term in document.body.unpositioned:
        if not _is_field_term(term):
            positions.setdefault(term, []).append(str(_LAST_POSITION))
    return _write_vector(positions, filter(_is_field_term, document.body.unpositioned))


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
            return _join_parts(
                [_build_ts_query(part, weight) for part in lookup.parts], " & ", needs_all=True
            )
        case AnyOf():
            return _join_parts(
                [_build_ts_query(part, weight) for part in lookup.parts], " | ", needs_all=False
            )


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
            is_union = isinstance(documents, Union)
            return _join_parts(known, " | " if is_union else " & ", needs_all=not is_union)
        case Difference():
            base, removed = map(_build_whole_query, (documents.base, documents.removed))
            if base is None or removed is None:
                return None
            return f"({base} & !{removed})" if base and removed else base


def _build_condition(documents: Documents) -> tuple[str, list[str]]:
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
                _build_condition, (documents.base, documents.removed)
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
        *([_build_condition(join(tuple(mergeable)))] if mergeable else []),
        *map(_build_condition, others),
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
