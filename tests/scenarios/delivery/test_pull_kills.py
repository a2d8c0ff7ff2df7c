"""A pull that is killed at any instant and started again leaves the database that it would have left in peace."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import History
from tests.arxiv_service.release_times import get_feed_time, get_list_time, get_records_time
from tests.arxiv_service.server import ArxivService, Sizes
from tests.simulation.pull_workspace import (
    DAYS,
    SECTIONS,
    SERVICE,
    load_contents,
    make_arxiv_config,
    make_random,
    run_pull,
)
from tests.support.postgres import Postgres
from tests.support.workspace import Workspace

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]
KILLS = int(os.environ.get("DIGEST_TEST_KILLS", "6"))
STRIKES = -(-KILLS // 10)
"""Kills in a row at one moment, at the most: of 40 moments some have little to ask."""


def moments() -> list[datetime]:
    """When somebody pulls: when the list is half out, and when it, the records and the feeds are."""
    return [
        at + timedelta(minutes=minutes)
        for day in DAYS
        for at, minutes in (
            (get_list_time(day), 5),
            (get_list_time(day), 40),
            (get_records_time(day), 10),
            (get_feed_time(day), 10),
        )
    ]


def strike(workspace: Workspace, service: ArxivService, now: datetime, chance: random.Random) -> bool:
    """Start a pull and kill it soon after some answer; says whether it died of it.

    It has no further answer, so however late the kill comes, a pull that wants one has not finished.
    """
    arguments = ["pull", "--config", str(workspace.folder / "digest.toml"), "--now", now.isoformat()]
    expected, soon = chance.randint(1, 4), chance.uniform(0.0, 0.06)
    answered = len(service.requests) + expected
    with service.hold_back(expected):
        process = subprocess.Popen(
            [sys.executable, "-m", "digest", *arguments],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await_end(process, lambda: len(service.requests) >= answered)
        with suppress(subprocess.TimeoutExpired):
            process.wait(soon)
        process.kill()
        process.wait()
    return process.returncode < 0


def await_end(process: subprocess.Popen[bytes], done: Callable[[], bool]) -> None:
    """Wait until a process has ended or something is done."""
    while process.poll() is None and not done():
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.002)


@pytest.fixture(params=["sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Callable[[], str]]:
    """An empty store, and what copies it to another."""
    if request.param == "sqlite":

        def copied() -> str:
            shutil.copy(tmp_path / "peace.db", tmp_path / "war.db")
            return f"sqlite:///{tmp_path}/war.db"

        return f"sqlite:///{tmp_path}/peace.db", copied
    postgres: Postgres = request.getfixturevalue("postgres")
    url: str = request.getfixturevalue("own_postgres_url")

    def created() -> str:
        copy = postgres.create(url)
        request.addfinalizer(lambda: postgres.drop(copy))
        return copy

    return url, created


def test_a_pull_that_is_killed_and_started_again_keeps_the_same_as_one_in_peace(
    tmp_path: Path, stores: tuple[str, Callable[[], str]]
) -> None:
    by, workspace, (peace, copy) = make_random(), Workspace(tmp_path), stores
    history = History(make_announcements(by, DAYS, SECTIONS, 8), DAYS)
    partial = [
        Fault(
            kind="partial",
            begin=get_list_time(day),
            end=get_list_time(day) + timedelta(minutes=30),
            routes=("listing",),
        )
        for day in DAYS
    ]
    with ArxivService(history, now=get_list_time(DAYS[0]), faults=partial, sizes=Sizes(oai=5)) as service:
        workspace.write(make_arxiv_config(service, peace, SERVICE))
        workspace.run("db", "upgrade")
        war, kills, results = copy(), 0, []
        workspace.write(make_arxiv_config(service, war, SERVICE))
        for now in moments():
            if kills >= KILLS:
                break
            service.now = now
            for _ in range(STRIKES):
                if not strike(workspace, service, now, by):
                    break
                kills += 1
            run_pull(workspace, now)
            results.append(now)
        workspace.write(make_arxiv_config(service, peace, SERVICE))
        for now in results:
            service.now = now
            run_pull(workspace, now)

    assert kills >= KILLS
    calm, wild = load_contents(peace), load_contents(war)
    for table, rows in calm.items():
        assert wild[table] == rows, table
    assert {kind for _, kind, *_ in calm["events"]} >= {"new", "version"}
