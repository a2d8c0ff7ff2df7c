"""Editions: their items with reasons, and what they told of completeness."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, Text, bindparam, cast, func, select

from digest.core.editions.compose import Told, WhatIsTold
from digest.core.fetching.shortfall import noticeable
from digest.core.times.schedule import WALL_CLOCKS, Firing, is_only_of_its_day
from digest.model import ALERT, Batch, Edition, EventKind, Item, PaperKey
from digest.store.database.dialect import all_as_kept, among, as_instant, as_kept, chunks, fill, rows_as_kept
from digest.store.database.digest_tables import deliveries, digests, editions, runs, slots
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import events, papers
from digest.store.editions import items
from digest.store.editions import overflow as rest
from digest.store.editions.edition_loader import Known, batch_of
from digest.store.editions.overflow import Rest
from digest.store.subscribers.digests import ABSTRACTS, FREQUENCIES, schedule_of


class NewDelivery(NamedTuple):
    """A way that an edition goes; a run has hundreds of thousands.

    Attributes:
        destination: its number.
        channel: the destination's.
        due_at: not before it.
    """

    destination: int
    channel: str
    message_id: str
    due_at: datetime


class NewEdition(NamedTuple):
    """An edition to be kept; a run has hundreds of thousands.

    Attributes:
        items: as texts.
        main_query: the number of the query that most items are there for; 0 for none.
        skipped: why it was not made; "" if it was.
    """

    digest: int
    items: Sequence[str] = ()
    main_query: int = 0
    rest: Rest = Rest()
    dropped: int = 0
    excluded: int = 0
    skipped: str = ""
    deliveries: tuple[NewDelivery, ...] = ()


# --- keeping --------------------------------------------------------------------------------------


def keep(
    tx: Transaction,
    run: int,
    made: Iterable[NewEdition],
    batches: Sequence[Batch],
    now: datetime,
) -> int:
    """Keep a shard's editions, each written as soon as it is made, and make their deliveries.

    Args:
        tx: a writing transaction.
        run: their run's number.
        made: the editions.
        batches: what is told of completeness.
        now: their time.

    Returns:
        How many deliveries were made.
    """
    told = _written([_batch_json(batch) for batch in batches])
    same = run, as_kept(tx, now), told
    rows: list[tuple[Any, ...]] = []
    ways: list[tuple[int, int, Sequence[NewDelivery]]] = []
    for one in made:
        texts = items.written(one.items), one.rest.written()
        rows.append((*same, one.digest, one.skipped, *texts, one.dropped, one.excluded))
        ways.append((one.digest, one.main_query, one.deliveries))
    if not rows:
        return 0
    fill(tx, editions, _EDITION, rows)
    digest_ids = [digest for digest, _, _ in ways]
    numbers = _made_as(tx, run, min(digest_ids), max(digest_ids))
    instants = {at: as_kept(tx, at) for at in {way.due_at for _, _, each in ways for way in each}}
    due = [
        (
            numbers[digest],
            query,
            way.destination,
            way.channel,
            instants[way.due_at],
            way.message_id,
            *_UNTRIED,
        )
        for digest, query, each in ways
        for way in each
    ]
    fill(tx, deliveries, _DELIVERY, due)
    return len(due)


def _made_as(tx: Transaction, run: int, low: int, high: int) -> dict[int, int]:
    """The numbers of editions of a run, by digest."""
    return dict(rows_as_kept(tx, _of_range(), {"run": run, "low": low, "high": high}))


@cache
def _of_range() -> Select[Any]:
    mine = editions.c.digest_id.between(bindparam("low"), bindparam("high"))
    return select(editions.c.digest_id, editions.c.id).where(editions.c.run_id == bindparam("run"), mine)


_EDITION = (
    *("run_id", "composed_at", "batches", "digest_id", "skipped"),
    *("items", "rest", "dropped", "excluded"),
)
_DELIVERY = (
    *("edition_id", "main_query", "destination_id", "channel", "due_at", "message_id"),
    *("state", "paced", "lease_token", "attempts", "unknown", "answer", "blame"),
)
_UNTRIED = ("ready", False, 0, 0, 0, "", "")


def composed(tx: Transaction, run: int, low: int, high: int) -> frozenset[int]:
    """Which digests numbered from one number to another have their edition of a run already."""
    return frozenset(_made_as(tx, run, low, high))


def told_before_move(tx: Transaction, slot: int, firing: Firing, digest_ids: Sequence[int]) -> frozenset[int]:
    """Which digests that came from another slot have had an edition there already that stands for a firing's.

    One of the same period does, for files and Message-IDs are named by that: a second one would take the first one's
    place. So does one of the same day, by the wall clock, where the new schedule fires once that day.

    Args:
        tx: a transaction.
        slot: that they are in now.
        firing: of that slot.
        digest_ids: the digests.
    """
    if not digest_ids:
        return frozenset()
    same = runs.c.period == firing.period
    row = tx.execute(select(slots).where(slots.c.id == slot)).one()
    if is_only_of_its_day(schedule_of(row), firing.at):
        day = firing.period.partition("T")[0]
        by_clock = select(slots.c.id).where(slots.c.frequency.in_(sorted(WALL_CLOCKS)))
        # As a range of texts, for which there is an index: U comes after T.
        same |= runs.c.period.between(f"{day}T", f"{day}U") & runs.c.slot_id.in_(by_clock)
    others = select(runs.c.id).where(same, runs.c.slot_id != slot)
    mine = editions.c.digest_id.between(min(digest_ids), max(digest_ids)), editions.c.skipped == ""
    found: set[int] = set()
    for chunk in chunks(tx.execute(others).scalars().all()):
        had = select(editions.c.digest_id).where(editions.c.run_id.in_(chunk), *mine)
        found.update(tx.execute(had).scalars())
    return frozenset(found)


_MADE = select(editions.c.digest_id, editions.c["items"], editions.c.rest).where(editions.c.skipped == "")
"""What editions hold that were made."""


def told(
    tx: Transaction, digest_ids: Sequence[int], since: datetime, *, but_alerts: bool = False
) -> dict[int, Told]:
    """What digests have told in their editions since an instant, `rest` included; but for their alerts, if so wanted."""
    if not digest_ids:
        return {}
    statement = _MADE.where(editions.c.digest_id.in_(digest_ids), editions.c.composed_at >= since)
    if but_alerts:
        alerts = select(runs.c.id).where(runs.c.period.startswith(ALERT))
        statement = statement.where(editions.c.run_id.not_in(alerts))
    return _told(tx, tx.execute(statement).all())


def told_in_runs(tx: Transaction, digest_ids: Sequence[int], run_ids: Sequence[int]) -> dict[int, Told]:
    """What digests have told in their editions of some runs, `rest` included."""
    statement = _MADE.where(editions.c.digest_id.between(min(digest_ids), max(digest_ids)))
    among_digests = frozenset(digest_ids)
    rows = [
        row
        for chunk in chunks(run_ids)
        for row in tx.execute(statement.where(editions.c.run_id.in_(chunk)))
        if row.digest_id in among_digests
    ]
    return _told(tx, rows)


def _told(tx: Transaction, rows: Sequence[Any]) -> dict[int, Told]:
    what = tellings(tx, {seq for row in rows for seq in seqs_of(row)})
    found: dict[int, set[WhatIsTold]] = {}
    for row in rows:
        seen = found.setdefault(row.digest_id, set())
        seen.update(what[seq] for seq in seqs_of(row))
    return {digest: frozenset(seen) for digest, seen in found.items()}


def told_behind(tx: Transaction, begun: Mapping[int, int]) -> list[tuple[int, int, list[int]]]:
    """What digests told of windows that reach behind a place, their alerts left out.

    Args:
        tx: a transaction.
        begun: the place of each digest.

    Returns:
        Digest, where the window ends, and the events told.
    """
    found: list[tuple[int, int, list[int]]] = []
    alerts = runs.c.period.startswith(ALERT)
    mine = _MADE.add_columns(runs.c.to_seq).join(runs, runs.c.id == editions.c.run_id).where(~alerts)
    for chunk in chunks(sorted(begun)):
        lowest = min(begun[digest] for digest in chunk)
        these = mine.where(editions.c.digest_id.in_(chunk), runs.c.to_seq > lowest)
        found += [
            (row.digest_id, row.to_seq, seqs_of(row))
            for row in tx.execute(these)
            if row.to_seq > begun[row.digest_id]
        ]
    return found


def tellings(tx: Transaction, seqs: Iterable[int]) -> dict[int, WhatIsTold]:
    """What events tell: of papers that are one it is the root, whichever of them it was then."""
    found: dict[int, WhatIsTold] = {}
    roots = papers.alias()
    for chunk in chunks(sorted(seqs)):
        about = (
            select(events.c.seq, events.c.kind, events.c.number, roots.c.key)
            .join(papers, papers.c.id == events.c.paper_id)
            .join(roots, roots.c.id == func.coalesce(papers.c.merged_into, papers.c.id))
            .where(events.c.seq.in_(chunk))
        )
        for event in tx.execute(about):
            found[event.seq] = (PaperKey(event.key), EventKind(event.kind), event.number)
    return found


def missing_told(tx: Transaction, digest_ids: Sequence[int], since: datetime) -> dict[int, set[int]]:
    """The batches of which digests have already warned that they were missing; nothing for who warned of none."""
    found: dict[int, set[int]] = {}
    columns = select(editions.c.digest_id, editions.c.batches)
    made = columns.where(editions.c.composed_at >= since, editions.c.skipped == "")
    for chunk in chunks(sorted(digest_ids)):
        for row in tx.execute(made.where(editions.c.digest_id.in_(chunk))):
            if gone := noticeable(map(batch_of, row.batches)):
                found.setdefault(row.digest_id, set()).update(batch.id for batch in gone)
    return found


# --- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An edition, its digest and run, as lists show them."""

    id: int
    digest: str
    period: str
    composed_at: datetime
    skipped: str
    items: int
    rest: int


def entries(tx: Transaction, *, digest: str | None, most: int) -> tuple[Entry, ...]:
    """The last editions, the newest first; of one digest, or of all."""
    shown = _joined(editions, digests.c.name, runs.c.period)
    statement = shown.order_by(editions.c.id.desc()).limit(most)
    if digest is not None:
        statement = statement.where(digests.c.name == digest)
    return tuple(
        Entry(
            id=row.id,
            digest=row.name,
            period=row.period,
            composed_at=row.composed_at,
            skipped=row.skipped,
            items=len(row.items),
            rest=len(rest.seqs(row.rest)),
        )
        for row in tx.execute(statement)
    )


def load(tx: Transaction, numbers: Iterable[int], known: Known | None = None) -> dict[int, Edition]:
    """Editions by number, with their papers.

    Args:
        tx: a transaction.
        numbers: of the editions.
        known: what was read before; for who loads many.
    """
    known = known or Known()
    rows = _rows(tx, numbers)
    told = known.items(tx, [row.items for row in rows])
    batches = known.batches([row.batches for row in rows])
    rests = known.rests(tx, [row.rest for row in rows], batches)
    instant = cache(as_instant(tx))  # those of a run were composed together
    return {
        row.id: _edition(row, instant(row.composed_at), known.mark_late(shown, accounts), more, accounts)
        for row, shown, more, accounts in zip(rows, told, rests, batches, strict=True)
    }


def load_in_full(tx: Transaction, number: int) -> Edition:
    """An edition with the papers alone that it shows in full: its rest may be twenty times as many."""
    (row,) = _rows(tx, [number])
    known = Known()
    (shown,), (batches,) = known.items(tx, [row.items]), known.batches([row.batches])
    return _edition(row, as_instant(tx)(row.composed_at), known.mark_late(shown, batches), (), batches)


class _Row(NamedTuple):
    """An edition as the database has it; what many have in common is known again by its text."""

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
    period: str
    frequency: str


def _rows(tx: Transaction, numbers: Iterable[int]) -> list[_Row]:
    found = rows_as_kept(tx, _to_load(), {"numbers": all_as_kept(tx, set(numbers))})
    return [_Row._make(row) for row in found]


@cache
def _to_load() -> Select[Any]:
    texts = [cast(editions.c[name], Text) for name in ("items", "rest", "batches")]
    own = editions.c.id, editions.c.composed_at, editions.c.dropped, editions.c.excluded
    whose = digests.c.name, digests.c.title, digests.c.zone, digests.c.language, digests.c.abstracts
    found = _joined(*texts, *own, *whose, runs.c.period, slots.c.frequency)
    these: Select[Any] = found.join(slots, slots.c.id == runs.c.slot_id).where(
        among(editions.c.id, "numbers")
    )
    return these


def _edition(
    row: _Row,
    composed_at: datetime,
    shown: tuple[Item, ...],
    more: Sequence[Item],
    batches: tuple[Batch, ...],
) -> Edition:
    return Edition(
        id=row.id,
        digest=row.digest,
        title=row.title,
        period=row.period,
        zone=row.zone,
        composed_at=composed_at,
        items=shown,
        rest=more,
        dropped=row.dropped,
        excluded=row.excluded,
        batches=batches,
        language=row.language,
        abstracts=ABSTRACTS[row.abstracts],
        frequency=FREQUENCIES[row.frequency],
    )


def newest(tx: Transaction, digest_ids: Iterable[int]) -> dict[int, tuple[int, datetime]]:
    """Number and time of the last edition that was made, by digest; those without are left out."""
    last = (
        select(editions.c.id)
        .where(editions.c.digest_id == digests.c.id, editions.c.skipped == "")
        .order_by(editions.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    found: dict[int, tuple[int, datetime]] = {}
    for chunk in chunks(sorted(digest_ids)):
        these = select(last.label("id")).where(digests.c.id.in_(chunk)).subquery()
        shown = select(editions.c.digest_id, editions.c.id, editions.c.composed_at)
        rows = tx.execute(shown.join(these, these.c.id == editions.c.id))
        found.update({row.digest_id: (row.id, row.composed_at) for row in rows})
    return found


def last_of(tx: Transaction, digest: int, most: int, known: Known | None = None) -> tuple[Edition, ...]:
    """The last editions of a digest that were made, the newest first."""
    statement = (
        select(editions.c.id)
        .where(editions.c.digest_id == digest, editions.c.skipped == "")
        .order_by(editions.c.id.desc())
        .limit(most)
    )
    numbers = list(tx.execute(statement).scalars())
    found = load(tx, numbers, known)
    return tuple(found[number] for number in numbers)


def made(tx: Transaction, digest: int) -> list[tuple[int, str]]:
    """All editions of a digest that were made, the oldest first: number and period."""
    mine = select(editions.c.id, runs.c.period).join(runs, runs.c.id == editions.c.run_id)
    statement = mine.where(editions.c.digest_id == digest, editions.c.skipped == "")
    return [(row.id, row.period) for row in tx.execute(statement.order_by(editions.c.id))]


class Standing(NamedTuple):
    """Where an event was told.

    Attributes:
        edition: its number.
        place: ``items`` or ``rest``.
        number: of the paper in the edition, from 1; those of the rest go on counting.
        is_alert: the edition was an alert.
    """

    edition: int
    place: str
    number: int
    is_alert: bool


def telling(tx: Transaction, digest: int, seqs: Iterable[int]) -> tuple[Standing, ...]:
    """Where events were told in editions of a digest, the oldest edition first."""
    wanted = set(seqs)
    mine = select(editions, runs.c.period).join(runs, runs.c.id == editions.c.run_id)
    statement = mine.where(editions.c.digest_id == digest).order_by(editions.c.id)
    found = []
    for row in tx.execute(statement):
        told = [("items", seq) for seq in _items_seqs(row)]
        told += [("rest", seq) for seq in rest.seqs_in_order(row.rest)]
        is_alert = row.period.startswith(ALERT)
        found += [
            Standing(row.id, place, number, is_alert)
            for number, (place, seq) in enumerate(told, start=1)
            if seq in wanted
        ]
    return tuple(found)


class LastWindow(NamedTuple):
    """How far the last edition of a digest could have told.

    Attributes:
        edition: its number.
        to_seq: its window ends with this event.
        dropped: how many papers had no room in it.
    """

    edition: int
    to_seq: int
    dropped: int


def last_window(tx: Transaction, digest: int) -> LastWindow | None:
    """The window of the last edition of a digest that was made, its alerts left out; None before the first."""
    mine = (
        select(editions.c.id, runs.c.to_seq, editions.c.dropped)
        .join(runs, runs.c.id == editions.c.run_id)
        .where(editions.c.digest_id == digest, editions.c.skipped == "", ~runs.c.period.startswith(ALERT))
    )
    row = tx.execute(mine.order_by(editions.c.id.desc()).limit(1)).first()
    return LastWindow(*row) if row else None


def seqs_of(row: Any) -> list[int]:
    """The events that an edition told, those of its rest included; of a row with both."""
    return [*_items_seqs(row), *rest.seqs(row.rest)]


def _items_seqs(row: Any) -> list[int]:
    return [entry["seq"] for entry in row.items]


def _joined(*columns: Any) -> Any:
    return (
        select(*columns)
        .join(digests, digests.c.id == editions.c.digest_id)
        .join(runs, runs.c.id == editions.c.run_id)
    )


# --- as JSON --------------------------------------------------------------------------------------


def _written(value: list[dict[str, Any]]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _batch_json(batch: Batch) -> dict[str, Any]:
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
