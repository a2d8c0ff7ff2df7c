"""When digests are due next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select

from digest.core.times.schedule import Firing, last_firing, next_firing
from digest.store.database.digest_tables import digests, slots
from digest.store.database.engine import Transaction
from digest.store.editions.editions import told_before_move
from digest.store.subscribers.digests import ACTIVE, schedule_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """When a digest is due next, and the zone that its reader lives by.

    Attributes:
        omitted_at: its schedule fires before, at this time, and no edition is made then, because the digest has had one
            on that day by an earlier schedule; None otherwise.
    """

    at: datetime
    digest: str
    zone: str
    omitted_at: datetime | None = None


def find_coming(tx: Transaction, most: int | None = None) -> tuple[Coming, ...]:
    """When digests of the file are due next, the earliest first; all of them, or so many."""
    postponed = _postponed(tx)
    first = _DUE.where(_is_coming()).limit(None if most is None else most + len(postponed))
    found = [_coming(row, postponed) for row in tx.execute(first)]
    return tuple(sorted(found, key=lambda one: (one.at, one.digest))[:most])


def find_coming_of(tx: Transaction, digest: int) -> Coming | None:
    """When a digest of the file is due next; None for one that is not due at any time."""
    row = tx.execute(_DUE.where(_is_coming(), digests.c.id == digest)).one_or_none()
    return _coming(row, _postponed(tx, digest)) if row else None


def count_coming(tx: Transaction) -> int:
    """How many digests of the file are due at some time."""
    count = select(func.count()).select_from(slots).join(digests, digests.c.slot_id == slots.c.id)
    return int(tx.execute(count.where(_is_coming())).scalar_one())


_DUE = (
    select(digests.c.id, slots.c.next_fire_at, digests.c.name, digests.c.zone)
    .select_from(slots.join(digests, digests.c.slot_id == slots.c.id))
    .order_by(slots.c.next_fire_at, digests.c.name)
)


def _coming(row: Any, postponed: Mapping[int, datetime]) -> Coming:
    number, at, name, zone = row
    later = postponed.get(number)
    return Coming(at=later or at, digest=name, zone=zone, omitted_at=at if later else None)


def _is_coming() -> ColumnElement[bool]:
    return and_(slots.c.next_fire_at.is_not(None), digests.c.state == ACTIVE, digests.c.made_by == "config")


def _postponed(tx: Transaction, digest: int | None = None) -> dict[int, datetime]:
    """The digests that get no edition at the next firing of their slot, and when they are due after it; all, or one."""
    # Who came from another slot has a place of its own until its first edition here.
    moved = select(slots.c.id, digests.c.id).join(digests, digests.c.slot_id == slots.c.id)
    if digest is not None:
        moved = moved.where(digests.c.id == digest)
    rows = tx.execute(moved.where(_is_coming(), digests.c.from_seq.is_not(None)).order_by(slots.c.id)).all()
    found: dict[int, datetime] = {}
    for number, group in groupby(rows, key=lambda row: int(row[0])):
        slot = tx.execute(select(slots).where(slots.c.id == number)).one()
        schedule = schedule_of(slot)
        firing, following = last_firing(schedule, slot.next_fire_at), next_firing(schedule, slot.next_fire_at)
        if firing is None or following is None:
            continue
        due = Firing(period=firing.period, at=slot.next_fire_at)
        told = told_before_move(tx, number, due, [one for _, one in group])
        found.update(dict.fromkeys(told, following.at))
    return found
