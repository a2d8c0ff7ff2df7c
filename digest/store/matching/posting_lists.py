"""Posting lists of the index of papers: FTS5 on SQLite, ``tsvector`` with GIN on PostgreSQL.

Migrations 0015 (SQLite) and 0026 (PostgreSQL) create the table. Documents are numbered in the order of days
(``core/matching/search/document_numbers.py``) and never changed. SQLite cannot delete a document without its terms, so
a document that no paper refers to stays until the index is emptied.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, table

from digest.core.matching.paper_terms import ColumnTerms
from digest.core.matching.search.candidates import Documents
from digest.store.database.bulk import insert_bulk
from digest.store.matching.fts5 import build_fts_expression, build_text
from digest.store.matching.tsvector import build_condition, build_title_vector, build_whole_vector

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
            (document.number, build_text(document.title), build_text(document.body)) for document in documents
        ]
    else:
        columns = "document", "title", "whole"
        rows = [
            (
                document.number,
                build_title_vector(document.title),
                build_whole_vector(document.title, document.body),
            )
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
        expression, params = build_condition(documents)
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
    """Return the highest number of a document below a number; -1 if there is none.

    On SQLite, it can be that of a removed document, which stays in the posting lists.
    """
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
        expression, params = build_condition(documents)
        values = (*params, first, before, limit)
        # OFFSET 0 keeps the planner from reading the rows in their order, and the vector of each.
        found = (
            f"SELECT document FROM {TABLE} WHERE {expression} AND document >= %s AND document < %s OFFSET 0"  # noqa: S608
        )
        sql = f"SELECT document FROM ({found}) AS found ORDER BY document DESC LIMIT %s"  # noqa: S608
    return _fetch_numbers(connection, sql, values) if expression else []


def _is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"
