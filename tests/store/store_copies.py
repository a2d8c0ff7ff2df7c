"""Stores of SQLite that begin with the same content, which is made once for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from digest.store.database.engine import Store, open_store
from tests.store.factories import NOW
from tests.support.workspace import make_empty_database


def open_filled_copy(folder: Path, fill: Callable[[Store], object]) -> Store:
    """Open a new store in a folder, with what a function puts into an empty one; a module's function, called once."""
    path = folder / "digest.db"
    path.write_bytes(_make_database(fill))
    return open_store(f"sqlite:///{path}", NOW)


@cache
def _make_database(fill: Callable[[Store], object]) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "digest.db"
        path.write_bytes(make_empty_database())
        store = open_store(f"sqlite:///{path}", NOW)
        fill(store)
        store.close()  # what is still in the log beside the file comes into it
        return path.read_bytes()
