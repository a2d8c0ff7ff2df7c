"""Migrations of the tables; imported only if a database is not up to date.

On PostgreSQL each migration is a transaction of its own, while others work: it gives up a lock that it does not get within
two seconds, lets them pass, and tries again. After an interruption the next run continues with the migration that was under
way. A SQLite file is upgraded in one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from digest.store.database.dialect import (
    begin_rebuilding,
    end_rebuilding,
    has_row_locks,
    is_busy,
    limit_lock_waits,
)
from digest.store.database.migrations.job_tables import FIRST_MIGRATION, upgrade_job_tables

_LOCK_SECONDS = 2
"""How long a migration waits for a lock, in seconds: everybody who needs the table waits behind it."""
_MAX_ATTEMPTS = 30
_PAUSE_SECONDS = 2.0
"""Pause between two attempts, in seconds, in which others go on."""


def _do_nothing(_connection: Connection) -> None:
    """Neither prepare nor finish anything."""


def migrate(
    engine: Engine,
    step: str,
    *,
    prepare: Callable[[Connection], None] = _do_nothing,
    finish: Callable[[Connection], None] = _do_nothing,
) -> None:
    """Run the migrations up to a step, and those of the job queue.

    Args:
        engine: the engine of the database.
        step: the last migration to run.
        prepare: called at the beginning of the first transaction.
        finish: called before the end of the last one; nobody opens the database before.
    """
    versions = _list_versions(engine, step, prepare)
    for number, version in enumerate(versions, start=1):
        _run_patiently(
            engine,
            version,
            prepare=prepare if number == 1 else _do_nothing,
            finish=finish if number == len(versions) else _do_nothing,
        )


def _list_versions(engine: Engine, step: str, prepare: Callable[[Connection], None]) -> list[str]:
    """Return the versions after that of a database, up to a step; the step alone if there are none, or on SQLite."""
    with engine.connect() as connection:
        if not has_row_locks(connection):
            return [step]
        prepare(connection)
        current = ""
        if connection.dialect.has_table(connection, "alembic_version"):
            current = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or ""
        connection.rollback()
    versions = sorted(
        script.revision for script in ScriptDirectory.from_config(make_config()).walk_revisions()
    )
    return [version for version in versions if current < version <= step] or [step]


def _run_patiently(
    engine: Engine,
    version: str,
    *,
    prepare: Callable[[Connection], None],
    finish: Callable[[Connection], None],
) -> None:
    """Run a migration, again if others keep a lock for too long."""
    for attempt in range(_MAX_ATTEMPTS):
        try:
            _run(engine, version, prepare=prepare, finish=finish)
        except DBAPIError as error:
            if not is_busy(error) or attempt == _MAX_ATTEMPTS - 1:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def _run(
    engine: Engine,
    version: str,
    *,
    prepare: Callable[[Connection], None],
    finish: Callable[[Connection], None],
) -> None:
    """Run the migrations up to a version in one transaction, on a connection that is closed afterwards."""
    with engine.connect() as connection:
        begin_rebuilding(connection)
        limit_lock_waits(connection, _LOCK_SECONDS)
        prepare(connection)
        settings = make_config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, version)
        if version >= FIRST_MIGRATION:
            upgrade_job_tables(connection)
        finish(connection)
        end_rebuilding(connection)
        connection.commit()
        connection.invalidate()


def make_config() -> Config:
    """Return the settings of alembic with the folder of the migrations."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings
