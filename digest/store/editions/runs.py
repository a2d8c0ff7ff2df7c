"""Slots and their firings, runs with windows, and shards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, exists, func, insert, literal_column, or_, select, update

from digest.core.times.schedule import Firing, find_last_firing, find_latest_after, find_next_firing
from digest.model import ALERT_PREFIX, Batch, Frequency, Run, RunState, Schedule
from digest.store.database.bulk import insert_bulk
from digest.store.database.clock import is_lease_over
from digest.store.database.dialect import add_missing, split_into_chunks
from digest.store.database.engine import Transaction, get_highest_seq
from digest.store.database.samples import Sample, list_first
from digest.store.database.tables.digests import (
    destinations,
    digests,
    editions,
    run_batches,
    runs,
    shards,
    slots,
)
from digest.store.database.tables.papers import batches, sections
from digest.store.editions.restore_hold import read_hold_reason
from digest.store.subscribers.digests import ACTIVE, CONFIGURED, MADE_ON_SITE, PAUSED, read_schedule

SHARD_SIZE = 1000
"""Number of digests in a shard."""
LARGE_RUN_SIZE = 1000
"""Number of deliveries above which a run can be spread over time."""
LEASE_DURATION = timedelta(minutes=10)
"""Time after which another worker may claim the shard of a worker that has not finished it."""
MISSED_AFTER = timedelta(hours=1)
"""Delay after which a firing counts as missed, because no process was running."""


_ALERT_RUNS = select(runs.c.id).where(
    runs.c.state == RunState.CLOSED.value, runs.c.period.startswith(ALERT_PREFIX, autoescape=True)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A range of the digests of a run that is composed in one pass."""

    run: Run
    number: int
    first_id: int
    last_id: int
    token: int


class NewRun(NamedTuple):
    """A run that was just made."""

    id: int
    period: str


# --- firing ---------------------------------------------------------------------------------------


def has_sleepers(tx: Transaction, now: datetime) -> bool:
    """Whether ``wake_slots`` would change any slot."""
    abandoned = tx.execute(select(slots.c.id).where(*_IS_ABANDONED).limit(1)).first()
    asleep = tx.execute(select(slots).where(*_IS_ASLEEP))
    return abandoned is not None or any(_find_first_firing(row, now) for row in asleep)


def wake_slots(tx: Transaction, now: datetime) -> None:
    """Set the next firing of slots that have digests, and clear it for those that have none.

    Paused digests count: a pause may end at the very firing, which the slot must not miss.
    """
    asleep = select(slots).where(*_IS_ASLEEP).order_by(slots.c.id)
    for row in tx.execute(asleep.with_for_update(key_share=True)).all():
        firing = _find_first_firing(row, now)
        if firing:
            values = {"next_fire_at": firing.at, "woken_at": now}
            tx.execute(update(slots).where(slots.c.id == row.id).values(values))
    # This waits for nobody, because a digest is entering a slot that somebody has locked.
    abandoned = select(slots.c.id).where(*_IS_ABANDONED).order_by(slots.c.id)
    slot_ids = tx.execute(abandoned.with_for_update(skip_locked=True)).scalars().all()
    for chunk in split_into_chunks(slot_ids):
        is_abandoned = slots.c.id.in_(chunk), *_IS_ABANDONED
        tx.execute(update(slots).where(*is_abandoned).values(next_fire_at=None))


def _find_first_firing(slot: Row[Any], now: datetime) -> Firing | None:
    schedule = read_schedule(slot)
    if schedule.frequency is Frequency.ONCE:
        return find_last_firing(schedule, now)
    return find_next_firing(schedule, now)


_HAS_DIGESTS = exists().where(digests.c.slot_id == slots.c.id, digests.c.state.in_([ACTIVE, PAUSED]))
_IS_ASLEEP = (
    slots.c.next_fire_at.is_(None),
    or_(slots.c.frequency != Frequency.ONCE.value, slots.c.last_period == ""),
    _HAS_DIGESTS,
)
"""Conditions of a slot that has digests, may fire, and has no time at which it does; the first two are those of the
index ``ix_slots_asleep``.
"""
_IS_ABANDONED = (slots.c.next_fire_at.is_not(None), ~_HAS_DIGESTS)


def list_due_slots(tx: Transaction, now: datetime) -> Sequence[int]:
    """Return the slots that are due to fire."""
    return (
        tx.execute(select(slots.c.id).where(slots.c.next_fire_at <= now).order_by(slots.c.id)).scalars().all()
    )


def fire_slots(tx: Transaction, now: datetime, slot_ids: Collection[int] | None = None) -> Sequence[NewRun]:
    """Create the runs of due slots; of several missed firings of a slot only the last one makes a run.

    Args:
        tx: a writing transaction that has locked nothing that comes after slots.
        now: the current time.
        slot_ids: the slots; None for all. While other processes write, fire one slot at a time: a slot for single
            editions waits for digests that are entering it.

    Returns:
        The runs created.
    """
    statement = select(slots).where(slots.c.next_fire_at <= now).order_by(slots.c.id)
    if slot_ids is not None:
        statement = statement.where(slots.c.id.in_(slot_ids))
    rows = tx.execute(statement.with_for_update(key_share=True)).all()
    for row in rows:
        if row.frequency == Frequency.ONCE.value:
            # It fires only once. Whoever has found it unfired still has to store the digest that is to be in its run.
            tx.execute(select(slots.c.id).where(slots.c.id == row.id).with_for_update()).all()
    fired = [_fire_slot(tx, row, now) for row in rows]
    return [run for run in fired if run is not None]


def _fire_slot(tx: Transaction, slot: Row[Any], now: datetime) -> NewRun | None:
    schedule = read_schedule(slot)
    firing = find_last_firing(schedule, now)
    following = find_next_firing(schedule, now)
    values: dict[str, Any] = {"next_fire_at": following.at if following else None}
    is_missed = slot.catch_up == "skip" and firing is not None and now - firing.at > MISSED_AFTER
    new_run = None
    if is_missed:
        _merge_open_runs(tx, slot)  # A run that was still open when we stopped is missed by now, too.
    elif firing is not None and firing.period > slot.last_period:
        new_run = _make_run(tx, slot, schedule, firing, now)
        values["last_period"] = firing.period
    tx.execute(update(slots).where(slots.c.id == slot.id).values(values))
    return new_run


def _make_run(
    tx: Transaction, slot: Row[Any], schedule: Schedule, firing: Firing, now: datetime
) -> NewRun | None:
    if tx.execute(select(runs.c.id).where(runs.c.slot_id == slot.id, runs.c.period == firing.period)).first():
        return None
    since = _compute_wait_start(tx, slot, schedule, firing)
    _merge_open_runs(tx, slot)
    row = {
        "slot_id": slot.id,
        "period": firing.period,
        "state": RunState.OPEN.value,
        "fire_at": firing.at,
        "made_at": now,
        "latest_at": find_latest_after(schedule, firing.at),
        "held": read_hold_reason(tx),
    }
    run_id: int = tx.execute(insert(runs).returning(runs.c.id), row).scalar_one()
    is_same_section = (batches.c.source == sections.c.source) & (batches.c.section == sections.c.section)
    statement = (
        select(batches.c.id, batches.c.source, batches.c.section, batches.c.day)
        .join(sections, is_same_section)
        .where(sections.c.left_at.is_(None), sections.c.accounted, batches.c.due_at <= firing.at)
        .order_by(batches.c.day)
    )
    if since is not None:
        batch_ids = [batch_row.id for batch_row in tx.execute(statement.where(batches.c.due_at > since))]
    else:
        last_ids = {
            (batch_row.source, batch_row.section): batch_row.id for batch_row in tx.execute(statement)
        }
        batch_ids = list(last_ids.values())
    add_missing(tx, run_batches, [{"run_id": run_id, "batch_id": batch} for batch in sorted(batch_ids)])
    return NewRun(run_id, firing.period)


def _merge_open_runs(tx: Transaction, slot: Row[Any]) -> None:
    """Mark the open runs of a slot as merged into its next run."""
    is_open = (runs.c.slot_id == slot.id) & (runs.c.state == RunState.OPEN.value)
    tx.execute(update(runs).where(is_open).values(state=RunState.MERGED.value))


def _compute_wait_start(
    tx: Transaction, slot: Row[Any], schedule: Schedule, firing: Firing
) -> datetime | None:
    """Return the instant after which a batch must be due for a run to wait for it.

    None means that the run waits for the last batch of each section.
    """
    if schedule.frequency is Frequency.ONCE:
        return None
    closed = (RunState.CLOSED.value, RunState.COMPOSED.value)
    # A later run was made while the clock was ahead, and says nothing about batches before this firing.
    condition = (runs.c.slot_id == slot.id) & runs.c.state.in_(closed) & (runs.c.fire_at < firing.at)
    statement = select(func.max(runs.c.fire_at)).where(condition)
    at: datetime | None = tx.execute(statement).scalar()
    if at is not None and at >= slot.woken_at:
        return at
    # The slot has started, or started again: wait for what was due since then, and at least since its previous
    # firing (docs/decisions/0003-what-a-slot-that-begins-waits-for.md).
    previous = find_last_firing(schedule, firing.at - timedelta(microseconds=1))
    woken_at: datetime = slot.woken_at
    return min(woken_at, previous.at) if previous else woken_at


# --- closing --------------------------------------------------------------------------------------


def list_open_runs(tx: Transaction) -> tuple[Run, ...]:
    """Return the runs that have no window yet, in the order in which they fired."""
    statement = select(runs).where(runs.c.state == RunState.OPEN.value)
    return tuple(_build_run(row) for row in tx.execute(statement.order_by(runs.c.fire_at, runs.c.id)))


def has_active_digests(tx: Transaction, run: Run) -> bool:
    """Whether a run has an active digest; a run without any waits for nothing."""
    condition = (digests.c.slot_id == run.slot) & (digests.c.state == ACTIVE)
    return tx.execute(select(digests.c.id).where(condition).limit(1)).first() is not None


def select_awaited(tx: Transaction, run: Run, batches: Sequence[Batch]) -> tuple[Batch, ...]:
    """Select the batches of a run that its slot waits for: those of all sources, or of the sources that it names."""
    source_names: str = tx.execute(select(slots.c.waits_for).where(slots.c.id == run.slot)).scalar_one()
    sources = set(source_names.splitlines())
    return tuple(batch for batch in batches if not sources or batch.source in sources)


def note_ready(tx: Transaction, run_id: int) -> int:
    """Record the highest event number at the time when a run became ready; later calls do not change it.

    Returns:
        The event number up to which everything must be matched before the run closes.
    """
    condition = (runs.c.id == run_id) & runs.c.ready_seq.is_(None)
    tx.execute(update(runs).where(condition).values(ready_seq=get_highest_seq(tx)))
    seq: int = tx.execute(select(runs.c.ready_seq).where(runs.c.id == run_id)).scalar_one()
    return seq


class DigestRange(NamedTuple):
    """Range of the digests of a slot, which one shard of a run covers.

    Attributes:
        first_id: the lowest number.
        last_id: the highest number.
    """

    first_id: int
    last_id: int


def load_ranges(tx: Transaction, slot: int) -> tuple[DigestRange, ...]:
    """Return ranges of at most ``SHARD_SIZE`` digests that cover all digests of a slot that have not ended."""
    is_standing = (digests.c.slot_id == slot) & digests.c.state.in_([ACTIVE, PAUSED])
    position = func.row_number().over(order_by=digests.c.id) - 1
    numbered = select(digests.c.id, position.label("position")).where(is_standing).subquery()
    first_id = func.min(numbered.c.id)
    statement = select(first_id, func.max(numbered.c.id)).group_by(numbered.c.position // SHARD_SIZE)
    rows = tx.execute(statement.order_by(first_id))
    return tuple(DigestRange(*row) for row in rows)


def close_run(
    tx: Transaction, run: Run, to_seq: int, now: datetime, ranges: Sequence[DigestRange] | None = None
) -> bool:
    """Set the window of a run, create its shards and move the cursor of its slot, all in one transaction.

    Args:
        tx: a writing transaction that has locked the slot.
        run: an open run.
        to_seq: the last event of the window; all events up to it are matched.
        now: the current time.
        ranges: ``load_ranges`` of its slot, at a time when the run was open; None to load them. No digest enters a
            slot that has an open run.

    Returns:
        Whether the run was still open.
    """
    slot = tx.execute(select(slots).where(slots.c.id == run.slot).with_for_update(key_share=True)).one()
    window = {"from_seq": slot.cursor_seq, "to_seq": to_seq, "closed_at": now, "state": RunState.CLOSED.value}
    is_open = (runs.c.id == run.id) & (runs.c.state == RunState.OPEN.value)
    if not tx.execute(update(runs).where(is_open).values(window)).rowcount:
        return False
    tx.execute(update(slots).where(slots.c.id == slot.id).values(cursor_seq=to_seq))
    _insert_shards(tx, run.id, load_ranges(tx, run.slot) if ranges is None else ranges)
    return True


def make_shards(tx: Transaction, run_id: int, digest_ids: Sequence[int]) -> None:
    """Create the shards of a run: ranges of at most ``SHARD_SIZE`` of its digests, whose ids are in order."""
    groups = [digest_ids[number : number + SHARD_SIZE] for number in range(0, len(digest_ids), SHARD_SIZE)]
    _insert_shards(tx, run_id, [DigestRange(group[0], group[-1]) for group in groups])


def _insert_shards(tx: Transaction, run_id: int, ranges: Sequence[DigestRange]) -> None:
    columns = ("run_id", "number", "low_id", "high_id", "state", "lease_token")
    rows = [(run_id, number, *id_range, "ready", 0) for number, id_range in enumerate(ranges)]
    insert_bulk(tx, shards, columns, rows)


def is_large(tx: Transaction, run: Run) -> bool:
    """Whether a run's slot has so many destinations that not all of its messages need go out at once."""
    condition = (digests.c.slot_id == run.slot) & (digests.c.state == ACTIVE)
    destination_ids = select(destinations.c.id).join(digests, digests.c.id == destinations.c.digest_id)
    statement = (
        destination_ids.where(condition, destinations.c.state == ACTIVE).offset(LARGE_RUN_SIZE).limit(1)
    )
    return tx.execute(statement).first() is not None


def add_deliveries(tx: Transaction, run: Run, count: int) -> None:
    """Add to the number of deliveries of a run, in the transaction that creates them."""
    if count:
        total = runs.c.deliveries + count
        tx.execute(update(runs).where(runs.c.id == run.id).values(deliveries=total))


# --- shards ---------------------------------------------------------------------------------------

# Literally the condition of the index of unfinished shards: those of earlier runs are not read.
_UNFINISHED = shards.c.state != literal_column("'done'")


def claim_shard(tx: Transaction, token: int, now: datetime, *, only_alerts: bool = False) -> Shard | None:
    """Claim a shard that no worker has; return None if there is none.

    Args:
        tx: a writing transaction.
        token: the fencing token of the worker; a previous worker of the shard can no longer finish it.
        now: the current time; the lease ends ``LEASE_DURATION`` later.
        only_alerts: claim only shards of alerts.
    """
    is_expired = (shards.c.state == "leased") & is_lease_over(shards.c.lease_until, now, LEASE_DURATION)
    is_free = or_(shards.c.state == "ready", is_expired)
    statement = select(shards).where(_UNFINISHED, is_free).order_by(shards.c.run_id, shards.c.number).limit(1)
    if only_alerts:
        statement = statement.where(shards.c.run_id.in_(_ALERT_RUNS))
    row = tx.execute(statement.with_for_update(skip_locked=True)).first()
    if row is None:
        return None
    is_shard = (shards.c.run_id == row.run_id) & (shards.c.number == row.number)
    lease = {
        "state": "leased",
        "lease_until": now + LEASE_DURATION,
        "lease_token": token,
        "claimed_at": now,
    }
    tx.execute(update(shards).where(is_shard).values(lease))
    run = _build_run(tx.execute(select(runs).where(runs.c.id == row.run_id)).one())
    return Shard(run=run, number=row.number, first_id=row.low_id, last_id=row.high_id, token=token)


def count_ready_shards(tx: Transaction, *, alerts: bool) -> int:
    """Return the number of shards that no worker composes yet: those of alerts, or all others."""
    return _count_shards(tx, "ready", alerts=alerts)


def count_leased_shards(tx: Transaction, *, alerts: bool) -> int:
    """Return the number of shards that a worker composes: those of alerts, or all others."""
    return _count_shards(tx, "leased", alerts=alerts)


def _count_shards(tx: Transaction, state: str, *, alerts: bool) -> int:
    is_alert = shards.c.run_id.in_(_ALERT_RUNS)
    statement = select(func.count()).select_from(shards).where(_UNFINISHED, shards.c.state == state)
    return int(tx.execute(statement.where(is_alert if alerts else ~is_alert)).scalar_one())


def find_oldest_closed(tx: Transaction) -> datetime | None:
    """Return when the run was closed that has been waiting longest to be composed; None if there is none."""
    is_closed = runs.c.state == RunState.CLOSED.value
    return tx.execute(select(func.min(runs.c.closed_at)).where(is_closed)).scalar_one_or_none()


def count_uncomposed(tx: Transaction) -> int:
    """Return an upper limit of the number of digests that no worker composes yet."""
    is_ready = _UNFINISHED & (shards.c.state == "ready")
    statement = select(func.count()).select_from(shards).where(is_ready)
    return SHARD_SIZE * int(tx.execute(statement).scalar_one())


def release_worker(tx: Transaction, token: int) -> int:
    """Return the shards of a worker that has ended, so that others can claim them at once; return their number."""
    is_leased = _UNFINISHED & (shards.c.lease_token == token) & (shards.c.state == "leased")
    return int(tx.execute(update(shards).where(is_leased).values(state="ready", lease_until=None)).rowcount)


def finish_shard(tx: Transaction, shard: Shard, now: datetime) -> bool:
    """Mark a shard as composed; return False if another worker has claimed it in the meantime."""
    return _end_lease(tx, shard, "done", now)


def return_shard(tx: Transaction, shard: Shard) -> None:
    """Return a shard that was not composed, so that others can claim it at once."""
    _end_lease(tx, shard, "ready")


def _end_lease(tx: Transaction, shard: Shard, state: str, composed_at: datetime | None = None) -> bool:
    is_shard = (shards.c.run_id == shard.run.id) & (shards.c.number == shard.number)
    is_leased = is_shard & (shards.c.lease_token == shard.token) & (shards.c.state == "leased")
    values = {"state": state, "lease_until": None, "composed_at": composed_at}
    return bool(tx.execute(update(shards).where(is_leased).values(values)).rowcount)


def has_finished(tx: Transaction) -> bool:
    """Whether ``finish_runs`` would change any run."""
    return tx.execute(select(runs.c.id).where(*_IS_FINISHED).limit(1)).first() is not None


def finish_runs(tx: Transaction, now: datetime) -> tuple[Run, ...]:
    """Mark closed runs as composed if all their shards are, and return them as they were."""
    statement = select(runs).where(*_IS_FINISHED).order_by(runs.c.id)
    finished = tx.execute(statement.with_for_update(key_share=True)).all()
    for row in finished:
        is_closed = (runs.c.id == row.id) & (runs.c.state == RunState.CLOSED.value)
        tx.execute(update(runs).where(is_closed).values(state=RunState.COMPOSED.value, composed_at=now))
    return tuple(map(_build_run, finished))


_IS_FINISHED = (
    runs.c.state == RunState.CLOSED.value,
    ~exists().where(shards.c.run_id == runs.c.id, shards.c.state != "done"),
)


# --- reading --------------------------------------------------------------------------------------


class RunDigests(NamedTuple):
    """The digests of a run.

    Attributes:
        configured: the names of those that the file declares.
        reader_count: the number of those that readers made on the site.
    """

    configured: Sample[str]
    reader_count: int


def list_recent_runs(
    tx: Transaction, limit: int, max_names: int | None = None
) -> tuple[tuple[Run, Sample[str]], ...]:
    """Return the last runs, newest first, with the names of the digests that have an edition in them or wait for one.

    Args:
        tx: a transaction.
        limit: the maximum number of runs.
        max_names: the maximum number of names for each run; None for no limit.
    """
    rows = _list_rows(tx, limit)
    return tuple((_build_run(row), _list_names(tx, _select_names(row), max_names)) for row in rows)


def list_runs_without_reader_names(
    tx: Transaction, limit: int, max_names: int
) -> tuple[tuple[Run, RunDigests], ...]:
    """Return the last runs, newest first, with the names of their digests that the file declares.

    The name of a digest that a reader made may tell what they follow.

    Args:
        tx: a transaction.
        limit: the maximum number of runs.
        max_names: the maximum number of names for each run.
    """
    return tuple((_build_run(row), _load_digests(tx, row, max_names)) for row in _list_rows(tx, limit))


def _load_digests(tx: Transaction, run: Row[Any], max_names: int) -> RunDigests:
    names = _select_names(run)
    of_readers = names.where(digests.c.made_by == MADE_ON_SITE)
    return RunDigests(
        configured=_list_names(tx, names.where(digests.c.made_by == CONFIGURED), max_names),
        reader_count=tx.execute(select(func.count()).select_from(of_readers.subquery())).scalar_one(),
    )


def _list_rows(tx: Transaction, limit: int) -> Sequence[Row[Any]]:
    # Not by time of firing: a clock that was a year ahead made runs of next year.
    return tx.execute(select(runs).order_by(runs.c.id.desc()).limit(limit)).all()


def _select_names(run: Row[Any]) -> Select[Any]:
    """Select the names of the digests that have an edition in a run or wait for one."""
    if run.state == RunState.OPEN.value:
        return select(digests.c.name).where(digests.c.slot_id == run.slot_id, digests.c.state == ACTIVE)
    columns = select(digests.c.name).join(editions, editions.c.digest_id == digests.c.id)
    return columns.where(editions.c.run_id == run.id, editions.c.skipped == "")


def _list_names(tx: Transaction, statement: Select[Any], limit: int | None) -> Sample[str]:
    names = tx.execute(statement.order_by(digests.c.name).limit(limit)).scalars()
    if limit is None:
        return list_first(names, None)
    total = tx.execute(select(func.count()).select_from(statement.subquery())).scalar_one()
    return list_first(names, limit, total)


def _build_run(row: Row[Any]) -> Run:
    return Run(
        id=row.id,
        slot=row.slot_id,
        period=row.period,
        state=RunState(row.state),
        fire_at=row.fire_at,
        made_at=row.made_at,
        latest_at=row.latest_at,
        closed_at=row.closed_at,
        ready_seq=row.ready_seq,
        from_seq=row.from_seq,
        to_seq=row.to_seq,
    )
