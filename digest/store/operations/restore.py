"""A new store, made of the rows of a state."""

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
from digest.store.database import dialect
from digest.store.database.clock import note, set_note
from digest.store.database.digest_tables import digests
from digest.store.database.engine import (
    HEAD,
    Store,
    Transaction,
    highest_seq,
    migrate_to,
    upgrade,
    version_of,
)
from digest.store.database.types import Instant, metadata
from digest.store.editions.items import PARTED

_STATE = "state"
"""The note that says which state a store came from, or went into, last."""


def put(tx: Transaction, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Put rows into a table of a store that is new, and of the migration that they were taken at.

    Args:
        tx: a writing transaction.
        name: the table's.
        columns: their names.
        rows: as ``taken`` gave them.
    """
    here = {one.name: one.type for one in metadata.tables[name].c} if name in metadata.tables else {}
    kinds = [here.get(one) for one in columns]
    target = table(name, *map(column, columns))
    tx.execute(target.delete())  # counters begin at 0
    made = [
        {one: _as_kept(kind, value) for one, kind, value in zip(columns, kinds, row, strict=True)}
        for row in rows
    ]
    if name == "papers":
        made.sort(key=lambda row: row["merged_into"] is not None)  # those first that others refer to
    if made:
        tx.execute(target.insert(), made)


def _as_kept(kind: TypeEngine[Any] | None, value: Any) -> Any:
    """A value as SQLite keeps it."""
    if value is None:
        return None
    if isinstance(kind, JSON):
        return _written(value)
    if isinstance(kind, Instant):
        return f"{datetime.fromisoformat(value).astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
    if isinstance(kind, LargeBinary):
        return b64decode(value)
    return value


def _written(value: Any) -> str:
    """JSON as editions have it: a list with its parts apart, so that they can be told without being read."""
    if isinstance(value, list):
        return f"[{PARTED.join(map(_written_plain, value))}]"
    return _written_plain(value)


_written_plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def state_of(tx: Transaction) -> str:
    """The hash of the state that a store came from, or went into, last; "" for none."""
    return note(tx, _STATE)


def note_state(tx: Transaction, name: str) -> None:
    """Note which state a store came from, or went into."""
    set_note(tx, _STATE, name)


def is_new(url: str) -> bool:
    """Whether there is nothing yet in the store at a URL.

    Raises:
        ConfigError: the URL is not understood.
        StoreError: it cannot be opened.
    """
    path = dialect.file_of(url)
    if path is not None and not path.exists():
        return True
    engine = dialect.make_engine(url)
    try:
        version = version_of(engine)
        if version != HEAD:
            return version is None
        with Store(engine).reading() as tx:
            return not highest_seq(tx) and not tx.execute(select(digests.c.id).limit(1)).first()
    finally:
        engine.dispose()


def begin(url: str, version: str, fill: Callable[[Transaction], None]) -> None:
    """Make a new store of rows that were taken at a migration, and bring it to this release's; whole or not at all.

    Args:
        url: of a store that is new.
        version: the migration.
        fill: puts the rows into its tables.

    Raises:
        StoreError: it is no file, or cannot be written.
    """
    path = dialect.file_of(url)
    if path is None:
        raise StoreError("a state is imported into SQLite only: write a sqlite:///… url in [store]")
    part = path.with_name(f".{path.name}.{os.getpid()}")
    engine = dialect.make_engine(f"sqlite:///{part}")
    try:
        migrate_to(engine, version)
        with Store(engine).writing() as tx:
            fill(tx)
        upgrade(engine)
        engine.dispose()
        part.replace(path)
    finally:
        engine.dispose()
        for rest in ("", "-wal", "-shm"):
            part.with_name(f"{part.name}{rest}").unlink(missing_ok=True)
