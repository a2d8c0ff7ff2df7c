"""Mornings of some dozens of digests: what is announced, who reads what, and what they have in the end."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from digest.demo.publisher import AnnouncedPaper, Publisher
from digest.store.database.engine import Transaction, open_store
from digest.store.database.tables.digests import runs, shards, slots
from digest.store.delivery import outbox
from digest.store.editions import editions
from digest.testing.mail_server import MailServer, Received
from tests.store.factories import load_active_digests
from tests.support.postgres import Postgres
from tests.support.workspace import Workspace

BERLIN = ZoneInfo("Europe/Berlin")
FIRST = date(2026, 5, 4)
DIGESTS = int(os.environ.get("DIGEST_TEST_DIGESTS", "0"))
"""So many, of one reader each and without feeds; 0 for thirty of three readers each. ``.ci/long`` asks for thousands."""
CONNECTIONS = 2
"""To the mail server, of each process."""
SECTIONS = ("cs.DC", "cs.LG", "cs.CL")
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
    feed = {feed}
"""
WORDS = ("serving", "storage", "inference", "scheduling", "caching", "routing")


# --- what is announced, and who reads it ----------------------------------------------------------


def list_days(number: int) -> list[date]:
    """So many announcement days."""
    days = (FIRST + timedelta(days=ahead) for ahead in range(2 * number + 2))
    return [day for day in days if day.weekday() < 5][:number]


def get_due_time(day: date, minutes: int = 0) -> datetime:
    """A minute after all digests of a day are due, or later."""
    return datetime(day.year, day.month, day.day, 7, 31, tzinfo=BERLIN) + timedelta(minutes=minutes)


def make_papers(days: list[date]) -> list[AnnouncedPaper]:
    """Some papers a day, each in a section or two and about a thing or two."""
    return [
        AnnouncedPaper(
            id=f"{day:%y%m}.{day.day:02}{number:03}",
            title=f"On {WORDS[number % 6]} and {WORDS[number // 6 % 6]}, part {number}",
            day=day,
            authors=("Ada Lovelace",),
            categories=(SECTIONS[number % 3], SECTIONS[number // 3 % 3]),
        )
        for day in days
        for number in range(24)
    ]


def make_digests_config(store: str, publisher: Publisher, server: MailServer) -> str:
    """Some dozens of digests in two slots, with three readers each; or many, with one."""
    head = HEAD.format(store=store, url=publisher.url, port=server.port, connections=CONNECTIONS)
    pairs = [(text, other) for text in WORDS for other in WORDS if text < other]
    kinds = [(pair, other, late) for pair, other in pairs for late in (False, True)]
    readers = 1 if DIGESTS else 3
    wishes = [
        DIGEST.format(
            name=name,
            one=text,
            other=other,
            at="07:30" if late else "07:15",
            to=", ".join(f'"{reader}.{name.replace("-", ".")}@example.org"' for reader in range(readers)),
            feed=str(not DIGESTS).lower(),
        )
        for number, (text, other, late) in enumerate(islice(cycle(kinds), DIGESTS or len(kinds)))
        for name in [f"{text}-{other}-{late}" + (f"-{number}" if DIGESTS else "")]
    ]
    return head + "".join(wishes)


# --- what readers have ----------------------------------------------------------------------------


def load_editions(store: str) -> dict[tuple[int, str], Any]:
    """Every edition by number of the digest and period: what is in it and why, and what it says of completeness.

    A section that is fetched again after a failure comes after the others, so its events have other numbers, by which
    equal scores are ordered. Neither is compared.
    """
    opened = open_store(store, datetime.now(UTC))
    try:
        with opened.begin_read() as tx:
            assert outbox.count_by_state(tx).keys() == {"sent"}
            assert_runs_ended(tx)
            new_editions = [
                (digest.id, edition)
                for digest in load_active_digests(tx)
                for edition in editions.load_last(tx, digest.id, 999)
            ]
    finally:
        opened.close()
    results = {
        (digest_id, edition.period): (
            sorted(
                [
                    (replace(item.event, seq=0), item.part, item.reasons, item.score)
                    for item in (*edition.items, *edition.overflow)
                ],
                key=lambda entry: (entry[0].paper.key, entry[0].kind, entry[0].number),
            ),
            [(batch.section, batch.day, batch.state, batch.received) for batch in edition.batches],
        )
        for digest_id, edition in new_editions
    }
    assert len(results) == len(new_editions), "a digest has two editions of one period"
    return results


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


def get_message_id(mail: Received) -> str:
    return str(message_from_bytes(mail.content)["Message-ID"])


def count_messages(server: MailServer) -> Counter[tuple[str, str]]:
    """Who got which message how often."""
    return Counter((mail.recipients[0], get_message_id(mail)) for mail in server.received)


@dataclass
class MessageCounter:
    """Counts the messages that a server has taken, each once, and looks at none twice."""

    server: MailServer
    ids: set[str] = field(default_factory=set)
    position: int = 0

    def __call__(self) -> int:
        fresh = self.server.received[self.position :]
        self.position += len(fresh)
        self.ids.update(map(get_message_id, fresh))
        return len(self.ids)


# --- instants -------------------------------------------------------------------------------------


def choose_instant(chance: random.Random, publisher: Publisher, server: MailServer) -> Callable[[], bool]:
    """Something to wait for: a while, something being asked, or some mails just having been taken."""
    begun, request_count, sent = time.monotonic(), len(publisher.requests), len(server.received)
    after, mails = chance.uniform(0.3, 2.0), chance.randint(1, 24)

    def a_while() -> bool:
        return time.monotonic() - begun > after

    def something_asked() -> bool:
        return len(publisher.requests) - request_count >= mails // 8

    def mails_taken() -> bool:
        return len(server.received) - sent >= mails

    return chance.choice([a_while, something_asked, mails_taken, mails_taken])


# --- two databases --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DatabasePair:
    """Two databases that were one after the first day: one to be left in peace, and one not.

    Attributes:
        calm_url: the url of the one; ``disturbed_url`` is the other's.
        calm_server: has the mails of the one.
        disturbed_server: has the mails of the other.
    """

    workspace: Workspace
    publisher: Publisher
    calm_url: str
    disturbed_url: str
    calm_server: MailServer
    disturbed_server: MailServer

    def run_calm_day(self, day: date) -> None:
        """A day that nothing befalls."""
        self.publisher.day = day
        self._write(self.calm_url, self.calm_server)
        self.workspace.run("run", now=get_due_time(day))

    def switch_to_disturbed(self) -> None:
        """From now on it is about the other one."""
        self._write(self.disturbed_url, self.disturbed_server)

    def _write(self, store: str, server: MailServer) -> None:
        self.workspace.write(make_digests_config(store, self.publisher, server))


@contextmanager
def open_database_pair(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, all_days: list[date], wild: MailServer
) -> Iterator[DatabasePair]:
    """Make them; whoever gets the mails of the one that is not left in peace has those of the first day, too."""
    workspace = Workspace(tmp_path)
    if kind == "sqlite":
        peace, war = (f"sqlite:///{tmp_path}/{name}.db" for name in ("peace", "war"))
    else:
        peace, war = request.getfixturevalue("own_postgres_url"), ""
    with (
        Publisher(make_papers(all_days), day=FIRST, sections=SECTIONS) as publisher,
        MailServer() as calm,
        wild,
    ):
        workspace.write(make_digests_config(peace, publisher, calm))
        workspace.run("db", "upgrade")
        workspace.run("run", now=get_due_time(FIRST))
        wild.received += calm.received
        if kind == "sqlite":
            shutil.copy(tmp_path / "peace.db", tmp_path / "war.db")
        else:
            postgres: Postgres = request.getfixturevalue("postgres")
            war = postgres.create(peace)
            request.addfinalizer(lambda: postgres.drop(war))
        yield DatabasePair(
            workspace=workspace,
            publisher=publisher,
            calm_url=peace,
            disturbed_url=war,
            calm_server=calm,
            disturbed_server=wild,
        )
