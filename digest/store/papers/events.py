"""Events: numbered in commit order without gaps, and loaded with their merged papers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Row, and_, case, exists, func, select, update

from digest.core.fetching.repeated_days import ShownListing, group_by_kind
from digest.core.papers.news import (
    PastEvent,
    create_growth_events,
    create_listing_event,
    find_announced_number,
    get_event_kind,
    make_placeholder_number,
)
from digest.model import Batch, Event, EventKind, Listing, ListingKind, PaperKey
from digest.store.database.bulk import insert_bulk
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import (
    fetch_raw_rows,
    get_day_reader,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.retention import read_listings_start
from digest.store.database.tables.digests import counters
from digest.store.database.tables.papers import authorships, batches, events, listings, sections
from digest.store.database.tables.papers import papers as paper_rows
from digest.store.papers import papers
from digest.store.papers.papers import PaperChange


def make_events(
    tx: Transaction,
    source: str,
    day: date,
    changes: Mapping[PaperKey, PaperChange],
    announced: Sequence[Listing],
    *,
    cited: Collection[str] = (),
) -> int:
    """Derive, number and store the events of papers; the counter of events stays locked until the commit.

    Args:
        tx: a writing transaction.
        source: the source of the listings.
        day: the announcement day.
        changes: the papers before and after.
        announced: the listings that may make events, in the order printed, which is also the order of the
            events.
        cited: keys of papers that ``cites:`` in a follow names.

    Returns:
        The number of events.
    """
    last_seq = _lock_counter(tx)
    past = load_past(tx, {key: change.number for key, change in changes.items()})
    _correct_numbers(tx, day, changes, announced, past)
    rows = [
        (changes[key].number, event.kind.value, event.number, event.day.isoformat(), source, is_first)
        for key, event, is_first in _derive_events(day, changes, announced, past, cited)
    ]
    _insert_events(tx, last_seq, rows)
    return len(rows)


def make_trending_events(tx: Transaction, day: date, trending: Mapping[int, str]) -> int:
    """Number and store the events of trending papers: each paper has one at most, and a withdrawn one has none.

    Args:
        tx: a transaction of ``Store.begin_ingest``.
        day: the day of the votes.
        trending: by the number of an event of each paper, the source that counts its votes; most votes first.

    Returns:
        The number of events.
    """
    last_seq = _lock_counter(tx)
    of_papers = select(events.c.seq, events.c.paper_id).where(events.c.seq.in_(trending))
    numbers: dict[int, int] = dict(map(tuple, tx.execute(of_papers)))
    keys, loaded = papers.load_keys(tx, numbers.values()), papers.load_papers(tx, numbers.values())
    past = load_past(tx, {key: number for number, key in keys.items()})
    kind = EventKind.TRENDING
    rows = [
        (number, kind.value, 0, day.isoformat(), source, False)
        for seq, source in trending.items()
        if (number := numbers.get(seq)) is not None
        and not loaded[number].withdrawn
        and all(past_event.kind is not kind for past_event in past[keys[number]])
    ]
    _insert_events(tx, last_seq, rows)
    papers.refresh_announcements(tx, [row[0] for row in rows])
    return len(rows)


def _lock_counter(tx: Transaction) -> int:
    """Lock the counter of events until the commit, and return the last seq."""
    statement = select(counters.c.value).where(counters.c.name == "event").with_for_update()
    last_seq: int = tx.execute(statement).scalar_one()
    return last_seq


def _insert_events(tx: Transaction, last_seq: int, rows: Sequence[tuple[Any, ...]]) -> None:
    """Store events under the numbers after the last seq; a row has the other columns."""
    if rows:
        numbered = [(seq, *row) for seq, row in enumerate(rows, start=last_seq + 1)]
        # A plain insert, because a seq that exists is an error and must not be skipped.
        insert_bulk(tx, events, _EVENT_COLUMNS, numbered)
        tx.execute(update(counters).where(counters.c.name == "event").values(value=last_seq + len(rows)))
        note_content_change(tx)


_EVENT_COLUMNS = ("seq", "paper_id", "kind", "number", "day", "source", "first")


def _correct_numbers(
    tx: Transaction,
    day: date,
    changes: Mapping[PaperKey, PaperChange],
    announced: Sequence[Listing],
    past: Mapping[PaperKey, Sequence[PastEvent]],
) -> None:
    """Replace the placeholder numbers of a day's version events by versions that have become known."""
    for listing in announced:
        key = listing.paper.key
        number = find_announced_number(listing.kind, listing.version, day, past[key])
        if number:
            members = papers.load_groups(tx, [changes[key].number])[changes[key].number]
            is_placeholder = (events.c.kind == EventKind.VERSION.value) & (
                events.c.number == make_placeholder_number(day)
            )
            is_placeholder &= events.c.paper_id.in_(members)
            if tx.execute(update(events).where(is_placeholder).values(number=number)).rowcount:
                note_content_change(tx)


def _derive_events(
    day: date,
    changes: Mapping[PaperKey, PaperChange],
    announced: Sequence[Listing],
    past: Mapping[PaperKey, Sequence[PastEvent]],
    cited: Collection[str],
) -> list[tuple[PaperKey, PastEvent, bool]]:
    """Return the events, each with its paper, and whether it is the paper's first one."""
    events_by_paper: dict[PaperKey, list[PastEvent]] = {}
    for key, change in changes.items():  # merged papers share their events
        events_by_paper.setdefault(change.after.key, list(past[key]))
    new_events: list[tuple[PaperKey, PastEvent, bool]] = []

    def add_event(key: PaperKey, event: PastEvent) -> None:
        paper_events = events_by_paper[changes[key].after.key]
        new_events.append((key, event, not paper_events))
        paper_events.append(event)

    for listing in announced:
        change = changes[listing.paper.key]
        paper_events = events_by_paper[change.after.key]
        event = create_listing_event(listing.kind, listing.version, day, change.after, paper_events)
        if event:
            add_event(listing.paper.key, event)
    for key, change in changes.items():
        if change.before == change.after:
            continue
        for event in create_growth_events(change.before, change.after, day, past[key], cited):
            if all(
                (event.kind, event.number) != (other.kind, other.number)
                for other in events_by_paper[change.after.key]
            ):
                add_event(key, event)
    return new_events


def move_to_day(tx: Transaction, batch: Batch, misdated: AbstractSet[ShownListing], day: date) -> None:
    """Change the day of the events of misdated listings.

    Args:
        tx: a writing transaction.
        batch: the batch that had the listings, and the day of the events.
        misdated: the listings that belong to another day.
        day: their own day.
    """
    _set_day(tx, batch, misdated, day, lambda present_day: present_day == batch.day)


def set_day_of_listed(tx: Transaction, batch: Batch, listed: AbstractSet[ShownListing]) -> None:
    """Set events to the day whose listings announce them, if their present day has no such listing.

    Args:
        tx: a writing transaction.
        batch: the batch of the day.
        listed: the listings of the day.
    """
    _set_day(tx, batch, listed, batch.day, lambda present_day: present_day != batch.day)


def _set_day(
    tx: Transaction,
    batch: Batch,
    listed: AbstractSet[ShownListing],
    day: date,
    is_elsewhere: Callable[[ColumnElement[date]], ColumnElement[bool]],
) -> None:
    """Set the day of the events of listings, except where any section has such a listing on the event's present day.

    Events whose present day may have lost listings to pruning are not changed, either.
    """
    since = read_listings_start(tx) or date.min
    moved_ids: set[int] = set()
    for kind, keys in group_by_kind(listed).items():
        if get_event_kind(kind) not in {EventKind.NEW, EventKind.VERSION}:
            continue
        is_misdated = partial(_is_misdated, batch.source, get_event_kind(kind), is_elsewhere, since)
        for chunk in split_into_chunks(sorted(keys)):
            paper_ids = select(paper_rows.c.id).where(paper_rows.c.key.in_(chunk))
            condition = events.c.paper_id.in_(paper_ids) & is_misdated(events)
            statement = update(events).where(condition)
            statement = statement.values(day=day, number=_compute_number(day, is_misdated))
            moved_ids.update(tx.execute(statement.returning(events.c.paper_id)).scalars())
    papers.refresh_announcements(tx, moved_ids)
    if moved_ids:
        note_content_change(tx)


def _is_misdated(
    source: str,
    kind: EventKind,
    is_elsewhere: Callable[[ColumnElement[date]], ColumnElement[bool]],
    since: date,
    table: FromClause,
) -> ColumnElement[bool]:
    """Build the condition that no listing on an event's day announces it."""
    condition = and_(
        table.c.kind == kind.value,
        table.c.source == source,
        is_elsewhere(table.c.day),
        table.c.day >= since,
    )
    return condition & ~_is_listed_on_its_day(table, kind)


def _is_listed_on_its_day(table: FromClause, kind: EventKind) -> ColumnElement[bool]:
    """Build the condition that any section has a listing that announces the event on its day."""
    kinds = [listing_kind.value for listing_kind in ListingKind if get_event_kind(listing_kind) is kind]
    return exists().where(
        batches.c.id == listings.c.batch_id,
        batches.c.source == table.c.source,
        batches.c.day == table.c.day,
        listings.c.paper_id == table.c.paper_id,
        listings.c.kind.in_(kinds),
    )


def _compute_number(
    day: date, is_misdated: Callable[[FromClause], ColumnElement[bool]]
) -> ColumnElement[int]:
    """Build the number of an event after a change of its day: placeholders name the day, but must be unique.

    If the paper has the placeholder of that day already, the number stays. If several events with
    placeholders move there, the first one gets it.
    """
    other, earlier = events.alias(), events.alias()
    is_taken = exists().where(_is_same(other), other.c.number == make_placeholder_number(day))
    is_first = ~exists().where(
        _is_same(earlier), earlier.c.number < 0, earlier.c.seq < events.c.seq, is_misdated(earlier)
    )
    return case(
        ((events.c.number < 0) & ~is_taken & is_first, make_placeholder_number(day)), else_=events.c.number
    )


def _is_same(other: FromClause) -> ColumnElement[bool]:
    """Build the condition that another event has the same paper and kind."""
    return and_(other.c.paper_id == events.c.paper_id, other.c.kind == events.c.kind)


def load_past(tx: Transaction, paper_ids: Mapping[PaperKey, int]) -> dict[PaperKey, tuple[PastEvent, ...]]:
    """Return the events of papers and of all papers merged with them, by key."""
    groups = papers.load_groups(tx, paper_ids.values())
    past_by_paper: dict[int, list[PastEvent]] = defaultdict(list)
    members = to_in_param(tx, {member for group in groups.values() for member in group})
    read_day = get_day_reader(tx)
    for paper, kind, number, day in fetch_raw_rows(tx, _SELECT_PAST, {"numbers": members}):
        past_by_paper[paper].append(PastEvent(EventKind(kind), number, read_day(day)))
    return {
        key: tuple([event for member in sorted(groups[number]) for event in past_by_paper.get(member, ())])
        for key, number in paper_ids.items()
    }


_SELECT_PAST = (
    select(events.c.paper_id, events.c.kind, events.c.number, events.c.day)
    .where(make_in_condition(events.c.paper_id, "numbers"))
    .order_by(events.c.seq)
)


# --- reading --------------------------------------------------------------------------------------


def load_events_between(tx: Transaction, after: int, to_seq: int) -> tuple[Event, ...]:
    """Return the events after ``after`` and up to ``to_seq``, in order."""
    rows = tx.execute(select(events).where(events.c.seq > after, events.c.seq <= to_seq)).all()
    return _build_events(tx, rows)


def load_events_by_seq(tx: Transaction, seqs: Iterable[int]) -> dict[int, Event]:
    """Return events by ``seq``."""
    loaded: list[Event] = []
    for chunk in split_into_chunks(sorted(set(seqs))):
        loaded.extend(_build_events(tx, tx.execute(select(events).where(events.c.seq.in_(chunk))).all()))
    return {event.seq: event for event in loaded}


def load_events_of_papers(tx: Transaction, paper_ids: Iterable[int]) -> tuple[Event, ...]:
    """Return the events of papers, in order."""
    return _build_events(tx, tx.execute(select(events).where(events.c.paper_id.in_(sorted(paper_ids)))).all())


def list_signed_seqs(
    tx: Transaction, blocks: Collection[str], after: int, to_seq: int
) -> dict[str, set[int]]:
    """Return the seqs of the events in a range whose papers have bylines of some blocks, by block.

    The range begins after ``after`` and includes ``to_seq``.
    """
    root = func.coalesce(paper_rows.c.merged_into, paper_rows.c.id)
    statement = select(events.c.seq, authorships.c.block)
    statement = statement.join(paper_rows, paper_rows.c.id == events.c.paper_id)
    statement = statement.join(authorships, authorships.c.paper_id == root)
    seqs_by_block: dict[str, set[int]] = defaultdict(set)
    for chunk in split_into_chunks(sorted(blocks)):
        conditions = authorships.c.block.in_(chunk), events.c.seq > after, events.c.seq <= to_seq
        for row in tx.execute(statement.where(*conditions)):
            seqs_by_block[row.block].add(row.seq)
    return seqs_by_block


def find_seq_before(tx: Transaction, day: date) -> int:
    """Return the seq just before the first event of a day or later; the last seq if there is no such event."""
    first_seq = tx.execute(select(func.min(events.c.seq)).where(events.c.day >= day)).scalar()
    if first_seq is not None:
        return int(first_seq) - 1
    last_seq: int = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
    return last_seq


def find_last_event_day(tx: Transaction, *, accounted: bool) -> date | None:
    """Return the day of the latest announcement; None if there is none.

    The days of trending events are no announcement days: people vote on weekends, too.

    Args:
        tx: a transaction.
        accounted: whether the events are from sources with announcement days, or from those without.
    """
    source_names = select(sections.c.source).where(sections.c.accounted == accounted)
    is_announcement = events.c.source.in_(source_names), events.c.kind != EventKind.TRENDING.value
    return tx.execute(select(func.max(events.c.day)).where(*is_announcement)).scalar()


def load_first_days(tx: Transaction, paper_ids: Iterable[int]) -> dict[int, date]:
    """Return the day of the first event of each paper; papers without events are omitted."""
    days: dict[int, date] = {}
    statement = select(events.c.paper_id, func.min(events.c.day).label("day")).group_by(events.c.paper_id)
    for chunk in split_into_chunks(sorted(paper_ids)):
        rows = tx.execute(statement.where(events.c.paper_id.in_(chunk)))
        days.update({row.paper_id: row.day for row in rows})
    return days


def _build_events(tx: Transaction, rows: Sequence[Row[Any]]) -> tuple[Event, ...]:
    groups = papers.load_groups(tx, {row.paper_id for row in rows})
    papers_by_id = papers.load_merged(tx, groups)
    return tuple(
        Event(
            seq=row.seq,
            kind=EventKind(row.kind),
            number=max(row.number, 0),  # a negative number is a placeholder
            day=row.day,
            source=row.source,
            # Of papers that were merged later, each may have a first event.
            first=row.first and len(groups[row.paper_id]) == 1,
            paper=papers_by_id[row.paper_id],
        )
        for row in sorted(rows, key=lambda row: int(row.seq))
    )
