"""When the next editions of digests are due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select

from digest.core.times.schedule import Firing, find_last_firing, find_next_firing
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, slots
from digest.store.editions.editions import list_sent_before_move
from digest.store.subscribers.digests import ACTIVE, CONFIGURED, read_schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingEdition:
    """When a digest is due next, in which zone, and whether an earlier firing makes no edition.

    Attributes:
        omitted_at: the time of an earlier firing for which no edition is made, because the digest had one on
            that day by its
            previous schedule; None if there is none.
    """

    at: datetime
    digest: str
    zone: str
    omitted_at: datetime | None = None


def find_upcoming(tx: Transaction, limit: int | None = None) -> tuple[UpcomingEdition, ...]:
    """Return when the digests of the configuration are due next, earliest first; at most ``limit`` of them."""
    postponed = _load_postponed(tx)
    statement = _SELECT_DUE.where(_is_upcoming()).limit(None if limit is None else limit + len(postponed))
    upcoming = [_build_upcoming(row, postponed) for row in tx.execute(statement)]
    return tuple(sorted(upcoming, key=lambda edition: (edition.at, edition.digest))[:limit])


def find_upcoming_of(tx: Transaction, digest: int) -> UpcomingEdition | None:
    """Return when a digest of the configuration is due next; None if it is not due at any time."""
    row = tx.execute(_SELECT_DUE.where(_is_upcoming(), digests.c.id == digest)).one_or_none()
    return _build_upcoming(row, _load_postponed(tx, digest)) if row else None


def count_upcoming(tx: Transaction) -> int:
    """Return the number of digests of the configuration that are due at some time."""
    count = select(func.count()).select_from(slots).join(digests, digests.c.slot_id == slots.c.id)
    return int(tx.execute(count.where(_is_upcoming())).scalar_one())


_SELECT_DUE = (
    select(digests.c.id, slots.c.next_fire_at, digests.c.name, digests.c.timezone)
    .select_from(slots.join(digests, digests.c.slot_id == slots.c.id))
    .order_by(slots.c.next_fire_at, digests.c.name)
)


def _build_upcoming(row: Any, postponed: Mapping[int, datetime]) -> UpcomingEdition:
    digest_id, fire_at, name, zone = row
    postponed_to = postponed.get(digest_id)
    return UpcomingEdition(
        at=postponed_to or fire_at, digest=name, zone=zone, omitted_at=fire_at if postponed_to else None
    )


def _is_upcoming() -> ColumnElement[bool]:
    return and_(slots.c.next_fire_at.is_not(None), digests.c.state == ACTIVE, digests.c.made_by == CONFIGURED)


def _load_postponed(tx: Transaction, digest: int | None = None) -> dict[int, datetime]:
    """Return the digests that get no edition at the next firing of their slot, and when they are due after it."""
    # A digest from another slot has its own position until its editions here are later than those there.
    statement = select(slots.c.id, digests.c.id).join(digests, digests.c.slot_id == slots.c.id)
    if digest is not None:
        statement = statement.where(digests.c.id == digest)
    rows = tx.execute(
        statement.where(_is_upcoming(), digests.c.from_seq.is_not(None)).order_by(slots.c.id)
    ).all()
    due_by_digest: dict[int, datetime] = {}
    for slot_id, group in groupby(rows, key=lambda row: int(row[0])):
        slot = tx.execute(select(slots).where(slots.c.id == slot_id)).one()
        schedule = read_schedule(slot)
        firing, following = (
            find_last_firing(schedule, slot.next_fire_at),
            find_next_firing(schedule, slot.next_fire_at),
        )
        if firing is None or following is None:
            continue
        due_firing = Firing(period=firing.period, at=slot.next_fire_at)
        sent_digests = list_sent_before_move(tx, slot_id, due_firing, [digest_id for _, digest_id in group])
        due_by_digest.update(dict.fromkeys(sent_digests, following.at))
    return due_by_digest
