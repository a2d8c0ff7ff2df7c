"""Deliveries: claimed under a lease, fenced by a token, marked by their receipts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Row, and_, func, or_, select, update

from digest.core.retry import delivery_pause
from digest.model import Deferred, Receipt, Refused, Sent, Unknown
from digest.store.clock import over
from digest.store.digest_tables import deliveries, destinations, digests, editions, runs
from digest.store.digests import ACTIVE
from digest.store.engine import Transaction

LEASE = timedelta(minutes=15)
"""Longer than ten messages can take at the time limits of RFC 5321, section 4.5.3.2, that we keep."""
MOST_UNKNOWN = 2
"""How often a message that may have arrived is sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """An edition going to one destination.

    Attributes:
        token: of the lease it was claimed under; 0 if it is not.
        state: ``ready``, ``leased``, ``sent``, ``refused``, ``unknown`` (it may have arrived).
    """

    id: int
    edition: int
    destination: int
    digest: str
    period: str
    channel: str
    address: str
    state: str
    due_at: datetime
    attempts: int
    unknown: int
    message_id: str
    answer: str
    sent_at: datetime | None
    token: int


def claim(
    tx: Transaction, channel: str, token: int, now: datetime, most: int, *, due_by: datetime
) -> tuple[Delivery, ...]:
    """Take deliveries of a channel that are due and that nobody else has, the oldest first.

    Args:
        tx: a writing transaction.
        channel: its name.
        token: of the worker; fences off whoever had them before.
        now: the lease ends ``LEASE`` later.
        most: how many at the most.
        due_by: not what became due later: a pass that began then would have no end.
    """
    chosen = (
        select(deliveries.c.id)
        .select_from(_ways())
        .where(_free(now, due_by), destinations.c.channel == channel)
        .order_by(deliveries.c.due_at, deliveries.c.id)
        .limit(most)
        .with_for_update(skip_locked=True, of=deliveries)
    )
    numbers = list(tx.execute(chosen).scalars())
    lease = {"state": "leased", "lease_until": now + LEASE, "lease_token": token}
    mine = deliveries.c.id.in_(numbers)
    tx.execute(update(deliveries).where(mine).values(lease | {"attempts": deliveries.c.attempts + 1}))
    oldest = _joined().where(mine).order_by(deliveries.c.due_at, deliveries.c.id)
    return tuple(_delivery(row) for row in tx.execute(oldest))


def _ways() -> FromClause:
    """Deliveries with their destinations, without digests that left the file."""
    to = destinations.join(digests, (digests.c.id == destinations.c.digest_id) & (digests.c.state == ACTIVE))
    return deliveries.join(to, destinations.c.id == deliveries.c.destination_id)


def _free(now: datetime, due_by: datetime) -> ColumnElement[bool]:
    """Due, in nobody's hands, and wanted where it goes."""
    return and_(
        destinations.c.state == ACTIVE,
        or_(
            and_(deliveries.c.state == "ready", deliveries.c.due_at <= due_by),
            and_(deliveries.c.state == "leased", over(deliveries.c.lease_until, now, LEASE)),
        ),
    )


def still_held(tx: Transaction, claimed: Sequence[Delivery], now: datetime) -> tuple[Delivery, ...]:
    """Those of a pack that are still ours, with their lease prolonged; asked just before they are sent."""
    if not claimed:
        return ()
    mine = _held(claimed, claimed[0].token)
    prolonged = update(deliveries).where(mine).values(lease_until=now + LEASE).returning(deliveries.c.id)
    ours = set(tx.execute(prolonged).scalars())
    return tuple(one for one in claimed if one.id in ours)


def mark(tx: Transaction, receipts: Sequence[tuple[Delivery, Receipt]], now: datetime) -> None:
    """Keep what the other side answered."""
    for delivery, receipt in receipts:
        values = _after(delivery, receipt, now) | {"lease_until": None, "answer": receipt.answer[:500]}
        tx.execute(update(deliveries).where(_held([delivery], delivery.token)).values(values))


def _after(delivery: Delivery, receipt: Receipt, now: datetime) -> dict[str, Any]:
    again = {"state": "ready", "due_at": now + delivery_pause(delivery.attempts)}
    match receipt:
        case Sent():
            return {"state": "sent", "sent_at": now}
        case Refused():
            return {"state": "refused"}
        case Deferred():
            return again
        case Unknown():
            unknown = delivery.unknown + 1
            return (again if unknown <= MOST_UNKNOWN else {"state": "unknown"}) | {"unknown": unknown}


def release(tx: Transaction, token: int) -> None:
    """End what a worker that is no more had leased: it is due again at once."""
    mine = (deliveries.c.lease_token == token) & (deliveries.c.state == "leased")
    tx.execute(update(deliveries).where(mine).values(state="ready", lease_until=None))


def give_back(tx: Transaction, claimed: Sequence[Delivery]) -> None:
    """End the lease of deliveries that were not tried; they are due as before."""
    if claimed:
        values = {"state": "ready", "lease_until": None, "attempts": deliveries.c.attempts - 1}
        tx.execute(update(deliveries).where(_held(claimed, claimed[0].token)).values(values))


def _held(claimed: Sequence[Delivery], token: int) -> Any:
    return and_(
        deliveries.c.id.in_([one.id for one in claimed]),
        deliveries.c.lease_token == token,
        deliveries.c.state == "leased",
    )


# --- reading --------------------------------------------------------------------------------------


def channels_due(tx: Transaction, now: datetime) -> tuple[str, ...]:
    """The channels that have something to deliver."""
    statement = select(destinations.c.channel).distinct().select_from(_ways()).where(_free(now, now))
    return tuple(sorted(tx.execute(statement).scalars()))


def recent(tx: Transaction, *, state: str | None, most: int) -> tuple[Delivery, ...]:
    """The last deliveries, the newest first; those in one state, or all."""
    statement = _joined().order_by(deliveries.c.id.desc()).limit(most)
    if state is not None:
        statement = statement.where(deliveries.c.state == state)
    return tuple(_delivery(row) for row in tx.execute(statement))


def of_edition(tx: Transaction, edition: int) -> tuple[Delivery, ...]:
    """The deliveries of one edition."""
    statement = _joined().where(deliveries.c.edition_id == edition)
    return tuple(_delivery(row) for row in tx.execute(statement.order_by(deliveries.c.id)))


def count_by_state(tx: Transaction) -> dict[str, int]:
    """How many deliveries are in each state."""
    rows = tx.execute(select(deliveries.c.state, func.count()).group_by(deliveries.c.state))
    return {state: count for state, count in rows}  # noqa: C416 - a Row is no pair to the type checker


def _joined() -> Any:
    return (
        select(
            deliveries,
            digests.c.name,
            runs.c.period,
            destinations.c.channel,
            destinations.c.address,
        )
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(digests, digests.c.id == editions.c.digest_id)
        .join(runs, runs.c.id == editions.c.run_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
    )


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery(
        id=row.id,
        edition=row.edition_id,
        destination=row.destination_id,
        digest=row.name,
        period=row.period,
        channel=row.channel,
        address=row.address,
        state=row.state,
        due_at=row.due_at,
        attempts=row.attempts,
        unknown=row.unknown,
        message_id=row.message_id,
        answer=row.answer,
        sent_at=row.sent_at,
        token=row.lease_token if row.state == "leased" else 0,
    )
