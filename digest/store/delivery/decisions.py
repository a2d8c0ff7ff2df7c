"""What an operator decides about deliveries: which to look at, to try again, to drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, update

from digest.model import Delivery
from digest.store.database.digest_tables import deliveries, destinations, editions, runs
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import list_recent

RETRYABLE_STATES = ("refused", "unknown", "expired", "dropped")
"""The ends that a delivery can be brought back from; what was sent stays sent."""
DROPPABLE_STATES = ("ready", "held")
"""The states from which it is dropped; from those of ``EXPLICITLY_DROPPABLE_STATES`` only where its state or number is said."""
EXPLICITLY_DROPPABLE_STATES = ("refused", "unknown", "expired")


_IS_RETRYABLE = deliveries.c.state.in_([*RETRYABLE_STATES, "ready"])


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryFilter:
    """Some deliveries.

    Attributes:
        ids: these; none for all.
        state: in this state; "" for any.
        run: of this run; None for any.
        code: whose last answer has this code, ``550`` or ``5.1.1``; "" for any.
        address: to this address, or to all at a domain: ``@example.org``; "" for any.
    """

    ids: Sequence[int] = ()
    state: str = ""
    run: int | None = None
    code: str = ""
    address: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return not (self.ids or self.state or self.run is not None or self.code or self.address)


def list_deliveries(tx: Transaction, delivery_filter: DeliveryFilter, limit: int) -> tuple[Delivery, ...]:
    """The last of them, the newest first."""
    return list_recent(tx, limit=limit, conditions=_build_conditions(delivery_filter))


def count_by_state(tx: Transaction, delivery_filter: DeliveryFilter) -> dict[str, int]:
    """How many of them are in each state."""
    statement = _select_matching(delivery_filter, deliveries.c.state, func.count()).group_by(
        deliveries.c.state
    )
    return {state: count for state, count in tx.execute(statement)}  # noqa: C416 - a Row is no pair to mypy


def list_held_runs(tx: Transaction, delivery_filter: DeliveryFilter) -> tuple[int, ...]:
    """The runs that are held and that deliveries of these belong to which could be tried again."""
    is_held = and_(_IS_RETRYABLE, runs.c.held != "", ~runs.c.released)
    statement = (
        _select_matching(delivery_filter, runs.c.id).join(runs, runs.c.id == editions.c.run_id).where(is_held)
    )
    return tuple(tx.execute(statement.distinct().order_by(runs.c.id)).scalars())


def retry_deliveries(tx: Transaction, delivery_filter: DeliveryFilter, now: datetime) -> int:
    """Have those tried at once that came to an end other than being sent, or that wait for their next attempt.

    Returns:
        How many.
    """
    is_changed = _match_deliveries(delivery_filter, _IS_RETRYABLE)
    # A run that was dropped is no more: what is under way of it would come back, what is dropped stays so.
    run_ids = (
        select(editions.c.run_id).join(deliveries, deliveries.c.edition_id == editions.c.id).where(is_changed)
    )
    tx.execute(update(runs).where(runs.c.id.in_(run_ids), runs.c.released).values(held=""))
    reset_values = {"state": "ready", "due_at": now, "paced": False, "attempts": 0, "unknown": 0}
    values = reset_values | {"blame": "", "expires_at": None, "named_in": None}
    return int(tx.execute(update(deliveries).where(is_changed).values(values)).rowcount)


def drop_deliveries(tx: Transaction, delivery_filter: DeliveryFilter, reason: str) -> int:
    """Let those go nowhere that wait; where their state or number is said, also those that came to another bad end.

    Returns:
        How many.
    """
    states = (
        DROPPABLE_STATES + EXPLICITLY_DROPPABLE_STATES
        if delivery_filter.state or delivery_filter.ids
        else DROPPABLE_STATES
    )
    is_changed = _match_deliveries(delivery_filter, deliveries.c.state.in_(states))
    return int(
        tx.execute(update(deliveries).where(is_changed).values(state="dropped", answer=reason)).rowcount
    )


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
    conditions: list[ColumnElement[bool]] = []
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
        # However its capitals are, where it is a mail address; a folder is what it is.
        has_mailbox = destinations.c.mailbox == delivery_filter.address.lower()
        conditions.append(or_(destinations.c.address == delivery_filter.address, has_mailbox))
    return conditions
