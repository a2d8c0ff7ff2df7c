"""Old runs with their editions and deliveries: which may be removed, and their removal in small steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    Update,
    and_,
    delete,
    exists,
    func,
    literal_column,
    not_,
    or_,
    select,
    update,
)

from digest.model import Frequency, RunState
from digest.store.database.dialect import execute_raw, has_row_locks, make_in_condition, to_in_param
from digest.store.database.engine import Transaction
from digest.store.database.lock_times import LockKind, measure_wait
from digest.store.database.retention import EDITIONS_NOTE, note_removed
from digest.store.database.tables.digests import (
    deliveries,
    digests,
    edition_changes,
    editions,
    partly_sent,
    run_batches,
    runs,
    shards,
    slots,
)
from digest.store.delivery.outbox import UNSENT_STATES
from digest.store.operations.pruning.removed_rows import RemovedRows, delete_rows
from digest.store.subscribers.digest_locks import lock_slots
from digest.store.subscribers.digests import ENDED

EDITIONS_PER_STEP = 1_000
"""Number of editions of a run that one step examines; it takes some 70 ms, with a delivery each."""
_FINISHED_STATES = (RunState.COMPOSED.value, RunState.MERGED.value)
_STATES_WITH_WINDOW = (RunState.CLOSED.value, RunState.COMPOSED.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """A step in the removal of a run.

    Attributes:
        removed: the rows that it removed.
        last_digest: the digest with the highest number whose edition was examined; None at the end of the run.
    """

    removed: tuple[RemovedRows, ...]
    last_digest: int | None


# --- old rows -------------------------------------------------------------------------------------


def list_old_runs(tx: Transaction, before: datetime, since: datetime | None = None) -> Sequence[int]:
    """Return the finished runs that fired before an instant and still have anything to remove, oldest first.

    Args:
        tx: a transaction.
        before: the instant.
        since: skip runs that fired earlier, which were examined before; None to examine all.
    """
    conditions = [_is_old(before), _has_removable(), *([runs.c.fire_at >= since] if since else [])]
    return (
        tx.execute(select(runs.c.id).where(*conditions).order_by(runs.c.fire_at, runs.c.id)).scalars().all()
    )


def _has_removable() -> ColumnElement[bool]:
    """Build the condition that something of a run can be removed, to avoid a transaction for each run that has nothing."""
    is_of_run = editions.c.run_id == runs.c.id
    has_done = exists().where(is_of_run, deliveries.c.edition_id == editions.c.id, _is_done())
    is_over = and_(_is_unneeded_run(), not_(exists().where(is_of_run)))
    return or_(has_done, exists().where(is_of_run, _is_unneeded()), is_over)


def _is_old(before: datetime) -> ColumnElement[bool]:
    return and_(runs.c.fire_at < before, runs.c.state.in_(_FINISHED_STATES))


def _is_not_last(table: Table) -> ColumnElement[bool]:
    """Build the condition that a row is not the last one of its table.

    It does not compare by size, for which PostgreSQL would read the index of all rows.
    """
    is_not_last: ColumnElement[bool] = table.c.id != select(func.max(table.c.id)).scalar_subquery()
    return is_not_last


def _is_done() -> ColumnElement[bool]:
    return and_(deliveries.c.state.not_in(UNSENT_STATES), _is_not_last(deliveries))


def _is_unneeded() -> ColumnElement[bool]:
    """Build the condition that an edition is not needed for a delivery, a feed, or as the last one of its digest.

    An edition whose window reaches beyond its digest's ``from_seq`` is needed as well: it prevents what it
    reported from being reported again. A digest without a ``from_seq`` continues at its slot's cursor, where
    all windows end at the latest.
    """
    later = editions.alias("later")
    has_later = exists().where(
        later.c.digest_id == editions.c.digest_id, later.c.id > editions.c.id, later.c.skipped == ""
    )
    is_feed = exists().where(digests.c.id == editions.c.digest_id, digests.c.feed, digests.c.state != ENDED)
    own_run = runs.alias("own_run")
    is_reopened = exists().where(
        own_run.c.id == editions.c.run_id,
        digests.c.id == editions.c.digest_id,
        digests.c.state != ENDED,
        own_run.c.to_seq > digests.c.from_seq,
    )
    is_superseded = and_(not_(is_feed), not_(is_reopened), has_later)
    has_pending = exists().where(deliveries.c.edition_id == editions.c.id, not_(_is_done()))
    return and_(_is_not_last(editions), not_(has_pending), or_(editions.c.skipped != "", is_superseded))


def _is_replaced_run() -> ColumnElement[bool]:
    """Build the condition that the slot has closed a later run; the next run takes its batches from that one."""
    later = runs.alias("later")
    return exists().where(
        later.c.slot_id == runs.c.slot_id,
        later.c.fire_at > runs.c.fire_at,
        later.c.state.in_(_STATES_WITH_WINDOW),
    )


def _is_unneeded_run() -> ColumnElement[bool]:
    """Build the condition that no later run depends on a run without editions."""
    return and_(or_(_is_replaced_run(), _is_last_of_single()), _is_not_last(runs))


def _is_last_of_single() -> ColumnElement[bool]:
    """Build the condition that a run was that of a slot for one edition whose digests have all moved on.

    Such a slot never fires again, and goes with its run. There is one for each minute in which readers signed up.
    """
    return exists().where(slots.c.id == runs.c.slot_id, *_list_abandoned_conditions())


def _list_abandoned_conditions() -> tuple[ColumnElement[bool], ...]:
    """Build the conditions that a slot for one edition has fired, and that no digest is in it or moves to it."""
    has_digests = or_(
        exists().where(digests.c.slot_id == slots.c.id), exists().where(digests.c.next_slot_id == slots.c.id)
    )
    return (
        slots.c.frequency == Frequency.ONCE.value,
        slots.c.last_period != "",
        _is_not_last(slots),
        not_(has_digests),
    )


# --- counts ---------------------------------------------------------------------------------------


def count_old_rows(tx: Transaction, before: datetime) -> tuple[RemovedRows, ...]:
    """Count the rows that would be removed of the runs that fired before an instant."""
    old_run_ids = select(runs.c.id).where(_is_old(before))
    edition_ids = select(editions.c.id).where(editions.c.run_id.in_(old_run_ids))
    is_needed = exists().where(editions.c.run_id == runs.c.id, not_(_is_unneeded()))
    is_over = and_(_is_old(before), _is_unneeded_run(), not_(is_needed))
    slots_of_removed = slots.c.id.in_(select(runs.c.slot_id).where(is_over))
    statements: dict[str, Select[Any]] = {
        "deliveries": _select_count(deliveries, deliveries.c.edition_id.in_(edition_ids), _is_done()),
        "editions": _select_count(editions, editions.c.run_id.in_(old_run_ids), _is_unneeded()),
        "runs": _select_count(runs, is_over),
        "slots": _select_count(slots, slots_of_removed, *_list_abandoned_conditions()),
    }
    return tuple(
        RemovedRows(table=name, rows=tx.execute(statement).scalar_one())
        for name, statement in statements.items()
    )


def _select_count(table: Table, *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(func.count()).select_from(table).where(*conditions)


# --- removal --------------------------------------------------------------------------------------


def remove_part_of_run(tx: Transaction, run_id: int, before: datetime, after_digest: int) -> RunStep:
    """Remove deliveries and editions of the next digests of an old run, or the run itself after the last digest.

    The slot of a single edition goes with its run. Many processes may do this at the same time.

    Args:
        tx: a writing transaction that has locked nothing.
        run_id: one of ``list_old_runs``.
        before: the instant before which it fired.
        after_digest: ``last_digest`` of the step before; 0 for the first one.
    """
    note_removed(tx, EDITIONS_NOTE, before)
    next_digests = (
        select(editions.c.digest_id)
        .where(editions.c.run_id == run_id, editions.c.digest_id > after_digest)
        .order_by(editions.c.digest_id)
        .limit(EDITIONS_PER_STEP)
    )
    digest_ids = tx.execute(next_digests).scalars().all()
    if not digest_ids:
        return RunStep(removed=tuple(_iter_removed(_remove_run(tx, run_id))), last_digest=None)
    is_in_part = (editions.c.run_id == run_id) & editions.c.digest_id.between(digest_ids[0], digest_ids[-1])
    _lock_digests(tx, is_in_part)
    removed = (_remove_deliveries(tx, is_in_part), _remove_editions(tx, is_in_part))
    return RunStep(removed=tuple(_iter_removed(removed)), last_digest=digest_ids[-1])


def _iter_removed(removed: Sequence[RemovedRows]) -> Iterator[RemovedRows]:
    return (entry for entry in removed if entry.rows)


def _lock_digests(tx: Transaction, is_in_part: ColumnElement[bool]) -> None:
    """Lock digests before their editions, as everybody does, so that what is needed of them does not change."""
    if has_row_locks(tx):
        digest_ids = select(editions.c.digest_id).where(is_in_part)
        statement = select(digests.c.id).where(digests.c.id.in_(digest_ids)).order_by(digests.c.id)
        with measure_wait(LockKind.DIGESTS):
            tx.execute(statement.with_for_update(key_share=True, of=digests)).all()


def _remove_deliveries(tx: Transaction, is_in_part: ColumnElement[bool]) -> RemovedRows:
    edition_ids = select(editions.c.id).where(is_in_part)
    is_removed = deliveries.c.edition_id.in_(edition_ids) & _is_done()
    tx.execute(
        delete(partly_sent).where(exists().where(deliveries.c.id == partly_sent.c.delivery_id, is_removed))
    )
    removed, _ = delete_rows(tx, deliveries, is_removed)
    return removed


def _remove_editions(tx: Transaction, is_in_part: ColumnElement[bool]) -> RemovedRows:
    is_removed = is_in_part & _is_unneeded()
    tx.execute(
        delete(edition_changes).where(
            exists().where(editions.c.id == edition_changes.c.edition_id, is_removed)
        )
    )
    removed, rows = delete_rows(tx, editions, is_removed, editions.c.digest_id, editions.c.skipped)
    # Archives are numbered from a digest's first edition.
    counted_ids = [row.digest_id for row in rows if not row.skipped]
    if counted_ids:
        execute_raw(tx, _build_count_update(), {"numbers": to_in_param(tx, counted_ids)})
    return removed


@cache
def _build_count_update() -> Update:
    count = digests.c.pruned_editions + literal_column("1")
    return update(digests).where(make_in_condition(digests.c.id, "numbers")).values(pruned_editions=count)


def _remove_run(tx: Transaction, run_id: int) -> tuple[RemovedRows, ...]:
    """Remove a run without editions, and the slot of a single edition, unless a later run depends on them."""
    slot = tx.execute(select(runs.c.slot_id).where(runs.c.id == run_id)).scalar()
    if slot is None:
        return ()
    lock_slots(tx, [slot], is_exclusive=True)
    is_empty = not_(exists().where(editions.c.run_id == runs.c.id))
    is_removable = and_(runs.c.id == run_id, _is_unneeded_run(), is_empty)
    if tx.execute(select(runs.c.id).where(is_removable)).first() is None:
        return ()
    for table in (run_batches, shards):
        tx.execute(delete(table).where(table.c.run_id == run_id))
    removed_run, _ = delete_rows(tx, runs, runs.c.id == run_id)
    has_run = exists().where(runs.c.slot_id == slots.c.id)
    removed_slot, _ = delete_rows(
        tx, slots, and_(slots.c.id == slot, ~has_run, *_list_abandoned_conditions())
    )
    return removed_run, removed_slot
