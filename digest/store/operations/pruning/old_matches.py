"""Old matches: those that no digest can still report, because it catches up on a limited period only."""

from __future__ import annotations

from datetime import date

from sqlalchemy import ColumnElement, func, select, tuple_

from digest.core.matching.bitmaps import BLOCK_SIZE
from digest.model import RunState
from digest.store.database.digest_tables import digests, follows, match_blocks, runs, slots
from digest.store.database.engine import Transaction
from digest.store.operations.pruning.removed_rows import RemovedRows, delete_rows
from digest.store.papers import events
from digest.store.subscribers.digests import ACTIVE

ROWS_PER_STEP = 20_000
"""Maximum number of rows that one step removes; each looks once which digests wait."""


def find_first_needed(tx: Transaction, day: date) -> int:
    """Return the first block of events whose matches are all kept.

    Args:
        tx: a transaction.
        day: its events and later ones are kept; so are those of windows that begin earlier and are still open.
    """
    open_windows = (
        select(func.min(slots.c.cursor_seq)).where(slots.c.next_fire_at.is_not(None)),
        select(func.min(runs.c.from_seq)).where(runs.c.state == RunState.CLOSED.value),
    )
    starts = [tx.execute(statement).scalar() for statement in open_windows]
    last_unneeded = min([events.find_seq_before(tx, day), *(start for start in starts if start is not None)])
    return (int(last_unneeded) + 1) // BLOCK_SIZE


def count_old_matches(tx: Transaction, first_needed: int) -> RemovedRows:
    """Count the rows that would be removed."""
    count = select(func.count()).select_from(match_blocks).where(_is_unneeded(first_needed))
    return RemovedRows(table=match_blocks.name, rows=tx.execute(count).scalar_one())


def remove_matches(tx: Transaction, first_needed: int) -> RemovedRows:
    """Remove at most ``ROWS_PER_STEP`` rows.

    Args:
        tx: a writing transaction.
        first_needed: as ``find_first_needed`` returned it.
    """
    key = match_blocks.c.query_id, match_blocks.c.block
    chosen = (
        select(*key).where(_is_unneeded(first_needed)).order_by(match_blocks.c.block).limit(ROWS_PER_STEP)
    )
    removed, _ = delete_rows(tx, match_blocks, tuple_(*key).in_(chosen))
    return removed


def _is_unneeded(first_needed: int) -> ColumnElement[bool]:
    """Build the condition that no active digest waits with what a query matched long ago for more to come."""
    waiting = (
        select(follows.c.query_id)
        .join(digests, digests.c.id == follows.c.digest_id)
        .where(follows.c.ended_at.is_(None), digests.c.state == ACTIVE)
        .where(digests.c.from_seq < first_needed * BLOCK_SIZE)
    )
    return (match_blocks.c.block < first_needed) & match_blocks.c.query_id.not_in(waiting)
