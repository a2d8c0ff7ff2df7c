"""Who gets what: the destinations of digests as their readers left them. A reader who stopped one is stronger than the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, func, select, update

from digest.store.database.dialect import split_into_chunks
from digest.store.database.digest_tables import deliveries, destinations, digests, editions
from digest.store.database.engine import Transaction
from digest.store.subscribers.config_sync import forget_declarations
from digest.store.subscribers.digests import ACTIVE, ENDED, RESTING, STOPPED, SUPPRESSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """An address that a digest goes to.

    Attributes:
        destination: its number.
        digest: the digest's name; ``title`` is the one that readers see.
        mailbox: a mail address in small letters, "" for other channels.
        state: ``active``, ``ended`` by the file, ``stopped`` by the reader, or ``suppressed`` or ``resting`` because mail
            came back.
        digest_ended: the digest itself has left the file.
        language: in which it is told.
    """

    destination: int
    digest: str
    title: str
    channel: str
    address: str
    mailbox: str
    state: str
    digest_ended: bool
    language: str

    @property
    def active(self) -> bool:
        """Whether it goes there, as far as reader and file are concerned."""
        return self.state == ACTIVE

    @property
    def stopped(self) -> bool:
        """Whether the reader unsubscribed."""
        return self.state == STOPPED

    @property
    def came_back(self) -> bool:
        """Whether nothing goes there because mail came back."""
        return self.state in {SUPPRESSED, RESTING}


def find_subscriber(tx: Transaction, destination: int) -> Subscriber | None:
    """Who is at a destination; None where there is none of that number."""
    row = tx.execute(_select_joined().where(destinations.c.id == destination)).first()
    return _build_subscriber(row) if row else None


def list_subscribers(tx: Transaction, *, address: str | None = None) -> tuple[Subscriber, ...]:
    """All, by digest and address; only those at an address, if one is given, however its capitals are."""
    statement = _select_joined().order_by(digests.c.name, destinations.c.address, destinations.c.channel)
    if address is not None:
        statement = statement.where(func.lower(destinations.c.address) == address.lower())
    return tuple(map(_build_subscriber, tx.execute(statement)))


def list_stopped(tx: Transaction) -> tuple[Subscriber, ...]:
    """Those that unsubscribed, by digest and address."""
    statement = _select_joined().where(destinations.c.state == STOPPED)
    return tuple(
        map(_build_subscriber, tx.execute(statement.order_by(digests.c.name, destinations.c.address)))
    )


def list_suppressed(tx: Transaction) -> tuple[Subscriber, ...]:
    """Those that nothing goes to because mail came back, by digest and address."""
    statement = _select_joined().where(destinations.c.state.in_([SUPPRESSED, RESTING]))
    return tuple(
        map(_build_subscriber, tx.execute(statement.order_by(digests.c.name, destinations.c.address)))
    )


def stop_destination(tx: Transaction, destination: int) -> bool:
    """Let nothing go to a destination any more; what waits to go there is dropped.

    Returns:
        Whether it was not stopped before.
    """
    is_going = (destinations.c.id == destination) & (destinations.c.state != STOPPED)
    changed = tx.execute(update(destinations).where(is_going).values(state=STOPPED)).rowcount > 0
    digest_id = select(destinations.c.digest_id).where(destinations.c.id == destination).scalar_subquery()
    edition_ids = select(editions.c.id).where(editions.c.digest_id == digest_id)
    is_waiting = deliveries.c.edition_id.in_(edition_ids) & (deliveries.c.destination_id == destination)
    tx.execute(
        update(deliveries)
        .where(is_waiting, deliveries.c.state.in_(["ready", "held"]))
        .values(state="dropped", answer="the reader unsubscribed")
    )
    return changed


def resume_destinations(tx: Transaction, destination_ids: Sequence[int], declared: Sequence[int]) -> None:
    """Let digests go again to destinations that were stopped, from the next edition on.

    Args:
        tx: a writing transaction.
        destination_ids: the destinations.
        declared: those of them that the file declares; the others have left it, and end.
    """
    for state, chosen_ids in (
        (ACTIVE, set(destination_ids) & set(declared)),
        (ENDED, set(destination_ids) - set(declared)),
    ):
        for chunk in split_into_chunks(sorted(chosen_ids)):
            is_stopped = destinations.c.id.in_(chunk) & (destinations.c.state == STOPPED)
            tx.execute(update(destinations).where(is_stopped).values(state=state))
    # Whether the file declares them was judged by a file that may not have been applied yet.
    for chunk in split_into_chunks(destination_ids):
        digest_ids = select(destinations.c.digest_id).where(destinations.c.id.in_(chunk))
        forget_declarations(tx, tx.execute(digest_ids.distinct()).scalars().all())


def _select_joined() -> Any:
    return select(
        destinations,
        digests.c.name,
        digests.c.title,
        digests.c.language,
        digests.c.state.label("digest_state"),
    ).join(digests, digests.c.id == destinations.c.digest_id)


def _build_subscriber(row: Row[Any]) -> Subscriber:
    return Subscriber(
        destination=row.id,
        digest=row.name,
        title=row.title,
        channel=row.channel,
        address=row.address,
        mailbox=row.mailbox,
        language=row.language,
        state=row.state,
        digest_ended=row.digest_state == ENDED,
    )
