"""What has grown: in which categories a paper was newly listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import select

from digest.model import Event, EventKind, ListingKind
from digest.store.database.dialect import all_as_kept, among, rows_as_kept
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import batches, events, listings


def with_growth(tx: Transaction, known: Mapping[int, Event]) -> dict[int, Event]:
    """Events, those that tell of growth with the categories whose listings on that day brought it."""
    grown = [seq for seq, event in known.items() if event.kind is EventKind.GROWN]
    if not grown:
        return dict(known)
    found: dict[int, list[str]] = defaultdict(list)
    for seq, section in rows_as_kept(tx, _LISTED, {"seqs": all_as_kept(tx, grown)}):
        if section in known[seq].paper.categories:  # else it is an archive, or came to nothing
            found[seq].append(section)
    return {**known, **{seq: replace(known[seq], newly=tuple(names)) for seq, names in found.items()}}


_LISTED = (
    select(events.c.seq, batches.c.section)
    .join(listings, listings.c.paper_id == events.c.paper_id)
    .join(batches, batches.c.id == listings.c.batch_id)
    .where(
        among(events.c.seq, "seqs"),
        listings.c.kind == ListingKind.CROSS.value,
        batches.c.source == events.c.source,
        batches.c.day == events.c.day,
    )
    .order_by(events.c.seq, batches.c.section)
)
