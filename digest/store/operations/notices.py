"""Notices: what the operator is told of, each trouble at most once a day, whoever notes it and however often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, or_, select, update

from digest.store.database.dialect import insert_ignoring
from digest.store.database.digest_tables import notices
from digest.store.database.engine import Transaction

DAY = timedelta(days=1)
"""A trouble that was told is not told again before."""
CLAIMED = timedelta(minutes=15)
"""Longer than telling takes."""
_KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A trouble that the operator is to know of.

    Attributes:
        name: what tells it from others.
        text: it, in whole sentences.
        noted_at: when it was first noted in its day.
        due_at: when it is told, or tried again; None where there is nothing to tell any more.
        attempts: how often telling it has failed at some of its ways.
        told: the ways that have it.
    """

    name: str
    text: str
    noted_at: datetime
    due_at: datetime | None
    attempts: int
    told: frozenset[str]


def note(tx: Transaction, name: str, text: str, now: datetime) -> bool:
    """Note a trouble; one that was noted less than a day ago stays as it was told then.

    Args:
        tx: a writing transaction.
        name: what tells it from others: ``server:smtp.example.org``.
        text: it, in whole sentences that say what to do.
        now: the time.

    Returns:
        Whether it is to be told.
    """
    fresh = {"text": text, "noted_at": now, "due_at": now, "attempts": 0, "told": []}
    # One noted in the future was noted by a wrong clock.
    over = or_(notices.c.noted_at <= now - DAY, notices.c.noted_at > now + DAY)
    if tx.execute(update(notices).where(notices.c.name == name, over).values(fresh)).rowcount:
        return True
    added = insert_ignoring(tx, notices).returning(notices.c.name)
    return tx.execute(added, {"name": name, **fresh}).scalar() is not None


def is_noted(tx: Transaction, name: str) -> bool:
    """Whether a trouble was noted, however long ago, and is not forgotten yet."""
    return tx.execute(select(notices.c.name).where(notices.c.name == name)).first() is not None


def due(tx: Transaction, now: datetime) -> tuple[Notice, ...]:
    """What is to be told now, the oldest first; what was noted more than a day ago may be no trouble any more."""
    mine = select(notices).where(notices.c.due_at <= now, notices.c.noted_at > now - DAY)
    return tuple(_notice(row) for row in tx.execute(mine.order_by(notices.c.noted_at, notices.c.name)))


def untold(tx: Transaction) -> tuple[Notice, ...]:
    """What some way could not be told yet, the oldest first."""
    mine = select(notices).where(notices.c.due_at.is_not(None), notices.c.attempts > 0)
    return tuple(_notice(row) for row in tx.execute(mine.order_by(notices.c.noted_at, notices.c.name)))


def claim(tx: Transaction, some: Sequence[Notice], now: datetime) -> tuple[Notice, ...]:
    """Of what is due, what nobody else has begun to tell; if it is not told within ``CLAIMED`` it is due again."""
    forget_old(tx, now)
    change = update(notices).where(notices.c.due_at <= now).values(due_at=now + CLAIMED)
    return tuple(
        one
        for one in some
        if tx.execute(change.where(notices.c.name == one.name, notices.c.noted_at == one.noted_at)).rowcount
    )


def recent(tx: Transaction, since: datetime) -> tuple[Notice, ...]:
    """What was noted since a time, the newest first."""
    mine = select(notices).where(notices.c.noted_at > since)
    return tuple(_notice(row) for row in tx.execute(mine.order_by(notices.c.noted_at.desc(), notices.c.name)))


def told(tx: Transaction, some: Sequence[Notice], ways: Mapping[str, datetime | None]) -> None:
    """Keep how telling went.

    Args:
        tx: a writing transaction.
        some: what was told; one that was noted anew meanwhile stays due.
        ways: for each way, when to try it again; None where it has them, or never will.
    """
    done = {way for way, again in ways.items() if again is None}
    again_at = min((again for again in ways.values() if again is not None), default=None)
    change = update(notices).where(
        notices.c.name == bindparam("which"), notices.c.noted_at == bindparam("noted")
    )
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("told", "due_at", "attempts")}
    rows = [
        {
            "which": one.name,
            "noted": one.noted_at,
            "new_told": sorted(one.told | done),
            "new_due_at": again_at,
            "new_attempts": one.attempts + (again_at is not None),
        }
        for one in some
    ]
    if rows:
        tx.execute(change.values(values), rows)


def forget_old(tx: Transaction, now: datetime) -> int:
    """Take away what was noted long ago, and say how many that was."""
    return tx.execute(delete(notices).where(notices.c.noted_at < now - _KEPT)).rowcount


def _notice(row: Row[Any]) -> Notice:
    return Notice(
        name=row.name,
        text=row.text,
        noted_at=row.noted_at,
        due_at=row.due_at,
        attempts=row.attempts,
        told=frozenset(row.told),
    )
