"""Restore of a database from the rows of a snapshot."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, LargeBinary, column, select, table
from sqlalchemy.types import TypeEngine

from digest.errors import StoreError
from digest.store.database import bulk, dialect
from digest.store.database.clock import read_note, set_note
from digest.store.database.engine import (
    LATEST_MIGRATION,
    Store,
    Transaction,
    get_highest_seq,
    migrate_to,
    read_version,
    upgrade,
)
from digest.store.database.tables.column_types import UtcDateTime, metadata
from digest.store.database.tables.digests import digests
from digest.store.editions.encodings.items import ITEM_SEPARATOR

_STATE_NOTE = "state"
"""Name of the note with the hash of the last snapshot that was restored or written."""


def insert_rows(tx: Transaction, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows into a table of a new database at the migration at which they were taken.

    Args:
        tx: a writing transaction.
        name: the name of the table.
        columns: the names of the columns.
        rows: the rows, as ``snapshot.iter_tables`` returned them.
    """
    column_types = (
        {column_name.name: column_name.type for column_name in metadata.tables[name].c}
        if name in metadata.tables
        else {}
    )
    row_types = [column_types.get(column_name) for column_name in columns]
    target = table(name, *map(column, columns))
    tx.execute(target.delete())  # the migrations have inserted counters
    new_rows = [
        tuple(_to_column_value(column_type, value) for column_type, value in zip(row_types, row, strict=True))
        for row in rows
    ]
    if name == "papers":
        root = columns.index("merged_into")
        new_rows.sort(key=lambda row: row[root] is not None)  # roots first, because others refer to them
    bulk.insert_bulk(tx, target, columns, new_rows)


def _to_column_value(column_type: TypeEngine[Any] | None, value: Any) -> Any:
    """Convert a value to the form in which SQLite stores it."""
    if value is None:
        return None
    if isinstance(column_type, JSON):
        return _encode_json(value)
    if isinstance(column_type, UtcDateTime):
        return f"{datetime.fromisoformat(value).astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
    if isinstance(column_type, LargeBinary):
        return b64decode(value)
    return value


def _encode_json(value: Any) -> str:
    """Encode JSON like the items of editions: the elements of a list can be split without parsing them."""
    if isinstance(value, list):
        return f"[{ITEM_SEPARATOR.join(map(_encode_compact, value))}]"
    return _encode_compact(value)


_encode_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def read_state(tx: Transaction) -> str:
    """Return the hash of the snapshot that was last restored or written; "" if there is none."""
    return read_note(tx, _STATE_NOTE)


def note_state(tx: Transaction, name: str) -> None:
    """Store the hash of the snapshot that was last restored or written."""
    set_note(tx, _STATE_NOTE, name)


def is_new(url: str) -> bool:
    """Whether the database of a URL does not exist, or contains no events and no digests.

    Raises:
        ConfigError: the URL is invalid.
        StoreError: the database cannot be opened.
    """
    path = dialect.get_file(url)
    if path is not None and not path.exists():
        return True
    engine = dialect.make_engine(url)
    try:
        version = read_version(engine)
        if version != LATEST_MIGRATION:
            return version is None
        with Store(engine).begin_read() as tx:
            return not get_highest_seq(tx) and not tx.execute(select(digests.c.id).limit(1)).first()
    finally:
        engine.dispose()


def create_store(url: str, version: str, fill_tables: Callable[[Transaction], None]) -> None:
    """Create a database from the rows of a migration, and upgrade it; it appears only when it is complete.

    Args:
        url: the URL of a new database.
        version: the migration of the rows.
        fill_tables: inserts the rows.

    Raises:
        StoreError: the database is not a SQLite file, or cannot be written.
    """
    path = dialect.get_file(url)
    if path is None:
        raise StoreError("a state can only be imported into SQLite; write a sqlite:///… url in [store]")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    engine = dialect.make_engine(f"sqlite:///{temporary}")
    try:
        migrate_to(engine, version)
        with Store(engine).begin_write() as tx:
            fill_tables(tx)
        upgrade(engine)
        engine.dispose()
        temporary.replace(path)
    finally:
        engine.dispose()
        for suffix in ("", "-wal", "-shm"):
            temporary.with_name(f"{temporary.name}{suffix}").unlink(missing_ok=True)
