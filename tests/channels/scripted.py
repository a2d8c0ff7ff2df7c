"""An SMTP server that misbehaves as it is told to."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from typing import BinaryIO, Self

DROP = "drop"
"""In place of a reply: end the connection."""
SILENCE = "silence"
"""In place of a reply: nothing, for as long as the client stays."""

_USUAL = {
    "GREETING": "220 here",
    "EHLO": "250-here\r\n250 PIPELINING",
    "MAIL": "250 OK",
    "RCPT": "250 OK",
    "DATA": "354 go on",
    ".": "250 kept",
    "RSET": "250 OK",
    "QUIT": "221 bye",
}

Script = Mapping[str, str]
"""What to say to a command, or to what ``GREETING``, ``BODY`` (its first line) and ``.`` stand for.

``MAIL 2`` is for the second one on a connection.
"""


class ScriptedServer(AbstractContextManager["ScriptedServer"]):
    """Follows a script for each connection, the last one for all that come after.

    Attributes:
        port: at 127.0.0.1.
        said: the commands of each connection.
        kept: the messages of which the final dot came.
    """

    def __init__(self, *scripts: Script) -> None:
        self.said: list[list[str]] = []
        self.kept: list[bytes] = []
        self._scripts = scripts or ({},)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_exc: object) -> None:
        for one in (self._listener, *self._open):
            with suppress(OSError):  # the other side may have closed it
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join(timeout=20)

    def _accept(self) -> None:
        with suppress(OSError):  # closed at the end of the test
            while True:
                client, _ = self._listener.accept()
                script = self._scripts[min(len(self.said), len(self._scripts) - 1)]
                said: list[str] = []
                self.said.append(said)
                self._open.append(client)
                self._threads.append(threading.Thread(target=self._serve, args=(client, script, said)))
                self._threads[-1].start()

    def _serve(self, client: socket.socket, script: Script, said: list[str]) -> None:
        with suppress(OSError), client, client.makefile("rb") as lines:
            going = self._reply(client, lines, script, "GREETING", 1)
            while going and (line := lines.readline()):
                said.append(line.decode().rstrip("\r\n"))
                verb = said[-1].partition(" ")[0].upper()
                count = sum(one.upper().startswith(verb) for one in said)
                going = self._reply(client, lines, script, verb, count) and verb != "QUIT"
                if going and verb == "DATA" and self._to(script, verb, count).startswith("354"):
                    going = self._content(client, lines, script, count)

    def _content(self, client: socket.socket, lines: BinaryIO, script: Script, count: int) -> bool:
        content = [lines.readline()]
        if script.get("BODY") == DROP:
            # With bytes unread and no lingering the client gets a reset, as from a server that dies.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        while content[-1] not in {b".\r\n", b""}:
            content.append(lines.readline())
        if content.pop():
            self.kept.append(b"".join(content))
        return self._reply(client, lines, script, ".", count)

    @staticmethod
    def _to(script: Script, what: str, count: int) -> str:
        return script.get(f"{what} {count}", script.get(what, _USUAL.get(what, "502 what?")))

    def _reply(self, client: socket.socket, lines: BinaryIO, script: Script, to: str, count: int) -> bool:
        reply = self._to(script, to, count)
        if reply == SILENCE:
            lines.read()
        if reply in {DROP, SILENCE}:
            return False
        client.sendall(reply.encode() + b"\r\n")
        return True
