"""A database of its own that workers share, with sources on loopback and a mail server that counts."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from digest.demo.publisher import NEW_YORK, Publisher, load_shipped_papers
from digest.testing.mail_server import MailServer
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

READERS = tuple(f"{number}@example.org" for number in range(60))
CONNECTIONS = 4
MAIL = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"
connections = {connections}
"""


def wait_until(is_true: Callable[[], object], timeout: float = PATIENCE) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + timeout
    while not is_true():
        assert time.monotonic() < deadline, "it has not become true"
        time.sleep(0.05)


@dataclass(frozen=True, slots=True)
class Lab:
    """A configuration that all workers have, and what its mail server got.

    Attributes:
        workspace: the folder with the configuration.
        config: its text.
        server: the mail server.
    """

    workspace: Workspace
    config: str
    server: MailServer

    def count_mails(self) -> Counter[str]:
        """Count the mails by recipient."""
        return Counter(mail.recipients[0] for mail in self.server.received)

    def count_states(self) -> dict[str, int]:
        """Count the deliveries by state."""
        counts: dict[str, int] = self.status()["deliveries"]
        return counts

    def status(self) -> Any:
        """The document of ``digest status``."""
        return self.workspace.run("status", "--json").json

    def list_worker_troubles(self) -> list[str]:
        """What is wrong with the workers."""
        troubles: list[str] = self.status()["worker_troubles"]
        return troubles

    def make_other_machine(self, folder: Path, config: str) -> Workspace:
        """Make a folder with another file, for a worker on another machine."""
        folder.mkdir()
        other = Workspace(folder)
        other.write(config)
        return other


class GatedServer(MailServer):
    """A mail server that takes some messages and the others when it is told to.

    Attributes:
        gate: set when it is to take all messages.
        free: the number of messages that it takes before.
        seconds: how long it takes for each message.
    """

    def __init__(self) -> None:
        super().__init__(offers=("PIPELINING",))
        self.gate = threading.Event()
        self.free = 0
        self.seconds = 0.0
        self.gate.set()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - of aiosmtpd
        """Keep a message, now or later."""
        while len(self.received) >= self.free and not self.gate.is_set():  # noqa: ASYNC110 - set by another thread
            await asyncio.sleep(0.02)
        await asyncio.sleep(self.seconds)
        return await super().handle_DATA(server, session, envelope)


@pytest.fixture
def server() -> Iterator[GatedServer]:
    with GatedServer() as server:
        yield server


@pytest.fixture
def readers() -> Sequence[str]:
    """The addresses of the lab; a test may have others."""
    return READERS


@pytest.fixture
def lab(tmp_path: Path, postgres_url: str, server: GatedServer, readers: Sequence[str]) -> Iterator[Lab]:
    """A lab whose configuration has been applied."""
    day = datetime.now(NEW_YORK).date()
    with Publisher([replace(paper, day=day) for paper in load_shipped_papers()], day=day) as publisher:
        to = ", ".join(f'"{reader}"' for reader in readers)
        config = make_config(publisher.url, to=to, store=postgres_url)
        config += MAIL.format(port=server.port, connections=CONNECTIONS)
        lab = Lab(Workspace(tmp_path), config, server)
        lab.workspace.write(config)
        lab.workspace.run("db", "upgrade")
        lab.workspace.run("apply")
        yield lab
