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

from digest.web.protocol.limited_protocol import ClientLimits, Connections, LimitedProtocol
from digest.web.protocol.response_cache import CachedResponse, ResponseCache, choose_response, format_headers

_ANSWERED_CYCLE = SimpleNamespace(
    response_complete=True, disconnected=False, keep_alive=True, message_event=asyncio.Event()
)
"""Stands for a request that was answered, where uvicorn keeps the last one."""


def make_cached_protocol(
    response_cache: ResponseCache, prefix: str, limits: ClientLimits | None = None
) -> type[asyncio.Protocol]:
    """The protocol that looks on a shelf first.

    Args:
        response_cache: what is ready, by path.
        prefix: of paths, if the site's address has one; it may be there or not.
        limits: what a client may take; None for the usual ones.
    """
    prefix_bytes = prefix.encode()

    class CachedProtocol(LimitedProtocol):
        """Answers from the shelf, or as uvicorn does."""

        open_connections = Connections(limits or ClientLimits())

        def take_request(self) -> None:
            """Answer at once, if all of that is ready."""
            cached = self._find_cached()
            if cached is None:
                super().take_request()
                return
            start, body, header_bytes = choose_response(cached, self.headers)
            status_line = (
                b"HTTP/1.1 304 Not Modified\r\n" if start["status"] == 304 else b"HTTP/1.1 200 OK\r\n"
            )
            default_lines = format_headers(self.server_state.default_headers)
            self.transport.write(b"".join((status_line, default_lines, header_bytes, body["body"])))
            self.cycle: Any = _ANSWERED_CYCLE
            # No timer is set, for one that looks at all connections is cheaper.
            self.server_state.total_requests += 1

        def _find_cached(self) -> CachedResponse | None:
            is_busy = self.cycle is not None and not self.cycle.response_complete
            is_plain = self.parser.get_method() == b"GET" and self.parser.get_http_version() == "1.1"
            if (
                is_busy
                or self.is_ending
                or self.flow.write_paused
                or not is_plain
                or not self.parser.should_keep_alive()
            ):
                return None
            return (
                None
                if self.parser.should_upgrade()
                else response_cache.get_fresh(self.url.removeprefix(prefix_bytes).decode("latin-1"))
            )

    return CachedProtocol
