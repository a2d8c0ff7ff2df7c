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

REPEAT_INTERVAL = timedelta(days=1)
"""A trouble that was told is not told again before."""
CLAIM_DURATION = timedelta(minutes=15)
"""Longer than telling takes."""
_RETENTION = timedelta(days=90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A trouble that the operator is to know of.

    Attributes:
        name: what tells it from others.
        text: it, in whole sentences.
        noted_at: when it was first noted in its day.
        due_at: when it is told, or tried again; None where there is nothing to tell any more.
        attempts: how often telling it has failed at some of its ways.
        delivered_to: the ways that have it.
    """

    name: str
    text: str
    noted_at: datetime
    due_at: datetime | None
    attempts: int
    delivered_to: frozenset[str]


def record_notice(tx: Transaction, name: str, text: str, now: datetime) -> bool:
    """Note a trouble; one that was noted less than a day ago stays as it was told then.

    Args:
        tx: a writing transaction.
        name: what tells it from others: ``server:smtp.example.org``.
        text: it, in whole sentences that say what to do.
        now: the time.

    Returns:
        Whether it is to be told.
    """
    new_values = {"text": text, "noted_at": now, "due_at": now, "attempts": 0, "told": []}
    # One noted in the future was noted by a wrong clock.
    is_outdated = or_(notices.c.noted_at <= now - REPEAT_INTERVAL, notices.c.noted_at > now + REPEAT_INTERVAL)
    if tx.execute(update(notices).where(notices.c.name == name, is_outdated).values(new_values)).rowcount:
        return True
    statement = insert_ignoring(tx, notices).returning(notices.c.name)
    return tx.execute(statement, {"name": name, **new_values}).scalar() is not None


def is_noted(tx: Transaction, name: str) -> bool:
    """Whether a trouble was noted, however long ago, and is not forgotten yet."""
    return tx.execute(select(notices.c.name).where(notices.c.name == name)).first() is not None


def list_due(tx: Transaction, now: datetime) -> tuple[Notice, ...]:
    """What is to be told now, the oldest first; what was noted more than a day ago may be no trouble any more."""
    statement = select(notices).where(notices.c.due_at <= now, notices.c.noted_at > now - REPEAT_INTERVAL)
    return tuple(
        _build_notice(row) for row in tx.execute(statement.order_by(notices.c.noted_at, notices.c.name))
    )


def list_undelivered(tx: Transaction) -> tuple[Notice, ...]:
    """What some way could not be told yet, the oldest first."""
    statement = select(notices).where(notices.c.due_at.is_not(None), notices.c.attempts > 0)
    return tuple(
        _build_notice(row) for row in tx.execute(statement.order_by(notices.c.noted_at, notices.c.name))
    )


def claim_notices(tx: Transaction, due_notices: Sequence[Notice], now: datetime) -> tuple[Notice, ...]:
    """Of what is due, what nobody else has begun to tell; if it is not told within ``CLAIM_DURATION`` it is due again."""
    forget_old(tx, now)
    statement = update(notices).where(notices.c.due_at <= now).values(due_at=now + CLAIM_DURATION)
    return tuple(
        notice
        for notice in due_notices
        if tx.execute(
            statement.where(notices.c.name == notice.name, notices.c.noted_at == notice.noted_at)
        ).rowcount
    )


def list_recent(tx: Transaction, since: datetime) -> tuple[Notice, ...]:
    """What was noted since a time, the newest first."""
    statement = select(notices).where(notices.c.noted_at > since)
    return tuple(
        _build_notice(row)
        for row in tx.execute(statement.order_by(notices.c.noted_at.desc(), notices.c.name))
    )


def record_delivery(
    tx: Transaction, claimed: Sequence[Notice], retry_times: Mapping[str, datetime | None]
) -> None:
    """Keep how telling went.

    Args:
        tx: a writing transaction.
        claimed: what was told; one that was noted anew meanwhile stays due.
        retry_times: for each way, when to try it again; None where it has them, or never will.
    """
    reached = {channel for channel, retry_at in retry_times.items() if retry_at is None}
    next_retry = min((retry_at for retry_at in retry_times.values() if retry_at is not None), default=None)
    statement = update(notices).where(
        notices.c.name == bindparam("which"), notices.c.noted_at == bindparam("noted")
    )
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("told", "due_at", "attempts")}
    rows = [
        {
            "which": notice.name,
            "noted": notice.noted_at,
            "new_told": sorted(notice.delivered_to | reached),
            "new_due_at": next_retry,
            "new_attempts": notice.attempts + (next_retry is not None),
        }
        for notice in claimed
    ]
    if rows:
        tx.execute(statement.values(values), rows)


def forget_old(tx: Transaction, now: datetime) -> int:
    """Take away what was noted long ago, and say how many that was."""
    return tx.execute(delete(notices).where(notices.c.noted_at < now - _RETENTION)).rowcount


def _build_notice(row: Row[Any]) -> Notice:
    return Notice(
        name=row.name,
        text=row.text,
        noted_at=row.noted_at,
        due_at=row.due_at,
        attempts=row.attempts,
        delivered_to=frozenset(row.told),
    )
