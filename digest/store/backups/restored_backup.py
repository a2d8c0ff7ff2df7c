"""A database that was restored from a backup: what is wrong in it, and what it would send a second time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    and_,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    text,
    update,
)

from digest.core.times.schedule import find_last_firing
from digest.model import ALERT_PREFIX, RunState
from digest.store.database.dialect import has_job_queue
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import (
    deliveries,
    destinations,
    digests,
    editions,
    runs,
    shards,
    slots,
)
from digest.store.database.tables.papers import buckets
from digest.store.database.tables.processes import leases, queue_cursors, workers
from digest.store.delivery.outbox import UNSENT_STATES
from digest.store.editions.runs import MISSED_AFTER
from digest.store.subscribers.digests import ACTIVE, ENDED, read_schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsentDelivery:
    """A delivery that is not marked as sent, and may have gone out after the backup."""

    id: int
    digest: str
    period: str
    address: str
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelRepeats:
    """The deliveries by one channel that may have gone out after the backup.

    Attributes:
        channel: the channel.
        count: their number.
        first: the first ones by due time.
    """

    channel: str
    count: int
    first: tuple[UnsentDelivery, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemadeRun:
    """A run whose editions may have been made and sent after the backup, and will be made again.

    Attributes:
        period: its period, which the Message-IDs of its editions depend on.
        digests: the number of digests that get an edition, at most; None for alerts.
    """

    period: str
    digests: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """What would be sent a second time, at most.

    Attributes:
        channels: deliveries in the backup that are due.
        later: the number of unsent deliveries that are not due, which cannot have gone out.
        runs: runs whose editions will be made again.
    """

    channels: tuple[ChannelRepeats, ...]
    later: int
    runs: tuple[RemadeRun, ...]


# --- repairs --------------------------------------------------------------------------------------


def estimate_backup_time(tx: Transaction, last_seen: datetime | None, now: datetime) -> datetime:
    """Return the latest time in the database: the backup was made then or later, before anything else was sent.

    Args:
        tx: a transaction.
        last_seen: the latest time that was recorded before the command that asks; None if there is none.
        now: the current time.
    """
    columns = (deliveries.c.sent_at, runs.c.made_at)
    times = [last_seen, *(tx.execute(select(func.max(column))).scalar() for column in columns)]
    return min(max((at for at in times if at is not None), default=now), now)


def forget_processes(tx: Transaction) -> None:
    """Release all leases, and remove all workers and waiting jobs: none of these processes uses this database."""
    leased: ColumnElement[str] = literal_column("'leased'")
    for table in (deliveries, shards):
        tx.execute(update(table).where(table.c.state == leased).values(state="ready", lease_until=None))
    tx.execute(update(buckets).where(buckets.c.holder != 0).values(busy_until=None, holder=0))
    for table in (leases, workers, queue_cursors):
        tx.execute(delete(table))
    if has_job_queue(tx):
        # Events refer to jobs and are deleted with them. What there is to do is in our tables.
        for name in ("procrastinate_periodic_defers", "procrastinate_jobs", "procrastinate_workers"):
            tx.execute(text(f"DELETE FROM {name}"))  # noqa: S608 - a constant


# --- what is repeated -----------------------------------------------------------------------------


def load_repeats(tx: Transaction, now: datetime, limit: int) -> Repeats:
    """Load what would be sent a second time if the hold ended.

    Args:
        tx: a transaction.
        now: the current time.
        limit: the maximum number of deliveries to name for each channel.
    """
    is_due = and_(_is_unsent(), deliveries.c.due_at <= now)
    counts = tx.execute(
        _join(select(deliveries.c.channel, func.count().label("number")))
        .where(is_due)
        .group_by(deliveries.c.channel)
        .order_by(deliveries.c.channel)
    ).all()
    later = _join(select(func.count())).where(_is_unsent(), deliveries.c.due_at > now)
    return Repeats(
        channels=tuple(
            ChannelRepeats(
                channel=row.channel,
                count=row.number,
                first=_load_first(tx, and_(is_due, deliveries.c.channel == row.channel), limit),
            )
            for row in counts
        ),
        later=tx.execute(later).scalar_one(),
        runs=(*_list_unfinished_runs(tx), *_list_runs_to_fire(tx, now)),
    )


def _is_unsent() -> ColumnElement[bool]:
    """Build the condition that a delivery will be sent: it has no final state, is still wanted, and its run is not dropped."""
    return and_(
        deliveries.c.state.in_(UNSENT_STATES),
        destinations.c.state == ACTIVE,
        digests.c.state != ENDED,
        or_(runs.c.held == "", ~runs.c.released),
    )


def _join(statement: Any) -> Any:
    return (
        statement.select_from(deliveries)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(digests, digests.c.id == editions.c.digest_id)
        .join(runs, runs.c.id == editions.c.run_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
    )


def _load_first(tx: Transaction, condition: ColumnElement[bool], limit: int) -> tuple[UnsentDelivery, ...]:
    columns = (
        deliveries.c.id,
        digests.c.name.label("digest"),
        runs.c.period,
        destinations.c.address,
        deliveries.c.due_at,
    )
    statement = _join(select(*columns)).where(condition)
    rows = tx.execute(statement.order_by(deliveries.c.due_at, deliveries.c.id).limit(limit))
    return tuple(UnsentDelivery(**row) for row in rows.mappings())


def _list_unfinished_runs(tx: Transaction) -> Iterator[RemadeRun]:
    """List the runs in the backup of which not all editions are made."""
    is_unfinished = runs.c.state.in_([RunState.OPEN.value, RunState.CLOSED.value])
    for run in tx.execute(select(runs).where(is_unfinished).order_by(runs.c.fire_at, runs.c.id)).all():
        is_made = exists().where(editions.c.run_id == run.id, editions.c.digest_id == digests.c.id)
        has_shards = tx.execute(
            select(shards.c.number).where(shards.c.run_id == run.id, shards.c.state != "done").limit(1)
        ).first()
        if run.period.startswith(ALERT_PREFIX) and has_shards:
            yield RemadeRun(period=run.period, digests=None)
        elif count := _count_digests(tx, run.slot_id, ~is_made):
            yield RemadeRun(period=run.period, digests=count)


def _list_runs_to_fire(tx: Transaction, now: datetime) -> Iterator[RemadeRun]:
    """List the runs that fire as soon as a process runs: one for each schedule, however many of its times have passed."""
    for slot in tx.execute(select(slots).where(slots.c.next_fire_at <= now).order_by(slots.c.id)).all():
        firing = find_last_firing(read_schedule(slot), now)
        if firing is None or firing.period <= slot.last_period:
            continue
        if slot.catch_up == "skip" and now - firing.at > MISSED_AFTER:
            continue
        if count := _count_digests(tx, slot.id):
            yield RemadeRun(period=firing.period, digests=count)


def _count_digests(tx: Transaction, slot: int, *conditions: ColumnElement[bool]) -> int:
    is_active = and_(digests.c.slot_id == slot, digests.c.state == ACTIVE)
    statement = select(func.count()).select_from(digests).where(is_active, *conditions)
    return tx.execute(statement).scalar_one()
