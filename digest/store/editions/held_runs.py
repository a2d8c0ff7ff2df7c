"""Runs that are held back: the data for this decision, holding, releasing and dropping."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import median

from sqlalchemy import ColumnElement, and_, func, or_, select, update

from digest.core.delivery.circuit_breaker import RunVolume
from digest.model import Delivery
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, editions, runs

_HISTORY_SIZE = 14
"""Number of previous runs of a slot whose sizes are compared."""
_MIN_HISTORY = 3
"""Minimum number of previous runs; with fewer there is no usual size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRun:
    """A run whose deliveries are not sent until an operator decides."""

    id: int
    period: str
    reason: str


def list_volumes(tx: Transaction, run_ids: Collection[int], min_deliveries: int) -> tuple[RunVolume, ...]:
    """Return the sizes of runs that could be held.

    Args:
        tx: a transaction.
        run_ids: the runs.
        min_deliveries: the minimum size; smaller runs are omitted.
    """
    is_large = and_(runs.c.id.in_(sorted(run_ids)), runs.c.deliveries >= min_deliveries)
    statement = select(runs.c.id, runs.c.slot_id, runs.c.deliveries).where(is_large, runs.c.held == "")
    return tuple(
        RunVolume(run=row.id, deliveries=row.deliveries, usual=_compute_usual(tx, row.slot_id, row.id))
        for row in tx.execute(statement.where(~runs.c.released)).all()
    )


def _compute_usual(tx: Transaction, slot: int, run: int) -> float | None:
    is_earlier = and_(runs.c.slot_id == slot, runs.c.id < run, runs.c.deliveries > 0)
    is_released = (runs.c.released & (runs.c.held == "")).label("let_go")
    statement = (
        select(runs.c.deliveries, is_released)
        .where(is_earlier)
        .order_by(runs.c.id.desc())
        .limit(_HISTORY_SIZE)
    )
    rows = tx.execute(statement).all()
    if len(rows) < _MIN_HISTORY:
        return None
    # If a list has grown for good, the operator is asked only once: the size of a released run counts as usual.
    sizes: list[int] = [row.deliveries for row in rows]
    released_sizes: list[int] = [row.deliveries for row in rows if row.let_go]
    return max([median(sizes), *released_sizes])


def count_answered(tx: Transaction, run: int) -> tuple[int, int]:
    """Return how many mails of a run have a final answer, and how many of these were refused."""
    statement = (
        select(deliveries.c.state, func.count())
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .where(editions.c.run_id == run, deliveries.c.state.in_(["sent", "refused"]))
        .where(destinations.c.mailbox != "")
        .group_by(deliveries.c.state)
    )
    counts_by_state = {state: count for state, count in tx.execute(statement)}  # noqa: C416 - a Row is not a pair to mypy
    refused = counts_by_state.get("refused", 0)
    return counts_by_state.get("sent", 0) + refused, refused


def hold_run(tx: Transaction, run: int, reason: str) -> HeldRun | None:
    """Hold a run; return None if it is held already or an operator released it."""
    is_open = and_(runs.c.id == run, runs.c.held == "", ~runs.c.released)
    period = tx.execute(update(runs).where(is_open).values(held=reason).returning(runs.c.period)).scalar()
    return None if period is None else HeldRun(id=run, period=period, reason=reason)


def put_on_hold(tx: Transaction, claimed: Sequence[Delivery]) -> None:
    """Hold deliveries that were claimed but not tried."""
    for chunk in split_into_chunks([delivery.id for delivery in claimed]):
        values = {"state": "held", "lease_until": None, "attempts": deliveries.c.attempts - 1}
        tx.execute(update(deliveries).where(deliveries.c.id.in_(chunk)).values(values))


def list_held_runs(tx: Transaction) -> tuple[HeldRun, ...]:
    """Return the runs that wait for an operator's decision."""
    statement = select(runs.c.id, runs.c.period, runs.c.held).where(runs.c.held != "", ~runs.c.released)
    rows = tx.execute(statement.order_by(runs.c.id))
    return tuple(HeldRun(id=row.id, period=row.period, reason=row.held) for row in rows)


def count_held_runs(tx: Transaction, last: int) -> int:
    """Count those of the last runs that wait for an operator's decision, in time that does not grow with the others."""
    last_id = tx.execute(select(func.max(runs.c.id))).scalar() or 0
    is_waiting = and_(runs.c.id > last_id - last, runs.c.held != "", ~runs.c.released)
    return tx.execute(select(func.count()).select_from(runs).where(is_waiting)).scalar_one()


# --- decisions of the operator --------------------------------------------------------------------


def release_run(tx: Transaction, run: int) -> int | None:
    """Release a held run; it is not held again.

    Returns:
        The number of deliveries that were held; None if the run is not held.
    """
    is_held_run = and_(runs.c.id == run, runs.c.held != "", ~runs.c.released)
    if not tx.execute(update(runs).where(is_held_run).values(held="", released=True)).rowcount:
        return None
    is_held = and_(_match_run(run), deliveries.c.state == "held")
    return int(tx.execute(update(deliveries).where(is_held).values(state="ready")).rowcount)


def drop_run(tx: Transaction, run: int, reason: str) -> int | None:
    """Drop all deliveries of a run that are not sent yet.

    Returns:
        The number of dropped deliveries; None if there is no such run.
    """
    if not tx.execute(update(runs).where(runs.c.id == run).values(held=reason, released=True)).rowcount:
        return None
    is_waiting = or_(deliveries.c.state == "ready", deliveries.c.state == "held")
    statement = update(deliveries).where(_match_run(run), is_waiting).values(state="dropped", answer=reason)
    return int(tx.execute(statement).rowcount)


def _match_run(run: int) -> ColumnElement[bool]:
    return deliveries.c.edition_id.in_(select(editions.c.id).where(editions.c.run_id == run))
