"""A proxy before PostgreSQL that loses the connection of a machine at its next commit.

``python -m tests.system.programs.commit_proxy ADDRESS PORT SOCKET`` runs it until its standard input ends. Each line that it reads
names an address and what becomes of that machine's next commit, ``lost`` or ``done``; it prints the line when it has happened.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.system.programs.network_hosts import NetworkHost

ROOT = Path(__file__).parents[3]
_SIZE = 1 << 16
_COMMIT = b"Q\0\0\0\x0bCOMMIT\0"
"""The message of a commit: its kind, its length and the text (PostgreSQL's protocol, "Simple Query")."""
_SECONDS_TO_COMMIT = 0.2
"""Seconds that the server is given for a commit whose answer is lost."""


@dataclass(slots=True)
class _Proxy:
    """Passes bytes on, and knows whose next commit loses its connection."""

    server: str
    armed: dict[str, str] = field(default_factory=dict)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on a connection, until one side ends it."""
        address = str(writer.get_extra_info("peername")[0])
        client: socket.socket = writer.get_extra_info("socket")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # as PostgreSQL does
        try:
            back_reader, back_writer = await asyncio.open_unix_connection(self.server)
        except OSError:
            writer.transport.abort()
            return
        there = asyncio.create_task(self._pass_commands(reader, back_writer, address))
        back = asyncio.create_task(_pass_bytes(back_reader, writer))
        await asyncio.wait((there, back), return_when=asyncio.FIRST_COMPLETED)
        for task in (there, back):
            task.cancel()
        await asyncio.gather(there, back, return_exceptions=True)
        back_writer.close()
        writer.close()

    async def _pass_commands(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str
    ) -> None:
        while data := await reader.read(_SIZE):
            if address in self.armed and _COMMIT in data:
                fate = self.armed.pop(address)
                if fate == "done":
                    writer.write(data)
                    await writer.drain()
                    await asyncio.sleep(_SECONDS_TO_COMMIT)
                print(address, fate, flush=True)  # noqa: T201 - for who armed it
                return
            writer.write(data)
            await writer.drain()


async def _pass_bytes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_SIZE):
        writer.write(data)
        await writer.drain()


async def _run(address: str, port: int, server: str) -> None:
    proxy = _Proxy(server)
    listener = await asyncio.start_server(proxy.serve, address, port)
    print("ready", flush=True)  # noqa: T201 - for who started it
    while line := await asyncio.to_thread(sys.stdin.readline):
        name, fate = line.split()
        proxy.armed[name] = fate
    listener.close()


@dataclass(slots=True)
class CommitProxy:
    """One that runs.

    Attributes:
        dropped: what has become of commits, by lines of address and fate.
    """

    _process: subprocess.Popen[str]
    dropped: list[str] = field(default_factory=list)

    def drop_next_commit(self, address: str, *, is_done: bool) -> None:
        """Lose the connection of a machine at its next commit.

        Args:
            address: the machine's.
            is_done: whether the commit reaches the server, and only the answer is lost.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(f"{address} {'done' if is_done else 'lost'}\n")
        self._process.stdin.flush()

    def read(self) -> None:
        """Note what has become of commits, until it ends."""
        assert self._process.stdout is not None
        for line in iter(self._process.stdout.readline, ""):
            self.dropped.append(line.strip())


@contextmanager
def run_commit_proxy(host: NetworkHost, port: int, server: str) -> Iterator[CommitProxy]:
    """Run a proxy on a machine within the block.

    Args:
        host: the machine of the database.
        port: where it listens.
        server: the path of the server's socket.
    """
    command = [sys.executable, "-m", __spec__.name, host.address, str(port), server]
    with subprocess.Popen(
        host.make_command(command, own_processes=False),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        proxy = CommitProxy(process)
        reader = threading.Thread(target=proxy.read, daemon=True)
        reader.start()
        try:
            yield proxy
        finally:
            with suppress(OSError):
                process.stdin.close()
            process.terminate()
            reader.join()


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
