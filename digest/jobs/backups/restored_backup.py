"""The hold of a database that was restored from a backup, and its release; each is in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from digest.jobs.workers import release_dead_workers
from digest.store.backups import restored_backup
from digest.store.backups.backup_files import skip_numbers
from digest.store.backups.restored_backup import Repeats
from digest.store.database.clock import read_latest_seen
from digest.store.database.engine import Store, Transaction
from digest.store.editions import restore_hold
from digest.store.operations.audit import Actor, AuditAction, record_change
from digest.store.workers import workers

_MAX_NAMED = 10
"""Maximum number of deliveries to name for each channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredState:
    """The state of a database that was restored and is held.

    Attributes:
        backed_up_at: the latest time that the backup knows of.
        held_runs: the number of runs that are held because of the restore.
        repeats: what would be sent a second time.
        live_workers: the processes that use the database now, as ``machine: command``.
    """

    backed_up_at: datetime
    held_runs: int
    repeats: Repeats
    live_workers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRelease:
    """What can be sent after the release of a restored database.

    Attributes:
        runs: the number of runs that were held because of the restore.
        deliveries: the number of their deliveries that wait.
    """

    runs: int
    deliveries: int


def prepare_restored(tx: Transaction, actor: Actor, now: datetime) -> None:
    """Make a database usable that ``digest db restore`` has restored, and hold it.

    Args:
        tx: the transaction before whose end no other process can use the database.
        actor: who restores it.
        now: the current time.
    """
    restored_backup.forget_processes(tx)
    _hold(tx, actor, read_latest_seen(tx), now)


def check_restored(store: Store, actor: Actor, last_seen: datetime | None, now: datetime) -> RestoredState:
    """Hold a database that was restored by other means, unless it is held already, and tell what it would repeat.

    Args:
        store: the store.
        actor: who has restored it.
        last_seen: the latest time that it had recorded before this command; None if there is none.
        now: the current time.
    """
    with store.begin_planning() as tx:
        if restore_hold.read_backup_time(tx) is None:
            _hold(tx, actor, last_seen, now)
    release_dead_workers(store)
    with store.begin_read() as tx:
        backed_up_at = restore_hold.read_backup_time(tx)
        return RestoredState(
            backed_up_at=backed_up_at or now,
            held_runs=restore_hold.count_held(tx),
            repeats=restored_backup.load_repeats(tx, now, _MAX_NAMED),
            live_workers=tuple(f"{worker.host}: {worker.command}" for worker in workers.list_workers(tx)),
        )


def _hold(tx: Transaction, actor: Actor, last_seen: datetime | None, now: datetime) -> None:
    skip_numbers(tx)
    held = restore_hold.hold_all(tx, restored_backup.estimate_backup_time(tx, last_seen, now))
    record_change(tx, actor, AuditAction.HOLD_RESTORED, "", held, now)


def release_restored(store: Store, actor: Actor, now: datetime) -> RestoreRelease | None:
    """Let a restored database send again.

    Returns:
        What can be sent; None if the database is not held because of a restore.
    """
    with store.begin_planning() as tx:
        released = restore_hold.release_all(tx)
        if released is None:
            return None
        runs, deliveries = released
        record_change(tx, actor, AuditAction.RELEASE_RESTORED, "", runs, now)
    return RestoreRelease(runs=runs, deliveries=deliveries)


def find_hold(store: Store) -> datetime | None:
    """Return the time of the backup if the database was restored from it and is held; None otherwise."""
    with store.begin_read() as tx:
        return restore_hold.read_backup_time(tx)
