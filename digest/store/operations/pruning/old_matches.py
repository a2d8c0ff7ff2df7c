"""Old matches: those that no digest can still report, because it catches up on a limited period only."""

from __future__ import annotations

from datetime import date

from sqlalchemy import ColumnElement, exists, func, select

from digest.core.matching.bitmaps import BLOCK_SIZE
from digest.model import RunState
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, follows, match_blocks, runs, slots
from digest.store.operations.pruning.removed_rows import RemovedRows, delete_rows
from digest.store.papers import events
from digest.store.subscribers.digests import ACTIVE

ROWS_PER_STEP = 20_000
"""Maximum number of rows that one step removes."""


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


def find_next_block(tx: Transaction, after: int, first_needed: int) -> int | None:
    """Return the first block behind another one of which matches can be removed; None if there is none.

    Args:
        tx: a transaction.
        after: the other block; -1 for none.
        first_needed: as ``find_first_needed`` returned it.
    """
    is_behind = match_blocks.c.block > after
    statement = select(match_blocks.c.block).where(is_behind, _is_unneeded(first_needed))
    return tx.execute(statement.order_by(match_blocks.c.block).limit(1)).scalar()


def remove_matches(tx: Transaction, block: int, first_needed: int) -> RemovedRows:
    """Remove at most ``ROWS_PER_STEP`` rows of a block.

    Args:
        tx: a writing transaction.
        block: the block. One at a time: so a step reads only its rows, however many are old.
        first_needed: as ``find_first_needed`` returned it.
    """
    is_in_block = match_blocks.c.block == block
    chosen = (
        select(match_blocks.c.query_id).where(is_in_block, _is_unneeded(first_needed)).limit(ROWS_PER_STEP)
    )
    removed, _ = delete_rows(tx, match_blocks, is_in_block & match_blocks.c.query_id.in_(chosen))
    return removed


def _is_unneeded(first_needed: int) -> ColumnElement[bool]:
    """Build the condition that no active digest waits with what a query matched long ago for more to come."""
    # Not NOT IN: PostgreSQL would compare each row with all of these queries if they do not fit into its memory.
    is_awaited = exists().where(
        follows.c.query_id == match_blocks.c.query_id,
        follows.c.ended_at.is_(None),
        digests.c.id == follows.c.digest_id,
        digests.c.state == ACTIVE,
        digests.c.from_seq < first_needed * BLOCK_SIZE,
    )
    return (match_blocks.c.block < first_needed) & ~is_awaited
