"""Planning of requests: pure decisions on the rows of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from types import MappingProxyType

from digest.core.fetching.ledger import is_available, is_outstanding, select_announcing_routes
from digest.core.times.schedule import (
    compute_day_end,
    compute_due_at,
    compute_opens_at,
    get_last_due_day,
    is_retained,
    iter_due_days,
)
from digest.model import Ask, Batch, BatchState, Calendar, DayVerdict, Route, Scope, Section

_CROSS_CHECK_PERIOD = timedelta(days=7)
"""Time after a day's end during which it is requested by date, if only latest-day routes have returned it."""
NO_DAYS_ANNOUNCED: Mapping[date, datetime] = MappingProxyType({})
"""Default of ``announced_days``: no day of the source is known to be announced."""


# --- requests that are due ------------------------------------------------------------------------


def plan_requests(
    section: Section,
    batches: Iterable[Batch],
    calendar: Calendar | None,
    routes: Sequence[Route],
    now: datetime,
    *,
    announced_days: Mapping[date, datetime] = NO_DAYS_ANNOUNCED,
) -> tuple[Ask, ...]:
    """Return the requests for a section that are due now: the latest day first, then earlier incomplete ones.

    Args:
        section: the section and its fetching state.
        batches: its days within the repair period.
        calendar: the calendar of its source; None for a feed without announcement days.
        routes: the routes of its source in order of preference.
        now: the current time.
        announced_days: when its source was first seen to have papers of a day, by day.
    """
    if calendar is None:
        plain_requests = [
            _make_request(section, route) for route in routes if _is_route_ready(section, route, now)
        ]
        return tuple(plain_requests)
    announcing_routes = select_announcing_routes(routes)
    latest_first = sorted(batches, key=lambda batch: batch.day, reverse=True)
    requests = [
        _plan_quiet_day_check(
            section, batch, calendar, announcing_routes, now, announced_at=announced_days.get(batch.day)
        )
        or _plan_day_request(section, batch, calendar, announcing_routes, now)
        for batch in latest_first
        if is_outstanding(batch)
    ]
    requests += [
        request
        for batch in latest_first
        for request in _plan_cross_checks(section, batch, calendar, routes, now)
    ]
    requests += [
        _make_request(section, route)
        for route in routes
        if route.scope is Scope.RECORDS and _is_behind(section, route, calendar, now)
    ]
    if section.asked_at is None and not any(requests):
        requests.append(_plan_first_request(section, calendar, announcing_routes, now))
    return tuple(dict.fromkeys(filter(None, requests)))


def _make_request(section: Section, route: Route, day: date | None = None) -> Ask:
    return Ask(source=section.source, section=section.name, route=route.name, day=day)


def _is_route_ready(section: Section, route: Route, now: datetime) -> bool:
    """Return True if our own pause of a route is over."""
    state = section.get_route(route.name)
    return not state.gone and (state.next_at is None or now >= state.next_at)


def _plan_first_request(section: Section, calendar: Calendar, routes: Sequence[Route], now: datetime) -> Ask:
    """Return the first request of a section, which is made on any day, so that a wrong name is detected at once."""
    day = get_last_due_day(calendar, now)
    route = next(
        (candidate for candidate in routes if is_available(calendar, candidate, day, now)), routes[0]
    )
    return _make_request(section, route, day if route.scope is Scope.DAY else None)


def _plan_day_request(
    section: Section, batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> Ask | None:
    """Return the request for a day by the first route that has it and does not fail; None to wait.

    If a route answered that it has nothing (yet), it is requested again after its pause, and no other route
    meanwhile. After one that failed, or was cut at its limit, the next one is used; after one whose answer
    could not be checked, all others come first.
    """
    unchecked_routes = {answer.route for answer in batch.answers if answer.verdict is DayVerdict.UNCHECKED}
    for route in sorted(routes, key=lambda candidate: candidate.name in unchecked_routes):
        if not is_available(calendar, route, batch.day, now) or _is_cut_off(batch, route):
            continue
        if _is_route_ready(section, route, now):
            return _make_request(section, route, batch.day if route.scope is Scope.DAY else None)
        if not section.get_route(route.name).errors:
            return None
    return None


def _plan_quiet_day_check(
    section: Section,
    batch: Batch,
    calendar: Calendar,
    routes: Sequence[Route],
    now: datetime,
    *,
    announced_at: datetime | None,
) -> Ask | None:
    """Return an immediate request by date for a day without listings in another route's answer.

    It is made when the first route had nothing, and repeated once if the day turns out to have been announced
    since. Then its answer is reliable, and runs do not have to wait until the day is over.
    """
    if batch.state is not BatchState.WAITING or calendar.fills:
        return None
    quiet_answers = {
        answer.route: answer.at for answer in batch.answers if answer.verdict is DayVerdict.QUIET
    }
    for route in routes:
        if route.scope is not Scope.DAY or not is_available(calendar, route, batch.day, now):
            continue
        state, answered_at = section.get_route(route.name), quiet_answers.get(route.name)
        is_due = (
            bool(quiet_answers)
            if answered_at is None
            else announced_at is not None and answered_at < announced_at
        )
        # The check does not wait for a pause after answers without papers, but for one after errors.
        if is_due and (_is_route_ready(section, route, now) or not (state.errors or state.gone)):
            return _make_request(section, route, batch.day)
    return None


def _is_cut_off(batch: Batch, route: Route) -> bool:
    return any(answer.route == route.name and answer.verdict is DayVerdict.CUT for answer in batch.answers)


def _plan_cross_checks(
    section: Section, batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> list[Ask]:
    """Return further requests for a complete day, each made once: by the other latest-day routes, or else by date.

    A day that was called empty before it was over is requested once more by date.
    """
    if batch.state is BatchState.EMPTY:
        routes_to_check = _choose_late_check(batch, calendar, routes, now)
        return [
            _make_request(section, route, batch.day)
            for route in routes_to_check
            if _is_route_ready(section, route, now)
        ]
    if batch.state is not BatchState.COMPLETE:
        return []
    answered_routes = {answer.route for answer in batch.answers}
    routes_to_check = [
        route
        for route in routes
        if route.scope is Scope.LATEST
        and route.name not in answered_routes
        and is_retained(calendar, route, batch.day, now)
    ] or _choose_dated_check(section, batch, calendar, routes, now)
    return [
        _make_request(section, route, batch.day if route.scope is Scope.DAY else None)
        for route in routes_to_check
        if is_available(calendar, route, batch.day, now) and _is_route_ready(section, route, now)
    ]


def _choose_dated_check(
    section: Section, batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> Sequence[Route]:
    """Return the route by date that checks a day, if only latest-day routes returned it and do not agree.

    Two routes agree if no more listings are stored than one of them has. On a section's first day this proves
    nothing: both may show the day before, which is unknown.
    """
    scopes = {route.name: route.scope for route in routes}
    complete_answers = [answer for answer in batch.answers if answer.verdict is DayVerdict.WHOLE]
    if not complete_answers or any(
        scopes.get(answer.route) is not Scope.LATEST for answer in complete_answers
    ):
        return ()
    is_confirmed = len(complete_answers) > 1 and batch.received <= max(
        answer.listed for answer in complete_answers
    )
    if is_confirmed and batch.day > section.since:
        return ()
    day_end = compute_day_end(calendar, batch.day)
    if calendar.fills or now >= day_end + _CROSS_CHECK_PERIOD:
        return ()
    # An answer that lacks listings checks nothing, and one without any does so only once the day is over.
    answered_routes = {
        day_answer.route
        for day_answer in batch.answers
        if day_answer.verdict is not DayVerdict.SHORT
        and (day_answer.verdict is not DayVerdict.QUIET or day_answer.at >= day_end)
    }
    dated_routes = [route for route in routes if route.scope is Scope.DAY]
    return () if any(route.name in answered_routes for route in dated_routes) else dated_routes[:1]


def _choose_late_check(
    batch: Batch, calendar: Calendar, routes: Sequence[Route], now: datetime
) -> Sequence[Route]:
    """Return the route by date that checks an empty day after its end, if all answers were earlier."""
    day_end = compute_day_end(calendar, batch.day)
    if calendar.fills or not day_end <= now < day_end + _CROSS_CHECK_PERIOD:
        return ()
    if batch.answered_at is None or batch.answered_at >= day_end:
        return ()
    dated_routes = [route for route in routes if route.scope is Scope.DAY]
    return [route for route in dated_routes if is_available(calendar, route, batch.day, now)][:1]


def _is_behind(section: Section, route: Route, calendar: Calendar, now: datetime) -> bool:
    """Return True if a route of records has new ones since it was last read to the end; they come once a day."""
    state = section.get_route(route.name)
    if not _is_route_ready(section, route, now):
        return False
    if route.weekdays is not None:
        calendar = replace(calendar, weekdays=route.weekdays)
    openings = [
        opened_at
        for day in iter_due_days(calendar, now - timedelta(days=8), now)
        if (opened_at := compute_opens_at(calendar, route, day)) <= now
    ]
    return (
        state.unfinished or state.answered_at is None or (bool(openings) and state.answered_at < openings[-1])
    )


# --- past days ------------------------------------------------------------------------------------


def find_unreachable_span(
    calendar: Calendar | None, routes: Sequence[Route], *, first_day: date, last_day: date, now: datetime
) -> tuple[date, date] | None:
    """Return the first and the last past day that no route has; None if there are none."""
    if calendar is None or _find_route(routes, Scope.RECORDS):
        return None
    _, unavailable = _split_past_days(calendar, _find_route(routes, Scope.DAY), first_day, last_day, now)
    return (unavailable[0], unavailable[-1]) if unavailable else None


def _find_route(routes: Sequence[Route], scope: Scope) -> Route | None:
    return next((route for route in routes if route.scope is scope), None)


def _split_past_days(
    calendar: Calendar, day_route: Route | None, first_day: date, last_day: date, now: datetime
) -> tuple[list[date], list[date]]:
    """Return the announcement days up to now that a route of days has, and those that it does not have."""
    available: list[date] = []
    unavailable: list[date] = []
    for day in (first_day + timedelta(days=offset) for offset in range((last_day - first_day).days + 1)):
        if day.weekday() in calendar.weekdays and compute_due_at(calendar, day) <= now:
            (available if day_route and is_retained(calendar, day_route, day, now) else unavailable).append(
                day
            )
    return available, unavailable


def plan_backfill(
    section: Section,
    calendar: Calendar | None,
    routes: Sequence[Route],
    *,
    first_day: date,
    last_day: date,
    now: datetime,
) -> tuple[Ask, ...]:
    """Return requests for past days, whatever is stored of them; none for days that no route has.

    Args:
        section: the section.
        calendar: the calendar of its source.
        routes: the routes of its source.
        first_day: the first requested day.
        last_day: the last requested day.
        now: the current time.
    """
    if calendar is None or last_day < first_day:
        return ()
    day_route, record_route = _find_route(routes, Scope.DAY), _find_route(routes, Scope.RECORDS)
    available, unavailable = _split_past_days(calendar, day_route, first_day, last_day, now)
    requests: list[Ask] = []
    if unavailable and record_route:
        requests.append(replace(_make_request(section, record_route, unavailable[0]), until=unavailable[-1]))
    if available and day_route and day_route.spans:
        requests.append(replace(_make_request(section, day_route, available[0]), until=available[-1]))
    elif day_route:
        requests += [_make_request(section, day_route, day) for day in available]
    return tuple(requests)
