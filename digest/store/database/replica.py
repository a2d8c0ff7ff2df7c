"""A streaming replica of the database, from which the site reads public pages while the replica is up to date.

The primary decides and stores everything. Nobody depends on the replica: whatever is wrong with it, the primary answers.
How far it is behind is measured by positions in the write-ahead log and by the clock of this process, because the
replica itself cannot tell whether the primary is idle or cut off.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakSet

from sqlalchemy import event, text

from digest.errors import StoreBusyError, StoreError
from digest.store.database import dialect
from digest.store.database.engine import LATEST_MIGRATION, Store, Transaction

MAX_LAG = 60.0
"""How far the replica may be behind, in seconds."""
_RETRY_INTERVAL = 10.0
"""How long a replica that failed is left alone, in seconds."""
_SETTLE_SECONDS = 10.0
"""Seconds after which no page is in the cache that was read from it earlier, even if rendering took long."""
_AHEAD = "it is ahead of the primary, which was restored from a backup or replaced; set up the replica again"

# What is on disk: all commits, because `synchronous_commit` is on, and nothing that a replica would not get by itself.
_SELECT_WRITTEN = text("SELECT CAST(pg_current_wal_flush_lsn() - '0/0' AS bigint)")
_SELECT_REPLAYED = text(
    """
    SELECT CASE WHEN pg_is_in_recovery() THEN CAST(pg_last_wal_replay_lsn() - '0/0' AS bigint) END,
        (SELECT version_num FROM alembic_version)
    """
)
_SELECT_TABLES = text("SELECT CAST(to_regclass('alembic_version') AS oid)")
"""The number of one of our tables, which differs between the schemas of a database."""


class PrimaryState(NamedTuple):
    """How far the primary was at an instant.

    Attributes:
        at: the instant, in seconds of the clock.
        position: its position in the write-ahead log, in bytes.
        identity: what it has in common with its replicas only.
    """

    at: float
    position: int
    identity: tuple[Any, ...]


class Replica:
    """A replica, and whether it can be used.

    Threads use it at the same time. ``check`` is called about once a second by whoever serves pages; requests only
    look at what it has found.

    Attributes:
        store: the store of the replica, from which one can only read.
        failures: the number of reads that failed.
    """

    def __init__(self, url: str, primary: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """Make a replica that nobody has looked at yet; do not connect.

        Args:
            url: a database URL of SQLAlchemy.
            primary: the store of the primary.
            clock: returns seconds.

        Raises:
            ConfigError: the URL is invalid.
        """
        self._engine, self._forget_server = dialect.make_replica_engine(url)
        self.store = ReplicaStore(self._engine, replica=self)
        self.failures = 0
        self._primary = primary
        self._clock = clock
        self._lock = threading.Lock()
        self._connections: WeakSet[Any] = WeakSet()
        # First of all, because each later listener asks the server something and may wait for its answer.
        event.listen(self._engine, "connect", self._add_connection, insert=True)
        self._reads: dict[object, float] = {}
        self._failure = ""
        self._retry_at = clock()
        self._replayed = 0
        self._replayed_at = clock()
        self._settled = 0
        self._settling: tuple[float, int] | None = None
        self._mark: PrimaryState | None = None
        self._current_at: float | None = None

    # --- what requests ask ------------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Why it cannot be used; "" if it can."""
        lag = self.lag
        if self._failure:
            return self._failure
        if lag is None:
            return "it has not caught up with the primary yet"
        return f"it is {lag:.0f} s behind the primary" if lag > MAX_LAG else ""

    @property
    def has_failed(self) -> bool:
        """Whether it is left alone, and not merely behind."""
        return bool(self._failure)

    @property
    def lag(self) -> float | None:
        """How far it is behind at most, in seconds; None before it has caught up for the first time."""
        return None if self._current_at is None else self._clock() - self._current_at

    def has_replayed(self, position: int) -> bool:
        """Whether the last ``check`` found that it has applied everything before a position of the primary."""
        return self._replayed >= position

    def has_settled(self, position: int) -> bool:
        """Whether it has applied everything before a position for so long that the cache has nothing older."""
        return self._settled >= position

    def read_write_position(self) -> int:
        """Return the position of the primary; what is committed is before it.

        Raises:
            StoreError: the primary does not answer.
        """
        return self.read_primary().position

    # --- checks -----------------------------------------------------------------------------------

    def read_primary(self) -> PrimaryState:
        """Return how far the primary is now.

        Raises:
            StoreError: the primary does not answer.
        """
        at = self._clock()
        with self._primary.begin_read() as tx:
            return PrimaryState(at, tx.execute(_SELECT_WRITTEN).scalar_one(), _read_identity(tx))

    def check(self, primary_state: PrimaryState) -> None:
        """Compare it with the primary, unless it failed a moment ago.

        Args:
            primary_state: how far the primary was a moment ago.
        """
        if self._clock() < self._retry_at:
            return
        try:
            with Store(self._engine).begin_read() as tx:
                replayed = _read_position(tx, primary_state.identity)
        except StoreError as error:
            if self._clock() >= self._retry_at:
                self.give_up(str(error))
            return
        with self._lock:
            if self._clock() < self._retry_at:  # it has been given up meanwhile
                return
            is_ahead = primary_state.at >= self._replayed_at and primary_state.position < self._replayed
            if not is_ahead:
                self._accept(primary_state, replayed)
        if is_ahead:
            self.give_up(_AHEAD)

    def _accept(self, state: PrimaryState, replayed: int) -> None:
        """Note what it has applied. It is used from the next check on, which shows whether it is ahead."""
        is_proven, self._failure = bool(self._replayed), ""
        self._replayed, self._replayed_at = replayed, self._clock()
        self._settle()
        if is_proven:
            self._compare(state)

    def _compare(self, state: PrimaryState) -> None:
        """Find the latest known instant at which the primary was where the replica is now.

        One mark is enough: the next one is set when the replica has reached it.
        """
        if self._replayed >= state.position:
            self._current_at, self._mark = state.at, None
        elif self._mark is None:
            self._mark = state
        elif self._replayed >= self._mark.position:
            self._current_at, self._mark = self._mark.at, state

    def _settle(self) -> None:
        """Note what it has applied now, to be settled later, and what it had applied earlier as settled."""
        if self._settling is None:
            self._settling = self._replayed_at, self._replayed
        elif self._replayed_at - self._settling[0] >= _SETTLE_SECONDS:
            self._settled, self._settling = self._settling[1], None

    def give_up(self, failure: str) -> None:
        """Leave it alone for a while, and end what is waiting for its answer.

        Args:
            failure: what is wrong with it.
        """
        with self._lock:
            self._failure = failure
            self._retry_at = self._clock() + _RETRY_INTERVAL
            self._current_at = self._mark = None
            self._replayed = self._settled = 0
            self._settling = None
            self._forget_server()
            connections = list(self._connections)
        for connection in connections:
            _shut_down(connection)  # the pool notices at their next use, and opens others

    def _add_connection(self, connection: Any, _record: object) -> None:
        with self._lock:
            self._connections.add(connection)

    @contextmanager
    def time_read(self) -> Iterator[None]:
        """Note while a transaction reads from the replica."""
        read = object()
        self._reads[read] = self._clock()
        try:
            yield
        finally:
            del self._reads[read]

    def has_slow_read(self, seconds: float) -> bool:
        """Whether a transaction has been reading for longer than this, because a lock, a disk or a connection hangs.

        ``check`` does not notice that, because it reads other tables by another connection.
        """
        return any(self._clock() - started_at > seconds for started_at in list(self._reads.values()))

    def note_error(self, error: StoreError) -> None:
        """Note that a read failed. A conflict with what the replica applies concerns no other read."""
        self.failures += 1
        if not self._failure and not isinstance(error, StoreBusyError):
            self.give_up(str(error))

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()


@contextmanager
def open_replica(url: str, primary: Store) -> Iterator[Replica | None]:
    """Yield the replica at a URL, without connecting to it; None for "".

    Raises:
        ConfigError: the URL is invalid.
    """
    if not url:
        yield None
        return
    replica = Replica(url, primary)
    try:
        yield replica
    finally:
        replica.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaStore(Store):
    """The store of a replica. Its server refuses to write.

    Attributes:
        replica: the replica, which is told of each error.
    """

    replica: Replica

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        """Begin a transaction as in every store, if the replica can be used.

        Raises:
            StoreError: it cannot be used.
        """
        if trouble := self.replica.trouble:
            raise StoreError(f"the replica is not used: {trouble}")
        try:
            with self.replica.time_read(), Store.begin_read(self) as tx:
                yield tx
        except StoreError as error:
            self.replica.note_error(error)
            raise


def _read_identity(tx: Transaction) -> tuple[Any, ...]:
    """Return what our tables and their replicas have in common, and nothing else has."""
    return (*dialect.read_database_identity(tx), tx.execute(_SELECT_TABLES).scalar_one())


def _read_position(tx: Transaction, identity: tuple[Any, ...]) -> int:
    """Return how far a replica has come.

    Raises:
        StoreError: it is no replica of this database, or its tables are older than this release.
    """
    if _read_identity(tx) != identity:
        raise StoreError("another database or schema than at [store] url answers at [store] read_url")
    replayed, version = tx.execute(_SELECT_REPLAYED).one()
    if replayed is None:
        raise StoreError(
            "the server at [store] read_url is no replica: it has been promoted, or is the primary itself"
        )
    if (version or "") < LATEST_MIGRATION:
        raise StoreError("its tables are not yet those of this release")
    return int(replayed)


def _shut_down(connection: Any) -> None:
    """End a connection whose thread may be waiting for an answer, which then gets an error.

    No timeout of libpq does this: a server whose disk hangs still answers the probes of TCP.
    """
    with suppress(Exception):  # it is closed already
        shared = socket.socket(fileno=connection.fileno())
        try:
            shared.shutdown(socket.SHUT_RDWR)
        finally:
            shared.detach()  # the driver closes it
