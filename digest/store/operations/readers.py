"""What operators see of a reader: numbers and states, nothing of what they read or follow."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import destinations, editions, subscribers
from digest.store.subscribers.digests import ERASED


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionPeriod:
    """The editions that a digest has had, as far as they are kept.

    Attributes:
        first_at: when the first one was composed, UTC.
        last_at: when the last one was composed, UTC.
        count: their number.
    """

    first_at: datetime
    last_at: datetime
    count: int


def find_address(tx: Transaction, subscriber: int) -> str:
    """Return the address of a subscriber; "" if there is none, or they deleted everything."""
    is_present = (subscribers.c.id == subscriber) & subscribers.c.address.contains("@")
    return tx.execute(select(subscribers.c.address).where(is_present)).scalar() or ""


def find_destination_address(tx: Transaction, destination: int) -> str:
    """Return the address of a destination; "" if there is none, or its reader deleted everything."""
    is_present = (destinations.c.id == destination) & (destinations.c.state != ERASED)
    return tx.execute(select(destinations.c.address).where(is_present)).scalar() or ""


def find_destinations(tx: Transaction, mailboxes: Collection[str]) -> Mapping[str, int]:
    """Return the number of some destination of each address that has one, by address in lower case."""
    statement = select(destinations.c.mailbox, func.min(destinations.c.id)).where(
        destinations.c.mailbox.in_(sorted(mailboxes)), destinations.c.state != ERASED
    )
    rows = tx.execute(statement.group_by(destinations.c.mailbox))
    return {mailbox: number for mailbox, number in rows}  # noqa: C416 - a Row is not a pair to mypy


def load_edition_periods(tx: Transaction, digest_ids: Collection[int]) -> Mapping[int, EditionPeriod]:
    """Return when some digests had editions, by digest; only their own rows are read."""
    composed_at = editions.c.composed_at
    statement = (
        select(editions.c.digest_id, func.min(composed_at), func.max(composed_at), func.count())
        .where(editions.c.digest_id.in_(sorted(digest_ids)), editions.c.skipped == "")
        .group_by(editions.c.digest_id)
    )
    return {
        digest_id: EditionPeriod(first_at=first_at, last_at=last_at, count=count)
        for digest_id, first_at, last_at, count in tx.execute(statement)
    }
