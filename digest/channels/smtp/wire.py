"""Bytes and replies over one socket. A reply that is late, endless or malformed counts as a lost connection."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field

_REPLY_LINE = re.compile(rb"([2-5][0-9][0-9])(?:([ -])(.*))?", re.DOTALL)
_MAX_REPLY_BYTES = 65536
"""Maximum length of a reply, in bytes; RFC 5321, section 4.5.3.1.5, allows 512 per line."""


class ConnectionLostError(Exception):
    """The connection ended, or its replies make no sense; the message says what happened."""


@dataclass(slots=True, kw_only=True)
class Wire:
    """A socket that is read line by line; received bytes are neither lost nor read twice.

    ``smtplib`` also reads from it while it opens the connection, so that no other buffer holds back bytes.

    Attributes:
        server: ``host:port``, for messages.
        clock: a clock in seconds; only differences matter.
    """

    sock: socket.socket
    server: str
    clock: Callable[[], float]
    _unread: bytes = field(default=b"", init=False, repr=False)
    _time_limit: float = field(default=0.0, init=False)
    _deadline: float | None = field(default=None, init=False)
    _received_bytes: int = field(default=0, init=False)

    def set_time_limit(self, seconds: float) -> None:
        """Set the time limit of the whole next exchange, so that a server cannot extend it by sending single bytes."""
        self._time_limit = seconds
        self._deadline = None
        self._received_bytes = 0

    def _apply_time_limit(self) -> None:
        """Limit the next socket operation to the remaining time.

        Raises:
            TimeoutError: no time remains.
        """
        remaining = self._time_limit
        if self._deadline is None:
            self._deadline = self.clock() + remaining
        else:
            remaining = self._deadline - self.clock()
            if remaining <= 0:
                raise TimeoutError("timed out")
        if self.sock.gettimeout() != remaining:
            self.sock.settimeout(remaining)

    def readline(self, limit: int) -> bytes:
        """Return the next line with its end; an incomplete one if the connection ended in it, b"" if there is none.

        Raises:
            OSError: the line did not arrive in time, or is too long.
        """
        start = 0
        while (end := self._unread.find(b"\n", start)) < 0 and len(self._unread) < limit:
            start = len(self._unread)
            if not self._receive():
                break
        length = min(end + 1 or len(self._unread), limit)
        line, self._unread = self._unread[:length], self._unread[length:]
        return line

    def _receive(self) -> bool:
        """Receive the next bytes; return False if the other side closed the connection."""
        self._apply_time_limit()
        chunk = self.sock.recv(16384)
        self._unread += chunk
        self._received_bytes += len(chunk)
        if self._received_bytes > _MAX_REPLY_BYTES:
            raise OSError("its answer has no end")
        return bool(chunk)

    def read_reply(self, seconds: float) -> tuple[int, bytes]:
        """Read the next reply: its code, and the text of all its lines.

        Args:
            seconds: how long it may take.

        Raises:
            ConnectionLostError: no reply came, or it is malformed.
        """
        self.set_time_limit(seconds)
        texts: list[bytes] = []
        code = b""
        while True:
            try:
                line = self.readline(_MAX_REPLY_BYTES)
            except ConnectionError as error:
                raise ConnectionLostError(f"{self.server} closed the connection: {error}") from None
            except OSError as error:
                raise ConnectionLostError(f"{self.server} gave an invalid answer: {error}") from None
            if not line.endswith(b"\n"):
                raise ConnectionLostError(f"{self.server} closed the connection")
            match = _REPLY_LINE.fullmatch(line.rstrip(b"\r\n"))
            if match is None or code not in {b"", match[1]}:
                raise ConnectionLostError(f"{self.server} gave an invalid answer: {make_readable(line)!r}")
            code = match[1]
            texts.append(match[3] or b"")
            if match[2] != b"-":
                return int(code), b" ".join(texts)

    @property
    def has_unread(self) -> bool:
        """Whether bytes were received that nobody has read yet."""
        return bool(self._unread)

    def has_unsolicited(self) -> bool:
        """Whether the server sent something, or closed the connection, although nothing was asked."""
        if self._unread:
            return True
        self.sock.settimeout(0)
        try:
            self._unread += self.sock.recv(16384)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except OSError:
            pass
        return True

    def write(self, head: bytes, tail: bytes = b"") -> int:
        """Send two parts of data within the time limit.

        In TLS the tail is a record of its own. The other side cannot decrypt a record that broke off, so
        bytes that were not passed to the socket were not received.

        Returns:
            The number of bytes passed to the socket: all of them, unless the connection broke.
        """
        total = len(head) + len(tail)
        sent_bytes = 0
        try:
            self._apply_time_limit()
            if not isinstance(self.sock, ssl.SSLSocket):
                sent_bytes = self.sock.sendmsg([head, tail])
            while sent_bytes < total:
                remainder = (
                    memoryview(head)[sent_bytes:]
                    if sent_bytes < len(head)
                    else memoryview(tail)[sent_bytes - len(head) :]
                )
                self._apply_time_limit()
                sent_bytes += self.sock.send(remainder)
        except OSError:
            pass
        return sent_bytes

    def close(self) -> None:
        """Close the socket."""
        self.sock.close()


def make_readable(reply: bytes | str) -> str:
    """Return a server's words in one line, without control characters, and at most 500 characters."""
    text = reply if isinstance(reply, str) else reply.decode("utf-8", "replace")
    return " ".join(re.sub(r"[\x00-\x20\x7f-\x9f]+", " ", text).split())[:500]
