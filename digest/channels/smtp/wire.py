"""Bytes and replies over one socket, each within its time: what comes late, endless or senseless is a loss."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field

_LINE = re.compile(rb"([2-5][0-9][0-9])(?:([ -])(.*))?", re.DOTALL)
_MOST = 65536
"""A reply of more bytes than this is none: RFC 5321, section 4.5.3.1.5, allows 512 a line."""


class LostError(Exception):
    """The connection ended, or can no longer be made sense of; says what happened.

    Args:
        told: what happened.
    """


@dataclass(slots=True, kw_only=True)
class Wire:
    """A socket, read by lines; of what came, nothing is lost or read twice.

    ``smtplib`` reads by it, too, while it opens the connection: so that no other buffer holds anything back.

    Attributes:
        place: ``host:port``, for messages.
        clock: counts seconds; only differences matter.
    """

    sock: socket.socket
    place: str
    clock: Callable[[], float]
    _unread: bytes = field(default=b"", init=False, repr=False)
    _patience: float = field(default=0.0, init=False)
    _deadline: float | None = field(default=None, init=False)
    _came: int = field(default=0, init=False)

    def allow(self, seconds: float) -> None:
        """Give what is asked next this long, all of it: a server that drips byte by byte gains nothing."""
        self._patience = seconds
        self._deadline = None
        self._came = 0

    def _hurry(self) -> None:
        """Let what the socket does next take no longer than what is left of the time.

        Raises:
            TimeoutError: nothing.
        """
        left = self._patience
        if self._deadline is None:
            self._deadline = self.clock() + left
        else:
            left = self._deadline - self.clock()
            if left <= 0:
                raise TimeoutError("timed out")
        if self.sock.gettimeout() != left:
            self.sock.settimeout(left)

    def readline(self, limit: int) -> bytes:
        """The next line with its end; as it is if the connection ended in it, b"" if there is none.

        Raises:
            OSError: it did not come within its time, or has no end.
        """
        start = 0
        while (end := self._unread.find(b"\n", start)) < 0 and len(self._unread) < limit:
            start = len(self._unread)
            if not self._receive():
                break
        taken = min(end + 1 or len(self._unread), limit)
        line, self._unread = self._unread[:taken], self._unread[taken:]
        return line

    def _receive(self) -> bool:
        """Take in what comes next; False if the other side has closed."""
        self._hurry()
        came = self.sock.recv(16384)
        self._unread += came
        self._came += len(came)
        if self._came > _MOST:
            raise OSError("it answers without end")
        return bool(came)

    def reply(self, seconds: float) -> tuple[int, bytes]:
        """The next reply: its code, and all that is said in it.

        Args:
            seconds: how long it may take.

        Raises:
            LostError: none came, or it makes no sense.
        """
        self.allow(seconds)
        said: list[bytes] = []
        code = b""
        while True:
            try:
                line = self.readline(_MOST)
            except ConnectionError as error:
                raise LostError(f"{self.place} ended the connection: {error}") from None
            except OSError as error:
                raise LostError(f"{self.place} did not answer as it should: {error}") from None
            if not line.endswith(b"\n"):
                raise LostError(f"{self.place} ended the connection")
            found = _LINE.fullmatch(line.rstrip(b"\r\n"))
            if found is None or code not in {b"", found[1]}:
                raise LostError(f"{self.place} answered with nonsense: {readable(line)!r}")
            code = found[1]
            said.append(found[3] or b"")
            if found[2] != b"-":
                return int(code), b" ".join(said)

    @property
    def unread(self) -> bool:
        """Whether something has come that nobody has read yet."""
        return bool(self._unread)

    def unasked(self) -> bool:
        """Whether there is anything to read, be it only the end, though nothing was asked."""
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
        """Send something, and something behind it, within the time that is allowed.

        In TLS the tail is a record of its own: one that broke off cannot be read by the other side, so what was
        not handed over was not heard.

        Returns:
            How many bytes were handed over: all, unless the connection broke.
        """
        whole = len(head) + len(tail)
        handed = 0
        try:
            self._hurry()
            if not isinstance(self.sock, ssl.SSLSocket):
                handed = self.sock.sendmsg([head, tail])
            while handed < whole:
                part = (
                    memoryview(head)[handed:]
                    if handed < len(head)
                    else memoryview(tail)[handed - len(head) :]
                )
                self._hurry()
                handed += self.sock.send(part)
        except OSError:
            pass
        return handed

    def close(self) -> None:
        """Hang up."""
        self.sock.close()


def readable(said: bytes | str) -> str:
    """What a server said, in one line without control characters, and not too long of it."""
    text = said if isinstance(said, str) else said.decode("utf-8", "replace")
    return " ".join(re.sub(r"[\x00-\x20\x7f-\x9f]+", " ", text).split())[:500]
