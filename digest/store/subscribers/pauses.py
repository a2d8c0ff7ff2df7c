"""Digests that rest: they get no editions, and go on from where they were, or from now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, select, update

from digest.store.database.digest_tables import digests, slots
from digest.store.database.engine import Transaction
from digest.store.matching import matches
from digest.store.papers import events
from digest.store.subscribers.digests import ACTIVE, PAUSED, Pause

MAX_CATCH_UP = timedelta(days=90)
"""How far back a digest that goes on is told: what fits is kept no longer."""


def pause_digest(tx: Transaction, digest: int, until: datetime | None, resume_from: str) -> None:
    """Let a digest rest, or rest otherwise.

    Args:
        tx: a planning transaction.
        digest: its number; it has not ended.
        until: it goes on by itself then; None for not before somebody resumes it.
        resume_from: ``then`` or ``now``.
    """
    values = {"state": PAUSED, "paused_until": until, "resume_from": resume_from}
    tx.execute(update(digests).where(digests.c.id == digest).values(values))


def resume_digest(tx: Transaction, digest: int, resume_from: str, now: datetime) -> bool:
    """Let a digest go on, whatever its pause said.

    Returns:
        Whether something that came in its pause is gone: it was longer than a digest is told back.
    """
    return bool(_resume_digests(tx, digests.c.id == digest, resume_from, now))


def end_pauses(tx: Transaction, now: datetime) -> None:
    """Let the digests go on whose pauses end by themselves."""
    for resume_from in ("then", "now"):
        is_expired = (digests.c.paused_until <= now) & (digests.c.resume_from == resume_from)
        _resume_digests(tx, is_expired, resume_from, now)


def _resume_digests(tx: Transaction, condition: ColumnElement[bool], resume_from: str, now: datetime) -> int:
    """Let some paused digests go on; says how many of them had to leave something out."""
    is_paused = condition & (digests.c.state == PAUSED)
    truncated = 0
    if resume_from == "now":
        tx.execute(update(digests).where(is_paused).values(from_seq=matches.read_matched_to(tx)))
    else:
        earliest = events.find_seq_before(tx, (now - MAX_CATCH_UP).date())
        is_older = is_paused & (_build_sent_seq() < earliest)
        truncated = tx.execute(update(digests).where(is_older).values(from_seq=earliest)).rowcount
    tx.execute(update(digests).where(is_paused).values(state=ACTIVE, paused_until=None, resume_from=""))
    return truncated


def _build_sent_seq() -> ColumnElement[Any]:
    cursor = select(slots.c.cursor_seq).where(slots.c.id == digests.c.slot_id).scalar_subquery()
    return func.coalesce(digests.c.from_seq, cursor)


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedDigest:
    """A digest that rests, and the zone that its reader lives by."""

    digest: str
    zone: str
    pause: Pause


def count_paused(tx: Transaction) -> int:
    """How many digests rest."""
    count = select(func.count()).select_from(digests).where(digests.c.state == PAUSED)
    return int(tx.execute(count).scalar_one())


def list_paused(tx: Transaction, limit: int | None = None) -> tuple[PausedDigest, ...]:
    """The digests that rest, by name; all of them, or so many."""
    statement = select(digests).where(digests.c.state == PAUSED)
    rows = tx.execute(statement.order_by(digests.c.name).limit(limit))
    return tuple(
        PausedDigest(
            digest=row.name,
            zone=row.zone,
            pause=Pause(until=row.paused_until, resume_from=row.resume_from),
        )
        for row in rows
    )
