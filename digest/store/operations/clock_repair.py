"""Repair after clock errors: resets days, schedules, mails and sources that wait for a time in the future.

Announcement days of sources can prove that a clock is behind. Without them, a clock that is behind and an
earlier one that ran ahead look alike, so each rule does little harm in either case: no mail is sent twice,
and no paper is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import delete, exists, func, or_, select, update

from digest.core.fetching.ledger import REPAIR_PERIOD
from digest.core.times.schedule import find_last_firing, find_next_firing, make_single_schedule
from digest.model import BatchState, Frequency
from digest.store.database.clock import CLOCK_TOLERANCE, read_note, set_note
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import lock_table, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, notices, run_batches, runs, slots
from digest.store.database.tables.papers import (
    batches,
    buckets,
    day_answers,
    enrichers,
    enrichments,
    listings,
    sections,
    source_state,
)
from digest.store.database.tables.readers import suppressions
from digest.store.subscribers.digests import read_schedule

_MAX_WAIT = timedelta(days=3)
"""Maximum delay of a mail, host or notice."""
_EARLIEST_TIME = datetime(2026, 1, 1, tzinfo=UTC)
"""Date before the first release; a clock that shows an earlier time was never set."""
_MAX_ANNOUNCEMENT_LEAD = timedelta(days=1)
"""Maximum time by which a source's announcement day is ahead of UTC."""
_MIN_PROVING_DAYS = 2
"""Number of announced days in the future that prove that the clock is behind; a single one may be a source's mistake."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_IS_SAME_SECTION = (sections.c.source == batches.c.source) & (sections.c.section == batches.c.section)
_HAS_NO_LISTING = ~exists().where(listings.c.batch_id == batches.c.id)
_DAY_NOTES = ("signals_pruned_on", "matches_pruned_on", "trending_found_on")
_TIME_NOTES = ("summary_since", "tidied_before")
"""Names of notes with the day or time at which something was last done."""


def is_behind(tx: Transaction, now: datetime) -> bool:
    """Whether a time is certainly past, because it is before the first release or sources have announced later days.

    Sources date these days by their own clocks.
    """
    is_later = (
        (batches.c.day > (now + _MAX_ANNOUNCEMENT_LEAD).date())
        & (batches.c.received > 0)
        & sections.c.accounted
    )
    statement = select(func.count(batches.c.day.distinct())).join(sections, _IS_SAME_SECTION).where(is_later)
    return now < _EARLIEST_TIME or tx.execute(statement).scalar_one() >= _MIN_PROVING_DAYS


def describe_time_jump(now: datetime, latest_seen: datetime, *, is_behind: bool) -> str:
    """Describe a time that an earlier command recorded and that is later than the present one."""
    statement = f"the clock of this machine says {now.astimezone(UTC):%Y-%m-%d %H:%M} UTC, but an earlier command used "
    statement += f"{latest_seen.astimezone(UTC):%Y-%m-%d %H:%M}"
    if is_behind:
        return f"{statement}. The clock is behind, because sources have announced later days, or it was never set. Set it; everything that is overdue then happens"
    return f"{statement}. One of the two is wrong. The next cycle uses the clock of this machine: schedules fire at their next time, and nothing that was sent is sent again. If this clock is wrong, set it; everything that is overdue then happens"


def reset_after_clock_error(tx: Transaction, now: datetime, first_days: Mapping[str, date]) -> None:
    """Reset everything that waits for a time that only a wrong clock has shown.

    Args:
        tx: a writing transaction that has locked all batches, and no slot.
        now: the time, earlier than one that another clock, or this one, showed before.
        first_days: by source, the first day of a section that would be fetched for the first time now.
    """
    lock_table(tx, slots)  # no slot fires, and waits for batches that are removed here, until this has ended
    _remove_days_to_come(tx, now)
    _reset_judged_days(tx, now)
    _reset_first_days(tx, now, first_days)
    _reset_schedules(tx, now)
    _reset_answers(tx, now)
    _reset_waits(tx, now)
    _reset_notes(tx, now)


def _remove_days_to_come(tx: Transaction, now: datetime) -> None:
    """Remove future batches after the last day for which their source has listed papers.

    Earlier ones stay: if this clock is behind, these days are not in the future.
    """
    other_batches = batches.alias()
    precedes_listed = exists().where(
        other_batches.c.source == batches.c.source,
        other_batches.c.day >= batches.c.day,
        other_batches.c.received > 0,
    )
    future_ids = select(batches.c.id).where(batches.c.due_at > now, _HAS_NO_LISTING, ~precedes_listed)
    for chunk in split_into_chunks(list(tx.execute(future_ids).scalars())):
        for table in (run_batches, day_answers):
            tx.execute(delete(table).where(table.c.batch_id.in_(chunk)))
        tx.execute(delete(batches).where(batches.c.id.in_(chunk)))


def _reset_judged_days(tx: Transaction, now: datetime) -> None:
    """Reset states of days that were set by a later time: days without papers, and days that fill gradually."""
    latest = now + CLOCK_TOLERANCE
    unlisted_ids = select(batches.c.id).where(batches.c.due_at <= now, _HAS_NO_LISTING)
    tx.execute(delete(day_answers).where(day_answers.c.at > latest, day_answers.c.batch_id.in_(unlisted_ids)))
    # The state is computed again from the times of the requests; one that was right does not change.
    is_judged = (batches.c.due_at <= now) & (batches.c.day >= now.date() - REPAIR_PERIOD) & _HAS_NO_LISTING
    is_closed_by_time = batches.c.state.in_([BatchState.EMPTY.value, BatchState.FAILED.value])
    tx.execute(update(batches).where(is_judged, is_closed_by_time).values(state=BatchState.WAITING.value))
    is_ahead = or_(batches.c.asked_at > latest, batches.c.answered_at > latest)
    reset_values = {"asked_at": None, "answered_at": None, "error": "", "failure": ""}
    tx.execute(update(batches).where(is_judged, is_ahead).values(reset_values))
    # A day that fills gradually was completed too early.
    is_filling = exists().where(_IS_SAME_SECTION, sections.c.fills)
    is_complete = (batches.c.state == BatchState.COMPLETE.value) & (batches.c.answered_at > latest)
    tx.execute(
        update(batches).where(is_filling, is_complete).values(state=BatchState.PARTIAL.value, answered_at=now)
    )


def _reset_first_days(tx: Transaction, now: datetime, first_days: Mapping[str, date]) -> None:
    """Set the first day of sections that would begin in the future to the present first day."""
    for source, first_day in first_days.items():
        starts_later = (sections.c.source == source) & (
            sections.c.since > (now + _MAX_ANNOUNCEMENT_LEAD).date()
        )
        tx.execute(update(sections).where(starts_later).values(since=first_day))
        note_content_change(tx)


def _reset_schedules(tx: Transaction, now: datetime) -> None:
    """Let schedules fire at their next time, and at the last one that they missed."""
    statement = (
        select(runs.c.slot_id, func.max(runs.c.fire_at)).where(runs.c.fire_at <= now).group_by(runs.c.slot_id)
    )
    last_fired: dict[int, datetime] = dict(map(tuple, tx.execute(statement)))
    is_recurring = slots.c.frequency.not_in([Frequency.ONCE.value, Frequency.ALERT.value])
    for row in tx.execute(select(slots).where(is_recurring)).all():
        schedule = read_schedule(row)
        previous, following = find_last_firing(schedule, now), find_next_firing(schedule, now)
        waits_too_long = row.next_fire_at is not None and (
            following is None or row.next_fire_at > following.at
        )
        if not waits_too_long and row.last_period <= (previous.period if previous else ""):
            continue
        # Restore the state after its last firing that is not in the future. If only a later time woke the slot, it is
        # unknown what was missed, and it begins now.
        certain_times = [at for at in (last_fired.get(row.id), row.woken_at) if at is not None and at <= now]
        since = max(certain_times, default=now)
        last, firing = find_last_firing(schedule, since), find_next_firing(schedule, since)
        values: dict[str, Any] = {"last_period": last.period if last else ""}
        if row.next_fire_at is not None:
            values["next_fire_at"] = firing.at if firing else None
        tx.execute(update(slots).where(slots.c.id == row.id).values(values))
    # Single editions that wait for the future fire at once.
    never_fired = (slots.c.frequency == Frequency.ONCE.value) & (slots.c.last_period == "")
    unfired = select(slots.c.id, slots.c.zone).where(
        never_fired, slots.c.next_fire_at > now + CLOCK_TOLERANCE
    )
    for offset, row in enumerate(tx.execute(unfired.order_by(slots.c.id)).all(), start=1):
        instant = now - timedelta(microseconds=offset)  # nothing else makes their slots different
        values = {"at": make_single_schedule(instant, row.zone).at, "next_fire_at": instant}
        tx.execute(update(slots).where(slots.c.id == row.id).values(values))


def _reset_answers(tx: Transaction, now: datetime) -> None:
    """Set requests from the future to now, with the same delay until the next request."""
    latest, today = now + CLOCK_TOLERANCE, now.astimezone(UTC).date()
    for row in tx.execute(select(source_state).where(source_state.c.asked_at > latest)).all():
        is_row = [source_state.c[name] == row._mapping[name] for name in ("source", "route", "section")]  # noqa: SLF001 - the documented way to a row's names
        values = {
            "asked_at": now,
            "answered_at": row.answered_at and min(row.answered_at, now),
            "next_at": row.next_at and now + (row.next_at - row.asked_at),
            "cursor": _DATE.sub(lambda match: min(match[0], today.isoformat()), row.cursor),
        }
        tx.execute(update(source_state).where(*is_row).values(values))
    statement = select(enrichments).where(enrichments.c.asked_at > latest)
    for row in tx.execute(statement).all():
        key = row._mapping  # noqa: SLF001 - as above
        is_enrichment = [enrichments.c[name] == key[name] for name in ("enricher", "kind", "subject")]
        new_values = {"asked_at": now, "next_at": now + (row.next_at - row.asked_at)}
        tx.execute(update(enrichments).where(*is_enrichment).values(new_values))
    tx.execute(
        update(enrichers).where(enrichers.c.day > today).values(day=today)
    )  # its requests count for today


def _reset_waits(tx: Transaction, now: datetime) -> None:
    """End waits that are longer than the maximum, and restart the rest of addresses that began in the future."""
    latest = now + _MAX_WAIT
    is_waiting = (deliveries.c.state == "ready") & (deliveries.c.due_at > latest)
    tx.execute(update(deliveries).where(is_waiting).values(due_at=now, expires_at=None))
    tx.execute(update(buckets).where(buckets.c.paused_until > latest).values(paused_until=None))
    tx.execute(update(notices).where(notices.c.due_at > latest).values(due_at=now))
    for row in tx.execute(select(suppressions).where(suppressions.c.since > now + CLOCK_TOLERANCE)).all():
        values = {"since": now, "until": row.until and now + (row.until - row.since)}
        tx.execute(update(suppressions).where(suppressions.c.mailbox == row.mailbox).values(values))


def _reset_notes(tx: Transaction, now: datetime) -> None:
    """Set times in notes that are in the future to now."""
    utc_now = now.astimezone(UTC)
    for name in _DAY_NOTES:
        if read_note(tx, name) > utc_now.date().isoformat():
            set_note(tx, name, utc_now.date().isoformat())
    for name in _TIME_NOTES:
        recorded = read_note(tx, name)
        if recorded and datetime.fromisoformat(recorded) > utc_now:
            set_note(tx, name, utc_now.isoformat())
