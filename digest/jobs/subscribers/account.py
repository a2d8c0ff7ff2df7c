"""What whoever gets a digest does about it as a whole: let it rest, and go on."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from digest.core.times.schedule import to_instant
from digest.store.database.engine import Store
from digest.store.publishing import account
from digest.store.publishing.account import ManagedDigest
from digest.store.subscribers import pauses


class PauseFor(StrEnum):
    """For how long a digest is paused."""

    WEEK = "week"
    MONTH = "month"
    OPEN = "open"
    """Until its reader wants it again."""


def load_managed(store: Store, destination: int) -> ManagedDigest | None:
    """The digest that goes to a destination; None where there is no such destination."""
    with store.begin_read() as tx:
        return account.load_managed_digest(tx, destination)


def pause_digest(store: Store, destination: int, duration: PauseFor, now: datetime) -> ManagedDigest | None:
    """Let a digest rest; it goes on with all that came meanwhile. Again on the same day changes nothing."""
    with store.begin_planning() as tx:
        managed = account.load_managed_digest(tx, destination)
        if managed is None or managed.digest is None:
            return managed
        zone = managed.digest.options.timezone
        end_day = _compute_pause_end(now.astimezone(ZoneInfo(zone)).date(), duration)
        pauses.pause_digest(
            tx, managed.digest.id, to_instant(end_day, time(), zone) if end_day else None, "then"
        )
        return account.load_managed_digest(tx, destination)


def resume_digest(store: Store, destination: int, resume_from: str, now: datetime) -> ManagedDigest | None:
    """Let a digest go on that rests; one that does not is left as it is.

    Args:
        store: where.
        destination: to which it goes.
        resume_from: ``then``, with all that came meanwhile, or ``now``, with what comes from now on.
        now: when.
    """
    with store.begin_planning() as tx:
        managed = account.load_managed_digest(tx, destination)
        if managed is None or managed.digest is None or managed.digest.pause is None:
            return managed
        pauses.resume_digest(tx, managed.digest.id, resume_from, now)
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
