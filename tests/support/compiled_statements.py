"""Statements that are compiled once for all databases of a test process.

SQLAlchemy keeps what it has compiled with each engine, and each command that a test runs makes an engine of its own: to
compile the same statements again took a third of the time of such a test. The text of a statement depends on nothing
but the kind of database.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.util import LRUCache


class _Statements(LRUCache[Any, Any]):
    """What was compiled, by the name of a dialect where SQLAlchemy tells them apart by engine."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_without_engine(key), default)

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(_without_engine(key))

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(_without_engine(key), compiled)


def _without_engine(key: Any) -> tuple[Any, ...]:
    dialect, *others = key
    return dialect.name, *others


@cache
def share_compiled_statements() -> None:
    """Let all engines of this process share what they compile, from now on."""
    statements = _Statements(5000)

    @event.listens_for(Engine, "engine_connect")
    def share(connection: Connection) -> None:
        connection.execution_options(compiled_cache=statements)
