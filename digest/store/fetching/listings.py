"""Listings: a batch's papers as they were printed, kept once however often they come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, func, select, update

from digest.core.fetching.repeated_days import Shown, by_kind
from digest.core.papers.identity.versions import Listed, work_out_version
from digest.model import Batch, Listing, ListingKind, Paper, PaperKey, Submitter
from digest.store.database.dialect import chunks, fill_up
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import batches, listings
from digest.store.database.paper_tables import papers as paper_rows
from digest.store.fetching import ledger
from digest.store.papers import events, papers


class Appearance(NamedTuple):
    """Where and how a paper was listed.

    Attributes:
        submitter: of what a person picked; None where nobody is named.
    """

    batch: Batch
    kind: ListingKind
    submitter: Submitter | None


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
        (
            *(batch.id, told[listing.paper.key].number, listing.kind.value, position, listing.version),
            *((listing.submitter.name, ":".join(listing.submitter.id)) if listing.submitter else ("", "")),
        )
        for position, listing in enumerate(listed)
    ]
    fill_up(tx, listings, _LISTING, sorted(rows, key=itemgetter(1, 2)))
    _tell_versions(tx, batch, {row[1:3]: row[4] for row in rows if row[4]})
    announced = [listing for listing in listed if listing.paper.key in telling]
    made = events.make(tx, batch.source, batch.day, told, announced)
    now = received(tx, batch)
    return Saved(received=now, added=now - before, events=made)


_LISTING = ("batch_id", "paper_id", "kind", "position", "version", "submitter", "submitter_id")


def _tell_versions(tx: Transaction, batch: Batch, told: Mapping[tuple[int, str], int]) -> None:
    """Note the versions of listings, by paper and kind, that a route told before without their version."""
    mine = (listings.c.batch_id == batch.id) & (listings.c.version == 0)
    for row in tx.execute(select(listings).where(mine)).all():
        if number := told.get((row.paper_id, row.kind)):
            one = mine & (listings.c.paper_id == row.paper_id) & (listings.c.kind == row.kind)
            tx.execute(update(listings).where(one).values(version=number))


def complete(
    tx: Transaction, source: str, records: Sequence[Paper], day: date, cited: Collection[str] = ()
) -> Saved:
    """Keep papers that come without an announcement day: they make no event but by what they add.

    Args:
        tx: a writing transaction.
        source: whose records.
        records: one that does not tell its version is taken for the newest that is known.
        day: on which they came.
        cited: the keys of papers of which some follow asks by what they are cited: a paper of which it is found out
            that it cites one of them has grown.
    """
    silent = papers.find(tx, [paper.key for paper in records if not paper.version])
    newest = papers.newest_versions(tx, silent.values())

    def completed(paper: Paper) -> Paper:
        number = newest.get(silent.get(paper.key, 0), 1)
        return paper if paper.version else replace(paper, version=number, version_told=False)

    told = papers.keep(tx, source, map(completed, records))
    made = events.make(tx, source, day, told, (), cited=cited)
    added = sum(one.before is None for one in told.values())
    return Saved(received=len(told), added=added, events=made)


def withdraw(tx: Transaction, batch: Batch, wrong: AbstractSet[Shown]) -> None:
    """Take listings out of a batch that were another day's; their papers and events stay."""
    for kind, keys in by_kind(wrong).items():
        for chunk in chunks(sorted(keys)):
            numbers = select(paper_rows.c.id).where(paper_rows.c.key.in_(chunk))
            mine = (listings.c.batch_id == batch.id) & (listings.c.kind == kind.value)
            tx.execute(delete(listings).where(mine, listings.c.paper_id.in_(numbers)))


def received(tx: Transaction, batch: Batch) -> int:
    """How many listings a batch has."""
    count: int = tx.execute(select(func.count()).where(listings.c.batch_id == batch.id)).scalar_one()
    return count


# --- versions that a route does not tell ----------------------------------------------------------


def _with_versions(tx: Transaction, batch: Batch, listed: Sequence[Listing]) -> list[Listing]:
    """Listings of papers that each have a version, worked out where the route does not say.

    Whoever is asked twice on a day, or in several sections, finds the same: what its source listed on that day counts.
    """
    silent = {listing.paper.key for listing in listed if not listing.paper.version}
    if not silent:
        return list(listed)
    numbers = papers.find(tx, silent)
    newest = papers.newest_versions(tx, numbers.values())
    before = _listed(tx, batch.source, numbers)

    def completed(listing: Listing) -> Listing:
        key = listing.paper.key
        number = work_out_version(
            batch.day,
            is_replaced=listing.kind in _REPLACED,
            newest=newest.get(numbers.get(key, 0), 0),
            listed=before.get(key, ()),
        )
        return replace(listing, paper=replace(listing.paper, version=number, version_told=False))

    return [listing if listing.paper.version else completed(listing) for listing in listed]


def _listed(tx: Transaction, source: str, numbers: Mapping[PaperKey, int]) -> dict[PaperKey, list[Listed]]:
    """Where a source has listed papers, by key."""
    keys = {number: key for key, number in numbers.items()}
    found: dict[PaperKey, list[Listed]] = defaultdict(list)
    mine = select(listings.c.paper_id, listings.c.kind, listings.c.version, batches.c.day)
    mine = mine.join(batches, batches.c.id == listings.c.batch_id).where(batches.c.source == source)
    for chunk in chunks(sorted(keys)):
        for row in tx.execute(mine.where(listings.c.paper_id.in_(chunk))):
            is_replaced = ListingKind(row.kind) in _REPLACED
            found[keys[row.paper_id]].append(Listed(row.day, is_replaced, row.version))
    return found


# --- reading --------------------------------------------------------------------------------------


def listed_in(tx: Transaction, batch: Batch) -> frozenset[Shown]:
    """What a batch lists."""
    keyed = select(paper_rows.c.key, listings.c.kind, listings.c.version)
    keyed = keyed.join(listings, listings.c.paper_id == paper_rows.c.id)
    rows = tx.execute(keyed.where(listings.c.batch_id == batch.id))
    return frozenset(Shown(PaperKey(row.key), ListingKind(row.kind), row.version) for row in rows)


def listed_as_new(tx: Transaction, batch: Batch, keys: Iterable[PaperKey]) -> set[PaperKey]:
    """The papers that the section of a batch has as new on an earlier day."""
    found: set[PaperKey] = set()
    mine = select(paper_rows.c.key).join(listings, listings.c.paper_id == paper_rows.c.id)
    mine = mine.join(batches, batches.c.id == listings.c.batch_id)
    mine = mine.where(batches.c.source == batch.source, batches.c.section == batch.section)
    mine = mine.where(batches.c.day < batch.day, listings.c.kind == ListingKind.NEW.value)
    for chunk in chunks(sorted(keys)):
        found.update(PaperKey(row.key) for row in tx.execute(mine.where(paper_rows.c.key.in_(chunk))))
    return found


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


def appearances_of(tx: Transaction, numbers: Iterable[int]) -> tuple[Appearance, ...]:
    """Where papers were listed."""
    mine = select(listings).where(listings.c.paper_id.in_(sorted(numbers)))
    rows = tx.execute(mine.order_by(listings.c.batch_id)).all()
    return tuple(
        Appearance(ledger.batch(tx, row.batch_id), ListingKind(row.kind), _submitter(row)) for row in rows
    )


def _submitter(row: Row[Any]) -> Submitter | None:
    scheme, _, name = row.submitter_id.partition(":")
    return Submitter(row.submitter, (scheme, name)) if name else None
