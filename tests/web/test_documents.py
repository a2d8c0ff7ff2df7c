"""Documents of providers are fetched as seldom as can be, whoever asks for them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from digest.errors import ReportError, TransientReportError
from digest.web.documents import FETCH_PERIOD, MAX_CONCURRENT_FETCHES, MAX_FETCHES, DocumentCache
from tests.support.timeouts import PATIENCE


@dataclass
class Host:
    """Has every document but those whose name says otherwise.

    Attributes:
        now: what the clock shows.
        fetched: what was asked for.
    """

    now: float = 0.0
    fetched: list[str] = field(default_factory=list)

    def fetch(self, url: str) -> bytes:
        self.fetched.append(url)
        if "gone" in url:
            raise ReportError(f"{url} answered HTTP 404")
        if "down" in url:
            raise TransientReportError(f"{url} answered HTTP 503")
        return url.encode()

    def clock(self) -> float:
        return self.now


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def documents(host: Host) -> DocumentCache:
    return DocumentCache(host.fetch, clock=host.clock)


def test_what_was_fetched_is_not_fetched_again(host: Host, documents: DocumentCache) -> None:
    assert [documents.get("https://a/1") for _ in range(3)] == [b"https://a/1"] * 3
    assert host.fetched == ["https://a/1"]


def test_what_was_refused_is_not_asked_for_again_for_a_while(host: Host, documents: DocumentCache) -> None:
    for _ in range(3):
        with pytest.raises(ReportError, match="HTTP 404"):
            documents.get("https://a/gone")
    assert host.fetched == ["https://a/gone"]

    host.now += FETCH_PERIOD
    with pytest.raises(ReportError, match="HTTP 404"):
        documents.get("https://a/gone")
    assert len(host.fetched) == 2


def test_what_could_not_be_had_is_asked_for_again(host: Host, documents: DocumentCache) -> None:
    for _ in range(2):
        with pytest.raises(TransientReportError):
            documents.get("https://a/down")
    assert len(host.fetched) == 2


@pytest.mark.parametrize("kind", ["gone", "down", "there"])
def test_no_more_than_so_many_are_fetched_in_a_time(host: Host, documents: DocumentCache, kind: str) -> None:
    documents.get("https://a/known")
    for number in range(5 * MAX_FETCHES):
        try:
            documents.get(f"https://a/{kind}/{number}")
        except ReportError:
            continue
    assert len(host.fetched) == MAX_FETCHES
    assert documents.get("https://a/known") == b"https://a/known"
    with pytest.raises(TransientReportError, match="too many"):
        documents.get("https://a/new")

    host.now += FETCH_PERIOD
    assert documents.get("https://a/new") == b"https://a/new"


def test_documents_that_are_slow_to_come_hold_up_few_threads() -> None:
    begun, go_on = threading.Semaphore(0), threading.Event()

    def fetch(url: str) -> bytes:
        begun.release()
        assert go_on.wait(PATIENCE)
        return url.encode()

    documents = DocumentCache(fetch)
    threads = [
        threading.Thread(target=documents.get, args=(f"https://a/{number}",))
        for number in range(MAX_CONCURRENT_FETCHES)
    ]
    for thread in threads:
        thread.start()
        assert begun.acquire(timeout=PATIENCE)
    with pytest.raises(TransientReportError):
        documents.get("https://a/another")
    go_on.set()
    for thread in threads:
        thread.join()

    assert documents.get("https://a/another") == b"https://a/another"
