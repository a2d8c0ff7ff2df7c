"""A server that speaks as much of IMAP4rev1 (RFC 3501) as reading a mailbox takes, and can misbehave."""

from __future__ import annotations

import base64
import re
import socket
import ssl
import threading
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import Self

from tests.support.silence import fall_silent

USER, PASSWORD = "bounces@example.org", 'pä"ss\\word'


@dataclass
class StoredMessage:
    """A message on the server."""

    content: bytes
    is_seen: bool = False


@dataclass
class ImapServer(AbstractContextManager["ImapServer"]):
    """One mailbox, ``INBOX``.

    Attributes:
        messages: by their UID, less one.
        context: of TLS; None speaks in clear.
        offers_plain: whether it offers AUTH=PLAIN.
        hangs_up_at: closes the connection when it is asked this.
        silent_at: gives no answer to this.
        refuses: says NO to this.
        commands: every command that it got, without passwords.
    """

    messages: list[StoredMessage] = field(default_factory=list)
    context: ssl.SSLContext | None = None
    offers_plain: bool = True
    hangs_up_at: str = ""
    silent_at: str = ""
    refuses: str = ""
    commands: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with suppress(OSError), connection:
                if self.context is not None:
                    with self.context.wrap_socket(connection, server_side=True) as secured:
                        self._talk(secured)
                else:
                    self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        reader = connection.makefile("rb")
        connection.sendall(b"* OK ready\r\n")
        while line := reader.readline():
            tag, _, rest = line.decode().strip().partition(" ")
            word = (
                " ".join(rest.upper().split()[:2])
                if rest.upper().startswith("UID")
                else rest.split()[0].upper()
            )
            self.commands.append(word if word in {"LOGIN", "AUTHENTICATE"} else rest)
            if word == self.hangs_up_at:
                return
            if word == self.silent_at:
                with fall_silent(connection):
                    reader.read()
                return
            if word == self.refuses:
                connection.sendall(f"{tag} NO [CANNOT] not here\r\n".encode())
                continue
            answer = self._answer(word, rest, reader, connection)
            connection.sendall(answer + f"{tag} {self._tagged_reply}\r\n".encode())
            if word == "LOGOUT":
                return

    def _answer(self, word: str, rest: str, reader: object, connection: socket.socket) -> bytes:
        self._tagged_reply = "OK done"
        match word:
            case "CAPABILITY":
                return b"* CAPABILITY IMAP4rev1" + (b" AUTH=PLAIN" if self.offers_plain else b"") + b"\r\n"
            case "AUTHENTICATE":
                connection.sendall(b"+ \r\n")
                content = base64.b64decode(reader.readline())  # type: ignore[attr-defined]
                self._check_login(content == f"\0{USER}\0{PASSWORD}".encode())
            case "LOGIN":
                self._check_login(rest == f'LOGIN {USER} "plain-password"')
            case "SELECT":
                if rest != 'SELECT "INBOX"':
                    self._tagged_reply = "NO there is no such mailbox"
                return f"* {len(self.messages)} EXISTS\r\n".encode()
            case "UID SEARCH":
                numbers = [
                    str(place + 1) for place, message in enumerate(self.messages) if not message.is_seen
                ]
                return f"* SEARCH {' '.join(numbers)}".rstrip().encode() + b"\r\n"
            case "UID FETCH":
                return self._fetch_message(rest)
            case "UID STORE":
                number = int(rest.split()[2])
                self.messages[number - 1].is_seen = r"+FLAGS.SILENT (\Seen)" in rest
        return b""

    def _check_login(self, known: bool) -> None:  # noqa: FBT001 - said in the call
        if not known:
            self._tagged_reply = "NO [AUTHENTICATIONFAILED] who are you?"

    def _fetch_message(self, rest: str) -> bytes:
        match = re.fullmatch(r"UID FETCH (\d+) \(BODY\.PEEK\[\]<0\.(\d+)>\)", rest)
        assert match is not None, rest
        content = self.messages[int(match[1]) - 1].content[: int(match[2])]
        head = f"* {match[1]} FETCH (UID {match[1]} BODY[]<0> {{{len(content)}}}\r\n".encode()
        return head + content + b")\r\n"
