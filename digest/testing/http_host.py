"""An HTTP server on loopback that returns the responses that a test defines, and records the requests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qsl, urlsplit

MAX_WAIT = 300.0
"""Timeout of an idle connection, in seconds, so that a test cannot hang."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """A recorded request.

    Attributes:
        path: the path, without the query.
        query: the parameters of the query.
        headers: names in lower case.
        at: when it arrived, in seconds of ``time.monotonic``.
        body: the body of a POST request.
    """

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    at: float
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class CannedResponse:
    """A response that a test defines."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


ResponseMaker = Callable[[HostRequest], CannedResponse]


class ScriptedHost(AbstractContextManager["ScriptedHost"]):
    """Responds by path, within the ``with`` block.

    Attributes:
        answers: responses by path, without the query; every other path gets 404.
        requests: the requests, in order of arrival.
        most_at_once: the maximum number of requests that were processed at the same time.
    """

    def __init__(self, **answers: CannedResponse | ResponseMaker) -> None:
        """Prepare the server; a keyword argument is the response for the path of that name."""
        self.answers: dict[str, CannedResponse | ResponseMaker] = {
            f"/{name}": answer for name, answer in answers.items()
        }
        self.requests: list[HostRequest] = []
        self.most_at_once = 0
        self._under_way = 0
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.005})

    @property
    def name(self) -> str:
        """Host and port, which is also the default name of its bucket."""
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://{self.name}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def paths(self) -> list[str]:
        """Return the paths of the requests, in order of arrival."""
        return [asked.path for asked in self.requests]

    def answer(self, asked: HostRequest) -> CannedResponse:
        """Record a request and return its response."""
        with self._lock:
            self.requests.append(asked)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            script = self.answers.get(asked.path, CannedResponse(b"There is no such page.", 404))
            return script if isinstance(script, CannedResponse) else script(asked)
        finally:
            with self._lock:
                self._under_way -= 1


class _Server(ThreadingHTTPServer):
    """A server with one thread per request; all of them have ended when ``server_close`` returns."""

    daemon_threads = False

    def __init__(self, host: ScriptedHost) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.host = host


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = MAX_WAIT

    def do_GET(self) -> None:
        """Return the response that the test defines."""
        address = urlsplit(self.path)
        asked = HostRequest(
            path=address.path,
            query=dict(parse_qsl(address.query)),
            headers={name.lower(): value for name, value in self.headers.items()},
            at=time.monotonic(),
            body=self.rfile.read(int(self.headers.get("Content-Length", 0))),
        )
        says = self.server.host.answer(asked)
        with suppress(OSError):  # the client may give up at any time, or be killed
            self.send_response_only(says.status)  # without a Date header, which would have the machine's time
            for name, value in says.headers.items():
                self.send_header(name, value)
            if says.status != 304:
                self.send_header("Content-Length", str(len(says.body)))
            self.end_headers()
            self.wfile.write(says.body)

    do_POST = do_GET  # noqa: N815 - the name is the base class's

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Log nothing: the host has its own list of requests."""
