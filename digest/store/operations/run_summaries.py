"""Runs, for operators: when they fired, how many deliveries they have, and whether they are held."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select

from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import runs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run.

    Attributes:
        state: ``open``, ``ready``, ``closed`` or ``composed``.
        fire_at: when it was due, UTC.
        deliveries: the number of its deliveries.
        held: why its deliveries are held, or were dropped; "" if neither.
        is_released: whether an operator has decided about it.
    """

    id: int
    period: str
    state: str
    fire_at: datetime
    deliveries: int
    held: str
    is_released: bool

    @property
    def is_held(self) -> bool:
        """Whether it waits for the decision of an operator."""
        return bool(self.held) and not self.is_released


def list_runs(tx: Transaction, limit: int, before: int | None = None) -> tuple[RunSummary, ...]:
    """Return the last runs, newest first.

    Args:
        tx: a transaction.
        limit: the maximum number.
        before: only those with a lower number; None for all.
    """
    statement = select(runs).order_by(runs.c.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(runs.c.id < before)
    return tuple(map(_build_summary, tx.execute(statement)))


def find_run(tx: Transaction, run: int) -> RunSummary | None:
    """Return a run; None if there is none with this number."""
    row = tx.execute(select(runs).where(runs.c.id == run)).first()
    return _build_summary(row) if row else None


def _build_summary(row: Row[Any]) -> RunSummary:
    return RunSummary(
        id=row.id,
        period=row.period,
        state=row.state,
        fire_at=row.fire_at,
        deliveries=row.deliveries,
        held=row.held,
        is_released=row.released,
    )
