"""The posting lists of the index of papers: FTS5 on SQLite, ``tsvector`` with GIN on PostgreSQL.

Migrations make the table: 0014 for PostgreSQL, 0015 for SQLite. Documents are numbered and never changed. SQLite cannot
take one out without its terms, so what no paper refers to any more stays there until the index is emptied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from sqlalchemy import Connection, table

from digest.core.matching.narrowing import Adjacent, AllOf, AnyOf, Beginning, Lookup, Near
from digest.core.matching.paper_terms import Column, ColumnTerms
from digest.store.database.dialect import fill

TABLE = "paper_terms"
_TABLE = table(TABLE)
_COLUMNS: tuple[Column, ...] = ("title", "body")


class IndexedDocument(NamedTuple):
    """What the index keeps of a paper.

    Attributes:
        number: of the document, never used before.
    """

    number: int
    title: ColumnTerms
    body: ColumnTerms


def clear(connection: Connection) -> None:
    """Empty the posting lists."""
    if _is_sqlite(connection):
        sql = f"INSERT INTO {TABLE} ({TABLE}) VALUES ('delete-all')"  # noqa: S608 - names of our own
        connection.exec_driver_sql(sql)
    else:
        connection.exec_driver_sql(f"TRUNCATE {TABLE}")


def add(connection: Connection, documents: Sequence[IndexedDocument]) -> None:
    """Add documents."""
    if _is_sqlite(connection):
        rows = [(one.number, _text(one.title), _text(one.body)) for one in documents]
    else:
        rows = [(one.number, _vector(one.title), _vector(one.body)) for one in documents]
    fill(connection, _TABLE, ("rowid" if _is_sqlite(connection) else "document", *_COLUMNS), rows)


def remove(connection: Connection, numbers: Iterable[int]) -> None:
    """Take documents out, where that can be done."""
    if not _is_sqlite(connection) and (given := list(numbers)):
        connection.exec_driver_sql(f"DELETE FROM {TABLE} WHERE document = ANY(%s)", (given,))  # noqa: S608


def find(connection: Connection, column: Column, lookup: Lookup, low: int) -> list[int]:
    """The documents, from a number on, that have something in a column."""
    is_sqlite = _is_sqlite(connection)
    written = (_fts_query if is_sqlite else _ts_query)(lookup)
    if not written:
        return []
    if is_sqlite:
        sql = f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH ? AND rowid >= ?"  # noqa: S608
        found = connection.exec_driver_sql(sql, (f"{column} : ({written})", low))
    else:
        sql = f"SELECT document FROM {TABLE} WHERE {column} @@ CAST(%s AS tsquery) AND document >= %s"  # noqa: S608
        found = connection.exec_driver_sql(sql, (written, low))
    try:
        return [number for (number,) in found.cursor.fetchall()]
    finally:
        found.close()


def _is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


# --- SQLite ---------------------------------------------------------------------------------------

_ENCODED = {code: 0xE000 + code for code in range(128) if not (chr(code).isdigit() or chr(code).islower())}
"""Signs and capitals of ASCII, which the tokenizer would not keep, as characters of a private use area."""
_SEPARATED = {code: to for code, to in _ENCODED.items() if chr(code) != "\n"}
_SIGN = re.compile(r"[^\n0-9a-z\x80-\U0010ffff]")


def _encoded(term: str) -> str:
    return term.translate(_ENCODED)


def _text(terms: ColumnTerms) -> str:
    """A text whose lines are the terms; words have few signs, so to look for these takes a third of the time."""
    words = _SIGN.sub(lambda sign: _encoded(sign[0]), "\n".join(terms.words))
    return words + "\n" + "\n".join(terms.others).translate(_SEPARATED)


def _fts_query(lookup: Lookup) -> str:
    """A lookup as FTS5 writes it; "" for one that finds nothing."""
    match lookup:
        case Adjacent():
            return f'"{" ".join(map(_encoded, lookup.terms))}"'
        case Beginning():
            return f'"{" ".join(map(_encoded, (*lookup.behind, lookup.text)))}" *'
        case Near():
            rows = [" ".join(f'"{_encoded(one)}"' for one in row) for row in product(*lookup.words)]
            return f"({' OR '.join(f'NEAR({row}, {lookup.within})' for row in rows)})"
        case AllOf():
            return _of_parts([_fts_query(part) for part in lookup.parts], " AND ", needs_all=True)
        case AnyOf():
            return _of_parts([_fts_query(part) for part in lookup.parts], " OR ", needs_all=False)


def _of_parts(parts: Sequence[str], sign: str, *, needs_all: bool) -> str:
    written = list(dict.fromkeys(filter(None, parts)))
    if not written or (needs_all and "" in parts):
        return ""
    return written[0] if len(written) == 1 else f"({sign.join(written)})"


# --- PostgreSQL -----------------------------------------------------------------------------------


def _vector(terms: ColumnTerms) -> str:
    """A ``tsvector`` as PostgreSQL writes it; terms without a position stand behind all others."""
    positions: dict[str, list[int]] = {}
    for position, one in enumerate(terms.words, start=1):
        positions.setdefault(one, []).append(position)
    words = [f"{_quoted(one)}:{','.join(map(str, places))}" for one, places in positions.items()]
    return " ".join((*words, *map(_quoted, terms.others)))


def _ts_query(lookup: Lookup) -> str:
    """A lookup as a ``tsquery``; "" for one that finds nothing."""
    match lookup:
        case Adjacent():
            return f"({' <-> '.join(map(_quoted, lookup.terms))})"
        case Beginning():
            return f"({' <-> '.join((*map(_quoted, lookup.behind), f'{_quoted(lookup.text)}:*'))})"
        case Near():
            words = [f"({' | '.join(map(_quoted, alternatives))})" for alternatives in lookup.words]
            if len(words) != 2:  # it has distances, but no nearness
                return f"({' & '.join(words)})"
            return f"({' | '.join(f'{words[0]} <{far}> {words[1]}' for far in range(1, lookup.within + 2))})"
        case AllOf():
            return _of_parts([_ts_query(part) for part in lookup.parts], " & ", needs_all=True)
        case AnyOf():
            return _of_parts([_ts_query(part) for part in lookup.parts], " | ", needs_all=False)


def _quoted(term: str) -> str:
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
