"""Digest with everything that its reader's account page shows."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from digest.model import Schedule
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import destinations, digests, slots
from digest.store.publishing.web_queries import WebDigest, load_web_digest
from digest.store.subscribers.digests import Digest, load_digests_by_id, read_schedule
from digest.store.subscribers.subscribers import Subscriber, find_subscriber


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagedDigest:
    """Digest of a destination.

    Attributes:
        subscriber: the destination.
        web_digest: the digest as web pages show it.
        digest: its follows and state; None if it has ended.
        schedule: the schedule by which it continues.
    """

    subscriber: Subscriber
    web_digest: WebDigest
    digest: Digest | None
    schedule: Schedule


def find_digest_id(tx: Transaction, destination: int) -> int | None:
    """Return the number of the digest of a destination; None if there is no such destination."""
    digest_id: int | None = tx.execute(
        select(destinations.c.digest_id).where(destinations.c.id == destination)
    ).scalar()
    return digest_id


def load_managed_digest(tx: Transaction, destination: int) -> ManagedDigest | None:
    """Return the digest of a destination; None if there is no such destination."""
    recipient = find_subscriber(tx, destination)
    digest_id = find_digest_id(tx, destination)
    web_digest = load_web_digest(tx, digest_id) if digest_id is not None else None
    if recipient is None or web_digest is None:
        return None
    (active_digest, *_) = (*load_digests_by_id(tx, [web_digest.id]), None)
    slot = func.coalesce(digests.c.next_slot_id, digests.c.slot_id)
    row = tx.execute(
        select(slots).join(digests, slots.c.id == slot).where(digests.c.id == web_digest.id)
    ).one()
    return ManagedDigest(
        subscriber=recipient, web_digest=web_digest, digest=active_digest, schedule=read_schedule(row)
    )
