"""Chats and webhooks of readers' digests, with the state in which their readers see them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, select, update

from digest.core.subscribers.own_digest import DestinationState, OwnDestination
from digest.model import Fault
from digest.store.database.dialect import add_missing, insert_or_update, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, editions
from digest.store.database.tables.readers import secret_addresses
from digest.store.subscribers.destinations.sealed_addresses import note_activation
from digest.store.subscribers.digests import ACTIVE, ENDED, STOPPED, WITHHELD

_STATES = {STOPPED: DestinationState.STOPPED, WITHHELD: DestinationState.WITHHELD}
_FAILED = frozenset({"refused", "expired", "unknown"})
"""States of deliveries that ended without success."""


def list_own_destinations(tx: Transaction, digest_id: int) -> tuple[OwnDestination, ...]:
    """Return the chats and webhooks of a digest, oldest first."""
    statement = (
        select(destinations, secret_addresses.c.service, secret_addresses.c.active_after)
        .join(secret_addresses, secret_addresses.c.destination_id == destinations.c.id)
        .where(destinations.c.digest_id == digest_id)
    )
    rows = tx.execute(statement.order_by(destinations.c.id)).all()
    return tuple(_build_destination(row, _load_last_delivery(tx, digest_id, row)) for row in rows)


def _load_last_delivery(tx: Transaction, digest_id: int, destination: Row[Any]) -> Row[Any] | None:
    """Return state and answer of the last delivery to a destination that was attempted since it was last added."""
    is_own = _match_deliveries(digest_id, destination.id, destination.active_after)
    statement: Any = select(deliveries.c.state, deliveries.c.answer).where(is_own, deliveries.c.attempts > 0)
    row: Row[Any] | None = tx.execute(statement.order_by(deliveries.c.id.desc()).limit(1)).first()
    return row


def _match_deliveries(digest_id: int, destination: int, active_after: int) -> ColumnElement[bool]:
    edition_ids = select(editions.c.id).where(editions.c.digest_id == digest_id)
    is_own = deliveries.c.edition_id.in_(edition_ids) & (deliveries.c.destination_id == destination)
    return is_own & (deliveries.c.id > active_after)


def _build_destination(row: Row[Any], last_delivery: Row[Any] | None) -> OwnDestination:
    state, answer = DestinationState.GOING, ""
    if last_delivery is not None and last_delivery.state in _FAILED:
        state, answer = DestinationState.REFUSED, last_delivery.answer
    elif last_delivery is not None and last_delivery.state in {"ready", "leased"} and last_delivery.answer:
        state, answer = DestinationState.RETRIED, last_delivery.answer
    return OwnDestination(
        id=row.id,
        service=row.service,
        address=row.address,
        state=_STATES.get(row.state, state),
        answer="" if row.state == WITHHELD else answer,
    )


def list_dead(tx: Transaction, failures: int, among: Collection[int] | None = None) -> list[int]:
    """Return the active destinations whose last deliveries all failed because of the other side.

    Args:
        tx: a transaction.
        failures: number of the last deliveries that count; one with fewer since it was last added is not dead.
        among: only these destinations; None for all.
    """
    statement: Any = (
        select(destinations.c.id, destinations.c.digest_id, secret_addresses.c.active_after)
        .join(secret_addresses, secret_addresses.c.destination_id == destinations.c.id)
        .where(destinations.c.state == ACTIVE)
    )
    rows = tx.execute(statement.order_by(destinations.c.id)).all()
    return [
        row.id
        for row in rows
        if (among is None or row.id in among) and _count_last_failures(tx, row, failures) == failures
    ]


def _count_last_failures(tx: Transaction, destination: Any, limit: int) -> int:
    """Count the failures among the last finished deliveries to a destination since it was last added."""
    is_own = _match_deliveries(destination.digest_id, destination.id, destination.active_after)
    is_finished = deliveries.c.state.in_(["sent", *sorted(_FAILED)])
    statement = select(deliveries.c.state, deliveries.c.blame).where(is_own, is_finished)
    last = tx.execute(statement.order_by(deliveries.c.id.desc()).limit(limit)).all()
    return sum(entry.state in {"refused", "expired"} and entry.blame != Fault.OURS.value for entry in last)


def insert_own_destination(tx: Transaction, digest_id: int, channel: str, address: str, domain: str) -> int:
    """Add a destination to a digest, or activate the one with this address; return its number.

    Args:
        tx: a writing transaction that has locked the digest.
        digest_id: the number of the digest.
        channel: the name of the channel.
        address: the public address.
        domain: the service of a chat, or the host of a webhook: rates apply to it.
    """
    row = {
        "digest_id": digest_id,
        "channel": channel,
        "address": address,
        "domain": domain,
        "mailbox": "",
        "state": ACTIVE,
        "form": "",
    }
    add_missing(tx, destinations, [row])
    is_row = (destinations.c.digest_id == digest_id) & (destinations.c.channel == channel)
    is_row &= destinations.c.address == address
    note_activation(tx, is_row & (destinations.c.state != ACTIVE))
    tx.execute(update(destinations).where(is_row).values(state=ACTIVE))
    return int(tx.execute(select(destinations.c.id).where(is_row)).scalar_one())


def save_sealed_address(tx: Transaction, destination: int, service: str, sealed: str) -> None:
    """Store the sealed address of a destination."""
    row = {"destination_id": destination, "service": service, "sealed": sealed}
    insert_or_update(tx, secret_addresses, [row], key=("destination_id",))
    note_activation(tx, destinations.c.id == destination)


def end_own_destination(tx: Transaction, destination: int) -> None:
    """End a destination, and delete its sealed address. Its row stays, because deliveries refer to it."""
    tx.execute(delete(secret_addresses).where(secret_addresses.c.destination_id == destination))
    tx.execute(update(destinations).where(destinations.c.id == destination).values(state=ENDED))


def end_own_destinations(tx: Transaction, digest_ids: Sequence[int]) -> None:
    """End the chats and webhooks of some digests, also those that were stopped, and delete their sealed addresses."""
    for chunk in split_into_chunks(digest_ids):
        of_digests = select(destinations.c.id).where(destinations.c.digest_id.in_(chunk))
        is_sealed = secret_addresses.c.destination_id.in_(of_digests)
        sealed = select(secret_addresses.c.destination_id).where(is_sealed)
        tx.execute(update(destinations).where(destinations.c.id.in_(sealed)).values(state=ENDED))
        tx.execute(delete(secret_addresses).where(is_sealed))


def withhold_services(tx: Transaction, allowed: Collection[str]) -> None:
    """Withhold editions from the destinations whose service the file does not allow; resume it for the others.

    Args:
        tx: a writing transaction.
        allowed: the services that the file allows.
    """
    for is_changed, state in _list_changes(allowed):
        if state == ACTIVE:
            note_activation(tx, is_changed)
        tx.execute(update(destinations).where(is_changed).values(state=state))


def has_other_services(tx: Transaction, allowed: Collection[str]) -> bool:
    """Whether ``withhold_services`` would change anything."""
    return any(
        tx.execute(select(destinations.c.id).where(is_changed).limit(1)).first() is not None
        for is_changed, _ in _list_changes(allowed)
    )


def _list_changes(allowed: Collection[str]) -> Iterator[tuple[ColumnElement[bool], str]]:
    """Yield what has to change, and to which state."""
    is_allowed = secret_addresses.c.service.in_(sorted(allowed))
    for is_chosen, former, state in ((~is_allowed, ACTIVE, WITHHELD), (is_allowed, WITHHELD, ACTIVE)):
        numbers = select(secret_addresses.c.destination_id).where(is_chosen)
        yield destinations.c.id.in_(numbers) & (destinations.c.state == former), state
