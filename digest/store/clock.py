"""The latest time that the database has seen, whether its time is told by ``--now``, and when a lease is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, or_, select, update

from digest.store.dialect import add_missing
from digest.store.digest_tables import notes
from digest.store.engine import Transaction

SAME_CLOCK = timedelta(hours=1)
"""How far one machine's clock may go back before what it wrote is taken for a wrong clock's."""
OTHER_CLOCK = timedelta(days=1)
"""The same for two machines: a zone that is set wrong puts their clocks up to 14 hours apart, and neither is repaired."""


def latest_seen(tx: Transaction) -> datetime | None:
    """The latest time seen; None in a new store."""
    return _latest(tx)[0]


def see(tx: Transaction, now: datetime, host: str = "") -> None:
    """Note the time; it never goes back.

    Args:
        tx: a writing transaction.
        now: the time.
        host: the name of the machine whose clock says so.
    """
    text = _written(now, host)
    add_missing(tx, notes, [{"name": _LATEST, "value": text}])
    tx.execute(update(notes).where(notes.c.name == _LATEST, notes.c.value < text).values(value=text))


def reset(tx: Transaction, now: datetime, host: str) -> None:
    """Take a time for the latest although a later one was seen, because a wrong clock said that."""
    set_note(tx, _LATEST, _written(now, host))


def was_set_back(tx: Transaction, now: datetime, host: str) -> bool:
    """Whether a time is so far before the latest one that one of the two is wrong, and no second machine explains it.

    Args:
        tx: a transaction.
        now: the time.
        host: the name of the machine whose clock says so.
    """
    seen, seen_by = _latest(tx)
    allowed = SAME_CLOCK if host and seen_by == host else OTHER_CLOCK
    return seen is not None and seen > now + allowed


_LATEST = "latest_time"


def _latest(tx: Transaction) -> tuple[datetime | None, str]:
    """The latest time seen, and the name of the machine that saw it; "" where an earlier release noted none."""
    at, _, host = note(tx, _LATEST).partition(" ")
    return datetime.fromisoformat(at) if at else None, host


def _written(now: datetime, host: str) -> str:
    # In one zone and always as long: then texts are in the order of their times, in any collation.
    return f"{now.astimezone(UTC).isoformat(timespec='microseconds')} {host}".rstrip()


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
