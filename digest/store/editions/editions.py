"""Editions: their items with reasons, and the batches that tell whether they are complete."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Text, bindparam, cast, select

from digest.core.fetching.shortfall import select_noticeable
from digest.core.subscribers.own_records import OwnEdition
from digest.core.times.schedule import WALL_CLOCK_FREQUENCIES, Firing, is_only_firing_of_day
from digest.model import ALERT_PREFIX, Batch, DigestChanges, Edition, Item, Run
from digest.store.database.bulk import insert_bulk
from digest.store.database.dialect import (
    fetch_raw_rows,
    get_instant_reader,
    make_in_condition,
    split_into_chunks,
    to_db,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, digests, editions, runs, slots
from digest.store.editions.digest_changes import load_changes
from digest.store.editions.edition_loader import EditionLoader, read_batch
from digest.store.editions.encodings import overflow as rest
from digest.store.editions.encodings.items import ItemEncoder, NewItem
from digest.store.editions.encodings.overflow import Overflow
from digest.store.editions.sent_events import list_item_seqs
from digest.store.subscribers.digests import (
    ABSTRACTS_BY_VALUE,
    ARRANGEMENTS_BY_VALUE,
    CONFIGURED,
    FREQUENCIES_BY_VALUE,
    read_schedule,
)


class NewDelivery(NamedTuple):
    """A delivery to be stored. A named tuple, because a run stores hundreds of thousands.

    Attributes:
        destination: the id of the destination.
        channel: the channel of the destination.
        due_at: the earliest time to send it.
    """

    destination: int
    channel: str
    message_id: str
    due_at: datetime


class NewEdition(NamedTuple):
    """An edition to be stored. A named tuple, because a run stores hundreds of thousands.

    Attributes:
        main_query: the id of the query that most items match; 0 for none.
        dropped: the number of papers without room.
        excluded: the number of papers that exclusions removed.
        skipped: why no edition was made; "" if one was made.
    """

    digest: int
    items: Sequence[NewItem] = ()
    main_query: int = 0
    overflow: Overflow = Overflow()
    dropped: int = 0
    excluded: int = 0
    skipped: str = ""
    deliveries: tuple[NewDelivery, ...] = ()


_DigestDeliveries = tuple[int, int, Sequence[NewDelivery]]
"""A digest, the main query of its edition, and the deliveries of the edition."""


# --- storing --------------------------------------------------------------------------------------


def save_editions(
    tx: Transaction,
    run: int,
    new_editions: Iterable[NewEdition],
    batches: Sequence[Batch],
    now: datetime,
    *,
    encoder: ItemEncoder | None = None,
    is_alert: bool = False,
) -> int:
    """Store editions of a shard and their deliveries.

    Args:
        tx: a writing transaction.
        run: the id of the run.
        new_editions: the editions.
        batches: the batches of the run as they are now.
        now: the time of the editions.
        encoder: the cache of encoded texts, for callers that store many shards.
        is_alert: whether their deliveries go before others.

    Returns:
        The number of deliveries.
    """
    batches_text = _encode_json([_to_batch_json(batch) for batch in batches])
    shared_values = run, to_db(tx, now), batches_text
    encoder = encoder or ItemEncoder()
    rows: list[tuple[Any, ...]] = []
    new_deliveries: list[_DigestDeliveries] = []
    for edition in new_editions:
        texts = encoder.encode_items(edition.items), edition.overflow.to_json()
        rows.append(
            (*shared_values, edition.digest, edition.skipped, *texts, edition.dropped, edition.excluded)
        )
        new_deliveries.append((edition.digest, edition.main_query, edition.deliveries))
    if not rows:
        return 0
    insert_bulk(tx, editions, _EDITION_COLUMNS, rows)
    return _save_deliveries(tx, run, new_deliveries, is_alert=is_alert)


def _save_deliveries(
    tx: Transaction, run: int, new_deliveries: Sequence[_DigestDeliveries], *, is_alert: bool
) -> int:
    """Store the deliveries of stored editions; return their number."""
    digest_ids = [digest for digest, _, _ in new_deliveries]
    edition_ids = _load_edition_ids(tx, run, min(digest_ids), max(digest_ids))
    instants = {
        at: to_db(tx, at)
        for at in {
            delivery.due_at for _, _, edition_deliveries in new_deliveries for delivery in edition_deliveries
        }
    }
    delivery_rows = [
        (
            edition_ids[digest],
            query,
            delivery.destination,
            delivery.channel,
            instants[delivery.due_at],
            delivery.message_id,
            is_alert,
            *_UNTRIED_VALUES,
        )
        for digest, query, edition_deliveries in new_deliveries
        for delivery in edition_deliveries
    ]
    insert_bulk(tx, deliveries, _DELIVERY_COLUMNS, delivery_rows)
    return len(delivery_rows)


def _load_edition_ids(tx: Transaction, run: int, first_id: int, last_id: int) -> dict[int, int]:
    """Return the ids of the editions of a run, by digest."""
    return dict(fetch_raw_rows(tx, _select_range(), {"run": run, "low": first_id, "high": last_id}))


@cache
def _select_range() -> Select[Any]:
    is_in_range = editions.c.digest_id.between(bindparam("low"), bindparam("high"))
    return select(editions.c.digest_id, editions.c.id).where(
        editions.c.run_id == bindparam("run"), is_in_range
    )


_EDITION_COLUMNS = (
    *("run_id", "composed_at", "batches", "digest_id", "skipped"),
    *("items", "rest", "dropped", "excluded"),
)
_DELIVERY_COLUMNS = (
    *("edition_id", "main_query", "destination_id", "channel", "due_at", "message_id"),
    "is_alert",
    *("state", "paced", "lease_token", "attempts", "unknown", "answer", "blame"),
)
_UNTRIED_VALUES = ("ready", False, 0, 0, 0, "", "")


def list_composed_digests(tx: Transaction, run: int, first_id: int, last_id: int) -> frozenset[int]:
    """Return the digests of a range that have an edition in a run."""
    return frozenset(_load_edition_ids(tx, run, first_id, last_id))


def list_sent_before_move(
    tx: Transaction, slot: int, firing: Firing, digest_ids: Sequence[int]
) -> frozenset[int]:
    """Return the digests that had an edition in an earlier slot that counts for a firing of their current slot.

    An edition of the same period counts: its files and Message-IDs have the same names, so a second one would
    replace it. An
    edition of the same day by the wall clock counts if the new schedule fires once on that day.

    Args:
        tx: a transaction.
        slot: the current slot of the digests.
        firing: a firing of that slot.
        digest_ids: the digests.
    """
    if not digest_ids:
        return frozenset()
    is_same_firing = runs.c.period == firing.period
    row = tx.execute(select(slots).where(slots.c.id == slot)).one()
    if is_only_firing_of_day(read_schedule(row), firing.at):
        day = firing.period.partition("T")[0]
        by_clock = select(slots.c.id).where(slots.c.frequency.in_(sorted(WALL_CLOCK_FREQUENCIES)))
        # A range of texts can use the index on periods: U comes after T.
        is_same_firing |= runs.c.period.between(f"{day}T", f"{day}U") & runs.c.slot_id.in_(by_clock)
    return _list_composed_in(tx, is_same_firing & (runs.c.slot_id != slot), digest_ids)


def list_sent_ahead(tx: Transaction, run: Run, digest_ids: Sequence[int]) -> frozenset[int]:
    """Return the digests that had an edition of a later period in another slot.

    This happens if their earlier zone was further east, or if the clock was ahead: their next runs may reach
    that period again.

    Args:
        tx: a transaction.
        run: a run of the current slot of the digests.
        digest_ids: the digests.
    """
    if not digest_ids:
        return frozenset()
    # Periods of alerts are not times; as texts, they come after all times.
    is_later = (runs.c.period > run.period) & (runs.c.period < ALERT_PREFIX)
    return _list_composed_in(tx, is_later & (runs.c.slot_id != run.slot), digest_ids)


def _list_composed_in(
    tx: Transaction, condition: ColumnElement[bool], digest_ids: Sequence[int]
) -> frozenset[int]:
    """Return the digests of an id range that had an edition in a run that meets a condition."""
    conditions = editions.c.digest_id.between(min(digest_ids), max(digest_ids)), editions.c.skipped == ""
    sent_digests: set[int] = set()
    for chunk in split_into_chunks(tx.execute(select(runs.c.id).where(condition)).scalars().all()):
        statement = select(editions.c.digest_id).where(editions.c.run_id.in_(chunk), *conditions)
        sent_digests.update(tx.execute(statement).scalars())
    return frozenset(sent_digests)


def list_reported_missing(tx: Transaction, digest_ids: Sequence[int], since: datetime) -> dict[int, set[int]]:
    """Return the batches that editions reported as missing, by digest; digests without such reports are omitted."""
    batch_ids: dict[int, set[int]] = {}
    columns = select(editions.c.digest_id, editions.c.batches)
    statement = columns.where(editions.c.composed_at >= since, editions.c.skipped == "")
    for chunk in split_into_chunks(sorted(digest_ids)):
        for row in tx.execute(statement.where(editions.c.digest_id.in_(chunk))):
            if missing := select_noticeable(map(read_batch, row.batches)):
                batch_ids.setdefault(row.digest_id, set()).update(batch.id for batch in missing)
    return batch_ids


# --- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionSummary:
    """An edition with its digest and run, as lists show it."""

    id: int
    digest: str
    period: str
    composed_at: datetime
    skipped: str
    items: int
    rest: int


def list_summaries(tx: Transaction, *, digest: str | None, limit: int) -> tuple[EditionSummary, ...]:
    """Return the last editions, newest first, of one digest of the configuration or of all of them."""
    columns = _select_joined(editions, digests.c.name, runs.c.period)
    is_configured = digests.c.made_by == CONFIGURED
    statement = columns.where(is_configured).order_by(editions.c.id.desc()).limit(limit)
    if digest is not None:
        statement = statement.where(digests.c.name == digest)
    return tuple(
        EditionSummary(
            id=row.id,
            digest=row.name,
            period=row.period,
            composed_at=row.composed_at,
            skipped=row.skipped,
            items=len(row.items),
            rest=len(rest.list_seqs(row.rest)),
        )
        for row in tx.execute(statement)
    )


def list_own_editions(tx: Transaction, digest: int, start: int, end: int) -> tuple[OwnEdition, ...]:
    """Return editions of a digest that were not skipped, newest first.

    Args:
        tx: a transaction.
        digest: the number of the digest.
        start: the number of newer editions that are left out.
        end: the number of editions with these.
    """
    columns = _select_joined(
        *(editions.c[name] for name in ("id", "composed_at", "items", "rest")), runs.c.period
    )
    statement = columns.where(editions.c.digest_id == digest, editions.c.skipped == "")
    rows = tx.execute(statement.order_by(editions.c.id.desc()).offset(start).limit(end - start))
    return tuple(
        OwnEdition(
            id=row.id,
            composed_at=row.composed_at,
            papers=len(row.items) + len(rest.list_seqs(row.rest)),
            is_alert=row.period.startswith(ALERT_PREFIX),
        )
        for row in rows
    )


def load_editions(
    tx: Transaction, edition_ids: Iterable[int], loader: EditionLoader | None = None
) -> dict[int, Edition]:
    """Load editions with their papers, by id.

    Args:
        tx: a transaction.
        edition_ids: the ids of the editions.
        loader: the cache of decoded texts, for callers that load many editions.
    """
    loader = loader or EditionLoader()
    numbers = set(edition_ids)
    rows, changes = _fetch_rows(tx, numbers), load_changes(tx, numbers)
    edition_items = loader.load_items(tx, [row.items for row in rows])
    batches = loader.load_batches([row.batches for row in rows])
    overflows = loader.load_overflow(tx, [row.rest for row in rows], batches)
    read_instant = cache(get_instant_reader(tx))  # All editions of a run have the same time.
    return {
        row.id: _build_edition(
            row,
            read_instant(row.composed_at),
            loader.mark_late(items, edition_batches),
            overflow,
            edition_batches,
            changes=changes.get(row.id),
        )
        for row, items, overflow, edition_batches in zip(rows, edition_items, overflows, batches, strict=True)
    }


def load_without_overflow(tx: Transaction, edition_id: int) -> Edition:
    """Load an edition without its overflow, which may have twenty times as many papers."""
    (row,) = _fetch_rows(tx, [edition_id])
    loader = EditionLoader()
    (items,), (batches,) = loader.load_items(tx, [row.items]), loader.load_batches([row.batches])
    return _build_edition(
        row,
        get_instant_reader(tx)(row.composed_at),
        loader.mark_late(items, batches),
        (),
        batches,
        changes=load_changes(tx, [edition_id]).get(edition_id),
    )


class _EditionRow(NamedTuple):
    """A row of an edition; what many editions share is recognized by its text."""

    items: str
    rest: str
    batches: str
    id: int
    composed_at: Any
    dropped: int
    excluded: int
    digest: str
    title: str
    zone: str
    language: str
    abstracts: str
    arrange: str
    full: int
    period: str
    frequency: str


def _fetch_rows(tx: Transaction, edition_ids: Iterable[int]) -> list[_EditionRow]:
    rows = fetch_raw_rows(tx, _select_for_loading(), {"numbers": to_in_param(tx, edition_ids)})
    return [_EditionRow._make(row) for row in rows]


@cache
def _select_for_loading() -> Select[Any]:
    joined = _select_joined(
        *(cast(editions.c[name], Text) for name in ("items", "rest", "batches")),
        *(editions.c[name] for name in ("id", "composed_at", "dropped", "excluded")),
        *(
            digests.c[name]
            for name in ("name", "title", "timezone", "language", "abstracts", "arrange", "full")
        ),
        *(runs.c.period, slots.c.frequency),
    )
    statement: Select[Any] = joined.join(slots, slots.c.id == runs.c.slot_id).where(
        make_in_condition(editions.c.id, "numbers")
    )
    return statement


def _build_edition(
    row: _EditionRow,
    composed_at: datetime,
    items: tuple[Item, ...],
    overflow: Sequence[Item],
    batches: tuple[Batch, ...],
    *,
    changes: DigestChanges | None,
) -> Edition:
    return Edition(
        id=row.id,
        digest=row.digest,
        title=row.title,
        period=row.period,
        zone=row.zone,
        composed_at=composed_at,
        items=items,
        overflow=overflow,
        dropped=row.dropped,
        excluded=row.excluded,
        batches=batches,
        changes=changes,
        language=row.language,
        abstracts=ABSTRACTS_BY_VALUE[row.abstracts],
        arrange=ARRANGEMENTS_BY_VALUE[row.arrange],
        full=row.full,
        frequency=FREQUENCIES_BY_VALUE[row.frequency],
    )


def find_newest(tx: Transaction, digest_ids: Iterable[int]) -> dict[int, tuple[int, datetime]]:
    """Return id and time of the last edition of digests; digests without editions are omitted."""
    last = (
        select(editions.c.id)
        .where(editions.c.digest_id == digests.c.id, editions.c.skipped == "")
        .order_by(editions.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    editions_by_digest: dict[int, tuple[int, datetime]] = {}
    for chunk in split_into_chunks(sorted(digest_ids)):
        newest_ids = select(last.label("id")).where(digests.c.id.in_(chunk)).subquery()
        columns = select(editions.c.digest_id, editions.c.id, editions.c.composed_at)
        rows = tx.execute(columns.join(newest_ids, newest_ids.c.id == editions.c.id))
        editions_by_digest.update({row.digest_id: (row.id, row.composed_at) for row in rows})
    return editions_by_digest


def load_last(
    tx: Transaction, digest: int, limit: int, loader: EditionLoader | None = None
) -> tuple[Edition, ...]:
    """Load the last editions of a digest, newest first."""
    statement = (
        select(editions.c.id)
        .where(editions.c.digest_id == digest, editions.c.skipped == "")
        .order_by(editions.c.id.desc())
        .limit(limit)
    )
    edition_ids = list(tx.execute(statement).scalars())
    loaded = load_editions(tx, edition_ids, loader)
    return tuple(loaded[number] for number in edition_ids)


def list_composed(tx: Transaction, digest: int) -> list[tuple[int, str]]:
    """Return all editions of a digest, oldest first, as pairs of id and period."""
    columns = select(editions.c.id, runs.c.period).join(runs, runs.c.id == editions.c.run_id)
    statement = columns.where(editions.c.digest_id == digest, editions.c.skipped == "")
    return [(row.id, row.period) for row in tx.execute(statement.order_by(editions.c.id))]


class EventPlacement(NamedTuple):
    """The place of an event in an edition.

    Attributes:
        edition: the id of the edition.
        place: ``items`` or ``rest``, the columns; the latter is the overflow.
        number: the number of the paper in the edition, from 1; the overflow continues the numbers of the
            items.
        is_alert: whether the edition was an alert.
    """

    edition: int
    place: str
    number: int
    is_alert: bool


def list_placements(tx: Transaction, digest: int, seqs: Iterable[int]) -> tuple[EventPlacement, ...]:
    """Return the places of events in the editions of a digest, oldest edition first."""
    requested = set(seqs)
    columns = select(editions, runs.c.period).join(runs, runs.c.id == editions.c.run_id)
    statement = columns.where(editions.c.digest_id == digest).order_by(editions.c.id)
    placements = []
    for row in tx.execute(statement):
        places = [("items", seq) for seq in list_item_seqs(row)]
        places += [("rest", seq) for seq in rest.list_seqs_in_order(row.rest)]
        is_alert = row.period.startswith(ALERT_PREFIX)
        placements += [
            EventPlacement(row.id, place, number, is_alert)
            for number, (place, seq) in enumerate(places, start=1)
            if seq in requested
        ]
    return tuple(placements)


class LastWindow(NamedTuple):
    """The window of the last edition of a digest.

    Attributes:
        edition: the id of the edition.
        to_seq: the last event of the window.
        dropped: the number of papers without room.
    """

    edition: int
    to_seq: int
    dropped: int


def find_last_window(tx: Transaction, digest: int) -> LastWindow | None:
    """Return the window of the last edition of a digest, without alerts; None before the first edition."""
    statement = (
        select(editions.c.id, runs.c.to_seq, editions.c.dropped)
        .join(runs, runs.c.id == editions.c.run_id)
        .where(
            editions.c.digest_id == digest, editions.c.skipped == "", ~runs.c.period.startswith(ALERT_PREFIX)
        )
    )
    row = tx.execute(statement.order_by(editions.c.id.desc()).limit(1)).first()
    return LastWindow(*row) if row else None


def _select_joined(*columns: Any) -> Any:
    return (
        select(*columns)
        .join(digests, digests.c.id == editions.c.digest_id)
        .join(runs, runs.c.id == editions.c.run_id)
    )


# --- JSON -----------------------------------------------------------------------------------------


def _encode_json(value: list[dict[str, Any]]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _to_batch_json(batch: Batch) -> dict[str, Any]:
    return {
        "id": batch.id,
        "source": batch.source,
        "section": batch.section,
        "day": batch.day.isoformat(),
        "state": batch.state.value,
        "due_at": batch.due_at.isoformat(),
        "expected": batch.expected,
        "received": batch.received,
        "late": batch.late,
        "asked_at": batch.asked_at.isoformat() if batch.asked_at else None,
        "answered_at": batch.answered_at.isoformat() if batch.answered_at else None,
        "failure": batch.failure or "",
        "fills": batch.fills,
        "usual": batch.usual,
    }
