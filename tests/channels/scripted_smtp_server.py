"""An SMTP server that misbehaves as it is told to, and knows what it said to which message."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import BinaryIO, Self

from tests.support.silence import fall_silent
from tests.support.timeouts import PATIENCE

DROP = "drop"
"""In place of a reply: end the connection."""
RESET = "reset"
"""In place of a reply: die, with what was not read thrown away."""
SILENCE = "silence"
"""In place of a reply: nothing, for as long as the client stays (``tests.support.silence``)."""
ENDLESS = "endless"
"""In place of a reply: digits, for as long as the client stays."""
BYTES = "bytes:"
"""Before a reply: send it byte by byte."""

PIPELINING = "250-here\r\n250 PIPELINING"
NO_PIPELINING = "250-here\r\n250 SIZE 50000000"
"""What a server offers that wants to be asked one thing at a time."""

_USUAL: dict[str, Behaviour] = {
    "GREETING": "220 here",
    "EHLO": PIPELINING,
    "MAIL": "250 OK",
    "RCPT": "250 OK",
    "DATA": "354 go on",
    "BODY": "",
    ".": "250 kept",
    "RSET": "250 OK",
    "QUIT": "221 bye",
}

Behaviour = str | tuple[str, ...]
"""A reply, or what is done in place of one; or several such in a row."""

Script = Mapping[str, Behaviour]
"""What to do at a command, or at what ``GREETING``, ``BODY`` (its first line) and ``.`` stand for.

``MAIL 2`` is for the second one on a connection. ``UNDISCLOSED_RECIPIENTS`` is for DATA where no recipient was taken.
"""


@dataclass(slots=True)
class _State:
    """What a transaction has come to."""

    sender: bool = False
    recipient: bool = False


@dataclass(slots=True, kw_only=True)
class SmtpSession:
    """What one connection said, and what was said to it.

    Attributes:
        commands: the commands, in their order.
        answers: message by message, what was said to its final dot; "" if nothing was.
        orphaned_content: what was sent after DATA though no recipient had been taken.
    """

    commands: list[str] = field(default_factory=list)
    answers: list[tuple[bytes, str]] = field(default_factory=list)
    orphaned_content: list[bytes] = field(default_factory=list)


class ScriptedServer(AbstractContextManager["ScriptedServer"]):
    """Follows a script for each connection, the last one for all that come after.

    Attributes:
        port: at 127.0.0.1.
        sessions: of each connection.
    """

    def __init__(self, *scripts: Script) -> None:
        self.sessions: list[SmtpSession] = []
        self._scripts = scripts or ({},)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]

    @property
    def commands(self) -> list[list[str]]:
        """The commands of each connection."""
        return [session.commands for session in self.sessions]

    @property
    def messages(self) -> list[bytes]:
        """The messages of which the final dot came."""
        return [content for session in self.sessions for content, _ in session.answers]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_exc: object) -> None:
        for connection in (self._listener, *self._open):
            with suppress(OSError):  # the other side may have closed it
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        for thread in self._threads:
            thread.join(timeout=PATIENCE)

    def _accept(self) -> None:
        with suppress(OSError):  # closed at the end of the test
            while True:
                client, _ = self._listener.accept()
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                script = self._scripts[min(len(self.sessions), len(self._scripts) - 1)]
                self.sessions.append(SmtpSession())
                self._open.append(client)
                talk = _SessionHandler(client, client.makefile("rb"), {**_USUAL, **script}, self.sessions[-1])
                self._threads.append(threading.Thread(target=talk.run))
                self._threads[-1].start()


@dataclass(slots=True)
class _SessionHandler:
    client: socket.socket
    lines: BinaryIO
    script: Script
    session: SmtpSession
    state: _State = field(default_factory=_State)

    def run(self) -> None:
        with suppress(OSError), self.client, self.lines:
            going = self._act("GREETING", 1)
            while going and (line := self.lines.readline()):
                self.session.commands.append(line.decode("utf-8", "replace").rstrip("\r\n"))
                verb = self.session.commands[-1].partition(" ")[0].upper()
                count = sum(command.upper().startswith(verb) for command in self.session.commands)
                going = self._handle_command(verb, count)

    def _handle_command(self, verb: str, count: int) -> bool:
        """Answer a command as its place in the transaction allows (RFC 5321, section 4.1.4)."""
        if (verb == "MAIL" and self.state.sender) or (verb == "RCPT" and not self.state.sender):
            return self._reply("503 5.5.1 not now")
        if verb == "DATA" and not self.state.recipient:
            return self._read_orphaned_content()
        if not self._act(verb, count) or verb == "QUIT":
            return False
        yes = self._get_first_reply(verb, count)[:1] in {"2", "3"}
        if verb == "RSET":
            self.state = _State()
        self.state.sender |= verb == "MAIL" and yes
        self.state.recipient |= verb == "RCPT" and yes
        if verb == "DATA" and self._get_first_reply(verb, count).startswith("354"):
            return self._read_content(count)
        return True

    def _read_orphaned_content(self) -> bool:
        reply = self.script.get("NOBODY", "554 5.5.1 no valid recipients")
        if not self._reply(str(reply)):
            return False
        if str(reply).startswith("354"):
            content = list(iter(self.lines.readline, b".\r\n")) if self.lines.peek(1) else []  # type: ignore[attr-defined]
            if b"".join(content):
                self.session.orphaned_content.append(b"".join(content))
            self.state = _State()
            return self._reply("554 5.5.1 no valid recipients")
        return True

    def _read_content(self, count: int) -> bool:
        content = [self.lines.readline()]
        if not self._act("BODY", count):
            return False
        while content[-1] not in {b".\r\n", b""}:
            content.append(self.lines.readline())
        if not content.pop():
            return False
        # Noted before it is said: what a client that has the answer asks about is there.
        answer = self._get_first_reply(".", count)
        self.session.answers.append(
            (b"".join(content), "" if answer in {DROP, RESET, SILENCE, ENDLESS} else answer)
        )
        self.state = _State()
        return self._act(".", count)

    def _get_behaviour(self, subject: str, count: int) -> tuple[str, ...]:
        text = self.script.get(f"{subject} {count}", self.script.get(subject, "502 what?"))
        return (text,) if isinstance(text, str) else text

    def _get_first_reply(self, subject: str, count: int) -> str:
        """The first thing that is said, or done."""
        return self._get_behaviour(subject, count)[0].removeprefix(BYTES)

    def _act(self, subject: str, count: int) -> bool:
        return all(self._reply(text) for text in self._get_behaviour(subject, count))

    def _reply(self, reply: str) -> bool:
        """Do what is to be done; False if that ends the connection."""
        match reply:
            case "":
                return True
            case "silence":
                with fall_silent(self.client):
                    self.lines.read()
            case "endless":
                while True:
                    self.client.sendall(b"2" * 100)
            case "reset":
                # With bytes unread and no lingering the client gets a reset, as from a server that dies.
                self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if reply in {DROP, RESET, SILENCE}:
            return False
        sent = f"{reply.removeprefix(BYTES)}\r\n".encode()
        for part in [sent] if not reply.startswith(BYTES) else [sent[n : n + 1] for n in range(len(sent))]:
            self.client.sendall(part)
        return True
