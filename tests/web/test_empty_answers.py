"""Whoever has sent a request gets an answer, however busy the server is."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
import uvicorn

from digest.web.kept import Shelf
from digest.web.quick import quick
from digest.web.server import listen
from tests.patience import PATIENCE

REQUEST = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


class Server:
    """A server of one page, whose loop a test can hold up.

    Attributes:
        address: where it listens.
        go_on: the page ``/held`` waits until this is set.
    """

    def __init__(self) -> None:
        self.door = listen("127.0.0.1:0")
        self.address = self.door.getsockname()
        self.go_on = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        config = uvicorn.Config(
            self._answer,
            http=quick(Shelf(), ""),
            ws="none",
            interface="asgi3",
            lifespan="off",
            log_config=None,
            access_log=False,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self.door],))
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()

    def connect(self) -> socket.socket:
        return socket.create_connection(self.address, timeout=PATIENCE)

    def while_it_looks_at_no_socket(self, do: Callable[[], None], then: str) -> None:
        """Hold up the loop for what a test does, and call a method of all connections before it looks again."""
        with closing(self.connect()) as connection:
            assert answer(connection)  # so there is a loop
        held, let_go = threading.Event(), threading.Event()

        def hold() -> None:
            held.set()
            assert let_go.wait(PATIENCE)
            for one in list(self._server.server_state.connections):
                getattr(one, then)()

        assert self._loop is not None
        self._loop.call_soon_threadsafe(hold)
        assert held.wait(PATIENCE)
        do()
        let_go.set()

    async def _answer(self, scope: Any, _receive: Any, send: Any) -> None:
        self._loop = asyncio.get_running_loop()
        if scope["path"] == "/held":
            await self._loop.run_in_executor(None, self.go_on.wait, PATIENCE)
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


def answer(connection: socket.socket, request: bytes = REQUEST) -> bytes:
    """What comes for a request; nothing if the connection is closed instead."""
    connection.sendall(request)
    return received(connection)


def received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(4096)
    except ConnectionError:
        return b""


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.go_on.set()
    server.stop()


@pytest.mark.parametrize(
    "method", ["timeout_keep_alive_handler", "shutdown"], ids=["an idle one", "the last ones"]
)
@pytest.mark.parametrize("before", [0, 2], ids=["new", "kept"])
def test_a_request_that_waits_in_a_connection_is_answered_before_that_is_closed(
    server: Server, method: str, before: int
) -> None:
    with ExitStack() as stack:
        connections = [stack.enter_context(server.connect()) for _ in range(5)]
        for connection in connections:
            for _ in range(before):
                assert answer(connection)

        def send() -> None:
            for connection in connections:
                connection.sendall(REQUEST)

        server.while_it_looks_at_no_socket(send, method)
        assert [received(connection)[:15] for connection in connections] == [b"HTTP/1.1 200 OK"] * 5


def test_idle_connections_are_closed_when_the_server_stops(server: Server) -> None:
    with server.connect() as kept, server.connect() as new:
        assert answer(kept)
        server.while_it_looks_at_no_socket(lambda: None, "shutdown")
        assert (received(kept), received(new)) == (b"", b"")


def test_who_says_that_no_more_will_come_is_answered(server: Server) -> None:
    with server.connect() as connection, server.connect() as other:
        connection.sendall(b"GET /held HTTP/1.1\r\nhost: x\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        assert answer(other)  # the server has seen what was sent before
        server.go_on.set()
        assert received(connection).startswith(b"HTTP/1.1 200 OK")
        assert received(connection) == b""


SCRIPT = """
import resource, sys
from types import SimpleNamespace
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
from digest.web.kept import Shelf
from digest.web.server import answering, listen

class Page:
    shelf, prefix = Shelf(), ""

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
with answering(door, Page()):
    print(door.getsockname()[1], flush=True)
    sys.stdin.read()
"""


def test_many_connections_are_answered_where_few_open_files_are_usual() -> None:
    command = [sys.executable, "-c", SCRIPT]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
        ExitStack() as stack,
    ):
        assert process.stdout is not None
        address = ("127.0.0.1", int(process.stdout.readline()))
        connections = [
            stack.enter_context(socket.create_connection(address, timeout=PATIENCE)) for _ in range(150)
        ]
        answers = [answer(connection)[:15] for connection in connections]
        assert process.stdin is not None
        process.stdin.close()
    assert answers == [b"HTTP/1.1 200 OK"] * 150
