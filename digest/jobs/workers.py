"""Workers: processes that hold leases, their heartbeats, and the release of what dead ones have leased.

A worker that was only slow, or cut off from the database, is no danger: what it had leased has another fencing token by
then, and it sends nothing more once its own last heartbeat is too old.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from digest import __version__
from digest.errors import OtherDatabaseError, StoreBusyError, StoreError, TooOldError
from digest.event_log import LogEvent, log_event, name_worker
from digest.render.languages.english import format_count
from digest.store.database import leases
from digest.store.database.dialect import limit_lock_waits
from digest.store.database.engine import Store, Transaction, find_newer_tables
from digest.store.database.lock_times import LockTime, get_lock_times
from digest.store.delivery import connections, outbox, queue_cursors
from digest.store.editions import runs
from digest.store.fetching import rate_limits
from digest.store.operations import notices
from digest.store.workers import workers
from digest.store.workers.hints import Queue
from digest.store.workers.workers import DEAD_AFTER, Worker

_HEARTBEAT_INTERVAL = timedelta(seconds=15)
"""Time between two heartbeats; each also looks for dead workers, so their work is free after 75 seconds at most."""
_TRUSTED_SECONDS = (DEAD_AFTER - timedelta(seconds=10)).total_seconds()
"""Age of its own last heartbeat after which a worker sends nothing more, because others may soon take over."""
_MAX_LOCK_WAIT = 1
"""How long the release of a dead worker's leases waits for what others are changing, in seconds."""
TASK_PREFIX = "task:"
"""Prefix of the names of leases that heartbeats renew."""
_HELD_TASKS: set[str] = set()
"""The names of the leases of tasks that this process is at."""
_OWN_TOKENS: set[int] = set()
"""The tokens of the workers of this process."""
_IGNORED_OFFSET = timedelta(seconds=2)
"""Offset of a machine's clock from the database's that changes nothing: it takes time to ask for it."""
_PROCESS_NONCE = secrets.token_hex(4)
"""Distinguishes this process from an earlier one with the same process ID, which is usual in containers."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReleasedWork:
    """What was released of dead workers.

    Attributes:
        workers: the number of dead workers.
        leases: the number of deliveries and shards that they had leased.
    """

    workers: int = 0
    leases: int = 0


@dataclass(slots=True)
class WorkCounts:
    """What a worker has done since it started. Counts are kept in memory, and saved with each heartbeat.

    Attributes:
        tasks: the number of tasks that it has run.
        idle_tasks: the number of those that found nothing to do.
        sent: the number of deliveries that it has sent.
        released_leases: the number of leases of dead workers that it has released.
    """

    tasks: int = 0
    idle_tasks: int = 0
    sent: int = 0
    released_leases: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def count_task(self, *, found_work: bool) -> None:
        """Count a task; two lanes may do so at once."""
        with self._lock:
            self.tasks += 1
            self.idle_tasks += not found_work


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerProfile:
    """What a process says of itself.

    Attributes:
        command: the command that it runs.
        queues: the queues that it serves; empty if it takes no hints.
        channels: the channels by which it can deliver.
        file_hash: the hash of its configuration file.
    """

    command: str = ""
    queues: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    file_hash: str = ""

    @property
    def has_folders(self) -> bool:
        """Whether it writes into folders of its machine: feeds, pages, and mails that are kept as files."""
        return not self.queues or Queue.PUBLISH in self.queues


class WorkerHeartbeat(threading.Thread):
    """Keeps a worker alive in the database, and releases what dead ones have leased.

    Attributes:
        token: the fencing token of the worker's leases.
        newer_tables: says that the tables were upgraded so far that this release cannot work on them; None if not.

    Args:
        store: the store.
        token: as the attribute.
        profile: what it says of itself.
        on_release: called in each transaction that has released leases.
        interval: time between two heartbeats.
    """

    def __init__(
        self,
        store: Store,
        token: int,
        profile: WorkerProfile,
        *,
        on_release: Callable[[Transaction], None] = lambda _: None,
        interval: timedelta = _HEARTBEAT_INTERVAL,
    ) -> None:
        super().__init__(name=f"heartbeat {token}", daemon=True)
        self.activity = ""
        self.profile = profile
        self.counts = WorkCounts()
        self.newer_tables: TooOldError | None = None
        self._earlier_lock_times = get_lock_times()  # of an earlier worker in this process
        self._store = store
        self.token = token
        self._on_release = on_release
        self._interval = interval
        self._started_at: datetime | None = None
        self._beat_at = _read_uptime()
        # How often it was silent for so long that others may have taken its leases; a change ends what `watch_leases` watches.
        self._lapses = 0
        self._clock_offset = timedelta(0)
        self._stopping = threading.Event()

    @property
    def is_trusted(self) -> bool:
        """Whether the last heartbeat is so recent that nobody can have taken over what this worker has leased."""
        return _read_uptime() - self._beat_at < _TRUSTED_SECONDS

    def watch_leases(self) -> Callable[[], bool]:
        """Return a function that tells whether nobody can have taken over what this worker leases from now on.

        Once it is false it stays so: who has slept must not go on with what it had leased, although the next heartbeat makes it
        trusted again.

        Raises:
            StoreError: the last heartbeat is too old, because this machine slept, and there cannot be another one.
        """
        if not self.is_trusted:
            self.beat()
        lapses = self._lapses
        return lambda: self.is_trusted and self._lapses == lapses

    def keep_listed(self, tx: Transaction) -> None:
        """Lock this worker's row, so that nobody takes it for dead before the end of a transaction that leases something for it.

        A commit can arrive late: a machine sends it again when its network is back, although the process has died meanwhile. It
        would then lease something for a worker that is no longer listed, and nobody would release that before the lease ends.
        A worker that was taken for dead already is listed again, and what it had leased is no longer its own (``watch_leases``).
        """
        if not workers.lock_worker(tx, self.token):
            self._lapses += 1
            workers.save_worker(tx, self._describe(self._clock_offset, workers.read_database_time(tx)))

    def correct_clock(self, clock: Callable[[], datetime]) -> Callable[[], datetime]:
        """Return a clock that goes as the database's, by which all machines judge leases and what is due.

        Args:
            clock: a clock of this machine.
        """
        return lambda: clock() - self._clock_offset

    def beat(self) -> None:
        """Save that the worker lives, and release what dead workers have leased.

        On tables for which this release is too old, nothing is saved, so the worker soon sends nothing more.

        Raises:
            StoreError: the database cannot be written.
        """
        begun_at = _read_uptime()
        with self._store.begin_write() as tx:
            self.newer_tables = find_newer_tables(tx)
            if self.newer_tables is not None:
                return
            now = workers.read_database_time(tx)
            offset = datetime.now(UTC) - now
            self._clock_offset = offset if abs(offset) > _IGNORED_OFFSET else timedelta(0)
            is_first = self._started_at is None
            was_listed = workers.save_worker(tx, self._describe(offset, now))
            leases.renew_only(tx, TASK_PREFIX, get_holder(), tuple(_HELD_TASKS), now)
        may_have_lost_leases = not is_first and not (was_listed and self.is_trusted)
        self._lapses += may_have_lost_leases
        self._beat_at = begun_at
        # Not in the same transaction: two workers that each remove the other one while their own rows are locked would deadlock.
        released = release_dead_workers(self._store, self._on_release)
        self.counts.released_leases += released.leases
        if released.workers:
            message = f"{format_count(released.workers, 'process', 'processes')} died or hung; released {format_count(released.leases, 'lease')}."
            log_event(LogEvent.LEASES_RELEASED, message, workers=released.workers, leases=released.leases)

    def run(self) -> None:
        """Send heartbeats until stopped; while the database cannot be reached, try again at each interval."""
        while not self._stopping.wait(self._interval.total_seconds()):
            try:
                self.beat()
            except Exception as error:  # noqa: BLE001 - without heartbeats the process would be considered dead
                _log.info("no heartbeat: %s", error)
                if isinstance(error, OtherDatabaseError):
                    self._note_other_database(error)

    def _note_other_database(self, error: OtherDatabaseError) -> None:
        """Record a notice by a connection to the right database, if there is still one."""
        with suppress(StoreError), self._store.begin_write() as tx:
            notices.record_notice(tx, "store address", f"{error}.", workers.read_database_time(tx))

    def stop(self) -> None:
        """Stop the heartbeats."""
        self._stopping.set()
        if self.ident is not None:
            self.join()

    def _describe(self, clock_offset: timedelta, now: datetime) -> Worker:
        self._started_at = self._started_at or now
        return Worker(
            token=self.token,
            holder=get_holder(),
            command=self.profile.command,
            release=__version__,
            queues=self.profile.queues,
            channels=self.profile.channels,
            file_hash=self.profile.file_hash,
            clock_offset=clock_offset.total_seconds(),
            activity=self.activity,
            started_at=self._started_at,
            heartbeat_at=now,
            tasks=self.counts.tasks,
            idle_tasks=self.counts.idle_tasks,
            sent=self.counts.sent,
            released_leases=self.counts.released_leases,
            lock_times=self._get_lock_times(),
        )

    def _get_lock_times(self) -> Mapping[str, LockTime]:
        """Return the seconds that this process has spent with locks since this worker started, to the millisecond."""
        times: dict[str, LockTime] = {}
        for kind, spent in get_lock_times().items():
            earlier = self._earlier_lock_times.get(kind, LockTime())
            times[kind.value] = LockTime(
                round(spent.waited - earlier.waited, 3), round(spent.held - earlier.held, 3)
            )
        return times


@contextmanager
def register_worker(
    store: Store,
    token: int,
    profile: WorkerProfile | None = None,
    *,
    on_release: Callable[[Transaction], None] = lambda _: None,
) -> Iterator[WorkerHeartbeat]:
    """Register this process as a worker within the block, so that others notice when it has ended.

    At the end of the block, claims that could not be returned because the store was busy are released.
    Deliveries that may still be under way stay leased until the process has ended.

    Args:
        store: the store.
        token: the fencing token of the worker's leases; no other worker has the same.
        profile: what it says of itself; None for nothing.
        on_release: called in each transaction that has released what a dead worker had leased.
    """
    heartbeat = WorkerHeartbeat(store, token, profile or WorkerProfile(), on_release=on_release)
    _OWN_TOKENS.add(token)
    heartbeat.beat()
    if store.dry_run_connection is None:  # a rehearsal has one connection, for one thread
        heartbeat.start()
    try:
        with name_worker(token):
            yield heartbeat
    finally:
        heartbeat.stop()
        _OWN_TOKENS.discard(token)
        with suppress(StoreBusyError), store.begin_write() as tx:
            runs.release_worker(tx, token)
            rate_limits.release_worker(tx, token)
            if outbox.has_leases(tx, token):
                workers.retain_worker(tx, token, workers.read_database_time(tx) + outbox.LEASE_DURATION)
            else:
                workers.remove_worker(tx, token)


def _read_uptime() -> float:
    """Return the seconds since this machine started, those that it was suspended for included where the system tells."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def list_dead_workers(tx: Transaction, now: datetime) -> list[Worker]:
    """Return the dead workers: their process on this machine has ended, or their last heartbeat is too old.

    The workers of this process are alive, however long it slept.

    Args:
        tx: a transaction.
        now: the time of the database's clock.
    """
    return [worker for worker in workers.list_workers(tx) if _is_dead(worker, now)]


def _is_dead(worker: Worker, now: datetime) -> bool:
    return worker.token not in _OWN_TOKENS and (worker.is_silent(now) or is_ended(worker.holder))


def _list_living_holders(tx: Transaction, now: datetime) -> frozenset[str]:
    """Return the processes that hold the leases of tasks and are alive; one may be listed several times."""
    listed = workers.list_workers(tx)
    return frozenset(worker.holder for worker in listed if not (worker.has_ended or _is_dead(worker, now)))


def _list_orphans(tx: Transaction, now: datetime, **selection: str) -> list[tuple[str, str]]:
    """Return the names and holders of leases whose process is not alive.

    Args:
        tx: a transaction.
        now: the time of the database's clock.
        selection: which leases, as for ``leases.list_leases``.
    """
    # First the leases: a process that is listed and leases something in between is not taken for dead.
    found = leases.list_leases(tx, **selection)
    living_holders = _list_living_holders(tx, now)
    return [(name, holder) for name, holder in found if holder not in living_holders]


def release_dead_workers(
    store: Store, on_release: Callable[[Transaction], None] = lambda _: None
) -> ReleasedWork:
    """Release at once what dead workers had leased, instead of at the end of their leases.

    Each of them has a transaction of its own, which waits only a moment: what one that hangs has locked is released by a
    later call, when the database has ended its transaction. In a rehearsal nothing is released.

    Args:
        store: the store.
        on_release: called in each transaction that has released something.
    """
    released = ReleasedWork()
    if store.dry_run_connection is not None:
        return released
    with store.begin_read() as tx:
        now = workers.read_database_time(tx)
        dead_workers = list_dead_workers(tx, now)
        has_orphans = bool(_list_orphans(tx, now, prefix=TASK_PREFIX))
    for worker in dead_workers:
        with suppress(StoreBusyError), store.begin_write() as tx:
            limit_lock_waits(tx, _MAX_LOCK_WAIT)
            if workers.remove_silent_worker(tx, worker.token, worker.heartbeat_at):
                lease_count = _release_leases(tx, worker, now)
                on_release(tx)
                released = ReleasedWork(released.workers + 1, released.leases + lease_count)
    if has_orphans:
        with suppress(StoreBusyError), store.begin_write() as tx:
            limit_lock_waits(tx, _MAX_LOCK_WAIT)
            for name, holder in _list_orphans(tx, now, prefix=TASK_PREFIX):
                leases.release(tx, name, holder)
    return released


def _release_leases(tx: Transaction, worker: Worker, now: datetime) -> int:
    """Release what a removed worker had leased; return the number of deliveries and shards."""
    lease_count = outbox.release_worker(tx, worker.token) + runs.release_worker(tx, worker.token)
    rate_limits.release_worker(tx, worker.token)
    connections.release_all(tx, worker.token)
    queue_cursors.leave_queues(tx, worker.token)
    for name, holder in _list_orphans(tx, now, holder=worker.holder):
        leases.release(tx, name, holder)
    return lease_count


@contextmanager
def claim_task(store: Store, name: str) -> Iterator[bool]:
    """Hold the lease of a task that one process does at a time, within the block.

    Args:
        store: the store.
        name: the name of the task.

    Yields:
        Whether this process has the lease; if not, another one is at it, and will find what there is to do.
    """
    lease_name = f"{TASK_PREFIX}{name}"
    has_lease = False
    _HELD_TASKS.add(lease_name)
    try:
        with store.begin_write() as tx:
            now = workers.read_database_time(tx)
            has_lease = leases.claim(tx, lease_name, get_holder(), now) is None
        yield has_lease
    finally:
        _HELD_TASKS.discard(lease_name)
        if has_lease:
            with suppress(StoreError), store.begin_write() as tx:  # otherwise the next heartbeat releases it
                leases.release(tx, lease_name, get_holder())


# --- processes ------------------------------------------------------------------------------------


def get_holder() -> str:
    """Return the identity of this process for leases; processes on the same machine can see whether it still exists."""
    return f"{socket.gethostname()}:{os.getpid()}.{_read_pid_namespace()}.{_PROCESS_NONCE}"


def _read_pid_namespace() -> int:
    """Return the PID namespace: containers may share a host name, but each has its own process IDs."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0  # not Linux


def is_ended(holder: str) -> bool:
    """Whether a holder was a process of this machine that no longer exists."""
    host, _, process = holder.rpartition(":")
    pid, _, rest = process.partition(".")
    pid_namespace, _, nonce = rest.partition(".")
    if (host, pid_namespace) != (socket.gethostname(), str(_read_pid_namespace())):
        return False
    if int(pid) == os.getpid():
        return nonce != _PROCESS_NONCE
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
