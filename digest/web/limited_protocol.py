"""HTTP with limits, for who reaches us without a web server before us.

The parser has none: uvicorn with httptools takes headers until the memory is used up, waits for a request for ever, and
turns everybody away when some hundred connections say nothing (decision 0036).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from digest.web.connection import ConnectionProtocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a client may take.

    Attributes:
        head_bytes: of a request's first line and headers.
        head_fields: headers.
        head_seconds: until a head is there, from the connection's beginning or its first byte.
        body_seconds: until a body is there, from its head's first byte.
        write_seconds: that a client may leave an answer unread.
        waiting_per_address: connections of one address that have no whole request under way.
        waiting: such connections of all addresses together.
        grace_seconds: a connection so young is not closed for there being too many: its request may be on its way.
        poll_interval: seconds between two looks at all connections.
    """

    head_bytes: int = 32_000
    head_fields: int = 100
    head_seconds: float = 10.0
    body_seconds: float = 60.0
    write_seconds: float = 60.0
    waiting_per_address: int = 64
    waiting: int = 350
    grace_seconds: float = 1.0
    poll_interval: float = 1.0


@dataclass(slots=True)
class Connections:
    """The connections of a server, the oldest first; one timer looks at them all."""

    limits: Limits = field(default_factory=Limits)
    _open: dict[LimitedProtocol, str] = field(default_factory=dict)
    _timer: asyncio.TimerHandle | None = None

    def add(self, connection: LimitedProtocol, address: str) -> None:
        """Watch one, until it is removed."""
        self._open[connection] = address
        if self._timer is None:
            self._timer = connection.loop.call_later(
                self.limits.poll_interval, self._close_overdue, connection.loop
            )

    def remove(self, connection: LimitedProtocol) -> None:
        """Watch one no more."""
        self._open.pop(connection, None)
        if not self._open and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close_overdue(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in list(self._open):
            connection.close_if_overdue(now)
        self._close_surplus(now)
        self._timer = (
            loop.call_later(self.limits.poll_interval, self._close_overdue, loop) if self._open else None
        )

    def _close_surplus(self, now: float) -> None:
        """Close the oldest connections that wait, where there are too many of an address, or of all."""
        waiting = {one: address for one, address in self._open.items() if one.is_waiting()}
        counts = Counter(waiting.values())
        left = len(waiting)
        for connection, address in waiting.items():
            is_surplus = counts[address] > self.limits.waiting_per_address or left > self.limits.waiting
            if is_surplus and now - connection.began_at > self.limits.grace_seconds:
                connection.transport.abort()
                counts[address] -= 1
                left -= 1


class _RefusedError(Exception):
    """Ends the parsing of a request that is not answered."""


class LimitedProtocol(ConnectionProtocol):
    """Answers as uvicorn does, within limits.

    Attributes:
        watched: all connections of the server.
        began_at: when it was made, by the loop's clock.
    """

    watched: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin: a head is expected."""
        super().connection_made(transport)
        self.began_at = self._receiving_since = self.loop.time()
        self._in_head = True
        self._head_size = self._chunk_size = 0
        self._is_receiving = True
        self._unread_since = 0.0
        self._refusal = 400
        self.watched.add(self, _network(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.watched.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that does not end is refused before the parser has kept more of it than two chunks."""
        self._chunk_size = len(data)
        if self._in_head:
            self._head_size += self._chunk_size
        super().data_received(data)
        if self._in_head and self._head_size > self.watched.limits.head_bytes:
            self._refuse(431)

    def on_message_begin(self) -> None:
        """Another request begins; what stood before it in the chunk is not part of its head."""
        self._in_head = self._is_receiving = True
        self._head_size = 0
        self._receiving_since = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Go on with a head that keeps to the limits (RFC 9112, section 3.2: one Host; RFC 6585, section 5)."""
        self._in_head = False
        limits = self.watched.limits
        is_long = self._head_size + self._chunk_size > limits.head_bytes and self._size() > limits.head_bytes
        if is_long or len(self.headers) > limits.head_fields:
            self._refusal = 431
            raise _RefusedError
        if [name for name, _ in self.headers].count(b"host") > 1:
            raise _RefusedError
        self.take_request()

    def take_request(self) -> None:
        """Begin to answer a request whose head is there."""
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of a request is there."""
        self._is_receiving = False
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The client does not read."""
        self._unread_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It reads again."""
        self._unread_since = 0.0
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be parsed, or is refused, and close."""
        if self._refusal == 400:
            super().send_400_response(msg)
        else:
            self._refuse(self._refusal)

    def is_waiting(self) -> bool:
        """Whether no whole request is under way, or its answer is not read."""
        cycle: Any = self.cycle  # None before the first request
        return cycle is None or cycle.response_complete or self._is_receiving or bool(self._unread_since)

    def close_if_overdue(self, now: float) -> None:
        """Close it if its client takes too long."""
        limits = self.watched.limits
        if self._unread_since and now - self._unread_since > limits.write_seconds:
            self.transport.abort()
        elif not self._is_receiving or self.flow.read_paused:
            return  # that the rest is not there is our doing
        elif self._in_head and now - self._receiving_since > limits.head_seconds:
            self._refuse(408)
        elif now - self._receiving_since > limits.body_seconds:
            self.transport.abort()

    def _size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _refuse(self, status: int) -> None:
        if not self.transport.is_closing():
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
            self.transport.close()


def _network(client: Any) -> str:
    """The address that connections are counted by; of IPv6 the half that is one customer's."""
    address = str(client[0]) if client else ""
    if ":" not in address:
        return address
    from ipaddress import IPv6Address

    return IPv6Address(address.partition("%")[0]).exploded[:19]
