"""Readers who subscribe on the site, in whole cycles: what they get by mail, before and after the file has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from digest.app import open_app
from digest.demo.publisher import AnnouncedPaper, Publisher
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.subscriptions import stop_destination
from digest.store.database.tables.digests import destinations
from digest.store.subscribers.public_digests import customize_digest
from digest.store.subscribers.subscribers import list_subscribers
from digest.testing.mail_server import MailServer
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

BERLIN = ZoneInfo("Europe/Berlin")
WEDNESDAY = date(2026, 5, 6)
THURSDAY, FRIDAY = WEDNESDAY + timedelta(1), WEDNESDAY + timedelta(2)
READERS = ("ada@example.org", "bob@example.org", "cem@example.org")
CONFIG = """
    [site]
    url = "https://digest.example.org"

    [output]
    folder = "out"

    [[source]]
    use = "arxiv"
    routes = ["rss"]
    categories = ["cs.DC"]
    url = "{url}/rss/"
    pace = 0

    [smtp]
    host = "127.0.0.1"
    port = {port}
    security = "none"
    from = "Lab digest <digest@example.org>"

    [signup]
    who = "anyone"

    [[public_digest]]
    name = "caches"
    title = "Caches"
    description = "New papers on caches."
    schedule = "weekdays 07:30"
    timezone = "UTC"
"""
CACHES, GRAPHS = "keywords = ['caches']\n", "keywords = ['graphs']\n"


def paper(number: int, title: str, day: date) -> AnnouncedPaper:
    return AnnouncedPaper(
        id=f"2605.{number:05}", title=title, authors=("Ada Lovelace",), day=day, categories=("cs.DC",)
    )


PAPERS = (
    paper(1, "Wednesday on caches", WEDNESDAY),
    paper(2, "Wednesday on graphs", WEDNESDAY),
    paper(3, "Thursday on caches", THURSDAY),
    paper(4, "Thursday on graphs", THURSDAY),
    paper(5, "Friday on caches", FRIDAY),
    paper(6, "Friday on graphs", FRIDAY),
)


@pytest.fixture
def announcements() -> Iterator[Publisher]:
    with Publisher(PAPERS, day=WEDNESDAY, sections=["cs.DC"]) as publisher:
        yield publisher


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def morning(day: date) -> datetime:
    return datetime.combine(day, time(7, 31), BERLIN)


def run(workspace: Workspace, publisher: Publisher, day: date) -> None:
    publisher.day = day
    workspace.run("run", now=morning(day))


def sign_up(workspace: Workspace, now: datetime) -> None:
    with open_app(workspace.folder / "digest.toml", now, {}) as app:
        (public_digest,) = app.settings.public_digests
        for address in READERS:
            with app.store.begin_planning() as tx:
                subscribe(tx, public_digest, address, language="en", zone="Europe/Berlin", now=app.clock())


def list_titles(server: MailServer) -> dict[str, list[list[str]]]:
    """The titles in each mail of each reader."""
    titles: dict[str, list[list[str]]] = {}
    for message in server.received:
        mail = message_from_bytes(message.content, policy=policy.default)
        plain = mail.get_body(("plain",))
        assert plain is not None
        text = re.sub(r"[^\w\s]", "", plain.get_content())  # words of follows are marked
        titles.setdefault(message.recipients[0], []).append(
            sorted(set(re.findall(r"(?:Wednesday|Thursday|Friday) on \w+", text)))
        )
    return titles


def test_subscribers_get_a_first_edition_at_once_and_then_what_the_file_says(
    workspace: Workspace, announcements: Publisher, mail_server: MailServer
) -> None:
    config = CONFIG.format(url=announcements.url, port=mail_server.port)
    workspace.write(config + f"    {CACHES}")
    run(workspace, announcements, WEDNESDAY)
    assert list_titles(mail_server) == {}

    sign_up(workspace, morning(WEDNESDAY) + timedelta(hours=3))
    workspace.run("run", now=morning(WEDNESDAY) + timedelta(hours=3))
    assert list_titles(mail_server) == {reader: [["Wednesday on caches"]] for reader in READERS}

    run(workspace, announcements, THURSDAY)
    assert {titles[-1][0] for titles in list_titles(mail_server).values()} == {"Thursday on caches"}

    ada, *others = READERS
    path = workspace.folder / "digest.toml"
    with open_app(path, morning(THURSDAY), {}) as app, app.store.begin_planning() as tx:
        is_hers = destinations.c.address == ada
        customize_digest(tx, tx.execute(select(destinations.c.digest_id).where(is_hers)).scalar_one())
    workspace.write(config + f"    {GRAPHS}")
    run(workspace, announcements, FRIDAY)

    last = {reader: titles[-1] for reader, titles in list_titles(mail_server).items()}
    assert last == {ada: ["Friday on caches"], **{reader: ["Friday on graphs"] for reader in others}}
    assert {len(titles) for titles in list_titles(mail_server).values()} == {3}


def test_who_unsubscribes_gets_nothing_more_until_they_come_back(
    workspace: Workspace, announcements: Publisher, mail_server: MailServer
) -> None:
    workspace.write(CONFIG.format(url=announcements.url, port=mail_server.port) + f"    {CACHES}")
    run(workspace, announcements, WEDNESDAY)
    sign_up(workspace, morning(WEDNESDAY))
    run(workspace, announcements, WEDNESDAY)
    with open_app(workspace.folder / "digest.toml", morning(WEDNESDAY), {}) as app:
        with app.store.begin_read() as tx:
            own = next(each for each in list_subscribers(tx) if each.address == READERS[0])
        stop_destination(app.store, own.destination, app.clock())
    run(workspace, announcements, THURSDAY)
    sign_up(workspace, morning(THURSDAY) + timedelta(hours=1))
    run(workspace, announcements, FRIDAY)

    assert list_titles(mail_server) == {
        READERS[0]: [["Wednesday on caches"], ["Friday on caches"]],
        **{
            reader: [["Wednesday on caches"], ["Thursday on caches"], ["Friday on caches"]]
            for reader in READERS[1:]
        },
    }


def test_the_daily_papers_are_all_of_the_day(
    workspace: Workspace, announcements: Publisher, mail_server: MailServer
) -> None:
    config = CONFIG.format(url=announcements.url, port=mail_server.port)
    workspace.write(config[: config.index("    [[public_digest]]")] + "    daily_papers = true\n")
    run(workspace, announcements, WEDNESDAY)
    sign_up(workspace, morning(WEDNESDAY))
    run(workspace, announcements, WEDNESDAY)

    papers = ["Wednesday on caches", "Wednesday on graphs"]
    assert list_titles(mail_server) == {reader: [papers] for reader in READERS}
