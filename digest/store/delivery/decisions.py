"""What an operator decides about deliveries: which to look at, to try again, to drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, update

from digest.store.database.digest_tables import deliveries, destinations, editions, runs
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import Delivery, recent

TRIED_AGAIN = ("refused", "unknown", "expired", "dropped")
"""The ends that a delivery can be brought back from; what was sent stays sent."""
WAITING = ("ready", "held")
"""The states from which it is dropped; from those of ``DROPPED_TOO`` only where its state or number is said."""
DROPPED_TOO = ("refused", "unknown", "expired")


_TRIED = deliveries.c.state.in_([*TRIED_AGAIN, "ready"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Some deliveries.

    Attributes:
        numbers: these; none for all.
        state: in this state; "" for any.
        run: of this run; None for any.
        code: whose last answer has this code, ``550`` or ``5.1.1``; "" for any.
        address: to this address, or to all at a domain: ``@example.org``; "" for any.
    """

    numbers: Sequence[int] = ()
    state: str = ""
    run: int | None = None
    code: str = ""
    address: str = ""

    @property
    def all(self) -> bool:
        """Whether nothing was said."""
        return not (self.numbers or self.state or self.run is not None or self.code or self.address)


def listed(tx: Transaction, which: Which, most: int) -> tuple[Delivery, ...]:
    """The last of them, the newest first."""
    return recent(tx, most=most, which=_conditions(which))


def by_state(tx: Transaction, which: Which) -> dict[str, int]:
    """How many of them are in each state."""
    chosen = _chosen(which, deliveries.c.state, func.count()).group_by(deliveries.c.state)
    return {state: count for state, count in tx.execute(chosen)}  # noqa: C416 - a Row is no pair to mypy


def held_among(tx: Transaction, which: Which) -> tuple[int, ...]:
    """The runs that are held and that deliveries of these belong to which could be tried again."""
    waiting = and_(_TRIED, runs.c.held != "", ~runs.c.released)
    found = _chosen(which, runs.c.id).join(runs, runs.c.id == editions.c.run_id).where(waiting)
    return tuple(tx.execute(found.distinct().order_by(runs.c.id)).scalars())


def try_again(tx: Transaction, which: Which, now: datetime) -> int:
    """Have those tried at once that came to an end other than being sent, or that wait for their next attempt.

    Returns:
        How many.
    """
    changed = _among(which, _TRIED)
    # A run that was dropped is no more: what is under way of it would come back, what is dropped stays so.
    theirs = (
        select(editions.c.run_id).join(deliveries, deliveries.c.edition_id == editions.c.id).where(changed)
    )
    tx.execute(update(runs).where(runs.c.id.in_(theirs), runs.c.released).values(held=""))
    anew = {"state": "ready", "due_at": now, "paced": False, "attempts": 0, "unknown": 0}
    values = anew | {"blame": "", "expires_at": None, "named_in": None}
    return int(tx.execute(update(deliveries).where(changed).values(values)).rowcount)


def drop(tx: Transaction, which: Which, why: str) -> int:
    """Let those go nowhere that wait; where their state or number is said, also those that came to another bad end.

    Returns:
        How many.
    """
    states = WAITING + DROPPED_TOO if which.state or which.numbers else WAITING
    changed = _among(which, deliveries.c.state.in_(states))
    return int(tx.execute(update(deliveries).where(changed).values(state="dropped", answer=why)).rowcount)


def _among(which: Which, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return condition & deliveries.c.id.in_(_chosen(which, deliveries.c.id))


def _chosen(which: Which, *columns: ColumnElement[Any]) -> Select[Any]:
    return (
        select(*columns)
        .select_from(deliveries)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .where(*_conditions(which))
    )


def _conditions(which: Which) -> list[ColumnElement[bool]]:
    made: list[ColumnElement[bool]] = []
    if which.numbers:
        made.append(deliveries.c.id.in_(which.numbers))
    if which.state:
        made.append(deliveries.c.state == which.state)
    if which.run is not None:
        made.append(editions.c.run_id == which.run)
    if which.code:
        says = deliveries.c.answer
        made.append(
            or_(
                says == which.code,
                says.startswith(f"{which.code} ", autoescape=True),
                says.contains(f" {which.code} ", autoescape=True),
            )
        )
    if which.address.startswith("@"):
        made.append(destinations.c.domain == which.address[1:].lower())
    elif which.address:
        # However its capitals are, where it is a mail address; a folder is what it is.
        theirs = destinations.c.mailbox == which.address.lower()
        made.append(or_(destinations.c.address == which.address, theirs))
    return made
