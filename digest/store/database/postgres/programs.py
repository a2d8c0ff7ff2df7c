"""PostgreSQL's own programs for backups, ``pg_dump`` and ``pg_restore``, run on the database of an engine.

The password goes to them in the environment, which only this user can read, and never on the command line, which everybody on
the machine can read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from sqlalchemy import Connection, Engine, text

from digest.errors import ConfigError, StoreError
from digest.redaction import redact

HEADER = b"PGDMP"
"""The first bytes of a file that ``pg_dump --format=custom`` wrote."""
_QUEUE_TABLES = "procrastinate_*"
"""Pattern of the tables of the job queue. Their rows are only hints of work, and would name processes that no longer exist."""
_POLL_INTERVAL = 0.2
"""Seconds between two looks at the size of the file."""
_STOP_SECONDS = 10.0
"""How long a program that is told to stop may take, in seconds, before it is killed."""
_MAX_ERROR_LINES = 4
"""Maximum number of lines of a program's error messages that are passed on; the first ones say what failed."""
_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
_VERSION_ENTRY = re.compile(r"^\d+; .* TABLE DATA \S+ alembic_version ", re.MULTILINE)
_VERSION_ROW = re.compile(r"^COPY \S*alembic_version .*FROM stdin;\n(\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpContents:
    """The contents of a dump.

    Attributes:
        entries: its table of contents as ``pg_restore`` prints it, without the entry of the migration.
        version: the migration of its tables.
    """

    entries: str
    version: str


def dump_database(engine: Engine, address: str, target: Path, report_size: Callable[[int], None]) -> None:
    """Dump a database into a file that exists, in one snapshot and compressed, without the jobs of the job queue.

    Args:
        engine: the engine of the database.
        address: its address, as ``dialect.format_conninfo`` returns it.
        target: an empty file.
        report_size: called now and then with the number of bytes that are written.

    Raises:
        StoreError: ``pg_dump`` is missing, is older than the server, or fails.
    """
    with engine.connect() as connection:
        server_version = int((connection.dialect.server_version_info or (0,))[0])
    program = _find_program("pg_dump")
    version = _read_major_version(program)
    if version < server_version:
        raise StoreError(
            f"{program} is of PostgreSQL {version}, which cannot back up a server of PostgreSQL {server_version}; {_install_hint(server_version)}"
        )
    options = ("--format=custom", f"--exclude-table-data={_QUEUE_TABLES}", f"--file={target}")
    _run_on_database(address, [program, *options], lambda: report_size(target.stat().st_size))


def read_dump(source: Path) -> DumpContents:
    """Read what a dump contains, without a database.

    Raises:
        StoreError: ``pg_restore`` is missing or cannot read the file, or the file has none of our tables.
    """
    program = _find_program("pg_restore")
    entries = _run([program, "--list", str(source)])
    has_version = _VERSION_ENTRY.search(entries)
    version_rows = (
        _VERSION_ROW.search(
            _run([program, "--data-only", "--table=alembic_version", "--file=-", str(source)])
        )
        if has_version
        else None
    )
    if version_rows is None:
        raise StoreError(f"{source} is a dump of PostgreSQL, but not of a database of digest")
    kept_lines = [line for line in entries.splitlines() if not _VERSION_ENTRY.match(line)]
    return DumpContents(entries="\n".join([*kept_lines, ""]), version=version_rows[1])


def restore_dump(address: str, source: Path, contents: DumpContents) -> None:
    """Restore a dump into an empty database in one transaction, except for the note of its migration.

    Without this note, no process of digest uses the tables yet (``save_version``).

    Args:
        address: the address of the database, as ``dialect.format_conninfo`` returns it.
        source: the dump.
        contents: its contents.

    Raises:
        StoreError: ``pg_restore`` fails; the database is empty as before.
    """
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    with NamedTemporaryFile("w", encoding="utf-8", suffix=".list") as list_file:
        list_file.write(contents.entries)
        list_file.flush()
        command = [_find_program("pg_restore"), *options, f"--use-list={list_file.name}", str(source)]
        _run_on_database(address, command, lambda: None)


def save_version(connection: Connection, version: str) -> None:
    """Save the migration of the tables that were restored."""
    connection.execute(
        text("INSERT INTO alembic_version (version_num) VALUES (:version)"), {"version": version}
    )


def has_tables(engine: Engine) -> bool:
    """Whether a database has any tables or views, except for those of extensions."""
    with engine.connect() as connection:
        return bool(connection.execute(_HAS_TABLES).scalar_one())


_HAS_TABLES = text(
    """
    SELECT EXISTS(
        SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
            AND NOT EXISTS(SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    )
    """
)


def analyze(engine: Engine) -> None:
    """Collect the statistics of a database that was restored, without which queries are slow."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def skip_numbers(connection: Connection, tables: Sequence[str], least: int) -> None:
    """Let the sequences of tables skip as many numbers as they have given, but at least a count."""
    connection.execute(_SKIP_NUMBERS, {"names": list(tables), "least": least})


_SKIP_NUMBERS = text(
    """
    SELECT setval(sequence, last + GREATEST(last, :least)) FROM (
        SELECT sequence, COALESCE(pg_sequence_last_value(sequence), 1) AS last FROM (
            SELECT CAST(pg_get_serial_sequence(name, 'id') AS regclass) AS sequence
            FROM unnest(CAST(:names AS text[])) AS names(name)
        ) AS sequences WHERE sequence IS NOT NULL
    ) AS numbers
    """
)


# --- programs -------------------------------------------------------------------------------------


def _find_program(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        raise StoreError(f"the program {name} of PostgreSQL is not on PATH; {_install_hint()}")
    return program


def _install_hint(version: int | None = None) -> str:
    package = f"postgresql-client-{version}" if version else "postgresql-client"
    return (
        f"install PostgreSQL's client programs{f' of version {version}' if version else ''} (on Debian, the package {package}), "
        "and put their folder first in PATH"
    )


def _read_major_version(program: str) -> int:
    found = _VERSION.search(_run([program, "--version"]))
    if found is None:
        raise StoreError(f"{program} does not tell its version, so it is not a program of PostgreSQL")
    return int(found[1])


def _run_on_database(address: str, command: Sequence[str], report: Callable[[], None]) -> None:
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    params: dict[str, Any] = conninfo_to_dict(address)
    password = params.pop("password", None)
    if "sslpassword" in params:
        raise ConfigError(
            f"{Path(command[0]).name} cannot be given the `sslpassword` of [store] url without showing it; use a key without a password"
        )
    conninfo = make_conninfo(**params | {"application_name": "digest backup"})
    environment: dict[str, str] = {"PGPASSWORD": str(password)} if password else {}
    _run([*command, "--no-password", f"--dbname={conninfo}"], environment, report)


def _run(
    command: Sequence[str],
    environment: dict[str, str] | None = None,
    report: Callable[[], None] = lambda: None,
) -> str:
    """Run a program to its end, and return its output.

    Args:
        command: the program with its arguments.
        environment: variables that only this program gets.
        report: called now and then while it runs.

    Raises:
        StoreError: it cannot be run, or fails.
    """
    with _start(command, environment or {}) as process:
        while True:
            try:
                output, errors = process.communicate(timeout=_POLL_INTERVAL)
            except subprocess.TimeoutExpired:
                report()
                continue
            if process.returncode:
                raise StoreError(_describe_failure(command[0], errors))
            return output


@contextmanager
def _start(command: Sequence[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Start a program, which ends with the block whatever happens there."""
    try:
        process = subprocess.Popen(  # noqa: S603 - a program of PostgreSQL, without a shell
            command,
            env={**os.environ, "LC_ALL": "C", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise StoreError(f"{command[0]} cannot be run: {error.strerror}") from error
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(_STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()


def _describe_failure(program: str, errors: str) -> str:
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    message = "; ".join(lines[:_MAX_ERROR_LINES]) or "it gives no reason"
    hint = (
        f"; {program} is newer than the server: use the one of the server's version"
        if "unrecognized configuration parameter" in errors
        else ""
    )
    return redact(f"{Path(program).name} failed: {message}{hint}")
