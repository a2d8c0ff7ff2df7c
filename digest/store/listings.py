"""Listings: a batch's papers as they were printed, kept once however often they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter

from sqlalchemy import func, select

from digest.core.ledger import Shown
from digest.model import Batch, Listing, ListingKind, Paper, PaperKey
from digest.store import events, papers
from digest.store.dialect import chunks, fill_up
from digest.store.engine import Transaction
from digest.store.paper_tables import batches, listings
from digest.store.paper_tables import papers as paper_rows

_REPLACED = frozenset({ListingKind.REPLACE, ListingKind.REPLACE_CROSS})


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


def save(tx: Transaction, batch: Batch, listed: Sequence[Listing], *, telling: frozenset[PaperKey]) -> Saved:
    """Keep the listings of a batch, their papers and events; the same listings again change nothing.

    Args:
        tx: the transaction that also keeps the route's validators.
        batch: theirs.
        listed: in the order printed.
        telling: the papers of which these listings may tell: not those of a time before we were asked to.
    """
    listed = _with_versions(tx, batch, listed)
    told = papers.keep(tx, batch.source, [listing.paper for listing in listed])
    before = received(tx, batch)
    rows = [
        (batch.id, told[listing.paper.key].number, listing.kind.value, position, listing.paper.version)
        for position, listing in enumerate(listed)
    ]
    fill_up(tx, listings, _LISTING, sorted(rows, key=itemgetter(1, 2)))
    announced = [listing for listing in listed if listing.paper.key in telling]
    made = events.make(tx, batch.source, batch.day, told, announced)
    now = received(tx, batch)
    return Saved(received=now, added=now - before, events=made)


_LISTING = ("batch_id", "paper_id", "kind", "position", "version")


def complete(tx: Transaction, source: str, records: Sequence[Paper], day: date) -> Saved:
    """Keep papers that come without an announcement day: they make no event but by what they add.

    Args:
        tx: a writing transaction.
        source: whose records.
        records: one that does not tell its version is taken for the newest that is known.
        day: on which they came.
    """
    silent = papers.find(tx, [paper.key for paper in records if not paper.version])
    known = papers.load(tx, silent.values())
    newest = {key: known[number].version for key, number in silent.items()}
    told = papers.keep(
        tx,
        source,
        [paper if paper.version else replace(paper, version=newest.get(paper.key, 1)) for paper in records],
    )
    made = events.make(tx, source, day, told, ())
    added = sum(one.before is None for one in told.values())
    return Saved(received=len(told), added=added, events=made)


def received(tx: Transaction, batch: Batch) -> int:
    """How many listings a batch has."""
    count: int = tx.execute(select(func.count()).where(listings.c.batch_id == batch.id)).scalar_one()
    return count


# --- versions that a route does not tell ----------------------------------------------------------


def _with_versions(tx: Transaction, batch: Batch, listed: Sequence[Listing]) -> list[Listing]:
    """Listings with the version each paper must be of, where the route does not say.

    A replacement is the version after the one that we know, or that one if records brought it before anybody
    listed it; anything else is the one that we know. Whoever is asked twice on a day, or in several sections,
    finds the same: what its source listed on that day counts.
    """
    silent = {listing.paper.key for listing in listed if not listing.paper.version}
    if not silent:
        return list(listed)
    numbers = papers.find(tx, silent)
    known = papers.load(tx, numbers.values())
    stored = _stored_versions(tx, batch, numbers)
    listed_as = _listed_versions(tx, numbers)

    def version(listing: Listing) -> int:
        key, replaced = listing.paper.key, listing.kind in _REPLACED
        last = known[numbers[key]].version if key in numbers else 1
        unlisted = last > listed_as.get(key, 1)
        return stored.get((key, replaced)) or last + (replaced and not unlisted)

    return [
        listing
        if listing.paper.version
        else replace(listing, paper=replace(listing.paper, version=version(listing)))
        for listing in listed
    ]


def _listed_versions(tx: Transaction, numbers: Mapping[PaperKey, int]) -> dict[PaperKey, int]:
    """The greatest version of which anybody listed papers, by key; those that nobody listed are left out."""
    keys = {number: key for key, number in numbers.items()}
    found: dict[PaperKey, int] = {}
    greatest = select(listings.c.paper_id, func.max(listings.c.version).label("version"))
    greatest = greatest.group_by(listings.c.paper_id)
    for chunk in chunks(sorted(keys)):
        rows = tx.execute(greatest.where(listings.c.paper_id.in_(chunk)))
        found.update({keys[row.paper_id]: row.version for row in rows})
    return found


def _stored_versions(
    tx: Transaction, batch: Batch, numbers: Mapping[PaperKey, int]
) -> dict[tuple[PaperKey, bool], int]:
    """The greatest version of which a source listed papers on a day: replaced ones, and others."""
    keys = {number: key for key, number in numbers.items()}
    found: dict[tuple[PaperKey, bool], int] = {}
    same_day = select(listings).join(batches, batches.c.id == listings.c.batch_id)
    same_day = same_day.where(batches.c.source == batch.source, batches.c.day == batch.day)
    for chunk in chunks(sorted(keys)):
        for row in tx.execute(same_day.where(listings.c.paper_id.in_(chunk))):
            told = keys[row.paper_id], ListingKind(row.kind) in _REPLACED
            found[told] = max(row.version, found.get(told, 0))
    return found


# --- reading --------------------------------------------------------------------------------------


def listed_in(tx: Transaction, batch: Batch) -> frozenset[Shown]:
    """What a batch lists."""
    keyed = select(paper_rows.c.key, listings.c.kind, listings.c.version)
    keyed = keyed.join(listings, listings.c.paper_id == paper_rows.c.id)
    rows = tx.execute(keyed.where(listings.c.batch_id == batch.id))
    return frozenset(Shown(PaperKey(row.key), ListingKind(row.kind), row.version) for row in rows)


def listed_before(tx: Transaction, batch: Batch, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """The papers that the section of a batch has listed, on whatever day, and their greatest version then."""
    found: dict[PaperKey, int] = {}
    last = func.max(listings.c.version).label("version")
    mine = select(paper_rows.c.key, last).join(listings, listings.c.paper_id == paper_rows.c.id)
    mine = mine.join(batches, batches.c.id == listings.c.batch_id).group_by(paper_rows.c.key)
    mine = mine.where(batches.c.source == batch.source, batches.c.section == batch.section)
    for chunk in chunks(sorted(set(keys))):
        rows = tx.execute(mine.where(paper_rows.c.key.in_(chunk)))
        found.update({PaperKey(row.key): row.version for row in rows})
    return found


def listings_of(tx: Transaction, numbers: Iterable[int]) -> tuple[tuple[int, ListingKind], ...]:
    """Where papers were listed: batch and kind."""
    mine = select(listings).where(listings.c.paper_id.in_(sorted(numbers)))
    rows = tx.execute(mine.order_by(listings.c.batch_id))
    return tuple((row.batch_id, ListingKind(row.kind)) for row in rows)
