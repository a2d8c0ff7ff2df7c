"""What a clock that was ahead has left, and what would wait for its time to come: days, schedules, mails and sources.

Days that sources have announced prove that a clock is behind. Without them nobody can tell that from a clock that was ahead, so
each rule does little harm in either case: what was sent is never sent again, and no paper goes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import delete, exists, func, or_, select, update

from digest.core.fetching.ledger import REPAIRED
from digest.core.times.schedule import last_firing, next_firing, once
from digest.model import BatchState, Frequency
from digest.store.database.clock import SET_BACK, note, set_note
from digest.store.database.dialect import chunks
from digest.store.database.digest_tables import deliveries, notices, run_batches, runs, slots, suppressions
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import (
    batches,
    buckets,
    day_answers,
    enrichers,
    enrichments,
    listings,
    sections,
    source_state,
)
from digest.store.subscribers.digests import schedule_of

_LONGEST_WAIT = timedelta(days=3)
"""No mail, host or notice is put off for longer."""
_NEVER_SET = datetime(2026, 1, 1, tzinfo=UTC)
"""No release is older: a clock that says so was never set."""
_AHEAD = timedelta(days=1)
"""Sources announce a day before it has come here by no more."""
_ENOUGH = 2
"""So many announced days that have not come here prove that they have: one may be a mistake of its source."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_OF_SECTION = (sections.c.source == batches.c.source) & (sections.c.section == batches.c.section)
_UNLISTED = ~exists().where(listings.c.batch_id == batches.c.id)
_DAY, _TIMES = "signals_pruned_on", ("summary_since", "tidied_before")
"""Notes of when something was last done."""


def is_behind(tx: Transaction, now: datetime) -> bool:
    """Whether a time has certainly passed: it is before this release, or sources have announced later days.

    They date these by clocks of their own.
    """
    later = (batches.c.day > (now + _AHEAD).date()) & (batches.c.received > 0) & sections.c.accounted
    days = select(func.count(batches.c.day.distinct())).join(sections, _OF_SECTION).where(later)
    return now < _NEVER_SET or tx.execute(days).scalar_one() >= _ENOUGH


def told(now: datetime, seen: datetime, *, is_behind: bool) -> str:
    """What it means that an earlier command went by a later time."""
    here = f"the clock here says {now.astimezone(UTC):%Y-%m-%d %H:%M} UTC, and an earlier command went by "
    here += f"{seen.astimezone(UTC):%Y-%m-%d %H:%M}"
    if is_behind:
        return (
            f"{here}; the clock here is behind, for sources have announced later days, or it was never set. Set it: what was "
            "due meanwhile is done then"
        )
    return (
        f"{here}: one of the two is wrong. The next cycle goes by the clock here: schedules fire at their next time, and "
        "nothing waits for the later one; what went out does not go out again. If it is the clock here that is wrong, set "
        "it: what was due meanwhile is done then"
    )


def take_back(tx: Transaction, now: datetime, first_days: Mapping[str, date]) -> None:
    """Let nothing wait for a time that only a wrong clock has said.

    Args:
        tx: a transaction of ``Store.planning``.
        now: the time, earlier than what another clock, or this one, said before.
        first_days: by source, the day that a section begins with which is asked for the first time now.
    """
    _remove_days_to_come(tx, now)
    _judge_days_anew(tx, now)
    _take_back_first_days(tx, now, first_days)
    _take_back_schedules(tx, now)
    _take_back_answers(tx, now)
    _take_back_waits(tx, now)
    _take_back_notes(tx, now)


def _remove_days_to_come(tx: Transaction, now: datetime) -> None:
    """Remove the days behind the last one that their source told papers of.

    Those up to it stay: if it is this clock that is behind, they have come.
    """
    other = batches.alias()
    is_before_others = exists().where(
        other.c.source == batches.c.source, other.c.day >= batches.c.day, other.c.received > 0
    )
    to_come = select(batches.c.id).where(batches.c.due_at > now, _UNLISTED, ~is_before_others)
    for chunk in chunks(list(tx.execute(to_come).scalars())):
        for table in (run_batches, day_answers):
            tx.execute(delete(table).where(table.c.batch_id.in_(chunk)))
        tx.execute(delete(batches).where(batches.c.id.in_(chunk)))


def _judge_days_anew(tx: Transaction, now: datetime) -> None:
    """Let time judge once more what it has judged by a later time: days without papers, and days that fill."""
    late = now + SET_BACK
    answers = select(batches.c.id).where(batches.c.due_at <= now, _UNLISTED)
    tx.execute(delete(day_answers).where(day_answers.c.at > late, day_answers.c.batch_id.in_(answers)))
    # A state follows from when the day was asked for: one that was right comes out the same.
    judged = (batches.c.due_at <= now) & (batches.c.day >= now.date() - REPAIRED) & _UNLISTED
    by_time = batches.c.state.in_([BatchState.EMPTY.value, BatchState.FAILED.value])
    tx.execute(update(batches).where(judged, by_time).values(state=BatchState.WAITING.value))
    ahead = or_(batches.c.asked_at > late, batches.c.answered_at > late)
    unasked = {"asked_at": None, "answered_at": None, "error": "", "failure": ""}
    tx.execute(update(batches).where(judged, ahead).values(unasked))
    # A day that fills was closed too early.
    fills = exists().where(_OF_SECTION, sections.c.fills)
    closed = (batches.c.state == BatchState.COMPLETE.value) & (batches.c.answered_at > late)
    tx.execute(update(batches).where(fills, closed).values(state=BatchState.PARTIAL.value, answered_at=now))


def _take_back_first_days(tx: Transaction, now: datetime, first_days: Mapping[str, date]) -> None:
    """Let sections begin now that were to begin on a day that has not come."""
    for source, first in first_days.items():
        begun = (sections.c.source == source) & (sections.c.since > (now + _AHEAD).date())
        tx.execute(update(sections).where(begun).values(since=first))


def _take_back_schedules(tx: Transaction, now: datetime) -> None:
    """Let schedules fire at their next time, and at the last one that they missed."""
    fired = (
        select(runs.c.slot_id, func.max(runs.c.fire_at)).where(runs.c.fire_at <= now).group_by(runs.c.slot_id)
    )
    last_fired: dict[int, datetime] = dict(map(tuple, tx.execute(fired)))
    recurring = slots.c.frequency.not_in([Frequency.ONCE.value, Frequency.ALERT.value])
    for row in tx.execute(select(slots).where(recurring)).all():
        schedule = schedule_of(row)
        past, coming = last_firing(schedule, now), next_firing(schedule, now)
        waits = row.next_fire_at is not None and (coming is None or row.next_fire_at > coming.at)
        if not waits and row.last_period <= (past.period if past else ""):
            continue
        # As when it last fired by a time that has come; nobody knows what was missed where a later time woke it.
        known = [at for at in (last_fired.get(row.id), row.woken_at) if at is not None and at <= now]
        since = max(known, default=now)
        before, firing = last_firing(schedule, since), next_firing(schedule, since)
        values: dict[str, Any] = {"last_period": before.period if before else ""}
        if row.next_fire_at is not None:
            values["next_fire_at"] = firing.at if firing else None
        tx.execute(update(slots).where(slots.c.id == row.id).values(values))
    # What is to go out once, at once.
    never = (slots.c.frequency == Frequency.ONCE.value) & (slots.c.last_period == "")
    waiting = select(slots.c.id, slots.c.zone).where(never, slots.c.next_fire_at > now + SET_BACK)
    for place, row in enumerate(tx.execute(waiting.order_by(slots.c.id)).all(), start=1):
        instant = now - timedelta(microseconds=place)  # they differ by nothing else
        values = {"at": once(instant, row.zone).at, "next_fire_at": instant}
        tx.execute(update(slots).where(slots.c.id == row.id).values(values))


def _take_back_answers(tx: Transaction, now: datetime) -> None:
    """What was asked by a later time was asked now, and rests as long as it was to."""
    late, today = now + SET_BACK, now.astimezone(UTC).date()
    for row in tx.execute(select(source_state).where(source_state.c.asked_at > late)).all():
        mine = [source_state.c[name] == row._mapping[name] for name in ("source", "route", "section")]  # noqa: SLF001 - the documented way to a row's names
        values = {
            "asked_at": now,
            "answered_at": row.answered_at and min(row.answered_at, now),
            "next_at": row.next_at and now + (row.next_at - row.asked_at),
            "cursor": _DATE.sub(lambda found: min(found[0], today.isoformat()), row.cursor),
        }
        tx.execute(update(source_state).where(*mine).values(values))
    asked = select(enrichments).where(enrichments.c.asked_at > late)
    for row in tx.execute(asked).all():
        same = [enrichments.c[name] == row._mapping[name] for name in ("enricher", "kind", "subject")]  # noqa: SLF001 - as above
        rest = {"asked_at": now, "next_at": now + (row.next_at - row.asked_at)}
        tx.execute(update(enrichments).where(*same).values(rest))
    tx.execute(update(enrichers).where(enrichers.c.day > today).values(day=today))  # whose requests count


def _take_back_waits(tx: Transaction, now: datetime) -> None:
    """What was put off for longer than anything is waits no longer; addresses rest for as long as they were to."""
    too_late = now + _LONGEST_WAIT
    waiting = (deliveries.c.state == "ready") & (deliveries.c.due_at > too_late)
    tx.execute(update(deliveries).where(waiting).values(due_at=now, expires_at=None))
    tx.execute(update(buckets).where(buckets.c.paused_until > too_late).values(paused_until=None))
    tx.execute(update(notices).where(notices.c.due_at > too_late).values(due_at=now))
    for row in tx.execute(select(suppressions).where(suppressions.c.since > now + SET_BACK)).all():
        values = {"since": now, "until": row.until and now + (row.until - row.since)}
        tx.execute(update(suppressions).where(suppressions.c.mailbox == row.mailbox).values(values))


def _take_back_notes(tx: Transaction, now: datetime) -> None:
    """What was done by a later time was done now."""
    here = now.astimezone(UTC)
    if note(tx, _DAY) > here.date().isoformat():
        set_note(tx, _DAY, here.date().isoformat())
    for name in _TIMES:
        noted = note(tx, name)
        if noted and datetime.fromisoformat(noted) > here:
            set_note(tx, name, here.isoformat())
