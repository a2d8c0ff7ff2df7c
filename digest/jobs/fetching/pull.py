"""Pull: ask what the ledger wants, several hosts at a time, and keep what they answer.

``wanted → turn → fetch → read → one transaction{listings, papers, events, seq, validators, cursor, batch}``
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
from digest.errors import StoreBusyError
from digest.jobs.fetching.ingest import Series, keep
from digest.jobs.fetching.ledger import account
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.http.parse_process import ParseProcess
from digest.jobs.http.rate_limited import ask_in_turn, bucket
from digest.model import Ask, RouteState, Scope
from digest.ports import Source
from digest.store.database.engine import Store
from digest.store.fetching import ledger as rows

_AT_ONCE = 16
"""So many hosts are asked at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """What has come of asking one thing; told after each page.

    Attributes:
        name: of source, section and, where there are several, route, as readers know them.
        day: the announcement day that the answer was about; None if it was about several, or none.
        received: how many listings and records the answer had so far.
        added: how many of them are new to us.
        events: how many events they made.
        unread: what was in the answer and could not be read.
        unchanged: nothing changed since we last asked.
        unreached: no answer came: the route itself fails.
        finished: there is no further page.
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
    unchanged: bool = False
    unreached: bool = False
    finished: bool = True
    error: str = ""


def titles_of(sources: Mapping[str, Source]) -> dict[str, str]:
    """What readers know sources by; two of one title are told apart by their names."""
    count = Counter(source.title for source in sources.values())
    return {
        name: source.title if count[source.title] == 1 else f"{source.title} ({name})"
        for name, source in sources.items()
    }


def name_of(source: Source, title: str, section: str, route: str) -> str:
    """What readers know a section and a route by: neither is named where the title says it, or there is one only."""
    said = len(source.sections) == 1 and section.casefold() in title.casefold()
    by = f" ({route})" if len(source.ways) > 1 else ""
    return f"{title}{'' if said else f' {section}'}{by}"


def wanted(store: Store, sources: Mapping[str, Source], now: datetime) -> tuple[Ask, ...]:
    """What to ask now; brings the ledger up to the time first.

    In the order of the sources: the day that is out of all sections, then days that were missed, then records. So
    a repair that a host refuses, or that takes long, keeps nobody from today's papers.
    """
    with store.writing() as tx:
        account(tx, sources, now)
        sections = {(section.source, section.name): section for section in rows.active_sections(tx)}
        batches = rows.open_batches(tx, now.date() - ledger.REPAIRED)
        announced = rows.days_announced(tx, batches)
    found: list[tuple[int, Ask]] = []
    for name, source in sources.items():
        scopes = {way.name: way.scope for way in source.ways}
        own = {day: at for (of, day), at in announced.items() if of == name}
        for section in source.sections:
            mine = [batch for batch in batches if (batch.source, batch.section) == (name, section)]
            last = max((batch.day for batch in mine), default=None)
            asks = ledger.asks(
                sections[name, section], mine, source.calendar, source.ways, now, announced=own
            )
            found += [(_turn(scopes[ask.route], ask, last), ask) for ask in asks]
    return tuple(ask for _, ask in sorted(found, key=itemgetter(0)))


def _turn(scope: Scope, ask: Ask, last: date | None) -> int:
    if scope is Scope.LATEST or ask.day == last:
        return 0
    return 2 if scope is Scope.RECORDS else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Puller:
    """Asks and keeps.

    Attributes:
        sources: those of the configuration, by name.
        token: of this worker: others see by it who is asking a host.
        clock: gives the time.
        sleep: waits for a host's turn, in seconds.
        chance: gives numbers from 0 to 1, so that pauses are not all the same.
    """

    store: Store
    sources: Mapping[str, Source]
    fetcher: Fetcher
    token: int
    clock: Clock
    sleep: Callable[[float], None]
    chance: Callable[[], float]

    def pull(self, asks: tuple[Ask, ...]) -> Iterator[Pulled]:
        """Ask, one thing after another at each host and several hosts at once; tell each page that is kept."""
        groups: dict[str, list[Ask]] = {}
        for ask in asks:
            groups.setdefault(self._bucket(ask), []).append(ask)
        with ParseProcess() as parsing:
            if len(groups) <= 1 or self.store.rehearsing is not None:
                yield from self._one_by_one(asks, parsing)
            else:
                yield from self._at_once(list(groups.values()), parsing)

    def _one_by_one(self, asks: Iterable[Ask], parsing: ParseProcess) -> Iterator[Pulled]:
        """Ask for one thing after another; a route that fails is not asked for the other days of that section."""
        failed: set[tuple[str, str, str]] = set()
        for ask in asks:
            route = (ask.source, ask.section, ask.route)
            if route in failed:
                continue
            for pulled in self._pull_one(ask, parsing):
                if pulled.unreached:
                    failed.add(route)
                yield pulled

    def _pull_one(self, ask: Ask, parsing: ParseProcess) -> Iterator[Pulled]:
        """Ask for one thing; where another process holds the database for too long, it alone is left to the next pull."""
        pages = self._series(ask, parsing)
        while True:
            try:
                pulled = next(pages)
            except StopIteration:
                return
            except StoreBusyError as error:
                series = Series(
                    ask,
                    error=f"postponed to the next pull, as nothing could be stored: {error}",
                    unreached=True,
                )
                yield self._told(self.sources[ask.source], series)
                return
            yield pulled

    def _at_once(self, groups: list[list[Ask]], parsing: ParseProcess) -> Iterator[Pulled]:
        told: SimpleQueue[Pulled | None] = SimpleQueue()
        stop = Event()

        def work(asks: list[Ask]) -> None:
            try:
                for pulled in self._one_by_one(asks, parsing):
                    told.put(pulled)
                    if stop.is_set():
                        return
            finally:
                told.put(None)

        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="pull") as pool:
            at_work = [pool.submit(work, asks) for asks in groups]
            try:
                for _ in groups:
                    while (pulled := told.get()) is not None:
                        yield pulled
            except BaseException:  # Ctrl-C: what is under way is hung up, what was kept stays
                stop.set()
                for one in at_work:
                    one.cancel()
                self.fetcher.close()
                parsing.close()
                raise
            for one in at_work:
                one.result()

    def _bucket(self, ask: Ask) -> str:
        return bucket(self.sources[ask.source].start(ask, "", self.clock()))

    def _series(self, ask: Ask, parsing: ParseProcess) -> Iterator[Pulled]:
        """Ask for one thing, page by page."""
        source = self.sources[ask.source]
        with self.store.reading() as tx:
            state = rows.section(tx, ask.source, ask.section).route(ask.route)
        series = Series(ask)
        series.next = source.start(ask, state.cursor, self.clock())
        while (request := series.next) is not None:
            series.next = None
            answer = ask_in_turn(
                self.store,
                source,
                request,
                state,
                self.fetcher,
                token=self.token,
                clock=self.clock,
                sleep=self.sleep,
            )
            keep(
                self.store,
                source,
                series,
                request,
                answer,
                read=parsing.read,
                now=self.clock(),
                chance=self.chance(),
            )
            yield self._told(source, series)
            state = RouteState(route=ask.route)  # that a further page has not changed would end the series

    def _told(self, source: Source, series: Series) -> Pulled:
        ask = series.ask
        return Pulled(
            source=ask.source,
            section=ask.section,
            route=ask.route,
            name=name_of(source, titles_of(self.sources)[ask.source], ask.section, ask.route),
            day=next(iter(series.about)) if len(series.about) == 1 else None,
            received=series.saved.received,
            added=series.saved.added,
            events=series.saved.events,
            unread=series.unread,
            unchanged=series.unchanged,
            unreached=series.unreached,
            finished=series.next is None,
            error=series.error,
        )
