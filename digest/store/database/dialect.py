"""What SQLite and PostgreSQL do differently; the only module that names a database."""

from __future__ import annotations

import errno
import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from datetime import UTC, date, datetime
from itertools import repeat
from operator import itemgetter
from pathlib import Path
from stat import S_ISREG
from tempfile import TemporaryDirectory, mkstemp
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from sqlalchemy import (
    ARRAY,
    URL,
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    Executable,
    Index,
    Integer,
    Select,
    Table,
    Text,
    Update,
    any_,
    bindparam,
    column,
    create_engine,
    event,
    func,
    literal_column,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ColumnClause, Insert, TableClause
from sqlalchemy.sql.type_api import TypeEngine

from digest.errors import ConfigError, StoreError
from digest.store.database.writer_queue import Waiter, WriterQueue

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

WRITE_PERMISSION_HINT = "give this user write permission for the file and its folder"
"""What to do about a SQLite file that is read-only: beside it there are two more while it is used."""
RESTORE_HINT = "restore a backup (`digest db backup` makes them), or delete the file to start again; papers may then be reported again"
"""What to do about a SQLite file that is damaged."""
_URL_HINT = "write sqlite:///digest.db or postgresql+psycopg://…"
"""What to do about a URL that is none of a store."""
BUSY_TIMEOUT = 10.0
"""How long a process waits for another one that is writing, in seconds."""
_RETRY_INTERVAL = 0.001
"""Seconds between two tries to write."""
_BUSY_TIMEOUT_PRAGMA = f"PRAGMA busy_timeout = {BUSY_TIMEOUT * 1000:.0f}"

_KEEPALIVE_OPTIONS = {
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""Parameters of libpq, in seconds, probes and milliseconds, by which a server that is gone without a word is noticed
within a minute; the system's own would wait for two hours where we read, and a quarter of an hour where we wrote. What a
URL says itself comes first.

The time-out is no longer than the probes take together: Linux counts it for them, too (tcp(7), TCP_USER_TIMEOUT).
"""

_CHUNK_SIZE = 500
"""How many values go into one statement."""
PLANNING_LOCK, INGEST_LOCK, BOUNCE_LOCK = 0x646967657374, 0x646967657375, 0x646967657376
"""The names of our advisory locks: others that use the same database take other numbers."""
_BUSY_STATES = frozenset({"40P01", "55P03"})
"""SQLSTATE of PostgreSQL: a deadlock was resolved, a lock was not available in time."""

Id: TypeEngine[int] = BigInteger().with_variant(Integer, "sqlite")
"""A number that the database gives; SQLite counts only an INTEGER PRIMARY KEY by itself."""


ByteText: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")
"""A text that is compared byte by byte, whatever the language of the database: for ranges of texts that begin alike."""


def make_engine(url: str) -> Engine:
    """The engine for a database URL; nothing is opened yet.

    Raises:
        ConfigError: the URL is not understood, or its driver is not installed.
    """
    # Who used a connection tells that it was lost, or that the command was stopped while it was given back; a traceback
    # would stand beside that.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return _make_sqlite_engine(parsed)
        if parsed.get_backend_name() == "postgresql":
            # That a connection was lost is told by who used it; the driver's own line would stand beside that.
            logging.getLogger("psycopg").setLevel(logging.ERROR)
            options = {name: value for name, value in _KEEPALIVE_OPTIONS.items() if name not in parsed.query}
            return create_engine(url, pool_pre_ping=True, connect_args=options)
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigError(f"the database url is not understood ({error}); {_URL_HINT}") from error
    except ModuleNotFoundError as error:
        raise ConfigError("PostgreSQL needs a driver; run pip install 'psycopg[binary]'") from error
    raise ConfigError(f"the database must be SQLite or PostgreSQL; {_URL_HINT}")


def get_file(url: str) -> Path | None:
    """The file that a store is; None where it is none.

    Raises:
        ConfigError: the URL is not understood.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ConfigError(f"the database url is not understood: {error}") from error
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database not in {None, "", ":memory:"}
    return Path(str(parsed.database)) if is_file else None


def _make_sqlite_engine(url: URL) -> Engine:
    if url.database and url.database != ":memory:" and "uri" not in url.query:
        _open_file(Path(url.database))
        # One file has one URL, by which its writers wait for each other, however its path is written.
        url = url.set(database=os.path.realpath(url.database))
    # As many connections as threads: were there fewer, readers that are about to write would hold them all.
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT}, max_overflow=-1)

    @event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, _record: object) -> None:
        # The driver's own transactions begin at the first write: what was read before it can be
        # stale by then, and updates are lost without an error. We begin them ourselves.
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",  # NORMAL can lose the last commits with the power: repeats
            "foreign_keys = ON",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _open_file(path: Path) -> None:
    """Make sure that a database can be opened; one that is missing is created.

    Raises:
        StoreError: it cannot be; or its file is no database, which is never written to.
    """
    real = Path(os.path.realpath(path))
    try:
        try:
            descriptor = os.open(real, os.O_RDWR)
        except FileNotFoundError:
            _create_file(real)
            descriptor = os.open(real, os.O_RDWR)
        try:
            status, beginning = os.fstat(descriptor), os.read(descriptor, len(_HEADER))
        finally:
            os.close(descriptor)
    except OSError as error:
        remedy = f"; {WRITE_PERMISSION_HINT}" if isinstance(error, PermissionError) else ""
        raise StoreError(f"the database {path} cannot be opened: {error.strerror}{remedy}") from error
    if S_ISREG(status.st_mode) and not status.st_size:
        raise StoreError(f"the database {path} is damaged: it has 0 bytes; {RESTORE_HINT}")
    # SQLite overwrites a file that is shorter than a header: there is no page in it.
    if S_ISREG(status.st_mode) and (beginning != _HEADER or status.st_size < _MIN_FILE_SIZE):
        raise StoreError(f"the database {path} is damaged, or not an SQLite database; {RESTORE_HINT}")


_HEADER = b"SQLite format 3\x00"
"""What a database begins with (https://www.sqlite.org/fileformat.html, section 1.3)."""
_MIN_FILE_SIZE = 512
"""Bytes of the smallest page of a database."""


def _create_file(path: Path) -> None:
    """Create an empty database, unless another process was faster; readable for its owner only: it will hold keys.

    SQLite would begin with a file of 0 bytes, as a full disk or a broken copy leaves behind, too. Here a file gets its
    name when its first page is written: whatever stops us, none of 0 bytes stays.
    """
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("VACUUM")  # gives it its first page
        page = database.serialize()
    descriptor, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as temporary_file:
            _write_through(temporary_file, page)
        # Not by renaming, which would take away what another process has begun to fill.
        path.hardlink_to(name)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_HARDLINK_ERRNOS:
            raise
        with suppress(FileExistsError):
            descriptor = _open_private(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            with os.fdopen(descriptor, "wb") as file:
                _write_through(file, page)
    finally:
        Path(name).unlink()


_NO_HARDLINK_ERRNOS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""What file systems without hard links say, such as a memory card's."""


def _write_through(file: BinaryIO, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _open_private(path: Path, flags: int) -> int:
    return os.open(path, flags, 0o600)


def begin_reading(connection: Connection) -> None:
    """Begin a transaction that sees one state of the database."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


_WRITER_QUEUES: dict[tuple[str, int | None], WriterQueue] = {}
"""By the database and the lock, not by the engine: a process may open one database several times."""


def acquire_writer(engine: Engine, lock: int | None) -> AbstractContextManager[Waiter | None]:
    """Wait for the threads of this process that want the same: to write to SQLite, or a lock of PostgreSQL.

    It comes before the connection: threads that wait and hold one leave none to the thread that is to go first.

    Args:
        engine: of the database.
        lock: ``PLANNING_LOCK``, ``INGEST_LOCK``, or None for a transaction that needs neither.
    """
    if engine.dialect.name == "sqlite":
        lock = None
    elif lock is None:
        return nullcontext()
    return _WRITER_QUEUES.setdefault((engine.url.render_as_string(), lock), WriterQueue()).acquire()


def begin_writing(connection: Connection, waiter: Waiter | None = None) -> None:
    """Begin a transaction that writes; on SQLite it is the only writer from its first moment.

    Args:
        connection: to the database.
        waiter: what ``acquire_writer`` gave; None where no other thread can be writing.
    """
    if connection.dialect.name == "sqlite":
        _begin_immediately(connection, waiter or Waiter())


def _begin_immediately(connection: Connection, waiter: Waiter) -> None:
    """SQLite's own waiting sleeps longer each time, up to a tenth of a second, while others begin and end."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    # Behind a thread that gave up, others have waited for that same process: they do not begin to wait once more.
    deadline = waiter.blocked_since + BUSY_TIMEOUT
    driver.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            except DBAPIError as error:
                if not is_busy(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_INTERVAL)
            else:
                waiter.wrote = True
                return
    finally:
        driver.execute(_BUSY_TIMEOUT_PRAGMA)


def is_busy(error: SQLAlchemyError) -> bool:
    """Whether somebody else holds what is needed, so that the same may succeed later."""
    if isinstance(error, NoConnectionError):
        return True
    driver_error = error.orig if isinstance(error, DBAPIError) else None
    code = getattr(driver_error, "sqlite_errorcode", 0) & 0xFF  # the other bits say more of it
    return code == sqlite3.SQLITE_BUSY or getattr(driver_error, "sqlstate", "") in _BUSY_STATES


def begin_rebuilding(connection: Connection) -> None:
    """Begin a transaction that may put a new table in an old one's place.

    SQLite cannot change a constraint otherwise, and would empty with the old table all that refers to it
    (https://www.sqlite.org/lang_altertable.html, section 7). The connection is for nothing else afterwards.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    begin_writing(connection)


def end_rebuilding(connection: Connection) -> None:
    """Look, before it is committed, whether every row still refers to one that is there.

    Raises:
        StoreError: one does not.
    """
    if connection.dialect.name == "sqlite":
        dangling_row = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if dangling_row is not None:
            raise StoreError(
                f"the tables cannot be upgraded: a row of {dangling_row[0]} refers to none of {dangling_row[2]}"
            )


def take_lock(connection: Connection, lock: int) -> None:
    """Take a lock until the transaction ends; SQLite has one writer anyway."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock})")


def insert_ignoring(connection: Connection, table: Table) -> Insert:
    """An insert that leaves out a row whose key is there already; the rows are given to ``execute``."""
    return _build_insert(connection, table).on_conflict_do_nothing()


def add_missing(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, without those whose key is there already."""
    if rows:
        connection.execute(insert_ignoring(connection, table), rows)


def insert_or_update(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]], *, key: tuple[str, ...]
) -> None:
    """Insert rows, and update the other columns of those whose key is there already."""
    if not rows:
        return
    statement = _build_insert(connection, table)
    updated_columns = {name: statement.excluded[name] for name in rows[0] if name not in key}
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=updated_columns), rows)


def insert_bulk(
    connection: Connection, table: TableClause, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert many rows whose values are as the database takes them: in half the time of the ordinary way, or less.

    Args:
        connection: to the database.
        table: none of the rows is there yet.
        columns: which values a row has, in their order.
        rows: texts, numbers and None; JSON as a text.
    """
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_build_insert_sql(connection, table, columns), list(rows))
    else:
        _copy_rows(connection, f"{table.name} ({', '.join(columns)})", rows)


def insert_or_update_bulk(
    connection: Connection,
    table: Table,
    columns: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    *,
    updated_columns: Sequence[str] = (),
) -> None:
    """The same, some of the rows being there already.

    Args:
        connection: to the database.
        table: into which they go.
        columns: which values a row has, in their order.
        rows: as ``fill`` takes them.
        updated_columns: the columns that a row that is there gets anew.
    """
    if rows:
        key = ", ".join(column.name for column in table.primary_key)
        assignments = ", ".join(f"{name} = excluded.{name}" for name in updated_columns)
        conflict_action = f"({key}) DO UPDATE SET {assignments}" if updated_columns else "DO NOTHING"
        sql = f"{_build_insert_sql(connection, table, columns)} ON CONFLICT {conflict_action}"
        connection.exec_driver_sql(sql, list(rows))


def _build_insert_sql(connection: Connection, table: TableClause, columns: Sequence[str]) -> str:
    placeholder = "?" if connection.dialect.name == "sqlite" else "%s"
    placeholders = ", ".join(placeholder for _ in columns)
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({placeholders})"  # noqa: S608 - names of our own


# --- what is done hundreds of thousands of times a day --------------------------------------------
#
# The ordinary way looks at every value of every row, going in and coming out: that takes several times as long as the
# database takes. Here the values are as the driver has them.


def fetch_raw_rows(
    connection: Connection, statement: Select[Any], values: Mapping[str, Any]
) -> Sequence[Any]:
    """The rows of a statement that is made once and run often, the values as the driver has them."""
    text, params = _bind_values(connection, statement, values)
    cursor_result = connection.exec_driver_sql(text, params)
    try:
        # As they are: a Row of each would take as long as all the rest.
        rows: Sequence[Any] = cursor_result.cursor.fetchall()
    except connection.dialect.loaded_dbapi.Error as error:  # as SQLAlchemy would tell it
        raise DBAPIError(text, None, error) from error
    finally:
        cursor_result.close()
    return rows


def execute_raw(connection: Connection, statement: Update, values: Mapping[str, Any]) -> None:
    """Run a statement that is made once and run often; the values are as the database takes them."""
    connection.exec_driver_sql(*_bind_values(connection, statement, values))


def _bind_values(
    connection: Connection, statement: Select[Any] | Update, values: Mapping[str, Any]
) -> tuple[str, Any]:
    """A statement and its values as the driver takes them: by name, or in their places."""
    text, param_order, constants = _compile_statement(connection, statement)
    params = {**constants, **values}
    return text, params if param_order is None else tuple(params[name] for name in param_order)


def make_bulk_params(database: str, **types: TypeEngine[Any]) -> Mapping[str, ColumnElement[Any]]:
    """Values that a statement has for each of many rows, by name; it is run by ``execute_bulk``.

    SQLite runs it once for each. PostgreSQL would read, answer and count each for itself: it is given all at once.

    Args:
        database: the name of its dialect.
        types: of the values.
    """
    if database == "sqlite":
        return {name: bindparam(name) for name in types}
    arrays = [bindparam(name, type_=ARRAY(type_)) for name, type_ in types.items()]
    value_columns = [column(name, type_) for name, type_ in types.items()]
    return dict(func.unnest(*arrays).table_valued(*value_columns, name="each_one").render_derived().c.items())


def execute_bulk(
    connection: Connection,
    statement: Update,
    rows: Sequence[Mapping[str, Any]],
    shared_values: Mapping[str, Any],
) -> None:
    """Run a statement that is made once for each of many rows; the values are as the database takes them.

    Args:
        connection: to the database.
        statement: made with ``make_bulk_params``.
        rows: its values, by name; at least one.
        shared_values: the values that are the same for all.
    """
    if connection.dialect.name != "sqlite":
        arrays = {name: [row[name] for row in rows] for name in rows[0]}
        execute_raw(connection, statement, {**shared_values, **arrays})
        return
    text, param_order, constants = _compile_statement(connection, statement)
    fixed = {**constants, **shared_values}
    columns = (
        repeat(fixed[name]) if name in fixed else map(itemgetter(name), rows) for name in param_order or ()
    )
    connection.exec_driver_sql(text, list(zip(*columns, strict=False)))


_COMPILED_STATEMENTS: dict[tuple[Executable, str], tuple[str, Sequence[str] | None, dict[str, Any]]] = {}


def _compile_statement(
    connection: Connection, statement: Select[Any] | Update
) -> tuple[str, Sequence[str] | None, dict[str, Any]]:
    """A statement as the driver takes it, the names of its values where they have places instead, and constants."""
    key = statement, connection.dialect.name
    if key not in _COMPILED_STATEMENTS:
        compiled = statement.compile(dialect=connection.dialect)
        assert isinstance(compiled, SQLCompiler)
        constants = {name: value for name, value in compiled.params.items() if value is not None}
        _COMPILED_STATEMENTS[key] = (
            str(compiled),
            list(compiled.positiontup or ()) if compiled.positional else None,
            constants,
        )
    return _COMPILED_STATEMENTS[key]


def to_db(connection: Connection, instant: datetime) -> Any:
    """An instant as the database takes it."""
    if connection.dialect.name == "sqlite":
        return instant.astimezone(UTC).replace(tzinfo=None).isoformat(" ", timespec="microseconds")
    return instant


def make_in_condition(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Whether a column is one of many values, which are one value of the statement: ``to_in_param``."""
    return _InParam(column, name)


class _InParam(ColumnElement[bool]):
    inherit_cache = False

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column = column
        self.name = name


@compiles(_InParam)
def _compile_in_array(element: _InParam, compiler: SQLCompiler, **options: Any) -> str:
    param = bindparam(element.name, type_=ARRAY(element.column.type))
    return compiler.process(element.column == any_(param), **options)


@compiles(_InParam, "sqlite")
def _compile_in_json(element: _InParam, compiler: SQLCompiler, **options: Any) -> str:
    json_values = func.json_each(bindparam(element.name)).table_valued("value")
    return compiler.process(element.column.in_(select(json_values.c.value)), **options)


def to_in_param(connection: Connection, values: Iterable[Any]) -> Any:
    """Numbers or texts as ``make_in_condition`` takes them."""
    return json.dumps(list(values)) if connection.dialect.name == "sqlite" else list(values)


def get_json_reader(connection: Connection) -> Callable[[Any], Any]:
    """What makes a value of the JSON that the database gives."""
    return json.loads if connection.dialect.name == "sqlite" else lambda stored: stored


def get_instant_reader(connection: Connection) -> Callable[[Any], datetime]:
    """What makes an instant of what the database gives."""
    if connection.dialect.name == "sqlite":
        return lambda stored: datetime.fromisoformat(f"{stored}+00:00")
    return lambda stored: stored.astimezone(UTC)


def get_day_reader(connection: Connection) -> Callable[[Any], date]:
    """What makes a day of what the database gives."""
    return date.fromisoformat if connection.dialect.name == "sqlite" else lambda stored: stored


def _copy_rows(connection: Connection, names: str, rows: Sequence[tuple[Any, ...]]) -> None:
    from psycopg import Error

    driver = connection.connection.driver_connection
    assert driver is not None
    sql = f"COPY {names} FROM STDIN"
    try:
        with driver.cursor().copy(sql) as copy:
            for row in rows:
                copy.write_row(row)
    except Error as error:  # as SQLAlchemy would tell it
        raise DBAPIError(sql, None, error) from error


def split_into_chunks(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """Values in groups of which each fits into one statement, whatever the database's limit."""
    return (values[start : start + _CHUNK_SIZE] for start in range(0, len(values), _CHUNK_SIZE))


def _build_insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    # Imported here: each dialect takes as long as a day's listings do to be read.
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_here

        return insert_here(table)
    from sqlalchemy.dialects.postgresql import insert

    return insert(table)


def make_partial_index(
    name: str, *columns: ColumnClause[Any] | str, unique: bool, where: ColumnElement[bool]
) -> Index:
    """An index over the rows that fulfil a condition.

    Migrations make it. What a dialect is told here loads that dialect, and each takes as long as a day's listings.
    """
    return Index(name, *columns, unique=unique, info={"where": where})


def measure_rows(connection: Connection, table: Table, condition: ColumnElement[bool]) -> int:
    """The bytes of some rows; 0 on SQLite, which tells only of whole pages: ``count_free_bytes``."""
    if connection.dialect.name == "sqlite":
        return 0
    size = func.coalesce(func.sum(func.pg_column_size(literal_column(table.name))), 0)
    return int(connection.execute(select(size).select_from(table).where(condition)).scalar_one())


def count_free_bytes(connection: Connection) -> int:
    """The bytes of pages in a SQLite file that new rows take first; 0 elsewhere."""
    if connection.dialect.name != "sqlite":
        return 0
    pages, size = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("freelist_count", "page_size")
    )
    return int(pages * size)


def is_auto_upgraded(engine: Engine) -> bool:
    """Whether migrations run when the store is opened: where nobody else can be using it by design."""
    return engine.dialect.name == "sqlite"


@contextmanager
def make_temporary_copy(engine: Engine) -> Iterator[Engine | None]:
    """A copy of the database that is thrown away in the end; None where a transaction does as well.

    SQLite has one writer: what is tried for minutes in a transaction keeps everybody else from writing,
    and a mail that was sent meanwhile could not be marked.
    """
    if engine.dialect.name != "sqlite":
        yield None
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "copy.db"
        backup(engine, path)
        copy_engine = make_engine(f"sqlite:///{path}")
        try:
            yield copy_engine
        finally:
            copy_engine.dispose()


def backup(engine: Engine, target: Path) -> None:
    """Copy the database to a file while it is in use.

    Raises:
        StoreError: this database has tools of its own for that.
    """
    if engine.dialect.name != "sqlite":
        raise StoreError("this command only backs up SQLite; use pg_dump for PostgreSQL")
    try:
        os.close(_open_private(target, os.O_CREAT | os.O_RDWR))
    except OSError as error:
        raise StoreError(f"the copy {target} cannot be written: {error.strerror}") from error
    with engine.connect() as connection, sqlite3.connect(target) as copy:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.backup(copy)
    copy.close()
