"""Fast path: a cached response is sent as soon as the head of a request has been parsed.

uvicorn makes objects and a task for each request before an application sees it, which costs three times as
much as finding and sending a cached response. So a subclass of its protocol checks the cache first, in the
simplest case: GET, HTTP/1.1, and an idle connection that is kept alive. All other requests, and those without
a cached response, take the normal path. The bytes of a response are the same on both paths; a test compares
them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from digest.web.protocol.limited_protocol import ClientLimits, Connections, LimitedProtocol
from digest.web.protocol.response_cache import CachedResponse, ResponseCache, choose_response, format_headers
from digest.web.protocol.write_mark import Headers

_ANSWERED_CYCLE = SimpleNamespace(
    response_complete=True, disconnected=False, keep_alive=True, message_event=asyncio.Event()
)
"""Stands for an answered request in the place where uvicorn keeps the last one."""


def make_cached_protocol(
    response_cache: ResponseCache,
    prefix: str,
    may_be_cached: Callable[[Headers], bool],
    limits: ClientLimits | None = None,
) -> type[asyncio.Protocol]:
    """Make the protocol class that checks the cache first.

    Args:
        response_cache: cached responses, by path.
        prefix: the path in the site's address, which requests may contain or not.
        may_be_cached: whether a request with these headers may be answered from the cache.
        limits: the limits of clients; None for the default ones.
    """
    prefix_bytes = prefix.encode()

    class CachedProtocol(LimitedProtocol):
        """Answers from the cache, or as uvicorn does."""

        open_connections = Connections(limits or ClientLimits())

        def take_request(self) -> None:
            """Answer from the cache, if possible."""
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
            # No keep-alive timer is set here: the single timer of ``Connections`` is cheaper.
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
                or not may_be_cached(self.headers)
            ):
                return None
            return (
                None
                if self.parser.should_upgrade()
                else response_cache.get_fresh(self.url.removeprefix(prefix_bytes).decode("latin-1"))
            )

    return CachedProtocol
