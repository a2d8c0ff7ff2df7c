"""Time-outs without waiting: clients time out because a server has fallen silent, and never because it is slow.

A real time-out of a third of a second is reached on a slow machine at any step; a longer one makes a slow test.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_create_connection = socket.create_connection
_POLL_INTERVAL = 0.02
"""Seconds between two looks at whether the server has fallen silent."""


_silent_ports: set[int] = set()
"""Clients' ports whose server will not answer any more; servers add, clients look."""


class _Socket(socket.socket):
    """A client's socket that waits for an answer for ever, unless the server has fallen silent."""

    def recv(self, *arguments: Any) -> bytes:
        self._await_data()
        return super().recv(*arguments)

    def recv_into(self, *arguments: Any) -> int:
        self._await_data()
        return super().recv_into(*arguments)

    def _await_data(self) -> None:
        if self.gettimeout() == 0:
            return
        port = self.getsockname()[1]
        while not select.select([self], [], [], _POLL_INTERVAL)[0]:
            if port in _silent_ports:
                raise TimeoutError(f"timed out after {self.gettimeout():g} s")


@contextmanager
def fall_silent(accepted: socket.socket) -> Iterator[None]:
    """Let whoever waits at the other end of an accepted connection time out; the block waits until it hangs up."""
    port = accepted.getpeername()[1]
    _silent_ports.add(port)
    try:
        yield
    finally:
        _silent_ports.discard(port)


def connect(*arguments: Any, **options: Any) -> socket.socket:
    """Connect as ``socket.create_connection`` does; what the fixture ``silence_times_out`` puts in its place."""
    plain = _create_connection(*arguments, **options)
    timeout = plain.gettimeout()
    client = _Socket(fileno=plain.detach())
    client.settimeout(timeout)
    return client
