"""The file of an SQLite database: checked before it is used, and created if it is missing."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from tempfile import mkstemp
from typing import BinaryIO

from digest.errors import StoreError

WRITE_PERMISSION_HINT = "give this user write permission for the file and its folder"
"""Advice for a SQLite file that is read-only. SQLite creates two more files beside it while the database is in use."""
RESTORE_HINT = "restore a backup (`digest db backup` makes them), or delete the file to start again; papers may then be reported again"
"""Advice for a SQLite file that is damaged."""


def open_database_file(path: Path) -> None:
    """Check that a database file can be opened, and create it if it is missing.

    Raises:
        StoreError: it cannot be opened, or is not a database. Such a file is never written to.
    """
    real = Path(os.path.realpath(path))
    try:
        if not real.exists():
            _create_file(real)
        status = real.stat()
        _require_access(real, status)
    except OSError as error:
        remedy = f"; {WRITE_PERMISSION_HINT}" if isinstance(error, PermissionError) else ""
        raise StoreError(f"the database {path} cannot be opened: {error.strerror}{remedy}") from error
    if S_ISREG(status.st_mode) and not status.st_size:
        raise StoreError(f"the database {path} is damaged: it has 0 bytes; {RESTORE_HINT}")
    # SQLite would overwrite a file that is shorter than a page, because there is no page in it.
    if S_ISREG(status.st_mode) and (status.st_size < _MIN_FILE_SIZE or not _has_header(real)):
        raise StoreError(f"the database {path} is damaged, or not an SQLite database; {RESTORE_HINT}")


def _require_access(path: Path, status: os.stat_result) -> None:
    if S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _has_header(path: Path) -> bool:
    """Whether a file begins as a database does.

    SQLite itself looks: if we opened and closed the file, that would end all locks that this process has on it
    (https://www.sqlite.org/howtocorrupt.html, section 2.2), and another process would delete the log that we use.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        try:
            database.execute("PRAGMA schema_version")
        except sqlite3.DatabaseError as error:
            return error.sqlite_errorcode != sqlite3.SQLITE_NOTADB
    return True


_MIN_FILE_SIZE = 512
"""Size of the smallest page of a database, in bytes."""


def _create_file(path: Path) -> None:
    """Create an empty database, unless it exists; only its owner can read it, because it will store keys.

    SQLite would begin with a file of 0 bytes, which a full disk or a broken copy leaves behind as well. This
    function gives the file its name only after the first page is written, so an interruption never leaves an
    empty file.
    """
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("VACUUM")  # gives it its first page
        page = database.serialize()
    descriptor, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as temporary_file:
            _write_through(temporary_file, page)
        # Renaming would replace a database that another process has created in the meantime.
        path.hardlink_to(name)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_HARDLINK_ERRNOS:
            raise
        with suppress(FileExistsError):
            descriptor = open_private(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            with os.fdopen(descriptor, "wb") as file:
                _write_through(file, page)
    finally:
        Path(name).unlink()


_NO_HARDLINK_ERRNOS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""Error numbers of file systems without hard links, such as those of memory cards."""


def _write_through(file: BinaryIO, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def open_private(path: Path, flags: int) -> int:
    """Open a file that only its owner can read, and return its descriptor."""
    return os.open(path, flags, 0o600)
