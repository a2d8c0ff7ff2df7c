"""Backups of the database in a file, and the restore of one into an empty database.

A backup of SQLite is a database file; one of PostgreSQL is what ``pg_dump`` writes.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import Engine

from digest.errors import DigestError, StoreError
from digest.store.database import dialect
from digest.store.database.engine import (
    LATEST_MIGRATION,
    Transaction,
    migrate_to,
    read_version,
    translate_errors,
)
from digest.store.database.postgres import programs
from digest.store.database.sqlite import database_file
from digest.store.database.tables.column_types import metadata

_SQLITE_HEADER = b"SQLite format 3\0"
_SIDE_SUFFIXES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite has beside a database."""


def back_up(url: str, target: Path, report_size: Callable[[int], None] = lambda _: None) -> int:
    """Write a backup of the database while it is in use; the file appears only when it is complete.

    Args:
        url: the URL of the database.
        target: the file; an earlier one is replaced. Only this user can read it, because it contains the signing key.
        report_size: called now and then with the number of bytes that are written, on PostgreSQL.

    Returns:
        The size of the file in bytes.

    Raises:
        ConfigError: the URL is invalid.
        StoreError: the file cannot be written, or ``pg_dump`` is missing or fails.
    """
    _require_direct(url)
    with _open_engine(url) as engine, _write_beside(target) as temporary:
        if engine.dialect.name == "sqlite":
            dialect.backup(engine, temporary)
        else:
            programs.dump_database(engine, dialect.format_conninfo(url), temporary, report_size)
        size = temporary.stat().st_size
        try:
            temporary.replace(target)
        except OSError as error:
            raise StoreError(f"the backup {target} cannot be written: {error.strerror}") from error
    return size


def restore(url: str, source: Path, finish: Callable[[Transaction], None]) -> str:
    """Restore a backup into an empty database, and upgrade its tables to those of this release.

    Args:
        url: the URL of a database: of SQLite, the file does not exist; of PostgreSQL, it has no tables.
        source: the backup.
        finish: prepares the rows; until it has ended, no process can use the database.

    Returns:
        The migration of the tables in the backup.

    Raises:
        ConfigError: the URL is invalid.
        StoreError: the database is not empty, or the backup cannot be read. The database stays as it is.
    """
    kind = _read_kind(source)
    file = dialect.get_file(url)
    own_kind = "postgresql" if file is None else "sqlite"
    if kind != own_kind:
        names = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
        raise StoreError(
            f"{source} is a backup of {names[kind]}, but [store] url names a database of {names[own_kind]}"
        )
    if file is not None:
        return _restore_file(file, source, finish)
    _require_direct(url)
    with _open_engine(url) as engine:
        return _restore_dump(engine, dialect.format_conninfo(url), source, finish)


@contextmanager
def _open_engine(url: str) -> Iterator[Engine]:
    engine = dialect.make_engine(url)
    try:
        with translate_errors():
            yield engine
    finally:
        engine.dispose()


def _require_direct(url: str) -> None:
    """Check that a URL does not lead to a pooler: the programs change settings of their connection, which others get next."""
    if dialect.is_pooled(url):
        raise StoreError(
            "backups need the database server itself, but [store] url leads to a pooler (pooler=transaction); use a copy of the "
            "configuration with the server's own address (--config)"
        )


def _read_kind(source: Path) -> str:
    """Return the database that a backup is of."""
    try:
        with source.open("rb") as file:
            header = file.read(len(_SQLITE_HEADER))
    except OSError as error:
        raise StoreError(f"the backup {source} cannot be read: {error.strerror}") from error
    if header.startswith(programs.HEADER):
        return "postgresql"
    if header == _SQLITE_HEADER:
        return "sqlite"
    raise StoreError(
        f"{source} is not a backup: `digest db backup` writes SQLite databases, and dumps of PostgreSQL in its custom format"
    )


def _require_known_version(version: str | None, source: Path) -> str:
    if version is None:
        raise StoreError(f"{source} is not a database of digest")
    if version > LATEST_MIGRATION:
        raise StoreError(f"{source} is of a newer digest (tables {version}); upgrade this one")
    return version


# --- SQLite ---------------------------------------------------------------------------------------


def _restore_file(path: Path, source: Path, finish: Callable[[Transaction], None]) -> str:
    real = Path(os.path.realpath(path))
    if existing := [name for name in _list_files(real) if name.exists()]:
        names = ", ".join(map(str, existing))
        raise StoreError(
            f"a backup is restored only where no database is: stop all commands that use it, and move {names} away"
        )
    with _write_beside(real) as temporary:
        _copy_checked(source, temporary)
        with _open_engine(f"sqlite:///{temporary}") as engine:
            version = _require_known_version(read_version(engine), source)
            migrate_to(engine, LATEST_MIGRATION, finish=finish)
        try:
            _rename_new(temporary, real)
        except OSError as error:
            raise StoreError(f"the database {path} cannot be written: {error.strerror}") from error
    return version


def _list_files(path: Path) -> list[Path]:
    # A log that belonged to another database would be applied to the restored one.
    return [path, *(path.with_name(f"{path.name}{suffix}") for suffix in _SIDE_SUFFIXES)]


def _copy_checked(source: Path, target: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as backup,
            closing(sqlite3.connect(target)) as copy,
        ):
            backup.backup(copy)
            problem = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise StoreError(f"the backup {source} is damaged: {error}") from error
    if problem != "ok":
        raise StoreError(f"the backup {source} is damaged: {' '.join(str(problem).split())}")


def _rename_new(temporary: Path, path: Path) -> None:
    """Rename a file, but never replace one that was created in the meantime.

    Raises:
        OSError: the name is taken.
    """
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # some file systems have no hard links
        temporary.replace(path)


# --- PostgreSQL -----------------------------------------------------------------------------------


def _restore_dump(engine: Engine, address: str, source: Path, finish: Callable[[Transaction], None]) -> str:
    if programs.has_tables(engine):
        raise StoreError(
            f"a backup is restored only into an empty database, and {engine.url.database} has tables; create another one "
            "(`createdb NAME`), and name it in [store] url"
        )
    contents = programs.read_dump(source)
    version = _require_known_version(contents.version, source)
    programs.restore_dump(address, source, contents)
    try:
        migrate_to(
            engine,
            LATEST_MIGRATION,
            prepare=lambda connection: programs.save_version(connection, version),
            finish=finish,
        )
    except DigestError as error:
        raise StoreError(
            f"{error}; the rows are restored, but the database cannot be used: drop it, create it again, and repeat the restore"
        ) from error
    programs.analyze(engine)
    return version


_MIN_SKIPPED = 100_000
"""Least count of row numbers to skip after a restore."""


def skip_numbers(tx: Transaction) -> None:
    """Let new rows have numbers that no row had after the backup, because links and return paths contain numbers.

    A link to a page of somebody who signed up after the backup would lead to the page of somebody else who gets the same
    number. SQLite numbers rows after the last one, so nothing can be done there.
    """
    if tx.dialect.name == "postgresql":
        names = [table.name for table in metadata.sorted_tables if "id" in table.c and table.c.id.primary_key]
        programs.skip_numbers(tx, names, _MIN_SKIPPED)


# --- files ----------------------------------------------------------------------------------------


@contextmanager
def _write_beside(target: Path) -> Iterator[Path]:
    """Yield an empty private file beside another one, which is removed at the end of the block if it is still there."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with suppress(FileNotFoundError):
            temporary.unlink()
        os.close(database_file.open_private(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR))
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    try:
        yield temporary
    finally:
        for file in _list_files(temporary):
            file.unlink(missing_ok=True)
