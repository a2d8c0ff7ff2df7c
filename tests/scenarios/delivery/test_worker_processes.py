"""Processes that help with a large run, at one store and one mail server."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import Envelope, Session

from digest.app import open_app
from digest.demo.publisher import NEW_YORK, Publisher, load_shipped_papers
from digest.jobs.cycle import run_cycle
from digest.jobs.delivery.channels import SINGLE_PROCESS, ProcessShare, count_shares, select_share
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.ports import Channel, Connection
from digest.store.delivery import outbox
from digest.testing.mail_server import MailServer
from digest.worker_processes import COMPOSED, ProcessTask, add_worker_processes, run_worker_process
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.long

READERS = [f"{number}@example.org" for number in range(200)]
CONNECTIONS = 4
MAIL = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"
connections = {connections}

[delivery]
processes = 2
"""


class Waiting(MailServer):
    """A mail server that takes twenty messages, and more when a worker process is there; then something may happen.

    Args:
        happens: when a worker process has come and there is still something to be sent.
    """

    def __init__(self, happens: Callable[[], object] = bool) -> None:
        super().__init__(offers=("PIPELINING",))
        self._happens = [happens]
        self._is_joined = asyncio.Event()

    async def handle_EHLO(  # noqa: N802 aiosmtpd finds it by this name
        self, server: Any, session: Session, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        """See who comes: each of two processes has half of the connections."""
        answer = await super().handle_EHLO(server, session, envelope, hostname, responses)
        if self.connections > CONNECTIONS // 2:
            self._is_joined.set()
        return answer

    async def handle_DATA(  # noqa: N802 aiosmtpd finds it by this name
        self, server: Any, session: Session, envelope: Envelope
    ) -> str:
        """Keep a message."""
        if len(self.received) >= 20:
            await asyncio.wait_for(self._is_joined.wait(), PATIENCE)
            while self._happens:
                self._happens.pop()()
        return await super().handle_DATA(server, session, envelope)


@contextmanager
def a_world(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Workspace, str]]:
    """A folder, and the configuration but for the mail server."""
    store = "sqlite:///digest.db" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    day = datetime.now(NEW_YORK).date()
    with Publisher([replace(paper, day=day) for paper in load_shipped_papers()], day=day) as publisher:
        to = ", ".join(f'"{reader}"' for reader in READERS)
        yield Workspace(folder), make_config(publisher.url, to=to, store=store) + MAIL


def run(
    workspace: Workspace, stop: threading.Event | None = None
) -> tuple[list[DeliveryAttempt], dict[str, int]]:
    """A cycle that is shared however little there is to do: what was delivered, and the states of all deliveries."""
    with (
        open_app(workspace.folder / "digest.toml", None, dict(os.environ)) as app,
        app.open_steps(stop) as own,
        add_worker_processes(app, own, stop, work_per_process=1) as steps,
    ):
        app.apply_config()
        happened = list(run_cycle(steps, wait=False, wait_for_retry=lambda _: False))
        with app.store.begin_read() as tx:
            states = outbox.count_by_state(tx)
    assert multiprocessing.active_children() == []
    return [event for event in happened if isinstance(event, DeliveryAttempt)], states


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_large_run_is_delivered_by_two_processes_that_share_the_connections_and_told_by_one(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with a_world(kind, tmp_path, request) as (workspace, text), Waiting() as server:
        workspace.write(text.format(port=server.port, connections=CONNECTIONS))
        if kind == "postgresql":
            workspace.run("db", "upgrade")

        attempts, states = run(workspace)

    assert states == {"sent": len(READERS)}
    assert Counter(attempt.delivery.address for attempt in attempts) == Counter(READERS)
    assert Counter(mail.recipients[0] for mail in server.received) == Counter(READERS)
    assert server.connections <= CONNECTIONS


def test_a_worker_process_composes_what_nobody_else_does(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with a_world("sqlite", tmp_path, request) as (workspace, text), MailServer() as server:
        workspace.write(text.format(port=server.port, connections=CONNECTIONS))
        with (
            open_app(workspace.folder / "digest.toml", None, dict(os.environ)) as app,
            app.open_steps() as steps,
        ):
            app.apply_config()
            idle = replace(steps, compose=lambda: 0)
            list(run_cycle(idle, wait=False, wait_for_retry=lambda _: False))
            task = ProcessTask(app.settings.path, None, app.environ, SINGLE_PROCESS, gc.get_threshold())
            ours, theirs = multiprocessing.Pipe()
            ours.send(COMPOSED)
            process = multiprocessing.get_context("spawn").Process(
                target=run_worker_process, args=(task, theirs)
            )
            process.start()
            process.join(PATIENCE)

    assert process.exitcode == 0
    assert Counter(mail.recipients[0] for mail in server.received) == Counter(READERS)


def test_a_worker_process_that_is_killed_loses_nothing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    def killed() -> None:
        (child,) = multiprocessing.active_children()
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)

    with a_world("sqlite", tmp_path, request) as (workspace, text), Waiting(killed) as server:
        workspace.write(text.format(port=server.port, connections=CONNECTIONS))

        _, states = run(workspace)

    assert states == {"sent": len(READERS)}
    copies = Counter(mail.recipients[0] for mail in server.received)
    assert copies.keys() == set(READERS)
    assert copies.total() - len(READERS) <= 10 * CONNECTIONS // 2


def test_who_is_told_to_stop_stops_its_processes_and_what_they_had_is_due_again(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    stop = threading.Event()
    with a_world("sqlite", tmp_path, request) as (workspace, text), Waiting(stop.set) as server:
        workspace.write(text.format(port=server.port, connections=CONNECTIONS))

        _, first = run(workspace, stop)
        _, then = run(workspace)

    assert first.keys() == {"sent", "ready"}
    assert then == {"sent": len(READERS)}
    assert Counter(mail.recipients[0] for mail in server.received) == Counter(READERS)


def test_what_an_earlier_run_left_is_delivered_by_several_processes_too(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    stop = threading.Event()
    with a_world("sqlite", tmp_path, request) as (workspace, text):
        with Waiting(stop.set) as server:
            workspace.write(text.format(port=server.port, connections=CONNECTIONS))
            _, first = run(workspace, stop)
        with Waiting() as server:  # which takes no more than twenty of one process
            workspace.write(text.format(port=server.port, connections=CONNECTIONS))
            attempts, then = run(workspace)

    assert first["ready"] > 20
    assert then == {"sent": len(READERS)}
    assert len(attempts) == len(server.received) == first["ready"]


# --- sharing connections --------------------------------------------------------------------------


def nothing() -> Channel:
    raise AssertionError


def lines(server: str, count: int, *, stand_by: bool = False, channel: str = "smtp") -> list[Connection]:
    return [Connection(channel=channel, server=server, make_channel=nothing, is_stand_by=stand_by)] * count


def test_processes_share_the_connections_to_each_server_and_have_all_other_ways_each() -> None:
    connections = [*lines("one:25", 5), *lines("two:25", 2), *lines("", 1, channel="files")]

    parts = [select_share(connections, ProcessShare(number, 2)) for number in range(2)]

    assert select_share(connections, SINGLE_PROCESS) == tuple(connections)
    assert count_shares(connections) == 2
    for server, counts in (("one:25", [3, 2]), ("two:25", [1, 1]), ("", [1, 1])):
        assert [sum(line.server == server for line in part) for part in parts] == counts


def test_a_stand_by_of_one_connection_is_the_first_process_s() -> None:
    connections = [*lines("one:25", 3), *lines("two:25", 1, stand_by=True)]

    assert count_shares(connections) == 3
    assert [len(select_share(connections, ProcessShare(number, 3))) for number in range(3)] == [2, 1, 1]
