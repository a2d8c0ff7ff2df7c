"""Readers who change their digests at any instant while runs fire and processes are killed: nothing comes twice or is lost."""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from digest.app import open_app
from digest.core.subscribers.own_digest import EditError, OwnFollow
from digest.core.subscribers.schedule_choice import ScheduleChoice
from digest.demo.publisher import Publisher
from digest.jobs.subscribers import account
from digest.jobs.subscribers.account import PauseFor
from digest.jobs.subscribers.own_digests import DigestChoice, OwnDigestEditor
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import Abstracts
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries, digests
from digest.store.delivery import outbox
from digest.store.editions import editions
from digest.testing.mail_server import MailServer
from tests.simulation.many_digests import (
    FIRST,
    WORDS,
    assert_runs_ended,
    get_message_id,
    list_days,
    make_papers,
)
from tests.support.processes import start_command
from tests.support.seeds import get_seed
from tests.support.workspace import Workspace

pytestmark = pytest.mark.long

READERS = int(os.environ.get("DIGEST_TEST_READERS", "20"))
"""``.ci/long`` asks for two thousand."""
DAYS = list_days(int(os.environ.get("DIGEST_TEST_DAYS", "2")))
HOURS = (1, 8, 14, 21)
"""Of a day, UTC: when the jobs run."""
LAST_DAYS = 9 + (6 - (DAYS[-1].weekday() + 9)) % 7
"""Days without papers and changes, in which every schedule fires; the last one is a Sunday, for which no run waits."""
ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Tokyo", "Asia/Kolkata"),
    *(
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "America/St_Johns",
        "Africa/Cairo",
        "Asia/Kathmandu",
        "Pacific/Kiritimati",
    ),
)
CONFIG = """
    [site]
    url = "https://digest.example.org"

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
    connections = 2

    [signup]
    who = "anyone"

    [[public_digest]]
    name = "dc"
    title = "Distributed computing"
    description = "Every paper of cs.DC."
    schedule = "weekdays 07:30"
    timezone = "UTC"
    categories = ["cs.DC"]
    limit = 100
"""


@dataclass
class Changer:
    """Changes digests of readers in a thread, at instants and in ways that chance picks.

    Attributes:
        now: the simulated time.
        changes: how many changes were made, by kind.
    """

    store: Store
    owners: list[tuple[int, int]]
    chance: random.Random
    now: datetime
    changes: Counter[str] = field(default_factory=Counter)
    failures: list[BaseException] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._stop.clear()
        self._thread = threading.Thread(target=self._change_repeatedly)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        assert self._thread is not None
        self._thread.join()
        assert self.failures == []

    def _change_repeatedly(self) -> None:
        while not self._stop.is_set():
            subscriber, digest_id = self.chance.choice(self.owners)
            try:
                self._change(
                    OwnDigestEditor(store=self.store, subscriber=subscriber, now=self.now), digest_id
                )
            except BaseException as error:  # noqa: BLE001 - the test shows it
                self.failures.append(error)
                return
            time.sleep(self.chance.uniform(0, 0.02))

    def _change(self, editor: OwnDigestEditor, digest_id: int) -> None:
        chance, destination = self.chance, editor.load(digest_id).summary.destination
        kind = chance.choice(
            ["follow", "unfollow", "weigh", "schedule", "options", "pause", "resume", "send"]
        )
        match kind:
            case "follow":
                word = chance.choice(WORDS)
                editor.add_follow(digest_id, OwnFollow(text=word, query=word, alert=chance.random() < 0.3))
            case "unfollow":
                editor.remove_follow(digest_id, chance.choice(WORDS), "")
            case "weigh":
                editor.weigh_follow(
                    digest_id, "category:cs.DC", chance.choice((0.5, 1.0, 2.0)), alert=chance.random() < 0.2
                )
            case "schedule":
                editor.change_schedule(digest_id, self._choose_schedule())
            case "options":
                self._change_options(editor, digest_id)
            case "pause":
                account.pause_digest(self.store, destination, chance.choice(list(PauseFor)), self.now)
            case "resume":
                account.resume_digest(self.store, destination, "then", self.now)
            case "send":
                with suppress(EditError):  # one came less than an hour ago
                    editor.request_edition(digest_id)
        self.changes[kind] += 1

    def _choose_schedule(self) -> ScheduleChoice:
        chance = self.chance
        days = tuple(day for day in range(7) if chance.random() < 0.6) or (chance.randrange(7),)
        at = f"{chance.randrange(24):02}:{chance.choice((0, 15, 30)):02}"
        latest = chance.choice(("", "", "23:00"))
        return ScheduleChoice(days=days, at=at, latest=latest, zone=chance.choice(ZONES))

    def _change_options(self, editor: OwnDigestEditor, digest_id: int) -> None:
        details, chance = editor.load(digest_id), self.chance
        options = replace(
            details.options,
            limit=chance.choice((100, 150)),
            language=chance.choice(("en", "de")),
            abstracts=chance.choice(list(Abstracts)),
            when_empty=chance.choice(("tell", "skip")),
        )
        title = f"My digest {chance.randrange(9)}"
        editor.change_options(digest_id, DigestChoice(title=title, options=options, is_mailed=True))


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/digest.db"
    return str(request.getfixturevalue("own_postgres_url"))


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def test_whatever_readers_change_and_whoever_is_killed_each_paper_comes_once(
    tmp_path: Path, store_url: str, server: MailServer
) -> None:
    chance, workspace = random.Random(get_seed()), Workspace(tmp_path)
    papers = make_papers(DAYS)
    kills = 0
    with Publisher(papers, day=FIRST, sections=("cs.DC", "cs.LG", "cs.CL")) as publisher:
        workspace.write(CONFIG.format(store=store_url, url=publisher.url, port=server.port))
        workspace.run("db", "upgrade")
        begun = datetime(DAYS[0].year, DAYS[0].month, DAYS[0].day, 0, 30, tzinfo=UTC)
        workspace.run("run", "--apply", now=begun)
        with open_app(tmp_path / "digest.toml", begun, {}) as app:
            changer = Changer(app.store, sign_up_all(app, begun), chance, begun)
            for day in DAYS:
                publisher.day = day
                for hour in HOURS:
                    changer.now = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
                    changer.start()
                    kills += run_with_kills(workspace, changer.now, chance)
                    changer.stop()
                    workspace.run("run", now=changer.now + timedelta(minutes=1))
            for subscriber, digest_id in changer.owners:
                editor = OwnDigestEditor(store=app.store, subscriber=subscriber, now=changer.now)
                destination = editor.load(digest_id).summary.destination
                account.resume_digest(app.store, destination, "then", changer.now)
            for half_days in range(1, 2 * LAST_DAYS):
                workspace.run("run", now=changer.now + half_days * timedelta(hours=12))
            expected = {f"arxiv:{paper.id}" for paper in papers if "cs.DC" in paper.categories}
            assert_each_once(app.store, [digest_id for _, digest_id in changer.owners], expected)
            assert_mails_arrived(app.store, server)
    print(f"{READERS} readers, {changer.changes.total()} changes, {kills} kills")  # noqa: T201
    assert set(changer.changes) >= {"follow", "schedule", "pause", "resume", "send"}


def sign_up_all(app: Any, now: datetime) -> list[tuple[int, int]]:
    """Have all readers sign up; their numbers and those of their digests."""
    (public_digest,) = app.settings.public_digests
    for first in range(0, READERS, 100):
        with app.store.begin_planning() as tx:
            for number in range(first, min(first + 100, READERS)):
                subscribe(tx, public_digest, f"reader{number}@example.org", language="", zone="", now=now)
    with app.store.begin_read() as tx:
        statement = select(digests.c.subscriber_id, digests.c.id).where(digests.c.public_digest == "dc")
        return [tuple(row) for row in tx.execute(statement)]


def run_with_kills(workspace: Workspace, now: datetime, chance: random.Random) -> int:
    """Run the jobs in two processes, each of which may be killed; return how many were."""
    with (
        start_command(workspace, "run", now=now) as first,
        start_command(workspace, "run", now=now) as second,
    ):
        kills = 0
        for process in chance.sample([first, second], k=chance.randint(0, 2)):
            time.sleep(chance.uniform(0.5, 2.5))
            if process.poll() is None:
                process.kill()
                kills += 1
        for process in (first, second):
            output, _ = process.communicate()
            assert "Traceback" not in output, output
    return kills


def assert_each_once(store: Store, digest_ids: list[int], expected: set[str]) -> None:
    """Each digest has told each paper that it always followed once, and no other paper twice."""
    with store.begin_read() as tx:
        assert outbox.count_by_state(tx).keys() == {"sent"}
        assert_runs_ended(tx)
        for digest_id in digest_ids:
            told = Counter(
                item.paper.key
                for edition in editions.load_last(tx, digest_id, 999)
                for item in (*edition.items, *edition.overflow)
            )
            assert {key for key, count in told.items() if count > 1} == set(), digest_id
            assert expected <= told.keys(), (digest_id, expected - told.keys())


def assert_mails_arrived(store: Store, server: MailServer) -> None:
    """The server has each message that the database says was sent, and no other."""
    with store.begin_read() as tx:
        sent = set(tx.execute(select(deliveries.c.message_id)).scalars())
    assert {get_message_id(mail) for mail in server.received} == sent
