"""Indexes that are created and dropped while others read and write the table.

PostgreSQL does this in transactions of its own (CREATE INDEX CONCURRENTLY), so a migration must not lock the table in its own
transaction before. An index whose creation was interrupted is invalid; it is dropped, and created again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Connection

from digest.store.database.dialect import has_row_locks

_SELECT_VALIDITY = sa.text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")


def create_index(name: str, table: str, columns: Sequence[str], where: str = "") -> None:
    """Create an index, unless a run of this migration that was interrupted has created it.

    Args:
        name: the name of the index.
        table: the name of the table.
        columns: the names of its columns.
        where: the condition of the rows that it has; "" for all.
    """
    statement = f"IF NOT EXISTS {name} ON {table} ({', '.join(columns)}){f' WHERE {where}' if where else ''}"
    connection = op.get_bind()
    if not has_row_locks(connection):
        op.execute(f"CREATE INDEX {statement}")
        return
    with _open_autocommit(connection) as own_connection:
        if own_connection.execute(_SELECT_VALIDITY, {"name": name}).scalar() is False:
            own_connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY {name}")
        own_connection.exec_driver_sql(f"CREATE INDEX CONCURRENTLY {statement}")


def drop_index(name: str) -> None:
    """Drop an index, unless a run of this migration that was interrupted has dropped it."""
    connection = op.get_bind()
    if not has_row_locks(connection):
        op.execute(f"DROP INDEX IF EXISTS {name}")
        return
    with _open_autocommit(connection) as own_connection:
        own_connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


@contextmanager
def _open_autocommit(connection: Connection) -> Iterator[Connection]:
    """Open a connection on which each statement is a transaction."""
    with connection.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as own_connection:
        yield own_connection
