"""A server of one page, whose loop and answers a test can hold up."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any, Self

import uvicorn

from digest.web.protocol.cached_protocol import make_cached_protocol
from digest.web.protocol.limited_protocol import ClientLimits
from digest.web.protocol.response_cache import ResponseCache, make_cached_response
from digest.web.server import listen
from tests.support.timeouts import PATIENCE

REQUEST = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


class OnePageServer:
    """A server of one page, whose loop a test can hold up; ``/ready`` is answered without it.

    Attributes:
        address: where it listens.
        requests: the requests that have come, as their body was there: scope and body.
        release: the page ``/held`` waits until this is set.
    """

    def __init__(self, limits: ClientLimits | None = None, *, keep_alive: int = 75) -> None:
        self.listener = listen("127.0.0.1:0")
        for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):  # else the system keeps megabytes
            self.listener.setsockopt(socket.SOL_SOCKET, buffer, 16_384)
        self.address = self.listener.getsockname()
        self.release = threading.Event()
        self.requests: list[tuple[Any, bytes]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        config = uvicorn.Config(
            self._answer,
            http=make_cached_protocol(self._make_cache(), "", lambda _: True, limits),
            ws="none",
            interface="asgi3",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_keep_alive=keep_alive,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self.listener],))
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        self._server.should_exit = True
        self._thread.join()
        self.listener.close()

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """A connection, from one of the addresses of loopback."""
        return socket.create_connection(self.address, timeout=PATIENCE, source_address=(source, 0))

    @property
    def paths(self) -> list[str]:
        """Paths of the requests that have come."""
        return [scope["path"] for scope, _ in self.requests]

    @property
    def connections(self) -> list[Any]:
        """The protocols of those that are open."""
        return list(self._server.server_state.connections)

    def run_while_loop_is_held(self, do: Callable[[], None], then: str) -> None:
        """Hold up the loop for what a test does, and call a method of all connections before it looks again."""
        with closing(self.connect()) as connection:
            assert request_page(connection)  # so there is a loop
        event, let_go = threading.Event(), threading.Event()

        def hold() -> None:
            event.set()
            assert let_go.wait(PATIENCE)
            for connection in list(self._server.server_state.connections):
                getattr(connection, then)()

        assert self._loop is not None
        self._loop.call_soon_threadsafe(hold)
        assert event.wait(PATIENCE)
        do()
        let_go.set()

    def _make_cache(self) -> ResponseCache:
        shelf = ResponseCache(check_interval=PATIENCE)
        shelf.get_or_render(
            "/ready",
            1,
            lambda: make_cached_response(b"ok", media_type="text/plain", modified=None, fresh_seconds=0),
        )
        return shelf

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self._loop = asyncio.get_running_loop()
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        self.requests.append((scope, body))
        if scope["path"] == "/held":
            await self._loop.run_in_executor(None, self.release.wait, PATIENCE)
        answer = b"y" * 30_000 if scope["path"] == "/large" else b"ok"
        headers = [(b"content-length", str(len(answer)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})


def request_page(connection: socket.socket, request: bytes = REQUEST) -> bytes:
    """What comes for a request; nothing if the connection is closed instead."""
    connection.sendall(request)
    return receive(connection)


def receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(4096)
    except ConnectionError:
        return b""
