"""Growth of papers: categories in which they were newly listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import select

from digest.model import Event, EventKind, ListingKind
from digest.store.database.dialect import fetch_raw_rows, make_in_condition, to_in_param
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import batches, events, listings


def add_growth(tx: Transaction, loaded_events: Mapping[int, Event]) -> dict[int, Event]:
    """Add to ``grown`` events the categories in which their paper was newly listed on that day."""
    grown_seqs = [seq for seq, event in loaded_events.items() if event.kind is EventKind.GROWN]
    if not grown_seqs:
        return dict(loaded_events)
    sections_by_seq: dict[int, list[str]] = defaultdict(list)
    for seq, section in fetch_raw_rows(tx, _SELECT_LISTED, {"seqs": to_in_param(tx, grown_seqs)}):
        if (
            section in loaded_events[seq].paper.categories
        ):  # skips archives and categories that it no longer has
            sections_by_seq[seq].append(section)
    return {
        **loaded_events,
        **{
            seq: replace(loaded_events[seq], new_categories=tuple(names))
            for seq, names in sections_by_seq.items()
        },
    }


_SELECT_LISTED = (
    select(events.c.seq, batches.c.section)
    .join(listings, listings.c.paper_id == events.c.paper_id)
    .join(batches, batches.c.id == listings.c.batch_id)
    .where(
        make_in_condition(events.c.seq, "seqs"),
        listings.c.kind == ListingKind.CROSS.value,
        batches.c.source == events.c.source,
        batches.c.day == events.c.day,
    )
    .order_by(events.c.seq, batches.c.section)
)
