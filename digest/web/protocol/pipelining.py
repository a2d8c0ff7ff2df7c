"""Requests of a connection, one after the other.

A client may send requests ahead (RFC 9112, section 9.3.2). uvicorn parses all that it has received and queues what it
cannot answer yet, some kB for a request of 20 bytes, and each answer lets more be read. Here a request is parsed when
the one before it is answered; until then what was received stays as it is, and nothing more is read.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.flow_control import FlowControl

from digest.web.protocol.connection import ConnectionProtocol

_END_OF_HEAD = b"\r\n\r\n"
_MAX_PIECES = 64
"""Pieces of a body that are parsed before other connections have their turn: an empty line ends a piece, also there."""


class HoldingFlowControl(FlowControl):
    """uvicorn's control of the flow, which reads nothing while something that was read is held back.

    Attributes:
        is_holding: whether something is.
    """

    is_holding = False

    def hold(self) -> None:
        """Stop reading."""
        self.is_holding = True
        self._transport.pause_reading()

    def release(self) -> None:
        """Read on, unless uvicorn has paused it."""
        if self.is_holding:
            self.is_holding = False
            if not self.read_paused:
                self._transport.resume_reading()

    def resume_reading(self) -> None:
        """Read on, unless something is held back."""
        if self.read_paused:
            self.read_paused = False
            if not self.is_holding:
                self._transport.resume_reading()


class SequentialProtocol(ConnectionProtocol):
    """Parses a request once the one before it is answered.

    What is received is cut behind each empty line, where heads end: so no piece has more than one head, and the next
    request begins in another piece. (A head that was cut by the network can end in a piece that has the next one, which
    uvicorn queues then.)

    Attributes:
        is_in_head: a head is expected, or has begun.
        is_receiving: likewise, or its body is not all there.
        receiving_since: when that began, by the loop's clock.
    """

    flow: HoldingFlowControl

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin."""
        super().connection_made(transport)
        self.flow = HoldingFlowControl(transport)
        self._unparsed = b""
        self._is_scheduled = False
        self.expect_head()

    def data_received(self, data: bytes) -> None:
        """Parse what may be parsed now."""
        if not self._unparsed and data.find(_END_OF_HEAD) in (-1, len(data) - len(_END_OF_HEAD)):
            self.parse(data)  # the usual case costs a request no more than this look
        else:
            self._parse(self._unparsed + data)

    def parse(self, piece: bytes) -> None:
        """Parse a piece, which has the end of one head at most."""
        if not self.is_receiving:
            self.expect_head()
        super().data_received(piece)

    def expect_head(self) -> None:
        """Wait for a request, from its first byte or that of empty lines before it."""
        self.is_in_head = self.is_receiving = True
        self.receiving_since = self.loop.time()

    def on_message_begin(self) -> None:
        """Begin a request, which may stand in one piece with the end of another."""
        if not self.is_in_head:
            self.expect_head()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """End a request: all of it is there."""
        self.is_receiving = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request."""
        super().on_response_complete()
        if self._unparsed:
            self._parse_soon()

    def _parse(self, data: bytes) -> None:
        self._unparsed = b""
        start = 0
        for _ in range(_MAX_PIECES):
            if self.transport.is_closing():
                return  # what stands behind the last request gets no answer
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
        """Parse on after other connections, if it may be now."""
        if not self._is_scheduled and (self._is_idle() or self._is_body_expected()):
            self._is_scheduled = True
            self.loop.call_soon(self._parse_held)

    def _parse_held(self) -> None:
        self._is_scheduled = False
        self._parse(self._unparsed)

    def _is_body_expected(self) -> bool:
        """Whether what comes belongs to the request that is being answered."""
        return self.is_receiving and not self.pipeline
