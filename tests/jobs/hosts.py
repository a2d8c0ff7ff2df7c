"""Hosts on loopback that behave and that do not, for the tests of asking: real sockets."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Self

from digest.jobs.http.fetch import Fetcher
from digest.jobs.http.fetch_results import Fetched, FetchFailure, FetchResult, Validators
from digest.ports import Request

NO_VALIDATORS = Validators()
Behaviour = Callable[["LoopbackHost", socket.socket], None]


class LoopbackHost(AbstractContextManager["LoopbackHost"]):
    """A host that does one thing after another, a connection each; the last one again and again.

    Attributes:
        requests: the heads of the requests, as they came.
        closing: set when it is over.
    """

    def __init__(self, *behaviours: Behaviour, context: ssl.SSLContext | None = None) -> None:
        self.requests: list[str] = []
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
        return self.make_url("127.0.0.1")

    def make_url(self, name: str) -> str:
        """Its address by another name."""
        return f"http{'s' if self._context else ''}://{name}:{self.port}/rss/cs.LG"

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
                behaviour(self, connection)


# --- behaviours -----------------------------------------------------------------------------------


def answer_with(
    body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None
) -> Behaviour:
    """A whole answer, and the end of the connection."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers]
    answer = "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + body

    def behave(_: LoopbackHost, connection: socket.socket) -> None:
        connection.sendall(answer)

    return behave


def answer_gzipped(body: bytes) -> Behaviour:
    return answer_with(body, "Content-Encoding: gzip")


def drip(before: bytes, forever: bytes) -> Behaviour:
    """Something at once, and then the rest byte by byte without end."""

    def behave(host: LoopbackHost, connection: socket.socket) -> None:
        connection.sendall(before)
        while not host.closing.wait(0.02):
            connection.sendall(forever)

    return behave


def answer_redirect(to: str, status: str = "302 Found") -> Behaviour:
    return answer_with(b"", f"Location: {to}", status=status)


def answer_moved(to: str) -> Behaviour:
    return answer_redirect(to, "301 Moved Permanently")


def refuse(status: int, *headers: str) -> Behaviour:
    return answer_with(b"no", *headers, status=f"{status} No")


def answer_after(step: Callable[[], object], answer: Behaviour) -> Behaviour:
    """Does something first: waits for another request, say."""

    def behave(host: LoopbackHost, connection: socket.socket) -> None:
        step()
        answer(host, connection)

    return behave


def hang_up(_: LoopbackHost, connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


# --- asking ---------------------------------------------------------------------------------------


@contextmanager
def open_fetcher(contact: str = "", **options: Any) -> Iterator[Fetcher]:
    asking = Fetcher(contact, **options)
    try:
        yield asking
    finally:
        asking.close()


def fetch_url(
    url: str,
    validators: Validators = NO_VALIDATORS,
    *,
    max_bytes: int = 100_000,
    pace: float = 0,
    by_reader: bool = False,
    **options: Any,
) -> FetchResult:
    with open_fetcher(**options) as asking:
        return asking.fetch(
            make_request(url, by_reader=by_reader), validators, max_bytes=max_bytes, min_interval=pace
        )


def make_request(url: str, *, by_reader: bool = False) -> Request:
    return Request(
        section="cs.LG", route="rss", url=url, accept="application/rss+xml", is_reader_url=by_reader
    )


def fetch_from_host(*behaviours: Behaviour, **options: Any) -> FetchResult:
    with LoopbackHost(*behaviours) as host:
        return fetch_url(host.url, **options)


def get_body(answer: FetchResult) -> bytes:
    assert isinstance(answer, Fetched), answer
    return answer.response.body


def get_error(answer: FetchResult) -> str:
    assert isinstance(answer, FetchFailure), answer
    return answer.message


def get_request_header(host: LoopbackHost, name: str) -> str | None:
    """A header of the last request, in lower case."""
    lines = dict(line.lower().split(": ", 1) for line in host.requests[-1].splitlines()[1:] if line)
    return lines.get(name)
