"""Connections that are not closed while a request waits in them unread.

uvicorn closes a connection by what it has read of it. Where the loop was busy for long, a request may have arrived that it
has not read yet: its client would get an empty answer.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_CLOSE_DELAY = 0.01
"""Seconds in which the loop looks at its sockets once more before a connection is closed."""


class ConnectionProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which looks once more before it closes.

    Attributes:
        is_ending: the server stops; what comes now is the connection's last request.
    """

    is_ending = False

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, unless a request came while the loop was busy: then data cancels this."""
        self.timeout_keep_alive_task = self.loop.call_later(_CLOSE_DELAY, super().timeout_keep_alive_handler)

    def shutdown(self) -> None:
        """Close the connection once it is idle, for the server stops or begins again with a changed file."""
        self.is_ending = True
        if self._is_idle():
            self.loop.call_later(_CLOSE_DELAY, self._close_if_idle)
        else:
            super().shutdown()

    def on_headers_complete(self) -> None:
        """Answer a request; the last one of a connection that ends says so (RFC 9112, section 9.6).

        So does one that asks for another protocol (RFC 9110, section 7.8): what its client sends next may be of that.
        """
        super().on_headers_complete()
        if self.is_ending or self.parser.should_upgrade():
            self.cycle.keep_alive = False

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's protocols may keep a connection open
        """Keep the connection for the answer where a client has sent its request and says that it sends no more."""
        if self._is_idle() or self.cycle.more_body:
            return False
        self.cycle.keep_alive = False
        return True

    def _is_idle(self) -> bool:
        cycle: Any = self.cycle  # None before the first request, whatever uvicorn's annotation says
        return cycle is None or bool(cycle.response_complete)

    def _close_if_idle(self) -> None:
        if self._is_idle():
            self.transport.close()
