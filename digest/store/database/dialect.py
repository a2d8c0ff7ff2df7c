"""Differences between SQLite and PostgreSQL, except for those of bulk inserts, sizes, posting lists and migrations."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, date, datetime
from itertools import repeat
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

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
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ColumnClause, Insert
from sqlalchemy.sql.type_api import TypeEngine

from digest.errors import ConfigError, StoreError
from digest.store.database.lock_times import LockKind, measure_wait
from digest.store.database.postgres.server_identity import (
    SELECT_DATABASE,
    require_same_database,
    require_same_server,
)
from digest.store.database.sqlite import database_file
from digest.store.database.sqlite.writer_queue import Waiter, WriterQueue

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

WRITE_PERMISSION_HINT, RESTORE_HINT = database_file.WRITE_PERMISSION_HINT, database_file.RESTORE_HINT
"""Advice for a file that is read-only, and for one that is damaged."""
_URL_HINT = "write sqlite:///digest.db or postgresql+psycopg://…"
"""Advice for a URL of neither database."""
BUSY_TIMEOUT = 10.0
"""Seconds that a process waits for another process that is writing."""
_RETRY_INTERVAL = 0.001
"""Seconds between two attempts to begin a writing transaction."""
_LOG_TIMEOUT = 0.5
"""How long the emptying of the write-ahead log waits for transactions that read it, in seconds; writers wait meanwhile."""
_MAX_IDLE_SECONDS = 60
"""How long a writing transaction may do nothing in the database, in seconds: as long as a worker may be silent."""
_BUSY_TIMEOUT_PRAGMA = f"PRAGMA busy_timeout = {BUSY_TIMEOUT * 1000:.0f}"

_POOLER_PARAMETER = "pooler"
_DRIVER_OPTIONS: Mapping[str, Any] = {
    "application_name": "digest",
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""The name by which the server lists our connections, and settings that detect within a minute that it disappeared.

The ``keepalives_…`` values are seconds, except for the count of probes; ``tcp_user_timeout`` is in
milliseconds. With the system's own settings, reading would wait for two hours and writing for a quarter of an
hour. Values in the URL take precedence.

The timeout is no longer than all probes together, because on Linux it limits these as well (tcp(7),
TCP_USER_TIMEOUT).
"""

_REPLICA_OPTIONS: Mapping[str, Any] = {
    **_DRIVER_OPTIONS,
    "connect_timeout": 3,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 6_000,
}
"""The same for a replica: within six seconds, because readers wait, and the primary can answer instead."""

_CHUNK_SIZE = 500
"""Maximum number of values in one statement."""
PLANNING_LOCK, INGEST_LOCK, BOUNCE_LOCK, ERASURE_LOCK = (0x646967657374 + offset for offset in range(4))
"""Numbers of our advisory locks; unlikely to be used by another program in the same database."""
_LOCK_KINDS = {
    PLANNING_LOCK: LockKind.PLANNING,
    INGEST_LOCK: LockKind.INGEST,
    BOUNCE_LOCK: LockKind.BOUNCES,
    ERASURE_LOCK: LockKind.ERASURE,
}
_MAILBOX_LOCKS = 0x64696765
"""First number of the advisory locks of mail addresses; the second one is a hash of the address."""
_BUSY_STATES = frozenset({"40001", "40P01", "55P03"})
"""SQLSTATEs of PostgreSQL for a conflict with what a replica applies, a deadlock, and a lock that took too long."""

Id: TypeEngine[int] = BigInteger().with_variant(Integer, "sqlite")
"""Type of a row number that the database assigns. SQLite only numbers an INTEGER PRIMARY KEY."""
UNIQUE_FOREVER: Mapping[str, Any] = {"sqlite_autoincrement": True}
"""Options of a table whose numbers are never used again; otherwise SQLite gives a new row that of a deleted last one."""


ByteText: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is compared byte by byte in every locale, as searches for a prefix need it."""


def make_engine(url: str) -> Engine:
    """Return the engine for a database URL; it does not connect, but a missing SQLite file is created.

    Raises:
        ConfigError: the URL is invalid, or its driver is not installed.
        StoreError: the SQLite file cannot be opened, or is not a database.
    """
    # The caller reports a lost connection, or an interruption while one is returned to the pool; the pool would add a
    # traceback to that.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    with _explain_url_errors():
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return _make_sqlite_engine(parsed)
        if parsed.get_backend_name() == "postgresql":
            engine = _make_postgres_engine(parsed, _DRIVER_OPTIONS)
            require_same_database(engine)
            return engine
    raise ConfigError(f"the database must be SQLite or PostgreSQL; {_URL_HINT}")


def make_replica_engine(url: str) -> tuple[Engine, Callable[[], None]]:
    """Return the engine of a replica, all of whose connections reach the same server; it does not connect.

    Returns:
        The engine, and a function that forgets the server. Call it when all connections are closed.

    Raises:
        ConfigError: the URL is invalid.
    """
    with _explain_url_errors():
        engine = _make_postgres_engine(make_url(url), _REPLICA_OPTIONS)
    return engine, require_same_server(engine)


def _make_postgres_engine(url: URL, driver_options: Mapping[str, Any]) -> Engine:
    # The caller reports a lost connection; the driver would log a second line about it.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    options = {name: value for name, value in driver_options.items() if name not in url.query}
    if is_pooled(url):
        options["prepare_threshold"] = None  # the next transaction may get another connection
    return create_engine(_remove_pooler(url), pool_pre_ping=True, connect_args=options)


@contextmanager
def _explain_url_errors() -> Iterator[None]:
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigError(f"the database url is not understood ({error}); {_URL_HINT}") from error
    except ModuleNotFoundError as error:
        raise ConfigError("PostgreSQL needs a driver; run pip install 'psycopg[binary]'") from error


def is_pooled(url: str | URL) -> bool:
    """Whether a URL leads to a pooler that gives each transaction another connection (``?pooler=transaction``)."""
    return make_url(url).query.get(_POOLER_PARAMETER) == "transaction"


def _remove_pooler(url: URL) -> URL:
    """Remove our own parameter, which the driver does not know."""
    return url.difference_update_query([_POOLER_PARAMETER])


def get_file(url: str) -> Path | None:
    """Return the file of a database; None if the database is not a file.

    Raises:
        ConfigError: the URL is invalid.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ConfigError(f"the database url is not understood: {error}") from error
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database not in {None, "", ":memory:"}
    return Path(str(parsed.database)) if is_file else None


def _make_sqlite_engine(url: URL) -> Engine:
    if url.database and url.database != ":memory:" and "uri" not in url.query:
        database_file.open_database_file(Path(url.database))
        # The writers of a file share a queue by its URL, so all ways to write its path must give the same URL.
        url = url.set(database=os.path.realpath(url.database))
    # No limit on connections: with a limit, readers that are about to write could hold all of them.
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT}, max_overflow=-1)

    @event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, _record: object) -> None:
        # The driver begins a transaction only at the first write. Anything read before can be stale by then, and updates
        # would be lost without an error, so we begin transactions ourselves.
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",  # NORMAL can lose the last commits in a power failure: mails would be repeated
            "foreign_keys = ON",
            "secure_delete = ON",  # deleted rows would stay readable in free pages, depending on how SQLite was built
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def begin_reading(connection: Connection) -> None:
    """Begin a transaction that sees one state of the database."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


_WRITER_QUEUES: dict[tuple[str, int | None], WriterQueue] = {}
"""Queues by database and lock, not by engine, because a process may open one database several times."""


def acquire_writer(engine: Engine, lock: int | None) -> AbstractContextManager[Waiter | None]:
    """Wait for the threads of this process that want to write to the same SQLite file, or the same lock of PostgreSQL.

    Call it before taking a connection: if waiting threads held connections, the thread at the front might get
    none.

    Args:
        engine: the engine of the database.
        lock: the advisory lock with which the transaction begins; None if it begins with none.
    """
    if engine.dialect.name == "sqlite":
        lock = None
    elif lock is None:
        return nullcontext()
    return _WRITER_QUEUES.setdefault((engine.url.render_as_string(), lock), WriterQueue()).acquire()


def begin_writing(connection: Connection, waiter: Waiter | None = None) -> None:
    """Begin a transaction that writes; on SQLite it holds the write lock from the start.

    Args:
        connection: a connection to the database.
        waiter: the result of ``acquire_writer``; None if no other thread can be writing.
    """
    if connection.dialect.name == "sqlite":
        _begin_immediately(connection, waiter or Waiter())


def _begin_immediately(connection: Connection, waiter: Waiter) -> None:
    """Take the write lock of SQLite by frequent attempts.

    SQLite's own busy handler sleeps longer each time, up to 0.1 s, while other transactions begin and end.
    """
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    # Threads queued behind one that timed out have waited for the same other process, so their time counts as well.
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
    """Whether the error is a lock or connection that was not available, so that a retry may succeed."""
    if isinstance(error, NoConnectionError):
        return True
    driver_error = error.orig if isinstance(error, DBAPIError) else None
    code = getattr(driver_error, "sqlite_errorcode", 0) & 0xFF  # the other bits are the extended code
    return code == sqlite3.SQLITE_BUSY or getattr(driver_error, "sqlstate", "") in _BUSY_STATES


def begin_rebuilding(connection: Connection) -> None:
    """Begin a transaction that may replace a table by a new one.

    SQLite cannot change a constraint in any other way, and foreign keys must be off meanwhile, because
    dropping the old table would first delete its rows (https://www.sqlite.org/lang_altertable.html, section
    7). Do not use the connection for anything else afterwards.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    begin_writing(connection)


def limit_lock_waits(connection: Connection, seconds: int) -> None:
    """Let statements of this transaction fail that wait longer for a lock, with an error for which ``is_busy`` holds."""
    if has_row_locks(connection):
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{seconds}s'")


def limit_idle_time(connection: Connection) -> None:
    """Let the database end this transaction if no statement comes for a minute, because the process hangs or is cut off.

    Otherwise its locks would stop all others for as long as it hangs. It gets an error at its next statement.
    """
    if has_row_locks(connection):
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = '{_MAX_IDLE_SECONDS}s'")


def end_rebuilding(connection: Connection) -> None:
    """Check before the commit that all foreign keys are valid.

    Raises:
        StoreError: a row refers to a row that does not exist.
    """
    if connection.dialect.name == "sqlite":
        dangling_row = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if dangling_row is not None:
            raise StoreError(
                f"the tables cannot be upgraded: a row of {dangling_row[0]} refers to none of {dangling_row[2]}"
            )


def take_lock(connection: Connection, lock: int) -> None:
    """Take an advisory lock until the transaction ends; does nothing on SQLite, which has only one writer."""
    if connection.dialect.name != "sqlite":
        with measure_wait(_LOCK_KINDS[lock]):
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock})")


def get_lock_kind(engine: Engine, lock: int | None) -> LockKind | None:
    """Return the kind of lock that a writing transaction begins with; None if it begins with none.

    Args:
        engine: the engine of the database.
        lock: an advisory lock; on SQLite, transactions without one have the lock of its only writer, too.
    """
    if lock is not None:
        return _LOCK_KINDS[lock]
    return LockKind.WRITE if engine.dialect.name == "sqlite" else None


def read_time(connection: Connection) -> datetime:
    """Return the time of the database's clock, UTC; that of SQLite is this machine's."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return now.astimezone(UTC)


def read_database_identity(connection: Connection) -> tuple[Any, ...]:
    """Return what a PostgreSQL database and its replicas have in common, and no other database has."""
    return tuple(connection.exec_driver_sql(SELECT_DATABASE).one())


def has_job_queue(connection: Connection) -> bool:
    """Whether the database holds the tables of Procrastinate: PostgreSQL does."""
    return connection.dialect.name == "postgresql"


def format_conninfo(url: str) -> str:
    """Return the address of a PostgreSQL database as its driver and programs read it (libpq, section 34.1.1.1).

    Raises:
        ConfigError: the URL has a parameter that they do not know.
    """
    from psycopg import ProgrammingError
    from psycopg.conninfo import make_conninfo

    parsed = make_url(url)
    _, address = parsed.get_dialect()().create_connect_args(_remove_pooler(parsed))
    try:
        return make_conninfo(**{**_DRIVER_OPTIONS, **address})
    except ProgrammingError as error:
        raise ConfigError(f"the database url is not understood: {error}") from error


def lock_mailboxes(connection: Connection, mailboxes: Iterable[str]) -> None:
    """Take the locks of mail addresses until the transaction ends, whether or not anything is stored about them.

    Take them before locks of rows, and all of them at once.

    Args:
        connection: a connection to the database.
        mailboxes: the addresses, in lower case.
    """
    if has_row_locks(connection):
        # In order, so that two transactions never wait for each other. As signed numbers, which PostgreSQL wants.
        numbers = sorted({zlib.crc32(mailbox.encode()) - (1 << 31) for mailbox in mailboxes})
        with measure_wait(LockKind.MAILBOXES):
            for number in numbers:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MAILBOX_LOCKS}, {number})")


def lock_table(connection: Connection, table: Table) -> None:
    """Keep others from changing or locking rows of a table until the transaction ends; they can still read it."""
    if has_row_locks(connection):
        connection.exec_driver_sql(f"LOCK TABLE {table.name} IN EXCLUSIVE MODE")


def has_row_locks(connection: Connection) -> bool:
    """Whether transactions can lock rows; SQLite has only one writer, who needs no locks."""
    return connection.dialect.name != "sqlite"


def insert_ignoring(connection: Connection, table: Table) -> Insert:
    """Build an insert that skips rows whose key exists already; pass the rows to ``execute``."""
    return _build_insert(connection, table).on_conflict_do_nothing()


def add_missing(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, except those whose key exists already."""
    if rows:
        connection.execute(insert_ignoring(connection, table), rows)


def insert_or_update(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]], *, key: tuple[str, ...]
) -> None:
    """Insert rows, and update the other columns of those whose key exists already."""
    if not rows:
        return
    statement = _build_insert(connection, table)
    updated_columns = {name: statement.excluded[name] for name in rows[0] if name not in key}
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=updated_columns), rows)


# --- raw statements -------------------------------------------------------------------------------
#
# These run hundreds of thousands of times a day. SQLAlchemy converts every value of every row in both directions, which
# takes several times as long as the database itself, so these functions use the values of the driver.


def fetch_raw_rows(
    connection: Connection, statement: Select[Any], values: Mapping[str, Any]
) -> Sequence[Any]:
    """Run a statement, compiled only once, and return its rows as tuples of driver values."""
    text, params = _bind_values(connection, statement, values)
    cursor_result = connection.exec_driver_sql(text, params)
    try:
        # Making a Row of each tuple would take as long as everything else together.
        rows: Sequence[Any] = cursor_result.cursor.fetchall()
    except connection.dialect.loaded_dbapi.Error as error:  # raised as SQLAlchemy would raise it
        raise DBAPIError(text, None, error) from error
    finally:
        cursor_result.close()
    return rows


def execute_raw(connection: Connection, statement: Update, values: Mapping[str, Any]) -> None:
    """Run a statement, compiled only once, with driver values."""
    connection.exec_driver_sql(*_bind_values(connection, statement, values))


def _bind_values(
    connection: Connection, statement: Select[Any] | Update, values: Mapping[str, Any]
) -> tuple[str, Any]:
    """Return the text of a statement and its parameters, by name or by position as the driver requires."""
    text, param_order, constants = _compile_statement(connection, statement)
    params = {**constants, **values}
    return text, params if param_order is None else tuple(params[name] for name in param_order)


def make_bulk_params(database: str, **types: TypeEngine[Any]) -> Mapping[str, ColumnElement[Any]]:
    """Return the parameters of a statement for ``execute_bulk``, by name.

    SQLite runs the statement once for each row. PostgreSQL would parse, answer and count each of these
    separately, so it gets all rows at once, as arrays.

    Args:
        database: the name of the SQLAlchemy dialect.
        types: the type of each parameter.
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
    """Run a statement for each of many rows of driver values; the statement is compiled only once.

    Args:
        connection: a connection to the database.
        statement: a statement made with ``make_bulk_params``.
        rows: the values of each row, by name; at least one row.
        shared_values: the values that are the same for all rows.
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
    """Return the text of a statement, the order of its parameters if they are positional, and its constants."""
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
    """Convert an instant to a driver value."""
    if connection.dialect.name == "sqlite":
        return instant.astimezone(UTC).replace(tzinfo=None).isoformat(" ", timespec="microseconds")
    return instant


def make_in_condition(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Build the condition that a column is in a list, which is a single parameter made by ``to_in_param``."""
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
    """Convert numbers or texts to the parameter of ``make_in_condition``."""
    return json.dumps(list(values)) if connection.dialect.name == "sqlite" else list(values)


def get_json_reader(connection: Connection) -> Callable[[Any], Any]:
    """Return the function that converts a driver value to the content of a JSON column."""
    return json.loads if connection.dialect.name == "sqlite" else lambda stored: stored


def get_instant_reader(connection: Connection) -> Callable[[Any], datetime]:
    """Return the function that converts a driver value to an instant in UTC."""
    if connection.dialect.name == "sqlite":
        return lambda stored: datetime.fromisoformat(f"{stored}+00:00")
    return lambda stored: stored.astimezone(UTC)


def get_day_reader(connection: Connection) -> Callable[[Any], date]:
    """Return the function that converts a driver value to a date."""
    return date.fromisoformat if connection.dialect.name == "sqlite" else lambda stored: stored


def split_into_chunks(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """Split values into chunks that fit into one statement, whatever the limit of the database."""
    return (values[start : start + _CHUNK_SIZE] for start in range(0, len(values), _CHUNK_SIZE))


def _build_insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    # Only the dialect in use is imported: each takes as long to import as it takes to read the listings of a day.
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_here

        return insert_here(table)
    from sqlalchemy.dialects.postgresql import insert

    return insert(table)


def make_partial_index(
    name: str, *columns: ColumnClause[Any] | str, unique: bool, where: ColumnElement[bool]
) -> Index:
    """Make an index over the rows that meet a condition.

    Migrations create it. The condition is in ``info``, because an option such as ``sqlite_where`` would
    import that dialect, which takes as long as reading the listings of a day.
    """
    return Index(name, *columns, unique=unique, info={"where": where})


def is_partial_index(index: Index) -> bool:
    """Whether an index is one of ``make_partial_index``."""
    return "where" in index.info


def empty_write_ahead_log(engine: Engine) -> bool:
    """Empty SQLite's write-ahead log, which keeps former contents of rows after they were deleted.

    Returns:
        False if a transaction still reads the log after ``_LOG_TIMEOUT``; PostgreSQL's log is its operator's.
    """
    if engine.dialect.name != "sqlite":
        return True
    with acquire_writer(engine, None), engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute(f"PRAGMA busy_timeout = {_LOG_TIMEOUT * 1000:.0f}")
        try:
            is_in_use = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
        except DBAPIError as error:
            if not is_busy(error):
                raise
            return False
        finally:
            driver.execute(_BUSY_TIMEOUT_PRAGMA)
        return not is_in_use


def is_auto_upgraded(engine: Engine) -> bool:
    """Whether migrations run when the database is opened: only on SQLite, whose file belongs to a single installation."""
    return engine.dialect.name == "sqlite"


@contextmanager
def make_temporary_copy(engine: Engine) -> Iterator[Engine | None]:
    """Yield the engine of a temporary copy of the database; None if a transaction can be used instead.

    SQLite has one writer: a rehearsal of some minutes in a transaction would block all other writes, and a
    mail that was sent in the meantime could not be recorded.
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
    """Copy a SQLite database to a file while it is in use.

    Raises:
        StoreError: the copy cannot be written.
    """
    try:
        os.close(database_file.open_private(target, os.O_CREAT | os.O_RDWR))
    except OSError as error:
        raise StoreError(f"the copy {target} cannot be written: {error.strerror}") from error
    with engine.connect() as connection, sqlite3.connect(target) as copy:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.backup(copy)
    copy.close()
