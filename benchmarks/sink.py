"""A mail server in a process of its own that takes everything, as fast as Python reads it; and what it took.

``python -m benchmarks.sink FILE`` prints its port, and writes a line for each message into the file: recipient and
Message-ID. It ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_ROOM = 1 << 17
_END = b"\r\n.\r\n"
_MESSAGE_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_ANSWERS = {
    b"EHLO": b"250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
    b"QUIT": b"221 2.0.0 bye\r\n",
    b"DATA": b"354 go on\r\n",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sink:
    """One that is running, at 127.0.0.1.

    Attributes:
        taken: the file that it writes.
        pid: of its process.
    """

    port: int
    taken: Path
    pid: int

    def messages(self) -> list[tuple[str, str]]:
        """Recipient and Message-ID of each message that it has taken, in its order."""
        lines = self.taken.read_text("utf-8").splitlines()
        return [
            (recipient, message_id) for recipient, _, message_id in (line.partition(" ") for line in lines)
        ]


@contextmanager
def sink(folder: Path) -> Iterator[Sink]:
    """Run one as long as the block lasts."""
    taken = folder / "taken"
    command = [sys.executable, "-m", "benchmarks.sink", str(taken)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Sink(port=int(process.stdout.readline()), taken=taken, pid=process.pid)
        finally:
            process.stdin.close()
            process.wait(10)


class _Client(asyncio.BufferedProtocol):
    """One connection; commands may come many at once. A plain ``Protocol`` is given new memory for all that it reads."""

    def __init__(self, taken: IO[str]) -> None:
        self._taken = taken
        self._came = bytearray(_ROOM)
        self._buffer = bytearray()
        self._in_message = False
        self._recipient = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 sink ESMTP\r\n")

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002 - what comes has room
        """Where to put what comes."""
        return self._came

    def buffer_updated(self, nbytes: int) -> None:
        """Read as far as it goes."""
        seen = max(0, len(self._buffer) - len(_END))
        self._buffer += memoryview(self._came)[:nbytes]
        answers = []
        while answer := self._message(seen) if self._in_message else self._command():
            answers.append(answer)
            seen = 0
        self._transport.write(b"".join(answers))

    def _command(self) -> bytes:
        end = self._buffer.find(b"\r\n")
        if end < 0:
            return b""
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        verb = line[:4].upper()
        self._in_message = verb == b"DATA"
        if verb == b"RCPT":
            self._recipient = line.partition(b"<")[2].rpartition(b">")[0]
        return _ANSWERS.get(verb, b"250 2.0.0 OK\r\n")

    def _message(self, seen: int) -> bytes:
        end = self._buffer.find(_END, seen)
        if end < 0:
            return b""
        head = bytes(self._buffer[: self._buffer.find(b"\r\n\r\n")])
        found = _MESSAGE_ID.search(head)
        del self._buffer[: end + len(_END)]
        self._in_message = False
        self._taken.write(f"{self._recipient.decode()} {found[1].decode() if found else ''}\n")
        return b"250 2.0.0 taken\r\n"


async def _serve(taken: IO[str]) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Client(taken), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    with Path(sys.argv[1]).open("w", encoding="utf-8", buffering=1) as file:
        asyncio.run(_serve(file))
