"""Pruning: which rows are older than the retention period, and their removal in small steps.

Rows that a later decision depends on stay, however old they are: deliveries that are not finished, the last
run of each slot that has digests or may fire again, the last edition of each digest, editions whose window reaches beyond their digest's own
``from_seq``, all editions of digests with a feed (whose archives never change), and listings from which
versions are inferred. The last row of each table stays, because a database may assign its number again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, delete, exists, func, not_, or_, select, update

from digest.model import EventKind, Frequency, ListingKind, RunState
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import measure_rows
from digest.store.database.digest_tables import (
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
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import batches, events, listings, sections
from digest.store.database.retention import EDITIONS_NOTE, LISTINGS_NOTE, note_removed
from digest.store.subscribers.digests import ENDED

MAX_ROWS_PER_STEP = 500
"""Maximum number of rows of a table that one step removes."""
_PENDING = ("ready", "leased", "held")
_FINISHED_STATES = (RunState.COMPOSED.value, RunState.MERGED.value)
_STATES_WITH_WINDOW = (RunState.CLOSED.value, RunState.COMPOSED.value)
_REPLACED = (ListingKind.REPLACE.value, ListingKind.REPLACE_CROSS.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedRows:
    """Rows that a step removed.

    Attributes:
        table: the name of the table.
        rows: the number of rows.
        size: their size in bytes; 0 on SQLite, which only counts free pages.
    """

    table: str
    rows: int
    size: int = 0


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


def list_old_batches(tx: Transaction, before: date, since: date | None = None) -> Sequence[int]:
    """Return the batches of sections with announcement days before a day, oldest first.

    Args:
        tx: a transaction.
        before: the day.
        since: skip batches of earlier days, which were examined before; None to examine all.
    """
    conditions = [_is_old_batch(before), *([batches.c.day >= since] if since else [])]
    return (
        tx.execute(select(batches.c.id).where(*conditions).order_by(batches.c.day, batches.c.id))
        .scalars()
        .all()
    )


def _has_removable() -> ColumnElement[bool]:
    """Build the condition that something of a run can be removed, to avoid a transaction for each run that has nothing."""
    is_of_run = editions.c.run_id == runs.c.id
    has_done = exists().where(is_of_run, deliveries.c.edition_id == editions.c.id, _is_done())
    is_over = and_(_is_unneeded_run(), not_(exists().where(is_of_run)))
    return or_(has_done, exists().where(is_of_run, _is_unneeded()), is_over)


def _is_old(before: datetime) -> ColumnElement[bool]:
    return and_(runs.c.fire_at < before, runs.c.state.in_(_FINISHED_STATES))


def _is_old_batch(before: date) -> ColumnElement[bool]:
    # A feed without announcement days may show an entry for years, and only its listing shows that it is not new.
    is_accounted = exists().where(
        sections.c.source == batches.c.source,
        sections.c.section == batches.c.section,
        sections.c.accounted,
    )
    return and_(batches.c.day < before, is_accounted)


def _select_last_id(table: Table) -> Any:
    return select(func.max(table.c.id)).scalar_subquery()


def _is_done(delivery: Any = deliveries) -> ColumnElement[bool]:
    return and_(delivery.c.state.not_in(_PENDING), delivery.c.id < _select_last_id(deliveries))


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
    is_not_last = editions.c.id < _select_last_id(editions)
    return and_(is_not_last, not_(has_pending), or_(editions.c.skipped != "", is_superseded))


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
    return and_(or_(_is_replaced_run(), _is_last_of_single()), runs.c.id < _select_last_id(runs))


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
        slots.c.id < _select_last_id(slots),
        not_(has_digests),
    )


def _is_unneeded_listing() -> ColumnElement[bool]:
    """Build the condition that a listing is needed neither to infer a version nor to describe a ``grown`` event."""
    own_batch, later_listing, later_batch = (
        batches.alias("own"),
        listings.alias("later"),
        batches.alias("later_day"),
    )
    is_counted = exists().where(
        own_batch.c.id == listings.c.batch_id,
        later_listing.c.paper_id == listings.c.paper_id,
        later_listing.c.kind.in_(_REPLACED),
        later_listing.c.version > 0,
        later_batch.c.id == later_listing.c.batch_id,
        later_batch.c.source == own_batch.c.source,
        later_batch.c.day > own_batch.c.day,
    )
    has_growth_event = exists().where(
        own_batch.c.id == listings.c.batch_id,
        events.c.paper_id == listings.c.paper_id,
        events.c.kind == EventKind.GROWN.value,
        events.c.source == own_batch.c.source,
        events.c.day == own_batch.c.day,
    )
    is_replacement, is_cross = listings.c.kind.in_(_REPLACED), listings.c.kind == ListingKind.CROSS.value
    return and_(or_(not_(is_replacement), is_counted), not_(and_(is_cross, has_growth_event)))


# --- counts ---------------------------------------------------------------------------------------


def count_old_rows(tx: Transaction, before: datetime) -> tuple[RemovedRows, ...]:
    """Count the rows that would be removed."""
    old_run_ids = select(runs.c.id).where(_is_old(before))
    edition_ids = select(editions.c.id).where(editions.c.run_id.in_(old_run_ids))
    batch_ids = select(batches.c.id).where(_is_old_batch(_to_day(before)))
    is_needed = exists().where(editions.c.run_id == runs.c.id, not_(_is_unneeded()))
    is_over = and_(_is_old(before), _is_unneeded_run(), not_(is_needed))
    slots_of_removed = slots.c.id.in_(select(runs.c.slot_id).where(is_over))
    statements: dict[str, Select[Any]] = {
        "deliveries": _select_count(deliveries, deliveries.c.edition_id.in_(edition_ids), _is_done()),
        "editions": _select_count(editions, editions.c.run_id.in_(old_run_ids), _is_unneeded()),
        "runs": _select_count(runs, is_over),
        "slots": _select_count(slots, slots_of_removed, *_list_abandoned_conditions()),
        "listings": _select_count(listings, listings.c.batch_id.in_(batch_ids), _is_unneeded_listing()),
    }
    return tuple(
        RemovedRows(table=name, rows=tx.execute(statement).scalar_one())
        for name, statement in statements.items()
    )


def _select_count(table: Table, *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(func.count()).select_from(table).where(*conditions)


# --- removal --------------------------------------------------------------------------------------


def remove_of_run(tx: Transaction, run_id: int, before: datetime) -> tuple[RemovedRows, ...]:
    """Remove one step's rows of an old run: its deliveries, then its editions, finally the run itself.

    The slot of a single edition goes with its run.

    Args:
        tx: a planning transaction.
        run_id: one of ``list_old_runs``.
        before: the instant before which it fired.

    Returns:
        The removed rows; empty if the rest of the run stays.
    """
    note_removed(tx, EDITIONS_NOTE, before)
    edition_ids = select(editions.c.id).where(editions.c.run_id == run_id)
    delivery_ids = _select_ids(tx, deliveries, deliveries.c.edition_id.in_(edition_ids), _is_done())
    if delivery_ids:
        tx.execute(delete(partly_sent).where(partly_sent.c.delivery_id.in_(delivery_ids)))
        return (_remove_rows(tx, deliveries, delivery_ids),)
    unneeded_ids = _select_ids(tx, editions, editions.c.run_id == run_id, _is_unneeded())
    if unneeded_ids:
        _count_pruned(tx, unneeded_ids)
        tx.execute(delete(edition_changes).where(edition_changes.c.edition_id.in_(unneeded_ids)))
        return (_remove_rows(tx, editions, unneeded_ids),)
    is_empty = not_(exists().where(editions.c.run_id == runs.c.id))
    run_ids = _select_ids(tx, runs, runs.c.id == run_id, _is_unneeded_run(), is_empty)
    return _remove_run(tx, run_id) if run_ids else ()


def _remove_run(tx: Transaction, run_id: int) -> tuple[RemovedRows, ...]:
    slot = tx.execute(select(runs.c.slot_id).where(runs.c.id == run_id)).scalar_one()
    for table in (run_batches, shards):
        tx.execute(delete(table).where(table.c.run_id == run_id))
    removed_run = _remove_rows(tx, runs, [run_id])
    has_run = exists().where(runs.c.slot_id == slots.c.id)
    slot_ids = _select_ids(tx, slots, slots.c.id == slot, ~has_run, *_list_abandoned_conditions())
    return (removed_run, _remove_rows(tx, slots, slot_ids)) if slot_ids else (removed_run,)


def remove_listings(tx: Transaction, batch_ids: Sequence[int], before: date) -> tuple[RemovedRows, ...]:
    """Remove the listings of a few old batches that nothing depends on.

    Args:
        tx: a transaction of ``Store.begin_ingest``.
        batch_ids: some of ``list_old_batches``.
        before: the day before which they were announced.
    """
    note_removed(tx, LISTINGS_NOTE, datetime(before.year, before.month, before.day, tzinfo=UTC))
    is_removable = and_(listings.c.batch_id.in_(batch_ids), _is_unneeded_listing())
    size = measure_rows(tx, listings, is_removable)
    rows = tx.execute(delete(listings).where(is_removable)).rowcount
    if rows:
        note_content_change(tx)
    return (RemovedRows(table=listings.name, rows=rows, size=size),) if rows else ()


def _select_ids(tx: Transaction, table: Table, *conditions: ColumnElement[bool]) -> Sequence[int]:
    return tx.execute(select(table.c.id).where(*conditions).limit(MAX_ROWS_PER_STEP)).scalars().all()


def _remove_rows(tx: Transaction, table: Table, row_ids: Sequence[int]) -> RemovedRows:
    is_removed = table.c.id.in_(row_ids)
    size = measure_rows(tx, table, is_removed)
    tx.execute(delete(table).where(is_removed))
    return RemovedRows(table=table.name, rows=len(row_ids), size=size)


def _count_pruned(tx: Transaction, edition_ids: Sequence[int]) -> None:
    """Count removed editions in their digests, because archives are numbered from a digest's first edition."""
    statement = select(editions.c.digest_id, func.count().label("rows")).where(
        editions.c.id.in_(edition_ids), editions.c.skipped == ""
    )
    # In the order of their numbers, in which everybody locks digests.
    for row in tx.execute(statement.group_by(editions.c.digest_id).order_by(editions.c.digest_id)).all():
        total = digests.c.pruned_editions + row.rows
        tx.execute(update(digests).where(digests.c.id == row.digest_id).values(pruned_editions=total))


def _to_day(before: datetime) -> date:
    return before.astimezone(UTC).date()


def sum_removed(removed: Iterable[RemovedRows]) -> tuple[RemovedRows, ...]:
    """Sum removed rows by table."""
    rows: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for step in removed:
        rows[step.table] = rows.get(step.table, 0) + step.rows
        sizes[step.table] = sizes.get(step.table, 0) + step.size
    return tuple(RemovedRows(table=table, rows=count, size=sizes[table]) for table, count in rows.items())
