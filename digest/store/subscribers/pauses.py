"""Pauses of digests: a paused digest gets no editions, and continues from where it was or from the present."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, select, update

from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, slots
from digest.store.matching import matches
from digest.store.papers import events
from digest.store.subscribers.digests import ACTIVE, CONFIGURED, PAUSED, Pause

MAX_CATCH_UP = timedelta(days=90)
"""Maximum period that a resumed digest catches up on; older matches may be gone."""


def pause_digest(tx: Transaction, digest: int, until: datetime | None, resume_from: str) -> None:
    """Pause a digest, or change its pause.

    Args:
        tx: a writing transaction that has locked the digest.
        digest: the number of a digest that has not ended.
        until: when the pause ends by itself; None if somebody has to resume it.
        resume_from: ``then`` or ``now``.
    """
    values = {"state": PAUSED, "paused_until": until, "resume_from": resume_from}
    tx.execute(update(digests).where(digests.c.id == digest).values(values))


def resume_digest(tx: Transaction, digest: int, resume_from: str, now: datetime) -> bool:
    """Resume a digest, with ``resume_from`` instead of the setting of its pause.

    Args:
        tx: a writing transaction that has locked the digest.
        digest: the number of the digest.
        resume_from: ``then`` or ``now``.
        now: the current time, UTC.

    Returns:
        Whether papers were left out, because the pause was longer than ``MAX_CATCH_UP``.
    """
    return bool(_resume_digests(tx, digests.c.id == digest, resume_from, now))


def list_expired(tx: Transaction, now: datetime, after_id: int, limit: int) -> Sequence[int]:
    """Return the digests whose pause ends by itself and is over, in the order of their numbers.

    Args:
        tx: a transaction.
        now: the current time, UTC.
        after_id: only digests with higher numbers.
        limit: the maximum number of digests.
    """
    statement = select(digests.c.id).where(_is_expired(now), digests.c.id > after_id)
    return tx.execute(statement.order_by(digests.c.id).limit(limit)).scalars().all()


def end_pauses(tx: Transaction, digest_ids: Collection[int], now: datetime) -> None:
    """Resume those of some digests whose pause ends by itself and is over.

    Args:
        tx: a writing transaction that has locked the digests.
        digest_ids: the numbers of the digests.
        now: the current time, UTC.
    """
    for chunk in split_into_chunks(sorted(digest_ids)):
        for resume_from in ("then", "now"):
            is_chosen = digests.c.id.in_(chunk) & (digests.c.resume_from == resume_from)
            _resume_digests(tx, is_chosen & _is_expired(now), resume_from, now)


def _is_expired(now: datetime) -> ColumnElement[bool]:
    return (digests.c.paused_until <= now) & (digests.c.state == PAUSED)


def _resume_digests(tx: Transaction, condition: ColumnElement[bool], resume_from: str, now: datetime) -> int:
    """Resume paused digests, and return how many of them had to leave something out."""
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
    """Paused digest, with the time zone of its reader."""

    digest: str
    zone: str
    pause: Pause


def count_paused(tx: Transaction) -> int:
    """Count the paused digests of the configuration."""
    count = select(func.count()).select_from(digests).where(_is_configured_pause())
    return int(tx.execute(count).scalar_one())


def list_paused(tx: Transaction, limit: int | None = None) -> tuple[PausedDigest, ...]:
    """Return the paused digests of the configuration by name, up to a limit."""
    statement = select(digests).where(_is_configured_pause())
    rows = tx.execute(statement.order_by(digests.c.name).limit(limit))
    return tuple(
        PausedDigest(
            digest=row.name,
            zone=row.timezone,
            pause=Pause(until=row.paused_until, resume_from=row.resume_from),
        )
        for row in rows
    )


def _is_configured_pause() -> ColumnElement[bool]:
    return (digests.c.state == PAUSED) & (digests.c.made_by == CONFIGURED)
