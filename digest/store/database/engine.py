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

HEAD = "0019"
"""The migration that this release needs; a test compares it with the scripts."""

Transaction = Connection
"""What the functions of this layer are given; only this layer knows what it is."""


@dataclass(frozen=True, slots=True)
class Store:
    """The database.

    Attributes:
        engine: to it.
        rehearsing: where no copy can be made for a rehearsal, the one transaction that it happens in and
            that is undone at its end.
    """

    engine: Engine
    rehearsing: Connection | None = None

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A transaction that sees one state of the database and changes nothing."""
        if self.rehearsing is not None:
            yield self.rehearsing
            return
        with _told(), self.engine.connect() as connection:
            dialect.begin_reading(connection)
            yield connection
            connection.rollback()

    def writing(self) -> AbstractContextManager[Transaction]:
        """A transaction that is kept when its block ends well, and leaves nothing when it does not."""
        return self._writing(None)

    def planning(self) -> AbstractContextManager[Transaction]:
        """A writing transaction that decides on slots, runs, digests and their queries: one at a time.

        What one reads here another may be about to change: a run would close without the follow that
        somebody is adding, and two would fire, move and wake slots in each other's way.
        """
        return self._writing(dialect.PLANNING)

    def keeping(self) -> AbstractContextManager[Transaction]:
        """A writing transaction that keeps what sources tell of papers and days: one at a time.

        Of two papers that are one, kept at the same time, neither would see the other; and two that take days
        and papers in another order would each wait for what the other holds.
        """
        return self._writing(dialect.KEEPING)

    @contextmanager
    def _writing(self, lock: int | None) -> Iterator[Transaction]:
        if self.rehearsing is not None:
            with self.rehearsing.begin_nested():
                if lock is not None:
                    dialect.hold(self.rehearsing, lock)
                yield self.rehearsing
            return
        with (
            undisturbed(),
            _told(),
            dialect.acquire_writer(self.engine, lock) as waiter,
            self.engine.connect() as connection,
        ):
            dialect.begin_writing(connection, waiter)
            if lock is not None:
                dialect.hold(connection, lock)
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def rehearsal(self) -> Iterator[Store]:
        """A store in which everything can be tried, and of which nothing stays."""
        with _told(), dialect.copied(self.engine) as copy:
            if copy is not None:
                yield Store(copy)
                return
            with self.engine.connect() as connection:
                dialect.begin_writing(connection)
                try:
                    yield replace(self, rehearsing=connection)
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
        _make_current(engine, now)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine)


def _make_current(engine: Engine, now: datetime) -> None:
    version = version_of(engine)
    if version == HEAD:
        return
    if version is not None and version > HEAD:
        raise StoreError(f"the database is of a newer digest (tables {version}): upgrade this one")
    if not dialect.upgrades_itself(engine):
        raise StoreError("the database has not the tables of this release: run `digest db upgrade`")
    if version is not None:
        dialect.backup(engine, Path(f"{engine.url.database}.{now:%Y%m%dT%H%M%S}.backup"))
    upgrade(engine)


def version_of(engine: Engine) -> str | None:
    """The migration that a database is at; None for one without our tables.

    Raises:
        StoreError: the database cannot be opened.
    """
    with _told(), engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def upgrade(engine: Engine) -> None:
    """Bring the tables to this release's state.

    Raises:
        StoreError: there is no way from where they are.
    """
    migrate_to(engine, HEAD)


def migrate_to(engine: Engine, version: str) -> None:
    """Bring the tables to the state of a migration.

    Raises:
        StoreError: there is no way from where they are.
    """
    from alembic.util import CommandError

    from digest.store.database.migrations import migrate

    try:
        with _told():
            migrate(engine, version)
    except CommandError as error:
        raise StoreError(f"the tables cannot be upgraded: {error}") from error


def highest_seq(tx: Transaction) -> int:
    """The number of the last event."""
    seq: int = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
    return seq


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait until something has ended that is not to be done by half; a second one does not wait.

    A transaction above all: a statement of SQLite that it breaks off lives on in the traceback, and with it the lock on
    the database, for which whatever is to be given back then would wait.
    """
    found: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    stops = {number: stop for number, stop in found.items() if callable(stop)}
    if threading.current_thread() is not threading.main_thread() or not stops:
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if came:
            stops[number](number, frame)
        came.append(number)

    try:
        for number in stops:
            signal.signal(number, note)
        yield
    finally:
        for number, stop in stops.items():
            signal.signal(number, stop)
        if came:
            stops[came[0]](came[0], None)


_REMEDIES = {
    "locked": "; another process is writing to it, try again when it is done",
    "full": "; make room, and run again: nothing is lost",
    "disk i/o": "; is the disk full, or broken? Run again when it is not: nothing is lost",
    "readonly": f"; {dialect.MAY_WRITE}",
    "unable to open": f"; {dialect.MAY_WRITE}",
    "not a database": f"; {dialect.PUT_BACK}",
    "malformed": f"; {dialect.PUT_BACK}",
    "out of memory": "; give its server more memory, then run again: nothing is lost",
    "connection": "; is the server running, and is [store] url right?",
}
"""What to do, by a word of what the database says."""


@contextmanager
def _told() -> Iterator[None]:
    """What the database says, as our own exception with a whole sentence."""
    try:
        yield
    except DBAPIError as error:
        said = " ".join(str(error.orig).split())
        remedy = next((remedy for sign, remedy in _REMEDIES.items() if sign in said.lower()), "")
        kind = StoreBusyError if dialect.is_busy(error) else StoreError
        raise kind(f"the database says: {said}{remedy}") from error
    except SQLAlchemyError as error:
        kind = StoreBusyError if dialect.is_busy(error) else StoreError
        raise kind(f"the database cannot be used: {error}") from error
