"""Permanent redirects, and how often each was seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from digest.store.database.dialect import insert_or_update
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """Permanent redirect of an address.

    Attributes:
        times: how often in a row it was seen.
        first_at: when it was first seen.
        last_at: when it was last seen.
    """

    target: str
    times: int
    first_at: datetime
    last_at: datetime


def find_redirect(tx: Transaction, url: str) -> Redirect | None:
    """Return the permanent redirect of an address; None if there is none."""
    row = tx.execute(select(moves).where(moves.c.url == url)).first()
    if row is None:
        return None
    return Redirect(target=row.target, times=row.times, first_at=row.first_at, last_at=row.last_at)


def record_redirect(tx: Transaction, url: str, target: str, now: datetime) -> None:
    """Count a permanent redirect; a ``target`` of "" means that the address no longer redirects."""
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
    """Forget the redirect of an address because its target does not work; the address itself is requested again."""
    tx.execute(delete(moves).where(moves.c.url == url))
