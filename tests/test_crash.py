"""Processes that are killed at any instant, and what their readers notice of it: nothing."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import Announced, Publisher
from digest.store import deliveries, digests, editions
from digest.store.engine import open_store
from tests.servers import MailServer, Postgres
from tests.world import World

ROOT = Path(__file__).parents[1]
BERLIN = ZoneInfo("Europe/Berlin")
FIRST = date(2026, 5, 4)
DAYS = [FIRST + timedelta(days=number) for number in range(18) if number % 7 < 5]
KILLS = int(os.environ.get("DIGEST_TEST_KILLS", "10"))
PACK = 10
"""Messages that a crash can repeat at the most."""
SECTIONS = ("cs.DC", "cs.LG", "cs.CL")
COMMANDS = (*["run"] * 8, "pull", "match", "compose", "deliver")
WHOLE = ("run", "deliver")
"""After one of these came to its end there is nothing left to kill."""
HEAD = """
    [site]
    title = "Lab digest"

    [store]
    url = "{store}"

    [[source]]
    use = "arxiv"
    routes = ["rss"]
    categories = ["cs.DC", "cs.LG", "cs.CL"]
    url = "{url}/rss/"
    pace = 0

    [smtp]
    host = "127.0.0.1"
    port = {port}
    security = "none"
    from = "Lab digest <digest@example.org>"
"""
DIGEST = """
    [[digest]]
    name = "{name}"
    to = [{to}]
    schedule = "weekdays 07:30"
    timezone = "Europe/Berlin"
    keywords = ["{word}"]
    limit = 4
    feed = true
"""
WORDS = ("serving", "storage", "inference", "scheduling")


def papers() -> list[Announced]:
    """Some papers a day, each in a section or two and about a thing or two."""
    return [
        Announced(
            id=f"{day:%y%m}.{day.day:02}{number:03}",
            title=f"On {WORDS[number % 4]} and {WORDS[number // 4 % 4]}, part {number}",
            day=day,
            authors=("Ada Lovelace",),
            categories=(SECTIONS[number % 3], SECTIONS[number // 3 % 3]),
        )
        for day in DAYS
        for number in range(24)
    ]


def configuration(store: str, publisher: Publisher, server: MailServer) -> str:
    to = ", ".join(f'"{number}@example.org"' for number in range(6))
    wishes = "".join(DIGEST.format(name=f"on-{word}", word=word, to=to) for word in WORDS)
    return HEAD.format(store=store, url=publisher.url, port=server.port) + wishes


# --- what readers have ----------------------------------------------------------------------------


def told(store: str) -> dict[tuple[str, str], Any]:
    """Every edition by digest and period: what is in it and why, and what it says of completeness."""
    opened = open_store(store, datetime.now(UTC))
    try:
        with opened.reading() as tx:
            assert deliveries.count_by_state(tx).keys() == {"sent"}
            made = [
                one for digest in digests.active_digests(tx) for one in editions.last_of(tx, digest.id, 99)
            ]
    finally:
        opened.close()
    return {
        (one.digest, one.period): (
            [(item.event, item.part, item.reasons, item.score) for item in (*one.items, *one.rest)],
            [(batch.section, batch.day, batch.state, batch.received) for batch in one.batches],
        )
        for one in made
    }


def message_ids(server: MailServer) -> Counter[str]:
    return Counter(str(message_from_bytes(mail.content)["Message-ID"]) for mail in server.received)


# --- killing --------------------------------------------------------------------------------------


@dataclass
class Killer:
    """Starts commands and kills them, at an instant that chance picks.

    Attributes:
        kills: how many died of it.
    """

    world: World
    publisher: Publisher
    server: MailServer
    chance: random.Random
    kills: int = 0

    def strike(self, command: str, now: datetime) -> bool:
        """Start a command, and kill it unless it has ended before; says which."""
        given = [command, "--config", str(self.world.folder / "digest.toml"), "--now", now.isoformat()]
        process = subprocess.Popen(
            [sys.executable, "-m", "digest", *given],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        due = self._instant(command)
        while process.poll() is None and not due():
            with_patience(process)
        process.kill()
        output, _ = process.communicate()
        if process.returncode >= 0:
            assert process.returncode == 0, output
            return False
        self.kills += 1
        return True

    def _instant(self, command: str) -> Callable[[], bool]:
        """When to kill: after a while, or soon after a request or a number of mails."""
        begun = time.monotonic()
        asked, sent = len(self.publisher.requests), len(self.server.received)
        after = self.chance.uniform(0.4, 0.9)
        soon = self.chance.uniform(0.0, 0.2)
        mails = self.chance.randint(1, 24)
        seen: list[float] = []

        def something() -> bool:
            """Whether what to wait for has happened, and how long ago is enough."""
            if not seen and len(self.publisher.requests) > asked:
                seen.append(time.monotonic())
            return bool(seen) and time.monotonic() - seen[0] > soon

        kinds = [lambda: time.monotonic() - begun > after]
        if command in {"run", "pull"}:
            kinds = [something]
        if command in {"run", "deliver"}:
            kinds.append(lambda: len(self.server.received) - sent >= mails)
        return self.chance.choice(kinds)


def with_patience(process: subprocess.Popen[str]) -> None:
    """Give it five milliseconds."""
    try:
        process.wait(0.005)
    except subprocess.TimeoutExpired:
        return


# --- the test -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Twins:
    """Two databases that were one after the first day: one to be left in peace, and one not."""

    peace: str
    war: str


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def twins(kind: str, tmp_path: Path, request: pytest.FixtureRequest, begin: Callable[[str], None]) -> Twins:
    """Make them; `begin` makes the first day."""
    if kind == "sqlite":
        begin(f"sqlite:///{tmp_path}/peace.db")
        shutil.copy(tmp_path / "peace.db", tmp_path / "war.db")
        return Twins(f"sqlite:///{tmp_path}/peace.db", f"sqlite:///{tmp_path}/war.db")
    postgres: Postgres = request.getfixturevalue("postgres")
    url: str = request.getfixturevalue("postgres_url")
    begin(url)
    copy = postgres.create(url)
    request.addfinalizer(lambda: postgres.drop(copy))
    return Twins(url, copy)


def at(day: date, minutes: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, 7, 31, tzinfo=BERLIN) + timedelta(minutes=minutes)


def test_kills_at_any_instant_lose_nothing_and_repeat_a_pack_at_the_most(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    seed = int(os.environ.get("DIGEST_TEST_SEED") or random.SystemRandom().getrandbits(32))
    print(f"DIGEST_TEST_SEED={seed}")  # noqa: T201 - shown where it fails
    world = World(tmp_path)
    with (
        Publisher(papers(), day=FIRST, sections=SECTIONS) as publisher,
        MailServer() as calm,
        MailServer() as wild,
    ):

        def begin(store: str) -> None:
            world.write(configuration(store, publisher, calm))
            world.run("db", "upgrade")
            world.run("run", now=at(FIRST))

        both = twins(kind, tmp_path, request, begin)
        wild.received += calm.received
        killer = Killer(world, publisher, wild, random.Random(seed))
        world.write(configuration(both.war, publisher, wild))
        days = 0
        for day in DAYS[1:]:
            if killer.kills >= KILLS:
                break
            days, publisher.day, minutes = days + 1, day, 0
            killed, command = True, "run"
            while minutes < 4 and (killed or command not in WHOLE):
                command = killer.chance.choice(COMMANDS)
                killed = killer.strike(command, at(day, minutes))
                minutes += 1  # the leases of the dead are not over by then, and yet free
            world.run("run", now=at(day, minutes))
        world.write(configuration(both.peace, publisher, calm))
        for day in DAYS[1 : days + 1]:
            publisher.day = day
            world.run("run", now=at(day))

    assert killer.kills >= min(KILLS, days)
    assert told(both.war) == told(both.peace)
    calmly, wildly = message_ids(calm), message_ids(wild)
    assert set(calmly.values()) == {1}
    assert wildly.keys() == calmly.keys()
    repeats = wildly.total() - len(wildly)
    print(f"{killer.kills} kills in {days} days, {repeats} repeats")  # noqa: T201
    assert repeats <= PACK * killer.kills
    contents = {(str(message_from_bytes(mail.content)["Message-ID"]), mail.content) for mail in wild.received}
    assert len(contents) == len(wildly), "a repeat is the same mail, byte by byte"
