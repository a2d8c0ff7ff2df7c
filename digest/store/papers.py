"""Papers as they are known, their listings, and the events that come of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import BindParameter, Row, bindparam, delete, func, insert, select, update

from digest.core.ids import paper_ids as ids_of
from digest.core.merge import merged
from digest.model import Author, Batch, Event, EventKind, Listing, ListingKind, Paper, PaperKey
from digest.store.dialect import add_missing, chunks, insert_ignoring
from digest.store.engine import Transaction
from digest.store.schema import authorships, counters, events, listings, paper_ids, papers


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of saving listings.

    Attributes:
        received: how many listings the batch has now.
        added: how many of them it did not have before.
        events: how many events they made.
    """

    received: int
    added: int
    events: int


def save(tx: Transaction, batch: Batch, listed: Sequence[Listing], since: date) -> Saved:
    """Keep the listings of a batch, their papers and events; the same listings again change nothing.

    Args:
        tx: the transaction that also keeps the route's validators.
        batch: theirs.
        listed: in the order printed.
        since: listings of earlier days make no events.
    """
    numbers = _save_papers(tx, [listing.paper for listing in listed])
    before = _received(tx, batch)
    rows = [
        {
            "batch_id": batch.id,
            "paper_id": numbers[listing.paper.key],
            "kind": listing.kind.value,
            "position": position,
            "version": listing.paper.version,
        }
        for position, listing in enumerate(listed)
    ]
    add_missing(tx, listings, sorted(rows, key=lambda row: (row["paper_id"], row["kind"])))
    made = _make_events(tx, batch, listed, numbers) if batch.day >= since else 0
    received = _received(tx, batch)
    return Saved(received=received, added=received - before, events=made)


def _received(tx: Transaction, batch: Batch) -> int:
    count: int = tx.execute(select(func.count()).where(listings.c.batch_id == batch.id)).scalar_one()
    return count


# --- papers ---------------------------------------------------------------------------------------


def _save_papers(tx: Transaction, listed: Iterable[Paper]) -> dict[PaperKey, int]:
    wanted: dict[PaperKey, Paper] = {}
    for paper in listed:
        wanted[paper.key] = merged(wanted[paper.key], paper) if paper.key in wanted else paper
    added = _add_papers(tx, wanted)
    numbers = find(tx, wanted)
    _save_authors(tx, {numbers[key]: wanted[key] for key in sorted(added)})
    _save_ids(tx, {numbers[key]: wanted[key] for key in sorted(wanted)})
    known = _locked(tx, [number for key, number in numbers.items() if key not in added])
    changed = {
        number: grown for number, old in known.items() if (grown := merged(old, wanted[old.key])) != old
    }
    _update_papers(tx, changed)
    return numbers


def _add_papers(tx: Transaction, wanted: Mapping[PaperKey, Paper]) -> set[PaperKey]:
    """Keep the papers that nobody knew; says which they are."""
    before = find(tx, wanted)
    # Sorted, so that two processes never wait for each other's rows crosswise.
    rows = [_paper_row(wanted[key]) for key in sorted(wanted) if key not in before]
    if not rows:
        return set()
    # Another process may have added some of them since: those are not ours to say all about.
    statement = insert_ignoring(tx, papers).returning(papers.c.key)
    return {PaperKey(key) for key in tx.execute(statement, rows).scalars()}


def _locked(tx: Transaction, numbers: Iterable[int]) -> dict[int, Paper]:
    """Papers as they are once nobody else is changing them, held until the transaction ends."""
    held = sorted(numbers)
    for chunk in chunks(held):
        mine = select(papers.c.id).where(papers.c.id.in_(chunk)).order_by(papers.c.id)
        tx.execute(mine.with_for_update(key_share=True))
    return load(tx, held)


def find(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """The numbers of the papers that are known, by key."""
    found: dict[PaperKey, int] = {}
    for chunk in chunks(sorted(set(keys))):
        rows = tx.execute(select(papers.c.key, papers.c.id).where(papers.c.key.in_(chunk)))
        found.update({PaperKey(row.key): row.id for row in rows})
    return found


def load(tx: Transaction, numbers: Iterable[int]) -> dict[int, Paper]:
    """Papers by number, with their authors."""
    found: dict[int, Paper] = {}
    for chunk in chunks(sorted(set(numbers))):
        authors: dict[int, list[Author]] = defaultdict(list)
        by_position = select(authorships).where(authorships.c.paper_id.in_(chunk))
        for row in tx.execute(by_position.order_by(authorships.c.paper_id, authorships.c.position)):
            authors[row.paper_id].append(Author(name=row.name, affiliations=tuple(row.affiliations)))
        for row in tx.execute(select(papers).where(papers.c.id.in_(chunk))):
            found[row.id] = _paper(row, authors[row.id])
    return found


def _paper(row: Row[Any], authors: Iterable[Author]) -> Paper:
    return Paper(
        key=PaperKey(row.key),
        title=row.title,
        abstract=row.abstract,
        authors=tuple(authors),
        categories=tuple(row.categories),
        version=row.version,
        url=row.url,
        pdf_url=row.pdf_url,
        doi=row.doi,
        journal_ref=row.journal_ref,
        comment=row.comment,
        license_url=row.license_url,
    )


def _paper_row(paper: Paper) -> dict[str, Any]:
    return {
        "key": paper.key,
        "title": paper.title,
        "abstract": paper.abstract,
        "categories": list(paper.categories),
        "version": paper.version,
        "url": paper.url,
        "pdf_url": paper.pdf_url,
        "doi": paper.doi,
        "journal_ref": paper.journal_ref,
        "comment": paper.comment,
        "license_url": paper.license_url,
    }


def _save_authors(tx: Transaction, by_number: dict[int, Paper]) -> None:
    rows = [
        {
            "paper_id": number,
            "position": position,
            "name": author.name,
            "affiliations": list(author.affiliations),
        }
        for number, paper in by_number.items()
        for position, author in enumerate(paper.authors)
    ]
    add_missing(tx, authorships, rows)


def _save_ids(tx: Transaction, by_number: dict[int, Paper]) -> None:
    rows = [
        {"scheme": scheme, "value": value, "paper_id": number}
        for number, paper in by_number.items()
        for scheme, value in ids_of(paper)
    ]
    add_missing(tx, paper_ids, sorted(rows, key=lambda row: (row["scheme"], row["value"])))


def _update_papers(tx: Transaction, by_number: dict[int, Paper]) -> None:
    if not by_number:
        return
    rows = [{"number": number} | _paper_row(paper) for number, paper in by_number.items()]
    columns: dict[str, BindParameter[Any]] = {
        name: bindparam(name) for name in rows[0] if name not in {"number", "key"}
    }
    tx.execute(update(papers).where(papers.c.id == bindparam("number")).values(columns), rows)
    for chunk in chunks(sorted(by_number)):
        tx.execute(delete(authorships).where(authorships.c.paper_id.in_(chunk)))
    _save_authors(tx, by_number)


# --- events ---------------------------------------------------------------------------------------


def _make_events(
    tx: Transaction, batch: Batch, listed: Sequence[Listing], numbers: dict[PaperKey, int]
) -> int:
    """Number and keep the events that listings make; the counter is taken last but for what needs it."""
    made = {
        (numbers[listing.paper.key], *_event_of(listing)): None for listing in listed
    }  # an ordered set: events follow the order of the listings
    last: int = tx.execute(
        select(counters.c.value).where(counters.c.name == "event").with_for_update()
    ).scalar_one()
    there: set[tuple[int, str, int]] = set()
    for chunk in chunks(sorted({number for number, _, _ in made})):
        rows = tx.execute(select(events).where(events.c.paper_id.in_(chunk)))
        there.update((row.paper_id, row.kind, row.number) for row in rows)
    told = {number for number, _, _ in there}
    fresh = [event for event in made if event not in there]
    first = {number: event for event in reversed(fresh) if (number := event[0]) not in told}
    rows_to_add = [
        {
            "seq": last + place,
            "paper_id": event[0],
            "kind": event[1],
            "number": event[2],
            "day": batch.day,
            "source": batch.source,
            "first": first.get(event[0]) == event,
        }
        for place, event in enumerate(fresh, start=1)
    ]
    if rows_to_add:
        tx.execute(
            insert(events), rows_to_add
        )  # a number that is there already is an error, not a row to leave out
    tx.execute(update(counters).where(counters.c.name == "event").values(value=last + len(fresh)))
    return len(fresh)


def _event_of(listing: Listing) -> tuple[str, int]:
    if listing.kind in {ListingKind.NEW, ListingKind.CROSS}:
        return EventKind.NEW.value, 0
    return EventKind.VERSION.value, listing.paper.version


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


def events_of(tx: Transaction, number: int) -> tuple[Event, ...]:
    """The events of one paper, in order."""
    return _events(tx, tx.execute(select(events).where(events.c.paper_id == number)).all())


def before_day(tx: Transaction, day: date) -> int:
    """The seq just before the first event of a day or later; the last seq if there is none."""
    first = tx.execute(select(func.min(events.c.seq)).where(events.c.day >= day)).scalar()
    if first is not None:
        return int(first) - 1
    last: int = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
    return last


def last_event_day(tx: Transaction) -> date | None:
    """The latest day that anything was announced on; None in a new store."""
    return tx.execute(select(func.max(events.c.day))).scalar()


def listings_of(tx: Transaction, number: int) -> tuple[tuple[int, ListingKind], ...]:
    """Where a paper was listed: batch and kind."""
    rows = tx.execute(select(listings).where(listings.c.paper_id == number).order_by(listings.c.batch_id))
    return tuple((row.batch_id, ListingKind(row.kind)) for row in rows)


def _events(tx: Transaction, rows: Sequence[Row[Any]]) -> tuple[Event, ...]:
    known = load(tx, {row.paper_id for row in rows})
    return tuple(
        Event(
            seq=row.seq,
            kind=EventKind(row.kind),
            number=row.number,
            day=row.day,
            source=row.source,
            first=row.first,
            paper=known[row.paper_id],
        )
        for row in sorted(rows, key=lambda row: int(row.seq))
    )
