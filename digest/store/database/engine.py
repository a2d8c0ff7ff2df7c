"""Opening the store, and its kinds of transaction."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from digest.errors import StoreBusyError, StoreError
from digest.store.database import dialect
from digest.store.database.digest_tables import counters

LATEST_MIGRATION = "0021"
"""The migration that this release needs; a test compares it with the scripts."""

Transaction = Connection
"""What the functions of this layer are given; only this layer knows what it is."""


@dataclass(frozen=True, slots=True)
class Store:
    """The database.

    Attributes:
        engine: to it.
        dry_run_connection: where no copy can be made for a rehearsal, the one transaction that it happens in and
            that is undone at its end.
    """

    engine: Engine
    dry_run_connection: Connection | None = None

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        """A transaction that sees one state of the database and changes nothing."""
        if self.dry_run_connection is not None:
            yield self.dry_run_connection
            return
        with _translate_errors(), self.engine.connect() as connection:
            dialect.begin_reading(connection)
            yield connection
            connection.rollback()

    def begin_write(self) -> AbstractContextManager[Transaction]:
        """A transaction that is kept when its block ends well, and leaves nothing when it does not."""
        return self._begin_write(None)

    def begin_planning(self) -> AbstractContextManager[Transaction]:
        """A writing transaction that decides on slots, runs, digests and their queries: one at a time.

        What one reads here another may be about to change: a run would close without the follow that
        somebody is adding, and two would fire, move and wake slots in each other's way.
        """
        return self._begin_write(dialect.PLANNING_LOCK)

    def begin_ingest(self) -> AbstractContextManager[Transaction]:
        """A writing transaction that keeps what sources tell of papers and days: one at a time.

        Of two papers that are one, kept at the same time, neither would see the other; and two that take days
        and papers in another order would each wait for what the other holds.
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
        with (
            defer_signals(),
            _translate_errors(),
            dialect.acquire_writer(self.engine, lock) as waiter,
            self.engine.connect() as connection,
        ):
            dialect.begin_writing(connection, waiter)
            if lock is not None:
                dialect.take_lock(connection, lock)
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def begin_dry_run(self) -> Iterator[Store]:
        """A store in which everything can be tried, and of which nothing stays."""
        with _translate_errors(), dialect.make_temporary_copy(self.engine) as copy_engine:
            if copy_engine is not None:
                yield Store(copy_engine)
                return
            with self.engine.connect() as connection:
                dialect.begin_writing(connection)
                try:
                    yield replace(self, dry_run_connection=connection)
                finally:
                    connection.rollback()

    def close(self) -> None:
        """Let go of the connections."""
        self.engine.dispose()


def open_store(url: str, now: datetime) -> Store:
    """Open the store and make sure that its tables are those of this release.

    A SQLite file upgrades itself, after a backup beside it; PostgreSQL only by ``digest db upgrade``.

    Args:
        url: as SQLAlchemy writes it.
        now: for the name of a backup.

    Raises:
        ConfigError: the URL is not understood.
        StoreError: the database cannot be opened, or its tables are another release's.
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
        raise StoreError(f"the database was upgraded by a newer digest (tables {version}); upgrade this one")
    if not dialect.is_auto_upgraded(engine):
        raise StoreError("the tables of the database are not those of this release; run `digest db upgrade`")
    if version is not None:
        dialect.backup(engine, Path(f"{engine.url.database}.{now:%Y%m%dT%H%M%S}.backup"))
    upgrade(engine)


def read_version(engine: Engine) -> str | None:
    """The migration that a database is at; None for one without our tables.

    Raises:
        StoreError: the database cannot be opened.
    """
    with _translate_errors(), engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def upgrade(engine: Engine) -> None:
    """Bring the tables to this release's state.

    Raises:
        StoreError: there is no way from where they are.
    """
    migrate_to(engine, LATEST_MIGRATION)


def migrate_to(engine: Engine, version: str) -> None:
    """Bring the tables to the state of a migration.

    Raises:
        StoreError: there is no way from where they are.
    """
    from alembic.util import CommandError

    from digest.store.database.migrations import migrate

    try:
        with _translate_errors():
            migrate(engine, version)
    except CommandError as error:
        raise StoreError(f"the tables cannot be upgraded: {error}") from error


def get_highest_seq(tx: Transaction) -> int:
    """The number of the last event."""
    seq: int = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
    return seq


@contextmanager
def defer_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait until something has ended that is not to be done by half; a second one does not wait.

    A transaction above all: a statement of SQLite that it breaks off lives on in the traceback, and with it the lock on
    the database, for which whatever is to be given back then would wait.
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
    "unable to open": f"; {dialect.WRITE_PERMISSION_HINT}",
    "not a database": f"; {dialect.RESTORE_HINT}",
    "malformed": f"; {dialect.RESTORE_HINT}",
    "out of memory": "; give its server more memory and run again; nothing is lost",
    "connection": "; is the server running, and is [store] url right?",
}
"""What to do, by a word of what the database says."""


@contextmanager
def _translate_errors() -> Iterator[None]:
    """What the database says, as our own exception with a whole sentence."""
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
