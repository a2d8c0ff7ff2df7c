"""What is older than the store is to keep: which rows these are, and their removal in small steps.

What a later decision depends on stays, however old it is: what waits to be sent, the last run of each slot, the last
edition of each digest, those in whose windows something still waits to be told, all editions of digests that are feeds
(their archives never change), and listings from which versions are counted. The last row of each table stays, for a database may give its number once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, delete, exists, func, not_, or_, select, update

from digest.model import EventKind, ListingKind, RunState
from digest.store.database.dialect import size_of_rows
from digest.store.database.digest_tables import (
    deliveries,
    digests,
    editions,
    partly_sent,
    run_batches,
    runs,
    shards,
)
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import batches, events, listings, sections
from digest.store.database.retention import EDITIONS, LISTINGS, note_removed
from digest.store.subscribers.digests import ENDED

MOST = 500
"""Rows of a table that a step removes."""
_PENDING = ("ready", "leased", "held")
_OVER = (RunState.COMPOSED.value, RunState.MERGED.value)
_WINDOWED = (RunState.CLOSED.value, RunState.COMPOSED.value)
_REPLACED = (ListingKind.REPLACE.value, ListingKind.REPLACE_CROSS.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """Rows that a step removed.

    Attributes:
        table: from which.
        rows: how many.
        size: their bytes, where the database tells; 0 where it only tells which pages have become free.
    """

    table: str
    rows: int
    size: int = 0


# --- which rows are old ---------------------------------------------------------------------------


def old_runs(tx: Transaction, before: datetime, since: datetime | None = None) -> Sequence[int]:
    """The runs that fired before an instant, are over, and have made anything that can go; the oldest first.

    Args:
        tx: a transaction.
        before: the instant.
        since: those that fired earlier have been looked at; None to look at all.
    """
    chosen = [_is_old(before), _has_removable(), *([runs.c.fire_at >= since] if since else [])]
    return tx.execute(select(runs.c.id).where(*chosen).order_by(runs.c.fire_at, runs.c.id)).scalars().all()


def old_batches(tx: Transaction, before: date, since: date | None = None) -> Sequence[int]:
    """The announcement days before a day whose listings are not all needed, the oldest first."""
    chosen = [_is_old_batch(before), *([batches.c.day >= since] if since else [])]
    return (
        tx.execute(select(batches.c.id).where(*chosen).order_by(batches.c.day, batches.c.id)).scalars().all()
    )


def _has_removable() -> ColumnElement[bool]:
    """Whether anything that a run made can go, or the run itself: others would cost a transaction each, again and again."""
    mine = editions.c.run_id == runs.c.id
    has_done = exists().where(mine, deliveries.c.edition_id == editions.c.id, _is_done())
    is_over = and_(_is_replaced_run(), runs.c.id < _last(runs), not_(exists().where(mine)))
    return or_(has_done, exists().where(mine, _is_unneeded()), is_over)


def _is_old(before: datetime) -> ColumnElement[bool]:
    return and_(runs.c.fire_at < before, runs.c.state.in_(_OVER))


def _is_old_batch(before: date) -> ColumnElement[bool]:
    # A feed without announcement days may show an entry for years: that it was listed is known from its listing.
    accounted = exists().where(
        sections.c.source == batches.c.source,
        sections.c.section == batches.c.section,
        sections.c.accounted,
    )
    return and_(batches.c.day < before, accounted)


def _last(table: Table) -> Any:
    return select(func.max(table.c.id)).scalar_subquery()


def _is_done(delivery: Any = deliveries) -> ColumnElement[bool]:
    return and_(delivery.c.state.not_in(_PENDING), delivery.c.id < _last(deliveries))


def _is_unneeded() -> ColumnElement[bool]:
    """Whether an edition is needed neither for a delivery, nor for a feed, nor as its digest's last one.

    One whose window reaches behind its digest's own place says what was told there: without it, that is told again. A
    digest without such a place goes on from its slot's cursor, behind which no window reaches.
    """
    later = editions.alias("later")
    has_later = exists().where(
        later.c.digest_id == editions.c.digest_id, later.c.id > editions.c.id, later.c.skipped == ""
    )
    is_feed = exists().where(digests.c.id == editions.c.digest_id, digests.c.feed, digests.c.state != ENDED)
    own = runs.alias("own_run")
    reopened = exists().where(
        own.c.id == editions.c.run_id,
        digests.c.id == editions.c.digest_id,
        digests.c.state != ENDED,
        own.c.to_seq > digests.c.from_seq,
    )
    is_told = and_(not_(is_feed), not_(reopened), has_later)
    waiting = exists().where(deliveries.c.edition_id == editions.c.id, not_(_is_done()))
    last = editions.c.id < _last(editions)
    return and_(last, not_(waiting), or_(editions.c.skipped != "", is_told))


def _is_replaced_run() -> ColumnElement[bool]:
    """Whether a slot has closed a later run: the next one waits for what is due since the last of these."""
    later = runs.alias("later")
    return exists().where(
        later.c.slot_id == runs.c.slot_id, later.c.fire_at > runs.c.fire_at, later.c.state.in_(_WINDOWED)
    )


def _is_unneeded_listing() -> ColumnElement[bool]:
    """Whether neither the number of a version nor the words about what has grown are worked out from a listing."""
    own, later, day = batches.alias("own"), listings.alias("later"), batches.alias("later_day")
    is_counted = exists().where(
        own.c.id == listings.c.batch_id,
        later.c.paper_id == listings.c.paper_id,
        later.c.kind.in_(_REPLACED),
        later.c.version > 0,
        day.c.id == later.c.batch_id,
        day.c.source == own.c.source,
        day.c.day > own.c.day,
    )
    told = exists().where(
        own.c.id == listings.c.batch_id,
        events.c.paper_id == listings.c.paper_id,
        events.c.kind == EventKind.GROWN.value,
        events.c.source == own.c.source,
        events.c.day == own.c.day,
    )
    is_replacement, is_cross = listings.c.kind.in_(_REPLACED), listings.c.kind == ListingKind.CROSS.value
    return and_(or_(not_(is_replacement), is_counted), not_(and_(is_cross, told)))


# --- how many there are ---------------------------------------------------------------------------


def count_old(tx: Transaction, before: datetime) -> tuple[Removed, ...]:
    """How many rows would be removed."""
    old = select(runs.c.id).where(_is_old(before))
    of_runs = select(editions.c.id).where(editions.c.run_id.in_(old))
    days = select(batches.c.id).where(_is_old_batch(_day(before)))
    needed = exists().where(editions.c.run_id == runs.c.id, not_(_is_unneeded()))
    counted: dict[str, Select[Any]] = {
        "deliveries": _count(deliveries, deliveries.c.edition_id.in_(of_runs), _is_done()),
        "editions": _count(editions, editions.c.run_id.in_(old), _is_unneeded()),
        "runs": _count(runs, _is_old(before), _is_replaced_run(), runs.c.id < _last(runs), not_(needed)),
        "listings": _count(listings, listings.c.batch_id.in_(days), _is_unneeded_listing()),
    }
    return tuple(
        Removed(table=name, rows=tx.execute(statement).scalar_one()) for name, statement in counted.items()
    )


def _count(table: Table, *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(func.count()).select_from(table).where(*conditions)


# --- removal --------------------------------------------------------------------------------------


def remove_of_run(tx: Transaction, run: int, before: datetime) -> tuple[Removed, ...]:
    """Remove some of what an old run made, or at last the run itself.

    Args:
        tx: a writing transaction.
        run: one of ``old_runs``.
        before: the instant before which it fired.

    Returns:
        What was removed; nothing where the rest stays.
    """
    note_removed(tx, EDITIONS, before)
    mine = select(editions.c.id).where(editions.c.run_id == run)
    done = _some(tx, deliveries, deliveries.c.edition_id.in_(mine), _is_done())
    if done:
        tx.execute(delete(partly_sent).where(partly_sent.c.delivery_id.in_(done)))
        return (_remove(tx, deliveries, done),)
    unneeded = _some(tx, editions, editions.c.run_id == run, _is_unneeded())
    if unneeded:
        _count_pruned(tx, unneeded)
        return (_remove(tx, editions, unneeded),)
    is_empty = not_(exists().where(editions.c.run_id == runs.c.id))
    this = _some(tx, runs, runs.c.id == run, _is_replaced_run(), runs.c.id < _last(runs), is_empty)
    for table in (run_batches, shards) if this else ():
        tx.execute(delete(table).where(table.c.run_id == run))
    return (_remove(tx, runs, this),) if this else ()


def remove_listings(tx: Transaction, days: Sequence[int], before: date) -> tuple[Removed, ...]:
    """Remove the listings of a few old announcement days that nothing is worked out from.

    Args:
        tx: a keeping transaction.
        days: some of ``old_batches``.
        before: the day before which they were.
    """
    note_removed(tx, LISTINGS, datetime(before.year, before.month, before.day, tzinfo=UTC))
    chosen = and_(listings.c.batch_id.in_(days), _is_unneeded_listing())
    size = size_of_rows(tx, listings, chosen)
    rows = tx.execute(delete(listings).where(chosen)).rowcount
    return (Removed(table=listings.name, rows=rows, size=size),) if rows else ()


def _some(tx: Transaction, table: Table, *conditions: ColumnElement[bool]) -> Sequence[int]:
    return tx.execute(select(table.c.id).where(*conditions).limit(MOST)).scalars().all()


def _remove(tx: Transaction, table: Table, numbers: Sequence[int]) -> Removed:
    these = table.c.id.in_(numbers)
    size = size_of_rows(tx, table, these)
    tx.execute(delete(table).where(these))
    return Removed(table=table.name, rows=len(numbers), size=size)


def _count_pruned(tx: Transaction, numbers: Sequence[int]) -> None:
    """Count the editions that a digest has had: archives are numbered from its first one."""
    made = select(editions.c.digest_id, func.count().label("rows")).where(
        editions.c.id.in_(numbers), editions.c.skipped == ""
    )
    for row in tx.execute(made.group_by(editions.c.digest_id)).all():
        total = digests.c.pruned_editions + row.rows
        tx.execute(update(digests).where(digests.c.id == row.digest_id).values(pruned_editions=total))


def _day(before: datetime) -> date:
    return before.astimezone(UTC).date()


def summed(removed: Iterable[Removed]) -> tuple[Removed, ...]:
    """What was removed, by table."""
    rows: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for one in removed:
        rows[one.table] = rows.get(one.table, 0) + one.rows
        sizes[one.table] = sizes.get(one.table, 0) + one.size
    return tuple(Removed(table=table, rows=count, size=sizes[table]) for table, count in rows.items())
