"""Digests that a subscriber made on the site."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, func, select

from digest.core.subscribers.own_digest import OwnDigest, OwnDigestState
from digest.model import Frequency
from digest.store.database.digest_tables import destinations, digests, slots
from digest.store.database.engine import Transaction
from digest.store.subscribers.digests import (
    ENDED,
    MADE_ON_SITE,
    PAUSED,
    RESTING,
    STOPPED,
    SUPPRESSED,
    read_schedule,
)


def list_own_digests(tx: Transaction, subscriber: int) -> tuple[OwnDigest, ...]:
    """Return the digests of a subscriber that have not ended, oldest first."""
    present = slots.alias("present")
    statement = (
        select(
            slots,
            present.c.frequency.label("present_frequency"),
            digests.c.title,
            digests.c.timezone,
            digests.c.state.label("digest_state"),
            digests.c.paused_until,
            destinations.c.id.label("destination"),
            destinations.c.state.label("destination_state"),
        )
        .select_from(digests)
        .join(slots, slots.c.id == func.coalesce(digests.c.next_slot_id, digests.c.slot_id))
        .join(present, present.c.id == digests.c.slot_id)
        .join(destinations, destinations.c.digest_id == digests.c.id)
        .where(
            digests.c.subscriber_id == subscriber,
            digests.c.made_by == MADE_ON_SITE,
            digests.c.state != ENDED,
            destinations.c.state != ENDED,
        )
        .order_by(digests.c.id, destinations.c.id)
    )
    return tuple(map(_build_own_digest, tx.execute(statement)))


def _build_own_digest(row: Row[Any]) -> OwnDigest:
    return OwnDigest(
        destination=row.destination,
        title=row.title,
        zone=row.timezone,
        schedule=read_schedule(row),
        state=_find_state(row),
        paused_until=row.paused_until,
        is_new=row.present_frequency == Frequency.ONCE.value,
    )


def _find_state(row: Row[Any]) -> OwnDigestState:
    if row.destination_state == STOPPED:
        return OwnDigestState.UNSUBSCRIBED
    if row.destination_state in {RESTING, SUPPRESSED}:
        return OwnDigestState.BOUNCED
    return OwnDigestState.PAUSED if row.digest_state == PAUSED else OwnDigestState.ACTIVE
