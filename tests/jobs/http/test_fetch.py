"""Requests against hosts that behave and that do not."""

from __future__ import annotations

import gzip
import os
import socket
import ssl
import threading
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
import stamina
import trustme

from digest import __version__
from digest.jobs.http import fetch
from digest.jobs.http.fetch import ClosedError, Fetcher
from digest.jobs.http.fetch_results import (
    Fetched,
    FetchFailure,
    FetchFailureState,
    FetchResult,
    NotModified,
    PermanentlyGone,
    Validators,
)
from digest.ports import Request
from tests.jobs.hosts import (
    NO_VALIDATORS,
    Behaviour,
    LoopbackHost,
    answer_after,
    answer_gzipped,
    answer_moved,
    answer_redirect,
    answer_with,
    drip,
    fetch_from_host,
    fetch_url,
    get_body,
    get_error,
    get_request_header,
    hang_up,
    make_request,
    open_fetcher,
    refuse,
)
from tests.support.cases import for_each_case
from tests.support.timeouts import PATIENCE

BODY = b"<rss>" + b"what is new " * 500 + b"</rss>"
DATE = "Date: Fri, 12 Jun 2026 05:30:00 GMT"
LATER = "Fri, 12 Jun 2026 06:30:00 GMT"


@pytest.fixture
def at_once() -> Iterator[None]:
    """Retries without the pauses between them."""
    with stamina.set_testing(True, attempts=3):
        yield


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds waited before each request, by a simulated clock: nobody really waits."""
    waited: list[float] = []

    def sleep(_fetcher: Fetcher, seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(fetch, "time", SimpleNamespace(monotonic=lambda: float(sum(waited))))
    monkeypatch.setattr(Fetcher, "wait", sleep)
    return waited


# --- an answer ------------------------------------------------------------------------------------


def test_an_answer_comes_whole_with_its_validators() -> None:
    answer = fetch_from_host(
        answer_with(BODY, 'ETag: "abc"', "Last-Modified: Fri, 12 Jun 2026 04:10:00 GMT", "X-Served-By: me")
    )

    assert isinstance(answer, Fetched)
    assert (answer.response.status, answer.response.body) == (200, BODY)
    assert (answer.validators.etag, answer.validators.last_modified) == (
        '"abc"',
        "Fri, 12 Jun 2026 04:10:00 GMT",
    )
    assert ("x-served-by", "me") in answer.response.headers


def test_a_refusal_is_an_answer_too_for_its_source_to_read() -> None:
    answer = fetch_from_host(answer_with(b"no such archive", status="400 Bad Request"))

    assert isinstance(answer, Fetched)
    assert (answer.response.status, answer.response.body) == (400, b"no such archive")


def test_a_request_says_who_asks_and_what_it_can_read() -> None:
    with LoopbackHost(answer_with(BODY)) as host:
        fetch_url(host.url, contact="ops@example.org")
        assert get_request_header(host, "user-agent") == f"papers-digest/{__version__} (+ops@example.org)"
        assert get_request_header(host, "accept") == "application/rss+xml"
        assert get_request_header(host, "accept-encoding") == "gzip"
        assert get_request_header(host, "if-none-match") is None
        assert host.requests[-1].startswith("GET /rss/cs.LG HTTP/1.1\r\n")


@pytest.mark.parametrize(
    ("contact", "text"),
    [
        ("jürgen@exämple.org", "j%c3%bcrgen@ex%c3%a4mple.org"),
        ("a@b.org\r\nX-Evil: 1", "a@b.org%0d%0ax-evil:%201"),
    ],
)
def test_a_contact_of_any_letters_fits_into_a_header(contact: str, text: str) -> None:
    with LoopbackHost(answer_with(BODY)) as host:
        assert get_body(fetch_url(host.url, contact=contact)) == BODY
        assert text in (get_request_header(host, "user-agent") or "")
        assert get_request_header(host, "x-evil") is None


# --- what did not change --------------------------------------------------------------------------


def test_what_did_not_change_is_asked_for_with_its_validators_and_not_sent() -> None:
    with LoopbackHost(answer_with(status="304 Not Modified")) as host:
        answer = fetch_url(host.url, Validators(etag='"abc"', last_modified="Fri, 12 Jun 2026 04:10:00 GMT"))
        assert answer == NotModified()
        assert get_request_header(host, "if-none-match") == '"abc"'
        assert get_request_header(host, "if-modified-since") == "fri, 12 jun 2026 04:10:00 gmt"


def test_nothing_changed_is_no_answer_to_who_has_nothing() -> None:
    assert "there is no earlier answer" in get_error(fetch_from_host(answer_with(status="304 Not Modified")))


def test_a_validator_that_no_header_can_hold_is_not_kept() -> None:
    answer = fetch_from_host(answer_with(BODY, "ETag: \xe9t\xe9", "Last-Modified: \xff"))

    assert isinstance(answer, Fetched)
    assert (answer.validators.etag, answer.validators.last_modified) == ("", "")


def test_the_same_body_again_is_no_news_whatever_its_validator_says() -> None:
    with LoopbackHost(
        answer_with(BODY, 'ETag: "1"'), answer_with(BODY, 'ETag: "2"'), answer_with(BODY + b" ", 'ETag: "3"')
    ) as host:
        first = fetch_url(host.url)
        assert isinstance(first, Fetched)
        assert fetch_url(host.url, first.validators) == NotModified()
        assert get_body(fetch_url(host.url, first.validators)) == BODY + b" "


def test_a_refusal_leaves_nothing_to_ask_with() -> None:
    with LoopbackHost(answer_with(b"no such day", 'ETag: "1"', status="400 Bad Request")) as host:
        first = fetch_url(host.url)
        assert isinstance(first, Fetched)
        assert first.validators == NO_VALIDATORS
        assert fetch_url(host.url, first.validators) == first


def test_a_host_that_says_unchanged_to_who_has_only_the_body_is_not_believed() -> None:
    assert "there is no earlier answer" in get_error(
        fetch_from_host(answer_with(status="304 Not Modified"), known=Validators(body_hash="abc"))
    )


# --- packed answers -------------------------------------------------------------------------------


def test_a_packed_answer_is_unpacked() -> None:
    assert get_body(fetch_from_host(answer_gzipped(gzip.compress(BODY)))) == BODY


def test_an_answer_packed_in_several_members_comes_whole() -> None:
    packed = b"".join(gzip.compress(BODY[at : at + 1000]) for at in range(0, len(BODY), 1000))

    assert get_body(fetch_from_host(answer_gzipped(packed))) == BODY


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("kept", [-1, 40, 5])
def test_a_packed_answer_that_breaks_off_is_refused(kept: int) -> None:
    assert "cut off" in get_error(fetch_from_host(answer_gzipped(gzip.compress(BODY)[:kept])))


@pytest.mark.parametrize(
    "packed",
    [b"not packed at all", gzip.compress(BODY)[:-8] + bytes(8), zlib.compress(BODY)],
    ids=["as it is", "with a wrong sum", "another way"],
)
def test_what_is_not_packed_as_it_says_is_refused(packed: bytes) -> None:
    assert "declared as gzip" in get_error(fetch_from_host(answer_gzipped(packed)))


def test_a_small_answer_that_unpacks_to_a_huge_one_is_given_up() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    assert len(bomb) < 100_000

    assert "longer than 100,000 bytes" in get_error(fetch_from_host(answer_gzipped(bomb)))


def test_an_answer_may_be_as_long_as_the_limit_and_no_longer() -> None:
    assert len(get_body(fetch_from_host(answer_with(bytes(1000)), max_bytes=1000))) == 1000
    assert len(get_body(fetch_from_host(answer_gzipped(gzip.compress(bytes(1000))), max_bytes=1000))) == 1000
    assert "longer than 1,000 bytes" in get_error(fetch_from_host(answer_with(bytes(1001)), max_bytes=1000))
    assert "longer than 1,000 bytes" in get_error(
        fetch_from_host(answer_gzipped(gzip.compress(bytes(1001))), max_bytes=1000)
    )


def test_a_packing_that_was_not_asked_for_is_said() -> None:
    assert "'br'" in get_error(fetch_from_host(answer_with(b"...", "Content-Encoding: br")))


# --- time -----------------------------------------------------------------------------------------

HEAD = b"HTTP/1.1 200 OK\r\n"


@for_each_case(
    ("before", "forever"),
    [
        (HEAD + b"Content-Length: 1000000\r\n\r\n", b"x"),
        (HEAD + b"\r\n", b"x"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (HEAD + b"X-Slow: ", b"x"),
        (b"", b""),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(BODY)[:10], b"\x00\x00\x00\xff\xff"),
    ],
    ids=["body", "body without length", "chunks", "headers", "nothing", "packed nothing"],
)
def test_an_answer_that_comes_byte_by_byte_is_given_up_at_the_deadline(before: bytes, forever: bytes) -> None:
    assert "not complete after 0.3 seconds" in get_error(fetch_from_host(drip(before, forever), deadline=0.3))


def test_the_deadline_holds_under_encryption_too(
    authority: trustme.CA, authority_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority_file))
    with LoopbackHost(answer_with(BODY), drip(HEAD + b"\r\n", b"x"), context=context) as host:
        assert get_body(fetch_url(host.url)) == BODY
        assert "not complete after 0.3 seconds" in get_error(fetch_url(host.url, deadline=0.3))


def test_an_authority_that_was_renewed_in_its_file_is_trusted_without_a_restart(
    authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    file = tmp_path / "authority.pem"
    trustme.CA().cert_pem.write_to_path(file)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with LoopbackHost(answer_with(BODY), answer_with(BODY), context=context) as host:
        assert "certificate" in get_error(fetch_url(host.url))
        authority.cert_pem.write_to_path(file)
        os.utime(file, ns=(0, 0))
        assert get_body(fetch_url(host.url)) == BODY


def test_a_request_after_one_that_was_too_late_is_answered() -> None:
    with (
        LoopbackHost(drip(HEAD + b"\r\n", b"x"), answer_with(BODY)) as host,
        open_fetcher(deadline=0.3) as asking,
    ):
        assert isinstance(asking.fetch(make_request(host.url), NO_VALIDATORS, max_bytes=1000), FetchFailure)
        asking._deadline = PATIENCE
        assert get_body(asking.fetch(make_request(host.url), NO_VALIDATORS, max_bytes=100_000)) == BODY


# --- later ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("at_once")
def test_a_short_pause_that_the_host_asks_for_is_waited_within_the_request(pauses: list[float]) -> None:
    with LoopbackHost(refuse(503, "Retry-After: 7"), answer_with(BODY)) as host:
        assert get_body(fetch_url(host.url)) == BODY

    assert pauses == [0, 7]


@for_each_case("pause", ["Retry-After: 3600", f"Retry-After: {LATER}"])
@for_each_case(
    ("status", "text"),
    [(429, "HTTP 429: there were too many requests"), (503, "HTTP 503 and asks for a pause")],
)
def test_a_long_pause_is_left_to_the_ledger(status: int, text: str, pause: str) -> None:
    with LoopbackHost(refuse(status, DATE, pause)) as host:
        answer = fetch_url(host.url)
        assert len(host.requests) == 1

    assert answer == FetchFailure(
        message=f"it answered {text}", state=FetchFailureState.THROTTLED, pause=timedelta(hours=1)
    )


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("status", [406, 408, 425, 429, 500, 502, 503, 504, 520])
def test_a_busy_host_is_asked_three_times(status: int) -> None:
    with LoopbackHost(refuse(status)) as host:
        answer = fetch_url(host.url)
        assert len(host.requests) == 3

    assert isinstance(answer, FetchFailure)
    assert answer.state is (FetchFailureState.THROTTLED if status == 429 else FetchFailureState.BUSY)
    assert answer.message.startswith(f"it answered HTTP {status}")
    assert answer.pause is None


@pytest.mark.usefixtures("at_once")
def test_a_host_that_was_away_for_a_moment_answers_in_the_end() -> None:
    assert get_body(fetch_from_host(hang_up, refuse(502), answer_with(BODY))) == BODY


@pytest.mark.parametrize("status", [401, 403])
def test_who_is_denied_access_does_not_go_on(status: int) -> None:
    with LoopbackHost(refuse(status)) as host:
        answer = fetch_url(host.url)
        assert len(host.requests) == 1

    assert isinstance(answer, FetchFailure)
    assert (answer.state, answer.pause) == (FetchFailureState.DENIED, timedelta(hours=6))


def test_who_has_used_up_the_days_requests_hears_until_when() -> None:
    spent = refuse(
        429, DATE, "X-RateLimit-Limit: 1000", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 66600"
    )
    with LoopbackHost(spent) as host:
        answer = fetch_url(host.url)
        assert len(host.requests) == 1

    assert isinstance(answer, FetchFailure)
    assert (answer.state, answer.pause) == (FetchFailureState.QUOTA, timedelta(hours=18.5))
    assert answer.message == "it answered HTTP 429: our quota is used up until 13 Jun 00:00 UTC"
    assert answer.limits.remaining == 0


def test_what_is_gone_for_good_is_said() -> None:
    with LoopbackHost(refuse(410)) as host:
        assert fetch_url(host.url) == PermanentlyGone(message="it is permanently gone (HTTP 410)")
        assert len(host.requests) == 1


# --- pace -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("at_once")
def test_retries_and_redirects_keep_the_pace(pauses: list[float]) -> None:
    with LoopbackHost(
        hang_up, refuse(503), answer_redirect("/a"), answer_redirect("/b"), answer_with(BODY)
    ) as host:
        assert get_body(fetch_url(host.url, pace=5)) == BODY
        assert len(host.requests) == 5

    assert pauses == [0, 5, 5, 5, 5]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("pace", "headers"), [(40, []), (0, ["RateLimit: limit=1, remaining=1, reset=50"])])
def test_who_may_ask_only_once_a_minute_leaves_a_retry_to_the_ledger(pace: float, headers: list[str]) -> None:
    with LoopbackHost(refuse(503, *headers)) as host:
        answer = fetch_url(host.url, pace=pace)
        assert len(host.requests) == 1

    assert isinstance(answer, FetchFailure)
    assert answer.state is FetchFailureState.BUSY


# --- what hosts say of limits and freshness -------------------------------------------------------

TOLD = ['RateLimit: "api";r=30;t=60', "Cache-Control: max-age=600", "Age: 60"]


@pytest.mark.parametrize("status", ["200 OK", "304 Not Modified"])
def test_what_a_host_says_of_its_limits_and_of_freshness_comes_with_the_answer(status: str) -> None:
    answer = fetch_from_host(answer_with(b"", *TOLD, status=status), known=Validators(etag='"abc"'))

    assert isinstance(answer, Fetched | NotModified)
    assert (answer.limits.pace, answer.limits.remaining) == (timedelta(seconds=2), 30)
    assert answer.fresh_for == timedelta(minutes=9)


def test_a_refusal_is_not_kept_fresh() -> None:
    answer = fetch_from_host(answer_with(b"no such day", *TOLD, status="404 Not Found"))

    assert isinstance(answer, Fetched)
    assert answer.fresh_for is None


def test_times_are_read_by_the_clock_of_who_wrote_them() -> None:
    answer = fetch_from_host(answer_with(BODY, DATE, f"Expires: {LATER}"))

    assert isinstance(answer, Fetched)
    assert answer.fresh_for == timedelta(hours=1)


# --- no answer ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("at_once")
def test_a_host_that_is_not_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as connection:
        port = connection.getsockname()[1]

    assert get_error(fetch_url(f"http://127.0.0.1:{port}/")).startswith("it cannot be reached")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "behaviour",
    [
        hang_up,
        answer_with(b"half", length=1000),
        answer_gzipped(gzip.compress(BODY)[:40]),
        drip(b"nonsense\r\n\r\n", b""),
    ],
    ids=["hangs up", "half", "half of a packed one", "nonsense"],
)
def test_an_answer_that_breaks_off_or_is_none_is_said_after_three_tries(behaviour: Behaviour) -> None:
    with LoopbackHost(behaviour) as host:
        assert "its answer was cut off" in get_error(fetch_url(host.url))
        assert len(host.requests) == 3


# --- elsewhere ------------------------------------------------------------------------------------


def test_a_redirect_is_followed_with_the_same_headers() -> None:
    with LoopbackHost(answer_with(BODY)) as new, LoopbackHost(answer_redirect(new.url)) as old:
        assert get_body(fetch_url(old.url, Validators(etag='"abc"'))) == BODY
        assert get_request_header(new, "if-none-match") == '"abc"'


def test_an_answer_says_where_it_came_from_in_the_end() -> None:
    with LoopbackHost(answer_redirect("/new?b=1#part"), answer_with(BODY)) as host:
        answer = fetch_url(host.url)
        assert isinstance(answer, Fetched)
        assert answer.response.url == f"http://127.0.0.1:{host.port}/new?b=1"


@for_each_case(
    ("last", "validators"),
    [(answer_with(BODY), NO_VALIDATORS), (answer_with(status="304 Not Modified"), Validators(etag='"abc"'))],
    ids=["whole", "unchanged"],
)
@for_each_case(
    ("hops", "believed"),
    [
        ([], False),
        (["301 Moved Permanently"], True),
        (["308 Permanent Redirect", "301 Moved Permanently"], True),
        (["301 Moved Permanently", "302 Found", "301 Moved Permanently"], False),
        (["307 Temporary Redirect"], False),
        (["301 Moved Permanently", "303 See Other"], False),
    ],
)
def test_an_address_has_moved_for_good_where_each_redirect_says_so(
    hops: list[str], last: Behaviour, validators: Validators, *, believed: bool
) -> None:
    with LoopbackHost(*(answer_redirect("/on#part", status) for status in hops), last) as host:
        answer = fetch_url(host.url, validators)
        assert isinstance(answer, Fetched | NotModified)
        assert answer.moved_to == (f"http://127.0.0.1:{host.port}/on" if believed else "")


def test_an_address_that_moved_to_a_missing_page_has_not_moved() -> None:
    answer = fetch_from_host(answer_moved("/sorry"), answer_with(b"no such page", status="404 Not Found"))

    assert isinstance(answer, Fetched)
    assert answer.moved_to == ""


def test_five_redirects_are_followed() -> None:
    assert (
        get_body(fetch_from_host(*(answer_redirect(f"/{hop}") for hop in range(5)), answer_with(BODY)))
        == BODY
    )


@pytest.mark.parametrize("status", ["301 Moved Permanently", "302 Found"])
def test_a_redirect_that_does_not_say_where_is_said(status: str) -> None:
    assert "saying where" in get_error(fetch_from_host(answer_with(b"", status=status)))


@pytest.mark.parametrize("name", ["user@", "user:secret@", ":secret@"])
def test_no_name_or_password_is_taken_from_an_address_and_none_is_shown(name: str) -> None:
    with LoopbackHost(answer_with(BODY)) as host:
        address = host.make_url(f"{name}127.0.0.1")
        with LoopbackHost(answer_redirect(address)) as other:
            for answer in (fetch_url(address), fetch_url(other.url)):
                assert isinstance(answer, FetchFailure)
                assert answer.state is FetchFailureState.UNUSABLE
                assert "name or password" in answer.message
                assert "secret" not in answer.message
        assert not host.requests


def test_a_circle_of_redirects_is_left() -> None:
    with LoopbackHost(answer_redirect("/rss/cs.LG")) as host:
        assert "in a loop" in get_error(fetch_url(host.url))
        assert len(host.requests) == 6


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "place", ["http://a..b/", "http://[::1/", "ftp://127.0.0.1/", "http://\xff/", "file:///etc/passwd", ""]
)
def test_a_redirect_to_nowhere_is_a_trouble_and_no_crash(place: str) -> None:
    answer = fetch_from_host(answer_redirect(place))

    assert isinstance(answer, FetchFailure)


@pytest.mark.parametrize("url", ["http://[::1/", "http://a..b/rss", "http://☃.example/"])
def test_an_address_that_cannot_be_is_said(url: str) -> None:
    assert "not a valid address" in get_error(fetch_url(url))


# --- several at once ------------------------------------------------------------------------------


def test_two_threads_ask_two_hosts_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=PATIENCE)
    meets = answer_after(both.wait, answer_with(BODY))
    with (
        LoopbackHost(meets) as loopback_host,
        LoopbackHost(meets) as other,
        open_fetcher() as asking,
        ThreadPoolExecutor(2) as pool,
    ):
        answers = pool.map(
            lambda host: asking.fetch(make_request(host.url), NO_VALIDATORS, max_bytes=100_000),
            (loopback_host, other),
        )
        assert [get_body(answer) for answer in answers] == [BODY, BODY]


def waits_for_ever(host: LoopbackHost, _: socket.socket) -> None:
    host.closing.wait()


@pytest.mark.parametrize(
    "behaviour",
    [waits_for_ever, drip(HEAD + b"X-Slow: ", b"x"), drip(HEAD + b"\r\n", b"x")],
    ids=["nothing", "headers", "body"],
)
def test_closing_ends_what_is_under_way_in_other_threads(behaviour: Behaviour) -> None:
    heard = threading.Event()
    with (
        LoopbackHost(answer_after(heard.set, behaviour)) as host,
        open_fetcher() as asking,
        ThreadPoolExecutor(1) as pool,
    ):
        under_way = pool.submit(asking.fetch, make_request(host.url), NO_VALIDATORS, max_bytes=100_000)
        heard.wait()
        asking.close()
        with pytest.raises(ClosedError):
            under_way.result(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("answer", "pace"),
    [(refuse(503, "Retry-After: 25"), 0), (answer_redirect("/on"), 25)],
    ids=["asked", "our own"],
)
def test_closing_ends_a_pause_between_two_requests(answer: Behaviour, pace: float) -> None:
    event = threading.Event()

    def answers_and_listens(host: LoopbackHost, connection: socket.socket) -> None:
        answer(host, connection)
        connection.recv(1)  # until the other side hangs up
        event.set()

    with LoopbackHost(answers_and_listens) as host, open_fetcher() as asking, ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(
            asking.fetch, make_request(host.url), NO_VALIDATORS, max_bytes=100_000, min_interval=pace
        )
        event.wait()
        asking.close()
        with pytest.raises(ClosedError):
            under_way.result(timeout=PATIENCE)


def test_nothing_is_asked_any_more_after_closing() -> None:
    with LoopbackHost(answer_with(BODY)) as host, open_fetcher() as asking:
        asking.close()
        with pytest.raises(ClosedError):
            asking.fetch(make_request(host.url), NO_VALIDATORS, max_bytes=100_000)
        assert not host.requests


# --- what is posted, and what is secret -----------------------------------------------------------


def asked_with(request: Request) -> FetchResult:
    with open_fetcher() as asking:
        return asking.fetch(request, NO_VALIDATORS, max_bytes=100_000)


def test_what_is_posted_arrives_as_it_is() -> None:
    with LoopbackHost(answer_with(BODY)) as host:
        posted = replace(
            make_request(host.url),
            method="POST",
            headers=(("Content-Type", "application/json"),),
            content=b'{"ids": ["ARXIV:2401.00001"]}',
        )
        assert get_body(asked_with(posted)) == BODY
        assert host.requests[-1].startswith("POST /rss/cs.LG HTTP/1.1\r\n")
        assert get_request_header(host, "content-type") == "application/json"
        assert get_request_header(host, "content-length") == str(len(posted.content))


def test_what_is_posted_is_not_asked_for_somewhere_else_instead() -> None:
    with LoopbackHost(answer_with(BODY)) as other, LoopbackHost(answer_redirect(other.url)) as host:
        answer = asked_with(replace(make_request(host.url), method="POST", content=b"{}"))
        assert "POST request as a GET request" in get_error(answer)
        assert other.requests == []


def test_a_key_is_sent_to_its_host_and_stands_in_no_address_that_is_kept() -> None:
    with LoopbackHost(answer_moved("/now?api_key=s3cret&page=2"), answer_with(BODY)) as host:
        answer = asked_with(
            replace(
                make_request(host.url), headers=(("X-Key", "t0ken"),), parameters=(("api_key", "s3cret"),)
            )
        )
        assert isinstance(answer, Fetched)
        assert [head.split(" ")[1] for head in host.requests] == [
            "/rss/cs.LG?api_key=s3cret",
            "/now?page=2&api_key=s3cret",
        ]
        assert get_request_header(host, "x-key") == "t0ken"
        assert "s3cret" not in answer.response.url + answer.moved_to


def test_a_key_is_told_to_nobody_else() -> None:
    with (
        LoopbackHost(answer_with(BODY)) as other,
        LoopbackHost(answer_redirect(f"{other.url}?api_key=s3cret")) as host,
    ):
        answer = asked_with(
            replace(
                make_request(host.url), headers=(("X-Key", "t0ken"),), parameters=(("api_key", "s3cret"),)
            )
        )
        assert get_body(answer) == BODY
        assert "s3cret" in host.requests[-1]
        assert "s3cret" not in other.requests[-1]
        assert get_request_header(other, "x-key") is None
    assert "s3cret" not in repr(
        replace(make_request("https://example.org"), parameters=(("api_key", "s3cret"),))
    )


# --- names that cannot be looked up ---------------------------------------------------------------


@pytest.fixture
def lookups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were looked up, by a resolver that never answers but says so at once."""
    names: list[str] = []

    def look_up(host: str, *_arguments: object, **_more: object) -> None:
        names.append(host)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return names


def test_where_no_name_can_be_looked_up_one_is_and_all_else_is_given_up_at_once(lookups: list[str]) -> None:
    with closing(Fetcher()) as fetcher:
        answer = fetcher.fetch(
            Request(section="cs.DC", route="rss", url="https://a.example/x"), Validators(), max_bytes=1
        )

        assert isinstance(answer, FetchFailure)
        assert answer.message.endswith("offline?")
        assert lookups == ["a.example"]
        assert fetcher.find_unresolved("https://b.example/y") == answer
        assert fetcher.find_unresolved("http://127.0.0.1:8000/") is None


def test_a_name_that_there_is_not_is_told_and_does_not_mean_that_others_are_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look_up(*_arguments: object, **_more: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with closing(Fetcher()) as fetcher:
        answer = fetcher.fetch(
            Request(section="cs.DC", route="rss", url="https://a.example/x"), Validators(), max_bytes=1
        )

        assert isinstance(answer, FetchFailure)
        assert (
            answer.message == "the name of its host, a.example, cannot be resolved; is this machine offline?"
        )
        assert fetcher.find_unresolved("https://a.example/other") == answer
        assert fetcher.find_unresolved("https://b.example/") is None
