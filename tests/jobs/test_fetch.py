"""Requests against hosts that behave and that do not: real sockets on loopback."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import pytest
import stamina
import trustme

from digest import __version__
from digest.jobs.fetch import Answer, Fetcher, Got, Trouble, Unchanged
from digest.ports import Request

BODY = b"<rss>" + b"what is new " * 500 + b"</rss>"
Behaviour = Callable[["Host", socket.socket], None]


class Host(AbstractContextManager["Host"]):
    """A host that does one thing after another, a connection each; the last one again and again.

    Attributes:
        requests: the heads of the requests, as they came.
        times: when they came, by the monotonic clock.
        closing: set when it is over.
    """

    def __init__(self, *behaviours: Behaviour, context: ssl.SSLContext | None = None) -> None:
        self.requests: list[str] = []
        self.times: list[float] = []
        self.closing = threading.Event()
        self._behaviours = list(behaviours)
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._listen)]

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http{'s' if self._context else ''}://127.0.0.1:{self.port}/rss/cs.LG"

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.closing.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                behaviour = self._behaviours.pop(0) if len(self._behaviours) > 1 else self._behaviours[0]
                thread = threading.Thread(target=self._serve, args=[connection, behaviour])
                self._threads.append(thread)
                thread.start()

    def _serve(self, plain: socket.socket, behaviour: Behaviour) -> None:
        with suppress(OSError), plain:
            connection = self._context.wrap_socket(plain, server_side=True) if self._context else plain
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    if not (more := connection.recv(4096)):
                        return
                    head += more
                self.requests.append(head.decode("latin-1"))
                self.times.append(time.monotonic())
                behaviour(self, connection)


# --- behaviours -----------------------------------------------------------------------------------


def says(body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None) -> Behaviour:
    """A whole answer, and the end of the connection."""
    told = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers]
    answer = "\r\n".join([*told, "Connection: close", "", ""]).encode("latin-1") + body

    def behave(_: Host, connection: socket.socket) -> None:
        connection.sendall(answer)

    return behave


def zipped(body: bytes) -> Behaviour:
    return says(body, "Content-Encoding: gzip")


def drips(before: bytes, forever: bytes) -> Behaviour:
    """Something at once, and then the rest byte by byte without end."""

    def behave(host: Host, connection: socket.socket) -> None:
        connection.sendall(before)
        while not host.closing.wait(0.02):
            connection.sendall(forever)

    return behave


def redirects(to: str) -> Behaviour:
    return says(b"", f"Location: {to}", status="302 Found")


def hangs_up(_: Host, connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


# --- asking ---------------------------------------------------------------------------------------


@contextmanager
def fetcher(contact: str = "", **options: Any) -> Iterator[Fetcher]:
    asking = Fetcher(contact, **options)
    try:
        yield asking
    finally:
        asking.close()


def ask(url: str, *, contact: str = "", etag: str = "", last_modified: str = "", **options: Any) -> Answer:
    max_bytes = options.pop("max_bytes", 100_000)
    request = Request(section="cs.LG", route="rss", url=url, accept="application/rss+xml")
    with fetcher(contact, **options) as asking:
        return asking.get(request, etag=etag, last_modified=last_modified, max_bytes=max_bytes)


def asked(*behaviours: Behaviour, **options: Any) -> Answer:
    with Host(*behaviours) as host:
        return ask(host.url, **options)


def body(answer: Answer) -> bytes:
    assert isinstance(answer, Got), answer
    return answer.response.body


def trouble(answer: Answer) -> str:
    assert isinstance(answer, Trouble), answer
    return answer.message


def header(host: Host, name: str) -> str | None:
    lines = dict(line.lower().split(": ", 1) for line in host.requests[-1].splitlines()[1:] if line)
    return lines.get(name)


@pytest.fixture
def at_once() -> Iterator[None]:
    """Retries without the pauses between them."""
    with stamina.set_testing(True, attempts=3):
        yield


# --- an answer ------------------------------------------------------------------------------------


def test_an_answer_comes_whole_with_its_validators() -> None:
    answer = asked(
        says(BODY, 'ETag: "abc"', "Last-Modified: Fri, 12 Jun 2026 04:10:00 GMT", "X-Served-By: me")
    )

    assert isinstance(answer, Got)
    assert (answer.response.status, answer.response.body) == (200, BODY)
    assert (answer.etag, answer.last_modified) == ('"abc"', "Fri, 12 Jun 2026 04:10:00 GMT")
    assert ("x-served-by", "me") in answer.response.headers


def test_a_refusal_is_an_answer_too_for_its_source_to_read() -> None:
    answer = asked(says(b"no such archive", status="400 Bad Request"))

    assert isinstance(answer, Got)
    assert (answer.response.status, answer.response.body) == (400, b"no such archive")


def test_a_request_says_who_asks_and_what_it_can_read() -> None:
    with Host(says(BODY)) as host:
        ask(host.url, contact="ops@example.org")
        assert header(host, "user-agent") == f"papers-digest/{__version__} (+ops@example.org)"
        assert header(host, "accept") == "application/rss+xml"
        assert header(host, "accept-encoding") == "gzip"
        assert header(host, "if-none-match") is None
        assert host.requests[-1].startswith("GET /rss/cs.LG HTTP/1.1\r\n")


@pytest.mark.parametrize(
    ("contact", "told"),
    [
        ("jürgen@exämple.org", "j%c3%bcrgen@ex%c3%a4mple.org"),
        ("a@b.org\r\nX-Evil: 1", "a@b.org%0d%0ax-evil:%201"),
    ],
)
def test_a_contact_of_any_letters_fits_into_a_header(contact: str, told: str) -> None:
    with Host(says(BODY)) as host:
        assert body(ask(host.url, contact=contact)) == BODY
        assert told in (header(host, "user-agent") or "")
        assert header(host, "x-evil") is None


# --- what did not change --------------------------------------------------------------------------


def test_what_did_not_change_is_asked_for_with_its_validators_and_not_sent() -> None:
    with Host(says(status="304 Not Modified")) as host:
        answer = ask(host.url, etag='"abc"', last_modified="Fri, 12 Jun 2026 04:10:00 GMT")
        assert answer == Unchanged()
        assert header(host, "if-none-match") == '"abc"'
        assert header(host, "if-modified-since") == "fri, 12 jun 2026 04:10:00 gmt"


def test_nothing_changed_is_no_answer_to_who_has_nothing() -> None:
    assert "nothing yet" in trouble(asked(says(status="304 Not Modified")))


def test_a_validator_that_no_header_can_hold_is_not_kept() -> None:
    answer = asked(says(BODY, "ETag: \xe9t\xe9", "Last-Modified: \xff"))

    assert isinstance(answer, Got)
    assert (answer.etag, answer.last_modified) == ("", "")


# --- packed answers -------------------------------------------------------------------------------


def test_a_packed_answer_is_unpacked() -> None:
    assert body(asked(zipped(gzip.compress(BODY)))) == BODY


def test_an_answer_packed_in_several_members_comes_whole() -> None:
    packed = b"".join(gzip.compress(BODY[at : at + 1000]) for at in range(0, len(BODY), 1000))

    assert body(asked(zipped(packed))) == BODY


@pytest.mark.parametrize("kept", [-1, 40, 5])
def test_a_packed_answer_that_breaks_off_is_refused(kept: int) -> None:
    assert "breaks off" in trouble(asked(zipped(gzip.compress(BODY)[:kept])))


@pytest.mark.parametrize(
    "packed", [b"not packed at all", gzip.compress(BODY)[:-8] + bytes(8), zlib.compress(BODY)]
)
def test_what_is_not_packed_as_it_says_is_refused(packed: bytes) -> None:
    assert "not the gzip" in trouble(asked(zipped(packed)))


def test_a_small_answer_that_unpacks_to_a_huge_one_is_given_up() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    assert len(bomb) < 100_000

    assert "longer than 100,000 bytes" in trouble(asked(zipped(bomb)))


def test_an_answer_may_be_as_long_as_the_limit_and_no_longer() -> None:
    assert len(body(asked(says(bytes(1000)), max_bytes=1000))) == 1000
    assert len(body(asked(zipped(gzip.compress(bytes(1000))), max_bytes=1000))) == 1000
    assert "longer than 1,000 bytes" in trouble(asked(says(bytes(1001)), max_bytes=1000))
    assert "longer than 1,000 bytes" in trouble(asked(zipped(gzip.compress(bytes(1001))), max_bytes=1000))


def test_a_packing_that_was_not_asked_for_is_said() -> None:
    assert "'br'" in trouble(asked(says(b"...", "Content-Encoding: br")))


# --- time -----------------------------------------------------------------------------------------

HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
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
    assert "not whole after 0.3 seconds" in trouble(asked(drips(before, forever), deadline=0.3))


def test_the_deadline_holds_under_encryption_too(
    authority: trustme.CA, authority_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority_file))
    with Host(says(BODY), drips(HEAD + b"\r\n", b"x"), context=context) as host:
        assert body(ask(host.url)) == BODY
        assert "not whole after 0.3 seconds" in trouble(ask(host.url, deadline=0.3))


def test_a_request_after_one_that_was_too_late_is_answered() -> None:
    request = Request(section="cs.LG", route="rss", url="")
    with Host(drips(HEAD + b"\r\n", b"x"), says(BODY)) as host, fetcher(deadline=0.3) as asking:
        here = replace(request, url=host.url)
        assert isinstance(asking.get(here, etag="", last_modified="", max_bytes=1000), Trouble)
        assert body(asking.get(here, etag="", last_modified="", max_bytes=100_000)) == BODY


# --- later ----------------------------------------------------------------------------------------


def test_a_short_pause_that_the_host_asks_for_is_waited_within_the_request() -> None:
    busy = says(b"", "Retry-After: 1", status="503 Service Unavailable")
    with Host(busy, says(BODY)) as host:
        assert body(ask(host.url)) == BODY
        first, second = host.times

    assert second - first >= 0.99  # that is no race: a slow machine only waits longer


def test_a_long_pause_is_left_to_the_ledger() -> None:
    busy = says(b"", "Retry-After: 3600", status="429 Too Many Requests")
    with Host(busy) as host:
        answer = ask(host.url)
        assert len(host.requests) == 1

    assert answer == Trouble(message="it answered HTTP 429", pause=timedelta(hours=1))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("status", [406, 429, 500, 502, 503, 504])
def test_a_busy_host_is_asked_three_times(status: int) -> None:
    with Host(says(b"", status=f"{status} Busy")) as host:
        answer = ask(host.url)
        assert len(host.requests) == 3

    assert answer == Trouble(message=f"it answered HTTP {status}", pause=None)


@pytest.mark.usefixtures("at_once")
def test_a_host_that_was_away_for_a_moment_answers_in_the_end() -> None:
    assert body(asked(hangs_up, says(b"", status="502 Bad Gateway"), says(BODY))) == BODY


def test_who_is_denied_access_does_not_go_on() -> None:
    with Host(says(b"denied", status="403 Forbidden")) as host:
        answer = ask(host.url)
        assert len(host.requests) == 1

    assert answer == Trouble(message="it denies access (HTTP 403)", pause=timedelta(hours=6))


# --- no answer ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("at_once")
def test_a_host_that_is_not_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    assert trouble(ask(f"http://127.0.0.1:{port}/")).startswith("it cannot be reached")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "behaviour", [hangs_up, says(b"half", length=1000), drips(b"nonsense\r\n\r\n", b"")], ids=str
)
def test_an_answer_that_breaks_off_or_is_none_is_said_after_three_tries(behaviour: Behaviour) -> None:
    with Host(behaviour) as host:
        assert "its answer breaks off" in trouble(ask(host.url))
        assert len(host.requests) == 3


# --- elsewhere ------------------------------------------------------------------------------------


def test_a_redirect_is_followed_with_the_same_headers() -> None:
    with Host(says(BODY)) as new, Host(redirects(new.url)) as old:
        assert body(ask(old.url, etag='"abc"')) == BODY
        assert header(new, "if-none-match") == '"abc"'


def test_a_circle_of_redirects_is_left() -> None:
    with Host(redirects("/rss/cs.LG")) as host:
        assert "circle" in trouble(ask(host.url))
        assert len(host.requests) == 6


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "place", ["http://a..b/", "http://[::1/", "ftp://127.0.0.1/", "http://\xff/", "file:///etc/passwd", ""]
)
def test_a_redirect_to_nowhere_is_a_trouble_and_no_crash(place: str) -> None:
    assert trouble(asked(redirects(place)))


@pytest.mark.parametrize("url", ["http://[::1/", "http://a..b/rss", "http://☃.example/"])
def test_an_address_that_cannot_be_is_said(url: str) -> None:
    assert "no such address" in trouble(ask(url))
