"""Take back what a clock that was ahead has left: it would hold up digests, sources and mails until its time comes.

Every column with a time is here, or a test says why it needs nothing. What was told stays as it is, and what is deleted
is made again when its day comes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    Table,
    and_,
    delete,
    exists,
    false,
    func,
    or_,
    select,
    update,
)

from digest.core.ledger import REPAIRED
from digest.core.times.schedule import last_firing, next_firing, once
from digest.model import ALERT, BatchState, Frequency, RunState
from digest.store import ledger
from digest.store.clock import SAME_CLOCK, note, set_note
from digest.store.digest_tables import (
    deliveries,
    digests,
    editions,
    feedback,
    follows,
    notices,
    opinions,
    reports,
    run_batches,
    runs,
    slots,
    suppressions,
)
from digest.store.digests import ACTIVE, PAUSED, schedule_of
from digest.store.engine import Transaction
from digest.store.paper_tables import (
    batches,
    buckets,
    day_answers,
    enrichers,
    enrichments,
    events,
    listings,
    moves,
    person_ids,
    same_person,
    sections,
    signals,
    source_state,
)
from digest.store.runs import IS_FALSE

FACTS: tuple[Column[Any], ...] = (
    slots.c.woken_at,
    follows.c.ended_at,
    feedback.c.at,
    opinions.c.at,
    runs.c.made_at,
    runs.c.closed_at,
    editions.c.composed_at,
    deliveries.c.sent_at,
    reports.c.at,
    notices.c.noted_at,
    sections.c.left_at,
    source_state.c.asked_at,
    source_state.c.answered_at,
    moves.c.first_at,
    moves.c.last_at,
    person_ids.c.said_at,
    person_ids.c.withdrawn_at,
    same_person.c.said_at,
    same_person.c.withdrawn_at,
    enrichments.c.asked_at,
    enrichers.c.answered_at,
    enrichers.c.error_at,
)
"""When something happened: by now at the latest."""
PAUSES: tuple[Column[Any], ...] = (
    source_state.c.next_at,
    buckets.c.paused_until,
    enrichments.c.next_at,
    notices.c.due_at,
)
"""Until when something waits that was put off: it waits no longer."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_PRUNED, _TIMES = "signals_pruned_on", ("summary_since", "tidied_before")
_WITHOUT_PAPERS = [BatchState.EMPTY.value, BatchState.FAILED.value]
_LATELY = timedelta(days=7)
"""Days without papers are judged anew for so long although they were answered about: perhaps before they were over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What was taken back.

    Attributes:
        schedules: how many fire at their next time again.
        days: how many days of sources that have not come were removed.
    """

    schedules: int
    days: int


class _Work(NamedTuple):
    """What each part of a repair goes by.

    Attributes:
        now: the time.
        ahead: what is later was written by a clock that was ahead.
    """

    tx: Transaction
    now: datetime
    ahead: datetime

    @property
    def today(self) -> date:
        """The day that what tells none is dated by, UTC."""
        return self.now.date()


def repair(tx: Transaction, now: datetime, first_days: Mapping[str, date]) -> Repaired:
    """Take back what was written by a clock that was ahead.

    Args:
        tx: a transaction of ``Store.planning``.
        now: the time by a clock that is right.
        first_days: by source, the day that a section begins with which is asked for the first time now.
    """
    ledger.hold(tx)
    work = _Work(tx, now, now + SAME_CLOCK)
    _begin_sections_anew(work, first_days)
    days = _repair_days(work)
    _date_events(work)
    _forget_cursors(work)
    early = _repair_runs(work)
    _repair_editions_on_their_way(work)
    _repair_addresses(work)
    _repair_counts(work)
    for column in FACTS + PAUSES:
        tx.execute(update(column.table).where(column > work.ahead).values({column.name: now}))
    _repair_once(work)
    schedules = _repair_slots(work, early)
    _pause_again(work)
    return Repaired(schedules=schedules, days=days)


# --- days -----------------------------------------------------------------------------------------


def _begin_sections_anew(work: _Work, first_days: Mapping[str, date]) -> None:
    """A section that was asked for the first time told nothing: all its papers were older than its first day."""
    tx = work.tx
    for row in tx.execute(select(sections).where(sections.c.since > work.today)).all():

        def mine(table: Table, row: Row[Any] = row) -> ColumnElement[bool]:
            return and_(table.c.source == row.source, table.c.section == row.section)

        since = min(first_days.get(row.source, work.today), work.today)
        tx.execute(update(sections).where(mine(sections)).values(since=since))
        state = {"etag": "", "last_modified": "", "body_hash": "", "answered_at": None}
        tx.execute(update(source_state).where(mine(source_state)).values(state))
        asked = select(batches.c.id).where(mine(batches), batches.c.answered_at > work.ahead)
        tx.execute(delete(listings).where(listings.c.batch_id.in_(asked)))
        anew = {"received": 0, "state": BatchState.WAITING.value}
        tx.execute(update(batches).where(batches.c.id.in_(asked)).values(anew))


def _repair_days(work: _Work) -> int:
    """Remove days that have not come, and judge those anew that were judged before their time; says how many are gone."""
    tx, ahead = work.tx, work.ahead
    unlisted = ~exists().where(listings.c.batch_id == batches.c.id)
    to_come = (batches.c.due_at > ahead) & unlisted
    for table in (run_batches, day_answers):
        tx.execute(delete(table).where(table.c.batch_id.in_(select(batches.c.id).where(to_come))))
    removed = tx.execute(delete(batches).where(to_come)).rowcount
    _date_feeds(work)
    asked_ahead = or_(batches.c.asked_at > ahead, batches.c.answered_at > ahead)
    # What time alone made of a day has left no trace; it is made again at once where it is right.
    unanswered = batches.c.answered_at.is_(None) & (batches.c.day >= work.today - REPAIRED)
    by_time = batches.c.state.in_(_WITHOUT_PAPERS) & or_(unanswered, batches.c.day >= work.today - _LATELY)
    here = and_(sections.c.source == batches.c.source, sections.c.section == batches.c.section)
    accounted = exists().where(here, sections.c.accounted, sections.c.left_at.is_(None))
    waits = {"state": BatchState.WAITING.value}
    tx.execute(update(batches).where(unlisted, accounted, or_(asked_ahead, by_time)).values(waits))
    tx.execute(
        delete(day_answers).where(
            day_answers.c.at > ahead, day_answers.c.batch_id.in_(select(batches.c.id).where(unlisted))
        )
    )
    fills = exists().where(here, sections.c.fills)
    closed = (batches.c.state == BatchState.COMPLETE.value) & (batches.c.answered_at > ahead)
    tx.execute(update(batches).where(fills, closed).values(state=BatchState.PARTIAL.value))
    unasked: dict[str, Any] = {"asked_at": None, "answered_at": None, "error": ""}
    tx.execute(update(batches).where(unlisted, asked_ahead).values(unasked))
    for column in (batches.c.asked_at, batches.c.answered_at):  # of those with papers: when, nobody knows
        tx.execute(update(batches).where(column > ahead).values({column.name: batches.c.due_at}))
    due = select(batches.c.due_at).where(batches.c.id == day_answers.c.batch_id).scalar_subquery()
    tx.execute(update(day_answers).where(day_answers.c.at > ahead).values(at=due))
    return removed


def _date_feeds(work: _Work) -> None:
    """Date what feeds without days showed by the last days that they have no account of: they are counted by our clock."""
    tx = work.tx
    here = and_(sections.c.source == batches.c.source, sections.c.section == batches.c.section)
    plain = exists().where(here, ~sections.c.accounted)
    seen = select(batches).where(plain, batches.c.due_at > work.ahead).order_by(batches.c.day.desc())
    for row in tx.execute(seen).all():
        mine = (batches.c.source == row.source) & (batches.c.section == row.section)
        taken = set(tx.execute(select(batches.c.day).where(mine, batches.c.day <= work.today)).scalars())
        day = work.today
        while day in taken:
            day -= timedelta(days=1)
        tx.execute(update(batches).where(batches.c.id == row.id).values(day=day, due_at=work.now))


def _date_events(work: _Work) -> None:
    """Date by today what our clock dated by a day that has not come; a new digest would begin with it."""
    announced = exists().where(
        batches.c.source == events.c.source, batches.c.day == events.c.day, batches.c.received > 0
    )
    late = events.c.day > work.ahead.date()
    work.tx.execute(update(events).where(late, ~announced).values(day=work.today))


def _forget_cursors(work: _Work) -> None:
    """Let sources that go on from a day that has not come begin anew."""
    tx = work.tx
    limit = work.ahead.date().isoformat()
    for row in tx.execute(select(source_state).where(source_state.c.cursor != "")).all():
        if max(_DATE.findall(row.cursor), default="") > limit:
            mine = [source_state.c[name] == row._mapping[name] for name in ("source", "route", "section")]  # noqa: SLF001 - the documented way to a row's names
            tx.execute(update(source_state).where(*mine).values(cursor="", unfinished=False))


# --- runs and schedules ---------------------------------------------------------------------------


def _repair_runs(work: _Work) -> frozenset[int]:
    """Mark the runs that were made before their time, by giving them an earlier ``made_at``; says of which slots.

    Open ones leave what they would tell to the next run of their slot; those that told something keep their period.
    """
    tx, now = work.tx, work.now
    last_right = tx.execute(select(func.max(runs.c.made_at)).where(runs.c.made_at <= work.ahead)).scalar()
    made, is_alert = runs.c.made_at > work.ahead, runs.c.period.startswith(ALERT)
    tx.execute(update(runs).where(made, is_alert).values(fire_at=now))
    # What had fired by a time that is known to be right was due, whichever clock found it.
    due = runs.c.fire_at <= last_right if last_right is not None else false()
    rows = tx.execute(select(runs).where(made, ~is_alert, ~due)).all()
    for row in rows:
        values: dict[str, Any] = {"made_at": min(now, row.fire_at - timedelta(seconds=1))}
        if row.state == RunState.OPEN.value:
            values["state"] = RunState.MERGED.value
            # A first edition has no later run: it is due again.
            first = (slots.c.id == row.slot_id) & (slots.c.frequency == Frequency.ONCE.value)
            tx.execute(update(slots).where(first).values(last_period="", next_fire_at=row.fire_at))
        tx.execute(update(runs).where(runs.c.id == row.id).values(values))
    return frozenset(row.slot_id for row in rows)


def _repair_once(work: _Work) -> None:
    """Let first editions go out now that wait for the time at which a wrong clock declared their digests."""
    tx = work.tx
    mine = (slots.c.frequency == Frequency.ONCE.value) & (slots.c.last_period == "")
    waiting = select(slots).where(mine, slots.c.next_fire_at > work.now).order_by(slots.c.id)
    for place, row in enumerate(tx.execute(waiting).all(), start=1):
        at = work.now - timedelta(microseconds=place)  # each has its own: they differ by nothing else
        values = {"at": once(at, row.zone).at, "next_fire_at": at}
        tx.execute(update(slots).where(slots.c.id == row.id).values(values))


def _repair_slots(work: _Work, early: frozenset[int]) -> int:
    """Let schedules fire at their next time, and at what they missed meanwhile; says how many.

    Args:
        work: the repair.
        early: the slots with runs that were made before their time.
    """
    tx, now = work.tx, work.now
    true = select(
        runs.c.slot_id, func.max(runs.c.period).label("period"), func.max(runs.c.fire_at).label("at")
    )
    last = {row.slot_id: row for row in tx.execute(true.where(~IS_FALSE).group_by(runs.c.slot_id))}
    recurring = slots.c.frequency.not_in([Frequency.ONCE.value, Frequency.ALERT.value])
    changed = 0
    for row in tx.execute(select(slots).where(recurring).order_by(slots.c.id)).all():
        schedule = schedule_of(row)
        past, coming = last_firing(schedule, now), next_firing(schedule, now)
        is_late = row.next_fire_at is not None and (coming is None or row.next_fire_at > coming.at)
        if row.id not in early and not is_late and row.last_period <= (past.period if past else ""):
            continue
        run = last.get(row.id)
        since = max(filter(None, (run.at if run else None, row.woken_at)), default=now)
        firing = next_firing(schedule, min(since, now))
        values: dict[str, Any] = {"last_period": min(row.last_period, run.period if run else "")}
        if row.next_fire_at is not None:
            values["next_fire_at"] = firing.at if firing else None
            changed += 1
        tx.execute(update(slots).where(slots.c.id == row.id).values(values))
    return changed


def _pause_again(work: _Work) -> None:
    """Let digests rest whose pause the wrong clock ended."""
    ended = (digests.c.state == ACTIVE) & (digests.c.paused_until > work.ahead)
    work.tx.execute(update(digests).where(ended).values(state=PAUSED))


# --- what goes out and what is counted ------------------------------------------------------------


def _repair_editions_on_their_way(work: _Work) -> None:
    """What was put off to a later time is tried now; how long it is tried counts from its next failure."""
    waits = deliveries.c.state.in_(["ready", "held", "leased"]) & (deliveries.c.due_at > work.ahead)
    values: dict[str, Any] = {"due_at": work.now, "expires_at": None, "paced": False}
    work.tx.execute(update(deliveries).where(waits).values(values))


def _repair_addresses(work: _Work) -> None:
    """Let addresses rest for as long as they were to, from now on."""
    tx = work.tx
    for row in tx.execute(select(suppressions).where(suppressions.c.since > work.ahead)).all():
        values = {"since": work.now, "until": row.until and work.now + (row.until - row.since)}
        tx.execute(update(suppressions).where(suppressions.c.mailbox == row.mailbox).values(values))


def _repair_counts(work: _Work) -> None:
    """Date by the last days what was counted by days that have not come; no number is deleted."""
    tx, today = work.tx, work.today
    tx.execute(update(enrichers).where(enrichers.c.day > today).values(day=today))
    days: int = tx.execute(
        select(func.count(signals.c.day.distinct())).where(signals.c.day > today)
    ).scalar_one()
    for day in (today - timedelta(days=back) for back in range(2 * days)):
        later, other = signals.alias(), signals.alias()
        same = [
            [table.c[name] == signals.c[name] for name in ("subject", "kind", "source")]
            for table in (later, other)
        ]
        is_last = ~exists().where(*same[0], later.c.day > signals.c.day)
        is_free = ~exists().where(*same[1], other.c.day == day)
        tx.execute(update(signals).where(signals.c.day > today, is_last, is_free).values(day=day))
    if note(tx, _PRUNED) > today.isoformat():
        set_note(tx, _PRUNED, today.isoformat())
    for name in _TIMES:
        noted = note(tx, name)
        if noted and datetime.fromisoformat(noted) > work.ahead:
            set_note(tx, name, work.now.isoformat())
