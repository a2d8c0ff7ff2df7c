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

from tests.support.silence import fallen_silent

USER, PASSWORD = "bounces@example.org", 'pä"ss\\word'


@dataclass
class Stored:
    """A message on the server."""

    content: bytes
    seen: bool = False


@dataclass
class ImapServer(AbstractContextManager["ImapServer"]):
    """One mailbox, ``INBOX``.

    Attributes:
        messages: by their UID, less one.
        context: of TLS; None speaks in clear.
        plain: whether it offers AUTH=PLAIN.
        hangs_up_at: closes the connection when it is asked this.
        silent_at: gives no answer to this.
        refuses: says NO to this.
        asked: every command that it got, without passwords.
    """

    messages: list[Stored] = field(default_factory=list)
    context: ssl.SSLContext | None = None
    plain: bool = True
    hangs_up_at: str = ""
    silent_at: str = ""
    refuses: str = ""
    asked: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._door = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._thread.join()

    @property
    def port(self) -> int:
        port: int = self._door.getsockname()[1]
        return port

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._door.accept()
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
            self.asked.append(word if word in {"LOGIN", "AUTHENTICATE"} else rest)
            if word == self.hangs_up_at:
                return
            if word == self.silent_at:
                with fallen_silent(connection):
                    reader.read()
                return
            if word == self.refuses:
                connection.sendall(f"{tag} NO [CANNOT] not here\r\n".encode())
                continue
            answer = self._answer(word, rest, reader, connection)
            connection.sendall(answer + f"{tag} {self._end}\r\n".encode())
            if word == "LOGOUT":
                return

    def _answer(self, word: str, rest: str, reader: object, connection: socket.socket) -> bytes:
        self._end = "OK done"
        match word:
            case "CAPABILITY":
                return b"* CAPABILITY IMAP4rev1" + (b" AUTH=PLAIN" if self.plain else b"") + b"\r\n"
            case "AUTHENTICATE":
                connection.sendall(b"+ \r\n")
                told = base64.b64decode(reader.readline())  # type: ignore[attr-defined]
                self._let_in(told == f"\0{USER}\0{PASSWORD}".encode())
            case "LOGIN":
                self._let_in(rest == f'LOGIN {USER} "plain-password"')
            case "SELECT":
                if rest != 'SELECT "INBOX"':
                    self._end = "NO there is no such mailbox"
                return f"* {len(self.messages)} EXISTS\r\n".encode()
            case "UID SEARCH":
                numbers = [str(place + 1) for place, one in enumerate(self.messages) if not one.seen]
                return f"* SEARCH {' '.join(numbers)}".rstrip().encode() + b"\r\n"
            case "UID FETCH":
                return self._fetched(rest)
            case "UID STORE":
                number = int(rest.split()[2])
                self.messages[number - 1].seen = r"+FLAGS.SILENT (\Seen)" in rest
        return b""

    def _let_in(self, known: bool) -> None:  # noqa: FBT001 - said in the call
        if not known:
            self._end = "NO [AUTHENTICATIONFAILED] who are you?"

    def _fetched(self, rest: str) -> bytes:
        found = re.fullmatch(r"UID FETCH (\d+) \(BODY\.PEEK\[\]<0\.(\d+)>\)", rest)
        assert found is not None, rest
        content = self.messages[int(found[1]) - 1].content[: int(found[2])]
        head = f"* {found[1]} FETCH (UID {found[1]} BODY[]<0> {{{len(content)}}}\r\n".encode()
        return head + content + b")\r\n"
