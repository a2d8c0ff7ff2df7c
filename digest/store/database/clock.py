"""The latest time the store has seen, whether its time is told by ``--now``, and when a lease is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, or_, select, update

from digest.store.database.dialect import add_missing
from digest.store.database.digest_tables import notes
from digest.store.database.engine import Transaction

CLOCK_TOLERANCE = timedelta(hours=1)
"""A clock that is behind the latest time by more was set back, or another one was ahead; less is nothing to act upon."""
_LATEST_TIME_NOTE = "latest_time"
_NOTE_INTERVAL = timedelta(minutes=1)
"""How exactly the latest time is kept."""


def read_latest_seen(tx: Transaction) -> datetime | None:
    """The latest time seen; None in a new store."""
    text = tx.execute(select(notes.c.value).where(notes.c.name == _LATEST_TIME_NOTE)).scalar()
    return datetime.fromisoformat(text) if text else None


def record_time(tx: Transaction, now: datetime) -> None:
    """Note the time; one that is far before the latest is believed, too."""
    latest = read_latest_seen(tx)
    # In one zone and always as long: then texts are in the order of their times, in any collation.
    text = now.astimezone(UTC).isoformat(timespec="microseconds")
    if latest is not None and is_set_back(now, latest):
        set_note(tx, _LATEST_TIME_NOTE, text)
    elif latest is None or now > latest + _NOTE_INTERVAL:
        add_missing(tx, notes, [{"name": _LATEST_TIME_NOTE, "value": text}])
        tx.execute(
            update(notes).where(notes.c.name == _LATEST_TIME_NOTE, notes.c.value < text).values(value=text)
        )


def is_set_back(now: datetime, latest: datetime) -> bool:
    """Whether a clock was set back since a time was seen, or another one was ahead."""
    return latest > now + CLOCK_TOLERANCE


def is_lease_over(until: Column[Any], now: datetime, lease_duration: timedelta) -> ColumnElement[bool]:
    """Whether a lease has ended, or ends so far ahead that a wrong clock must have made it.

    Clocks of two machines differ a little, and so do two readings of one clock that are used in another
    order than they were taken in: a lease that ends a moment later than ours would is no wrong clock's.

    Args:
        until: the column with the lease's end.
        now: the time.
        lease_duration: how long such leases are.
    """
    return or_(until <= now, until > now + 2 * lease_duration)


def check_started_with_now(tx: Transaction, *, has_now_option: bool) -> bool:
    """Whether the store was begun by a command with ``--now``; a new store takes this command's way."""
    row = {"name": "begun_with_now", "value": "yes" if has_now_option else "no"}
    add_missing(tx, notes, [row])
    return read_note(tx, row["name"]) == "yes"


def read_note(tx: Transaction, name: str) -> str:
    """A note that the store keeps; "" if there is none."""
    return tx.execute(select(notes.c.value).where(notes.c.name == name)).scalar() or ""


def set_note(tx: Transaction, name: str, value: str) -> None:
    """Keep a note in place of the one before."""
    add_missing(tx, notes, [{"name": name, "value": value}])
    tx.execute(update(notes).where(notes.c.name == name).values(value=value))
