"""The hold after a restore: nothing is sent from a database that was restored from a backup until an operator releases it.

All runs that could still send something are held, and so are those that are made before the release.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update

from digest.model import RunState
from digest.store.database.clock import read_note, set_note
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, editions, notes, runs
from digest.store.delivery.outbox import UNSENT_STATES

_HOLD_NOTE = "restored_backup"
"""Name of the note with the time of the backup; the database is held as long as the note exists."""


def read_backup_time(tx: Transaction) -> datetime | None:
    """Return the time of the backup from which the database was restored; None if it is not held because of that."""
    text = read_note(tx, _HOLD_NOTE)
    return datetime.fromisoformat(text) if text else None


def read_hold_reason(tx: Transaction) -> str:
    """Return the reason for which a new run is held; "" if it is not."""
    backed_up_at = read_backup_time(tx)
    return "" if backed_up_at is None else _describe(backed_up_at)


def hold_all(tx: Transaction, backed_up_at: datetime) -> int:
    """Hold all runs that could still send something, and those to come, until ``release_all``.

    Runs that were released earlier are held, too. A run that is held for another reason keeps it.

    Args:
        tx: a planning transaction, so that no run is made at the same time.
        backed_up_at: the time of the backup.

    Returns:
        The number of runs that are held because of the restore.
    """
    set_note(tx, _HOLD_NOTE, backed_up_at.astimezone(UTC).isoformat())
    is_unfinished = runs.c.state.in_([RunState.OPEN.value, RunState.CLOSED.value])
    is_unsent = runs.c.id.in_(
        select(editions.c.run_id)
        .join(deliveries, deliveries.c.edition_id == editions.c.id)
        .where(deliveries.c.state.in_(UNSENT_STATES))
    )
    is_free = and_(runs.c.held == "", or_(is_unfinished, is_unsent))
    tx.execute(update(runs).where(is_free).values(held=_describe(backed_up_at), released=False))
    return count_held(tx)


def count_held(tx: Transaction) -> int:
    """Count the runs that are held because of the restore."""
    reason = read_hold_reason(tx)
    return (
        tx.execute(select(func.count()).select_from(runs).where(_is_held(reason))).scalar_one()
        if reason
        else 0
    )


def release_all(tx: Transaction) -> tuple[int, int] | None:
    """End the hold. The circuit breaker can still hold the runs, and those held for another reason stay held.

    Args:
        tx: a planning transaction.

    Returns:
        The number of runs, and of their deliveries that can be sent now; None if there is no hold.
    """
    reason = read_hold_reason(tx)
    if not reason:
        return None
    run_ids = list(tx.execute(select(runs.c.id).where(_is_held(reason))).scalars())
    is_own = deliveries.c.edition_id.in_(
        select(editions.c.id).join(runs, runs.c.id == editions.c.run_id).where(_is_held(reason))
    )
    tx.execute(update(deliveries).where(is_own, deliveries.c.state == "held").values(state="ready"))
    waiting = tx.execute(
        select(func.count()).select_from(deliveries).where(is_own, deliveries.c.state == "ready")
    ).scalar_one()
    tx.execute(update(runs).where(_is_held(reason)).values(held=""))
    tx.execute(delete(notes).where(notes.c.name == _HOLD_NOTE))
    return len(run_ids), waiting


def _is_held(reason: str) -> ColumnElement[bool]:
    return and_(runs.c.held == reason, ~runs.c.released)


def _describe(backed_up_at: datetime) -> str:
    return f"the database was restored from a backup of {backed_up_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
