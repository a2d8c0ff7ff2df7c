"""What comes of asking: pages, days and feeds that are asked again, from a host to the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import pytest

from digest.errors import SourceError
from digest.failures import FailureKind
from digest.jobs.fetching.pagination import MAX_PAGES, Pagination
from digest.jobs.fetching.pull import Puller, PullProgress, list_asks
from digest.model import (
    Ask,
    BatchState,
    Calendar,
    Event,
    Listing,
    ListingKind,
    Paper,
    PaperKey,
    Route,
    RouteState,
    Scope,
    Section,
)
from digest.ports import AnnouncedDay, Page, Request, Response, Source
from digest.store.database.engine import Store, get_highest_seq
from digest.store.fetching import ledger
from digest.store.papers import events, papers
from tests.jobs.hosts import Behaviour, LoopbackHost, answer_with, open_fetcher

NOON = datetime(2026, 6, 12, 12, tzinfo=UTC)
DAY = date(2026, 6, 12)
DAYS = Calendar(zone="UTC", weekdays=frozenset(range(5)))


@dataclass(frozen=True, kw_only=True)
class Lines(Source):
    """A source of lines: ``day 2026-06-12 4`` (the day and how many it has), ``next`` if a page follows, and papers:
    a number and, if it is told, the date."""

    url: str
    calendar: Calendar | None = None
    fetch_routes: tuple[Route, ...] = (Route(name="lines", scope=Scope.LATEST),)
    name: str = "lines"
    title: str = "Lines"
    sections: tuple[str, ...] = ("all",)
    pace: float = 0.0
    max_bytes: int = 10_000

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - a source that remembers nothing
        return Request(section=ask.section, route=ask.route, url=f"{self.url}?{ask.route}&page=1")

    def read(self, request: Request, response: Response) -> Page:
        day, expected, following, listed = None, None, None, []
        for first, *rest in (line.split() for line in response.body.decode().splitlines()):
            if first == "day":
                day, expected = date.fromisoformat(rest[0]), int(rest[1]) if rest[1:] else None
            elif first == "next":
                number = int(request.url.rpartition("=")[2])
                following = Request(
                    section=request.section,
                    route=request.route,
                    url=f"{request.url.rpartition('=')[0]}={number + 1}",
                )
            else:
                listed.append(entry(first, *rest))
        announced = AnnouncedDay(day=day, listings=tuple(listed), expected=expected)
        return Page(announced=(announced,), next=following)


def entry(number: str, dated: str = "", *categories: str) -> Listing:
    """``-`` is no date."""
    url = f"https://example.org/{number}"
    at = datetime.fromisoformat(dated).replace(tzinfo=UTC) if dated.strip("-") else None
    paper = Paper(key=PaperKey(f"url:{url}"), title=f"Paper {number}", url=url, categories=categories)
    return Listing(kind=ListingKind.NEW, paper=paper, published_at=at)


def pull(store: Store, source: Lines, now: datetime, *, pages: int | None = None) -> list[PullProgress]:
    """Ask for all that is wanted; with ``pages`` it is killed after so many."""
    sources = {source.name: source}
    asks = list_asks(store, sources, now)
    with open_fetcher() as fetching:
        puller = Puller(
            store=store,
            sources=sources,
            fetcher=fetching,
            token=1,
            clock=lambda: now,
            sleep=lambda _: None,
            next_jitter=lambda: 0.0,
        )
        coming = puller.pull(asks)
        if pages is None:
            return list(coming)
        progress = [next(coming) for _ in range(pages)]
        coming.close()  # type: ignore[attr-defined]
        return progress


def lines(*text: str) -> bytes:
    return "\n".join(text).encode()


def happened(store: Store) -> list[Event]:
    with store.begin_read() as tx:
        return list(events.load_events_between(tx, 0, get_highest_seq(tx)))


def news(store: Store) -> list[tuple[str, str]]:
    return [(event.paper.title.split()[-1], event.kind.value) for event in happened(store)]


def section(store: Store) -> Section:
    with store.begin_read() as tx:
        return ledger.load_section(tx, "lines", "all")


def states(store: Store) -> dict[date, BatchState]:
    with store.begin_read() as tx:
        return {batch.day: batch.state for batch in ledger.list_recent_batches(tx, date(2026, 1, 1))}


def errors(progress: Iterable[PullProgress]) -> set[str]:
    return {progress.error for progress in progress}


# --- a feed ---------------------------------------------------------------------------------------


def test_a_feeds_entries_without_a_date_are_not_told_at_the_first_visit_nor_at_a_later_one_of_that_day(
    store: Store,
) -> None:
    first, second = lines("1", "2"), lines("3", "1", "2")
    with LoopbackHost(answer_with(first), answer_with(second), answer_with(second + b"\n4")) as host:
        feed = Lines(url=host.url)
        pull(store, feed, NOON)
        assert news(store) == []
        pull(store, feed, NOON + timedelta(hours=3))
        assert news(store) == [("3", "new")]
        pull(store, feed, NOON + timedelta(days=1))

    assert news(store) == [("3", "new"), ("4", "new")]


def test_a_feeds_old_entries_are_not_told_and_those_of_the_last_two_days_are(store: Store) -> None:
    with LoopbackHost(
        answer_with(lines("1 2026-06-12", "2 2026-06-10", "3 2026-06-09", "4 2020-01-01"))
    ) as host:
        pull(store, Lines(url=host.url), NOON)

    assert news(store) == [("1", "new"), ("2", "new")]


def test_an_entry_that_a_feed_shows_again_completes_what_is_known(store: Store) -> None:
    with LoopbackHost(answer_with(lines("1 2026-06-12")), answer_with(lines("1 2026-06-12 llm"))) as host:
        feed = Lines(url=host.url)
        pull(store, feed, NOON)
        pull(store, feed, NOON + timedelta(hours=3))

    assert news(store) == [("1", "new"), ("1", "grown")]
    with store.begin_read() as tx:
        (paper,) = papers.load_papers(tx, [1]).values()
    assert paper.categories == ("llm",)


@dataclass(frozen=True, kw_only=True)
class Strict(Lines):
    """A source that takes no answer but lines of papers, and says what it got instead."""

    def read(self, request: Request, response: Response) -> Page:
        if b"login" in response.body:
            raise SourceError(response.body.decode())
        return super().read(request, response)


@pytest.mark.parametrize(
    ("answer", "error", "failure"),
    [
        (answer_with(b"no such login: jane.doe"), "no such login: jane.doe", FailureKind.UNREADABLE),
        (
            answer_with(b"jane.doe", status="403 jane.doe is banned"),
            "it denies access (HTTP 403)",
            FailureKind.REFUSED,
        ),
        (answer_with(b"jane.doe", status="410 Gone"), "it is permanently gone (HTTP 410)", FailureKind.GONE),
    ],
)
def test_a_host_that_fails_is_noted_in_its_words_for_the_operator_and_by_its_kind_for_readers(
    store: Store, answer: Behaviour, error: str, failure: FailureKind
) -> None:
    with LoopbackHost(answer_with(lines("1 2026-06-12")), answer, answer_with(lines("1 2026-06-12"))) as host:
        feed = Strict(url=host.url)
        pull(store, feed, NOON)
        progress = pull(store, feed, NOON + timedelta(days=1))
        assert errors(progress) == {error}
        with store.begin_read() as tx:
            (batch,) = ledger.list_waiting_batches(tx)
        assert (batch.error, batch.failure) == (error, failure)


# --- pages ----------------------------------------------------------------------------------------


def test_a_day_is_complete_also_when_its_last_page_has_not_changed(store: Store) -> None:
    last = answer_with(lines("day 2026-06-12 4", "3"))
    with LoopbackHost(
        answer_with(lines("day 2026-06-12 4", "next", "1", "2")),
        last,
        answer_with(lines("day 2026-06-12 4", "next", "1", "2", "4")),
        last,
    ) as host:
        source = Lines(url=host.url, calendar=DAYS)
        pull(store, source, NOON)
        assert states(store) == {DAY: BatchState.PARTIAL}
        progress = pull(store, source, NOON + timedelta(hours=3))

    assert errors(progress) == {""}
    assert states(store) == {DAY: BatchState.COMPLETE}
    assert sorted(news(store)) == [(number, "new") for number in "1234"]


def test_a_pull_that_was_killed_between_pages_gets_the_rest_though_the_first_has_not_changed(
    store: Store,
) -> None:
    first, second = (
        answer_with(lines("day 2026-06-12", "next", "1")),
        answer_with(lines("day 2026-06-12", "2")),
    )
    with LoopbackHost(first, first, second) as host:
        source = Lines(url=host.url, calendar=DAYS)
        pull(store, source, NOON, pages=1)
        assert states(store) == {DAY: BatchState.PARTIAL}
        pull(store, source, NOON + timedelta(hours=3))

    assert states(store) == {DAY: BatchState.COMPLETE}
    assert news(store) == [("1", "new"), ("2", "new")]


def test_the_same_answer_once_more_changes_nothing(store: Store) -> None:
    with LoopbackHost(answer_with(lines("day 2026-06-12 3", "1", "2"))) as host:
        source = Lines(url=host.url, calendar=DAYS)
        pull(store, source, NOON)
        (progress,) = pull(store, source, NOON + timedelta(hours=3))

    assert (progress.is_unchanged, progress.added, progress.error) == (True, 0, "")
    assert states(store) == {DAY: BatchState.PARTIAL}
    assert section(store).get_route("lines").fruitless == 2


# --- what is asked again --------------------------------------------------------------------------


def test_a_second_route_that_does_not_show_the_day_yet_is_asked_again_after_a_pause(store: Store) -> None:
    ways = tuple(Route(name=name, scope=Scope.LATEST) for name in ("first", "second"))
    yesterday = answer_with(lines("day 2026-06-11", "9"))
    with LoopbackHost(
        answer_with(lines("day 2026-06-12", "1")), yesterday, answer_with(lines("day 2026-06-12", "1", "2"))
    ) as host:
        source = Lines(url=host.url, calendar=DAYS, fetch_routes=ways)
        assert [progress.route for progress in pull(store, source, NOON)] == ["first"]
        assert states(store)[DAY] is BatchState.COMPLETE
        assert [progress.route for progress in pull(store, source, NOON)] == ["second"]
        paused: RouteState = section(store).get_route("second")

        assert paused.next_at == NOON + timedelta(minutes=5)
        assert pull(store, source, NOON + timedelta(minutes=1)) == []
        assert [progress.route for progress in pull(store, source, NOON + timedelta(minutes=5))] == ["second"]
        assert pull(store, source, NOON + timedelta(minutes=6)) == []

    assert section(store).get_route("second").fruitless == 0
    assert [number for number, _ in news(store)] == ["1", "2"]


# --- series that do not end -----------------------------------------------------------------------


def test_a_service_that_gives_the_same_page_for_ever_is_asked_for_it_twice(store: Store) -> None:
    with LoopbackHost(answer_with(lines("1 2026-06-11", "next"))) as host:
        progress = pull(store, Lines(url=host.url), NOON)

    assert errors(progress) == {"", "it returns the same page again and again instead of the next one"}
    assert len(host.requests) == 2
    assert section(store).routes[0].next_at is not None, "and not at once again"


def test_a_service_that_gives_the_same_rows_in_another_order_for_ever_is_asked_for_them_twice(
    store: Store,
) -> None:
    rows = ("1 2026-06-11", "2 2026-06-11")
    with LoopbackHost(answer_with(lines(*rows, "next")), answer_with(lines(*reversed(rows), "next"))) as host:
        progress = pull(store, Lines(url=host.url), NOON)

    assert errors(progress) == {"", "it returns the same page again and again instead of the next one"}
    assert len(host.requests) == 2
    assert [number for number, _ in news(store)] == ["1", "2"], "what came is kept"


def test_a_day_that_is_answered_with_the_day_before_does_not_end_a_series() -> None:
    series = Pagination(Ask(source="lines", section="all", route="lines"))
    friday = Request(section="all", route="lines", url="https://example.org", day=DAY)
    monday = replace(friday, day=DAY + timedelta(days=3))
    holiday = replace(friday, day=DAY + timedelta(days=4))
    listed = Page(announced=(AnnouncedDay(day=DAY, listings=(entry("1"),)),), next=monday)

    assert [series.describe_endless_series(request, listed) for request in (friday, monday, holiday)] == [
        "",
        "",
        "",
    ]
    assert "same page again" in series.describe_endless_series(holiday, listed)


def test_a_service_that_always_has_one_page_more_is_left_after_so_many() -> None:
    series = Pagination(Ask(source="lines", section="all", route="lines"))
    request = Request(section="all", route="lines", url="https://example.org")
    further = Page(next=request)

    messages = [series.describe_endless_series(request, further) for _ in range(MAX_PAGES + 1)]
    assert set(messages[:-1]) == {""}
    assert "says that there are more" in messages[-1]


def test_empty_pages_on_the_way_end_no_series(store: Store) -> None:
    with LoopbackHost(
        answer_with(lines("next")), answer_with(lines("next")), answer_with(lines("1 2026-06-11"))
    ) as host:
        progress = pull(store, Lines(url=host.url), NOON)

    assert errors(progress) == {""}
    assert len(host.requests) == 3
