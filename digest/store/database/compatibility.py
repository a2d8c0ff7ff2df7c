"""Which releases can work on the tables, and the end of processes that no longer can, before the tables are changed."""

from __future__ import annotations

import time
from datetime import timedelta

from sqlalchemy import Connection, Engine, exists, select

from digest.store.database.dialect import has_row_locks, insert_or_update, read_time
from digest.store.database.tables.digests import notes
from digest.store.database.tables.processes import workers

COMPATIBLE_NOTE = "compatible_since"
"""Name of the note with the migration of the oldest release that can work on the tables."""
_SILENT_AFTER = timedelta(seconds=60)
"""Age of a last heartbeat after which a process is taken for dead; the longest wait for the end of the others, too."""
_POLL_SECONDS = 0.5


def read_oldest_migration(connection: Connection) -> str | None:
    """Return the migration of the oldest release that can work on the tables; None if nothing says it."""
    return connection.execute(select(notes.c.value).where(notes.c.name == COMPATIBLE_NOTE)).scalar()


def exclude_older(engine: Engine, oldest: str) -> None:
    """Say in the database that releases older than a migration cannot work on it, and wait until their processes have ended.

    Those look at it every few seconds. A mail that one of them sends could not be recorded in changed tables, and
    another process would send it again.

    Args:
        engine: the engine of a database that has our tables.
        oldest: the migration of the oldest release that can work on the tables of this one.
    """
    with engine.begin() as connection:
        noted = read_oldest_migration(connection)
        if noted is not None and noted >= oldest:
            return
        insert_or_update(connection, notes, [{"name": COMPATIBLE_NOTE, "value": oldest}], key=("name",))
        has_workers = has_row_locks(connection) and connection.dialect.has_table(connection, workers.name)
    deadline = time.monotonic() + _SILENT_AFTER.total_seconds()
    while has_workers and _is_in_use(engine) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


def _is_in_use(engine: Engine) -> bool:
    with engine.connect() as connection:
        is_alive = workers.c.heartbeat_at > read_time(connection) - _SILENT_AFTER
        return bool(connection.execute(select(exists().where(is_alive))).scalar())
