"""A line that takes its time: bytes given to it come out at the other end so many milliseconds later, both ways.

``python -m benchmarks.slow_line PORT MILLISECONDS`` prints the port that leads to PORT, and ends when its standard
input does.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def slow_line(port: int, milliseconds: int) -> Iterator[int]:
    """Lead to a port of this machine over such a line, in a process of its own; gives the port to go to.

    Args:
        port: where it leads.
        milliseconds: for each way, so that a round trip takes twice as long.
    """
    command = [sys.executable, "-m", "benchmarks.slow_line", str(port), str(milliseconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(10)


class _End(asyncio.Protocol):
    """One end of a connection: what comes in there goes out at the other, later."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._early: list[bytes] = []
        self.transport: asyncio.Transport | None = None
        self.other: _End | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.writelines(self._early)

    def data_received(self, data: bytes) -> None:
        asyncio.get_running_loop().call_later(self._delay, self._pass_on, data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - as asyncio has it
        asyncio.get_running_loop().call_later(self._delay, self._hang_up)

    def _pass_on(self, data: bytes) -> None:
        assert self.other is not None, "the other end is there before anything can have come through"
        if self.other.transport is None:
            self.other._early.append(data)  # noqa: SLF001 - one of its own kind
        elif not self.other.transport.is_closing():
            self.other.transport.write(data)

    def _hang_up(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.close()


async def _lead(port: int, delay: float) -> None:
    loop = asyncio.get_running_loop()

    class Near(_End):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            far = _End(delay)
            self.other, far.other = far, self
            self.opening = loop.create_task(loop.create_connection(lambda: far, "127.0.0.1", port))

    server = await loop.create_server(lambda: Near(delay), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(_lead(int(sys.argv[1]), int(sys.argv[2]) / 1000))
