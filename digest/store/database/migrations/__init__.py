"""Migrations of the tables; imported only if a database is not up to date.

On PostgreSQL each migration is a transaction of its own, while others work: it gives up a lock that it does not get within
two seconds, lets them pass, and tries again. After an interruption the next run continues with the migration that was under
way. A SQLite file is upgraded in one transaction.
"""

from __future__ import annotations

import time
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


def migrate(engine: Engine, step: str) -> None:
    """Run the migrations up to a step, and those of the job queue."""
    with engine.connect() as connection:
        is_shared = has_row_locks(connection)
        versions = _list_versions(connection, step) if is_shared else [step]
    for version in versions:
        _run_patiently(engine, version)


def _list_versions(connection: Connection, step: str) -> list[str]:
    """Return the versions after that of a database, up to a step; the step alone if there are none."""
    current = ""
    if connection.dialect.has_table(connection, "alembic_version"):
        current = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or ""
    scripts = ScriptDirectory.from_config(make_config()).walk_revisions()
    versions = sorted(script.revision for script in scripts)
    return [version for version in versions if current < version <= step] or [step]


def _run_patiently(engine: Engine, version: str) -> None:
    """Run a migration, again if others keep a lock for too long."""
    for _ in range(_MAX_ATTEMPTS):
        try:
            _run(engine, version)
        except DBAPIError as error:
            if not is_busy(error):
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return
    _run(engine, version)


def _run(engine: Engine, version: str) -> None:
    """Run the migrations up to a version in one transaction, on a connection that is closed afterwards."""
    with engine.connect() as connection:
        begin_rebuilding(connection)
        limit_lock_waits(connection, _LOCK_SECONDS)
        settings = make_config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, version)
        if version >= FIRST_MIGRATION:
            upgrade_job_tables(connection)
        end_rebuilding(connection)
        connection.commit()
        connection.invalidate()


def make_config() -> Config:
    """Return the settings of alembic with the folder of the migrations."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings
