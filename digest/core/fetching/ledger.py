"""Ledger of batches: their states, and which of them a run waits for. These are pure decisions on database rows.

The row of a batch is created when its day is due, whether or not it was requested, so that days that were
never requested are visible. No state is final: a late listing is stored in any state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date, datetime, timedelta

from digest.core.fetching.shortfall import aggregate_source_days, is_quiet_as_usual
from digest.core.times.schedule import compute_day_end, compute_opens_at, get_last_due_day, is_retained
from digest.failures import FailureKind
from digest.model import (
    Batch,
    BatchState,
    Calendar,
    DayAnswer,
    DayVerdict,
    Listing,
    PaperKey,
    Route,
    Run,
    Scope,
    Section,
)
from digest.ports import AnnouncedDay

REPAIR_PERIOD = timedelta(days=90)
"""Maximum age of a day that is requested again, if a route still has it."""
MAX_OUTAGE_HOLD = timedelta(hours=3)
"""Maximum time for which a run is delayed while every source fails, which probably means that our network is down."""
PLAIN_FEED_BACKLOG = timedelta(hours=48)
"""Maximum age of entries that are reported from the first answer of a feed without announcement days."""
_MAX_DATE_AHEAD = timedelta(days=1)
"""Maximum time by which an entry's date may be in the future; a later one does not count as date of publication."""
_QUIET_ANSWER_DELAY = timedelta(hours=6)
"""Time after a day was due from which an answer without papers means that the day has none."""


# --- days -----------------------------------------------------------------------------------------


def get_first_day(calendar: Calendar | None, now: datetime) -> date:
    """Return a section's ``since``: the last announcement day before the first request."""
    return (now - PLAIN_FEED_BACKLOG).date() if calendar is None else get_last_due_day(calendar, now)


def select_announced_papers(
    section: Section, day: date, listings: Iterable[Listing], *, by_entry_date: bool, now: datetime
) -> frozenset[PaperKey]:
    """Return the papers that a digest may report: those announced since the section's first day.

    Args:
        section: the section before this answer.
        day: the day of the batch.
        listings: the listings of the batch.
        by_entry_date: whether the source has no announcement days. Then the date of each entry counts; if it
            is missing or in the future, the entry counts as announced if the section had been fetched before.
        now: when the listings arrived.
    """
    if not by_entry_date:
        return frozenset(listing.paper.key for listing in listings) if day >= section.since else frozenset()
    was_answered = section.answered_at is not None
    return frozenset(
        listing.paper.key
        for listing in listings
        if (
            listing.published_at.date() >= section.since
            if listing.published_at and listing.published_at <= now + _MAX_DATE_AHEAD
            else was_answered
        )
    )


# --- answers --------------------------------------------------------------------------------------


def is_known(batch: Batch, calendar: Calendar, routes: Sequence[Route]) -> bool:
    """Return True if the papers of a day are known, so that they are recognized if a later answer repeats them.

    A part of them suffices if no route can be requested by date, because nothing more will come.
    """
    if batch.state in {BatchState.COMPLETE, BatchState.EMPTY}:
        return True
    if batch.received:
        was_cut = any(answer.verdict is DayVerdict.CUT for answer in batch.answers)
        return was_cut or all(route.scope is not Scope.DAY for route in routes)
    return is_quiet(batch, calendar)


def is_quiet(batch: Batch, calendar: Calendar) -> bool:
    """Return True if a day is known to have no papers: an answer after its end had none."""
    if batch.state is BatchState.EMPTY:
        return True
    is_over = batch.answered_at is not None and batch.answered_at >= compute_day_end(calendar, batch.day)
    return is_over and not batch.received


def evaluate_answer(
    route: Route,
    announced: AnnouncedDay,
    *,
    listed: int,
    unread: int,
    is_last_page: bool,
    is_checked: bool,
    now: datetime,
) -> DayAnswer:
    """Return a route's answer about a day with its verdict.

    Args:
        route: the route that returned it.
        announced: its last page.
        listed: number of listings on all its pages.
        unread: number of its entries that cannot be parsed; another request would return the same ones.
        is_last_page: whether there is no further page.
        is_checked: whether it is known not to repeat the day before.
        now: when it arrived.
    """
    missing = (announced.expected or 0) - listed
    if announced.over_full or (is_last_page and 0 < missing <= unread):
        verdict = DayVerdict.CUT
    elif not is_last_page or missing > 0:
        verdict = DayVerdict.SHORT
    elif listed:
        verdict = DayVerdict.WHOLE if is_checked else DayVerdict.UNCHECKED
    else:
        verdict = DayVerdict.QUIET
    return DayAnswer(route=route.name, at=now, verdict=verdict, listed=listed, expected=announced.expected)


def apply_answer(batch: Batch, calendar: Calendar | None, answer: DayAnswer, received: int) -> Batch:
    """Return the batch after a readable answer about its day.

    Args:
        batch: the batch before.
        calendar: the calendar of its source.
        answer: the answer with its verdict.
        received: number of listings that are stored now.
    """
    other_answers = tuple(day_answer for day_answer in batch.answers if day_answer.route != answer.route)
    answers = (*other_answers, answer)
    verdicts = {day_answer.verdict for day_answer in answers}
    was_closed = batch.state in {BatchState.COMPLETE, BatchState.EMPTY}
    if _is_whole(batch, answer, verdicts, received):
        is_filling = (
            calendar is not None and calendar.fills and answer.at < compute_day_end(calendar, batch.day)
        )
        state = BatchState.PARTIAL if is_filling else BatchState.COMPLETE
    elif received:
        state = BatchState.PARTIAL
    else:
        state = batch.state
    doubt = _find_doubt(verdicts) if state is BatchState.PARTIAL else None
    return replace(
        batch,
        state=state,
        expected=_find_expected_count(answers),
        received=received,
        late=batch.late + (received - batch.received if was_closed else 0),
        asked_at=answer.at,
        answered_at=answer.at,
        error=DOUBT_MESSAGES[doubt] if doubt else "",
        failure=doubt,
        answers=answers,
    )


def apply_check(batch: Batch, received: int, *, is_stale: bool) -> Batch:
    """Return the batch once it is known whether its unchecked answers repeat another day.

    Args:
        batch: the batch before.
        received: number of stored listings, without those of the other day.
        is_stale: whether they repeat another day. Then they do not count as answers, and the day is requested
            again. If no listing is left, this applies to every answer.
    """
    is_emptied = is_stale and not received
    answers = tuple(
        _resolve_check(answer, is_stale=is_stale)
        if is_emptied or answer.verdict is DayVerdict.UNCHECKED
        else answer
        for answer in batch.answers
    )
    verdicts = {day_answer.verdict for day_answer in answers}
    if DayVerdict.WHOLE in verdicts:
        state = BatchState.COMPLETE
    else:
        state = BatchState.PARTIAL if received else BatchState.WAITING
    is_reset = state is BatchState.WAITING
    doubt = _find_doubt(verdicts) if state is BatchState.PARTIAL else None
    return replace(
        batch,
        state=state,
        expected=_find_expected_count(answers),
        received=received,
        asked_at=None if is_reset else batch.asked_at,
        answered_at=None if is_reset else batch.answered_at,
        error=DOUBT_MESSAGES[doubt] if doubt else "",
        failure=doubt,
        answers=answers,
    )


def _resolve_check(answer: DayAnswer, *, is_stale: bool) -> DayAnswer:
    """Return an answer with its verdict after the check; a stale one counted another day's listings."""
    if is_stale:
        return replace(answer, verdict=DayVerdict.QUIET, listed=0, expected=None)
    return replace(answer, verdict=DayVerdict.WHOLE)


def _find_expected_count(answers: Iterable[DayAnswer]) -> int | None:
    return max((answer.expected for answer in answers if answer.expected is not None), default=None)


def _is_whole(batch: Batch, answer: DayAnswer, verdicts: AbstractSet[DayVerdict], received: int) -> bool:
    """Return True if a day is complete: a route had all of it, and this answer does not count more than is stored.

    If an answer about a complete day lacks listings, or has none, only the answer is bad.
    """
    was_complete = batch.state is BatchState.COMPLETE
    match answer.verdict:
        case DayVerdict.SHORT:
            return was_complete and answer.expected is not None and answer.expected <= received
        case DayVerdict.QUIET:
            return was_complete or DayVerdict.WHOLE in verdicts
        case _:
            return DayVerdict.WHOLE in verdicts


DOUBT_MESSAGES = {
    FailureKind.INCOMPLETE: (
        "an answer reached the limit of its route or had unreadable entries, so papers may be missing"
    ),
    FailureKind.UNCHECKED: "the day before is missing, so these may be its papers under a new date",
}
"""Messages for the operator about a doubtful day."""


def _find_doubt(verdicts: AbstractSet[DayVerdict]) -> FailureKind | None:
    """Return the reason to doubt a day although nothing is known to be missing; None if there is none."""
    if DayVerdict.CUT in verdicts:
        return FailureKind.INCOMPLETE
    return FailureKind.UNCHECKED if DayVerdict.UNCHECKED in verdicts else None


def resolve_state(
    batch: Batch,
    calendar: Calendar,
    routes: Sequence[Route],
    now: datetime,
    *,
    announced_at: datetime | None = None,
) -> BatchState:
    """Return the state of a batch at the current time.

    A day without listings is ``empty`` if it is over and was requested; or as soon as a route that was
    requested by date had nothing of it although it had been announced. It has ``failed`` if no route has it
    any more, and it was not requested successfully at least six hours after it was due.

    Args:
        batch: the batch of the day.
        calendar: the calendar of its source.
        routes: the routes of its source.
        now: the current time.
        announced_at: when the source was first seen to have papers of that day in another section; None if it
            was not. Before a day is announced, every section has nothing.
    """
    if _is_quiet_by_date(batch, calendar, routes, announced_at):
        return BatchState.EMPTY
    is_over = now >= compute_day_end(calendar, batch.day)
    can_arrive = is_reachable(batch, calendar, routes, now)
    if batch.state is BatchState.PARTIAL:
        is_filled = calendar.fills and is_over and batch.answered_at is not None
        answered_after_day = batch.answered_at is not None and batch.answered_at >= compute_day_end(
            calendar, batch.day
        )
        return BatchState.COMPLETE if is_filled and (answered_after_day or not can_arrive) else batch.state
    if batch.state is not BatchState.WAITING:
        return batch.state
    if is_over and batch.answered_at is not None:
        if batch.answered_at >= compute_day_end(calendar, batch.day) or not can_arrive:
            return BatchState.EMPTY
    elif not can_arrive:
        was_checked = (
            batch.asked_at is not None
            and not batch.error
            and batch.asked_at >= batch.due_at + _QUIET_ANSWER_DELAY
        )
        return BatchState.EMPTY if was_checked else BatchState.FAILED
    return BatchState.WAITING


def _is_quiet_by_date(
    batch: Batch, calendar: Calendar, routes: Sequence[Route], announced_at: datetime | None
) -> bool:
    """Return True if a route that was requested by date had nothing of a day after it was announced."""
    if batch.state is not BatchState.WAITING or announced_at is None or calendar.fills:
        return False
    dated_routes = {route.name for route in routes if route.scope is Scope.DAY}
    return any(
        answer.route in dated_routes and answer.verdict is DayVerdict.QUIET and answer.at >= announced_at
        for answer in batch.answers
    )


def is_reachable(batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime) -> bool:
    """Return True if some route can still return this day, or more of it.

    A route whose answer could not be checked is requested again, but runs do not wait for it.
    """
    unusable = {DayVerdict.CUT, DayVerdict.UNCHECKED}
    exhausted_routes = {answer.route for answer in batch.answers if answer.verdict in unusable}
    return any(
        is_retained(calendar, route, batch.day, now) and route.name not in exhausted_routes
        for route in select_announcing_routes(routes)
    )


def select_announcing_routes(routes: Sequence[Route]) -> tuple[Route, ...]:
    """Return the routes with announcement days; if there are none, all routes."""
    return tuple(route for route in routes if route.scope is not Scope.RECORDS) or tuple(routes)


def is_available(calendar: Calendar, route: Route, day: date, now: datetime) -> bool:
    """Return True if a route has a day now, provided that it was announced."""
    return compute_opens_at(calendar, route, day) <= now and is_retained(calendar, route, day, now)


def is_outstanding(batch: Batch) -> bool:
    """Return True if another request could return more of this day."""
    return batch.state in {BatchState.WAITING, BatchState.PARTIAL, BatchState.FAILED}


# --- runs -----------------------------------------------------------------------------------------


def find_blocking_batches(
    run: Run, batches: Sequence[Batch], *, reachable_ids: frozenset[int]
) -> tuple[Batch, ...]:
    """Return the batches for which a run still waits until `latest`.

    A section that has nothing, as it often does, delays no run once it was requested: what it gets later is
    in the next edition. Small sections that have nothing all at once do delay it, because the day may not be
    announced yet.

    Args:
        run: an open run.
        batches: the batches that were assigned when it was created.
        reachable_ids: the IDs of those that some route can still return.
    """
    outstanding = [batch for batch in batches if is_outstanding(batch) and batch.id in reachable_ids]
    unrequested = tuple(
        batch for batch in outstanding if batch.asked_at is None or batch.asked_at < run.made_at
    )
    if run.latest_at is None:
        return unrequested
    source_days_by_key = aggregate_source_days(batches)
    return tuple(
        batch
        for batch in outstanding
        if batch in unrequested or not is_quiet_as_usual(batch, source_days_by_key[batch.source, batch.day])
    )


def is_ready_to_close(
    run: Run, batches: Sequence[Batch], now: datetime, *, reachable_ids: frozenset[int], all_fail: bool
) -> bool:
    """Return True if a run may close, apart from matching.

    That is so if `latest` has passed, or if each of its batches was requested after the run was created and
    is complete, empty or out of reach. Without `latest`, the request suffices. While every source fails, no
    run closes for up to three hours.
    """
    has_outstanding = any(is_outstanding(batch) and batch.id in reachable_ids for batch in batches)
    if all_fail and has_outstanding and now < _compute_hold_end(run):
        return False
    if run.latest_at is not None and now >= run.latest_at:
        return True
    return not find_blocking_batches(run, batches, reachable_ids=reachable_ids)


def get_closing_time(run: Run, *, all_fail: bool) -> datetime | None:
    """Return when a waiting run closes whatever has arrived; None if that only depends on a request."""
    return _compute_hold_end(run) if all_fail else run.latest_at


def _compute_hold_end(run: Run) -> datetime:
    return max(run.made_at, run.latest_at or run.made_at) + MAX_OUTAGE_HOLD
