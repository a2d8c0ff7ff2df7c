"""A mailbox on an IMAP server: ``mailbox = "imaps://imap.example.org/INBOX"`` (RFC 3501).

Messages without the flag "seen" are unread. Fetching a message does not set the flag; it is set when the
message has been processed.
"""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import SplitResult, unquote, urlsplit

from digest import ports
from digest.core.delivery.encryption import needs_encryption
from digest.errors import OptionError, ReportError
from digest.ports import MailboxLogin

_TIMEOUT = 30.0
"""Timeout of each response, in seconds."""


@dataclass(slots=True, kw_only=True)
class Mailbox(ports.Mailbox):
    """One mailbox; it connects when it is first used.

    Attributes:
        tls: whether the connection is encrypted from the start.
        folder: the name of the folder on the server.
        ca_file: certificates to trust instead of the system's; "" for the system's.
        timeout: timeout of each response, in seconds.
    """

    host: str
    port: int
    tls: bool
    folder: str
    username: str
    password: str = field(repr=False)
    ca_file: str = ""
    timeout: float = _TIMEOUT
    needs_login = True
    _connection: imaplib.IMAP4 | None = field(default=None, init=False, repr=False)

    @classmethod
    def from_address(cls, address: str, base_folder: Path, login: MailboxLogin | None) -> Self:  # noqa: ARG003 - it has no files
        """Make the mailbox of ``imaps://HOST/FOLDER``, or of ``imap://`` for a server on this machine."""
        parts = _split_address(address)
        if parts.username or parts.password:
            raise OptionError(
                "messages would show a login in the address; write `username` and `password` instead",
                "mailbox",
            )
        host = parts.hostname or ""
        if parts.scheme == "imap" and needs_encryption(host):
            raise OptionError("mail and password would be sent unencrypted; write imaps://", "mailbox")
        if not host or parts.query or parts.fragment:
            raise _make_address_error(address)
        has_tls = parts.scheme == "imaps"
        return cls(
            host=host,
            port=parts.port or (993 if has_tls else 143),
            tls=has_tls,
            folder=unquote(parts.path.strip("/")) or "INBOX",
            username=login.username if login else "",
            password=login.password if login else "",
            ca_file=login.ca_file if login else "",
        )

    def fetch_unread(self, max_messages: int, max_bytes: int) -> Iterator[tuple[str, bytes]]:
        """Fetch the messages without the flag "seen", in order of arrival."""
        for uid in self._search_unread()[:max_messages]:
            content = self._fetch_message(uid, max_bytes)
            if content is not None:
                yield uid, content

    def mark_read(self, name: str) -> None:
        """Set the flag "seen" of a message."""
        self._run_command(
            "mark a message as read",
            lambda connection: connection.uid("STORE", name, "+FLAGS.SILENT", r"(\Seen)"),
        )

    def check(self) -> str:
        """Log in, open the folder and return the number of unread messages, in words."""
        return f"{len(self._search_unread()):,} unread in {self.folder} at {self._server}"

    def close(self) -> None:
        """Log out and close the connection."""
        if self._connection is not None:
            with suppress(imaplib.IMAP4.error, OSError):
                self._connection.logout()
        self._connection = None

    # --- connection -------------------------------------------------------------------------------

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
        """Fetch the beginning of a message; return None if it has been removed."""
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
            self._drop()  # the state of the session is unknown
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
        """Log in by PLAIN if the server offers it, because it allows any password (RFC 4616), otherwise by LOGIN."""
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


def _split_address(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises for an invalid port
    except ValueError:
        raise _make_address_error(address) from None
    return parts


def _make_address_error(address: str) -> OptionError:
    return OptionError(f'{address!r} is not a mailbox; write "imaps://imap.example.org/INBOX"', "mailbox")


def _close_connection(connection: imaplib.IMAP4) -> None:
    with suppress(OSError):  # the connection is already broken
        connection.shutdown()


def _describe_error(error: Exception) -> str:
    """Return an error in words; the messages of imaplib are sometimes bytes."""
    reason = error.args[0] if error.args else ""
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(error)
    return (
        "".join(character if character.isprintable() else "?" for character in text[:300])
        or type(error).__name__
    )


def _format_response(response: list[Any]) -> str:
    return " ".join(line.decode("utf-8", "replace") for line in response if isinstance(line, bytes))[:300]
