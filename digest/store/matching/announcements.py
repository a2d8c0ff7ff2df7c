"""When and by whom papers were announced, for the index of papers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select

from digest.core.matching.event_queries import EventSummary
from digest.model import EventKind
from digest.store.database.dialect import fetch_raw_rows, get_day_reader, make_in_condition, to_in_param
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import batches, events, listings, papers, statements


class Announcement(NamedTuple):
    """When and by whom a paper was announced.

    Attributes:
        day: the day of its first event; if it has none, of its first listing; None if it has none either.
        events: its events, each kind and source once; if it has none, the sources that describe it.
    """

    day: date | None
    events: tuple[EventSummary, ...]


def load_announcements(tx: Transaction, roots: Collection[int]) -> dict[int, Announcement]:
    """Load the announcements of papers, including those of the papers merged with them, by root."""
    root_of = {root: root for root in roots}
    root_of |= dict(fetch_raw_rows(tx, _SELECT_MERGED, {"numbers": to_in_param(tx, roots)}))
    read_day = get_day_reader(tx)
    days: dict[int, date] = {}
    summaries: dict[int, set[EventSummary]] = defaultdict(set)
    for paper_id, kind, source, day in fetch_raw_rows(
        tx, _SELECT_EVENTS, {"numbers": to_in_param(tx, root_of)}
    ):
        root = root_of[paper_id]
        summaries[root].add(EventSummary(EventKind(kind), source))
        days[root] = min(days.get(root, date.max), read_day(day))
    imported = {number: root for number, root in root_of.items() if root not in summaries}
    if imported:
        days |= _load_first_listings(tx, imported)
        for paper_id, source in fetch_raw_rows(tx, _SELECT_SOURCES, {"numbers": to_in_param(tx, imported)}):
            summaries[imported[paper_id]].add(EventSummary(None, source))
    return {root: Announcement(days.get(root), tuple(sorted(summaries[root], key=str))) for root in roots}


def _load_first_listings(tx: Transaction, root_of: Mapping[int, int]) -> dict[int, date]:
    """Return the day of the first listing of papers, by root."""
    read_day = get_day_reader(tx)
    days: dict[int, date] = {}
    for paper_id, day in fetch_raw_rows(tx, _SELECT_LISTED, {"numbers": to_in_param(tx, root_of)}):
        root = root_of[paper_id]
        days[root] = min(days.get(root, date.max), read_day(day))
    return days


_SELECT_MERGED = select(papers.c.id, papers.c.merged_into).where(
    make_in_condition(papers.c.merged_into, "numbers")
)
_SELECT_EVENTS = (
    select(events.c.paper_id, events.c.kind, events.c.source, func.min(events.c.day))
    .where(make_in_condition(events.c.paper_id, "numbers"))
    .group_by(events.c.paper_id, events.c.kind, events.c.source)
)
_SELECT_LISTED = (
    select(listings.c.paper_id, func.min(batches.c.day))
    .join(batches, batches.c.id == listings.c.batch_id)
    .where(make_in_condition(listings.c.paper_id, "numbers"))
    .group_by(listings.c.paper_id)
)
_SELECT_SOURCES = (
    select(statements.c.paper_id, statements.c.source)
    .where(make_in_condition(statements.c.paper_id, "numbers"))
    .distinct()
)
