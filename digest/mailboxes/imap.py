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

    def fetch_unread(self, max_messages: int, max_bytes: int) -> Iterator[tuple[str, bytes]]:
        """What has no flag "seen", in the order of its arrival."""
        for uid in self._search_unread()[:max_messages]:
            content = self._fetch_message(uid, max_bytes)
            if content is not None:
                yield uid, content

    def mark_read(self, name: str) -> None:
        """Set the flag "seen"."""
        self._run_command(
            "mark a message as read",
            lambda connection: connection.uid("STORE", name, "+FLAGS.SILENT", r"(\Seen)"),
        )

    def check(self) -> str:
        """Log in, open it and count."""
        return f"{len(self._search_unread()):,} unread in {self.folder} at {self._server}"

    def close(self) -> None:
        """Take leave of the server."""
        if self._connection is not None:
            with suppress(imaplib.IMAP4.error, OSError):
                self._connection.logout()
        self._connection = None

    # --- talking ----------------------------------------------------------------------------------

    @property
    def _server(self) -> str:
        return f"{self.host}:{self.port}"

    def _search_unread(self) -> list[str]:
        response = self._run_command(
            "search for what is unread", lambda connection: connection.uid("SEARCH", "UNSEEN")
        )
        uids = b" ".join(line for line in response if isinstance(line, bytes)).split()
        return sorted((uid.decode("ascii") for uid in uids if uid.isdigit()), key=int)

    def _fetch_message(self, uid: str, max_bytes: int) -> bytes | None:
        """The beginning of a message; None where somebody has taken it away."""
        body_part = f"(BODY.PEEK[]<0.{max_bytes}>)"
        response = self._run_command(
            "fetch a message", lambda connection: connection.uid("FETCH", uid, body_part)
        )
        return next((bytes(line[1]) for line in response if isinstance(line, tuple)), None)

    def _run_command(
        self, action: str, command: Callable[[imaplib.IMAP4], tuple[str, list[Any]]]
    ) -> list[Any]:
        try:
            status, response = command(self._get_connection())
        except (imaplib.IMAP4.error, OSError, UnicodeError) as error:
            self._drop()  # where it stands is not known
            raise ReportError(f"{self._server} could not {action}: {_describe_error(error)}") from error
        if status != "OK":
            raise ReportError(
                f"{self._server} could not {action}: it said {status} {_format_response(response)}"
            )
        return response

    def _drop(self) -> None:
        if self._connection is not None:
            _close_connection(self._connection)
        self._connection = None

    def _get_connection(self) -> imaplib.IMAP4:
        if self._connection is None:
            connection = self._connect()
            try:
                self._log_in(connection)
                status, response = connection.select(f'"{self.folder}"')
            except BaseException:
                _close_connection(connection)
                raise
            if status != "OK":
                _close_connection(connection)
                raise ReportError(
                    f"{self._server} has no folder {self.folder!r} that can be read ({_format_response(response)}); "
                    "check `mailbox` in [bounces]"
                )
            self._connection = connection
        return self._connection

    def _connect(self) -> imaplib.IMAP4:
        try:
            if not self.tls:
                return imaplib.IMAP4(self.host, self.port, timeout=self.timeout)
            tls_context = ssl.create_default_context(cafile=self.ca_file or None)
            return imaplib.IMAP4_SSL(self.host, self.port, ssl_context=tls_context, timeout=self.timeout)
        except (imaplib.IMAP4.error, OSError, UnicodeError) as error:
            raise ReportError(
                f"{self._server} cannot be reached: {_describe_error(error)}; check `mailbox` in [bounces]"
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
                f"{self._server} refused the login of {self.username}: {_describe_error(error)}; "
                "check `username` and `password` in [bounces]"
            ) from error


def _close_connection(connection: imaplib.IMAP4) -> None:
    with suppress(OSError):  # it is as good as closed then
        connection.shutdown()


def _describe_error(error: Exception) -> str:
    """In words; the library's own are bytes at times."""
    reason = error.args[0] if error.args else ""
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(error)
    return (
        "".join(character if character.isprintable() else "?" for character in text[:300])
        or type(error).__name__
    )


def _format_response(response: list[Any]) -> str:
    return " ".join(line.decode("utf-8", "replace") for line in response if isinstance(line, bytes))[:300]
