"""Runs that are held back: why, and what an operator decides about them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import median

from sqlalchemy import ColumnElement, and_, func, or_, select, update

from digest.store.database.dialect import chunks
from digest.store.database.digest_tables import deliveries, editions, runs
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import Delivery

_USUAL = 14
"""So many of a slot's last runs say what is usual."""
_LEAST_KNOWN = 3
"""Fewer say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRun:
    """A run of which nothing goes out until an operator decides."""

    id: int
    period: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """How large a run is, and how large those before it were; None where there are too few to say."""

    run: int
    deliveries: int
    usual: float | None


def volumes(tx: Transaction, numbers: Collection[int], least: int) -> tuple[Volume, ...]:
    """How large runs are that could be held, beside the last ones of their slots.

    Args:
        tx: a transaction.
        numbers: the runs.
        least: smaller ones are left out.
    """
    large = and_(runs.c.id.in_(sorted(numbers)), runs.c.deliveries >= least)
    mine = select(runs.c.id, runs.c.slot_id, runs.c.deliveries).where(large, runs.c.held == "")
    return tuple(
        Volume(run=row.id, deliveries=row.deliveries, usual=_usual(tx, row.slot_id, row.id))
        for row in tx.execute(mine.where(~runs.c.released)).all()
    )


def _usual(tx: Transaction, slot: int, run: int) -> float | None:
    before = and_(runs.c.slot_id == slot, runs.c.id < run, runs.c.deliveries > 0)
    let_go = (runs.c.released & (runs.c.held == "")).label("let_go")
    last = select(runs.c.deliveries, let_go).where(before).order_by(runs.c.id.desc()).limit(_USUAL)
    found = tx.execute(last).all()
    if len(found) < _LEAST_KNOWN:
        return None
    # A list that has grown for good is asked about once: what somebody let go is usual from then on.
    sizes: list[int] = [row.deliveries for row in found]
    let_go_of: list[int] = [row.deliveries for row in found if row.let_go]
    return max([median(sizes), *let_go_of])


def answered(tx: Transaction, run: int) -> tuple[int, int]:
    """How many deliveries of a run were answered for good, and how many of these were refused."""
    counts = (
        select(deliveries.c.state, func.count())
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .where(editions.c.run_id == run, deliveries.c.state.in_(["sent", "refused"]))
        .group_by(deliveries.c.state)
    )
    found = {state: count for state, count in tx.execute(counts)}  # noqa: C416 - a Row is no pair to mypy
    refused = found.get("refused", 0)
    return found.get("sent", 0) + refused, refused


def hold(tx: Transaction, run: int, why: str) -> HeldRun | None:
    """Let nothing more of a run go out; None where it is held already, or an operator let it go."""
    open_run = and_(runs.c.id == run, runs.c.held == "", ~runs.c.released)
    period = tx.execute(update(runs).where(open_run).values(held=why).returning(runs.c.period)).scalar()
    return None if period is None else HeldRun(id=run, period=period, why=why)


def put_aside(tx: Transaction, some: Sequence[Delivery]) -> None:
    """Hold deliveries that were claimed and not tried."""
    for chunk in chunks([one.id for one in some]):
        values = {"state": "held", "lease_until": None, "attempts": deliveries.c.attempts - 1}
        tx.execute(update(deliveries).where(deliveries.c.id.in_(chunk)).values(values))


def held_runs(tx: Transaction) -> tuple[HeldRun, ...]:
    """The runs that wait for an operator's decision."""
    waiting = select(runs.c.id, runs.c.period, runs.c.held).where(runs.c.held != "", ~runs.c.released)
    rows = tx.execute(waiting.order_by(runs.c.id))
    return tuple(HeldRun(id=row.id, period=row.period, why=row.held) for row in rows)


# --- what an operator decides ---------------------------------------------------------------------


def let_go(tx: Transaction, run: int) -> int | None:
    """Let a run that is held go on, and not be held again.

    Returns:
        How many deliveries were held; None where the run is not held.
    """
    here = and_(runs.c.id == run, runs.c.held != "", ~runs.c.released)
    if not tx.execute(update(runs).where(here).values(held="", released=True)).rowcount:
        return None
    held = and_(_of_run(run), deliveries.c.state == "held")
    return int(tx.execute(update(deliveries).where(held).values(state="ready")).rowcount)


def drop_run(tx: Transaction, run: int, why: str) -> int | None:
    """Let nothing of a run go out any more.

    Returns:
        How many deliveries were dropped; None where there is no such run.
    """
    if not tx.execute(update(runs).where(runs.c.id == run).values(held=why, released=True)).rowcount:
        return None
    waiting = or_(deliveries.c.state == "ready", deliveries.c.state == "held")
    dropped = update(deliveries).where(_of_run(run), waiting).values(state="dropped", answer=why)
    return int(tx.execute(dropped).rowcount)


def _of_run(run: int) -> ColumnElement[bool]:
    return deliveries.c.edition_id.in_(select(editions.c.id).where(editions.c.run_id == run))
