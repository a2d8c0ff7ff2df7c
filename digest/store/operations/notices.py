"""Notices for the operator: each problem at most once a day, whoever records it and however often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, or_, select, update

from digest.store.database.dialect import insert_ignoring
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import notices

REPEAT_INTERVAL = timedelta(days=1)
"""Minimum interval between two notices of the same problem."""
CLAIM_DURATION = timedelta(minutes=15)
"""Lease of notices that are being sent; longer than sending takes."""
_RETENTION = timedelta(days=90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Problem that the operator is notified of.

    Attributes:
        name: the key that identifies the problem.
        text: a description in whole sentences.
        noted_at: when it was first recorded on its day.
        due_at: when it is sent or retried; None if there is nothing to send any more.
        attempts: number of times that sending failed on some channel.
        delivered_to: the channels that have sent it.
    """

    name: str
    text: str
    noted_at: datetime
    due_at: datetime | None
    attempts: int
    delivered_to: frozenset[str]


def record_notice(tx: Transaction, name: str, text: str, now: datetime) -> bool:
    """Record a problem; one that was recorded less than a day ago is not changed.

    Args:
        tx: a writing transaction.
        name: the key that identifies the problem, such as ``server:smtp.example.org``.
        text: a description in whole sentences that tell the operator what to do.
        now: the time.

    Returns:
        Whether a notice will be sent.
    """
    new_values = {"text": text, "noted_at": now, "due_at": now, "attempts": 0, "told": []}
    # A notice from the future was recorded by a wrong clock.
    is_outdated = or_(notices.c.noted_at <= now - REPEAT_INTERVAL, notices.c.noted_at > now + REPEAT_INTERVAL)
    if tx.execute(update(notices).where(notices.c.name == name, is_outdated).values(new_values)).rowcount:
        return True
    statement = insert_ignoring(tx, notices).returning(notices.c.name)
    return tx.execute(statement, {"name": name, **new_values}).scalar() is not None


def is_noted(tx: Transaction, name: str) -> bool:
    """Whether a problem was recorded, however long ago, and not deleted since."""
    return tx.execute(select(notices.c.name).where(notices.c.name == name)).first() is not None


def list_due(tx: Transaction, now: datetime) -> tuple[Notice, ...]:
    """Return the notices that are due, oldest first; after a day they are no longer sent, as the problem may be solved."""
    statement = select(notices).where(notices.c.due_at <= now, notices.c.noted_at > now - REPEAT_INTERVAL)
    return tuple(
        _build_notice(row) for row in tx.execute(statement.order_by(notices.c.noted_at, notices.c.name))
    )


def list_undelivered(tx: Transaction) -> tuple[Notice, ...]:
    """Return the notices that some channel has failed to send so far, oldest first."""
    statement = select(notices).where(notices.c.due_at.is_not(None), notices.c.attempts > 0)
    return tuple(
        _build_notice(row) for row in tx.execute(statement.order_by(notices.c.noted_at, notices.c.name))
    )


def claim_notices(tx: Transaction, due_notices: Sequence[Notice], now: datetime) -> tuple[Notice, ...]:
    """Return those due notices that nobody else is sending, and lease them for ``CLAIM_DURATION``."""
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
    """Return the notices since a time, newest first."""
    statement = select(notices).where(notices.c.noted_at > since)
    return tuple(
        _build_notice(row)
        for row in tx.execute(statement.order_by(notices.c.noted_at.desc(), notices.c.name))
    )


def list_newest(tx: Transaction, limit: int, offset: int = 0) -> tuple[Notice, ...]:
    """Return the last notices, newest first; there is one for each problem of the last 90 days.

    Args:
        tx: a transaction.
        limit: the maximum number.
        offset: how many are left out before.
    """
    statement = select(notices).order_by(notices.c.noted_at.desc(), notices.c.name)
    return tuple(map(_build_notice, tx.execute(statement.limit(limit).offset(offset))))


def record_delivery(
    tx: Transaction, claimed: Sequence[Notice], retry_times: Mapping[str, datetime | None]
) -> None:
    """Record the result of sending notices.

    Args:
        tx: a writing transaction.
        claimed: the notices; one that was recorded again meanwhile stays due.
        retry_times: for each channel, when to retry; None if it has sent them, or never will.
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
    """Delete old notices, and return how many."""
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
