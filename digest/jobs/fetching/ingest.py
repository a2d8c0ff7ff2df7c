"""Ingest: store an answer (listings, papers, events and the state of its route) page by page, one transaction each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from digest.core.fetching import ledger
from digest.core.fetching.repeated_days import ShownListing
from digest.core.fetching.request_planning import plan_requests
from digest.core.fetching.visits import schedule_visit
from digest.core.times.retry import compute_feed_pause, compute_pull_pause
from digest.core.times.schedule import compute_day_end, compute_due_at, get_next_day
from digest.failures import FailureKind
from digest.jobs.fetching import stale_days
from digest.jobs.fetching.answer_reader import Answer, PageRead, PageUnreadable
from digest.jobs.fetching.pagination import Pagination
from digest.jobs.http.fetch_results import FetchFailure, NotModified, PermanentlyGone
from digest.model import (
    Batch,
    BatchState,
    Calendar,
    DayAnswer,
    DayVerdict,
    Listing,
    Route,
    RouteState,
    Scope,
    Section,
)
from digest.ports import AnnouncedDay, Page, Request, Source
from digest.redaction import redact
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import ledger as rows
from digest.store.fetching import listings, redirects
from digest.store.fetching.listings import SaveResult
from digest.store.papers import events, signals
from digest.store.workers import hints


def save_answer(
    store: Store,
    source: Source,
    pagination: Pagination,
    request: Request,
    answer: Answer,
    *,
    now: datetime,
    jitter: float,
) -> None:
    """Store the answer to the request for one page, and record its outcome in the pagination.

    Args:
        store: the store.
        source: the source that answered.
        pagination: the state of this answer, with its earlier pages.
        request: the request.
        answer: the answer, as ``read_answer`` returns it.
        now: when the answer arrived, UTC.
        jitter: a random number from 0 to 1 that spreads pauses.
    """
    route = next(candidate for candidate in source.fetch_routes if candidate.name == pagination.ask.route)
    with store.begin_ingest() as tx:
        section = rows.load_section(tx, pagination.ask.source, pagination.ask.section)
        ingest = _PageIngest(tx, source, route, section, pagination, now, jitter)
        match answer:
            case FetchFailure():
                pagination.is_unreachable = True
                ingest.record_failure(ingest.previous_state, answer.message, answer.failure, answer.pause)
            case PermanentlyGone():
                pagination.is_unreachable = True
                ingest.record_failure(
                    replace(ingest.previous_state, gone=True), answer.message, FailureKind.GONE
                )
            case NotModified():
                ingest.record_unchanged(answer)
            case PageUnreadable():
                ingest.record_refusal(request, answer.message, FailureKind.UNREADABLE)
            case PageRead():
                if endless_reason := pagination.describe_endless_series(request, answer.page):
                    ingest.record_refusal(request, endless_reason, FailureKind.UNREADABLE)
                elif stale_reason := ingest.describe_stale_day(answer.page):
                    ingest.record_refusal(request, stale_reason, FailureKind.STALE)
                else:
                    ingest.save_page(request, answer)
        hints.defer_hint(tx, hints.MATCH if pagination.saved.events else hints.TICK)


@dataclass(frozen=True, slots=True)
class _PageIngest:
    """The transaction that stores one answer."""

    tx: Transaction
    source: Source
    route: Route
    section: Section
    pagination: Pagination
    now: datetime
    jitter: float

    @property
    def previous_state(self) -> RouteState:
        """The state of the route before this answer."""
        return self.section.get_route(self.route.name)

    @property
    def _section_key(self) -> tuple[str, str]:
        return self.section.source, self.section.name

    # --- answers without listings

    def record_failure(
        self, state: RouteState, message: str, failure: FailureKind, pause: timedelta | None = None
    ) -> None:
        """Record a failed attempt.

        Args:
            state: the state of the route.
            message: what went wrong, for the operator.
            failure: the kind of the failure, for readers.
            pause: the pause that the host asks for; None if it does not.
        """
        self.pagination.error = redact(message)
        if self.source.calendar is None:
            self._open_waiting_batch(message, failure)
        rows.note_attempted_batches(self.tx, self._list_awaited_batches(), self.now, message, failure)
        compute_pause = compute_pull_pause if self.source.calendar else compute_feed_pause
        errors = state.errors + 1
        self._save_state(
            replace(
                state,
                errors=errors,
                error=message,
                fruitless=state.fruitless + 1,
                # A host that always asks for a pause of a second must not get a request every second.
                next_at=self.now + max(pause or timedelta(0), compute_pause(errors, self.jitter)),
            )
        )

    def _open_waiting_batch(self, message: str, failure: FailureKind) -> None:
        """Make sure that a failing feed has one waiting batch until it answers again, so that editions report it."""
        if not (waiting_batches := self._list_waiting_batches()):
            rows.make_batches(self.tx, *self._section_key, [(self.now.date(), self.now)])
            waiting_batches = self._list_waiting_batches()
        rows.note_attempted_batches(self.tx, waiting_batches, self.now, message, failure)

    def _close_waiting_batches(self) -> None:
        """Settle waiting batches of a feed that answers again as empty: its answer has what was missing."""
        for batch in self._list_waiting_batches():
            rows.settle_batch(self.tx, batch, BatchState.EMPTY)

    def _list_waiting_batches(self) -> list[Batch]:
        section_batches = rows.list_open_batches(self.tx, self.now.date(), self.section)
        return [batch for batch in section_batches if batch.state is BatchState.WAITING]

    def record_refusal(self, request: Request, message: str, failure: FailureKind) -> None:
        """Record an unusable answer, and discard its validators and redirect."""
        redirects.forget_redirect(self.tx, request.url)
        self.record_failure(
            replace(self.previous_state, etag="", last_modified="", body_hash=""), message, failure
        )

    def record_unchanged(self, answer: NotModified) -> None:
        """Record that nothing changed since the last answer."""
        self.pagination.is_unchanged = True
        self._confirm_answers()
        state = replace(self.previous_state, unfinished=False)
        self._save_state(self._build_answered_state(state, has_new=False, fresh_for=answer.fresh_for))

    def _confirm_answers(self) -> None:
        """Renew the time of the route's earlier answers about the days that it was queried for by date.

        The later it is said that a day has nothing, the more reliable it is.
        """
        ask = self.pagination.ask
        if self.route.scope is not Scope.DAY or ask.day is None:
            return
        for batch in rows.list_open_batches(self.tx, ask.day, self.section):
            previous_answer = next(
                (answer for answer in batch.answers if answer.route == self.route.name), None
            )
            if previous_answer is not None and ask.day <= batch.day <= (ask.until or ask.day):
                repeated_answer = replace(previous_answer, at=self.now)
                rows.save_batch(
                    self.tx, ledger.apply_answer(batch, self.source.calendar, repeated_answer, batch.received)
                )

    # --- pages

    def describe_stale_day(self, page: Page) -> str:
        """Return an error if a day of the page repeats an earlier day under a new date; "" if not."""
        if self.route.scope is not Scope.LATEST or self.source.calendar is None:
            return ""
        for announced in page.announced:
            if announced.day is None or not announced.listings:
                continue
            day, listed = announced.day, _collect_listed(announced)
            repeated_day = stale_days.find_repeated_day(self.tx, *self._section_key, day, listed)
            if repeated_day is not None:
                return f"its answer for {day:%d %b} repeats that for {repeated_day:%d %b}; it was ignored"
            batch = rows.find_batch(self.tx, *self._section_key, day)
            if batch is not None and stale_days.is_contradicted_by_date(self.tx, self.source, batch, listed):
                return f"its answer for {day:%d %b} is about another day; it was ignored"
        return ""

    def save_page(self, request: Request, answer: PageRead) -> None:
        """Store everything in a page, with its validators and cursor."""
        page = answer.page
        self.pagination.next_request = page.next
        self.pagination.unread += tuple(map(redact, page.unread))
        for announced in page.announced:
            self._save_day(announced)
        if page.next is None:
            self._evaluate_days()
        if page.records:
            self._add_saved(listings.save_records(self.tx, self.source.name, page.records, self.now.date()))
        signals.save_signals(self.tx, page.signals)
        state = replace(
            self.previous_state,
            url=request.url,
            etag=answer.validators.etag,
            last_modified=answer.validators.last_modified,
            body_hash=answer.validators.body_hash,
            cursor=page.cursor,
            unfinished=page.next is not None,
            freshness=page.freshness,
        )
        has_new = bool(self.pagination.saved.added)
        self._save_state(self._build_answered_state(state, has_new=has_new, fresh_for=answer.fresh_for))

    def _save_day(self, announced: AnnouncedDay) -> None:
        day = announced.day or self.now.date()
        if announced.day is not None:
            self.pagination.covered_days[day] = None
        batch = self._get_batch(day, announced)
        if batch is None:
            return  # no batch: the empty feed of a weekend
        if self.route.scope is Scope.DAY:
            announced = self._mark_later(day, announced)
        self.pagination.listed_by_day[day] |= _collect_listed(announced)
        if self.source.calendar is not None and self.route.scope is not Scope.RECORDS:
            self._withdraw_repeated(batch, announced)
        has_no_calendar = self.source.calendar is None
        new_listings = (
            self._complete_known(batch, announced.listings) if has_no_calendar else announced.listings
        )
        makes_events = ledger.select_announced_papers(
            self.section, day, new_listings, by_entry_date=has_no_calendar, now=self.now
        )
        saved = listings.save_listings(self.tx, batch, new_listings, announceable=makes_events)
        self._add_saved(replace(saved, received=len(new_listings)))
        listing_count = self.pagination.days.get(day, (0, announced))[0] + len(announced.listings)
        self.pagination.days[day] = (listing_count, announced)
        if self.pagination.next_request is not None:
            self._evaluate_day(day, is_last=False)

    def _withdraw_repeated(self, batch: Batch, announced: AnnouncedDay) -> None:
        """Withdraw misdated listings before those of a day are stored.

        Later days may hold this day's listings, and this day may hold replacements of another day.
        """
        listed = self.pagination.listed_by_day[batch.day]
        is_by_date = self.route.scope is Scope.DAY
        if is_by_date:
            stale_days.remove_wrong_versions(self.tx, self.source, batch, _collect_listed(announced))
        days = self.pagination.repeated_in[batch.day]
        days |= stale_days.find_days_with(self.tx, self.source, batch, listed)
        is_last_page = self.pagination.next_request is None
        for day in sorted(days):
            stale_days.withdraw_repeated(
                self.tx, batch, listed, day, source=self.source, is_last_page=is_last_page
            )
        if is_by_date:
            events.set_day_of_listed(self.tx, batch, listed)

    def _mark_later(self, day: date, announced: AnnouncedDay) -> AnnouncedDay:
        """Return a day's listings, marked if their page may show papers in a state after that day."""
        calendar = self.source.calendar
        if calendar is None or self.now < compute_due_at(calendar, get_next_day(calendar, day)):
            return announced
        later = tuple(replace(listing, may_be_newer=True) for listing in announced.listings)
        return replace(announced, listings=later)

    def _complete_known(self, batch: Batch, listed: Sequence[Listing]) -> list[Listing]:
        """Return the listings that a feed shows for the first time.

        The others, even those of an hour ago, are not listed again; they only add to the stored papers.
        """
        known_versions = listings.load_listed_before(
            self.tx, batch, [listing.paper.key for listing in listed]
        )
        records = [
            replace(listing.paper, version=listing.paper.version or known_versions[listing.paper.key])
            for listing in listed
            if listing.paper.key in known_versions
        ]
        self._add_saved(listings.save_records(self.tx, self.source.name, records, batch.day))
        return [listing for listing in listed if listing.paper.key not in known_versions]

    def _get_batch(self, day: date, announced: AnnouncedDay) -> Batch | None:
        """Return the batch of a day, creating it if the day has listings or was due; None if there is none."""
        calendar = self.source.calendar
        expected = calendar is not None and day.weekday() in calendar.weekdays
        if not announced.listings and not expected:
            return rows.find_batch(self.tx, *self._section_key, day)
        due_time = compute_due_at(calendar, day) if calendar else self.now
        rows.make_batches(self.tx, *self._section_key, [(day, due_time)])
        return rows.load_batch(self.tx, *self._section_key, day)

    def _evaluate_days(self) -> None:
        """Evaluate the complete answer for each of its days."""
        for day in self.pagination.days:
            self._evaluate_day(day, is_last=True)
        if self.route.scope is Scope.RECORDS and self.route in ledger.select_announcing_routes(
            self.source.fetch_routes
        ):
            rows.note_quiet_batches(self.tx, self._list_awaited_batches(), self.now)

    def _evaluate_day(self, day: date, *, is_last: bool) -> None:
        listed, announced = self.pagination.days[day]
        batch = rows.load_batch(self.tx, *self._section_key, day)
        answer = ledger.evaluate_answer(
            self.route,
            announced,
            listed=listed,
            unread=len(self.pagination.unread),
            is_last_page=is_last,
            is_checked=self._is_checked(day),
            now=self.now,
        )
        if self._has_all_by_date(answer, day):
            batch = stale_days.check_by_date(self.tx, self.source, batch, self.pagination.listed_by_day[day])
        received = listings.count_listings(self.tx, batch)
        batch = ledger.apply_answer(batch, self.source.calendar, answer, received)
        rows.save_batch(self.tx, batch)
        stale_days.evaluate_following(self.tx, self.source, batch)

    def _has_all_by_date(self, answer: DayAnswer, day: date) -> bool:
        """Whether an answer by date has the whole day; that a day is empty is certain only when the day is over."""
        calendar = self.source.calendar
        if self.route.scope is not Scope.DAY or calendar is None:
            return False
        is_quiet = answer.verdict is DayVerdict.QUIET and answer.at >= compute_day_end(calendar, day)
        return answer.verdict is DayVerdict.WHOLE or is_quiet

    def _is_checked(self, day: date) -> bool:
        """Whether the days before are known, so that a repetition of them would have been detected."""
        calendar = self.source.calendar
        if calendar is None or calendar.fills or self.route.scope is not Scope.LATEST:
            return True
        return stale_days.is_preceding_known(
            self.tx, self.source, rows.load_batch(self.tx, *self._section_key, day)
        )

    def _add_saved(self, saved: SaveResult) -> None:
        total = self.pagination.saved
        self.pagination.saved = SaveResult(
            received=total.received + saved.received,
            added=total.added + saved.added,
            events=total.events + saved.events,
        )

    # --- state of the route

    def _build_answered_state(
        self, state: RouteState, *, has_new: bool, fresh_for: timedelta | None
    ) -> RouteState:
        """Build the state after a successful attempt.

        If something is still outstanding, the next attempt follows after a growing pause.
        """
        state = replace(state, errors=0, error="", gone=False)
        if state.unfinished:
            return replace(state, next_at=None)
        state = replace(state, answered_at=self.now)
        if self.source.calendar is None:
            self._close_waiting_batches()
            interval, next_at = schedule_visit(
                state.interval,
                has_news=has_new,
                fresh_for=fresh_for,
                freshness=state.freshness,
                now=self.now,
                jitter=self.jitter,
            )
            return replace(state, interval=interval, next_at=next_at)
        awaited_batches = self._list_awaited_batches()
        unanswered = [batch for batch in awaited_batches if batch.answered_at != self.now]
        rows.note_attempted_batches(self.tx, unanswered, self.now, "", None)
        if not awaited_batches and not self._is_repeat_expected(state, self.source.calendar):
            return replace(state, fruitless=0, next_at=None)
        fruitless = state.fruitless + 1
        return replace(
            state, fruitless=fruitless, next_at=self.now + compute_pull_pause(fruitless, self.jitter)
        )

    def _is_repeat_expected(self, state: RouteState, calendar: Calendar) -> bool:
        """Whether the ledger would plan the same request again at once, as a requested day was not available yet."""
        others = [route_state for route_state in self.section.routes if route_state.route != state.route]
        next_state = replace(state, asked_at=self.now, next_at=None)
        section = replace(self.section, routes=(*others, next_state))
        batches = rows.list_open_batches(self.tx, self.now.date() - ledger.REPAIR_PERIOD, self.section)
        return self.pagination.ask in plan_requests(
            section, batches, calendar, self.source.fetch_routes, self.now
        )

    def _list_awaited_batches(self) -> list[Batch]:
        """List the outstanding batches that this answer could have completed."""
        calendar, ask = self.source.calendar, self.pagination.ask
        if calendar is None or self.route not in ledger.select_announcing_routes(self.source.fetch_routes):
            return []
        since = min(ask.day or self.now.date(), self.now.date() - ledger.REPAIR_PERIOD)
        awaited_batches = [
            open_batch
            for open_batch in rows.list_open_batches(self.tx, since, self.section)
            if ledger.is_outstanding(open_batch)
        ]
        if self.route.scope is Scope.DAY and ask.day is not None and not self.pagination.is_unreachable:
            return [batch for batch in awaited_batches if ask.day <= batch.day <= (ask.until or ask.day)]
        return [
            batch
            for batch in awaited_batches
            if ledger.is_available(calendar, self.route, batch.day, self.now)
        ]

    def _save_state(self, state: RouteState) -> None:
        rows.note_attempt(self.tx, self.section, replace(state, asked_at=self.now))


def _collect_listed(announced: AnnouncedDay) -> frozenset[ShownListing]:
    return frozenset(
        ShownListing(listing.paper.key, listing.kind, listing.version) for listing in announced.listings
    )
