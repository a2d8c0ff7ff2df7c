"""Processes that work on this database, each under the fencing token of its leases.

All times are of the database's clock, so machines whose clocks differ judge each other alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update

from digest.store.database.dialect import insert_or_update, read_time
from digest.store.database.engine import Transaction
from digest.store.database.lock_times import LockTime
from digest.store.database.tables.processes import workers

DEAD_AFTER = timedelta(seconds=60)
"""Age of a heartbeat after which others take over what a worker has leased."""
_ENDED = "ended"
"""Activity of a worker that has ended, and from which a server may still be taking a message."""
_MAX_LEAD = timedelta(minutes=30)
"""How far ahead of the database's clock a last heartbeat may be; a later one was made when that clock was wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that works on this database.

    Attributes:
        token: the fencing token of its leases.
        holder: its machine and process, as ``digest.jobs.workers`` writes them.
        command: the command that it runs, such as ``serve``.
        release: its release of digest.
        queues: the queues that it serves; empty if it takes no hints.
        channels: the channels by which it can deliver.
        file_hash: the hash of its configuration file.
        clock_offset: how far its machine's clock was ahead of the database's at the last heartbeat, in seconds.
        activity: what it does now, for people; "" while it waits.
        started_at: when it started.
        heartbeat_at: its last heartbeat.
        tasks: the number of tasks that it has run since it started.
        idle_tasks: the number of those that found nothing to do.
        sent: the number of deliveries that it has sent.
        released_leases: the number of leases of dead workers that it has released.
        lock_times: the seconds that it has waited for locks and held them, by kind of lock.
    """

    token: int
    holder: str
    command: str
    release: str
    queues: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    file_hash: str = ""
    clock_offset: float = 0.0
    activity: str = ""
    started_at: datetime
    heartbeat_at: datetime
    tasks: int = 0
    idle_tasks: int = 0
    sent: int = 0
    released_leases: int = 0
    lock_times: Mapping[str, LockTime] = field(default_factory=dict)

    def is_silent(self, now: datetime) -> bool:
        """Whether its last heartbeat is too old, or further ahead than any, which a wrong clock has made.

        Whoever was only slow finds its leases gone, and saves itself again at its next heartbeat.

        Args:
            now: the time of the database's clock.
        """
        return not now - DEAD_AFTER <= self.heartbeat_at <= now + _MAX_LEAD

    @property
    def has_ended(self) -> bool:
        """Whether it does nothing more, and only what it has leased is left."""
        return self.activity == _ENDED

    @property
    def host(self) -> str:
        """The name of its machine."""
        return self.holder.rpartition(":")[0]


def read_database_time(tx: Transaction) -> datetime:
    """Return the time of the database's clock, UTC; on SQLite it is that of this machine."""
    return read_time(tx)


def save_worker(tx: Transaction, worker: Worker) -> bool:
    """Save a worker at its start, and at each heartbeat; return False if it had to be added.

    It is added at its start, and if others have removed it as dead.
    """
    values = {
        **asdict(worker),
        "queues": "\n".join(worker.queues),
        "channels": "\n".join(worker.channels),
    }
    is_listed = tx.execute(update(workers).where(workers.c.token == worker.token).values(values)).rowcount > 0
    if not is_listed:  # another thread of it may list it at the same time
        insert_or_update(tx, workers, [values], key=("token",))
    return is_listed


def lock_worker(tx: Transaction, token: int) -> bool:
    """Keep a worker from being removed until the transaction ends; return False if it is not listed.

    The lock lets heartbeats pass, and makes only the removal wait.
    """
    statement = select(workers.c.token).where(workers.c.token == token)
    return tx.execute(statement.with_for_update(read=True, key_share=True)).first() is not None


def remove_worker(tx: Transaction, token: int) -> None:
    """Remove a worker that has ended."""
    tx.execute(delete(workers).where(workers.c.token == token))


def remove_silent_worker(tx: Transaction, token: int, heartbeat_at: datetime) -> bool:
    """Remove a dead worker, once its own transactions are over; return False if it was heard of meanwhile.

    Args:
        tx: a writing transaction.
        token: the token of the worker.
        heartbeat_at: its heartbeat after which it is considered dead.
    """
    is_same = (workers.c.token == token) & (workers.c.heartbeat_at == heartbeat_at)
    return bool(tx.execute(delete(workers).where(is_same)).rowcount)


def retain_worker(tx: Transaction, token: int, until: datetime) -> None:
    """Keep a worker that has ended until a time, because a server may still be taking a message from it."""
    statement = update(workers).where(workers.c.token == token)
    tx.execute(statement.values(heartbeat_at=until - DEAD_AFTER, activity=_ENDED))


def list_workers(tx: Transaction) -> tuple[Worker, ...]:
    """Return all workers, in the order in which they started."""
    rows = tx.execute(select(workers).order_by(workers.c.started_at, workers.c.token)).mappings()
    return tuple(
        Worker(
            **{
                **row,
                "queues": tuple(row["queues"].splitlines()),
                "channels": tuple(row["channels"].splitlines()),
                "lock_times": {kind: LockTime(*times) for kind, times in row["lock_times"].items()},
            }
        )
        for row in rows
    )


def are_sharing(tx: Transaction) -> bool:
    """Whether some worker takes hints, so that each does only what its own file has the means for."""
    return tx.execute(select(workers.c.token).where(workers.c.queues != "").limit(1)).first() is not None
