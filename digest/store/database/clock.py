"""Notes in the database, the latest time that it has recorded, and the expiry of leases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, or_, select, update

from digest.store.database.dialect import add_missing
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import notes

CLOCK_TOLERANCE = timedelta(hours=1)
"""Largest lag behind the latest recorded time that is ignored. A larger one means that a clock was set back or
ran ahead.
"""
_LATEST_TIME_NOTE = "latest_time"
_NOTE_INTERVAL = timedelta(minutes=1)
"""Resolution of the latest recorded time: it is written at most this often."""


def read_latest_seen(tx: Transaction) -> datetime | None:
    """Return the latest recorded time; None in a new database."""
    text = tx.execute(select(notes.c.value).where(notes.c.name == _LATEST_TIME_NOTE)).scalar()
    return datetime.fromisoformat(text) if text else None


def record_time(tx: Transaction, now: datetime) -> None:
    """Record the time. A time far before the latest recorded one replaces it as well."""
    latest = read_latest_seen(tx)
    # In UTC and of fixed length, so texts sort like the times they stand for, in any collation.
    text = now.astimezone(UTC).isoformat(timespec="microseconds")
    if latest is not None and is_set_back(now, latest):
        set_note(tx, _LATEST_TIME_NOTE, text)
    elif latest is None or now > latest + _NOTE_INTERVAL:
        add_missing(tx, notes, [{"name": _LATEST_TIME_NOTE, "value": text}])
        tx.execute(
            update(notes).where(notes.c.name == _LATEST_TIME_NOTE, notes.c.value < text).values(value=text)
        )


def is_set_back(now: datetime, latest: datetime) -> bool:
    """Whether a clock was set back, or another one ran ahead, since a time was recorded."""
    return latest > now + CLOCK_TOLERANCE


def is_lease_over(until: Column[Any], now: datetime, lease_duration: timedelta) -> ColumnElement[bool]:
    """Build the condition that a lease has ended, or ends so far ahead that a wrong clock must have made it.

    The limit is two durations, not one: clocks of two machines differ a little, and a process may use two
    readings of its own clock in another order than it took them, so a correct lease can end slightly later
    than one made now.

    Args:
        until: the column with the end of the lease.
        now: the time.
        lease_duration: the duration of such leases.
    """
    return or_(until <= now, until > now + 2 * lease_duration)


def check_started_with_now(tx: Transaction, *, has_now_option: bool) -> bool:
    """Whether the database was created by a command with ``--now``; for a new one, record what this command did."""
    row = {"name": "begun_with_now", "value": "yes" if has_now_option else "no"}
    add_missing(tx, notes, [row])
    return read_note(tx, row["name"]) == "yes"


def read_note(tx: Transaction, name: str) -> str:
    """Return a note, or "" if there is none."""
    return tx.execute(select(notes.c.value).where(notes.c.name == name)).scalar() or ""


def set_note(tx: Transaction, name: str, value: str) -> None:
    """Write a note and replace its previous value."""
    add_missing(tx, notes, [{"name": name, "value": value}])
    tx.execute(update(notes).where(notes.c.name == name).values(value=value))
