"""What is kept ready is sent as soon as a request's head is read.

uvicorn makes objects and a task of each request before an application sees it, which costs three times as much as to
find and send what is kept. So its protocol, which may be another class, looks on the shelf first, in the plainest case:
GET, HTTP/1.1, a connection that stays and is not busy. All else, and what is not ready, goes its own way: the answers
are the same bytes either way, and a test compares them.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from digest.web.protocol.limited_protocol import Connections, LimitedProtocol, Limits
from digest.web.protocol.response_cache import Kept, Shelf, answer, header_lines

_ANSWERED = SimpleNamespace(
    response_complete=True, disconnected=False, keep_alive=True, message_event=asyncio.Event()
)
"""Stands for a request that was answered, where uvicorn keeps the last one."""


def quick(shelf: Shelf, prefix: str, limits: Limits | None = None) -> type[asyncio.Protocol]:
    """The protocol that looks on a shelf first.

    Args:
        shelf: what is ready, by path.
        prefix: of paths, if the site's address has one; it may be there or not.
        limits: what a client may take; None for the usual ones.
    """
    prefixed = prefix.encode()

    class Quick(LimitedProtocol):
        """Answers from the shelf, or as uvicorn does."""

        watched = Connections(limits or Limits())

        def take_request(self) -> None:
            """Answer at once, if all of that is ready."""
            found = self._ready()
            if found is None:
                super().take_request()
                return
            start, body, lines = answer(found, self.headers)
            status = b"HTTP/1.1 304 Not Modified\r\n" if start["status"] == 304 else b"HTTP/1.1 200 OK\r\n"
            here = header_lines(self.server_state.default_headers)
            self.transport.write(b"".join((status, here, lines, body["body"])))
            self.cycle: Any = _ANSWERED
            # No timer is set, for one that looks at all connections is cheaper.
            self.server_state.total_requests += 1

        def _ready(self) -> Kept | None:
            busy = self.cycle is not None and not self.cycle.response_complete
            plain = self.parser.get_method() == b"GET" and self.parser.get_http_version() == "1.1"
            if (
                busy
                or self.is_ending
                or self.flow.write_paused
                or not plain
                or not self.parser.should_keep_alive()
            ):
                return None
            return (
                None
                if self.parser.should_upgrade()
                else shelf.fresh(self.url.removeprefix(prefixed).decode("latin-1"))
            )

    return Quick
