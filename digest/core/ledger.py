"""What to ask when, and what is known of each batch: pure decisions on the ledger's rows.

A batch's row is made when its day is due, asked or not, so that what was never asked is visible. No
state is final: a listing that comes late is stored, whatever the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from digest.core.schedule import days_due, due_at, gone_at, last_day_due, over_at
from digest.model import Batch, BatchState, Calendar, Run, Section

HOLD = timedelta(hours=3)
"""For how long a run is held back while every source fails: it is probably our network."""


# --- batches --------------------------------------------------------------------------------------


def first_day(calendar: Calendar, now: datetime) -> date:
    """A section's ``since``: the last announcement day before we first asked."""
    return last_day_due(calendar, now)


def days_to_account_for(calendar: Calendar, since: date, now: datetime) -> tuple[date, ...]:
    """The announcement days from a section's first one on that are due by now."""
    return tuple(days_due(calendar, due_at(calendar, since) - timedelta(microseconds=1), now))


def settle(batch: Batch, calendar: Calendar, now: datetime) -> BatchState:
    """The state of a batch after the time that has passed.

    A day without listings is ``empty`` when it is over and we had asked; one that nobody asked about
    while some route could bring it has ``failed``.
    """
    if batch.state is not BatchState.WAITING:
        return batch.state
    if batch.answered_at is not None and now >= over_at(calendar, batch.day):
        return BatchState.EMPTY
    if not reachable(batch, calendar, now):
        return BatchState.FAILED
    return BatchState.WAITING


def after_answer(batch: Batch, *, received: int, over_full: bool, now: datetime) -> Batch:
    """The account of a day after a readable answer about it.

    Args:
        batch: the account before.
        received: how many of its listings are stored now.
        over_full: the answer reached its route's limit.
        now: when the answer had come.
    """
    if over_full:
        state = BatchState.PARTIAL
    elif received:
        state = BatchState.COMPLETE
    else:
        state = batch.state
    error = "the answer was cut at the route's limit, new papers may be missing" if over_full else ""
    return replace(batch, state=state, received=received, asked_at=now, answered_at=now, error=error)


def reachable(batch: Batch, calendar: Calendar, now: datetime) -> bool:
    """Whether some route can still bring this day."""
    return now < gone_at(calendar, batch.day)


def wanted(section: Section, batches: Iterable[Batch], calendar: Calendar, now: datetime) -> bool:
    """Whether to ask a section now.

    It is asked while a day that can be had is awaited, at its own pause's pace; and once at the very
    first, so that a wrong name is found at once.
    """
    if section.next_at is not None and now < section.next_at:
        return False
    if section.asked_at is None:
        return True
    return any(awaited(batch) and reachable(batch, calendar, now) for batch in batches)


# --- runs -----------------------------------------------------------------------------------------


def awaited(batch: Batch) -> bool:
    """Whether asking again could bring this day: a route that was cut at its limit would only be cut again."""
    return batch.state in {BatchState.WAITING, BatchState.FAILED}


def missing(batch: Batch) -> bool:
    """Whether papers of this day are, or may be, missing."""
    return batch.state not in {BatchState.COMPLETE, BatchState.EMPTY}


def waits_for(run: Run, batches: Sequence[Batch], *, reachable_ids: frozenset[int]) -> tuple[Batch, ...]:
    """The batches that a run is still held back by, were `latest` not to pass.

    Args:
        run: an open one.
        batches: those fixed when it was made.
        reachable_ids: the ids of those that some route can still bring.
    """
    due = [batch for batch in batches if awaited(batch) and batch.id in reachable_ids]
    if run.latest_at is not None:
        return tuple(due)
    return tuple(batch for batch in due if batch.asked_at is None or batch.asked_at < run.made_at)


def ready(
    run: Run, batches: Sequence[Batch], now: datetime, *, reachable_ids: frozenset[int], all_fail: bool
) -> bool:
    """Whether a run may close, but for matching.

    Each of its batches has had an attempt that ended after the run was made and is complete, empty or
    out of reach, or `latest` has passed; without `latest` the attempt is enough. While every source
    fails nothing closes, for three hours at most.
    """
    held_until = max(run.made_at, run.latest_at or run.made_at) + HOLD
    if (
        all_fail
        and now < held_until
        and any(awaited(batch) and batch.id in reachable_ids for batch in batches)
    ):
        return False
    if run.latest_at is not None and now >= run.latest_at:
        return True
    return not waits_for(run, batches, reachable_ids=reachable_ids)
