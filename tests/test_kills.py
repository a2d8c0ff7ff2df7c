"""Processes that are killed at any instant while others go on, and what readers notice of it: nothing."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from digest.demo.publisher import Announced, Publisher
from digest.store import deliveries, digests, editions
from digest.store.digest_tables import runs, shards, slots
from digest.store.engine import Transaction, open_store
from tests.servers import MailServer, Postgres, Received
from tests.world import World

ROOT = Path(__file__).parents[1]
BERLIN = ZoneInfo("Europe/Berlin")
FIRST = date(2026, 5, 4)
KILLS = -(-int(os.environ.get("DIGEST_TEST_KILLS", "10")) // 2)
"""For each of the two databases."""
DAYS = [FIRST + timedelta(days=number) for number in range(10 + KILLS) if number % 7 < 5]
PACK = 10
"""Messages that may be under way on a connection: what a kill can repeat at the most."""
CONNECTIONS = 2
ROUNDS = 12
"""In which somebody is killed, a day, at the most: one that chance lets do its work ends the day."""
PATIENCE = 5.0
"""Seconds after which somebody is killed although what was waited for has not happened."""
SECTIONS = ("cs.DC", "cs.LG", "cs.CL")
CAST = (("run",), ("serve", "--every", "1"), ("deliver",), ("deliver",))
"""Who is at it at the same time; ``serve`` goes by the time of the last one who was given it."""
OTHERS = ("pull", "match", "compose")
"""One of these joins them now and then: unlike cycles they are not alone at what they do."""
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
    connections = {connections}
"""
DIGEST = """
    [[digest]]
    name = "{name}"
    to = [{to}]
    schedule = "weekdays {at}"
    timezone = "Europe/Berlin"
    keywords = ["{one}", "{other}"]
    limit = 4
    feed = true
"""
WORDS = ("serving", "storage", "inference", "scheduling", "caching", "routing")


def papers() -> list[Announced]:
    """Some papers a day, each in a section or two and about a thing or two."""
    return [
        Announced(
            id=f"{day:%y%m}.{day.day:02}{number:03}",
            title=f"On {WORDS[number % 6]} and {WORDS[number // 6 % 6]}, part {number}",
            day=day,
            authors=("Ada Lovelace",),
            categories=(SECTIONS[number % 3], SECTIONS[number // 3 % 3]),
        )
        for day in DAYS
        for number in range(24)
    ]


def configuration(store: str, publisher: Publisher, server: MailServer) -> str:
    """Some dozens of digests in two slots, with three readers each."""
    head = HEAD.format(store=store, url=publisher.url, port=server.port, connections=CONNECTIONS)
    pairs = [(one, other) for one in WORDS for other in WORDS if one < other]
    wishes = [
        DIGEST.format(
            name=f"{one}-{other}-{late}",
            one=one,
            other=other,
            at="07:30" if late else "07:15",
            to=", ".join(f'"{reader}.{one}.{other}.{late}@example.org"' for reader in range(3)),
        )
        for one, other in pairs
        for late in (False, True)
    ]
    return head + "".join(wishes)


# --- what readers have ----------------------------------------------------------------------------


def told(store: str) -> dict[tuple[str, str], Any]:
    """Every edition by digest and period: what is in it and why, and what it says of completeness."""
    opened = open_store(store, datetime.now(UTC))
    try:
        with opened.reading() as tx:
            assert deliveries.count_by_state(tx).keys() == {"sent"}
            assert_runs_ended(tx)
            made = [
                one for digest in digests.active_digests(tx) for one in editions.last_of(tx, digest.id, 999)
            ]
    finally:
        opened.close()
    found = {
        (one.digest, one.period): (
            [(item.event, item.part, item.reasons, item.score) for item in (*one.items, *one.rest)],
            [(batch.section, batch.day, batch.state, batch.received) for batch in one.batches],
        )
        for one in made
    }
    assert len(found) == len(made), "a digest has two editions of one period"
    return found


def assert_runs_ended(tx: Transaction) -> None:
    """No run and no shard is left, and the windows of a slot's runs are its seq, each once."""
    assert set(tx.execute(select(runs.c.state)).scalars()) <= {"composed", "merged"}
    assert set(tx.execute(select(shards.c.state)).scalars()) == {"done"}
    windows: dict[int, list[tuple[int, int]]] = {}
    closed = select(runs).where(runs.c.state == "composed").order_by(runs.c.fire_at)
    for run in tx.execute(closed):
        windows.setdefault(run.slot_id, []).append((run.from_seq, run.to_seq))
    for slot in tx.execute(select(slots).where(slots.c.id.in_(windows))):
        begins, ends = zip(*windows[slot.id], strict=True)
        assert begins[1:] == ends[:-1]
        assert ends[-1] == slot.cursor_seq


def message_id(mail: Received) -> str:
    return str(message_from_bytes(mail.content)["Message-ID"])


def letters(server: MailServer) -> Counter[tuple[str, str]]:
    """Who got which message how often."""
    return Counter((mail.recipients[0], message_id(mail)) for mail in server.received)


@dataclass
class Distinct:
    """Counts the messages that a server has taken, each once, and looks at none twice."""

    server: MailServer
    ids: set[str] = field(default_factory=set)
    seen: int = 0

    def __call__(self) -> int:
        fresh = self.server.received[self.seen :]
        self.seen += len(fresh)
        self.ids.update(map(message_id, fresh))
        return len(self.ids)


# --- killing --------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Killer:
    """Keeps several processes at work, and kills one or all of them at instants that chance picks.

    Attributes:
        kills: how many died of it.
    """

    world: World
    publisher: Publisher
    server: MailServer
    chance: random.Random
    kills: int = 0
    _alive: dict[int, tuple[tuple[str, ...], subprocess.Popen[str]]] = field(default_factory=dict)

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
            # One that had not begun to listen to us when it was told to stop has ended of it.
            ended_well(process, *[-signal.SIGTERM] * (command[0] == "serve"))
        self._alive.clear()
        return number

    def _start_missing(self, now: datetime) -> None:
        """Start those of the cast who are not there, in any order."""
        self.world.run("status", now=now)  # the store has seen this time: those who are not given it go by it
        for place, (_, process) in list(self._alive.items()):
            if process.poll() is not None:
                ended_well(self._alive.pop(place)[1])
        other = (self.chance.choice(OTHERS),) if self.chance.random() < 0.5 else None
        cast = [*CAST, other] if other else list(CAST)
        missing = [place for place in range(len(cast)) if place not in self._alive]
        self.chance.shuffle(missing)
        for place in missing:
            self._alive[place] = cast[place], self._start(cast[place], now)

    def _start(self, command: Sequence[str], now: datetime) -> subprocess.Popen[str]:
        given = [*command, "--config", str(self.world.folder / "digest.toml")]
        if command[0] != "serve":
            given += ["--now", now.isoformat()]
        return subprocess.Popen(
            [sys.executable, "-m", "digest", *given],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _strike(self, is_done: Callable[[], bool]) -> None:
        """Kill one of them, or all as when the power fails, at some instant; unless their work is done before."""
        due = self._instant()
        begun = time.monotonic()
        living = [place for place, (_, process) in self._alive.items() if process.poll() is None]
        together = self.chance.random() < 0.25
        doomed = living if together else [self.chance.choice(living)] if living else []
        while not due() and time.monotonic() < begun + PATIENCE and not is_done():
            with_patience([self._alive[place][1] for place in doomed])
        for place in doomed:
            self._alive[place][1].kill()
        for place in doomed:
            _, process = self._alive.pop(place)
            if process.wait() < 0:
                self.kills += 1
                process.communicate()
            else:
                ended_well(process)

    def _instant(self) -> Callable[[], bool]:
        """When to kill: after a while, soon after something was asked, or when mails have just been taken."""
        begun, asked, sent = time.monotonic(), len(self.publisher.requests), len(self.server.received)
        after, mails = self.chance.uniform(0.3, 2.0), self.chance.randint(1, 24)

        def a_while() -> bool:
            return time.monotonic() - begun > after

        def something_asked() -> bool:
            return len(self.publisher.requests) - asked >= mails // 8

        def mails_taken() -> bool:
            return len(self.server.received) - sent >= mails

        return self.chance.choice([a_while, something_asked, mails_taken, mails_taken])


def ended_well(process: subprocess.Popen[str], *statuses: int) -> None:
    """Wait for the end of a process that nobody killed."""
    output, _ = process.communicate(timeout=120)
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


def test_kills_at_any_instant_lose_nothing_and_repeat_a_pack_a_connection_at_the_most(
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
        killer = Killer(world=world, publisher=publisher, server=wild, chance=random.Random(seed))
        arrived, days = Distinct(wild), 0
        for day in DAYS[1:]:
            if killer.kills >= KILLS:
                break
            days, publisher.day = days + 1, day
            world.write(configuration(both.peace, publisher, calm))
            world.run("run", now=at(day))
            expected = len(calm.received)
            world.write(configuration(both.war, publisher, wild))
            rounds = killer.haunt(
                lambda minutes, day=day: at(day, minutes),  # type: ignore[misc]
                most=min(killer.chance.randint(1, 4), KILLS - killer.kills),
                is_done=lambda expected=expected: arrived() >= expected,  # type: ignore[misc]
            )
            world.run("run", now=at(day, rounds))  # leases of the dead are not over by then, and yet free
        assert_promises_kept(calm, wild, killer.kills)

    assert killer.kills >= KILLS
    assert told(both.war) == told(both.peace)
    repeats = len(wild.received) - len(calm.received)
    print(f"{killer.kills} kills in {days} days, {len(calm.received)} mails, {repeats} repeats")  # noqa: T201


def assert_promises_kept(calm: MailServer, wild: MailServer, kills: int) -> None:
    """Nothing is lost; what comes twice is the same, and is no more than the kills explain."""
    expected, arrived = letters(calm), letters(wild)
    assert set(expected.values()) == {1}
    assert arrived.keys() == expected.keys()
    assert len({(message_id(mail), mail.content) for mail in wild.received}) == len(arrived), (
        "a repeat is the same mail, byte by byte"
    )
    last = {message_id(mail): mail for mail in wild.received}
    unmarked = Counter(mail.connection for mail in wild.received if mail is not last[message_id(mail)])
    assert max(unmarked.values(), default=0) <= PACK, "more than a pack of one connection came again"
    assert len(unmarked) <= CONNECTIONS * kills, "something came again that no kill explains"
