"""Saved papers get into a reader's Zotero library, each once, and each failure is told as what it is."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator

import pytest

from digest.core.subscribers.own_records import ZoteroFailure
from digest.jobs.subscribers.own_records.zotero import ZoteroError, ZoteroLogin, ZoteroSender, read_login
from digest.testing.http_host import CannedResponse, HostRequest
from tests.render.samples import make_paper
from tests.support.timeouts import PATIENCE
from tests.support.zotero_library import KEY, READING_KEY, USER, ZoteroLibrary

LOGIN = ZoteroLogin(user=USER, key=KEY)
PAPERS = [make_paper(number) for number in range(1, 121)]


@pytest.fixture
def library() -> Iterator[ZoteroLibrary]:
    with ZoteroLibrary() as library:
        yield library


def send(library: ZoteroLibrary, count: int = 1, login: ZoteroLogin = LOGIN) -> ZoteroFailure | None:
    """Send the first papers, and return why it failed."""
    try:
        ZoteroSender(url=library.host.url).send(PAPERS[:count], login)
    except ZoteroError as error:
        return error.failure
    return None


def test_all_papers_arrive_in_their_order_at_most_fifty_in_a_request(library: ZoteroLibrary) -> None:
    assert send(library, 120) is None

    assert library.titles == [paper.title for paper in PAPERS]
    assert [len(json.loads(request.body)) for request in library.host.requests] == [50, 50, 20]


def test_papers_that_are_there_are_not_added_again_however_the_list_has_changed(
    library: ZoteroLibrary,
) -> None:
    send(library, 60)
    library.items[next(iter(library.items))]["title"] = "As its owner calls it"

    assert send(library, 60) is None
    assert send(library, 70) is None

    assert library.titles == ["As its owner calls it", *(paper.title for paper in PAPERS[1:70])]


def test_a_paper_that_is_refused_keeps_no_other_out(library: ZoteroLibrary) -> None:
    library.refused = {PAPERS[3].title}

    assert send(library, 60) is ZoteroFailure.REFUSED

    assert len(library.titles) == 59


@pytest.mark.parametrize(
    ("login", "failure"),
    [
        (ZoteroLogin(user=USER, key="another"), ZoteroFailure.WRONG_KEY),
        (ZoteroLogin(user=USER, key=READING_KEY), ZoteroFailure.NO_ACCESS),
        (ZoteroLogin(user="1", key=KEY), ZoteroFailure.NO_USER),
    ],
)
def test_a_login_that_does_not_work_is_told_from_others(
    library: ZoteroLibrary, login: ZoteroLogin, failure: ZoteroFailure
) -> None:
    assert send(library, login=login) is failure
    assert library.titles == []


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (CannedResponse(b"", 429), ZoteroFailure.BUSY),
        (CannedResponse(b"Library is locked", 409), ZoteroFailure.BUSY),
        (CannedResponse(b"", 500), ZoteroFailure.UNREACHABLE),
        (CannedResponse(b"", 503, {"Retry-After": "30"}), ZoteroFailure.UNREACHABLE),
        (CannedResponse(b"Invalid field", 400), ZoteroFailure.REFUSED),
        (CannedResponse(b"", 302, {"Location": "https://example.org/"}), ZoteroFailure.REFUSED),
        (CannedResponse(b"<html>not Zotero</html>"), ZoteroFailure.UNREACHABLE),
        (CannedResponse(b"[]"), ZoteroFailure.UNREACHABLE),
        (CannedResponse(b'{"success": 1, "unchanged": {}, "failed": {}}'), ZoteroFailure.UNREACHABLE),
        (CannedResponse(b'{"success": {}, "unchanged": {}, "failed": {}}'), ZoteroFailure.REFUSED),
        (CannedResponse(b"x" * 9_000_000), ZoteroFailure.UNREACHABLE),
        (CannedResponse(b"x", 200, {"Content-Encoding": "gzip"}), ZoteroFailure.UNREACHABLE),
    ],
)
def test_an_answer_that_confirms_nothing_is_a_failure(
    library: ZoteroLibrary, answer: CannedResponse, failure: ZoteroFailure
) -> None:
    library.host.answers[f"/users/{USER}/items"] = answer

    assert send(library) is failure


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "http://zotero.invalid", "http://[::1"])
def test_a_host_that_cannot_be_reached_is_told_as_that(url: str) -> None:
    with pytest.raises(ZoteroError, match="unreachable"):
        ZoteroSender(url=url).send(PAPERS[:1], LOGIN)


def test_at_most_two_readers_send_at_the_same_time(library: ZoteroLibrary) -> None:
    entered, leave = threading.Semaphore(0), threading.Event()
    add_items = library.host.answers[f"/users/{USER}/items"]
    assert not isinstance(add_items, CannedResponse)

    def wait_and_add(asked: HostRequest) -> CannedResponse:
        entered.release()
        assert leave.wait(PATIENCE)
        return add_items(asked)

    library.host.answers[f"/users/{USER}/items"] = wait_and_add
    sender = ZoteroSender(url=library.host.url)
    threads = [threading.Thread(target=sender.send, args=([paper], LOGIN)) for paper in PAPERS[:2]]
    for thread in threads:
        thread.start()
        assert entered.acquire(timeout=PATIENCE)
    with pytest.raises(ZoteroError, match="busy"):
        sender.send(PAPERS[2:3], LOGIN)
    leave.set()
    for thread in threads:
        thread.join()
    sender.send(PAPERS[2:3], LOGIN)

    assert len(library.titles) == 3


def test_a_slow_library_does_not_hold_a_thread_for_long(library: ZoteroLibrary) -> None:
    seconds = iter(range(0, 200, 20))
    sender = ZoteroSender(url=library.host.url, clock=lambda: next(seconds))

    with pytest.raises(ZoteroError, match="busy"):
        sender.send(PAPERS, LOGIN)

    assert len(library.titles) == 50
    assert send(library, 120) is None, "what was left comes with the next attempt"
    assert len(library.titles) == 120


@pytest.mark.parametrize(
    ("user", "key", "failure"),
    [
        ("", KEY, "no user"),
        ("ada", KEY, "no user"),
        ("1/../2", KEY, "no user"),
        ("٣", KEY, "no user"),
        ("9" * 19, KEY, "no user"),
        ("1", "", "wrong key"),
        ("1", "a b", "wrong key"),
        ("1", "a\r\nHost: x", "wrong key"),
        ("1", "ключ", "wrong key"),
        ("1", "x" * 65, "wrong key"),
    ],
)
def test_what_cannot_be_a_login_is_sent_nowhere(user: str, key: str, failure: str) -> None:
    with pytest.raises(ZoteroError, match=failure):
        read_login(user, key)


def test_spaces_around_a_copied_login_do_not_matter() -> None:
    assert read_login(f" {USER} ", f"{KEY}\n") == LOGIN


def test_a_key_is_in_no_log_and_no_message(library: ZoteroLibrary, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    send(library)
    for url in (library.host.url, "http://127.0.0.1:9"):
        library.host.answers[f"/users/{USER}/items"] = CannedResponse(KEY.encode(), 403)
        with pytest.raises(ZoteroError) as caught:
            ZoteroSender(url=url).send(PAPERS[:1], LOGIN)
        assert KEY not in repr(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert KEY not in repr(LOGIN)
    assert KEY not in caplog.text
