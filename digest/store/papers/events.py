"""Events: numbered in commit order without gaps, and read with the whole of their papers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Row, and_, case, exists, func, select, update

from digest.core.fetching.repeated_days import Shown, by_kind
from digest.core.papers.news import Past, event_kind, number_told, of_growth, of_listing, untold
from digest.model import Batch, Event, EventKind, Listing, ListingKind, PaperKey
from digest.store.database.dialect import all_as_kept, among, as_day, chunks, fill, rows_as_kept
from digest.store.database.digest_tables import counters
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import authorships, batches, events, listings, sections
from digest.store.database.paper_tables import papers as paper_rows
from digest.store.database.retention import listings_kept_since
from digest.store.papers import papers
from digest.store.papers.papers import Told


def make(
    tx: Transaction,
    source: str,
    day: date,
    told: Mapping[PaperKey, Told],
    announced: Sequence[Listing],
    *,
    cited: Collection[str] = (),
) -> int:
    """Number and keep the events that papers make; the counter is taken last but for what needs it.

    Args:
        tx: a writing transaction.
        source: who told.
        day: the announcement day.
        told: the papers before and after.
        announced: the listings that may tell of them, in the order printed: events follow it.
        cited: the keys of papers of which some follow asks by what they are cited.

    Returns:
        How many there were.
    """
    last: int = tx.execute(
        select(counters.c.value).where(counters.c.name == "event").with_for_update()
    ).scalar_one()
    past = past_of(tx, {key: one.number for key, one in told.items()})
    _correct_numbers(tx, day, told, announced, past)
    made = _made(day, told, announced, past, cited)
    rows = [
        (
            *(last + place, told[key].number, event.kind.value, event.number, event.day.isoformat()),
            *(source, is_first),
        )
        for place, (key, event, is_first) in enumerate(made, start=1)
    ]
    if rows:
        fill(tx, events, _EVENT, rows)  # a number that is there already is an error, not a row to leave out
        tx.execute(update(counters).where(counters.c.name == "event").values(value=last + len(rows)))
    return len(rows)


_EVENT = ("seq", "paper_id", "kind", "number", "day", "source", "first")


def _correct_numbers(
    tx: Transaction,
    day: date,
    told: Mapping[PaperKey, Told],
    announced: Sequence[Listing],
    past: Mapping[PaperKey, Sequence[Past]],
) -> None:
    """Give the new versions of a day the numbers that only now are told."""
    for listing in announced:
        key = listing.paper.key
        number = number_told(listing.kind, listing.version, day, past[key])
        if number:
            members = papers.one_with(tx, [told[key].number])[told[key].number]
            mine = (events.c.kind == EventKind.VERSION.value) & (events.c.number == untold(day))
            mine &= events.c.paper_id.in_(members)
            tx.execute(update(events).where(mine).values(number=number))


def _made(
    day: date,
    told: Mapping[PaperKey, Told],
    announced: Sequence[Listing],
    past: Mapping[PaperKey, Sequence[Past]],
    cited: Collection[str],
) -> list[tuple[PaperKey, Past, bool]]:
    """The events, each with its paper, and whether it is the first one of it."""
    one_paper: dict[PaperKey, list[Past]] = {}
    for key, one in told.items():  # keys of one work share their events
        one_paper.setdefault(one.after.key, list(past[key]))
    made: list[tuple[PaperKey, Past, bool]] = []

    def add(key: PaperKey, event: Past) -> None:
        happened = one_paper[told[key].after.key]
        made.append((key, event, not happened))
        happened.append(event)

    for listing in announced:
        one = told[listing.paper.key]
        happened = one_paper[one.after.key]
        event = of_listing(listing.kind, listing.version, day, one.after, happened)
        if event:
            add(listing.paper.key, event)
    for key, one in told.items():
        if one.before == one.after:
            continue
        for event in of_growth(one.before, one.after, day, past[key], cited):
            if all(
                (event.kind, event.number) != (other.kind, other.number) for other in one_paper[one.after.key]
            ):
                add(key, event)
    return made


def move_to_day(tx: Transaction, batch: Batch, wrong: AbstractSet[Shown], day: date) -> None:
    """Give the events of listings the date of their own day.

    Args:
        tx: a writing transaction.
        batch: the batch that had the listings, by whose day the events are dated.
        wrong: the listings that were not the batch's.
        day: their own day.
    """
    _set_day(tx, batch, wrong, day, lambda present: present == batch.day)


def date_by(tx: Transaction, batch: Batch, listed: AbstractSet[Shown]) -> None:
    """Give the events that a day's listings would make the date of that day, if they have a day without such a listing.

    Args:
        tx: a writing transaction.
        batch: the batch of the day.
        listed: what the day lists.
    """
    _set_day(tx, batch, listed, batch.day, lambda present: present != batch.day)


def _set_day(
    tx: Transaction,
    batch: Batch,
    listed: AbstractSet[Shown],
    day: date,
    is_elsewhere: Callable[[ColumnElement[date]], ColumnElement[bool]],
) -> None:
    """Date the events of listings by a day; those stay whose present day has such a listing in some section.

    So do those of days whose listings are not kept any more.
    """
    since = listings_kept_since(tx) or date.min
    for kind, keys in by_kind(listed).items():
        if event_kind(kind) not in {EventKind.NEW, EventKind.VERSION}:
            continue
        is_wrong = partial(_is_wrong, batch.source, event_kind(kind), is_elsewhere, since)
        for chunk in chunks(sorted(keys)):
            paper_ids = select(paper_rows.c.id).where(paper_rows.c.key.in_(chunk))
            mine = events.c.paper_id.in_(paper_ids) & is_wrong(events)
            tx.execute(update(events).where(mine).values(day=day, number=_number_on(day, is_wrong)))


def _is_wrong(
    source: str,
    kind: EventKind,
    is_elsewhere: Callable[[ColumnElement[date]], ColumnElement[bool]],
    since: date,
    table: FromClause,
) -> ColumnElement[bool]:
    """Whether an event has a day without a listing that makes it."""
    mine = and_(
        table.c.kind == kind.value,
        table.c.source == source,
        is_elsewhere(table.c.day),
        table.c.day >= since,
    )
    return mine & ~_is_listed_on_its_day(table, kind)


def _is_listed_on_its_day(table: FromClause, kind: EventKind) -> ColumnElement[bool]:
    """Whether the paper of an event has a listing of its kind, in any section, on the event's day."""
    kinds = [listing_kind.value for listing_kind in ListingKind if event_kind(listing_kind) is kind]
    return exists().where(
        batches.c.id == listings.c.batch_id,
        batches.c.source == table.c.source,
        batches.c.day == table.c.day,
        listings.c.paper_id == table.c.paper_id,
        listings.c.kind.in_(kinds),
    )


def _number_on(day: date, is_wrong: Callable[[FromClause], ColumnElement[bool]]) -> ColumnElement[int]:
    """The number of an event on a day: a placeholder names its day, unless the paper has that day's already.

    Of several placeholders that are moved there, the first one takes it: a paper has a number once.
    """
    other, earlier = events.alias(), events.alias()
    is_taken = exists().where(_is_same(other), other.c.number == untold(day))
    is_first = ~exists().where(
        _is_same(earlier), earlier.c.number < 0, earlier.c.seq < events.c.seq, is_wrong(earlier)
    )
    return case(((events.c.number < 0) & ~is_taken & is_first, untold(day)), else_=events.c.number)


def _is_same(other: FromClause) -> ColumnElement[bool]:
    """Whether another event is of the paper and kind of an event."""
    return and_(other.c.paper_id == events.c.paper_id, other.c.kind == events.c.kind)


def past_of(tx: Transaction, numbers: Mapping[PaperKey, int]) -> dict[PaperKey, tuple[Past, ...]]:
    """The events of papers, and of all that are one with them."""
    groups = papers.one_with(tx, numbers.values())
    found: dict[int, list[Past]] = defaultdict(list)
    members = all_as_kept(tx, {member for group in groups.values() for member in group})
    day_of = as_day(tx)
    for paper, kind, number, day in rows_as_kept(tx, _PAST, {"numbers": members}):
        found[paper].append(Past(EventKind(kind), number, day_of(day)))
    return {
        key: tuple([one for member in sorted(groups[number]) for one in found.get(member, ())])
        for key, number in numbers.items()
    }


_PAST = (
    select(events.c.paper_id, events.c.kind, events.c.number, events.c.day)
    .where(among(events.c.paper_id, "numbers"))
    .order_by(events.c.seq)
)


# --- reading --------------------------------------------------------------------------------------


def events_between(tx: Transaction, low: int, high: int) -> tuple[Event, ...]:
    """The events numbered after ``low`` and up to ``high``, in order."""
    rows = tx.execute(select(events).where(events.c.seq > low, events.c.seq <= high)).all()
    return _events(tx, rows)


def events_at(tx: Transaction, seqs: Iterable[int]) -> dict[int, Event]:
    """Events by number."""
    found: list[Event] = []
    for chunk in chunks(sorted(set(seqs))):
        found.extend(_events(tx, tx.execute(select(events).where(events.c.seq.in_(chunk))).all()))
    return {event.seq: event for event in found}


def events_since(tx: Transaction, day: date) -> tuple[Event, ...]:
    """The events announced on a day or later, in order."""
    return _events(tx, tx.execute(select(events).where(events.c.day >= day)).all())


def events_of(tx: Transaction, numbers: Iterable[int]) -> tuple[Event, ...]:
    """The events of papers, in order."""
    return _events(tx, tx.execute(select(events).where(events.c.paper_id.in_(sorted(numbers)))).all())


def signed(tx: Transaction, blocks: Collection[str], low: int, high: int) -> dict[str, set[int]]:
    """The seqs after ``low`` and up to ``high`` of events whose papers are signed by names of blocks, by block."""
    root = func.coalesce(paper_rows.c.merged_into, paper_rows.c.id)
    among = select(events.c.seq, authorships.c.block)
    among = among.join(paper_rows, paper_rows.c.id == events.c.paper_id)
    among = among.join(authorships, authorships.c.paper_id == root)
    found: dict[str, set[int]] = defaultdict(set)
    for chunk in chunks(sorted(blocks)):
        mine = authorships.c.block.in_(chunk), events.c.seq > low, events.c.seq <= high
        for row in tx.execute(among.where(*mine)):
            found[row.block].add(row.seq)
    return found


def before_day(tx: Transaction, day: date) -> int:
    """The seq just before the first event of a day or later; the last seq if there is none."""
    first = tx.execute(select(func.min(events.c.seq)).where(events.c.day >= day)).scalar()
    if first is not None:
        return int(first) - 1
    last: int = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
    return last


def last_event_day(tx: Transaction, *, accounted: bool) -> date | None:
    """The latest day that anything was announced on; None if nothing was.

    Args:
        tx: a transaction.
        accounted: by a source with announcement days, or by one without.
    """
    mine = select(sections.c.source).where(sections.c.accounted == accounted)
    return tx.execute(select(func.max(events.c.day)).where(events.c.source.in_(mine))).scalar()


def first_days(tx: Transaction, numbers: Iterable[int]) -> dict[int, date]:
    """The first day on which anything was told of papers; those of which nothing was are left out."""
    found: dict[int, date] = {}
    first = select(events.c.paper_id, func.min(events.c.day).label("day")).group_by(events.c.paper_id)
    for chunk in chunks(sorted(numbers)):
        rows = tx.execute(first.where(events.c.paper_id.in_(chunk)))
        found.update({row.paper_id: row.day for row in rows})
    return found


def _events(tx: Transaction, rows: Sequence[Row[Any]]) -> tuple[Event, ...]:
    groups = papers.one_with(tx, {row.paper_id for row in rows})
    known = papers.wholes(tx, groups)
    return tuple(
        Event(
            seq=row.seq,
            kind=EventKind(row.kind),
            number=max(row.number, 0),  # below 0: nobody told it
            day=row.day,
            source=row.source,
            # Papers that turned out to be one may each have told of the work.
            first=row.first and len(groups[row.paper_id]) == 1,
            paper=known[row.paper_id],
        )
        for row in sorted(rows, key=lambda row: int(row.seq))
    )
