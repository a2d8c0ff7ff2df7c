"""Calendars and routes of sources, requests to them, and the ledger of their answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from operator import attrgetter

from digest.failures import FailureKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The announcement days of a source.

    Attributes:
        zone: the IANA zone of its days.
        weekdays: the weekdays on which it may announce, 0 is Monday; requests show which of them are
            holidays.
        opens: local time from the day's midnight until its first route has the day; can be negative.
        fills: whether papers are added until the day ends: it is fetched until then, and no run waits for it.
    """

    zone: str
    weekdays: frozenset[int]
    opens: timedelta = timedelta(0)
    fills: bool = False


class Scope(StrEnum):
    """The kind of content that a route returns."""

    LATEST = "latest"
    """The current announcement day, whichever that is."""
    DAY = "day"
    """The requested day."""
    RECORDS = "records"
    """Papers that changed since the last request, without announcement days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One way to ask a source.

    Attributes:
        opens: local time from a day's midnight until the route has that day; can be negative.
        keeps: how long after a day's midnight the route can return that day; None for no limit.
        spans: whether one request can ask for several consecutive days.
        weekdays: the weekdays on which a route of records has something new, 0 is Monday; None for those of the
            calendar.
    """

    name: str
    scope: Scope
    opens: timedelta = timedelta(0)
    keeps: timedelta | None = timedelta(days=1)
    spans: bool = False
    weekdays: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What to request from a source: decided by the ledger, turned into a request by the source.

    Attributes:
        day: for a route of days, the needed day or the first of several; for a route of records, the first
            day of change, or None to continue from the last request.
        until: the last of several needed days; None for one day, or for records up to now.
    """

    source: str
    section: str
    route: str
    day: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How often a feed wants to be fetched.

    Attributes:
        ttl: the minimum time between two requests; None if it does not say.
        skip_hours: the hours (UTC) in which nothing is published.
        skip_weekdays: the weekdays (UTC) on which nothing is published; 0 is Monday.
    """

    ttl: timedelta | None = None
    skip_hours: frozenset[int] = frozenset()
    skip_weekdays: frozenset[int] = frozenset()


class BatchState(StrEnum):
    """The state of one source, section and announcement day."""

    WAITING = "waiting"
    """Due, and not complete yet."""
    PARTIAL = "partial"
    """Partly received; there is more."""
    COMPLETE = "complete"
    EMPTY = "empty"
    """Over; the source was asked, and announced nothing."""
    FAILED = "failed"
    """No route can return it any more."""


class DayVerdict(StrEnum):
    """How complete a route's answer about a day was."""

    WHOLE = "whole"
    SHORT = "short"
    """It has fewer listings than the day has, by its own count."""
    CUT = "cut"
    """It reached the route's limit; asking again would return the same."""
    QUIET = "quiet"
    """It has no listings of that day."""
    UNCHECKED = "unchecked"
    """It is complete, unless it repeats the day before, which is not known yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAnswer:
    """A route's last answer about a batch.

    Attributes:
        at: when the answer arrived, UTC.
        listed: number of its listings.
        expected: number of listings that the day has by its own count; None if it did not say.
    """

    route: str
    at: datetime
    verdict: DayVerdict
    listed: int
    expected: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The account of one source, section and announcement day.

    Attributes:
        due_at: when it should be announced, UTC.
        expected: number of listings by the source's count; None if it does not say.
        received: number of stored listings.
        late: number of them that arrived after it had been complete or empty.
        asked_at: when the last attempt ended, with whatever result.
        answered_at: when the source last gave a readable answer about this day, even an empty one.
        error: the error of the last attempt in the words of the host or source, or ""; for the operator only, and
            not stored with editions.
        failure: the kind of that error, for readers; None if there was none.
        answers: the last answer of each route.
        fills: whether its source's days fill until they end.
        usual: usual number of listings of its section on a day; None if unknown or not loaded.
    """

    id: int
    source: str
    section: str
    day: date
    state: BatchState
    due_at: datetime
    expected: int | None = None
    received: int = 0
    late: int = 0
    asked_at: datetime | None = None
    answered_at: datetime | None = None
    error: str = ""
    failure: FailureKind | None = None
    answers: tuple[DayAnswer, ...] = ()
    fills: bool = False
    usual: int | None = None

    @property
    def is_filling(self) -> bool:
        """Whether its day still fills: nothing is missing so far, and more may come."""
        was_asked = self.state is BatchState.WAITING and self.answered_at is not None
        return self.fills and self.failure is None and (was_asked or self.state is BatchState.PARTIAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteState:
    """The state of fetching a section by one route.

    Attributes:
        url: the address that the validators belong to.
        etag: the validator of the last complete answer, or ""; likewise ``last_modified`` and ``body_hash``.
        cursor: the cursor of the last stored page.
        unfinished: whether the last answer was one page of several, and the others are still to be fetched.
        asked_at: when the last attempt ended, UTC.
        answered_at: when the last successful attempt ended, UTC.
        next_at: end of our own pause, UTC; only a person can ask earlier.
        interval: adaptive time between two requests of a plain feed; zero at first.
        freshness: what its last complete answer said about the next request; None for nothing.
        fruitless: consecutive attempts that returned nothing of what was due.
        errors: consecutive attempts that failed.
        error: the error of the last attempt, or "".
        gone: whether the address is gone for good (HTTP 410); only a person can ask again.
    """

    route: str
    url: str = ""
    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""
    cursor: str = ""
    unfinished: bool = False
    asked_at: datetime | None = None
    answered_at: datetime | None = None
    next_at: datetime | None = None
    interval: timedelta = timedelta(0)
    freshness: Freshness | None = None
    fruitless: int = 0
    errors: int = 0
    error: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of a source, and the state of fetching it by each route.

    Attributes:
        since: earlier days make no events, so that a first pull floods nobody.
        routes: the routes that were used.
    """

    source: str
    name: str
    since: date
    routes: tuple[RouteState, ...] = ()

    def get_route(self, name: str) -> RouteState:
        """Return the state of a route."""
        return next((state for state in self.routes if state.route == name), RouteState(route=name))

    @property
    def asked_at(self) -> datetime | None:
        """When the last attempt by any route ended, UTC."""
        return max((state.asked_at for state in self.routes if state.asked_at), default=None)

    @property
    def answered_at(self) -> datetime | None:
        """When the last successful attempt by any route ended, UTC."""
        return max((state.answered_at for state in self.routes if state.answered_at), default=None)

    @property
    def next_at(self) -> datetime | None:
        """When the first pause of a route is over, UTC; None if no route pauses."""
        return min((state.next_at for state in self.routes if state.next_at), default=None)

    @property
    def last_asked(self) -> RouteState | None:
        """The route that was used last: if one failed and another replaced it, the latter."""
        return max(
            (state for state in self.routes if state.asked_at), key=attrgetter("asked_at"), default=None
        )
