"""What a clock that was ahead has left behind: schedules, days and pauses of a time that has not come.

Which of two clocks is the wrong one, nobody can tell from here: perhaps today's is behind. So only that is undone which
makes itself again when its time comes, and what was told stays as it is.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, exists, func, or_, select, update

from digest.core.times.schedule import next_firing
from digest.model import BatchState, Frequency, RunState
from digest.store.clock import AHEAD, is_ahead, latest_seen, set_latest
from digest.store.digest_tables import deliveries, notices, run_batches, runs, slots
from digest.store.digests import schedule_of
from digest.store.engine import Transaction
from digest.store.paper_tables import (
    batches,
    buckets,
    day_answers,
    enrichments,
    listings,
    signals,
    source_state,
)

_LONGEST_DELAY = timedelta(days=1)
"""Between two attempts of a delivery."""


def repair(tx: Transaction, now: datetime) -> bool:
    """Undo what keeps digests, days and sources waiting for a time that a wrong clock told.

    Args:
        tx: a transaction of ``Store.planning``.
        now: the time by the clock of this machine; the latest seen from now on.

    Returns:
        Whether a clock was ahead.
    """
    seen = latest_seen(tx)
    if seen is None or not is_ahead(seen, now):
        return False
    _repair_slots(tx, now)
    _repair_days(tx, now)
    _end_pauses(tx, now)
    set_latest(tx, now)
    return True


def _repair_slots(tx: Transaction, now: datetime) -> None:
    """Slots fire at their next time again, and runs that wait for a later one leave what they tell to the next."""
    waiting = (runs.c.state == RunState.OPEN.value) & (runs.c.made_at > now + AHEAD)
    tx.execute(update(runs).where(waiting).values(state=RunState.MERGED.value))
    mine = (runs.c.slot_id == slots.c.id) & (runs.c.made_at <= now + AHEAD)
    period = select(func.max(runs.c.period)).where(mine).scalar_subquery()
    fired_at = select(func.max(runs.c.fire_at)).where(mine).scalar_subquery()
    recurring = slots.c.frequency.not_in([Frequency.ONCE.value, Frequency.ALERT.value])
    statement = select(slots, period.label("period"), fired_at.label("fired_at"))
    for row in tx.execute(statement.where(recurring, slots.c.next_fire_at.is_not(None))).all():
        woken = min(row.woken_at or now, now)
        # From the last time that it fired: what was due since, and did not fire for the clock, fires now.
        firing = next_firing(schedule_of(row), min(row.fired_at or woken, now))
        values = {
            "next_fire_at": firing.at if firing else None,
            "last_period": min(row.last_period, row.period or ""),
            "woken_at": woken,
        }
        tx.execute(update(slots).where(slots.c.id == row.id).values(values))


def _repair_days(tx: Transaction, now: datetime) -> None:
    """Rows of days that have not come are made when they have, and days that were given up too early wait again.

    What lists papers stays.
    """
    unlisted = ~exists().where(listings.c.batch_id == batches.c.id)
    ahead = select(batches.c.id).where(batches.c.due_at > now + AHEAD, unlisted)
    for table in (run_batches, day_answers):
        tx.execute(delete(table).where(table.c.batch_id.in_(ahead)))
    tx.execute(delete(batches).where(batches.c.id.in_(ahead)))
    settled = batches.c.state.in_([BatchState.FAILED.value, BatchState.EMPTY.value])
    asked = or_(batches.c.asked_at.is_(None), batches.c.asked_at > now + AHEAD)
    waits = {"state": BatchState.WAITING.value, "error": ""}
    tx.execute(update(batches).where(settled, asked, unlisted).values(waits))
    tx.execute(delete(day_answers).where(day_answers.c.at > now + AHEAD, day_answers.c.listed == 0))
    for column in (batches.c.asked_at, batches.c.answered_at, source_state.c.answered_at):
        tx.execute(update(column.table).where(column > now + AHEAD).values({column: None}))
    tx.execute(delete(signals).where(signals.c.day > (now + _LONGEST_DELAY).date()))


def _end_pauses(tx: Transaction, now: datetime) -> None:
    """What was asked in the future may be asked now, and what was to be tried again then is tried now."""
    for table in (source_state, enrichments):
        tx.execute(update(table).where(table.c.asked_at > now + AHEAD).values(asked_at=now, next_at=now))
    untold = (notices.c.noted_at > now + AHEAD) & notices.c.due_at.is_not(None)
    tx.execute(update(notices).where(untold).values(noted_at=now, due_at=now))
    for column in (buckets.c.next_at, buckets.c.busy_until, buckets.c.paused_until):
        tx.execute(update(buckets).where(column > now + _LONGEST_DELAY).values({column: now}))
    late = or_(deliveries.c.state == "ready", deliveries.c.state == "held")
    late &= deliveries.c.due_at > now + _LONGEST_DELAY
    tx.execute(update(deliveries).where(late).values(due_at=now, expires_at=None))
