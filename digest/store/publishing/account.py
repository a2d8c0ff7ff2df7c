"""A digest as whoever gets it manages it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from digest.model import Schedule
from digest.store.database.digest_tables import destinations, digests, slots
from digest.store.database.engine import Transaction
from digest.store.publishing.web_queries import ShownDigest, shown_digest
from digest.store.subscribers.digests import Digest, digests_numbered, schedule_of
from digest.store.subscribers.subscribers import Subscriber, subscriber


@dataclass(frozen=True, slots=True, kw_only=True)
class Managed:
    """A digest that goes to a destination.

    Attributes:
        subscriber: who gets it there.
        shown: the digest as the web shows it.
        digest: what it follows and how it stands; None where it has ended.
        schedule: by which it goes on.
    """

    subscriber: Subscriber
    shown: ShownDigest
    digest: Digest | None
    schedule: Schedule


def managed(tx: Transaction, destination: int) -> Managed | None:
    """The digest that goes to a destination; None where there is no such destination."""
    who = subscriber(tx, destination)
    number = tx.execute(select(destinations.c.digest_id).where(destinations.c.id == destination)).scalar()
    seen = shown_digest(tx, number) if number is not None else None
    if who is None or seen is None:
        return None
    (standing, *_) = (*digests_numbered(tx, [seen.id]), None)
    slot = func.coalesce(digests.c.next_slot_id, digests.c.slot_id)
    row = tx.execute(select(slots).join(digests, slots.c.id == slot).where(digests.c.id == seen.id)).one()
    return Managed(subscriber=who, shown=seen, digest=standing, schedule=schedule_of(row))
