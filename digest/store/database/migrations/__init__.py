"""Migrations of the tables; imported only if a database is not up to date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine

from digest.store.database.dialect import begin_rebuilding, end_rebuilding
from digest.store.database.migrations.job_tables import FIRST_MIGRATION, upgrade_job_tables


def _do_nothing(_connection: Connection) -> None:
    """Neither prepare nor finish anything."""


def migrate(
    engine: Engine,
    step: str,
    *,
    prepare: Callable[[Connection], None] = _do_nothing,
    finish: Callable[[Connection], None] = _do_nothing,
) -> None:
    """Run the migrations up to a step, and those of the job queue, in one transaction, on a connection that is closed afterwards.

    Args:
        engine: the engine of the database.
        step: the last migration to run.
        prepare: called at the beginning of the transaction.
        finish: called before its end.
    """
    with engine.connect() as connection:
        begin_rebuilding(connection)
        prepare(connection)
        settings = make_config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, step)
        if step >= FIRST_MIGRATION:
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
