"""Processes that are killed at any instant while others go on, and what readers notice of it: nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import Envelope, Session

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.simulation.many_digests import (
    CONNECTIONS,
    FIRST,
    SECTIONS,
    MessageCounter,
    choose_instant,
    count_messages,
    get_due_time,
    get_message_id,
    list_days,
    load_editions,
    make_digests_config,
    make_papers,
    open_database_pair,
)
from tests.support.processes import start_command
from tests.support.seeds import get_seed
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]
KILLS = -(-int(os.environ.get("DIGEST_TEST_KILLS", "10")) // 2)
"""For each of the two databases."""
DAYS = list_days(3 + KILLS)
PACK = 10
"""Messages that may be under way on a connection: what a kill can repeat at the most."""
ROUNDS = 12
"""In which somebody is killed, a day, at the most: one that chance lets do its work ends the day."""
LONGEST_WAIT = 5.0
"""Seconds after which somebody is killed although what was waited for has not happened."""
CAST = (("run",), ("serve", "--every", "1"), ("deliver",), ("deliver",))
"""Who is at it at the same time; ``serve`` goes by the time of the last one who was given it."""
OTHERS = ("pull", "match", "compose")
"""One of these joins them now and then: unlike cycles they are not alone at what they do."""


# --- killing --------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Killer(AbstractContextManager["Killer"]):
    """Keeps several processes at work, kills one or all of them at instants that chance picks, and in the end who lives.

    Attributes:
        kills: how many died of it.
    """

    workspace: Workspace
    publisher: Publisher
    server: DeadlyServer
    chance: random.Random
    kills: int = 0
    _alive: dict[int, tuple[tuple[str, ...], subprocess.Popen[str]]] = field(default_factory=dict)

    def __exit__(self, *_exc: object) -> None:
        for _, process in self._alive.values():
            process.kill()
            process.communicate()

    def haunt(self, now: Callable[[int], datetime], *, most: int, is_done: Callable[[], bool]) -> int:
        """Kill while there is something to do; in the end all that live come to their own end.

        Args:
            now: the time in a round.
            most: kills, at the most but for those that fall together.
            is_done: whether there is nothing to do any more.

        Returns:
            How many rounds it took.
        """
        killed, number = self.kills, 0
        while number < ROUNDS and self.kills - killed < most and not is_done():
            self._start_missing(now(number))
            self._strike(is_done)
            number += 1
        for command, process in self._alive.values():
            if command[0] == "serve":
                process.terminate()
        for command, process in self._alive.values():
            # One that did not serve yet when it was told to stop has ended of that.
            ended_well(process, *[-signal.SIGTERM, 130] * (command[0] == "serve"))
        self._alive.clear()
        return number

    def _start_missing(self, now: datetime) -> None:
        """Start those of the cast who are not there, in any order."""
        self.workspace.run(
            "status", now=now
        )  # the store has seen this time: those who are not given it go by it
        self._bury()
        other = (self.chance.choice(OTHERS),) if self.chance.random() < 0.5 else None
        cast = [*CAST, other] if other else list(CAST)
        missing = [place for place in range(len(cast)) if place not in self._alive]
        self.chance.shuffle(missing)
        for place in missing:
            self._alive[place] = cast[place], self._start(cast[place], now)

    def _start(self, command: Sequence[str], now: datetime) -> subprocess.Popen[str]:
        arguments = [*command, "--config", str(self.workspace.folder / "digest.toml")]
        if command[0] != "serve":
            arguments += ["--now", now.isoformat()]
        return subprocess.Popen(
            [sys.executable, "-m", "digest", *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _strike(self, is_done: Callable[[], bool]) -> None:
        """Kill one of them, or all as when the power fails, at some instant; unless their work is done before."""
        living = [process for _, process in self._alive.values() if process.poll() is None]
        together = self.chance.random() < 0.3
        if self.chance.random() < 0.6:
            doomed = self._between_receipt_and_mark(living, together=together, is_done=is_done)
        else:
            due, begun = choose_instant(self.chance, self.publisher, self.server), time.monotonic()
            while not due() and time.monotonic() < begun + LONGEST_WAIT and not is_done():
                with_patience(living)
            doomed = living if together else [self.chance.choice(living)]
        for process in doomed:
            process.kill()
            process.wait()
        self._bury()

    def _between_receipt_and_mark(
        self, living: Sequence[subprocess.Popen[str]], *, together: bool, is_done: Callable[[], bool]
    ) -> list[subprocess.Popen[str]]:
        """Kill who has just sent a mail that the server keeps, before it can be marked."""
        mails, last = count(1), self.chance.randint(1, 24)
        doomed: list[subprocess.Popen[str]] = []
        one_at_a_time, over, begun = threading.Lock(), threading.Event(), time.monotonic()

        def strike(port: int) -> None:
            with one_at_a_time:
                if next(mails) >= last and not over.is_set():
                    doomed.extend(process for process in living if together or has_port(process.pid, port))
                    for process in doomed:
                        process.kill()
                    over.set()

        self.server.notice = strike
        while not over.is_set() and time.monotonic() < begun + LONGEST_WAIT and not is_done():
            with_patience(living)
        self.server.notice = nobody
        with one_at_a_time:
            over.set()
        return doomed

    def _bury(self) -> None:
        """Take note of those who died, or came to their own end."""
        for place, (_, process) in list(self._alive.items()):
            if process.poll() is None:
                continue
            if process.returncode == -signal.SIGKILL:
                self.kills += 1
                process.communicate()
            else:
                ended_well(process)
            del self._alive[place]


def nobody(_port: int) -> None:
    """Strike nobody."""


class DeadlyServer(MailServer):
    """A mail server that gives notice of each mail that it keeps before it answers.

    Attributes:
        notice: is given the sender's port.
    """

    notice: Callable[[int], None] = staticmethod(nobody)

    async def handle_DATA(  # noqa: N802 aiosmtpd finds it by this name
        self, server: Any, session: Session, envelope: Envelope
    ) -> str:
        """Keep a message."""
        reply = await super().handle_DATA(server, session, envelope)
        self.notice(session.peer[1])  # type: ignore[arg-type,index]
        return reply


def has_port(pid: int, port: int) -> bool:
    """Whether a process has the connection that begins at a port of this machine."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    sockets = {f"socket:[{row[9]}]" for row in rows if int(row[1].partition(":")[2], 16) == port}
    with suppress(OSError):  # it ends just now
        return any(str(file.readlink()) in sockets for file in Path(f"/proc/{pid}/fd").iterdir())
    return False


def ended_well(process: subprocess.Popen[str], *statuses: int) -> None:
    """Wait for the end of a process that nobody killed."""
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode in {0, *statuses}, output
    assert "Traceback" not in output, output


def with_patience(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Let them go on for five milliseconds."""
    for process in processes:
        try:
            process.wait(0.005)
        except subprocess.TimeoutExpired:
            return


# --- the test -------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_kills_at_any_instant_lose_nothing_and_repeat_a_pack_a_connection_at_the_most(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    wild = DeadlyServer()
    with (
        open_database_pair(kind, tmp_path, request, DAYS, wild) as both,
        Killer(
            workspace=both.workspace, publisher=both.publisher, server=wild, chance=random.Random(get_seed())
        ) as killer,
    ):
        arrived, number, calm = MessageCounter(wild), 0, both.calm_server
        for day in DAYS[1:]:
            if killer.kills >= KILLS:
                break
            number += 1
            both.run_calm_day(day)
            both.switch_to_disturbed()
            rounds = killer.haunt(
                partial(get_due_time, day),
                most=min(killer.chance.randint(1, 4), KILLS - killer.kills),
                is_done=lambda: arrived() >= len(calm.received),
            )
            both.workspace.run(
                "run", now=get_due_time(day, rounds)
            )  # leases of the dead are not over by then, and yet free
        assert_promises_kept(calm, wild, killer.kills)

    assert killer.kills >= KILLS
    assert load_editions(both.disturbed_url) == load_editions(both.calm_url)
    repeats = len(wild.received) - len(calm.received)
    print(f"{killer.kills} kills in {number} days, {len(calm.received)} mails, {repeats} repeats")  # noqa: T201


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=str)
@pytest.mark.parametrize("after", [1, 15])
def test_who_is_told_to_stop_notes_what_was_answered_and_nothing_comes_twice(
    tmp_path: Path, number: signal.Signals, after: int
) -> None:
    workspace, mails = Workspace(tmp_path), count(1)
    with (
        Publisher(make_papers(DAYS[:1]), day=FIRST, sections=SECTIONS) as publisher,
        DeadlyServer() as server,
    ):
        workspace.write(make_digests_config(f"sqlite:///{tmp_path}/digest.db", publisher, server))
        with start_command(workspace, "run", now=get_due_time(FIRST)) as process:
            server.notice = lambda _port: process.send_signal(number) if next(mails) == after else None
            output, _ = process.communicate()
        server.notice = nobody
        assert process.returncode == 130, output
        assert len(server.received) < 90
        workspace.run("run", now=get_due_time(FIRST, 1))

    arrived = count_messages(server)
    assert len(arrived) == arrived.total() == 90


def assert_promises_kept(calm: MailServer, wild: MailServer, kills: int) -> None:
    """Nothing is lost; what comes twice is the same, and is no more than the kills explain."""
    expected, arrived = count_messages(calm), count_messages(wild)
    assert set(expected.values()) == {1}
    assert arrived.keys() == expected.keys()
    last = {get_message_id(mail): mail for mail in wild.received}
    for mail in wild.received:
        assert mail.content == last[get_message_id(mail)].content, "a repeat is the same mail, byte by byte"
    unmarked = Counter(mail.connection for mail in wild.received if mail is not last[get_message_id(mail)])
    assert max(unmarked.values(), default=0) <= PACK, "more than a pack of one connection came again"
    assert len(unmarked) <= CONNECTIONS * kills, "something came again that no kill explains"
