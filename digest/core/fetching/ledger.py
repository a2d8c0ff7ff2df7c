"""What to ask when, and what is known of each batch: pure decisions on the ledger's rows.

A batch's row is made when its day is due, asked or not, so that what was never asked is visible. No
state is final: a listing that comes late is stored, whatever the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date, datetime, timedelta
from types import MappingProxyType

from digest.core.fetching.shortfall import is_quiet_as_usual, source_days
from digest.core.times.schedule import days_due, due_at, keeps, last_day_due, opens_at, over_at
from digest.failures import FailureKind
from digest.model import (
    Ask,
    Batch,
    BatchState,
    Calendar,
    DayAnswer,
    Listing,
    PaperKey,
    Route,
    Run,
    Scope,
    Section,
    Verdict,
)
from digest.ports import Announced

REPAIRED = timedelta(days=90)
"""How far back days are asked for again, where a route can still bring them."""
HOLD = timedelta(hours=3)
"""For how long a run is held back while every source fails: it is probably our network."""
PLAIN_FEED_SINCE = timedelta(hours=48)
"""What a feed without announcement days had before it was first asked, and is told all the same."""
_AHEAD = timedelta(days=1)
"""Who dates an entry further ahead does not say when it was published."""
_CHECKED_FOR = timedelta(days=7)
"""For how long after its end a complete day that only a latest-day route has brought is asked for by date."""
NOTHING_ANNOUNCED: Mapping[date, datetime] = MappingProxyType({})
"""No day of a source is known to be announced."""
_QUIET_AFTER = timedelta(hours=6)
"""How long after a day was due an answer without papers means that the day has none."""


# --- days -----------------------------------------------------------------------------------------


def first_day(calendar: Calendar | None, now: datetime) -> date:
    """A section's ``since``: the last announcement day before we first asked."""
    return (now - PLAIN_FEED_SINCE).date() if calendar is None else last_day_due(calendar, now)


def telling(
    section: Section, day: date, listings: Iterable[Listing], *, dated: bool, now: datetime
) -> frozenset[PaperKey]:
    """The papers of which listings may tell: those announced since the section's first day.

    Args:
        section: as it was before.
        day: the batch's.
        listings: its.
        dated: the source has no announcement days: then each entry's own date counts, and where it has
            none, or one that has not come, whether the section was known already.
        now: when the listings had come.
    """
    if not dated:
        return frozenset(one.paper.key for one in listings) if day >= section.since else frozenset()
    known = section.answered_at is not None
    return frozenset(
        one.paper.key
        for one in listings
        if (one.dated.date() >= section.since if one.dated and one.dated <= now + _AHEAD else known)
    )


# --- answers --------------------------------------------------------------------------------------


def is_known(batch: Batch, calendar: Calendar, routes: Sequence[Route]) -> bool:
    """Whether the papers of a day are known, so that they are recognised if a later answer shows them again.

    Some of them are enough where no route can be asked for the day by date, since nothing more will come.
    """
    if batch.state in {BatchState.COMPLETE, BatchState.EMPTY}:
        return True
    if batch.received:
        was_cut = any(answer.verdict is Verdict.CUT for answer in batch.answers)
        return was_cut or all(route.scope is not Scope.DAY for route in routes)
    return is_quiet(batch, calendar)


def is_quiet(batch: Batch, calendar: Calendar) -> bool:
    """Whether a day is known to have had no papers: after it was over, an answer had none."""
    if batch.state is BatchState.EMPTY:
        return True
    is_over = batch.answered_at is not None and batch.answered_at >= over_at(calendar, batch.day)
    return is_over and not batch.received


def judged(
    route: Route,
    announced: Announced,
    *,
    listed: int,
    unread: int,
    last: bool,
    is_checked: bool,
    now: datetime,
) -> DayAnswer:
    """What a route's answer about a day is worth.

    Args:
        route: by which it came.
        announced: its last page.
        listed: how many listings all its pages had.
        unread: how many entries of them could not be read: asking again would only bring those again.
        last: there is no further page.
        is_checked: it is known not to be the answer of the day before.
        now: when it had come.
    """
    short = (announced.expected or 0) - listed
    if announced.over_full or (last and 0 < short <= unread):
        verdict = Verdict.CUT
    elif not last or short > 0:
        verdict = Verdict.SHORT
    elif listed:
        verdict = Verdict.WHOLE if is_checked else Verdict.UNCHECKED
    else:
        verdict = Verdict.QUIET
    return DayAnswer(route=route.name, at=now, verdict=verdict, listed=listed, expected=announced.expected)


def after_answer(batch: Batch, calendar: Calendar | None, answer: DayAnswer, received: int) -> Batch:
    """The account of a day after a readable answer about it.

    Args:
        batch: the account before.
        calendar: its source's.
        answer: as it was judged.
        received: how many of its listings are stored now.
    """
    others = tuple(one for one in batch.answers if one.route != answer.route)
    answers = (*others, answer)
    verdicts = {one.verdict for one in answers}
    closed = batch.state in {BatchState.COMPLETE, BatchState.EMPTY}
    if _is_whole(batch, answer, verdicts, received):
        fills = calendar is not None and calendar.fills and answer.at < over_at(calendar, batch.day)
        state = BatchState.PARTIAL if fills else BatchState.COMPLETE
    elif received:
        state = BatchState.PARTIAL
    else:
        state = batch.state
    doubt = _doubt(verdicts) if state is BatchState.PARTIAL else None
    return replace(
        batch,
        state=state,
        expected=_expected(answers),
        received=received,
        late=batch.late + (received - batch.received if closed else 0),
        asked_at=answer.at,
        answered_at=answer.at,
        error=DOUBTS[doubt] if doubt else "",
        failure=doubt,
        answers=answers,
    )


def after_check(batch: Batch, received: int, *, is_stale: bool) -> Batch:
    """The account of a day once it is known whether its unchecked answers were those of another day.

    Args:
        batch: the account before.
        received: how many listings are stored, without those that were the other day's.
        is_stale: they were: then nobody has answered about this day by them, and it is asked for anew. Where nothing is
            left, this holds for every answer.
    """
    is_nothing_left = is_stale and not received
    answers = tuple(
        _checked(answer, is_stale=is_stale)
        if is_nothing_left or answer.verdict is Verdict.UNCHECKED
        else answer
        for answer in batch.answers
    )
    verdicts = {one.verdict for one in answers}
    if Verdict.WHOLE in verdicts:
        state = BatchState.COMPLETE
    else:
        state = BatchState.PARTIAL if received else BatchState.WAITING
    begins_anew = state is BatchState.WAITING
    doubt = _doubt(verdicts) if state is BatchState.PARTIAL else None
    return replace(
        batch,
        state=state,
        expected=_expected(answers),
        received=received,
        asked_at=None if begins_anew else batch.asked_at,
        answered_at=None if begins_anew else batch.answered_at,
        error=DOUBTS[doubt] if doubt else "",
        failure=doubt,
        answers=answers,
    )


def _checked(answer: DayAnswer, *, is_stale: bool) -> DayAnswer:
    """An answer once it is checked; what a stale one counted was another day's."""
    if is_stale:
        return replace(answer, verdict=Verdict.QUIET, listed=0, expected=None)
    return replace(answer, verdict=Verdict.WHOLE)


def _expected(answers: Iterable[DayAnswer]) -> int | None:
    return max((answer.expected for answer in answers if answer.expected is not None), default=None)


def _is_whole(batch: Batch, answer: DayAnswer, verdicts: AbstractSet[Verdict], received: int) -> bool:
    """Whether a day is whole: a route said so, and this answer does not tell of more than is stored.

    A page of a complete day that lacks rows, or has none, is only a bad copy of what we have.
    """
    was = batch.state is BatchState.COMPLETE
    match answer.verdict:
        case Verdict.SHORT:
            return was and answer.expected is not None and answer.expected <= received
        case Verdict.QUIET:
            return was or Verdict.WHOLE in verdicts
        case _:
            return Verdict.WHOLE in verdicts


DOUBTS = {
    FailureKind.INCOMPLETE: (
        "an answer was cut at its route's limit, or had entries that cannot be read: papers may be missing"
    ),
    FailureKind.UNCHECKED: "the day before is missing, so these may be its papers under a new date",
}
"""What the operator is told of a day that is in doubt."""


def _doubt(verdicts: AbstractSet[Verdict]) -> FailureKind | None:
    """Why a day is not called complete although nothing of it is known to be missing; None if there is no reason."""
    if Verdict.CUT in verdicts:
        return FailureKind.INCOMPLETE
    return FailureKind.UNCHECKED if Verdict.UNCHECKED in verdicts else None


def settle(
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
    over = now >= over_at(calendar, batch.day)
    can_come = reachable(batch, calendar, routes, now)
    if batch.state is BatchState.PARTIAL:
        whole = calendar.fills and over and batch.answered_at is not None
        was_last = batch.answered_at is not None and batch.answered_at >= over_at(calendar, batch.day)
        return BatchState.COMPLETE if whole and (was_last or not can_come) else batch.state
    if batch.state is not BatchState.WAITING:
        return batch.state
    if over and batch.answered_at is not None:
        if batch.answered_at >= over_at(calendar, batch.day) or not can_come:
            return BatchState.EMPTY
    elif not can_come:
        looked = (
            batch.asked_at is not None and not batch.error and batch.asked_at >= batch.due_at + _QUIET_AFTER
        )
        return BatchState.EMPTY if looked else BatchState.FAILED
    return BatchState.WAITING


def _is_quiet_by_date(
    batch: Batch, calendar: Calendar, routes: Sequence[Route], announced_at: datetime | None
) -> bool:
    """Whether a route that was asked for a day by date had nothing of it, when it was known to be announced."""
    if batch.state is not BatchState.WAITING or announced_at is None or calendar.fills:
        return False
    by_date = {route.name for route in routes if route.scope is Scope.DAY}
    return any(
        answer.route in by_date and answer.verdict is Verdict.QUIET and answer.at >= announced_at
        for answer in batch.answers
    )


def reachable(batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime) -> bool:
    """Whether some route can still bring this day, or more of it.

    The one whose answer could not be checked is asked again, but not waited for.
    """
    useless = {Verdict.CUT, Verdict.UNCHECKED}
    spent = {answer.route for answer in batch.answers if answer.verdict in useless}
    return any(
        keeps(calendar, route, batch.day, now) and route.name not in spent for route in announcing(routes)
    )


def announcing(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes that tell of announcement days; records do where there is nothing else."""
    return tuple(route for route in routes if route.scope is not Scope.RECORDS) or tuple(routes)


def can_bring(calendar: Calendar, route: Route, day: date, now: datetime) -> bool:
    """Whether a route has a day now, if it was announced."""
    return opens_at(calendar, route, day) <= now and keeps(calendar, route, day, now)


# --- what to ask ----------------------------------------------------------------------------------


def asks(
    section: Section,
    batches: Iterable[Batch],
    calendar: Calendar | None,
    routes: Sequence[Route],
    now: datetime,
    *,
    announced: Mapping[date, datetime] = NOTHING_ANNOUNCED,
) -> tuple[Ask, ...]:
    """What to ask for a section now; the latest day first, then what is missing before it.

    Args:
        section: and how asking it went.
        batches: its days of the time that is repaired.
        calendar: its source's.
        routes: its source's, the one to try first at the front.
        now: the time.
        announced: when its source was first seen to have papers of a day, by day.
    """
    if calendar is None:
        found = [_ask(section, route) for route in routes if _free(section, route, now)]
        return tuple(found)
    ways = announcing(routes)
    days = sorted(batches, key=lambda batch: batch.day, reverse=True)
    wanted = [
        _check_of_quiet_day(section, batch, calendar, ways, now, announced_at=announced.get(batch.day))
        or _way(section, batch, calendar, ways, now)
        for batch in days
        if awaited(batch)
    ]
    wanted += [one for batch in days for one in _cross_checks(section, batch, calendar, routes, now)]
    wanted += [
        _ask(section, route)
        for route in routes
        if route.scope is Scope.RECORDS and _is_behind(section, route, calendar, now)
    ]
    if section.asked_at is None and not any(wanted):
        wanted.append(_first(section, calendar, ways, now))
    return tuple(dict.fromkeys(filter(None, wanted)))


def _ask(section: Section, route: Route, day: date | None = None) -> Ask:
    return Ask(source=section.source, section=section.name, route=route.name, day=day)


def _free(section: Section, route: Route, now: datetime) -> bool:
    """Whether our own pause with a route is over."""
    state = section.route(route.name)
    return not state.gone and (state.next_at is None or now >= state.next_at)


def _first(section: Section, calendar: Calendar, routes: Sequence[Route], now: datetime) -> Ask:
    """A section is asked once at the very first, whatever the day, so that a wrong name is found at once."""
    day = last_day_due(calendar, now)
    route = next((one for one in routes if can_bring(calendar, one, day, now)), routes[0])
    return _ask(section, route, day if route.scope is Scope.DAY else None)


def _way(
    section: Section, batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> Ask | None:
    """By which route to ask for a day now: the first that can bring it and does not fail.

    A route that answered and had nothing (yet) is asked again after its pause, and no other meanwhile; one
    that failed, or was cut at its limit, leaves the day to the next one; one whose answer could not be checked
    leaves it to all others.
    """
    unchecked = {answer.route for answer in batch.answers if answer.verdict is Verdict.UNCHECKED}
    for route in sorted(routes, key=lambda one: one.name in unchecked):
        if not can_bring(calendar, route, batch.day, now) or _was_cut(batch, route):
            continue
        if _free(section, route, now):
            return _ask(section, route, batch.day if route.scope is Scope.DAY else None)
        if not section.route(route.name).errors:
            return None
    return None


def _check_of_quiet_day(
    section: Section,
    batch: Batch,
    calendar: Calendar,
    routes: Sequence[Route],
    now: datetime,
    *,
    announced_at: datetime | None,
) -> Ask | None:
    """The route to ask by date, at once, for a day of which the others had nothing.

    It is asked when the first of them had nothing, and once more when the day turns out to be announced since. Then its
    answer is sure, and nobody has to wait until the day is over.
    """
    if batch.state is not BatchState.WAITING or calendar.fills:
        return None
    quiet = {answer.route: answer.at for answer in batch.answers if answer.verdict is Verdict.QUIET}
    for route in routes:
        if route.scope is not Scope.DAY or not can_bring(calendar, route, batch.day, now):
            continue
        state, heard_at = section.route(route.name), quiet.get(route.name)
        is_due = bool(quiet) if heard_at is None else announced_at is not None and heard_at < announced_at
        # Our own pause after answers without papers is no reason to wait; one after errors is.
        if is_due and (_free(section, route, now) or not (state.errors or state.gone)):
            return _ask(section, route, batch.day)
    return None


def _was_cut(batch: Batch, route: Route) -> bool:
    return any(one.route == route.name and one.verdict is Verdict.CUT for one in batch.answers)


def _cross_checks(
    section: Section, batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> list[Ask]:
    """What else to ask about a complete day, once: the routes that show it; where none is left, one by its date.

    A day that was called empty before it was over is asked for once more by date.
    """
    if batch.state is BatchState.EMPTY:
        checks = _check_after_the_day(batch, calendar, routes, now)
        return [_ask(section, route, batch.day) for route in checks if _free(section, route, now)]
    if batch.state is not BatchState.COMPLETE:
        return []
    heard = {answer.route for answer in batch.answers}
    checks = [
        route
        for route in routes
        if route.scope is Scope.LATEST and route.name not in heard and keeps(calendar, route, batch.day, now)
    ] or _check_by_date(batch, calendar, routes, now)
    return [
        _ask(section, route, batch.day if route.scope is Scope.DAY else None)
        for route in checks
        if can_bring(calendar, route, batch.day, now) and _free(section, route, now)
    ]


def _check_by_date(
    batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> Sequence[Route]:
    """The route to ask by date for a day that only latest-day routes have brought, if these do not agree.

    Two routes agree where the day has no more listings than one of them.
    """
    scopes = {route.name: route.scope for route in routes}
    whole = [answer for answer in batch.answers if answer.verdict is Verdict.WHOLE]
    if not whole or any(scopes.get(answer.route) is not Scope.LATEST for answer in whole):
        return ()
    if len(whole) > 1 and batch.received <= max(answer.listed for answer in whole):
        return ()
    over = over_at(calendar, batch.day)
    if calendar.fills or now >= over + _CHECKED_FOR:
        return ()
    # A page that lacks rows checks nothing, and one that has none does so only once the day is over.
    answered = {
        one.route
        for one in batch.answers
        if one.verdict is not Verdict.SHORT and (one.verdict is not Verdict.QUIET or one.at >= over)
    }
    by_date = [route for route in routes if route.scope is Scope.DAY]
    return () if any(route.name in answered for route in by_date) else by_date[:1]


def _check_after_the_day(
    batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> Sequence[Route]:
    """The route to ask by date for an empty day that is over, if its answers came before."""
    over = over_at(calendar, batch.day)
    if calendar.fills or not over <= now < over + _CHECKED_FOR:
        return ()
    if batch.answered_at is None or batch.answered_at >= over:
        return ()
    by_date = [route for route in routes if route.scope is Scope.DAY]
    return [route for route in by_date if can_bring(calendar, route, batch.day, now)][:1]


def _is_behind(section: Section, route: Route, calendar: Calendar, now: datetime) -> bool:
    """Whether records have come since a route was last asked to its end: they come once a day."""
    state = section.route(route.name)
    if not _free(section, route, now):
        return False
    if route.weekdays is not None:
        calendar = replace(calendar, weekdays=route.weekdays)
    opened = [
        at
        for day in days_due(calendar, now - timedelta(days=8), now)
        if (at := opens_at(calendar, route, day)) <= now
    ]
    return state.unfinished or state.answered_at is None or (bool(opened) and state.answered_at < opened[-1])


def awaited(batch: Batch) -> bool:
    """Whether asking again could bring more of this day."""
    return batch.state in {BatchState.WAITING, BatchState.PARTIAL, BatchState.FAILED}


def out_of_reach(
    calendar: Calendar | None, routes: Sequence[Route], *, first: date, last: date, now: datetime
) -> tuple[date, date] | None:
    """The first and the last of some past days that no route brings; None if there are none."""
    if calendar is None or _route_of(routes, Scope.RECORDS):
        return None
    _, gone = _past_days(calendar, _route_of(routes, Scope.DAY), first, last, now)
    return (gone[0], gone[-1]) if gone else None


def _route_of(routes: Sequence[Route], scope: Scope) -> Route | None:
    return next((route for route in routes if route.scope is scope), None)


def _past_days(
    calendar: Calendar, by_day: Route | None, first: date, last: date, now: datetime
) -> tuple[list[date], list[date]]:
    """The announcement days up to now that a route of days brings, and those that it does not."""
    had: list[date] = []
    gone: list[date] = []
    for day in (first + timedelta(days=n) for n in range((last - first).days + 1)):
        if day.weekday() in calendar.weekdays and due_at(calendar, day) <= now:
            (had if by_day and keeps(calendar, by_day, day, now) else gone).append(day)
    return had, gone


def backfill(
    section: Section,
    calendar: Calendar | None,
    routes: Sequence[Route],
    *,
    first: date,
    last: date,
    now: datetime,
) -> tuple[Ask, ...]:
    """What to ask for past days, whatever is known of them; none for those that no route brings.

    Args:
        section: whose days.
        calendar: its source's.
        routes: its source's.
        first: the first day wanted.
        last: the last one.
        now: the time.
    """
    if calendar is None or last < first:
        return ()
    by_day, records = _route_of(routes, Scope.DAY), _route_of(routes, Scope.RECORDS)
    had, gone = _past_days(calendar, by_day, first, last, now)
    found: list[Ask] = []
    if gone and records:
        found.append(replace(_ask(section, records, gone[0]), until=gone[-1]))
    if had and by_day and by_day.spans:
        found.append(replace(_ask(section, by_day, had[0]), until=had[-1]))
    elif by_day:
        found += [_ask(section, by_day, day) for day in had]
    return tuple(found)


# --- runs -----------------------------------------------------------------------------------------


def waits_for(run: Run, batches: Sequence[Batch], *, reachable_ids: frozenset[int]) -> tuple[Batch, ...]:
    """The batches that a run is still held back by, were `latest` not to pass.

    A section that has nothing, as it often has, holds nobody back once it was asked: what it has later is in the next
    edition. Small sections that have nothing all at once do, as nothing may be announced yet.

    Args:
        run: an open one.
        batches: those fixed when it was made.
        reachable_ids: the ids of those that some route can still bring.
    """
    due = [batch for batch in batches if awaited(batch) and batch.id in reachable_ids]
    unasked = tuple(batch for batch in due if batch.asked_at is None or batch.asked_at < run.made_at)
    if run.latest_at is None:
        return unasked
    days = source_days(batches)
    return tuple(
        batch
        for batch in due
        if batch in unasked or not is_quiet_as_usual(batch, days[batch.source, batch.day])
    )


def ready(
    run: Run, batches: Sequence[Batch], now: datetime, *, reachable_ids: frozenset[int], all_fail: bool
) -> bool:
    """Whether a run may close, but for matching.

    Each of its batches has had an attempt that ended after the run was made and is complete, empty or
    out of reach, or `latest` has passed; without `latest` the attempt is enough. While every source
    fails nothing closes, for three hours at most.
    """
    still = any(awaited(batch) and batch.id in reachable_ids for batch in batches)
    if all_fail and still and now < _held_until(run):
        return False
    if run.latest_at is not None and now >= run.latest_at:
        return True
    return not waits_for(run, batches, reachable_ids=reachable_ids)


def closes_by(run: Run, *, all_fail: bool) -> datetime | None:
    """When a run that waits goes out whatever has come by then; None where that hangs on an attempt alone."""
    return _held_until(run) if all_fail else run.latest_at


def _held_until(run: Run) -> datetime:
    return max(run.made_at, run.latest_at or run.made_at) + HOLD
