"""What PostgreSQL says of our sessions and of its replicas, for monitoring; on SQLite there is nothing of the kind."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text

from digest.store.database.dialect import has_row_locks
from digest.store.database.engine import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class LockWaits:
    """Our sessions that wait for a lock at the moment.

    Attributes:
        count: their number.
        longest_seconds: how long the one has been waiting that waits longest; 0 if none does.
    """

    count: int
    longest_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Replication:
    """The replicas that are connected to this server.

    Attributes:
        replicas: their number.
        lag_seconds: how far the slowest one is behind; 0 without any, and while nothing is written.
    """

    replicas: int
    lag_seconds: float


# `waitstart` is NULL for a moment when a wait begins.
_SELECT_LOCK_WAITS = text(
    """
    SELECT count(DISTINCT pid), COALESCE(MAX(EXTRACT(epoch FROM clock_timestamp() - waitstart)), 0)
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database() AND application_name = 'digest'
    """
)
# Without these rights the view has the rows, but nothing in them. Base backups are in it, too, and apply nothing.
_SELECT_REPLICATION = text(
    """
    SELECT count(*), COALESCE(MAX(EXTRACT(epoch FROM replay_lag)), 0)
    FROM pg_stat_replication
    WHERE replay_lsn IS NOT NULL
    HAVING pg_has_role('pg_read_all_stats', 'USAGE')
    """
)


def read_lock_waits(tx: Transaction) -> LockWaits | None:
    """Return how our sessions wait for locks; None on SQLite."""
    if not has_row_locks(tx):
        return None
    count, seconds = tx.execute(_SELECT_LOCK_WAITS).one()
    return LockWaits(count=count, longest_seconds=max(float(seconds), 0.0))


def read_replication(tx: Transaction) -> Replication | None:
    """Return the state of the replicas; None on SQLite, and if our role may not know it (``pg_monitor`` may)."""
    if not has_row_locks(tx):
        return None
    row = tx.execute(_SELECT_REPLICATION).first()
    return None if row is None else Replication(replicas=row[0], lag_seconds=float(row[1]))
