"""The latest time the store has seen, whether its time is told by ``--now``, and when a lease is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, or_, select, update

from digest.store.database.dialect import add_missing
from digest.store.database.digest_tables import notes
from digest.store.database.engine import Transaction

SET_BACK = timedelta(hours=1)
"""A clock that is behind the latest time by more was set back, or another one was ahead; less is nothing to act upon."""
_LATEST = "latest_time"
_NOTED = timedelta(minutes=1)
"""How exactly the latest time is kept."""


def latest_seen(tx: Transaction) -> datetime | None:
    """The latest time seen; None in a new store."""
    text = tx.execute(select(notes.c.value).where(notes.c.name == _LATEST)).scalar()
    return datetime.fromisoformat(text) if text else None


def see(tx: Transaction, now: datetime) -> None:
    """Note the time; one that is far before the latest is believed, too."""
    seen = latest_seen(tx)
    # In one zone and always as long: then texts are in the order of their times, in any collation.
    text = now.astimezone(UTC).isoformat(timespec="microseconds")
    if seen is not None and was_set_back(now, seen):
        set_note(tx, _LATEST, text)
    elif seen is None or now > seen + _NOTED:
        add_missing(tx, notes, [{"name": _LATEST, "value": text}])
        tx.execute(update(notes).where(notes.c.name == _LATEST, notes.c.value < text).values(value=text))


def was_set_back(now: datetime, seen: datetime) -> bool:
    """Whether a clock was set back since a time was seen, or another one was ahead."""
    return seen > now + SET_BACK


def over(until: Column[Any], now: datetime, greatest: timedelta) -> ColumnElement[bool]:
    """Whether a lease has ended, or ends so far ahead that a wrong clock must have made it.

    Clocks of two machines differ a little, and so do two readings of one clock that are used in another
    order than they were taken in: a lease that ends a moment later than ours would is no wrong clock's.

    Args:
        until: the column with the lease's end.
        now: the time.
        greatest: how long such leases are.
    """
    return or_(until <= now, until > now + 2 * greatest)


def begun_with_now(tx: Transaction, *, given: bool) -> bool:
    """Whether the store was begun by a command with ``--now``; a new store takes this command's way."""
    row = {"name": "begun_with_now", "value": "yes" if given else "no"}
    add_missing(tx, notes, [row])
    return note(tx, row["name"]) == "yes"


def note(tx: Transaction, name: str) -> str:
    """A note that the store keeps; "" if there is none."""
    return tx.execute(select(notes.c.value).where(notes.c.name == name)).scalar() or ""


def set_note(tx: Transaction, name: str, value: str) -> None:
    """Keep a note in place of the one before."""
    add_missing(tx, notes, [{"name": name, "value": value}])
    tx.execute(update(notes).where(notes.c.name == name).values(value=value))
