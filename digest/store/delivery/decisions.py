"""Operations of the operator on deliveries: list, retry, drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, update

from digest.model import Delivery
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, editions, runs
from digest.store.delivery.outbox import list_recent
from digest.store.subscribers.digests import ERASED

RETRYABLE_STATES = ("refused", "unknown", "expired", "dropped", "ready")
"""States from which a delivery can be retried; ``sent`` is not one of them."""
DROPPABLE_STATES = ("ready", "held")
"""States from which a delivery can be dropped. Those of ``EXPLICITLY_DROPPABLE_STATES`` need its number or state
in the filter.
"""
EXPLICITLY_DROPPABLE_STATES = ("refused", "unknown", "expired")


_IS_RETRYABLE = deliveries.c.state.in_(RETRYABLE_STATES)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryFilter:
    """Filter of deliveries; all conditions must hold.

    Attributes:
        ids: numbers of deliveries; empty for all.
        state: the state; "" for any.
        run: the number of the run; None for any.
        code: a code in the last answer, such as ``550`` or ``5.1.1``; "" for any.
        address: the address, or ``@example.org`` for all addresses of a domain; "" for any.
        destination: the number of a destination, whose address is meant, whichever digest it belongs to; None for any.
        due_before: only deliveries that are or were due before this time; None for all.
        numbers: only numbers in this range; None for all. A range of a limited size limits the time of a search.
    """

    ids: Sequence[int] = ()
    state: str = ""
    run: int | None = None
    code: str = ""
    address: str = ""
    destination: int | None = None
    due_before: datetime | None = None
    numbers: range | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there are no conditions."""
        has_text = self.ids or self.state or self.code or self.address
        has_number = self.run is not None or self.destination is not None
        return not has_text and not has_number and self.due_before is None


def list_deliveries(tx: Transaction, delivery_filter: DeliveryFilter, limit: int) -> tuple[Delivery, ...]:
    """Return the last matching deliveries, newest first."""
    return list_recent(tx, limit=limit, conditions=_build_conditions(delivery_filter))


def count_by_state(tx: Transaction, delivery_filter: DeliveryFilter) -> dict[str, int]:
    """Count the matching deliveries in each state."""
    statement = _select_matching(delivery_filter, deliveries.c.state, func.count()).group_by(
        deliveries.c.state
    )
    return {state: count for state, count in tx.execute(statement)}  # noqa: C416 - a Row is not a pair to mypy


def list_held_runs(tx: Transaction, delivery_filter: DeliveryFilter) -> tuple[int, ...]:
    """Return the held runs that have matching deliveries which could be retried."""
    is_held = and_(_IS_RETRYABLE, runs.c.held != "", ~runs.c.released)
    statement = (
        _select_matching(delivery_filter, runs.c.id).join(runs, runs.c.id == editions.c.run_id).where(is_held)
    )
    return tuple(tx.execute(statement.distinct().order_by(runs.c.id)).scalars())


def retry_deliveries(tx: Transaction, delivery_filter: DeliveryFilter, now: datetime) -> int:
    """Make deliveries due at once that ended without being sent, or that wait for their next attempt.

    Returns:
        The number of deliveries.
    """
    is_changed = _match_deliveries(delivery_filter, _IS_RETRYABLE)
    # If the run was dropped, its reason must go, or the retried deliveries would be dropped again when they are claimed.
    # Its deliveries that are leased now can then be retried as well; dropped ones stay dropped.
    run_ids = (
        select(editions.c.run_id).join(deliveries, deliveries.c.edition_id == editions.c.id).where(is_changed)
    )
    tx.execute(update(runs).where(runs.c.id.in_(run_ids), runs.c.released).values(held=""))
    reset_values = {"state": "ready", "due_at": now, "paced": False, "attempts": 0, "unknown": 0}
    values = reset_values | {"blame": "", "expires_at": None, "named_in": None}
    return int(tx.execute(update(deliveries).where(is_changed).values(values)).rowcount)


def drop_deliveries(tx: Transaction, delivery_filter: DeliveryFilter, reason: str) -> int:
    """Drop waiting deliveries; if the filter has states or numbers, also those that failed.

    Returns:
        The number of deliveries.
    """
    states = list_droppable_states(delivery_filter)
    is_changed = _match_deliveries(delivery_filter, deliveries.c.state.in_(states))
    return int(
        tx.execute(update(deliveries).where(is_changed).values(state="dropped", answer=reason)).rowcount
    )


def list_droppable_states(delivery_filter: DeliveryFilter) -> tuple[str, ...]:
    """Return the states from which matching deliveries are dropped."""
    is_explicit = delivery_filter.state or delivery_filter.ids
    return DROPPABLE_STATES + EXPLICITLY_DROPPABLE_STATES if is_explicit else DROPPABLE_STATES


def _match_deliveries(delivery_filter: DeliveryFilter, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return condition & deliveries.c.id.in_(_select_matching(delivery_filter, deliveries.c.id))


def _select_matching(delivery_filter: DeliveryFilter, *columns: ColumnElement[Any]) -> Select[Any]:
    return (
        select(*columns)
        .select_from(deliveries)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .where(*_build_conditions(delivery_filter))
    )


def _build_conditions(delivery_filter: DeliveryFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [destinations.c.state != ERASED]
    if delivery_filter.ids:
        conditions.append(deliveries.c.id.in_(delivery_filter.ids))
    if delivery_filter.state:
        conditions.append(deliveries.c.state == delivery_filter.state)
    if delivery_filter.run is not None:
        conditions.append(editions.c.run_id == delivery_filter.run)
    if delivery_filter.code:
        answer = deliveries.c.answer
        conditions.append(
            or_(
                answer == delivery_filter.code,
                answer.startswith(f"{delivery_filter.code} ", autoescape=True),
                answer.contains(f" {delivery_filter.code} ", autoescape=True),
            )
        )
    if delivery_filter.address.startswith("@"):
        conditions.append(destinations.c.domain == delivery_filter.address[1:].lower())
    elif delivery_filter.address:
        # Mail addresses are compared in lower case, other addresses (such as folders) exactly.
        has_mailbox = destinations.c.mailbox == delivery_filter.address.lower()
        conditions.append(or_(destinations.c.address == delivery_filter.address, has_mailbox))
        conditions.append(_IS_OWN_EDITION)
    if delivery_filter.destination is not None:
        conditions.append(_has_address_of(delivery_filter.destination))
        conditions.append(_IS_OWN_EDITION)
    if delivery_filter.due_before is not None:
        conditions.append(deliveries.c.due_at < delivery_filter.due_before)
    if (numbers := delivery_filter.numbers) is not None:
        conditions.append(deliveries.c.id.between(numbers.start, numbers.stop - 1))
    return conditions


_IS_OWN_EDITION = editions.c.digest_id == destinations.c.digest_id
"""Always true. By it, databases find the few deliveries to an address through the editions of its digests."""


def _has_address_of(destination: int) -> ColumnElement[bool]:
    same = destinations.alias("same")
    values = select(same.c.mailbox, same.c.address).where(same.c.id == destination).subquery()
    has_mailbox = (destinations.c.mailbox != "") & (
        destinations.c.mailbox == select(values.c.mailbox).scalar_subquery()
    )
    return or_(has_mailbox, destinations.c.address == select(values.c.address).scalar_subquery())
