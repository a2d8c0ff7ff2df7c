"""Commands as processes of their own, in a pipe or on a terminal."""

from __future__ import annotations

import codecs
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import AnyStr

from tests.support.workspace import Workspace

ROOT = Path(__file__).parents[2]


@contextmanager
def kill_at_end(process: subprocess.Popen[AnyStr]) -> Iterator[subprocess.Popen[AnyStr]]:
    """End a process with the test that began it: ``with`` alone waits for it, for ever where the test has failed."""
    with process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def start_command(
    workspace: Workspace,
    *arguments: str,
    now: datetime | None = None,
    output: int = subprocess.PIPE,
    columns: int = 120,
    root: Path = ROOT,
) -> Iterator[subprocess.Popen[str]]:
    """A command as a process of its own, both of its outputs in one place; killed in the end, if it is still there.

    Args:
        workspace: where it runs.
        arguments: the command.
        now: its time; None for the machine's.
        output: a file to write to.
        columns: as wide as that is, if it is a terminal.
        root: the folder with the code, which may be that of another release.
    """
    given = [*arguments, "--config", str(workspace.folder / "digest.toml")]
    if now is not None:
        given += ["--now", now.isoformat()]
    process = subprocess.Popen(
        [sys.executable, "-m", "digest", *given],
        cwd=root,
        env=os.environ
        | {"PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1", "TERM": "xterm", "COLUMNS": str(columns)},
        stdout=output,
        stderr=output if output != subprocess.PIPE else subprocess.STDOUT,
        text=True,
    )
    with kill_at_end(process):
        yield process


class Terminal(AbstractContextManager["Terminal"]):
    """What a process writes to a terminal.

    Attributes:
        process_end: the end that processes write to.
        text: what was read so far.
    """

    def __init__(self) -> None:
        self._own_end, self.process_end = pty.openpty()
        self._is_process_end_open = True
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # what is read may end within a sign
        self.text = ""

    def hand_over(self) -> None:
        """Leave their end to the processes that have it: what they write ends with them."""
        os.close(self.process_end)
        self._is_process_end_open = False

    def read_until(self, text: str) -> None:
        """Read until a text is there."""
        while text not in self.text:
            assert self._read_more(), f"it ended without it: {self.text!r}"

    def read_all(self) -> str:
        """Read until nobody writes any more; gives all that was written, with plain line ends."""
        while self._read_more():
            pass
        return self.text.replace("\r\n", "\n")

    def _read_more(self) -> bool:
        try:
            more = os.read(self._own_end, 65536)
        except OSError:  # so Linux says that nobody writes any more
            more = b""
        self.text += self._decoder.decode(more)
        return more != b""

    def __exit__(self, *_exc: object) -> None:
        os.close(self._own_end)
        if self._is_process_end_open:
            os.close(self.process_end)


@contextmanager
def start_on_terminal(
    workspace: Workspace, *arguments: str, now: datetime, columns: int = 120
) -> Iterator[tuple[subprocess.Popen[str], Terminal]]:
    """A command on a terminal of its own."""
    with (
        Terminal() as terminal,
        start_command(
            workspace, *arguments, now=now, output=terminal.process_end, columns=columns
        ) as process,
    ):
        terminal.hand_over()
        yield process, terminal
