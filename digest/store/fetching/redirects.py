"""Addresses that say that they have moved for good, and how often they said so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from digest.store.database.dialect import insert_or_update
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """Where an address has moved to.

    Attributes:
        times: that it said so, without a break.
        first_at: when it said so first.
        last_at: when it said so last.
    """

    target: str
    times: int
    first_at: datetime
    last_at: datetime


def find_redirect(tx: Transaction, url: str) -> Redirect | None:
    """Where an address says that it has moved to; None if it does not."""
    row = tx.execute(select(moves).where(moves.c.url == url)).first()
    if row is None:
        return None
    return Redirect(target=row.target, times=row.times, first_at=row.first_at, last_at=row.last_at)


def record_redirect(tx: Transaction, url: str, target: str, now: datetime) -> None:
    """Count that an address says so; "" as its target is the end of the row."""
    if not target:
        forget_redirect(tx, url)
        return
    previous = find_redirect(tx, url)
    is_repeated = previous is not None and previous.target == target
    row = {
        "url": url,
        "target": target,
        "times": previous.times + 1 if previous and is_repeated else 1,
        "first_at": previous.first_at if previous and is_repeated else now,
        "last_at": now,
    }
    insert_or_update(tx, moves, [row], key=("url",))


def forget_redirect(tx: Transaction, url: str) -> None:
    """Ask an address itself again, whatever it said of having moved: where that led is of no use."""
    tx.execute(delete(moves).where(moves.c.url == url))
