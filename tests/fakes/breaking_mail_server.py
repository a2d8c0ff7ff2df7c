"""An SMTP server on loopback that ends its connection at some recipients, at a chosen step."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Self


class BreakingServer(AbstractContextManager["BreakingServer"]):
    """Takes mail, and hangs up where it is told to.

    Args:
        breaks_at: gives for a recipient the command at whose end the server hangs up, ``RCPT``, ``DATA`` or ``.``, with
            ``421`` behind it if it says that before; "" for one whose mail is taken.

    Attributes:
        accepted_recipients: the recipients whose mail was taken, in their order.
        broken_recipients: those at whom it broke, in their order.
    """

    def __init__(self, breaks_at: Callable[[str], str]) -> None:
        self.accepted_recipients: list[str] = []
        self.broken_recipients: list[str] = []
        self.breaks_at = breaks_at
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                outer._serve(self)

        socketserver.ThreadingTCPServer.daemon_threads = True
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, connection: socketserver.StreamRequestHandler) -> None:
        def say(text: str) -> None:
            connection.wfile.write(f"{text}\r\n".encode())

        recipient = ""
        say("220 here")
        while line := connection.rfile.readline():
            command = line.decode().strip().upper()
            verb = command[:4]
            if verb == "RCPT":
                recipient = line.decode().partition("<")[2].strip().rstrip(">")
            if self._hangs_up(recipient, verb, say):
                return
            if verb == "DATA":
                say("354 go on")
                while connection.rfile.readline() != b".\r\n":
                    pass
                if self._hangs_up(recipient, ".", say):
                    return
                self.accepted_recipients.append(recipient)
            say("221 bye" if verb == "QUIT" else "250 yes")
            if verb == "QUIT":
                return

    def _hangs_up(self, recipient: str, at: str, say: Callable[[str], None]) -> bool:
        command, _, reply = self.breaks_at(recipient).partition(" ") if recipient else ("", "", "")
        if command != at:
            return False
        self.broken_recipients.append(recipient)
        if reply:
            say(f"{reply} 4.3.0 internal error")
        return True
