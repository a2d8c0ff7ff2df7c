"""When runs fired, closed, were composed and delivered, as the tables hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from digest.model import RunState
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, editions, runs, shards
from digest.store.delivery.outbox import UNSENT_STATES


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryTimes:
    """The deliveries of a run by one channel that have the same state.

    Attributes:
        first_sent_at: when the first of them was sent; None if none was.
        last_sent_at: when the last of them was sent; None if none was.
    """

    channel: str
    state: str
    count: int
    first_sent_at: datetime | None
    last_sent_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardTimes:
    """A shard that was composed.

    Attributes:
        token: the token of the worker that composed it.
        claimed_at: when this worker began.
    """

    number: int
    token: int
    claimed_at: datetime
    composed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTimes:
    """The times of a run, UTC.

    Attributes:
        fire_at: when it was due.
        made_at: when it was made, which is later if no process was running.
        composed_at: when its last shard was composed; None before that, and for runs of releases that did not record it.
        shard_count: the number of its shards.
        shards: the first of its shards that were composed.
    """

    id: int
    period: str
    state: RunState
    fire_at: datetime
    made_at: datetime
    closed_at: datetime | None
    composed_at: datetime | None
    shard_count: int
    shards: Sequence[ShardTimes]
    deliveries: Sequence[DeliveryTimes]

    @property
    def is_finished(self) -> bool:
        """Whether nothing more happens to it: it was composed and everything was delivered or given up."""
        return self.state is RunState.COMPOSED and not any(
            delivery.state in UNSENT_STATES for delivery in self.deliveries
        )


def list_runs_after(tx: Transaction, run_id: int, limit: int) -> Sequence[int]:
    """Return the numbers of the runs after a run, in the order in which they were made.

    Args:
        tx: a transaction.
        run_id: the number of the run; 0 for all runs.
        limit: the maximum number.
    """
    statement = select(runs.c.id).where(runs.c.id > run_id).order_by(runs.c.id).limit(limit)
    return tx.execute(statement).scalars().all()


def find_last_run_before(tx: Transaction, instant: datetime) -> int:
    """Return the number of the last run that was made before an instant; 0 if there is none."""
    statement = select(runs.c.id).where(runs.c.made_at < instant).order_by(runs.c.id.desc()).limit(1)
    return tx.execute(statement).scalar() or 0


def load_run_times(tx: Transaction, run_id: int, max_shards: int) -> RunTimes | None:
    """Return the times of a run; None if it was removed meanwhile.

    Takes about a second for a million deliveries.

    Args:
        tx: a transaction.
        run_id: the number of the run.
        max_shards: the maximum number of shards.
    """
    row = tx.execute(select(runs).where(runs.c.id == run_id)).first()
    if row is None:
        return None
    shard_count = select(func.count()).select_from(shards).where(shards.c.run_id == run_id)
    return RunTimes(
        id=row.id,
        period=row.period,
        state=RunState(row.state),
        fire_at=row.fire_at,
        made_at=row.made_at,
        closed_at=row.closed_at,
        composed_at=row.composed_at,
        shard_count=tx.execute(shard_count).scalar_one(),
        shards=_load_shards(tx, run_id, max_shards),
        deliveries=_load_deliveries(tx, run_id),
    )


def _load_shards(tx: Transaction, run_id: int, limit: int) -> Sequence[ShardTimes]:
    is_composed = shards.c.claimed_at.is_not(None) & shards.c.composed_at.is_not(None)
    statement = select(shards).where(shards.c.run_id == run_id, is_composed).order_by(shards.c.number)
    return tuple(
        ShardTimes(
            number=row.number, token=row.lease_token, claimed_at=row.claimed_at, composed_at=row.composed_at
        )
        for row in tx.execute(statement.limit(limit))
    )


def _load_deliveries(tx: Transaction, run_id: int) -> Sequence[DeliveryTimes]:
    sent_at = deliveries.c.sent_at
    statement = (
        select(
            deliveries.c.channel,
            deliveries.c.state,
            func.count().label("number"),
            func.min(sent_at).label("first_sent_at"),
            func.max(sent_at).label("last_sent_at"),
        )
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .where(editions.c.run_id == run_id)
        .group_by(deliveries.c.channel, deliveries.c.state)
        .order_by(deliveries.c.channel, deliveries.c.state)
    )
    return tuple(
        DeliveryTimes(
            channel=row.channel,
            state=row.state,
            count=row.number,
            first_sent_at=row.first_sent_at,
            last_sent_at=row.last_sent_at,
        )
        for row in tx.execute(statement)
    )
