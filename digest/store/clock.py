"""The latest time the store has seen, and whether its time is told by ``--now``."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from digest.store.dialect import add_missing
from digest.store.engine import Transaction
from digest.store.schema import notes


def latest_seen(tx: Transaction) -> datetime | None:
    """The latest time seen; None in a new store."""
    text = tx.execute(select(notes.c.value).where(notes.c.name == "latest_time")).scalar()
    return datetime.fromisoformat(text) if text else None


def see(tx: Transaction, now: datetime) -> None:
    """Note the time; it never goes back."""
    text = now.isoformat()
    add_missing(tx, notes, [{"name": "latest_time", "value": text}])
    tx.execute(update(notes).where(notes.c.name == "latest_time", notes.c.value < text).values(value=text))


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
