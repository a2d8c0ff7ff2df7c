"""What editions tell their readers of changes of the digest itself, each change once.

What has changed in a copy of a public digest is noted with the copy (``store/subscribers/public_digests.py``).
The next edition that goes to its reader takes the note in the transaction that stores the edition. So it is
told once, and every later look at that edition shows the same.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import Row, Select, Text, cast, func, insert, select, update

from digest.model import DigestChanges, Frequency, Schedule
from digest.store.database.dialect import (
    fetch_raw_rows,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, edition_changes, editions, slots
from digest.store.subscribers.digests import read_schedule
from digest.store.subscribers.public_digests import SCHEDULE


def tell_changes(tx: Transaction, run_id: int, digest_ids: Collection[int]) -> None:
    """Have the editions of a run tell what has changed in their digests.

    A note that another transaction is writing waits for the next edition.

    Args:
        tx: the transaction that has stored the editions.
        run_id: the id of the run.
        digest_ids: the digests whose editions go to a reader.
    """
    if not digest_ids:
        return
    own_slot = func.coalesce(digests.c.next_slot_id, digests.c.slot_id)
    statement = (
        select(digests.c.id, digests.c.change_note, *_SCHEDULE_COLUMNS)
        .join(slots, slots.c.id == own_slot)
        .where(
            digests.c.id.between(min(digest_ids), max(digest_ids)),
            digests.c.change_note.is_not(None),
        )
        .with_for_update(of=digests, key_share=True, skip_locked=True)
    )
    own_ids = frozenset(digest_ids)
    changes = {row.id: _make_json(row) for row in tx.execute(statement) if row.id in own_ids}
    for chunk in split_into_chunks(sorted(changes)):
        tx.execute(update(digests).where(digests.c.id.in_(chunk)).values(change_note=None))
        is_theirs = (editions.c.run_id == run_id) & editions.c.digest_id.in_(chunk)
        stored = tx.execute(select(editions.c.digest_id, editions.c.id).where(is_theirs)).all()
        rows = [{"edition_id": row.id, "changes": changes[row.digest_id]} for row in stored]
        tx.execute(insert(edition_changes), rows)


_SCHEDULE_COLUMNS = tuple(slots.c[name] for name in ("frequency", "zone", "at", "days", "every", "latest"))


def load_changes(tx: Transaction, edition_ids: Collection[int]) -> dict[int, DigestChanges]:
    """Load what editions tell of their digests, by edition; most tell nothing and are omitted."""
    rows = fetch_raw_rows(tx, _select_changes(), {"numbers": to_in_param(tx, edition_ids)})
    return {edition_id: _read_changes(text) for edition_id, text in rows}


@cache
def _select_changes() -> Select[Any]:
    columns = edition_changes.c.edition_id, cast(edition_changes.c.changes, Text)
    statement: Select[Any] = select(*columns).where(
        make_in_condition(edition_changes.c.edition_id, "numbers")
    )
    return statement


# --- JSON -----------------------------------------------------------------------------------------

_LISTS = tuple(field.name for field in fields(DigestChanges) if field.name not in {"options", "schedule"})


def _make_json(row: Row[Any]) -> dict[str, Any]:
    """Return what an edition tells, from the note of its digest and the row of the digest's slot."""
    return dict(_list_entries(row.change_note, read_schedule(row)))


def _list_entries(note: Mapping[str, Any], schedule: Schedule) -> Iterator[tuple[str, Any]]:
    yield from ((name, note[name]) for name in _LISTS if note.get(name))
    if options := [name for name in note["options"] if name != SCHEDULE]:
        yield "options", options
    if SCHEDULE in note["options"]:
        yield (
            "schedule",
            {
                "frequency": schedule.frequency.value,
                "zone": schedule.zone,
                "at": schedule.at,
                "days": schedule.days,
                "every": schedule.every,
            },
        )


@lru_cache(maxsize=256)
def _read_changes(text: str) -> DigestChanges:
    """Read stored changes; cached, because the copies of a public digest share them."""
    stored = json.loads(text)
    lists = {name: tuple(stored.get(name, ())) for name in (*_LISTS, "options")}
    return DigestChanges(**lists, schedule=_read_schedule(stored.get("schedule")))


def _read_schedule(stored: Mapping[str, Any] | None) -> Schedule | None:
    if stored is None:
        return None
    frequency, days = Frequency(stored["frequency"]), tuple(stored["days"])
    return Schedule(
        frequency=frequency, zone=stored["zone"], at=stored["at"], days=days, every=stored["every"]
    )
