"""Weeks of missed days, stale feeds, holidays and failing catch-up pages, made by chance and compared with the truth."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from digest.jobs.fetching.answer_reader import read_answer
from digest.jobs.fetching.ingest import save_answer
from digest.jobs.fetching.pagination import Pagination
from digest.jobs.fetching.pull import list_asks
from digest.jobs.http.fetch_results import Fetched, FetchFailure, FetchFailureState, FetchResult
from digest.model import Ask
from digest.ports import Page, Request, Response, Source
from digest.sources import arxiv
from digest.sources.arxiv import pages
from digest.store.database.engine import Store, open_store
from tests.arxiv_service import answers
from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import Announcement, History, make_subject
from tests.arxiv_service.release_times import NEW_YORK, get_feed_time
from tests.arxiv_service.server import ArxivService, Sizes
from tests.simulation.pull_workspace import load_batch_states, load_contents
from tests.support.compiled_statements import share_compiled_statements
from tests.support.seeds import get_seed

SECTIONS = ("cs.DC", "cs.LG")
FIRST = date(2026, 3, 5)
ROUTES = (("rss",), ("rss", "catchup"), ("listing", "catchup"), ("rss", "listing", "catchup"))
NUMBER = int(os.environ.get("DIGEST_TEST_HISTORIES", "8"))
"""So many histories of each set of routes."""
_KINDS = {
    "": ("hangs_up",),
    "rss": ("hangs_up", "blank"),
    "listing": ("hangs_up", "blank", "partial"),
    "catchup": ("hangs_up", "hangs_up", "partial"),
}
"""What goes wrong by route. Of a blank feed nobody can tell that it was no holiday where there is no other route."""
_CLOCKS = ("00:30", "02:00", "06:30", "09:00", "13:00", "16:00", "19:00", "21:00")


def _at(day: date, clock: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), NEW_YORK)


@dataclass(frozen=True)
class Scenario:
    """Weeks that a number makes: 18 announcement days, what goes wrong at arXiv, and when somebody pulls.

    Attributes:
        number: of the scenario; the same one is always the same.
        routes: by which arXiv is asked.
        sizes: how much one answer has.
    """

    number: int
    routes: tuple[str, ...]
    sizes: Sizes | None = None

    @cached_property
    def weekdays(self) -> list[date]:
        """The days that the calendar has: 18 announcement days and the holidays between them."""
        days = (FIRST + timedelta(days=n) for n in range(60))
        return [day for day in days if day.weekday() < 5][: 18 + len(self.holidays)]

    @cached_property
    def holidays(self) -> frozenset[date]:
        """None to two days without announcements."""
        chance = random.Random(f"holidays {self.number}")
        between = [
            FIRST + timedelta(days=n) for n in range(4, 20) if (FIRST + timedelta(days=n)).weekday() < 5
        ]
        return frozenset(chance.sample(between, chance.randint(0, 2)))

    @cached_property
    def days(self) -> list[date]:
        """The announcement days."""
        return [day for day in self.weekdays if day not in self.holidays]

    @cached_property
    def history(self) -> History:
        """What is announced; without what a feed and a page by the date show on different days."""
        chance = random.Random(f"history {self.number}")
        papers = chance.choice((2, 4, 8))
        return History(
            _without_late_categories(make_announcements(chance, self.days, SECTIONS, papers)), self.days
        )

    @cached_property
    def faults(self) -> list[Fault]:
        """Stale feeds of one or two days in a row, and catch-up pages that fail or lack rows."""
        chance = random.Random(f"faults {self.number} {self.routes}")
        faults: list[Fault] = []
        days = iter(self.days[1:-2])
        for day in days:
            if chance.random() < 0.3:
                begin, route = (
                    chance.choice(("00:00", "06:00")),
                    chance.choice(self.routes[:-1] or self.routes),
                )
                faults.append(_stale(day, begin, route, 1))
                if chance.random() < 0.4 and (following := next(days, None)):
                    faults.append(_stale(following, "00:00", route, chance.choice((1, 2))))
                if self.routes == ("rss",):  # one that goes on to be behind looks like one that is not
                    next(days, None), next(days, None)
        for day in self.weekdays[:-3]:
            if chance.random() < 0.35:
                begin, end = chance.choice(("00:00", "08:00")), chance.choice(("12:00", "23:59"))
                route = chance.choice(self.routes)
                kind = chance.choice(_KINDS[route] if "catchup" in self.routes else _KINDS[""])
                faults.append(Fault(kind=kind, begin=_at(day, begin), end=_at(day, end), routes=(route,)))
        return faults

    @cached_property
    def times(self) -> list[datetime]:
        """When somebody pulls: not on every day, and to the end at the end."""
        chance = random.Random(f"times {self.number}")
        first, *others = self.weekdays
        share = chance.choice((0.4, 0.7, 0.9))
        days = [first, *(day for day in others[:-2] if chance.random() < share)]
        times = [_at(first, "09:00")]
        times += [_at(day, clock) for day in days for clock in chance.sample(_CLOCKS, chance.randint(1, 2))]
        times += [_at(day, clock) for day in others[-2:] for clock in ("09:00", "21:00")]
        last = others[-1] + timedelta(days=1)
        times += [_at(last, clock) for clock in ("02:00", "09:00", "16:00")]
        return sorted(set(times))


def _without_late_categories(announcements: Sequence[Announcement]) -> list[Announcement]:
    """Announcements of papers that keep their first categories, and are not withdrawn."""
    first = {announcement.id: announcement.categories for announcement in reversed(announcements)}
    plain = [
        announcement
        for announcement in announcements
        if announcement.action != "cross" and not announcement.withdrawn
    ]
    return [replace(announcement, categories=first[announcement.id]) for announcement in plain]


def _stale(day: date, begin: str, route: str, behind: int) -> Fault:
    end = get_feed_time(day + timedelta(days=1))
    return Fault(kind="stale", begin=_at(day, begin), end=end, routes=(route,), behind=behind)


# --- pulling in this process ----------------------------------------------------------------------


@dataclass(frozen=True)
class Asker:
    """Asks a service without a connection, and keeps what it answers as a pull does."""

    store: Store
    service: ArxivService
    source: arxiv.Source

    def pull(self, now: datetime) -> None:
        """Ask what the ledger wants, until it wants nothing more at this time."""
        self.service.now = now
        requests: set[Ask] = set()
        while asks := [
            request
            for request in list_asks(self.store, {"arxiv": self.source}, now)
            if request not in requests
        ]:
            requests.update(asks)
            failed: set[tuple[str, str]] = set()
            for ask in asks:
                if (ask.section, ask.route) not in failed and self._ask(ask, now):
                    failed.add((ask.section, ask.route))

    def _ask(self, ask: Ask, now: datetime) -> bool:
        """Ask one thing, page by page; whether no answer came."""
        series = Pagination(ask)
        series.next_request = self.source.start(ask, "", now)
        while (request := series.next_request) is not None:
            series.next_request = None
            answer = read_answer(self.source, request, self._answer(request), _read)
            save_answer(self.store, self.source, series, request, answer, now=now, jitter=0.5)
        return series.is_unreachable

    def _answer(self, request: Request) -> FetchResult:
        found_answers: list[answers.Answer | None] = []
        address = urlsplit(request.url)
        path = f"{address.path}?{address.query}" if address.query else address.path
        self.service.serve(path, {}, lambda answer, _: found_answers.append(answer))
        if (answer := found_answers[0]) is None:
            return FetchFailure(message="it hung up", state=FetchFailureState.AWAY)
        headers = tuple((name.lower(), value) for name, value in answer.headers.items())
        return Fetched(
            response=Response(status=answer.status, headers=headers, body=answer.body, url=request.url)
        )


def _read(source: Source, request: Request, response: Response) -> Page:
    return source.read(request, response)


@pytest.fixture(scope="module")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all its tables."""
    share_compiled_statements()
    file = tmp_path_factory.mktemp("empty") / "digest.db"
    open_store(f"sqlite:///{file}", _at(FIRST, "00:00")).close()
    return file


@contextmanager
def _asking(scenario: Scenario, url: str) -> Iterator[Asker]:
    store = open_store(url, _at(FIRST, "00:00"))
    source = arxiv.Source(
        categories=SECTIONS, routes=scenario.routes, url="http://host/rss/", pages_url="http://host/", pace=0
    )
    with ArxivService(
        scenario.history,
        now=_at(FIRST, "00:00"),
        sections=SECTIONS,
        faults=scenario.faults,
        sizes=scenario.sizes,
    ) as service:
        yield Asker(store, service, source)
    store.close()


# --- the truth ------------------------------------------------------------------------------------

Place = tuple[str, str]
"""A section and a day."""


def _true_listings(scenario: Scenario) -> dict[Place, set[tuple[str, str]]]:
    """What each section had on each day: papers and kinds."""
    return {
        (section, str(day)): {
            (f"arxiv:{row.paper.id}", row.kind)
            for row in scenario.history.make_list_rows(day, make_subject([section]))
        }
        for section in SECTIONS
        for day in scenario.weekdays
    }


def _kept_listings(url: str) -> dict[Place, set[tuple[str, str]]]:
    results: dict[Place, set[tuple[str, str]]] = {}
    for section, day, key, kind, _ in load_contents(url, "listings")["listings"]:
        results.setdefault((section, day), set()).add((key, kind))
    return results


def _first_days(scenario: Scenario) -> dict[str, Counter[str]]:
    first: dict[str, Counter[str]] = {}
    for day in scenario.days:
        for section in SECTIONS:
            for row in scenario.history.make_list_rows(day, make_subject([section])):
                if row.kind in {"new", "cross"}:
                    first[f"arxiv:{row.paper.id}"] = Counter([str(day)])
    return first


def _days_of_news(url: str) -> dict[str, Counter[str]]:
    results: dict[str, Counter[str]] = {}
    for key, kind, day, *_ in load_contents(url, "events")["events"]:
        if kind == "new":
            results.setdefault(key, Counter())[day] += 1
    return results


def _wrong_at_the_end(scenario: Scenario, url: str) -> list[str]:
    """How what is stored differs from the truth, where a route can be asked for days by their date."""
    truth, remaining = _true_listings(scenario), _kept_listings(url)
    wrong = [
        f"{place}: missing {sorted(rows - remaining.get(place, set()))}, too many {sorted(remaining.get(place, set()) - rows)}"
        for place, rows in truth.items()
        if rows != remaining.get(place, set())
    ]
    wrong += [f"{place} is no announcement day" for place in remaining.keys() - truth.keys()]
    first, news = _first_days(scenario), _days_of_news(url)
    wrong += [
        f"{key}: news on {news.get(key)}, not {first.get(key)}"
        for key in first.keys() | news.keys()
        if first.get(key) != news.get(key)
    ]
    for (section, day), state in load_batch_states(url).items():
        if day not in scenario.weekdays:
            continue
        expected = "complete" if truth.get((section, str(day))) else "empty"
        if state != expected:
            wrong.append(f"{section} {day} is {state}, not {expected}")
    return wrong


def _wrongly_complete(scenario: Scenario, url: str) -> list[str]:
    """The days that are called complete and differ from the truth."""
    truth, remaining = _true_listings(scenario), _kept_listings(url)
    return [
        f"{section} {day}"
        for (section, day), state in load_batch_states(url).items()
        if state == "complete" and truth[section, str(day)] != remaining.get((section, str(day)), set())
    ]


def _pull_all(scenario: Scenario, url: str) -> list[str]:
    """Pull at all times of a scenario; what is wrong then."""
    with _asking(scenario, url) as asker:
        for now in scenario.times:
            asker.pull(now)
    is_by_date = "catchup" in scenario.routes
    return _wrong_at_the_end(scenario, url) if is_by_date else _wrongly_complete(scenario, url)


@pytest.mark.long
@pytest.mark.parametrize("routes", ROUTES, ids="-".join)
def test_whatever_happens_nothing_is_lost_doubled_or_wrongly_called_complete(
    tmp_path: Path, empty_database: Path, routes: tuple[str, ...]
) -> None:
    wrong: dict[int, list[str]] = {}
    begin = random.Random(get_seed()).randrange(10**6)
    for number in range(begin, begin + NUMBER):
        file = tmp_path / f"{number}.db"
        shutil.copy(empty_database, file)
        if results := _pull_all(Scenario(number, routes), f"sqlite:///{file}"):
            wrong[number] = results
        file.unlink()
    assert wrong == {}


@pytest.mark.long
@pytest.mark.parametrize("scenario", [Scenario(730012, ("listing", "catchup"))], ids=["730012"])
def test_a_history_that_once_went_wrong_does_not_again(
    tmp_path: Path, empty_database: Path, scenario: Scenario
) -> None:
    file = tmp_path / "digest.db"
    shutil.copy(empty_database, file)
    assert _pull_all(scenario, f"sqlite:///{file}") == []


def test_days_whose_pages_come_one_by_one_are_taken_back_whole(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "PAGE_SIZE", 3)
    file = tmp_path / "digest.db"
    shutil.copy(empty_database, file)
    scenario = Scenario(1, ("rss", "catchup"), sizes=Sizes(catchup=3))
    assert _pull_all(scenario, f"sqlite:///{file}") == []
