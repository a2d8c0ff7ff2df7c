"""Posting lists of the index of papers: FTS5 on SQLite, ``tsvector`` with GIN on PostgreSQL.

Migrations 0014 (PostgreSQL) and 0015 (SQLite) create the table. Documents are numbered and never changed.
SQLite cannot delete a document without its terms, so a document that no paper refers to stays until the index
is emptied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from sqlalchemy import Connection, table

from digest.core.matching.narrowing import AdjacentTerms, AllOf, AnyOf, Lookup, NearTerms, TermPrefix
from digest.core.matching.paper_terms import TERM_SEPARATOR, Column, ColumnTerms
from digest.store.database.dialect import insert_bulk

TABLE = "paper_terms"
_TABLE = table(TABLE)
_COLUMNS: tuple[Column, ...] = ("title", "body")


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
        rows = [
            (document.number, _build_text(document.title), _build_text(document.body))
            for document in documents
        ]
    else:
        rows = [
            (document.number, _build_vector(document.title), _build_vector(document.body))
            for document in documents
        ]
    insert_bulk(connection, _TABLE, ("rowid" if _is_sqlite(connection) else "document", *_COLUMNS), rows)


def remove_documents(connection: Connection, document_ids: Iterable[int]) -> None:
    """Remove documents on PostgreSQL; does nothing on SQLite."""
    if not _is_sqlite(connection) and (ids := list(document_ids)):
        connection.exec_driver_sql(f"DELETE FROM {TABLE} WHERE document = ANY(%s)", (ids,))  # noqa: S608


def find_documents(connection: Connection, column: Column, lookup: Lookup, first_document: int) -> list[int]:
    """Return the numbers of the documents that match a lookup in a column, from a document number on."""
    is_sqlite = _is_sqlite(connection)
    query_text = (_build_fts_query if is_sqlite else _build_ts_query)(lookup)
    if not query_text:
        return []
    if is_sqlite:
        sql = f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH ? AND rowid >= ?"  # noqa: S608
        cursor_result = connection.exec_driver_sql(sql, (f"{column} : ({query_text})", first_document))
    else:
        sql = f"SELECT document FROM {TABLE} WHERE {column} @@ CAST(%s AS tsquery) AND document >= %s"  # noqa: S608
        cursor_result = connection.exec_driver_sql(sql, (query_text, first_document))
    try:
        return [number for (number,) in cursor_result.cursor.fetchall()]
    finally:
        cursor_result.close()


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


# --- PostgreSQL -----------------------------------------------------------------------------------


def _build_vector(terms: ColumnTerms) -> str:
    """Write terms as a ``tsvector``; terms without a position come last."""
    positions: dict[str, list[int]] = {}
    for position, term in enumerate(terms.words, start=1):
        positions.setdefault(term, []).append(position)
    words = [
        f"{_quote_term(term)}:{','.join(map(str, term_positions))}"
        for term, term_positions in positions.items()
    ]
    return " ".join((*words, *map(_quote_term, terms.unpositioned)))


def _build_ts_query(lookup: Lookup) -> str:
    """Write a lookup as a ``tsquery``; "" if it matches nothing."""
    match lookup:
        case AdjacentTerms():
            return f"({' <-> '.join(map(_quote_term, lookup.terms))})"
        case TermPrefix():
            return (
                f"({' <-> '.join((*map(_quote_term, lookup.preceding), f'{_quote_term(lookup.prefix)}:*'))})"
            )
        case NearTerms():
            words = [f"({' | '.join(map(_quote_term, alternatives))})" for alternatives in lookup.words]
            if len(words) != 2:  # a tsquery has distances between two words, but no nearness of several
                return f"({' & '.join(words)})"
            return f"({' | '.join(f'{words[0]} <{distance}> {words[1]}' for distance in range(1, lookup.max_gap + 2))})"
        case AllOf():
            return _join_parts([_build_ts_query(part) for part in lookup.parts], " & ", needs_all=True)
        case AnyOf():
            return _join_parts([_build_ts_query(part) for part in lookup.parts], " | ", needs_all=False)


def _quote_term(term: str) -> str:
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
