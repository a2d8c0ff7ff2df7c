"""Pull: make the requests that the ledger needs, to several hosts at a time, and store the answers.

``plan → rate limit → fetch → parse → one transaction{listings, papers, events, seq, validators, cursor, batch}``
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime
from operator import itemgetter
from queue import SimpleQueue
from threading import Event

from digest.core.fetching import ledger
from digest.core.fetching.request_planning import plan_requests
from digest.errors import StoreBusyError
from digest.jobs.fetching.answer_reader import read_answer
from digest.jobs.fetching.ingest import save_answer
from digest.jobs.fetching.ledger import update_ledger
from digest.jobs.fetching.pagination import Pagination
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.http.parse_process import ParseProcess
from digest.jobs.http.rate_limited import fetch_rate_limited, get_bucket
from digest.model import Ask, RouteState, Scope
from digest.ports import Source
from digest.store.database.engine import Store
from digest.store.fetching import ledger as rows

_MAX_PARALLEL_HOSTS = 16
"""Maximum number of hosts that are queried at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullProgress:
    """The result of one ask so far; reported after each page.

    Attributes:
        name: the names of source, section and, if there are several, route, for people.
        day: the announcement day of the answer; None if it had several days, or none.
        received: the number of listings and records so far.
        added: the number of new ones among them.
        events: the number of events that resulted.
        unread: a sentence for each entry that could not be read.
        is_unchanged: nothing changed since the last request.
        is_unreachable: there was no answer: the route itself fails.
        is_finished: there are no further pages.
        error: what went wrong; "" if nothing did.
    """

    source: str
    section: str
    route: str
    name: str
    day: date | None = None
    received: int = 0
    added: int = 0
    events: int = 0
    unread: tuple[str, ...] = ()
    is_unchanged: bool = False
    is_unreachable: bool = False
    is_finished: bool = True
    error: str = ""


def make_titles(sources: Mapping[str, Source]) -> dict[str, str]:
    """Return the titles of sources by name; sources with the same title are distinguished by their names."""
    count = Counter(source.title for source in sources.values())
    return {
        name: source.title if count[source.title] == 1 else f"{source.title} ({name})"
        for name, source in sources.items()
    }


def format_section_name(source: Source, title: str, section: str, route: str) -> str:
    """Format a section and a route for people; a section that the title implies and a single route are omitted."""
    is_implied = len(source.sections) == 1 and section.casefold() in title.casefold()
    route_suffix = f" ({route})" if len(source.fetch_routes) > 1 else ""
    return f"{title}{'' if is_implied else f' {section}'}{route_suffix}"


def list_asks(store: Store, sources: Mapping[str, Source], now: datetime) -> tuple[Ask, ...]:
    """List what is to be requested now; the ledger is updated first.

    The latest day of all sections comes first, then missed days, then records, each in the order of the
    sources. So a repair that a host refuses, or that takes long, does not delay today's papers.
    """
    with store.begin_write() as tx:
        update_ledger(tx, sources, now)
        sections = {(section.source, section.name): section for section in rows.list_active_sections(tx)}
        batches = rows.list_open_batches(tx, now.date() - ledger.REPAIR_PERIOD)
        announced = rows.find_announcement_times(tx, batches)
    ranked_asks: list[tuple[int, Ask]] = []
    for name, source in sources.items():
        scopes = {way.name: way.scope for way in source.fetch_routes}
        announced_days = {
            day: announced_at for (source_name, day), announced_at in announced.items() if source_name == name
        }
        for section in source.sections:
            section_batches = [batch for batch in batches if (batch.source, batch.section) == (name, section)]
            last_day = max((batch.day for batch in section_batches), default=None)
            asks = plan_requests(
                sections[name, section],
                section_batches,
                source.calendar,
                source.fetch_routes,
                now,
                announced_days=announced_days,
            )
            ranked_asks += [(_rank_ask(scopes[ask.route], ask, last_day), ask) for ask in asks]
    return tuple(ask for _, ask in sorted(ranked_asks, key=itemgetter(0)))


def _rank_ask(scope: Scope, ask: Ask, last_day: date | None) -> int:
    if scope is Scope.LATEST or ask.day == last_day:
        return 0
    return 2 if scope is Scope.RECORDS else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Puller:
    """Fetches from sources and stores the answers.

    Attributes:
        sources: the configured sources, by name.
        token: the token of this worker, which holds buckets.
        clock: returns the time, UTC.
        sleep: waits until a bucket is free, in seconds.
        next_jitter: returns random numbers from 0 to 1 that spread pauses.
    """

    store: Store
    sources: Mapping[str, Source]
    fetcher: Fetcher
    token: int
    clock: Clock
    sleep: Callable[[float], None]
    next_jitter: Callable[[], float]

    def pull(self, asks: tuple[Ask, ...]) -> Iterator[PullProgress]:
        """Make the requests, one at a time for each host and several hosts in parallel; report each stored page."""
        groups: dict[str, list[Ask]] = {}
        for ask in asks:
            groups.setdefault(self._get_bucket(ask), []).append(ask)
        with ParseProcess() as parse_process:
            if len(groups) <= 1 or self.store.dry_run_connection is not None:
                yield from self._pull_sequentially(asks, parse_process)
            else:
                yield from self._pull_in_parallel(list(groups.values()), parse_process)

    def _pull_sequentially(self, asks: Iterable[Ask], parse_process: ParseProcess) -> Iterator[PullProgress]:
        """Make one request after another; a route that fails is not tried for other days of its section."""
        failed: set[tuple[str, str, str]] = set()
        for ask in asks:
            route = (ask.source, ask.section, ask.route)
            if route in failed:
                continue
            for progress in self._pull_one(ask, parse_process):
                if progress.is_unreachable:
                    failed.add(route)
                yield progress

    def _pull_one(self, ask: Ask, parse_process: ParseProcess) -> Iterator[PullProgress]:
        """Process one ask; if the store is locked for too long, only this ask is postponed to the next pull."""
        pages = self._pull_pages(ask, parse_process)
        while True:
            try:
                progress = next(pages)
            except StopIteration:
                return
            except StoreBusyError as error:
                pagination = Pagination(
                    ask,
                    error=f"postponed to the next pull, because nothing could be stored: {error}",
                    is_unreachable=True,
                )
                yield self._make_progress(self.sources[ask.source], pagination)
                return
            yield progress

    def _pull_in_parallel(
        self, groups: list[list[Ask]], parse_process: ParseProcess
    ) -> Iterator[PullProgress]:
        progress_queue: SimpleQueue[PullProgress | None] = SimpleQueue()
        stop = Event()

        def run_group(asks: list[Ask]) -> None:
            try:
                for progress in self._pull_sequentially(asks, parse_process):
                    progress_queue.put(progress)
                    if stop.is_set():
                        return
            finally:
                progress_queue.put(None)

        with ThreadPoolExecutor(_MAX_PARALLEL_HOSTS, thread_name_prefix="pull") as pool:
            futures = [pool.submit(run_group, asks) for asks in groups]
            try:
                for _ in groups:
                    while (progress := progress_queue.get()) is not None:
                        yield progress
            except BaseException:  # Ctrl-C: open requests are aborted; what is stored remains
                stop.set()
                for future in futures:
                    future.cancel()
                self.fetcher.close()
                parse_process.close()
                raise
            for future in futures:
                future.result()

    def _get_bucket(self, ask: Ask) -> str:
        return get_bucket(self.sources[ask.source].start(ask, "", self.clock()))

    def _pull_pages(self, ask: Ask, parse_process: ParseProcess) -> Iterator[PullProgress]:
        """Process one ask, page by page."""
        source = self.sources[ask.source]
        with self.store.begin_read() as tx:
            state = rows.load_section(tx, ask.source, ask.section).get_route(ask.route)
        pagination = Pagination(ask)
        pagination.next_request = source.start(ask, state.cursor, self.clock())
        while (request := pagination.next_request) is not None:
            pagination.next_request = None
            result = fetch_rate_limited(
                self.store,
                source,
                request,
                state,
                self.fetcher,
                token=self.token,
                clock=self.clock,
                sleep=self.sleep,
            )
            # The page is read outside the transaction, so that others can write meanwhile.
            answer = read_answer(source, request, result, parse_process.read_response)
            save_answer(
                self.store,
                source,
                pagination,
                request,
                answer,
                now=self.clock(),
                jitter=self.next_jitter(),
            )
            yield self._make_progress(source, pagination)
            # Without validators: an unchanged further page would end the series.
            state = RouteState(route=ask.route)

    def _make_progress(self, source: Source, pagination: Pagination) -> PullProgress:
        ask = pagination.ask
        return PullProgress(
            source=ask.source,
            section=ask.section,
            route=ask.route,
            name=format_section_name(source, make_titles(self.sources)[ask.source], ask.section, ask.route),
            day=next(iter(pagination.covered_days)) if len(pagination.covered_days) == 1 else None,
            received=pagination.saved.received,
            added=pagination.saved.added,
            events=pagination.saved.events,
            unread=pagination.unread,
            is_unchanged=pagination.is_unchanged,
            is_unreachable=pagination.is_unreachable,
            is_finished=pagination.next_request is None,
            error=pagination.error,
        )
