"""A mailbox on a server: ``mailbox = "imaps://imap.example.org/INBOX"`` (RFC 3501).

What is to be read is what has no flag "seen"; a message is fetched without setting it, and gets it when it is done.
"""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from digest import ports
from digest.errors import ReportError

_TIMEOUT = 30.0
"""Seconds to wait for any answer."""


@dataclass(slots=True, kw_only=True)
class Mailbox(ports.Mailbox):
    """One mailbox; connects when it is first read.

    Attributes:
        tls: encrypted from the start.
        folder: its name there.
        ca_file: certificates to trust instead of the system's; "" for the system's.
    """

    host: str
    port: int
    tls: bool
    folder: str
    username: str
    password: str = field(repr=False)
    ca_file: str = ""
    timeout: float = _TIMEOUT
    _connection: imaplib.IMAP4 | None = field(default=None, init=False, repr=False)

    def unread(self, most: int, max_bytes: int) -> Iterator[tuple[str, bytes]]:
        """What has no flag "seen", in the order of its arrival."""
        for number in self._unread()[:most]:
            content = self._fetched(number, max_bytes)
            if content is not None:
                yield number, content

    def done(self, name: str) -> None:
        """Set the flag "seen"."""
        self._asked("mark a message as read", lambda to: to.uid("STORE", name, "+FLAGS.SILENT", r"(\Seen)"))

    def check(self) -> str:
        """Log in, open it and count."""
        return f"{len(self._unread()):,} unread in {self.folder} at {self._place}"

    def close(self) -> None:
        """Take leave of the server."""
        if self._connection is not None:
            with suppress(imaplib.IMAP4.error, OSError):
                self._connection.logout()
        self._connection = None

    # --- talking ----------------------------------------------------------------------------------

    @property
    def _place(self) -> str:
        return f"{self.host}:{self.port}"

    def _unread(self) -> list[str]:
        found = self._asked("search for what is unread", lambda to: to.uid("SEARCH", "UNSEEN"))
        numbers = b" ".join(one for one in found if isinstance(one, bytes)).split()
        return sorted((number.decode("ascii") for number in numbers if number.isdigit()), key=int)

    def _fetched(self, number: str, max_bytes: int) -> bytes | None:
        """The beginning of a message; None where somebody has taken it away."""
        part = f"(BODY.PEEK[]<0.{max_bytes}>)"
        found = self._asked("fetch a message", lambda to: to.uid("FETCH", number, part))
        return next((bytes(one[1]) for one in found if isinstance(one, tuple)), None)

    def _asked(self, what: str, ask: Callable[[imaplib.IMAP4], tuple[str, list[Any]]]) -> list[Any]:
        try:
            answer, found = ask(self._opened())
        except (imaplib.IMAP4.error, OSError, UnicodeError) as error:
            self._drop()  # where it stands is not known
            raise ReportError(f"{self._place} could not {what}: {_said(error)}") from error
        if answer != "OK":
            raise ReportError(f"{self._place} could not {what}: it said {answer} {_text(found)}")
        return found

    def _drop(self) -> None:
        if self._connection is not None:
            _hang_up(self._connection)
        self._connection = None

    def _opened(self) -> imaplib.IMAP4:
        if self._connection is None:
            connection = self._connect()
            try:
                self._log_in(connection)
                answer, found = connection.select(f'"{self.folder}"')
            except BaseException:
                _hang_up(connection)
                raise
            if answer != "OK":
                _hang_up(connection)
                raise ReportError(
                    f"{self._place} has no folder {self.folder!r} that can be read ({_text(found)}); "
                    "check `mailbox` in [bounces]"
                )
            self._connection = connection
        return self._connection

    def _connect(self) -> imaplib.IMAP4:
        try:
            if not self.tls:
                return imaplib.IMAP4(self.host, self.port, timeout=self.timeout)
            trust = ssl.create_default_context(cafile=self.ca_file or None)
            return imaplib.IMAP4_SSL(self.host, self.port, ssl_context=trust, timeout=self.timeout)
        except (imaplib.IMAP4.error, OSError, UnicodeError) as error:
            raise ReportError(
                f"{self._place} cannot be reached: {_said(error)}; check `mailbox` in [bounces]"
            ) from error

    def _log_in(self, connection: imaplib.IMAP4) -> None:
        """By PLAIN where the server has it, for it can say every password (RFC 4616); else by LOGIN."""
        try:
            if "AUTH=PLAIN" in connection.capabilities:
                login = f"\0{self.username}\0{self.password}".encode()
                connection.authenticate("PLAIN", lambda _challenge: login)
            else:
                connection.login(self.username, self.password)
        except imaplib.IMAP4.abort:
            raise
        except (imaplib.IMAP4.error, UnicodeError) as error:
            raise ReportError(
                f"{self._place} did not let {self.username} in: {_said(error)}; "
                "check `username` and `password` in [bounces]"
            ) from error


def _hang_up(connection: imaplib.IMAP4) -> None:
    with suppress(OSError):  # it is as good as closed then
        connection.shutdown()


def _said(error: Exception) -> str:
    """In words; the library's own are bytes at times."""
    first = error.args[0] if error.args else ""
    text = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(error)
    return "".join(sign if sign.isprintable() else "?" for sign in text[:300]) or type(error).__name__


def _text(found: list[Any]) -> str:
    return " ".join(one.decode("utf-8", "replace") for one in found if isinstance(one, bytes))[:300]
