"""A store that cannot be written to for a while, at any instant: nothing is lost, and nothing is sent twice.

Nobody is killed here: who is in trouble says so, sends nothing that it could not mark, and goes on by itself.
"""

from __future__ import annotations

import os
import queue
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Self

import psycopg
import pytest
from sqlalchemy import make_url

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.simulation.many_digests import (
    CONNECTIONS,
    FIRST,
    SECTIONS,
    DatabasePair,
    choose_instant,
    count_messages,
    get_due_time,
    list_days,
    load_editions,
    make_digests_config,
    make_papers,
    open_database_pair,
)
from tests.support.postgres import FragilePostgres, start_fragile_postgres
from tests.support.seeds import get_seed
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]
DAYS = list_days(1 + int(os.environ.get("DIGEST_TEST_TROUBLES", "1")))
"""Of each kind, for each command, one a day at the least."""
SAYS = "the database says"
MOST_RUNS = 20
"""A day: each one that trouble befell early leaves the rest to the next."""
UNDER_WAY = 10 * CONNECTIONS
"""What may be sent in trouble: packs that had been claimed before."""


# --- processes ------------------------------------------------------------------------------------


class Process(AbstractContextManager["Process"]):
    """A command as a process of its own, and what it has said so far; killed in the end, if it is still there."""

    def __init__(self, workspace: Workspace, *command: str, through: Sequence[str] = ()) -> None:
        """Start it; `through` is a program that starts what it is given."""
        arguments = [*command, "--config", str(workspace.folder / "digest.toml")]
        self._process = subprocess.Popen(
            [*through, sys.executable, "-m", "digest", *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output = ""
        self._events: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.output += line
            if SAYS in line:
                self._events.put(None)
        self._events.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    def lives(self) -> bool:
        return self._process.poll() is None

    def is_in_trouble(self, patience: float = PATIENCE) -> bool:
        """Wait until it says so, or ends; or for as long as one has patience, and then it did not."""
        try:
            self._events.get(timeout=patience)
        except queue.Empty:
            return False
        return True

    def a_moment(self) -> None:
        """Let it go on for some milliseconds."""
        try:
            self._process.wait(0.005)
        except subprocess.TimeoutExpired:
            return

    def ended(self) -> int:
        """Wait for its end; gives its exit status."""
        try:
            status = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGABRT)  # it says where it is
            status = self._process.wait()
        self._reader.join()
        assert not any(word in self.output for word in ("Traceback", "constraint")), self.output
        return status

    def stopped(self) -> int:
        """Ask it to end."""
        self._process.terminate()
        return self.ended()


# --- troubles -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Victim:
    """A process that is at work, and what it works on.

    Attributes:
        server: of its database; None for SQLite.
    """

    process: Process
    store: str
    server: FragilePostgres | None


Trouble = Callable[[Victim], AbstractContextManager[None]]
"""Befalls a process that is at work; in the end all is well again."""


def file_of(store: str) -> Path:
    return Path(store.removeprefix("sqlite:///"))


@contextmanager
def full(victim: Victim) -> Iterator[None]:
    """No file of the process can grow any more."""
    limit_files(victim.process, 0)
    try:
        yield
    finally:
        limit_files(victim.process, resource.RLIM_INFINITY)


def limit_files(process: Process, size: int) -> None:
    with suppress(ProcessLookupError):
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@contextmanager
def locked(victim: Victim) -> Iterator[None]:
    """Another process is writing, and takes its time."""
    with closing(sqlite3.connect(file_of(victim.store), timeout=60, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def cut_off(victim: Victim) -> Iterator[None]:
    """The server ends all connections, again and again."""
    over = threading.Event()
    url = make_url(victim.store).set(drivername="postgresql")
    address = url.set(database="postgres").render_as_string(hide_password=False)
    ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"

    def end_all() -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            while not over.wait(0.02):
                connection.execute(ending, [url.database])

    thread = threading.Thread(target=end_all)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def crashed(victim: Victim) -> Iterator[None]:
    """The server dies, and is started again."""
    assert victim.server is not None
    victim.server.crash()
    try:
        yield
    finally:
        victim.server.start()


# --- at any instant -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What a test acts on."""

    both: DatabasePair
    server: FragilePostgres | None
    chance: random.Random

    def in_trouble(self, day: date, trouble: Trouble, command: str) -> None:
        """The same day, with trouble at instants that chance picks, until everybody has got what is theirs."""
        self.both.switch_to_disturbed()
        for minute in range(MOST_RUNS):
            if len(self.both.disturbed_server.received) >= len(self.both.calm_server.received):
                return
            now = get_due_time(day, minute)
            self.both.workspace.run(
                "status", now=now
            )  # serve goes by the latest time that the store has seen
            more = ("--every", "1") if command == "serve" else ("--now", now.isoformat())
            with Process(self.both.workspace, command, *more) as process:
                self._befall(process, trouble)
                if command == "serve":
                    self._goes_on_by_itself(process)
                else:
                    assert process.ended() in {0, 1}, process.output
        raise AssertionError("it comes to no end")

    def _befall(self, process: Process, trouble: Trouble) -> None:
        """Trouble until it is told, or for a moment."""
        due, begun = (
            choose_instant(self.chance, self.both.publisher, self.both.disturbed_server),
            time.monotonic(),
        )
        while process.lives() and not due() and time.monotonic() < begun + 10:
            process.a_moment()
        with trouble(Victim(process=process, store=self.both.disturbed_url, server=self.server)):
            document = process.is_in_trouble(patience=self.chance.choice([1.0, 20.0]))
            sent = len(self.both.disturbed_server.received)
            if document:
                process.a_moment()
                assert len(self.both.disturbed_server.received) <= sent + UNDER_WAY, (
                    "it sends what it cannot mark"
                )

    def _goes_on_by_itself(self, process: Process) -> None:
        begun = time.monotonic()
        while process.lives() and len(self.both.disturbed_server.received) < len(
            self.both.calm_server.received
        ):
            assert time.monotonic() < begun + PATIENCE, process.output
            process.a_moment()
        # It may have been in trouble while it began, or be told to stop before it listens to that.
        assert process.stopped() in {0, 1, 130, -signal.SIGTERM}, process.output


@contextmanager
def scene(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Scene]:
    with open_database_pair(kind, tmp_path, request, DAYS, MailServer()) as both:
        yield Scene(
            both=both,
            server=None if kind == "sqlite" else request.getfixturevalue("postgres"),
            chance=random.Random(get_seed()),
        )


@pytest.fixture(scope="module")
def postgres() -> Iterator[FragilePostgres]:
    """A server of these tests' own: it has to suffer."""
    with start_fragile_postgres() as server:
        yield server


@pytest.fixture
def own_postgres_url(postgres: FragilePostgres) -> Iterator[str]:
    """The address of an empty database on that server."""
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.mark.parametrize("command", ["run", "serve"])
@pytest.mark.parametrize(
    ("kind", "trouble"),
    [("sqlite", full), ("sqlite", locked), ("postgresql", cut_off), ("postgresql", crashed)],
    ids=["a full disk", "a lock", "lost connections", "a crash of the server"],
)
def test_trouble_at_any_instant_is_told_or_waited_for_and_nothing_is_lost_or_repeated(
    kind: str, trouble: Trouble, command: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with scene(kind, tmp_path, request) as here:
        for day in DAYS[1:]:
            here.both.run_calm_day(day)
            here.in_trouble(day, trouble, command)
            here.both.workspace.run("run", now=get_due_time(day, MOST_RUNS))

        assert count_messages(here.both.disturbed_server) == count_messages(here.both.calm_server), (
            "each message once"
        )
        assert load_editions(here.both.disturbed_url) == load_editions(here.both.calm_url)
        if kind == "sqlite":
            with closing(sqlite3.connect(file_of(here.both.disturbed_url))) as store:
                assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# --- from the beginning ---------------------------------------------------------------------------

WITHOUT_RIGHTS = (
    sys.executable,
    "-c",
    # 24 is PR_CAPBSET_DROP, 1 is CAP_DAC_OVERRIDE (linux/prctl.h, linux/capability.h): root writes what it may.
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(24, 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])",
)


@pytest.mark.parametrize("command", ["run", "deliver", "serve"])
@pytest.mark.parametrize("subject", ["file", "folder"])
def test_what_may_not_be_written_to_is_told_with_what_to_do_and_nothing_is_sent(
    subject: str, command: str, tmp_path: Path, mail_server: MailServer
) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    read_only, mode = (folder / "digest.db", 0o600) if subject == "file" else (folder, 0o700)
    workspace, now = Workspace(tmp_path), get_due_time(FIRST)
    with Publisher(make_papers(DAYS[:1]), day=FIRST, sections=SECTIONS) as publisher:
        workspace.write(make_digests_config(f"sqlite:///{folder / 'digest.db'}", publisher, mail_server))
        workspace.run("db", "upgrade")
        read_only.chmod(mode & 0o555)
        more = () if command == "serve" else ("--now", now.isoformat())
        with Process(workspace, command, *more, through=WITHOUT_RIGHTS) as process:
            assert process.ended() == 1
        assert "give this user write permission for the file and its folder" in process.output
        assert mail_server.received == []

        read_only.chmod(mode)
        workspace.run("run", now=now)
    assert len(mail_server.received) == 90
