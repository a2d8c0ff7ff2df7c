"""Workers that share hosts: each asks in its turn, and keeps for all what a host wants."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from digest.jobs.http import rate_limited
from digest.jobs.http.fetch import Fetcher
from digest.jobs.http.fetch_results import (
    Fetched,
    FetchFailure,
    FetchFailureState,
    FetchResult,
    PermanentlyGone,
)
from digest.jobs.http.rate_limited import fetch_rate_limited, get_bucket
from digest.model import RouteState
from digest.ports import Request
from digest.sources import feed
from digest.store.database.engine import Store
from digest.store.fetching import rate_limits
from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost
from tests.store.factories import NOW, add_to_now, run_concurrently
from tests.support.cases import for_each_case
from tests.support.timeouts import PATIENCE

pytestmark = pytest.mark.usefixtures("no_retries")

FRESH = RouteState(route="feed")
Ask = Callable[..., FetchResult]


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    with ScriptedHost(a=CannedResponse(b"a"), b=CannedResponse(b"b")) as host:
        yield host


@pytest.fixture
def ask(store: Store, host: ScriptedHost) -> Iterator[Ask]:
    """Asks a host for a path as one of several workers."""
    source = feed.Source(url=f"{host.url}/a", pace=0)
    with closing(Fetcher()) as fetcher:

        def asking(
            path: str,
            token: int = 1,
            *,
            state: RouteState = FRESH,
            now: datetime = NOW,
            sleep: Callable[[float], None] = fetcher.wait,
        ) -> FetchResult:
            request = wish(f"{host.url}{path}")
            return fetch_rate_limited(
                store, source, request, state, fetcher, token=token, clock=lambda: now, sleep=sleep
            )

        yield asking


def wish(url: str, shared: str = "") -> Request:
    return Request(section="feed", route="feed", url=url, bucket=shared)


def test_workers_ask_a_host_one_after_the_other(ask: Ask, host: ScriptedHost) -> None:
    answers = run_concurrently(
        *(partial(ask, path, token) for token, path in enumerate(("/a", "/b", "/a"), start=1))
    )

    assert all(isinstance(answer, Fetched) for answer in answers)
    assert len(host.requests) == 3
    assert host.most_at_once == 1


def test_a_pause_holds_for_all_workers_until_it_ends(ask: Ask, host: ScriptedHost) -> None:
    host.answers["/a"] = CannedResponse(b"Not now.", 429, {"Retry-After": "3600"})
    refused = ask("/a", 1)
    host.answers["/a"] = CannedResponse(b"a")

    held = ask("/b", 2, now=add_to_now(minutes=59))

    assert isinstance(refused, FetchFailure)
    assert isinstance(held, FetchFailure)
    assert (held.state, held.pause) == (FetchFailureState.THROTTLED, timedelta(minutes=1))
    assert host.paths() == ["/a"]
    assert isinstance(ask("/b", 2, now=add_to_now(minutes=61)), Fetched)


def test_workers_measure_intervals_by_the_clock_of_the_database(
    ask: Ask, host: ScriptedHost, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    database_time = datetime.now(UTC) - timedelta(minutes=10)
    monkeypatch.setattr(rate_limited, "read_database_time", lambda _: database_time)
    bucket_name = get_bucket(wish(host.url))
    with store.begin_write() as tx:
        rate_limits.reserve_request(tx, bucket_name, timedelta(minutes=1), 1, database_time)
        rate_limits.finish_request(tx, bucket_name, timedelta(minutes=1), 1, database_time)

    def wait(seconds: float) -> None:
        nonlocal database_time
        assert seconds == 60
        database_time += timedelta(seconds=seconds)

    assert isinstance(ask("/a", 2, sleep=wait), Fetched)
    assert database_time > datetime.now(UTC) - timedelta(minutes=9, seconds=30), "it has waited"


def test_who_waits_for_a_turn_hears_of_a_pause_that_another_was_told_meanwhile(
    ask: Ask, host: ScriptedHost
) -> None:
    event, waits, ended = threading.Event(), threading.Event(), threading.Event()

    def refuse(_: HostRequest) -> CannedResponse:
        event.set()
        assert waits.wait(PATIENCE)
        return CannedResponse(b"Not now.", 429, {"Retry-After": "3600"})

    def wait(_seconds: float) -> None:
        waits.set()
        assert ended.wait(PATIENCE)

    host.answers["/a"] = refuse
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, "/a", 1)
        assert event.wait(PATIENCE)
        second = pool.submit(ask, "/b", 2, sleep=wait)
        assert isinstance(first.result(PATIENCE), FetchFailure)
        ended.set()
        answer = second.result(PATIENCE)

    assert isinstance(answer, FetchFailure)
    assert "it asked for no requests before" in answer.message
    assert host.paths() == ["/a"]


def test_what_a_worker_could_not_ask_is_free_for_the_others(
    ask: Ask, host: ScriptedHost, store: Store
) -> None:
    host.answers["/a"] = CannedResponse(b"No more.", 410)
    assert isinstance(ask("/a", 1), PermanentlyGone)
    with closing(Fetcher()) as fetcher, pytest.raises(ValueError, match="a mistake"):
        fetch_rate_limited(
            store,
            feed.Source(url=f"{host.url}/a", pace=0),
            wish(f"{host.url}/b"),
            FRESH,
            fetcher,
            token=2,
            clock=_mistaken(2),
            sleep=fetcher.wait,
        )

    assert isinstance(ask("/b", 3), Fetched)


def _mistaken(after: int) -> Callable[[], datetime]:
    """A clock that breaks after so many looks."""
    looks = iter(range(after))

    def clock() -> datetime:
        if next(looks, None) is None:
            raise ValueError("a mistake")
        return NOW

    return clock


def test_validators_are_for_the_whole_answer_of_one_address(ask: Ask, host: ScriptedHost) -> None:
    state = replace(FRESH, url=f"{host.url}/a", etag='"one"', last_modified="Fri, 12 Jun 2026 05:00:00 GMT")

    ask("/a", state=state)
    ask("/b", state=state)
    ask("/a", state=replace(state, unfinished=True))

    entries = [request.headers.keys() & {"if-none-match", "if-modified-since"} for request in host.requests]
    assert entries == [{"if-none-match", "if-modified-since"}, set(), set()]


@for_each_case(
    ("request_", "name"),
    [
        (wish("https://Example.ORG/feed"), "example.org"),
        (wish("https://example.org:8443/feed"), "example.org:8443"),
        (wish("https://me:secret@example.org/feed"), "example.org"),
        (wish("https://export.arxiv.org/oai2", "arxiv"), "arxiv"),
    ],
)
def test_hosts_are_told_apart_by_name_and_port_unless_they_share_a_pace(request_: Request, name: str) -> None:
    assert get_bucket(request_) == name
