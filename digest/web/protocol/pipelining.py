"""Pipelining: the requests of a connection are processed one after the other.

A client may send requests ahead (RFC 9112, section 9.3.2). uvicorn parses all that it has received and queues
requests that it cannot answer yet, at some kB for a request of 20 bytes, and each answer lets it read more.
This protocol parses a request when the one before it has been answered; until then received data stays
unparsed, and nothing more is read.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.flow_control import FlowControl

from digest.web.protocol.connection import ConnectionProtocol

_END_OF_HEAD = b"\r\n\r\n"
_MAX_PIECES = 64
"""Maximum number of pieces of a body that are parsed before other connections get their turn.

Each empty line ends a piece, even within a body.
"""


class HoldingFlowControl(FlowControl):
    """uvicorn's flow control, which also stops reading while received data is held back.

    Attributes:
        is_holding: whether data is held back.
    """

    is_holding = False

    def hold(self) -> None:
        """Stop reading."""
        self.is_holding = True
        self._transport.pause_reading()

    def release(self) -> None:
        """Continue reading, unless uvicorn has paused it."""
        if self.is_holding:
            self.is_holding = False
            if not self.read_paused:
                self._transport.resume_reading()

    def resume_reading(self) -> None:
        """Continue reading, unless data is held back."""
        if self.read_paused:
            self.read_paused = False
            if not self.is_holding:
                self._transport.resume_reading()


class SequentialProtocol(ConnectionProtocol):
    """Parses a request when the one before it has been answered.

    Received data is cut behind each empty line, where heads end. So a piece contains the end of one head at
    most, and the next request begins in another piece. (If the network splits a head, its end may share a
    piece with the next request, which uvicorn then queues.)

    Attributes:
        is_in_head: whether a head is expected or incomplete.
        is_receiving: whether a head or the body after it is expected or incomplete.
        receiving_since: when that began, by the loop's clock.
    """

    flow: HoldingFlowControl

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start a connection, and expect the head of a request."""
        super().connection_made(transport)
        self.flow = HoldingFlowControl(transport)
        self._unparsed = b""
        self._is_scheduled = False
        self.expect_head()

    def data_received(self, data: bytes) -> None:
        """Parse the received data as far as it may be parsed now."""
        if not self._unparsed and data.find(_END_OF_HEAD) in (-1, len(data) - len(_END_OF_HEAD)):
            self.parse(data)  # the usual case costs only this check
        else:
            self._parse(self._unparsed + data)

    def parse(self, piece: bytes) -> None:
        """Parse a piece, which contains the end of one head at most."""
        if not self.is_receiving:
            self.expect_head()
        super().data_received(piece)

    def expect_head(self) -> None:
        """Expect a request, from its first byte or that of empty lines before it."""
        self.is_in_head = self.is_receiving = True
        self.receiving_since = self.loop.time()

    def on_message_begin(self) -> None:
        """Start a request, which may share a piece with the end of another one."""
        if not self.is_in_head:
            self.expect_head()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """End a request that has been received completely."""
        self.is_receiving = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Continue with the next request."""
        super().on_response_complete()
        if self._unparsed:
            self._parse_soon()

    def _parse(self, data: bytes) -> None:
        self._unparsed = b""
        start = 0
        for _ in range(_MAX_PIECES):
            if self.transport.is_closing():
                return  # data after the last request gets no answer
            head_end = data.find(_END_OF_HEAD, start)
            end = head_end + len(_END_OF_HEAD) if head_end >= 0 else len(data)
            self.parse(data[start:end])
            if end == len(data):
                self.flow.release()
                return
            start = end
            if not self._is_body_expected():
                break
        self._unparsed = data[start:]
        self.flow.hold()
        self._parse_soon()

    def _parse_soon(self) -> None:
        """Continue to parse after other connections had their turn, if that is possible now."""
        if not self._is_scheduled and (self._is_idle() or self._is_body_expected()):
            self._is_scheduled = True
            self.loop.call_soon(self._parse_held)

    def _parse_held(self) -> None:
        self._is_scheduled = False
        self._parse(self._unparsed)

    def _is_body_expected(self) -> bool:
        """Whether further data belongs to the request that is being answered."""
        return self.is_receiving and not self.pipeline
