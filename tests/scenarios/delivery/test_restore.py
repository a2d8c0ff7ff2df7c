"""The drill: a backup from the middle of a run is restored, held, and released, and repeats only what came after it."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import Envelope, Session
from sqlalchemy import make_url, select

from digest.demo.publisher import Publisher
from digest.store.backups.backup_files import back_up
from digest.store.database.engine import open_store
from digest.store.database.tables.digests import deliveries, runs
from digest.testing.mail_server import MailServer, Received
from tests.simulation.many_digests import (
    FIRST,
    SECTIONS,
    count_messages,
    get_due_time,
    get_message_id,
    list_days,
    make_digests_config,
    make_papers,
)
from tests.support.postgres import Postgres, find_programs, start_archiving_postgres
from tests.support.workspace import Workspace

DAYS = list_days(3)
MAILS = 90
"""Mails of a day: thirty digests with three readers each."""


@dataclass(kw_only=True)
class Drill:
    """An installation that is lost after a backup, and the one that takes its place.

    Attributes:
        url: the database that is lost.
        restored_url: the database that is restored.
        copy: copies a database as its own programs recover it, and gives the URL of the copy.
    """

    workspace: Workspace
    publisher: Publisher
    server: WatchedServer
    url: str
    restored_url: str
    copy: Callable[[str], str]
    recovered_url: str = ""

    @property
    def backup(self) -> Path:
        return self.workspace.folder / "saved.backup"

    def use(self, url: str) -> None:
        self.workspace.write(make_digests_config(url, self.publisher, self.server))

    def run_first_day(self) -> None:
        self.use(self.url)
        self.workspace.run("db", "upgrade")
        self.workspace.run("run", now=get_due_time(FIRST))
        self.server.received.clear()
        self.publisher.day = DAYS[1]

    def back_up(self) -> None:
        """Back up as the command does, from a thread in which no command can run."""
        back_up(self.url, self.backup)

    def recover_copy(self) -> None:
        self.recovered_url = self.copy(self.url)

    def restore(self) -> None:
        self.use(self.restored_url)
        self.workspace.run("db", "restore", str(self.backup))

    def list_sent(self) -> set[str]:
        """The Message-IDs that the restored database knows to be sent, of the second day."""
        store = open_store(self.restored_url, get_due_time(FIRST))
        try:
            with store.begin_read() as tx:
                is_sent = deliveries.c.state == "sent"
                return set(tx.execute(select(deliveries.c.message_id).where(is_sent)).scalars())
        finally:
            store.close()


@dataclass
class Instant:
    """Something to do when the mail server has accepted so many messages, before it answers for the last of them."""

    after: int
    act: Callable[[], None]
    count: int = field(default=0, init=False)

    def __call__(self) -> None:
        self.count += 1
        if self.count == self.after:
            self.act()


class WatchedServer(MailServer):
    """A mail server that calls a function for each message that it has accepted, before it answers."""

    notice: Callable[[], None] = staticmethod(lambda: None)

    async def handle_DATA(  # noqa: N802 aiosmtpd finds it by this name
        self, server: Any, session: Session, envelope: Envelope
    ) -> str:
        """Accept a message."""
        reply = await super().handle_DATA(server, session, envelope)
        self.notice()
        return reply


@pytest.fixture(params=["sqlite", "postgresql"])
def drill(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def copy(url: str) -> str:
        if request.param == "sqlite":
            shutil.copy(tmp_path / "lost.db", tmp_path / "recovered.db")
            return f"sqlite:///{tmp_path}/recovered.db"
        postgres: Postgres = request.getfixturevalue("postgres")
        recovered_url = postgres.create(url)
        request.addfinalizer(lambda: postgres.drop(recovered_url))
        return recovered_url

    if request.param == "sqlite":
        url, restored_url = (f"sqlite:///{tmp_path}/{name}.db" for name in ("lost", "restored"))
    else:
        monkeypatch.setenv("PATH", f"{find_programs()}{os.pathsep}{os.environ['PATH']}")
        url = request.getfixturevalue("own_postgres_url")
        restored_url = request.getfixturevalue("bare_postgres_url")
    with Publisher(make_papers(DAYS), day=FIRST, sections=SECTIONS) as publisher, WatchedServer() as server:
        yield Drill(
            workspace=Workspace(tmp_path),
            publisher=publisher,
            server=server,
            url=url,
            restored_url=restored_url,
            copy=copy,
        )


@pytest.mark.parametrize(
    "after", [1, 25, pytest.param(61, marks=pytest.mark.long), pytest.param(MAILS, marks=pytest.mark.long)]
)
def test_a_backup_from_the_middle_of_a_run_repeats_what_was_accepted_after_it_and_nothing_else(
    drill: Drill, after: int
) -> None:
    drill.run_first_day()
    drill.server.notice = Instant(after, drill.back_up)
    drill.workspace.run("run", now=get_due_time(DAYS[1]))
    originals = list(drill.server.received)
    assert count_messages(drill.server).total() == MAILS
    drill.server.received.clear()

    drill.restore()
    told = drill.workspace.run("check", "--restored", "--json").json

    sent = drill.list_sent()
    unmarked = [mail for mail in originals if get_message_id(mail) not in sent]
    assert len(unmarked) > MAILS - after, "the message that was accepted at that instant could not be marked"
    (channel,) = told["channels"]
    assert (channel["channel"], channel["deliveries"]) == ("smtp", len(unmarked))
    assert {entry["address"] for entry in channel["first"]} <= {mail.recipients[0] for mail in unmarked}
    assert told["runs"] == []
    assert told["held"] > 0
    assert told["live"] == []
    assert_held(drill, minutes=20)

    released = drill.workspace.run("deliveries", "release", "--restored", "--json").json
    drill.workspace.run("run", now=get_due_time(DAYS[1], 40))

    assert released == {"deliveries": len(unmarked)}
    assert sorted(map(describe, drill.server.received)) == sorted(map(describe, unmarked))
    assert_goes_on(drill)


def test_runs_that_fired_after_the_backup_are_held_when_they_are_made_again(drill: Drill) -> None:
    drill.run_first_day()
    drill.back_up()
    drill.workspace.run("run", now=get_due_time(DAYS[1]))
    originals = list(drill.server.received)
    drill.server.received.clear()

    drill.restore()
    drill.workspace.run("status", now=get_due_time(DAYS[1], 10))
    told = drill.workspace.run("check", "--restored", "--json").json

    assert told["channels"] == []
    assert told["runs"] == [{"period": f"{DAYS[1]}T{at}", "digests": 15} for at in ("07:15", "07:30")]
    assert_held(drill, minutes=20)
    made = drill.workspace.run("check", "--restored", "--json").json
    assert [channel["deliveries"] for channel in made["channels"]] == [MAILS]
    assert (made["runs"], made["held"]) == ([], 2)

    drill.workspace.run("deliveries", "release", "--restored")
    drill.workspace.run("run", now=get_due_time(DAYS[1], 40))

    assert Counter(map(get_key, drill.server.received)) == Counter(map(get_key, originals))
    assert_goes_on(drill)


def test_a_database_that_was_recovered_by_other_means_is_held_by_the_check(drill: Drill) -> None:
    drill.run_first_day()
    drill.recover_copy()
    drill.workspace.run("run", now=get_due_time(DAYS[1]))
    originals = list(drill.server.received)
    drill.server.received.clear()

    drill.use(drill.recovered_url)
    told = drill.workspace.run("check", "--restored", "--json").json

    assert told["backup"] == get_due_time(FIRST).astimezone(UTC).isoformat().replace("+00:00", "Z")
    assert_held(drill, minutes=20)
    drill.workspace.run("deliveries", "release", "--restored")
    drill.workspace.run("run", now=get_due_time(DAYS[1], 40))
    assert Counter(map(get_key, drill.server.received)) == Counter(map(get_key, originals))


@pytest.mark.long
def test_a_recovery_to_an_instant_in_a_run_repeats_what_was_accepted_after_it(tmp_path: Path) -> None:
    instants: list[datetime] = []
    with (
        start_archiving_postgres() as postgres,
        Publisher(make_papers(DAYS), day=FIRST, sections=SECTIONS) as publisher,
        WatchedServer() as server,
    ):
        url = postgres.create()
        drill = Drill(
            workspace=Workspace(tmp_path),
            publisher=publisher,
            server=server,
            url=url,
            restored_url="",
            copy=str,
        )
        drill.run_first_day()
        postgres.save_base()
        server.notice = Instant(25, lambda: instants.append(datetime.now(UTC)))
        drill.workspace.run("run", now=get_due_time(DAYS[1]))
        originals = list(server.received)
        server.received.clear()
        postgres.archive_all()
        postgres.crash()

        with postgres.recover(instants[0]) as recovered_url:
            recovered = make_url(recovered_url).set(database=make_url(url).database)
            drill.restored_url = recovered.render_as_string(hide_password=False)
            drill.use(drill.restored_url)
            told = drill.workspace.run("check", "--restored", "--json").json
            sent = drill.list_sent()
            unmarked = [mail for mail in originals if get_message_id(mail) not in sent]
            assert MAILS - 25 < len(unmarked) < MAILS
            assert [channel["deliveries"] for channel in told["channels"]] == [len(unmarked)]
            assert_held(drill, minutes=20)
            drill.workspace.run("deliveries", "release", "--restored")
            drill.workspace.run("run", now=get_due_time(DAYS[1], 40))
            assert sorted(map(describe, server.received)) == sorted(map(describe, unmarked))
            assert_goes_on(drill)
        postgres.start()


def test_what_surely_went_out_can_be_dropped_before_the_release(drill: Drill) -> None:
    drill.run_first_day()
    drill.server.notice = Instant(30, drill.back_up)
    drill.workspace.run("run", now=get_due_time(DAYS[1]))
    drill.server.received.clear()
    drill.restore()
    count = drill.workspace.run("check", "--restored", "--json").json["channels"][0]["deliveries"]

    moment = get_due_time(DAYS[1], 1).isoformat()
    dropped = drill.workspace.run("deliveries", "drop", "--due-before", moment, "--json").json
    drill.workspace.run("deliveries", "release", "--restored")
    drill.workspace.run("run", now=get_due_time(DAYS[1], 40))

    assert dropped == {"deliveries": count}
    assert drill.server.received == []
    assert_goes_on(drill)


def assert_held(drill: Drill, *, minutes: int) -> None:
    """Nothing is sent by any command, although everything is due."""
    day = DAYS[1]
    drill.workspace.run("run", now=get_due_time(day, minutes), status=1)
    drill.workspace.run("deliver", now=get_due_time(day, minutes + 1), status=1)
    assert drill.server.received == []


def assert_goes_on(drill: Drill) -> None:
    """The next day is as any other, and its runs are not held."""
    drill.server.received.clear()
    drill.publisher.day = DAYS[2]
    drill.workspace.run("run", now=get_due_time(DAYS[2]))
    messages = count_messages(drill.server)
    assert len(messages) == messages.total() == MAILS
    store = open_store(drill.restored_url, get_due_time(FIRST))
    try:
        with store.begin_read() as tx:
            assert set(tx.execute(select(runs.c.held)).scalars()) == {""}
            states = Counter(tx.execute(select(deliveries.c.state)).scalars())
    finally:
        store.close()
    assert states.keys() <= {"sent", "dropped"}


def get_key(mail: Received) -> tuple[str, str]:
    return mail.recipients[0], get_message_id(mail)


def describe(mail: Received) -> tuple[str, bytes]:
    return mail.recipients[0], mail.content
