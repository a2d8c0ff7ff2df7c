"""Pause and resume a digest, by its reader."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from digest.core.times.schedule import to_instant
from digest.store.database.engine import Store, Transaction
from digest.store.publishing import account
from digest.store.publishing.account import ManagedDigest
from digest.store.subscribers import pauses
from digest.store.subscribers.digest_locks import lock_digests


class PauseFor(StrEnum):
    """The duration of a pause."""

    WEEK = "week"
    MONTH = "month"
    OPEN = "open"
    """Until the reader resumes the digest."""


def load_managed(store: Store, destination: int) -> ManagedDigest | None:
    """Load the digest of a destination; return None if there is no such destination."""
    with store.begin_read() as tx:
        return account.load_managed_digest(tx, destination)


def pause_digest(store: Store, destination: int, duration: PauseFor, now: datetime) -> ManagedDigest | None:
    """Pause a digest, which will resume with everything that arrived meanwhile.

    A repetition on the same day has no effect.

    Returns:
        The digest after the change; None if there is no such destination.
    """
    with store.begin_write() as tx:
        managed = _lock_managed(tx, destination)
        if managed is None or managed.digest is None:
            return managed
        zone = managed.digest.options.timezone
        end_day = _compute_pause_end(now.astimezone(ZoneInfo(zone)).date(), duration)
        pauses.pause_digest(
            tx, managed.digest.id, to_instant(end_day, time(), zone) if end_day else None, "then"
        )
        return account.load_managed_digest(tx, destination)


def resume_digest(store: Store, destination: int, resume_from: str, now: datetime) -> ManagedDigest | None:
    """Resume a paused digest; one that is not paused is left as it is.

    Args:
        store: the store.
        destination: the number of the destination.
        resume_from: ``then`` to include what arrived during the pause, or ``now`` to skip it.
        now: the current time, UTC.

    Returns:
        The digest after the change; None if there is no such destination.
    """
    with store.begin_write() as tx:
        managed = _lock_managed(tx, destination)
        if managed is None or managed.digest is None or managed.digest.pause is None:
            return managed
        pauses.resume_digest(tx, managed.digest.id, resume_from, now)
        return account.load_managed_digest(tx, destination)


def _lock_managed(tx: Transaction, destination: int) -> ManagedDigest | None:
    """Lock the digest of a destination, and return it as it is then.

    It is not loaded before, because its reader may be deleted between two statements.
    """
    digest_id = account.find_digest_id(tx, destination)
    if digest_id is None:
        return None
    lock_digests(tx, [digest_id])
    return account.load_managed_digest(tx, destination)


def _compute_pause_end(today: date, duration: PauseFor) -> date | None:
    match duration:
        case PauseFor.WEEK:
            return today + timedelta(7)
        case PauseFor.MONTH:
            first = today.replace(day=1) + timedelta(31)
            return first.replace(day=min(today.day, monthrange(first.year, first.month)[1]))
        case PauseFor.OPEN:
            return None
