"""Whoever has sent a request gets an answer, however busy the server is."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support.processes import kill_at_end
from tests.support.timeouts import PATIENCE
from tests.web.one_page import REQUEST, OnePageServer, receive, request_page


@pytest.fixture
def server() -> Iterator[OnePageServer]:
    with OnePageServer() as server:
        yield server


@pytest.mark.parametrize(
    "method", ["timeout_keep_alive_handler", "shutdown"], ids=["an idle one", "the last ones"]
)
@pytest.mark.parametrize("before", [0, 2], ids=["new", "kept"])
def test_a_request_that_waits_in_a_connection_is_answered_before_that_is_closed(
    server: OnePageServer, method: str, before: int
) -> None:
    with ExitStack() as stack:
        connections = [stack.enter_context(server.connect()) for _ in range(5)]
        for connection in connections:
            for _ in range(before):
                assert request_page(connection)

        def send() -> None:
            for connection in connections:
                connection.sendall(REQUEST)

        server.run_while_loop_is_held(send, method)
        assert [receive(connection)[:15] for connection in connections] == [b"HTTP/1.1 200 OK"] * 5


def test_idle_connections_are_closed_when_the_server_stops(server: OnePageServer) -> None:
    with server.connect() as connection, server.connect() as new:
        assert request_page(connection)
        server.run_while_loop_is_held(lambda: None, "shutdown")
        assert (receive(connection), receive(new)) == (b"", b"")


def test_who_says_that_no_more_will_come_is_answered(server: OnePageServer) -> None:
    with server.connect() as connection, server.connect() as other:
        connection.sendall(b"GET /held HTTP/1.1\r\nhost: x\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        assert request_page(other)  # the server has seen what was sent before
        server.release.set()
        assert receive(connection).startswith(b"HTTP/1.1 200 OK")
        assert receive(connection) == b""


SCRIPT = """
import resource, sys
from types import SimpleNamespace
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
from digest.web.protocol.response_cache import ResponseCache
from digest.web.server import listen, serve_site

class Page:
    response_cache, prefix = ResponseCache(), ""

    def may_be_cached(self, headers):
        return True

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

door = listen("127.0.0.1:0")
with serve_site(door, Page()):
    print(door.getsockname()[1], flush=True)
    sys.stdin.read()
"""


def test_many_connections_are_answered_where_few_open_files_are_usual() -> None:
    command = [sys.executable, "-c", SCRIPT]
    with (
        kill_at_end(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ) as process,
        ExitStack() as stack,
    ):
        assert process.stdout is not None
        address = ("127.0.0.1", int(process.stdout.readline()))
        connections = [
            stack.enter_context(socket.create_connection(address, timeout=PATIENCE)) for _ in range(150)
        ]
        answers = [request_page(connection)[:15] for connection in connections]
        assert process.stdin is not None
        process.stdin.close()
    assert answers == [b"HTTP/1.1 200 OK"] * 150
