"""What a source says of itself, what is asked of it, and the ledger of what came."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from operator import attrgetter

from digest.failures import FailureKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """When a source announces.

    Attributes:
        zone: the IANA zone that its days are counted in.
        weekdays: the weekdays it may announce on, 0 is Monday; what is a holiday is for the batch to find out.
        opens: from the day's midnight to when the first of its routes has the day, by the wall clock; can be negative.
        fills: the day fills while it lasts: it is asked until it is over, and no run waits for it.
    """

    zone: str
    weekdays: frozenset[int]
    opens: timedelta = timedelta(0)
    fills: bool = False


class Scope(StrEnum):
    """What a route brings when it is asked."""

    LATEST = "latest"
    """The day that is out at the moment, whichever that is."""
    DAY = "day"
    """The one day that it is asked for."""
    RECORDS = "records"
    """What changed since it was last asked, whatever the day: papers without an announcement day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One way to ask a source.

    Attributes:
        opens: from a day's midnight to when the route has that day, by the wall clock; can be negative.
        keeps: for how long after a day's midnight it can bring that day; None for ever.
        spans: a route of days that can be asked for several in a row at once.
        weekdays: when a route of records has something new, 0 is Monday; None for the weekdays of the calendar.
    """

    name: str
    scope: Scope
    opens: timedelta = timedelta(0)
    keeps: timedelta | None = timedelta(days=1)
    spans: bool = False
    weekdays: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What to ask a source: decided by the ledger, put into a request by the source.

    Attributes:
        day: for a route of days the one wanted, or the first one; for one of records the first day of
            change wanted, None to go on where it stopped.
        until: the last day wanted, where there are several; None for one day, or for records up to now.
    """

    source: str
    section: str
    route: str
    day: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How often a feed says that it is worth asking.

    Attributes:
        ttl: the least time between two visits that its maker asks for; None if it does not say.
        skip_hours: the hours, UTC, in which nothing comes.
        skip_weekdays: the weekdays, UTC, on which nothing comes; 0 is Monday.
    """

    ttl: timedelta | None = None
    skip_hours: frozenset[int] = frozenset()
    skip_weekdays: frozenset[int] = frozenset()


class BatchState(StrEnum):
    """What is known of one source, section and announcement day."""

    WAITING = "waiting"
    """Due; nothing whole came yet."""
    PARTIAL = "partial"
    """Some of it came, and it is known that more exists."""
    COMPLETE = "complete"
    EMPTY = "empty"
    """The day is over, we asked, and nothing was announced."""
    FAILED = "failed"
    """No route can bring it any more."""


class DayVerdict(StrEnum):
    """What a route's answer about a day was worth."""

    WHOLE = "whole"
    SHORT = "short"
    """It holds fewer listings than it says that the day has."""
    CUT = "cut"
    """It reached the route's limit: asking again would only bring it again."""
    QUIET = "quiet"
    """It has nothing of that day."""
    UNCHECKED = "unchecked"
    """It is whole, unless it is the day before again: that day is not known yet, so nobody can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAnswer:
    """What a route last answered about a batch.

    Attributes:
        at: when the answer had come.
        listed: how many listings it had.
        expected: how many it said there are; None if it did not say.
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
        due_at: when it should be out.
        expected: how many listings the source said there are; None if it does not say.
        received: how many listings are stored.
        late: how many of them came when it had already been complete or empty.
        asked_at: when the last attempt ended, whatever came of it.
        answered_at: when the source last gave a readable answer for this day, empty ones too.
        error: what went wrong at the last attempt, in the words of the host or of its source, "" if nothing did; for
            the operator alone, and not kept with editions.
        failure: what readers are told of it; None if nothing went wrong.
        answers: what each route last answered about it.
        fills: its source's days fill while they last.
        usual: how many listings its section usually has on a day; None where it is not known, or was not looked up.
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
        """Whether what there is of it is all there is so far: nothing is missing, and more may come."""
        was_asked = self.state is BatchState.WAITING and self.answered_at is not None
        return self.fills and self.failure is None and (was_asked or self.state is BatchState.PARTIAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteState:
    """How asking a section by one route went.

    Attributes:
        url: where the validators are from; they mean nothing for another address.
        etag: the validator of the last whole answer, "" if none; so are ``last_modified`` and ``body_hash``.
        cursor: what the source remembers from page to page.
        unfinished: its last answer was one page of several, and the rest has not come.
        asked_at: when the last attempt ended.
        answered_at: when an attempt last ended well.
        next_at: our own pause: not asked before it, unless a person asks.
        interval: between two visits of a plain feed, as it has turned out; zero at first.
        freshness: what its last whole answer said about when to come again; None if nothing.
        fruitless: attempts in a row that brought nothing of what was due.
        errors: attempts in a row that failed.
        error: what went wrong at the last one, "" if nothing did.
        gone: the address is gone for good (HTTP 410): it is not asked, unless a person asks.
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
    """The part of a source that is counted by itself, and how asking for it went, route by route.

    Attributes:
        since: days before it make no events: a first pull floods nobody.
        routes: those that have been asked.
    """

    source: str
    name: str
    since: date
    routes: tuple[RouteState, ...] = ()

    def get_route(self, name: str) -> RouteState:
        """How asking by a route went."""
        return next((state for state in self.routes if state.route == name), RouteState(route=name))

    @property
    def asked_at(self) -> datetime | None:
        """When the last attempt by any route ended."""
        return max((state.asked_at for state in self.routes if state.asked_at), default=None)

    @property
    def answered_at(self) -> datetime | None:
        """When an attempt by any route last ended well."""
        return max((state.answered_at for state in self.routes if state.answered_at), default=None)

    @property
    def next_at(self) -> datetime | None:
        """When our pauses are over by which it is not asked; None where there is none."""
        return min((state.next_at for state in self.routes if state.next_at), default=None)

    @property
    def last_asked(self) -> RouteState | None:
        """The route that was asked last: where one failed and another stood in, that one."""
        return max(
            (state for state in self.routes if state.asked_at), key=attrgetter("asked_at"), default=None
        )
