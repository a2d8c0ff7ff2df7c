"""What whoever gets a digest does about it as a whole: let it rest, and go on."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from digest.core.times.schedule import instant
from digest.store.database.engine import Store
from digest.store.publishing import account
from digest.store.publishing.account import Managed
from digest.store.subscribers import pauses


class PauseFor(StrEnum):
    """For how long a digest is paused."""

    WEEK = "week"
    MONTH = "month"
    OPEN = "open"
    """Until its reader wants it again."""


def look(store: Store, destination: int) -> Managed | None:
    """The digest that goes to a destination; None where there is no such destination."""
    with store.reading() as tx:
        return account.managed(tx, destination)


def pause(store: Store, destination: int, how_long: PauseFor, now: datetime) -> Managed | None:
    """Let a digest rest; it goes on with all that came meanwhile. Again on the same day changes nothing."""
    with store.planning() as tx:
        found = account.managed(tx, destination)
        if found is None or found.digest is None:
            return found
        zone = found.digest.zone
        day = _end(now.astimezone(ZoneInfo(zone)).date(), how_long)
        pauses.pause(tx, found.digest.id, instant(day, time(), zone) if day else None, "then")
        return account.managed(tx, destination)


def resume(store: Store, destination: int, resume_from: str, now: datetime) -> Managed | None:
    """Let a digest go on that rests; one that does not is left as it is.

    Args:
        store: where.
        destination: to which it goes.
        resume_from: ``then``, with all that came meanwhile, or ``now``, with what comes from now on.
        now: when.
    """
    with store.planning() as tx:
        found = account.managed(tx, destination)
        if found is None or found.digest is None or found.digest.pause is None:
            return found
        pauses.resume(tx, found.digest.id, resume_from, now)
        return account.managed(tx, destination)


def _end(today: date, how_long: PauseFor) -> date | None:
    match how_long:
        case PauseFor.WEEK:
            return today + timedelta(7)
        case PauseFor.MONTH:
            first = today.replace(day=1) + timedelta(31)
            return first.replace(day=min(today.day, monthrange(first.year, first.month)[1]))
        case PauseFor.OPEN:
            return None
