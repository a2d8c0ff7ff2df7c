"""Positions of the processes that deliver, so that each knows where the others are and where a queue begins.

They are hints: a wrong, lost or outdated one costs time, and loses or repeats nothing. Each process writes only
its own rows, so none waits for another. Times are of the machine's clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, delete, select, update

from digest.store.database.dialect import fetch_raw_rows, insert_or_update, to_db
from digest.store.database.engine import Transaction
from digest.store.database.tables.processes import queue_cursors
from digest.store.delivery.queue_positions import QUEUE_FRONT, QueuePosition

LIFETIME = timedelta(minutes=1)
"""Time after which a process that has not claimed anything no longer counts as delivering at its position."""
_RETENTION = timedelta(days=1)
"""Time after which the rows of a process are removed."""


class QueueFront(NamedTuple):
    """The front of a queue: nothing was due before this position at that time."""

    position: QueuePosition
    checked_at: datetime


def find_front(tx: Transaction, channel: str) -> QueueFront | None:
    """Return the latest known front of a channel's queue; None if there is none."""
    columns = (queue_cursors.c[name] for name in ("front_due_at", "front_query", "front_id", "front_at"))
    is_known = (queue_cursors.c.channel == channel) & queue_cursors.c.front_due_at.is_not(None)
    statement = select(*columns).where(is_known)
    row = tx.execute(statement.order_by(queue_cursors.c.front_at.desc()).limit(1)).first()
    return QueueFront(QueuePosition(*row[:3]), row.front_at) if row else None


def list_positions(
    tx: Transaction, channel: str, due_at: datetime, token: int, now: datetime
) -> Sequence[QueuePosition]:
    """Return where the other processes deliver what is due at a time, in queue order.

    Args:
        tx: a transaction.
        channel: the channel.
        due_at: the due time of the deliveries.
        token: the token of this process, which is left out.
        now: the machine's time.
    """
    params = {"channel": channel, "due": to_db(tx, due_at), "own": token}
    # A time in the future is that of a wrong clock.
    params |= {"oldest": to_db(tx, now - LIFETIME), "newest": to_db(tx, now + LIFETIME)}
    rows = fetch_raw_rows(tx, _select_positions(), params)
    return [QueuePosition(due_at, query, delivery_id) for query, delivery_id in rows]


@cache
def _select_positions() -> Select[Any]:
    columns = queue_cursors.c.main_query, queue_cursors.c.delivery_id
    conditions = (
        queue_cursors.c.channel == bindparam("channel"),
        queue_cursors.c.due_at == bindparam("due"),
        queue_cursors.c.token != bindparam("own"),
        queue_cursors.c.noted_at.between(bindparam("oldest"), bindparam("newest")),
    )
    return select(*columns).where(*conditions).order_by(*columns)


def save_cursor(
    tx: Transaction,
    channel: str,
    token: int,
    now: datetime,
    *,
    front: QueueFront,
    position: QueuePosition | None,
) -> None:
    """Store where a process is.

    Args:
        tx: a writing transaction.
        channel: the channel.
        token: the token of the process.
        now: the machine's time.
        front: the front of the queue, as far as the process knows it.
        position: the last delivery that it has claimed in its part of the queue; None if it has no part.
    """
    due_at, main_query, delivery_id = position or (None, 0, 0)
    # The earliest time cannot be read back in all time zones.
    front_due_at = None if front.position == QUEUE_FRONT else front.position.due_at
    row = {
        "channel": channel,
        "token": token,
        "noted_at": now,
        "front_due_at": front_due_at,
        "front_query": front.position.main_query,
        "front_id": front.position.id,
        "front_at": front.checked_at,
        "due_at": due_at,
        "main_query": main_query,
        "delivery_id": delivery_id,
    }
    insert_or_update(tx, queue_cursors, [row], key=("channel", "token"))


def leave_queues(tx: Transaction, token: int) -> None:
    """Record that a process no longer delivers; what it knows of the fronts stays for the next one."""
    is_there = (queue_cursors.c.token == token) & queue_cursors.c.due_at.is_not(None)
    tx.execute(update(queue_cursors).where(is_there).values(due_at=None))


def forget_old(tx: Transaction, now: datetime) -> None:
    """Remove the rows of processes that have not delivered for ``_RETENTION``."""
    tx.execute(delete(queue_cursors).where(queue_cursors.c.noted_at < now - _RETENTION))
