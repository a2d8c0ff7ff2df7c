"""An upgrade of a PostgreSQL database from an earlier release that works meanwhile, its code taken from the history."""

from __future__ import annotations

import re
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest
from bs4 import BeautifulSoup
from sqlalchemy import Engine, text

from digest.core.subscribers.sessions import make_form_token
from digest.demo.publisher import NEW_YORK, Publisher, load_shipped_papers
from digest.store.database.dialect import make_engine
from digest.store.database.engine import LATEST_MIGRATION, read_version
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.support.processes import ROOT, start_command
from tests.support.releases import LAST_RELEASE, RELEASE_WITHOUT_WORKERS, extract_release
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config
from tests.web.signup.conftest import SIGNUP, find_link, read_session_cookie
from tests.worker.conftest import CONNECTIONS, MAIL, GatedServer, wait_until

pytestmark = pytest.mark.long

READERS = tuple(f"{number}@example.org" for number in range(300))
SITE = "https://digest.example.org"
SECTIONS, MORE_SECTIONS = '"cs.DC"', '"cs.DC", "cs.LG", "cs.CL"'
"""Sections of the first run and of the next one. A new section is asked for at once, on whatever day of the week."""
SAME_SITE = {"sec-fetch-site": "same-origin"}
TROUBLE = re.compile(r"Traceback|[Ee]rror|failed|deferred|too old")


@dataclass(frozen=True, slots=True)
class OldLab:
    """A database with the tables of an earlier release, and what works on it.

    Attributes:
        workspace: the folder with the configuration of both releases.
        config: its text.
        server: their mail server.
        engine: the database.
        root: the folder with the code of the earlier release.
    """

    workspace: Workspace
    config: str
    server: GatedServer
    engine: Engine
    root: Path

    def start_old(self, *arguments: str) -> AbstractContextManager[subprocess.Popen[str]]:
        """Start a command of the earlier release."""
        return start_command(self.workspace, *arguments, root=self.root)

    def start_new(self, *arguments: str) -> AbstractContextManager[subprocess.Popen[str]]:
        """Start a command of this release."""
        return start_command(self.workspace, *arguments)

    def run_old(self, *arguments: str, status: int = 0) -> str:
        """Run a command of the earlier release; return what it printed."""
        return run_to_end(self.start_old(*arguments), status)

    def run_new(self, *arguments: str) -> str:
        """Run a command of this release; return what it printed."""
        return run_to_end(self.start_new(*arguments), 0)

    def count(self, statement: str) -> int:
        """Return the number that a statement finds."""
        with self.engine.connect() as connection:
            return int(connection.execute(text(statement)).scalar_one())

    def count_mails(self) -> Counter[str]:
        """Count the mails of the digest by recipient."""
        return Counter(mail.recipients[0] for mail in self.server.received)

    def are_all_sent(self, runs: int) -> bool:
        """Whether all deliveries of so many runs are sent."""
        sent = self.count("SELECT count(*) FROM deliveries WHERE state = 'sent'")
        return sent == self.count("SELECT count(*) FROM deliveries") == runs * len(READERS)

    def list_workers(self) -> Sequence[int]:
        """List how much each process that delivers has sent until its last heartbeat, in the order of their starts."""
        statement = "SELECT sent FROM workers WHERE command IN ('worker', 'serve') ORDER BY started_at"
        with self.engine.connect() as connection:
            return list(connection.execute(text(statement)).scalars())


def run_to_end(command: AbstractContextManager[subprocess.Popen[str]], status: int) -> str:
    """Wait for the end of a command, and check its exit status."""
    with command as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, output
    return output


def stop(process: subprocess.Popen[str]) -> str:
    """Stop a service as a service manager does; return what it printed."""
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output
    return output


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """Read lines until one has these words; return it."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return line
    raise AssertionError(f"it ended without {words!r}")


@pytest.fixture
def commit() -> str:
    """The commit of the earlier release; a test may have another one."""
    return LAST_RELEASE


@pytest.fixture
def old_lab(commit: str, tmp_path: Path, bare_postgres_url: str, server: GatedServer) -> Iterator[OldLab]:
    """A database that the earlier release has set up."""
    root = extract_release(commit, tmp_path / "old")
    workspace = Workspace(tmp_path / "both")
    workspace.folder.mkdir()
    day = datetime.now(NEW_YORK).date()
    with Publisher([replace(paper, day=day) for paper in load_shipped_papers()], day=day) as publisher:
        to = ", ".join(f'"{reader}"' for reader in READERS)
        config = make_config(
            publisher.url, categories=SECTIONS, to=to, schedule="daily 07:30", store=bare_postgres_url
        ).replace("[site]\n", f'[site]\nurl = "{SITE}"\ncontact = "ops@example.org"\n')
        config += MAIL.format(port=server.port, connections=CONNECTIONS)
        config += dedent(SIGNUP.format(signup='who = "anyone"'))
        workspace.write(config)
        engine = make_engine(bare_postgres_url)
        lab = OldLab(workspace, config, server, engine, root)
        lab.run_old("db", "upgrade")
        lab.run_old("apply") if (root / "digest/worker").exists() else lab.run_old("pull")
        version = read_version(engine)
        assert version is not None
        assert version < LATEST_MIGRATION, "choose an older release, or none of the migrations is tested"
        yield lab
        engine.dispose()


# --- the upgrade ----------------------------------------------------------------------------------


@contextmanager
def keep_version(engine: Engine) -> Iterator[Callable[[], bool]]:
    """Let no migration end within the block; yield whether one is waiting for that."""
    waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'alembic_version'::regclass)"
    with engine.connect() as connection, engine.connect() as observer:
        connection.execute(text("LOCK TABLE alembic_version IN SHARE MODE"))
        yield lambda: bool(observer.execute(text(waiting)).scalar())
        connection.rollback()


def kill_upgrade(lab: OldLab) -> None:
    """Kill an upgrade in the middle of a migration."""
    version = read_version(lab.engine)
    with keep_version(lab.engine) as is_waiting, lab.start_new("db", "upgrade") as upgrade:
        wait_until(is_waiting)
        upgrade.kill()
        upgrade.wait(PATIENCE)
    assert read_version(lab.engine) == version


def begin_run(lab: OldLab, command: str, *, sent: int) -> AbstractContextManager[subprocess.Popen[str]]:
    """Let the earlier release deliver the first mails of a run, and not the others until the gate of the server is opened."""
    lab.server.free, lab.server.seconds = sent, 0.0
    lab.server.gate.clear()
    return lab.start_old(*command.split())


def open_gate(lab: OldLab) -> None:
    """Let the mail server take the rest, so slowly that whoever wants to send has a share."""
    lab.server.seconds = 0.4
    lab.server.gate.set()


def test_workers_of_two_releases_share_a_run_while_the_tables_are_upgraded(
    old_lab: OldLab, server: GatedServer
) -> None:
    with begin_run(old_lab, "worker", sent=40) as old, old_lab.start_new("worker") as new:
        wait_until(lambda: len(server.received) >= server.free)
        read_until(new, "Waiting for `digest db upgrade`")
        kill_upgrade(old_lab)
        assert old_lab.count("SELECT count(*) FROM workers") == 1
        printed = old_lab.run_new("db", "upgrade")
        assert f"to {LATEST_MIGRATION}" in printed
        read_until(new, "Working on")
        wait_until(lambda: len(old_lab.list_workers()) == 2)
        sent_before = len(server.received)
        open_gate(old_lab)
        wait_until(lambda: old_lab.are_all_sent(1))
        wait_until(lambda: sum(old_lab.list_workers()) == len(READERS))
        shares = old_lab.list_workers()
        new_output = stop(new)
        server.seconds = 0.0
        old_output = run_next_day(old_lab, old)

    assert sent_before < len(READERS) / 2
    assert shares[0] > sent_before + 10 * CONNECTIONS, "the old worker has sent no batch since the upgrade"
    assert shares[1] > 0, "the new worker has sent nothing"
    assert old_lab.count_mails() == dict.fromkeys(READERS, 2)
    assert TROUBLE.findall(old_output + new_output) == []


def run_next_day(lab: OldLab, old: subprocess.Popen[str]) -> str:
    """Let a worker of the earlier release do a whole cycle alone; return what it has printed since it began."""
    events = lab.count("SELECT count(*) FROM events")
    lab.workspace.write(lab.config.replace(SECTIONS, MORE_SECTIONS, 1))
    lab.run_old("apply")
    wait_until(lambda: lab.count("SELECT count(DISTINCT section) FROM batches WHERE received > 0") == 3)
    with lab.engine.begin() as connection:
        connection.execute(text("UPDATE slots SET next_fire_at = now() WHERE frequency = 'daily'"))
    wait_until(lambda: lab.are_all_sent(2))
    assert lab.count("SELECT count(*) FROM events") > events
    assert lab.count("SELECT count(*) FROM runs WHERE state = 'composed'") == 2
    return stop(old)
