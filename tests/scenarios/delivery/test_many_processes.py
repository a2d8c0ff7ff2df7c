"""Two tickers and ten workers, each a process of its own, at one store and one mail server at the same time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import Envelope, Session

from digest.demo.publisher import NEW_YORK, Publisher, load_shipped_papers
from digest.store.delivery import rates
from digest.testing.mail_server import MailServer
from tests.simulation.rate_log import Spending, count_workers, load_spendings, log_rates
from tests.support.processes import start_command
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.long

TICKERS, WORKERS = 2, 10
EACH = 200
"""Readers of each of the two domains."""
CONNECTIONS = 12
"""Of all processes together."""
IN_ALL, SLOW = 30, 10
"""Messages a second."""
SLOW_DOMAIN = "slow.example.org"
_TURN = 0.2
"""Seconds between messages while the processes begin."""
_MILLISECOND = timedelta(milliseconds=1)
"""SQLite's clock has no smaller unit."""
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


class PatientServer(MailServer):
    """A mail server that takes a message now and then, until it is let go on.

    So no process has sent all messages before the others have begun, however slow the machine is at beginning them.
    """

    def __init__(self) -> None:
        super().__init__(offers=("PIPELINING",))
        self._accepted = threading.Condition()
        self._turns = threading.Semaphore(1)
        self._lets_go = threading.Event()

    def take_one_more(self) -> None:
        """Let one message be taken that is there or comes."""
        self._turns.release()

    def let_go_on(self) -> None:
        """Take all messages from now on."""
        self._lets_go.set()

    async def handle_DATA(  # noqa: N802 aiosmtpd finds it by this name
        self, server: Any, session: Session, envelope: Envelope
    ) -> str:
        """Keep a message."""
        await asyncio.to_thread(self._wait_for_turn)
        with self._accepted:
            reply = await super().handle_DATA(server, session, envelope)
            self._accepted.notify_all()
        return reply

    def _wait_for_turn(self) -> None:
        while not (self._lets_go.is_set() or self._turns.acquire(timeout=0.1)):
            pass

    def has_taken(self, number: int) -> bool:
        """Wait until it has taken so many messages."""
        with self._accepted:
            return self._accepted.wait_for(lambda: len(self.received) >= number, timeout=PATIENCE)


@pytest.fixture
def today() -> Iterator[Publisher]:
    """arXiv as it is today, announcing what ships."""
    day = datetime.now(NEW_YORK).date()
    with Publisher([replace(paper, day=day) for paper in load_shipped_papers()], day=day) as publisher:
        yield publisher


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_tickers_and_ten_workers_send_each_message_once_and_together_no_faster_than_they_may(
    kind: str, tmp_path: Path, today: Publisher, request: pytest.FixtureRequest
) -> None:
    store = "sqlite:///digest.db" if kind == "sqlite" else request.getfixturevalue("own_postgres_url")
    readers = [f"{number}@{speed}.example.org" for number in range(EACH) for speed in ("slow", "fast")]
    workspace = Workspace(tmp_path)
    url = store.replace("sqlite:///", f"sqlite:///{tmp_path}/")
    with PatientServer() as server, ExitStack() as stack:
        to = ", ".join(f'"{reader}"' for reader in readers)
        more = MORE.format(port=server.port, connections=CONNECTIONS, in_all=IN_ALL, slow=SLOW)
        workspace.write(make_config(today.url, to=to, store=store) + more)
        workspace.run("db", "upgrade")
        log_rates(url)
        tickers = [
            stack.enter_context(start_command(workspace, "serve", "--every", "1")) for _ in range(TICKERS)
        ]
        assert server.has_taken(1)
        workers = [stack.enter_context(start_command(workspace, "deliver")) for _ in range(WORKERS)]
        let_several_begin(server, url)
        server.let_go_on()
        assert server.has_taken(len(readers))
        messages = [worker.communicate(timeout=PATIENCE)[0] for worker in workers]
        for ticker in tickers:
            ticker.terminate()
        messages += [ticker.communicate(timeout=PATIENCE)[0] for ticker in tickers]
        statuses = [process.returncode for process in (*workers, *tickers)]

    assert statuses == [0] * (TICKERS + WORKERS), messages
    assert not any("rror" in text or "Traceback" in text for text in messages), messages
    assert Counter(mail.recipients[0] for mail in server.received) == Counter(readers)
    assert server.most_at_once <= CONNECTIONS
    assert_rate_kept(load_spendings(url), rates.ALL_MESSAGES_BUCKET, IN_ALL, "@", expected=2 * EACH)
    assert_rate_kept(
        load_spendings(url),
        rates.make_domain_bucket_name(SLOW_DOMAIN),
        SLOW,
        f"@{SLOW_DOMAIN}",
        expected=EACH,
    )


def let_several_begin(server: PatientServer, url: str) -> None:
    """Let messages be taken one by one, more slowly than the rates allow, until three processes have claimed some."""
    for _ in range(2 * EACH):
        if count_workers(url) >= 3:
            return
        server.take_one_more()
        time.sleep(_TURN)
    pytest.fail("not even three processes had something to do")


def assert_rate_kept(
    spendings: list[Spending], bucket: str, messages: int, domain: str, *, expected: int
) -> None:
    """Every claim spends what it takes, on top of what others have spent, and takes no more than there is.

    Together these are the rate: in any time no more messages are claimed than it allows, and a second's worth.

    Args:
        spendings: of all buckets.
        bucket: of the rate.
        messages: a second.
        domain: what the addresses end in that count.
        expected: messages in all.
    """
    interval, claimed = timedelta(seconds=1) / messages, 0
    for spending in spendings:
        if spending.bucket != bucket:
            continue
        count = sum(domain in address for address in spending.addresses)
        claimed += count
        assert spending.spent_to - spending.spent_from >= count * interval, (
            "what one spent, another overwrote"
        )
        assert spending.spent_to <= spending.at + messages * interval + _MILLISECOND, (
            "more was claimed than was free"
        )
    assert claimed >= expected
