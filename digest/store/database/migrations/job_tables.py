"""The tables of Procrastinate, which ``digest db upgrade`` creates and upgrades together with ours."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, select

from digest.errors import ConfigError
from digest.store.database.dialect import has_job_queue, insert_or_update
from digest.store.database.tables.digests import notes

FIRST_MIGRATION = "0037"
"""The first migration with which a database has these tables."""
_VERSION_NOTE = "procrastinate"
"""The name of the note with the last script of Procrastinate that was applied."""


def upgrade_job_tables(connection: Connection) -> None:
    """Bring the tables of Procrastinate into the state that the installed release needs, in the caller's transaction.

    Procrastinate's own ``apply_schema`` fails if the tables exist
    (https://procrastinate.readthedocs.io/en/stable/howto/production/migrations.html).

    Raises:
        ConfigError: Procrastinate is not installed.
    """
    if not has_job_queue(connection):
        return
    schema, scripts = _find_scripts()
    version = _read_version(connection)
    if not version and not connection.dialect.has_table(connection, "procrastinate_jobs"):
        due_scripts = [schema]
    else:
        due_scripts = [script for script in scripts if script.stem > version]
    for script in due_scripts:
        _execute_script(connection, script.read_text(encoding="utf-8"))
    if due_scripts:
        row = {"name": _VERSION_NOTE, "value": scripts[-1].stem}
        insert_or_update(connection, notes, [row], key=("name",))


def is_current(connection: Connection) -> bool:
    """Whether the tables of Procrastinate are those of the installed release.

    Raises:
        ConfigError: Procrastinate is not installed.
    """
    return _read_version(connection) == _find_scripts()[1][-1].stem


def _read_version(connection: Connection) -> str:
    return connection.execute(select(notes.c.value).where(notes.c.name == _VERSION_NOTE)).scalar() or ""


def _find_scripts() -> tuple[Path, list[Path]]:
    """Return the script that creates the tables, and those that upgrade them, in their order."""
    try:
        from procrastinate.schema import migrations_path
    except ModuleNotFoundError as error:
        raise ConfigError(
            "PostgreSQL also needs the job queue Procrastinate; run pip install 'papers-digest[postgres]'"
        ) from error
    return migrations_path.parent / "schema.sql", sorted(migrations_path.glob("*.sql"))


def _execute_script(connection: Connection, script: str) -> None:
    """Execute a script of several statements, in which a percent sign stands for itself."""
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(script)
