"""Old listings: those of announcement days before the retention period from which nothing is computed any more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from sqlalchemy import ColumnElement, and_, exists, func, not_, or_, select

from digest.model import EventKind, ListingKind
from digest.store.database.content_version import note_content_change
from digest.store.database.engine import Transaction
from digest.store.database.retention import LISTINGS_NOTE, note_removed
from digest.store.database.tables.papers import batches, events, listings, sections
from digest.store.operations.pruning.removed_rows import RemovedRows, delete_rows

_REPLACED = (ListingKind.REPLACE.value, ListingKind.REPLACE_CROSS.value)


def list_old_batches(tx: Transaction, before: date, since: date | None = None) -> Sequence[int]:
    """Return the batches of announcement days before a day of which listings can be removed, oldest first.

    Args:
        tx: a transaction.
        before: the day.
        since: skip batches of earlier days, which were examined before; None to examine all.
    """
    # Batches without any are left out: whoever stops after some hundred would never come to later ones.
    has_removable = exists().where(listings.c.batch_id == batches.c.id, _is_unneeded())
    conditions = [_is_old_batch(before), has_removable, *([batches.c.day >= since] if since else [])]
    return (
        tx.execute(select(batches.c.id).where(*conditions).order_by(batches.c.day, batches.c.id))
        .scalars()
        .all()
    )


def _is_old_batch(before: date) -> ColumnElement[bool]:
    # A feed without announcement days may show an entry for years, and only its listing shows that it is not new.
    is_accounted = exists().where(
        sections.c.source == batches.c.source,
        sections.c.section == batches.c.section,
        sections.c.accounted,
    )
    return and_(batches.c.day < before, is_accounted)


def _is_unneeded() -> ColumnElement[bool]:
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


def count_old_listings(tx: Transaction, before: date) -> RemovedRows:
    """Count the listings that would be removed."""
    batch_ids = select(batches.c.id).where(_is_old_batch(before))
    is_removed = listings.c.batch_id.in_(batch_ids) & _is_unneeded()
    count = select(func.count()).select_from(listings).where(is_removed)
    return RemovedRows(table=listings.name, rows=tx.execute(count).scalar_one())


def remove_listings(tx: Transaction, batch_ids: Sequence[int], before: date) -> RemovedRows:
    """Remove the listings of a few old batches that nothing depends on.

    Args:
        tx: a transaction of ``Store.begin_ingest``.
        batch_ids: some of ``list_old_batches``.
        before: the day before which they were announced.
    """
    note_removed(tx, LISTINGS_NOTE, datetime(before.year, before.month, before.day, tzinfo=UTC))
    removed, _ = delete_rows(tx, listings, listings.c.batch_id.in_(batch_ids) & _is_unneeded())
    if removed.rows:
        note_content_change(tx)
    return removed
