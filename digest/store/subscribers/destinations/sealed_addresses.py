"""Look-up of sealed addresses: that of a destination, and that to which a delivery goes."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, and_, func, select, update

from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, digests
from digest.store.database.tables.readers import secret_addresses
from digest.store.subscribers.digests import MADE_ON_SITE


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedAddress:
    """The destination of a delivery that belongs to a reader.

    Attributes:
        destination: its number.
        reader: the number of the reader.
        service: its service; "" if it was removed.
        sealed: its sealed address; "" if it was removed.
    """

    destination: int
    reader: int
    service: str
    sealed: str = field(repr=False)


_SEALED = secret_addresses.c.service, secret_addresses.c.sealed


def load_sealed_address(tx: Transaction, delivery: int) -> SealedAddress | None:
    """Return the sealed address to which a delivery goes; None if its destination is one of the file."""
    is_sealed = secret_addresses.c.destination_id == destinations.c.id
    statement = (
        select(destinations.c.id, digests.c.subscriber_id, *_SEALED)
        .select_from(deliveries)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .join(digests, and_(digests.c.id == destinations.c.digest_id, digests.c.made_by == MADE_ON_SITE))
        .outerjoin(secret_addresses, is_sealed)
        .where(deliveries.c.id == delivery)
    )
    row = tx.execute(statement).first()
    return (
        None
        if row is None
        else SealedAddress(
            destination=row.id,
            reader=row.subscriber_id,
            service=row.service or "",
            sealed=row.sealed or "",
        )
    )


def note_activation(tx: Transaction, is_activated: ColumnElement[bool]) -> None:
    """Note that destinations of readers are added or resumed, so that earlier failures no longer count.

    Args:
        tx: a writing transaction.
        is_activated: selects the destinations.
    """
    is_own = deliveries.c.destination_id == secret_addresses.c.destination_id
    last_delivery = select(func.coalesce(func.max(deliveries.c.id), 0)).where(is_own).scalar_subquery()
    destination_ids = select(destinations.c.id).where(is_activated)
    is_chosen = secret_addresses.c.destination_id.in_(destination_ids)
    tx.execute(update(secret_addresses).where(is_chosen).values(active_after=last_delivery))


def read_sealed_address(tx: Transaction, destination: int) -> str:
    """Return the sealed address of a destination; "" if it has none."""
    is_row = secret_addresses.c.destination_id == destination
    return tx.execute(select(secret_addresses.c.sealed).where(is_row)).scalar() or ""
