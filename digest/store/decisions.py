"""What an operator decides about deliveries: which to look at, to try again, to drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_, select, update

from digest.store.deliveries import Delivery, recent
from digest.store.digest_tables import deliveries, destinations, editions
from digest.store.engine import Transaction

TRIED_AGAIN = ("refused", "unknown", "expired", "dropped")
"""The ends that a delivery can be brought back from; what was sent stays sent."""
WAITING = ("ready", "held")
"""The states from which it can be dropped."""


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


def try_again(tx: Transaction, which: Which, now: datetime) -> int:
    """Have those tried at once that came to an end other than being sent, or that wait for their next attempt.

    Returns:
        How many.
    """
    changed = _among(which, deliveries.c.state.in_([*TRIED_AGAIN, "ready"]))
    anew = {"state": "ready", "due_at": now, "paced": False, "attempts": 0, "unknown": 0}
    values = anew | {"blame": "", "expires_at": None}
    return int(tx.execute(update(deliveries).where(changed).values(values)).rowcount)


def drop(tx: Transaction, which: Which, why: str) -> int:
    """Let those go nowhere that wait.

    Returns:
        How many.
    """
    changed = _among(which, deliveries.c.state.in_(WAITING))
    return int(tx.execute(update(deliveries).where(changed).values(state="dropped", answer=why)).rowcount)


def _among(which: Which, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    found = (
        select(deliveries.c.id)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .where(*_conditions(which))
    )
    return condition & deliveries.c.id.in_(found)


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
        made.append(destinations.c.address == which.address)
    return made
