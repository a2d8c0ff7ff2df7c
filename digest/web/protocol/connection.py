"""Connections that are not closed while they contain an unread request.

uvicorn closes a connection according to what it has read of it. If the event loop was busy for long, a
request may have arrived that has not been read yet: its client would get an empty answer.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_CLOSE_DELAY = 0.01
"""Delay before a connection is closed, in seconds, so that the event loop reads its sockets once more."""


class ConnectionProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which reads once more before it closes a connection.

    Attributes:
        is_ending: whether the server stops, so that the next request is the connection's last one.
    """

    is_ending = False

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection after a short delay, which new data cancels.

        A request may have arrived while the event loop was busy.
        """
        self.timeout_keep_alive_task = self.loop.call_later(_CLOSE_DELAY, super().timeout_keep_alive_handler)

    def shutdown(self) -> None:
        """Close the connection when it is idle, because the server stops or restarts with a changed file."""
        self.is_ending = True
        if self._is_idle():
            self.loop.call_later(_CLOSE_DELAY, self._close_if_idle)
        else:
            super().shutdown()

    def on_headers_complete(self) -> None:
        """Answer a request; the response to the last one announces the end of the connection (RFC 9112, section 9.6).

        So does the response to a request for another protocol (RFC 9110, section 7.8), whose data might
        follow.
        """
        super().on_headers_complete()
        if self.is_ending or self.parser.should_upgrade():
            self.cycle.keep_alive = False

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's protocols may keep a connection open
        """Keep the connection open for the answer if a client has sent its request and then closed its side."""
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
