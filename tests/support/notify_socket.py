"""The socket of a service manager, as systemd has it."""

from __future__ import annotations

import os
import socket
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from tests.support.timeouts import PATIENCE


class NotifySocket(AbstractContextManager["NotifySocket"]):
    """A datagram socket that receives the messages of services.

    Attributes:
        address: the value of ``NOTIFY_SOCKET``.
        messages: what was read so far, without pings of the watchdog.
        pings: the number of these.
    """

    def __init__(self, folder: Path | None) -> None:
        """Open the socket in a folder, or in the abstract namespace without one."""
        self.address = str(folder / "notify") if folder else f"@digest-test-{os.getpid()}"
        self.messages: list[str] = []
        self.pings = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address.replace("@", "\0") if folder is None else self.address)
        self._socket.settimeout(PATIENCE)

    def __exit__(self, *_exc: object) -> None:
        self._socket.close()
        if self.address.startswith("/"):
            Path(self.address).unlink()

    def read(self) -> str:
        """Read the next message, without times."""
        message = self._socket.recv(4096).decode()
        if message == "WATCHDOG=1":
            self.pings += 1
        else:
            self.messages.append(message.partition("\n")[0])
        return message

    def read_until(self, message: str, *, pings: int = 0) -> Self:
        """Read until a message and that many pings after it have come."""
        while not self.messages or self.messages[-1] != message:
            self.read()
        self.pings = 0
        while self.pings < pings:
            self.read()
        return self
