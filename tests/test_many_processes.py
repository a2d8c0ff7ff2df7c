"""Two tickers and ten workers, each a process of its own, at one store and one mail server at the same time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import Envelope, Session
from sqlalchemy import select

from digest.demo.publisher import NEW_YORK, Publisher, shipped
from digest.store import deliveries, rates
from digest.store.engine import open_store
from digest.store.paper_tables import buckets
from tests.processes import started
from tests.servers import MailServer
from tests.world import World, config

TICKERS, WORKERS = 2, 10
EACH = 120
"""Readers of each of the two domains."""
CONNECTIONS = 2
"""Of each process."""
IN_ALL, SLOW = 30, 10
"""Messages a second."""
PATIENCE = 100.0
"""Seconds until what does not come is missed: only a failure waits for it."""
MORE = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"
connections = {connections}

[delivery]
rate = "{in_all}/second"
domains = {{ "slow.example.org" = "{slow}/second" }}
"""


class Timing(MailServer):
    """A mail server that notes when it took each message, and takes the second one when a third process has come.

    Attributes:
        times: by domain, in seconds of a clock.
    """

    def __init__(self) -> None:
        super().__init__(offers=("PIPELINING",))
        self.times: dict[str, list[float]] = {"slow.example.org": [], "fast.example.org": []}
        self._taken = threading.Condition()
        self._several = asyncio.Event()

    async def handle_EHLO(  # noqa: N802 aiosmtpd finds it by this name
        self, server: Any, session: Session, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        """See who comes."""
        answer = await super().handle_EHLO(server, session, envelope, hostname, responses)
        if self.connections > 2 * CONNECTIONS:
            self._several.set()
        return answer

    async def handle_DATA(  # noqa: N802 aiosmtpd finds it by this name
        self, server: Any, session: Session, envelope: Envelope
    ) -> str:
        """Keep a message."""
        if self.received:
            await asyncio.wait_for(self._several.wait(), PATIENCE)
        with self._taken:
            self.times[str(envelope.rcpt_tos[0]).partition("@")[2]].append(time.monotonic())
            reply = await super().handle_DATA(server, session, envelope)
            self._taken.notify_all()
        return reply

    def has_taken(self, number: int) -> bool:
        """Wait until it has taken so many messages."""
        with self._taken:
            return self._taken.wait_for(lambda: len(self.received) >= number, timeout=PATIENCE)


@pytest.fixture
def today() -> Iterator[Publisher]:
    """arXiv as it is today, announcing what ships."""
    day = datetime.now(NEW_YORK).date()
    with Publisher([replace(paper, day=day) for paper in shipped()], day=day) as publisher:
        yield publisher


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_tickers_and_ten_workers_send_each_message_once_and_together_no_faster_than_they_may(
    kind: str, tmp_path: Path, today: Publisher, request: pytest.FixtureRequest
) -> None:
    store = "sqlite:///digest.db" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    readers = [f"{number}@{speed}.example.org" for number in range(EACH) for speed in ("slow", "fast")]
    world = World(tmp_path)
    with Timing() as server, ExitStack() as stack:
        to = ", ".join(f'"{reader}"' for reader in readers)
        more = MORE.format(port=server.port, connections=CONNECTIONS, in_all=IN_ALL, slow=SLOW)
        world.write(config(today.url, to=to, store=store) + more)
        if kind == "postgresql":
            world.run("db", "upgrade")
        tickers = [stack.enter_context(started(world, "serve", "--every", "1")) for _ in range(TICKERS)]
        assert server.has_taken(1)
        workers = [stack.enter_context(started(world, "deliver")) for _ in range(WORKERS)]
        assert server.has_taken(len(readers))
        said = [worker.communicate(timeout=PATIENCE)[0] for worker in workers]
        for ticker in tickers:
            ticker.terminate()
        said += [ticker.communicate(timeout=PATIENCE)[0] for ticker in tickers]
        statuses = [process.returncode for process in (*workers, *tickers)]

    assert statuses == [0] * (TICKERS + WORKERS), said
    assert not any("rror" in text or "Traceback" in text for text in said), said
    assert Counter(mail.recipients[0] for mail in server.received) == Counter(readers)
    busy = sum(": sent" in text for text in said)
    assert busy >= 3, "several of them had something to do"
    url = store.replace("sqlite:///", f"sqlite:///{tmp_path}/")
    assert spent(url) >= timedelta(seconds=len(readers) / IN_ALL - 1), "what one spent, another overwrote"
    # Half the time that it should take: what was claimed may be sent late, the first of it, too. Twelve who do not
    # know of each other would take a twelfth.
    assert lasted(server.times["slow.example.org"]) >= 0.5 * (EACH - SLOW) / SLOW
    assert (
        lasted([at for times in server.times.values() for at in times]) >= 0.5 * (2 * EACH - IN_ALL) / IN_ALL
    )


def spent(url: str) -> timedelta:
    """What the rate in all has been spent to, after the first message: it was claimed a little before it was sent."""
    with closing(open_store(url, datetime.now(UTC))) as store, store.reading() as tx:
        assert deliveries.count_by_state(tx).keys() == {"sent"}
        first = min(one.sent_at for one in deliveries.recent(tx, most=2 * EACH) if one.sent_at)
        upto: datetime = tx.execute(select(buckets.c.next_at).where(buckets.c.name == rates.ALL)).scalar_one()
        return upto - first


def lasted(times: list[float]) -> float:
    return max(times) - min(times)
