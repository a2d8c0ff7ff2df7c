"""Keep an answer: its listings, papers, events and the route's state, page by page, each in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial

from digest.core.fetching import ledger
from digest.core.fetching.repeated_days import Shown
from digest.core.fetching.visits import next_visit
from digest.core.papers.links import linked
from digest.core.times.retry import feed_pause, pull_pause
from digest.core.times.schedule import day_after, due_at, over_at
from digest.errors import SourceError
from digest.failures import FailureKind
from digest.jobs.fetching import stale_days
from digest.jobs.http.fetch import ClosedError
from digest.jobs.http.fetch_results import Answer, Gone, Got, Trouble, Unchanged
from digest.model import (
    Ask,
    Batch,
    BatchState,
    Calendar,
    DayAnswer,
    Listing,
    PaperKey,
    Route,
    RouteState,
    Scope,
    Section,
    Verdict,
)
from digest.ports import Announced, Page, Request, Response, Source
from digest.redaction import redact
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import ledger as rows
from digest.store.fetching import listings, redirects
from digest.store.fetching.listings import Saved
from digest.store.papers import events, signals

Read = Callable[[Source, Request, Response], Page]
"""Reads an answer of a source."""
MOST_PAGES = 5_000
"""All of arXiv is a thousand; what goes on from its cursor has the rest the next time."""


@dataclass(frozen=True, slots=True)
class PageRows:
    """What a page has, as far as it tells whether the page before it came once more.

    Attributes:
        day: that was asked for; the answer for another day may be the same.
        rows: day, kind, key and version of each listing; of a record None, "", key and version.
    """

    day: date | None = None
    rows: frozenset[tuple[date | None, str, PaperKey, int]] = frozenset()

    @classmethod
    def of(cls, request: Request, page: Page) -> PageRows:
        """The rows of an answer."""
        listed = [
            (one.day, listing.kind.value, listing.paper.key, listing.paper.version)
            for one in page.announced
            for listing in one.listings
        ]
        records = [(None, "", paper.key, paper.version) for paper in page.records]
        return cls(request.day, frozenset((*listed, *records)))

    def repeats(self, last: PageRows) -> bool:
        """Whether all rows, and there are some, were on the page before.

        A host that ignores the cursor answers each request with its first page, and not always byte for byte. Only
        the page before is compared: a harvest has millions of rows.
        """
        return bool(self.rows) and self.day == last.day and self.rows <= last.rows


@dataclass(slots=True)
class Series:
    """What the pages of one answer have brought so far.

    Attributes:
        ask: what was asked.
        days: how many listings of each day there were, and what the last page said of it.
        about: the days that it was about, also those of which there can be nothing.
        dated: what the pages so far list of each day.
        taken_back: for each day, the following days that hold listings of it, as the pages so far show.
        saved: what came of them; ``received`` counts those that the answer had.
        unread: what could not be read.
        error: what went wrong; "" if nothing did.
        unreached: no answer came that could be read or refused: the route itself fails.
        unchanged: the host says that nothing changed.
        next: the request for the next page; None when there is none.
        pages: how many answers there were.
        last: the rows of the last one.
    """

    ask: Ask
    days: dict[date, tuple[int, Announced]] = field(default_factory=dict)
    about: dict[date, None] = field(default_factory=dict)
    dated: dict[date, set[Shown]] = field(default_factory=partial(defaultdict, set))
    taken_back: dict[date, set[date]] = field(default_factory=partial(defaultdict, set))
    saved: Saved = field(default_factory=partial(Saved, received=0, added=0, events=0))
    unread: tuple[str, ...] = ()
    error: str = ""
    unreached: bool = False
    unchanged: bool = False
    next: Request | None = None
    pages: int = 0
    last: PageRows = field(default_factory=PageRows)

    def is_endless(self, request: Request, page: Page) -> str:
        """Whether a page is the last one again, or one too many, in words; "" if not."""
        rows = PageRows.of(request, page)
        again = rows.repeats(self.last)
        self.pages, self.last = self.pages + 1, rows
        if page.next is None:
            return ""
        if again:
            return "it gives the same page again, however often the next one is asked for"
        return (
            f"it has given {self.pages} pages and says that there are more" if self.pages > MOST_PAGES else ""
        )


def keep(
    store: Store,
    source: Source,
    series: Series,
    request: Request,
    answer: Answer,
    *,
    read: Read,
    now: datetime,
    chance: float,
) -> None:
    """Keep one page's answer, and note in its series what came of it.

    Args:
        store: where.
        source: whose answer it is.
        series: what its earlier pages brought.
        request: what was asked.
        answer: what came.
        read: reads an answer of a source.
        now: when it had come.
        chance: from 0 to 1, so that pauses are not all the same.
    """
    page, unreadable = _read(source, request, answer, read)
    route = next(one for one in source.ways if one.name == series.ask.route)
    with store.keeping() as tx:
        section = rows.section(tx, series.ask.source, series.ask.section)
        visit = _Visit(tx, source, route, section, series, now, chance)
        match answer:
            case Trouble():
                series.unreached = True
                visit.fail(visit.before, answer.message, answer.failure, answer.pause)
            case Gone():
                series.unreached = True
                visit.fail(replace(visit.before, gone=True), answer.message, FailureKind.GONE)
            case Unchanged():
                visit.change_nothing(answer)
            case Got():
                endless = series.is_endless(request, page) if page else ""
                if page is None or endless:
                    visit.refuse(request, unreadable or endless, FailureKind.UNREADABLE)
                elif stale := visit.is_stale(page):
                    visit.refuse(request, stale, FailureKind.STALE)
                else:
                    visit.keep_page(request, answer, page)


def _read(source: Source, request: Request, answer: Answer, read: Read) -> tuple[Page | None, str]:
    """The page, or why there is none; outside the transaction: others can write meanwhile."""
    if not isinstance(answer, Got):
        return None, ""
    try:
        page = read(source, request, answer.response)
    except (ClosedError, MemoryError):
        raise
    except SourceError as error:
        return None, str(error)
    except Exception as error:  # noqa: BLE001 - a mistake in one source must hold back nobody's mail
        return None, f"the source cannot read the answer, that is a mistake in it: {error!r}"
    if page.is_unreadable:
        return None, f"nothing of its answer can be read: {page.unread[0]}"
    days = tuple(
        replace(
            one, listings=tuple([replace(listing, paper=linked(listing.paper)) for listing in one.listings])
        )
        for one in page.announced
    )
    return replace(page, announced=days, records=tuple(map(linked, page.records))), ""


@dataclass(frozen=True, slots=True)
class _Visit:
    """One answer being kept, in its transaction."""

    tx: Transaction
    source: Source
    route: Route
    section: Section
    series: Series
    now: datetime
    chance: float

    @property
    def before(self) -> RouteState:
        """The route's state when the answer had come."""
        return self.section.route(self.route.name)

    @property
    def _where(self) -> tuple[str, str]:
        return self.section.source, self.section.name

    # --- answers that bring nothing

    def fail(
        self, state: RouteState, message: str, failure: FailureKind, pause: timedelta | None = None
    ) -> None:
        """Note that an attempt failed: the message is the operator's, its kind is what readers are told."""
        self.series.error = redact(message)
        if self.source.calendar is None:
            self._open_account(message, failure)
        rows.note_asked(self.tx, self._awaited(), self.now, message, failure)
        own = pull_pause if self.source.calendar else feed_pause
        errors = state.errors + 1
        self._note(
            replace(
                state,
                errors=errors,
                error=message,
                fruitless=state.fruitless + 1,
                # A host that always asks for a second is not asked each second.
                next_at=self.now + max(pause or timedelta(0), own(errors, self.chance)),
            )
        )

    def _open_account(self, message: str, failure: FailureKind) -> None:
        """A feed that fails has a batch that waits, so that editions tell of it; one until it answers again."""
        if not (waiting := self._waiting()):
            rows.make_batches(self.tx, *self._where, [(self.now.date(), self.now)])
            waiting = self._waiting()
        rows.note_asked(self.tx, waiting, self.now, message, failure)

    def _close_account(self) -> None:
        """It answers: what it has says what there was."""
        for batch in self._waiting():
            rows.settle(self.tx, batch, BatchState.EMPTY)

    def _waiting(self) -> list[Batch]:
        mine = rows.open_batches(self.tx, self.now.date(), self.section)
        return [batch for batch in mine if batch.state is BatchState.WAITING]

    def refuse(self, request: Request, message: str, failure: FailureKind) -> None:
        """Note that an answer came that is of no use: neither are its validators, nor where the address led."""
        redirects.forget(self.tx, request.url)
        self.fail(replace(self.before, etag="", last_modified="", body_hash=""), message, failure)

    def change_nothing(self, answer: Unchanged) -> None:
        """Note that the answer is the one that we have."""
        self.series.unchanged = True
        self._repeat_answers()
        state = replace(self.before, unfinished=False)
        self._note(self._answered(state, brought=False, fresh_for=answer.fresh_for))

    def _repeat_answers(self) -> None:
        """Note that a route says again of the days it was asked for by date what it said of them before.

        That a day has nothing means more the later it is said.
        """
        ask = self.series.ask
        if self.route.scope is not Scope.DAY or ask.day is None:
            return
        for batch in rows.open_batches(self.tx, ask.day, self.section):
            said = next((one for one in batch.answers if one.route == self.route.name), None)
            if said is not None and ask.day <= batch.day <= (ask.until or ask.day):
                again = replace(said, at=self.now)
                rows.save_batch(
                    self.tx, ledger.after_answer(batch, self.source.calendar, again, batch.received)
                )

    # --- a page

    def is_stale(self, page: Page) -> str:
        """Whether a day is an earlier one again under a new date, in words; "" if not."""
        if self.route.scope is not Scope.LATEST or self.source.calendar is None:
            return ""
        for announced in page.announced:
            if announced.day is None or not announced.listings:
                continue
            day, shown = announced.day, _shown(announced)
            repeated = stale_days.find_repeated_day(self.tx, *self._where, day, shown)
            if repeated is not None:
                return f"its answer for {day:%d %b} is the one of {repeated:%d %b} again; nothing of it was taken"
            batch = rows.batch_or_none(self.tx, *self._where, day)
            if batch is not None and stale_days.contradicts_date(self.tx, self.source, batch, shown):
                return f"its answer for {day:%d %b} is another day's; nothing of it was taken"
        return ""

    def keep_page(self, request: Request, got: Got, page: Page) -> None:
        """Keep all that a page has, and the validators and the cursor with it."""
        self.series.next = page.next
        self.series.unread += tuple(map(redact, page.unread))
        for announced in page.announced:
            self._keep_day(announced)
        if page.next is None:
            self._judge()
        if page.records:
            self._count(listings.complete(self.tx, self.source.name, page.records, self.now.date()))
        signals.keep(self.tx, page.signals)
        state = replace(
            self.before,
            url=request.url,
            etag=got.known.etag,
            last_modified=got.known.last_modified,
            body_hash=got.known.body_hash,
            cursor=page.cursor,
            unfinished=page.next is not None,
            freshness=page.freshness,
        )
        brought = bool(self.series.saved.added)
        self._note(self._answered(state, brought=brought, fresh_for=got.fresh_for))

    def _keep_day(self, announced: Announced) -> None:
        day = announced.day or self.now.date()
        if announced.day is not None:
            self.series.about[day] = None
        batch = self._batch(day, announced)
        if batch is None:
            return  # the feed of a weekend: there is no batch
        if self.route.scope is Scope.DAY:
            announced = self._as_of_now(day, announced)
        self.series.dated[day] |= _shown(announced)
        if self.source.calendar is not None and self.route.scope is not Scope.RECORDS:
            self._take_back(batch, announced)
        plain = self.source.calendar is None
        fresh = self._complete_old(batch, announced.listings) if plain else announced.listings
        telling = ledger.telling(self.section, day, fresh, dated=plain, now=self.now)
        saved = listings.save(self.tx, batch, fresh, telling=telling)
        self._count(replace(saved, received=len(fresh)))
        count = self.series.days.get(day, (0, announced))[0] + len(announced.listings)
        self.series.days[day] = (count, announced)
        if self.series.next is not None:
            self._judge_day(day, last=False)

    def _take_back(self, batch: Batch, announced: Announced) -> None:
        """Undo what this day's papers, or an earlier day's, were announced as, before these are stored."""
        listed = self.series.dated[batch.day]
        is_by_date = self.route.scope is Scope.DAY
        if is_by_date:
            stale_days.correct_versions(self.tx, self.source, batch, _shown(announced))
        days = self.series.taken_back[batch.day]
        days |= stale_days.find_days_with(self.tx, self.source, batch, listed)
        is_last_page = self.series.next is None
        for day in sorted(days):
            stale_days.take_back(self.tx, batch, listed, day, source=self.source, is_last_page=is_last_page)
        if is_by_date:
            events.date_by(self.tx, batch, listed)

    def _as_of_now(self, day: date, announced: Announced) -> Announced:
        """A day's listings, with a sign where their page shows papers as they were after that day."""
        calendar = self.source.calendar
        if calendar is None or self.now < due_at(calendar, day_after(calendar, day)):
            return announced
        later = tuple(replace(one, later=True) for one in announced.listings)
        return replace(announced, listings=later)

    def _complete_old(self, batch: Batch, listed: Sequence[Listing]) -> list[Listing]:
        """Those that a feed shows for the first time.

        One that it showed before, be it an hour ago, is not listed again: it only completes what is known.
        """
        old = listings.listed_before(self.tx, batch, [one.paper.key for one in listed])
        records = [
            replace(one.paper, version=one.paper.version or old[one.paper.key])
            for one in listed
            if one.paper.key in old
        ]
        self._count(listings.complete(self.tx, self.source.name, records, batch.day))
        return [one for one in listed if one.paper.key not in old]

    def _batch(self, day: date, announced: Announced) -> Batch | None:
        """The account of a day; none is begun for nothing on a day on which nothing was due."""
        calendar = self.source.calendar
        expected = calendar is not None and day.weekday() in calendar.weekdays
        if not announced.listings and not expected:
            return rows.batch_or_none(self.tx, *self._where, day)
        due = due_at(calendar, day) if calendar else self.now
        rows.make_batches(self.tx, *self._where, [(day, due)])
        return rows.batch_of(self.tx, *self._where, day)

    def _judge(self) -> None:
        """The series is whole: what it was worth for each of its days."""
        for day in self.series.days:
            self._judge_day(day, last=True)
        if self.route.scope is Scope.RECORDS and self.route in ledger.announcing(self.source.ways):
            rows.note_quiet(self.tx, self._awaited(), self.now)

    def _judge_day(self, day: date, *, last: bool) -> None:
        listed, announced = self.series.days[day]
        batch = rows.batch_of(self.tx, *self._where, day)
        answer = ledger.judged(
            self.route,
            announced,
            listed=listed,
            unread=len(self.series.unread),
            last=last,
            is_checked=self._is_checked(day),
            now=self.now,
        )
        if self._has_all_by_date(answer, day):
            batch = stale_days.check_by_date(self.tx, self.source, batch, self.series.dated[day])
        received = listings.received(self.tx, batch)
        batch = ledger.after_answer(batch, self.source.calendar, answer, received)
        rows.save_batch(self.tx, batch)
        stale_days.judge_following(self.tx, self.source, batch)

    def _has_all_by_date(self, answer: DayAnswer, day: date) -> bool:
        """Whether an answer has all of a day that was asked for by date; that there is nothing is sure once it is over."""
        calendar = self.source.calendar
        if self.route.scope is not Scope.DAY or calendar is None:
            return False
        is_quiet = answer.verdict is Verdict.QUIET and answer.at >= over_at(calendar, day)
        return answer.verdict is Verdict.WHOLE or is_quiet

    def _is_checked(self, day: date) -> bool:
        """Whether the day before is known, so that its papers would have been seen to be there again."""
        calendar = self.source.calendar
        if calendar is None or calendar.fills or self.route.scope is not Scope.LATEST:
            return True
        return stale_days.are_days_before_known(
            self.tx, self.source, rows.batch_of(self.tx, *self._where, day)
        )

    def _count(self, saved: Saved) -> None:
        before = self.series.saved
        self.series.saved = Saved(
            received=before.received + saved.received,
            added=before.added + saved.added,
            events=before.events + saved.events,
        )

    # --- the route's state

    def _answered(self, state: RouteState, *, brought: bool, fresh_for: timedelta | None) -> RouteState:
        """The state after an attempt that ended well; what it left waiting is asked again after a pause that grows."""
        state = replace(state, errors=0, error="", gone=False)
        if state.unfinished:
            return replace(state, next_at=None)
        state = replace(state, answered_at=self.now)
        if self.source.calendar is None:
            self._close_account()
            interval, next_at = next_visit(
                state.interval,
                brought=brought,
                fresh_for=fresh_for,
                freshness=state.freshness,
                now=self.now,
                jitter=self.chance,
            )
            return replace(state, interval=interval, next_at=next_at)
        still = self._awaited()
        unheard = [batch for batch in still if batch.answered_at != self.now]
        rows.note_asked(self.tx, unheard, self.now, "", None)
        if not still and not self._would_ask_again(state, self.source.calendar):
            return replace(state, fruitless=0, next_at=None)
        fruitless = state.fruitless + 1
        return replace(state, fruitless=fruitless, next_at=self.now + pull_pause(fruitless, self.chance))

    def _would_ask_again(self, state: RouteState, calendar: Calendar) -> bool:
        """Whether the ledger would ask the same at once: a day was to be looked at, and was not there yet."""
        others = [one for one in self.section.routes if one.route != state.route]
        after = replace(state, asked_at=self.now, next_at=None)
        section = replace(self.section, routes=(*others, after))
        batches = rows.open_batches(self.tx, self.now.date() - ledger.REPAIRED, self.section)
        return self.series.ask in ledger.asks(section, batches, calendar, self.source.ways, self.now)

    def _awaited(self) -> list[Batch]:
        """The days that this answer could have brought, and that are still waited for."""
        calendar, ask = self.source.calendar, self.series.ask
        if calendar is None or self.route not in ledger.announcing(self.source.ways):
            return []
        since = min(ask.day or self.now.date(), self.now.date() - ledger.REPAIRED)
        mine = [one for one in rows.open_batches(self.tx, since, self.section) if ledger.awaited(one)]
        if self.route.scope is Scope.DAY and ask.day is not None and not self.series.unreached:
            return [batch for batch in mine if ask.day <= batch.day <= (ask.until or ask.day)]
        return [batch for batch in mine if ledger.can_bring(calendar, self.route, batch.day, self.now)]

    def _note(self, state: RouteState) -> None:
        rows.note_attempt(self.tx, self.section, replace(state, asked_at=self.now))


def _shown(announced: Announced) -> frozenset[Shown]:
    return frozenset(Shown(one.paper.key, one.kind, one.version) for one in announced.listings)
