"""What is known of each batch, and what a run waits for: pure decisions on the ledger's rows.

A batch's row is made when its day is due, asked or not, so that what was never asked is visible. No
state is final: a listing that comes late is stored, whatever the state.
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
"""How far back days are asked for again, where a route can still bring them."""
MAX_OUTAGE_HOLD = timedelta(hours=3)
"""For how long a run is held back while every source fails: it is probably our network."""
PLAIN_FEED_BACKLOG = timedelta(hours=48)
"""What a feed without announcement days had before it was first asked, and is told all the same."""
_MAX_DATE_AHEAD = timedelta(days=1)
"""Who dates an entry further ahead does not say when it was published."""
_QUIET_ANSWER_DELAY = timedelta(hours=6)
"""How long after a day was due an answer without papers means that the day has none."""


# --- days -----------------------------------------------------------------------------------------


def get_first_day(calendar: Calendar | None, now: datetime) -> date:
    """A section's ``since``: the last announcement day before we first asked."""
    return (now - PLAIN_FEED_BACKLOG).date() if calendar is None else get_last_due_day(calendar, now)


def select_announced_papers(
    section: Section, day: date, listings: Iterable[Listing], *, by_entry_date: bool, now: datetime
) -> frozenset[PaperKey]:
    """The papers of which listings may tell: those announced since the section's first day.

    Args:
        section: as it was before.
        day: the batch's.
        listings: its.
        by_entry_date: the source has no announcement days: then each entry's own date counts, and where it has
            none, or one that has not come, whether the section was known already.
        now: when the listings had come.
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
    """Whether the papers of a day are known, so that they are recognised if a later answer shows them again.

    Some of them are enough where no route can be asked for the day by date, since nothing more will come.
    """
    if batch.state in {BatchState.COMPLETE, BatchState.EMPTY}:
        return True
    if batch.received:
        was_cut = any(answer.verdict is DayVerdict.CUT for answer in batch.answers)
        return was_cut or all(route.scope is not Scope.DAY for route in routes)
    return is_quiet(batch, calendar)


def is_quiet(batch: Batch, calendar: Calendar) -> bool:
    """Whether a day is known to have had no papers: after it was over, an answer had none."""
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
    """What a route's answer about a day is worth.

    Args:
        route: by which it came.
        announced: its last page.
        listed: how many listings all its pages had.
        unread: how many entries of them could not be read: asking again would only bring those again.
        is_last_page: there is no further page.
        is_checked: it is known not to be the answer of the day before.
        now: when it had come.
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
    """The account of a day after a readable answer about it.

    Args:
        batch: the account before.
        calendar: its source's.
        answer: as it was judged.
        received: how many of its listings are stored now.
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
    """The account of a day once it is known whether its unchecked answers were those of another day.

    Args:
        batch: the account before.
        received: how many listings are stored, without those that were the other day's.
        is_stale: they were: then nobody has answered about this day by them, and it is asked for anew. Where nothing is
            left, this holds for every answer.
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
    """An answer once it is checked; what a stale one counted was another day's."""
    if is_stale:
        return replace(answer, verdict=DayVerdict.QUIET, listed=0, expected=None)
    return replace(answer, verdict=DayVerdict.WHOLE)


def _find_expected_count(answers: Iterable[DayAnswer]) -> int | None:
    return max((answer.expected for answer in answers if answer.expected is not None), default=None)


def _is_whole(batch: Batch, answer: DayAnswer, verdicts: AbstractSet[DayVerdict], received: int) -> bool:
    """Whether a day is whole: a route said so, and this answer does not tell of more than is stored.

    A page of a complete day that lacks rows, or has none, is only a bad copy of what we have.
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
"""What the operator is told of a day that is in doubt."""


def _find_doubt(verdicts: AbstractSet[DayVerdict]) -> FailureKind | None:
    """Why a day is not called complete although nothing of it is known to be missing; None if there is no reason."""
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
    """The state of a batch after the time that has passed.

    A day without listings is ``empty`` when it is over and we had asked, or as soon as a route that was asked for
    it by date had nothing of it although it was announced; one that nobody asked about while some route could bring
    it has ``failed``.

    Args:
        batch: the account of the day.
        calendar: its source's.
        routes: its source's.
        now: the time.
        announced_at: when the source was first seen to have papers of that day in another section; None if it was not.
            Before the day is announced every section of it has nothing.
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
    """Whether a route that was asked for a day by date had nothing of it, when it was known to be announced."""
    if batch.state is not BatchState.WAITING or announced_at is None or calendar.fills:
        return False
    dated_routes = {route.name for route in routes if route.scope is Scope.DAY}
    return any(
        answer.route in dated_routes and answer.verdict is DayVerdict.QUIET and answer.at >= announced_at
        for answer in batch.answers
    )


def is_reachable(batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime) -> bool:
    """Whether some route can still bring this day, or more of it.

    The one whose answer could not be checked is asked again, but not waited for.
    """
    unusable = {DayVerdict.CUT, DayVerdict.UNCHECKED}
    exhausted_routes = {answer.route for answer in batch.answers if answer.verdict in unusable}
    return any(
        is_retained(calendar, route, batch.day, now) and route.name not in exhausted_routes
        for route in select_announcing_routes(routes)
    )


def select_announcing_routes(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes that tell of announcement days; records do where there is nothing else."""
    return tuple(route for route in routes if route.scope is not Scope.RECORDS) or tuple(routes)


def is_available(calendar: Calendar, route: Route, day: date, now: datetime) -> bool:
    """Whether a route has a day now, if it was announced."""
    return compute_opens_at(calendar, route, day) <= now and is_retained(calendar, route, day, now)


def is_outstanding(batch: Batch) -> bool:
    """Whether asking again could bring more of this day."""
    return batch.state in {BatchState.WAITING, BatchState.PARTIAL, BatchState.FAILED}


# --- runs -----------------------------------------------------------------------------------------


def find_blocking_batches(
    run: Run, batches: Sequence[Batch], *, reachable_ids: frozenset[int]
) -> tuple[Batch, ...]:
    """The batches that a run is still held back by, were `latest` not to pass.

    A section that has nothing, as it often has, holds nobody back once it was asked: what it has later is in the next
    edition. Small sections that have nothing all at once do, as nothing may be announced yet.

    Args:
        run: an open one.
        batches: those fixed when it was made.
        reachable_ids: the ids of those that some route can still bring.
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
    """Whether a run may close, but for matching.

    Each of its batches has had an attempt that ended after the run was made and is complete, empty or
    out of reach, or `latest` has passed; without `latest` the attempt is enough. While every source
    fails nothing closes, for three hours at most.
    """
    has_outstanding = any(is_outstanding(batch) and batch.id in reachable_ids for batch in batches)
    if all_fail and has_outstanding and now < _compute_hold_end(run):
        return False
    if run.latest_at is not None and now >= run.latest_at:
        return True
    return not find_blocking_batches(run, batches, reachable_ids=reachable_ids)


def get_closing_time(run: Run, *, all_fail: bool) -> datetime | None:
    """When a run that waits goes out whatever has come by then; None where that hangs on an attempt alone."""
    return _compute_hold_end(run) if all_fail else run.latest_at


def _compute_hold_end(run: Run) -> datetime:
    return max(run.made_at, run.latest_at or run.made_at) + MAX_OUTAGE_HOLD
