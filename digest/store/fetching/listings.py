"""Listings of batches: each paper is stored once, however often an answer repeats it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, func, select, update

from digest.core.fetching.repeated_days import ShownListing, group_by_kind
from digest.core.papers.identity.versions import PriorListing, infer_version
from digest.model import Batch, ImportCounts, Listing, ListingKind, Paper, PaperKey, Submitter
from digest.store.database.bulk import insert_or_update_bulk
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import batches, listings
from digest.store.database.tables.papers import papers as paper_rows
from digest.store.fetching import ledger
from digest.store.papers import events, papers


class Appearance(NamedTuple):
    """Listing of a paper in a batch.

    Attributes:
        submitter: the person who picked it; None if nobody is named.
    """

    batch: Batch
    kind: ListingKind
    submitter: Submitter | None


_REPLACED = frozenset({ListingKind.REPLACE, ListingKind.REPLACE_CROSS})


@dataclass(frozen=True, slots=True)
class SaveResult:
    """Result of storing listings.

    Attributes:
        received: number of listings of the batch, or of records in the answer.
        added: number of those that are new.
        events: number of events that they made.
    """

    received: int
    added: int
    events: int


def save_listings(
    tx: Transaction, batch: Batch, printed: Sequence[Listing], *, announceable: frozenset[PaperKey]
) -> SaveResult:
    """Store the listings of a batch, their papers and events; storing the same listings again changes nothing.

    Args:
        tx: the transaction that also stores the route's validators.
        batch: the batch of the listings.
        printed: the listings in the order printed.
        announceable: the papers for which events may be made, without papers from before the section's first
            day.
    """
    printed = _add_missing_versions(tx, batch, printed)
    saved_papers = papers.save_papers(tx, batch.source, [listing.paper for listing in printed])
    previous_count = count_listings(tx, batch)
    rows = [
        (
            *(
                batch.id,
                saved_papers[listing.paper.key].number,
                listing.kind.value,
                position,
                listing.version,
            ),
            *((listing.submitter.name, ":".join(listing.submitter.id)) if listing.submitter else ("", "")),
        )
        for position, listing in enumerate(printed)
    ]
    insert_or_update_bulk(tx, listings, _LISTING_COLUMNS, sorted(rows, key=itemgetter(1, 2)))
    _add_versions(tx, batch, {row[1:3]: row[4] for row in rows if row[4]})
    announced = [listing for listing in printed if listing.paper.key in announceable]
    event_count = events.make_events(tx, batch.source, batch.day, saved_papers, announced)
    papers.index_changes(tx, saved_papers.values())
    present_count = count_listings(tx, batch)
    if present_count != previous_count:
        note_content_change(tx)
    return SaveResult(received=present_count, added=present_count - previous_count, events=event_count)


_LISTING_COLUMNS = ("batch_id", "paper_id", "kind", "position", "version", "submitter", "submitter_id")


def _add_versions(tx: Transaction, batch: Batch, versions: Mapping[tuple[int, str], int]) -> None:
    """Add versions, by paper and kind, to listings that another route returned without a version."""
    is_unversioned = (listings.c.batch_id == batch.id) & (listings.c.version == 0)
    for row in tx.execute(select(listings).where(is_unversioned)).all():
        if version := versions.get((row.paper_id, row.kind)):
            is_listing = (
                is_unversioned & (listings.c.paper_id == row.paper_id) & (listings.c.kind == row.kind)
            )
            tx.execute(update(listings).where(is_listing).values(version=version))


def save_records(
    tx: Transaction, source: str, records: Sequence[Paper], day: date, cited: Collection[str] = ()
) -> SaveResult:
    """Store papers that have no announcement day; they make events only for what they add to known papers.

    Args:
        tx: a writing transaction.
        source: the source of the records.
        records: the papers; one without a version belongs to the newest version that is stored.
        day: the day on which they arrived.
        cited: keys of papers that ``cites:`` in a follow names; a paper that turns out to cite one of them
            has grown.
    """
    saved_papers = papers.save_papers(tx, source, _add_stored_versions(tx, records))
    event_count = events.make_events(tx, source, day, saved_papers, (), cited=cited)
    papers.index_changes(tx, saved_papers.values())
    added = sum(change.before is None for change in saved_papers.values())
    return SaveResult(received=len(saved_papers), added=added, events=event_count)


def import_records(tx: Transaction, source: str, records: Sequence[Paper]) -> ImportCounts:
    """Store papers of a file; they make no events, not even for what they add to papers that digests have reported.

    Args:
        tx: a transaction of ``Store.begin_ingest``.
        source: the source of the records.
        records: the papers; one without a version belongs to the newest version that is stored.
    """
    saved_papers = papers.save_papers(tx, source, _add_stored_versions(tx, records))
    papers.index_changes(tx, saved_papers.values())
    added = sum(change.before is None for change in saved_papers.values())
    grown = sum(
        change.before is not None and change.before != change.after for change in saved_papers.values()
    )
    return ImportCounts(added=added, grown=grown, known=len(records) - added - grown)


def _add_stored_versions(tx: Transaction, records: Sequence[Paper]) -> Sequence[Paper]:
    """Return the records, those without a version with the newest version that is stored of their paper."""
    unversioned = papers.find_papers(tx, [paper.key for paper in records if not paper.version])
    newest_versions = papers.load_newest_versions(tx, unversioned.values())

    def add_version(paper: Paper) -> Paper:
        version = newest_versions.get(unversioned.get(paper.key, 0), 1)
        return paper if paper.version else replace(paper, version=version, version_told=False)

    return list(map(add_version, records))


def withdraw_listings(tx: Transaction, batch: Batch, wrong: AbstractSet[ShownListing]) -> None:
    """Remove listings of another day from a batch; their papers and events stay."""
    withdrawn_ids: set[int] = set()
    for kind, keys in group_by_kind(wrong).items():
        for chunk in split_into_chunks(sorted(keys)):
            paper_ids = select(paper_rows.c.id).where(paper_rows.c.key.in_(chunk))
            is_in_batch = (listings.c.batch_id == batch.id) & (listings.c.kind == kind.value)
            statement = delete(listings).where(is_in_batch, listings.c.paper_id.in_(paper_ids))
            withdrawn_ids.update(tx.execute(statement.returning(listings.c.paper_id)).scalars())
    papers.refresh_announcements(tx, withdrawn_ids)
    if withdrawn_ids:
        note_content_change(tx)


def count_listings(tx: Transaction, batch: Batch) -> int:
    """Return the number of listings of a batch."""
    count: int = tx.execute(select(func.count()).where(listings.c.batch_id == batch.id)).scalar_one()
    return count


# --- inferred versions ----------------------------------------------------------------------------


def _add_missing_versions(tx: Transaction, batch: Batch, printed: Sequence[Listing]) -> list[Listing]:
    """Return the listings with an inferred version where the route does not state one.

    What the source listed earlier on the same day is taken into account, so a second request, or another
    section, leads to the same version.
    """
    unversioned = {listing.paper.key for listing in printed if not listing.paper.version}
    if not unversioned:
        return list(printed)
    paper_ids = papers.find_papers(tx, unversioned)
    newest_versions = papers.load_newest_versions(tx, paper_ids.values())
    previous_listings = _load_previous(tx, batch.source, paper_ids)

    def add_version(listing: Listing) -> Listing:
        key = listing.paper.key
        version = infer_version(
            batch.day,
            is_replaced=listing.kind in _REPLACED,
            newest=newest_versions.get(paper_ids.get(key, 0), 0),
            prior_listings=previous_listings.get(key, ()),
        )
        return replace(listing, paper=replace(listing.paper, version=version, version_told=False))

    return [listing if listing.paper.version else add_version(listing) for listing in printed]


def _load_previous(
    tx: Transaction, source: str, paper_ids: Mapping[PaperKey, int]
) -> dict[PaperKey, list[PriorListing]]:
    """Return the earlier listings of papers by a source, by key."""
    keys = {number: key for key, number in paper_ids.items()}
    previous: dict[PaperKey, list[PriorListing]] = defaultdict(list)
    statement = select(listings.c.paper_id, listings.c.kind, listings.c.version, batches.c.day)
    statement = statement.join(batches, batches.c.id == listings.c.batch_id).where(batches.c.source == source)
    for chunk in split_into_chunks(sorted(keys)):
        for row in tx.execute(statement.where(listings.c.paper_id.in_(chunk))):
            is_replaced = ListingKind(row.kind) in _REPLACED
            previous[keys[row.paper_id]].append(PriorListing(row.day, is_replaced, row.version))
    return previous


# --- reading --------------------------------------------------------------------------------------


def load_listed(tx: Transaction, batch: Batch) -> frozenset[ShownListing]:
    """Return the listings of a batch."""
    statement = select(paper_rows.c.key, listings.c.kind, listings.c.version)
    statement = statement.join(listings, listings.c.paper_id == paper_rows.c.id)
    rows = tx.execute(statement.where(listings.c.batch_id == batch.id))
    return frozenset(ShownListing(PaperKey(row.key), ListingKind(row.kind), row.version) for row in rows)


def list_known_as_new(tx: Transaction, batch: Batch, keys: Iterable[PaperKey]) -> set[PaperKey]:
    """Return the papers that the batch's section listed as new on an earlier day."""
    listed_keys: set[PaperKey] = set()
    statement = select(paper_rows.c.key).join(listings, listings.c.paper_id == paper_rows.c.id)
    statement = statement.join(batches, batches.c.id == listings.c.batch_id)
    statement = statement.where(batches.c.source == batch.source, batches.c.section == batch.section)
    statement = statement.where(batches.c.day < batch.day, listings.c.kind == ListingKind.NEW.value)
    for chunk in split_into_chunks(sorted(keys)):
        listed_keys.update(
            PaperKey(row.key) for row in tx.execute(statement.where(paper_rows.c.key.in_(chunk)))
        )
    return listed_keys


def load_listed_before(tx: Transaction, batch: Batch, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """Return the papers that the batch's section listed on any day, with the highest version listed."""
    versions: dict[PaperKey, int] = {}
    last_version = func.max(listings.c.version).label("version")
    statement = select(paper_rows.c.key, last_version).join(listings, listings.c.paper_id == paper_rows.c.id)
    statement = statement.join(batches, batches.c.id == listings.c.batch_id).group_by(paper_rows.c.key)
    statement = statement.where(batches.c.source == batch.source, batches.c.section == batch.section)
    for chunk in split_into_chunks(sorted(set(keys))):
        rows = tx.execute(statement.where(paper_rows.c.key.in_(chunk)))
        versions.update({PaperKey(row.key): row.version for row in rows})
    return versions


def list_appearances(tx: Transaction, paper_ids: Iterable[int]) -> tuple[Appearance, ...]:
    """Return all listings of papers."""
    statement = select(listings).where(listings.c.paper_id.in_(sorted(paper_ids)))
    rows = tx.execute(statement.order_by(listings.c.batch_id)).all()
    return tuple(
        Appearance(ledger.load_batch_by_id(tx, row.batch_id), ListingKind(row.kind), _read_submitter(row))
        for row in rows
    )


def _read_submitter(row: Row[Any]) -> Submitter | None:
    scheme, _, name = row.submitter_id.partition(":")
    return Submitter(row.submitter, (scheme, name)) if name else None
