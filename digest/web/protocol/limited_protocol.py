"""HTTP with limits, for clients that reach us without a reverse proxy.

uvicorn with httptools has none: it reads headers until the memory is used up, waits for a request
indefinitely, and rejects everybody when some hundred connections are silent (decision 0036).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from digest.web.protocol.pipelining import SequentialProtocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLimits:
    """The limits of clients.

    Attributes:
        head_bytes: maximum size of a request without its body, in bytes: the first line, the headers, the
            framing of a chunked body, and its trailers.
        head_fields: maximum number of headers.
        head_seconds: time until a head is complete, from the start of the connection or the head's first
            byte.
        body_seconds: time until a body is complete, from the first byte of its head.
        write_seconds: time that a client may leave a response unread.
        waiting_per_address: maximum number of connections of one address without a complete request under
            way.
        waiting: maximum number of such connections of all addresses together.
        answering: maximum number of requests under way of all addresses together; one address gets half of
            them at most.
        connections: number of open connections above which waiting ones are closed, however young they are.
        grace_seconds: a connection younger than this is not closed because of their number: its request may
            be on its way.
        poll_interval: seconds between two checks of all connections.
    """

    head_bytes: int = 32_000
    head_fields: int = 100
    head_seconds: float = 10.0
    body_seconds: float = 60.0
    write_seconds: float = 60.0
    waiting_per_address: int = 64
    waiting: int = 350
    answering: int = 600
    connections: int = 1_200
    grace_seconds: float = 0.1
    poll_interval: float = 0.1


@dataclass(slots=True)
class Connections:
    """The connections of a server, oldest first; one timer checks all of them."""

    limits: ClientLimits = field(default_factory=ClientLimits)
    _open: dict[LimitedProtocol, str] = field(default_factory=dict)
    _timer: asyncio.TimerHandle | None = None

    def add(self, connection: LimitedProtocol, address: str) -> None:
        """Watch a connection until it is removed."""
        self._open[connection] = address
        if len(self._open) > self.limits.connections:
            self._close_surplus(older_than=connection.began_at)
        if self._timer is None:
            self._timer = connection.loop.call_later(
                self.limits.poll_interval, self._close_overdue, connection.loop
            )

    def remove(self, connection: LimitedProtocol) -> None:
        """Stop watching a connection."""
        self._open.pop(connection, None)
        if not self._open and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def has_room_for(self, connection: LimitedProtocol) -> bool:
        """Whether a request may be answered: an address may have as many under way as there are places left.

        So one address gets half of all places at most, two addresses a third each, and an address without a
        request finds one.
        """
        answered_addresses = [address for other, address in self._open.items() if other.is_being_answered()]
        remaining = self.limits.answering - len(answered_addresses)
        return answered_addresses.count(self._open[connection]) < remaining

    def _close_overdue(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in list(self._open):
            connection.close_if_overdue(now)
        self._close_surplus(older_than=now - self.limits.grace_seconds)
        self._timer = (
            loop.call_later(self.limits.poll_interval, self._close_overdue, loop) if self._open else None
        )

    def _close_surplus(self, older_than: float) -> None:
        """Close waiting connections if there are too many of one address, or of all.

        The oldest ones of an address are closed first, and among all addresses those of the address that has
        the most.
        """
        ranks: Counter[str] = Counter()
        ranked: list[tuple[int, LimitedProtocol]] = []
        for connection, address in reversed(self._open.items()):
            if connection.is_waiting():
                ranked.append((ranks[address], connection))
                ranks[address] += 1
        ranked.sort(key=lambda pair: pair[0])
        for position, (rank, connection) in enumerate(ranked):
            is_surplus = rank >= self.limits.waiting_per_address or position >= self.limits.waiting
            if is_surplus and connection.began_at <= older_than:
                self._open.pop(connection)
                connection.transport.abort()


class _RefusedError(Exception):
    """Ends the parsing of a request that is rejected."""


class LimitedProtocol(SequentialProtocol):
    """Answers as uvicorn does, within limits.

    Attributes:
        open_connections: all connections of the server.
        began_at: when the connection was opened, by the loop's clock.
    """

    open_connections: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start a connection, and expect the head of a request."""
        super().connection_made(transport)
        self.began_at = self.loop.time()
        self._unread_since = 0.0
        self._refusal = 400
        self.headers = []  # uvicorn has none before the first request
        self.open_connections.add(self, _get_network(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """End a connection."""
        self.open_connections.remove(self)
        super().connection_lost(exc)

    def parse(self, piece: bytes) -> None:
        """Parse a piece, and reject a request whose head or framing exceeds the limits.

        This is checked after each piece, so the parser never stores more than one piece beyond the limits.
        """
        self._piece_size = len(piece)
        self._size += self._piece_size
        super().parse(piece)
        limits = self.open_connections.limits
        if self._size > limits.head_bytes or len(self.headers) > limits.head_fields:
            self._refuse(431)

    def expect_head(self) -> None:
        """Expect a request; what precedes it in a piece does not count for its size."""
        super().expect_head()
        self._size = 0

    def on_headers_complete(self) -> None:
        """Accept a head within the limits (RFC 9112, section 3.2: one Host; RFC 6585, section 5)."""
        limits = self.open_connections.limits
        is_long = (
            self._size + self._piece_size > limits.head_bytes and self._measure_head() > limits.head_bytes
        )
        if is_long or len(self.headers) > limits.head_fields:
            self._refusal = 431
            raise _RefusedError
        host_count = [name for name, _ in self.headers].count(b"host")
        if host_count > 1 or (not host_count and self.parser.get_http_version() != "1.0"):
            raise _RefusedError
        self.take_request()
        self.is_in_head = False
        self.headers = []  # trailers do not belong to the head (RFC 9110, section 6.5.1)

    def take_request(self) -> None:
        """Start to answer a request whose head is complete."""
        # Below half of the places no address can have too many, so there is no need to count them.
        is_crowded = len(self.tasks) * 2 >= self.open_connections.limits.answering
        is_refused = is_crowded and not self.open_connections.has_room_for(self)
        self.limit_concurrency = 0 if is_refused else None  # with 0, uvicorn answers 503
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Receive a part of a body, whose size is limited by the handler that reads it."""
        self._size -= len(body)
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Answer a request that is invalid or rejected, and close the connection."""
        if self._refusal == 400 and self._can_refuse():
            super().send_400_response(msg)
        else:
            self._refuse(self._refusal)

    def is_waiting(self) -> bool:
        """Whether no complete request is under way, or the client does not read its response."""
        return self._is_idle() or self.is_receiving or self.flow.write_paused

    def is_being_answered(self) -> bool:
        """Whether a complete request is under way that was not rejected for lack of a place."""
        return self.limit_concurrency is None and not self.is_waiting()

    def close_if_overdue(self, now: float) -> None:
        """Close the connection if its client takes too long."""
        limits = self.open_connections.limits
        if not self.transport.get_write_buffer_size():
            self._unread_since = 0.0
        elif self._unread_since < self.receiving_since:  # another request has been made since
            self._unread_since = now
        if self._unread_since and now - self._unread_since > limits.write_seconds:
            self.transport.abort()
        elif not self.is_receiving:
            self._keep_alive()
        elif self.flow.read_paused or self.flow.is_holding:
            return  # we have paused reading ourselves
        elif self.is_in_head and now - self.receiving_since > limits.head_seconds:
            self._refuse(408)
        elif now - self.receiving_since > limits.body_seconds:
            self.transport.abort()

    def _keep_alive(self) -> None:
        """Start uvicorn's timeout for the next request, which responses from the cache do not start."""
        if self._is_idle() and self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def _measure_head(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _refuse(self, status: int) -> None:
        if self.transport.is_closing():
            return
        if self._can_refuse():
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    def _can_refuse(self) -> bool:
        """Whether a response would be taken as that of this request: none has begun, and no other comes before it."""
        if self._is_idle():
            return self.is_in_head
        return not self.is_in_head and not self.pipeline and not self.cycle.response_started


def _get_network(client: Any) -> str:
    """Return the address by which connections are counted; for IPv6 the first half, which belongs to one customer."""
    address = str(client[0]) if client else ""
    if ":" not in address:
        return address
    from ipaddress import IPv6Address

    return IPv6Address(address.partition("%")[0]).exploded[:19]
