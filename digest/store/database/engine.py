"""The database connection and its kinds of transactions."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from digest.errors import NotUpgradedError, StoreBusyError, StoreError, TooOldError
from digest.store.database import dialect
from digest.store.database.compatibility import exclude_older, read_oldest_migration
from digest.store.database.lock_times import measure_hold, measure_wait
from digest.store.database.tables.digests import counters, slots

LATEST_MIGRATION = "0047"
"""Migration that this release needs; a test compares it with the scripts."""
COMPATIBLE_SINCE = "0037"
"""Migration of the oldest release that can still work on the tables of this one, while its processes are replaced.

Raise it in the release that removes what an older one needs (expand, then contract)."""

_TRIED_CONNECTIONS = 8
"""Connections that are opened to find out whether one address leads to several databases."""
Transaction = Connection
"""Type of the first argument of all functions in ``digest.store``; opaque to other packages."""


@dataclass(frozen=True, slots=True)
class Store:
    """The database.

    Attributes:
        engine: the engine.
        dry_run_connection: the open transaction of a rehearsal on PostgreSQL, which is rolled back at the
            end; None otherwise.
    """

    engine: Engine
    dry_run_connection: Connection | None = None

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        """Begin a transaction that sees one state of the database and changes nothing."""
        if self.dry_run_connection is not None:
            yield self.dry_run_connection
            return
        with translate_errors(), self.engine.connect() as connection:
            dialect.begin_reading(connection)
            yield connection
            connection.rollback()

    def begin_write(self) -> AbstractContextManager[Transaction]:
        """Begin a transaction that is committed at the end of its block, or rolled back by an exception."""
        return self._begin_write(None)

    def begin_planning(self) -> AbstractContextManager[Transaction]:
        """Begin a writing transaction that changes many digests or what all of them share; only one at a time.

        Applying a file is such a change. Whoever changes single digests, fires or closes a run, or removes old
        rows locks their rows (``store/subscribers/digest_locks.py``) and does not wait for this lock.
        """
        return self._begin_write(dialect.PLANNING_LOCK)

    def begin_erasure(self) -> AbstractContextManager[Transaction]:
        """Begin a writing transaction that erases a reader or an address; only one at a time.

        Each of them also removes what earlier ones had to leave, so two at once would wait for each other.
        """
        return self._begin_write(dialect.ERASURE_LOCK)

    def begin_ingest(self) -> AbstractContextManager[Transaction]:
        """Begin a writing transaction that stores papers and announcement days of sources; only one at a time.

        Otherwise two transactions that store the same paper under two keys would not see each other, and two
        that lock days and papers in different order would cause a deadlock.
        """
        return self._begin_write(dialect.INGEST_LOCK)

    @contextmanager
    def _begin_write(self, lock: int | None) -> Iterator[Transaction]:
        if self.dry_run_connection is not None:
            with self.dry_run_connection.begin_nested():
                if lock is not None:
                    dialect.take_lock(self.dry_run_connection, lock)
                yield self.dry_run_connection
            return
        with defer_signals(), translate_errors(), self._begin_locked(lock) as connection:
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def _begin_locked(self, lock: int | None) -> Iterator[Transaction]:
        """Begin a writing transaction that has an advisory lock, or none, and measure waiting and holding."""
        kind = dialect.get_lock_kind(self.engine, lock)
        with ExitStack() as stack:
            with measure_wait(kind):
                waiter = stack.enter_context(dialect.acquire_writer(self.engine, lock))
                connection = stack.enter_context(self.engine.connect())
                dialect.begin_writing(connection, waiter)
                dialect.limit_idle_time(connection)
            if lock is not None:
                dialect.take_lock(connection, lock)
            with measure_hold(kind):
                yield connection

    @contextmanager
    def begin_dry_run(self) -> Iterator[Store]:
        """Yield a store for a rehearsal; nothing that is written there stays."""
        with translate_errors(), dialect.make_temporary_copy(self.engine) as copy_engine:
            if copy_engine is not None:
                yield Store(copy_engine)
                return
            with self.engine.connect() as connection:
                dialect.begin_writing(connection)
                # Its transactions are one, whose locks would come in an order that others do not expect. All changes of
                # digests and runs begin with a slot, so they wait until the rehearsal has ended, as before it began.
                dialect.lock_table(connection, slots)
                try:
                    yield replace(self, dry_run_connection=connection)
                finally:
                    connection.rollback()

    def forget_deleted(self) -> bool:
        """Remove deleted rows from the files of the database, too.

        Returns:
            Whether they are gone; if not, because another transaction is reading, a later call removes them.
        """
        if self.dry_run_connection is not None:
            return True
        with translate_errors():
            return dialect.empty_write_ahead_log(self.engine)

    def check_address(self) -> None:
        """Open several connections at once, and check that all of them reach the same database.

        Raises:
            OtherDatabaseError: they reach different ones.
            StoreError: the database cannot be reached.
        """
        with translate_errors(), ExitStack() as stack:
            for _ in range(_TRIED_CONNECTIONS):
                stack.enter_context(self.engine.connect())

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()


def open_store(url: str, now: datetime) -> Store:
    """Open the database and check that its tables are those of this release.

    A SQLite file is upgraded at once, after a backup beside it; PostgreSQL only by ``digest db upgrade``.

    Args:
        url: a database URL of SQLAlchemy.
        now: the time in the name of a backup.

    Raises:
        ConfigError: the URL is invalid.
        NotUpgradedError: its tables are those of an earlier release.
        TooOldError: its tables are those of a later release, for which this one is too old.
        StoreError: the database cannot be opened.
    """
    engine = dialect.make_engine(url)
    try:
        _ensure_current(engine, now)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine)


def _ensure_current(engine: Engine, now: datetime) -> None:
    version = read_version(engine)
    if version == LATEST_MIGRATION:
        return
    if version is not None and version > LATEST_MIGRATION:
        if read_compatible_since(engine) > LATEST_MIGRATION:
            raise TooOldError(version)
        return
    if not dialect.is_auto_upgraded(engine):
        raise NotUpgradedError(
            "the tables of the database are not those of this release; run `digest db upgrade`"
        )
    if version is not None:
        dialect.backup(engine, Path(f"{engine.url.database}.{now:%Y%m%dT%H%M%S}.backup"))
    upgrade(engine)


def read_version(engine: Engine) -> str | None:
    """Return the migration of a database; None if it does not have our tables.

    Raises:
        StoreError: the database cannot be opened.
    """
    with translate_errors(), engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def read_compatible_since(engine: Engine) -> str:
    """Return the migration of the oldest release that can work on a database; the present one if it does not say."""
    with translate_errors(), engine.connect() as connection:
        noted = read_oldest_migration(connection)
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return str(noted or version)


def find_newer_tables(tx: Transaction) -> TooOldError | None:
    """Return an error if the tables were upgraded so far that this release can no longer work on them."""
    noted = read_oldest_migration(tx)
    if noted is None or noted <= LATEST_MIGRATION:
        return None
    return TooOldError(tx.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or noted)


def upgrade(engine: Engine) -> None:
    """Migrate the tables to those of this release; releases that cannot work on them are told before.

    Raises:
        StoreError: there is no path from the present migration.
    """
    migrate_to(engine, LATEST_MIGRATION)


def migrate_to(
    engine: Engine,
    version: str,
    *,
    prepare: Callable[[Transaction], None] = lambda _: None,
    finish: Callable[[Transaction], None] = lambda _: None,
) -> None:
    """Migrate the tables to a version.

    Args:
        engine: the engine of the database.
        version: the version.
        prepare: called at the beginning of the transaction that migrates.
        finish: called before its end.

    Raises:
        StoreError: there is no path from the present migration.
    """
    from alembic.util import CommandError

    from digest.store.database.migrations import migrate

    try:
        with translate_errors():
            if version == LATEST_MIGRATION and read_version(engine) is not None:
                exclude_older(engine, COMPATIBLE_SINCE)
            migrate(engine, version, prepare=prepare, finish=finish)
            if version == LATEST_MIGRATION:
                exclude_older(engine, COMPATIBLE_SINCE)  # of tables that were created just now
    except CommandError as error:
        raise StoreError(f"the tables cannot be upgraded: {error}") from error


def get_highest_seq(tx: Transaction) -> int:
    """Return the ``seq`` of the last event."""
    seq: int = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
    return seq


@contextmanager
def defer_signals() -> Iterator[None]:
    """Defer Ctrl-C and SIGTERM until the block has ended; a second signal is delivered at once.

    A transaction needs this most: an interrupted statement of SQLite would be kept alive by the traceback,
    and with it the lock on the database, for which the cleanup would then wait.
    """
    handlers: dict[int, Any] = {
        signal_number: signal.getsignal(signal_number) for signal_number in (signal.SIGINT, signal.SIGTERM)
    }
    callable_handlers = {
        signal_number: handler for signal_number, handler in handlers.items() if callable(handler)
    }
    if threading.current_thread() is not threading.main_thread() or not callable_handlers:
        yield
        return
    received_signals: list[int] = []

    def record_signal(signal_number: int, frame: FrameType | None) -> None:
        if received_signals:
            callable_handlers[signal_number](signal_number, frame)
        received_signals.append(signal_number)

    try:
        for signal_number in callable_handlers:
            signal.signal(signal_number, record_signal)
        yield
    finally:
        for signal_number, handler in callable_handlers.items():
            signal.signal(signal_number, handler)
        if received_signals:
            callable_handlers[received_signals[0]](received_signals[0], None)


_REMEDIES = {
    "locked": "; another process is writing to it; try again when it has finished",
    "full": "; free some space and run again; nothing is lost",
    "disk i/o": "; the disk may be full or broken; fix this and run again; nothing is lost",
    "readonly": f"; {dialect.WRITE_PERMISSION_HINT}",
    "read-only": "; the server is a replica or still being recovered: name the primary in [store] url, or wait",
    "unable to open": f"; {dialect.WRITE_PERMISSION_HINT}",
    "not a database": f"; {dialect.RESTORE_HINT}",
    "malformed": f"; {dialect.RESTORE_HINT}",
    "out of memory": "; give its server more memory and run again; nothing is lost",
    "idle-in-transaction": ", because this process did nothing for a minute: was it stopped, or was the machine asleep?",
    "connection": "; is the server running, and is [store] url right?",
}
"""Advice by a word in the error message of the database."""


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise errors of SQLAlchemy as our own exceptions, with advice."""
    try:
        yield
    except DBAPIError as error:
        message = " ".join(str(error.orig).split())
        remedy = next((remedy for keyword, remedy in _REMEDIES.items() if keyword in message.lower()), "")
        error_class = StoreBusyError if dialect.is_busy(error) else StoreError
        raise error_class(f"the database says: {message}{remedy}") from error
    except SQLAlchemyError as error:
        error_class = StoreBusyError if dialect.is_busy(error) else StoreError
        raise error_class(f"the database cannot be used: {error}") from error
