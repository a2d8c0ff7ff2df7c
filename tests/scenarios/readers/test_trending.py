"""The shipped digest of trending papers over a week, in whole cycles: who subscribed gets each paper once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime, time, timedelta
from email import message_from_bytes, policy
from pathlib import Path

import httpx
import pytest

from digest.app import open_app
from digest.core.publishing.addresses import PaperAddress, format_paper_address
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import PaperKey
from digest.testing.http_host import ScriptedHost
from digest.testing.mail_server import MailServer
from digest.web.server import listen, serve_site
from digest.web.site import make_site
from tests.fakes.scripted_host import make_daily_paper, serve_daily_papers
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

MONDAY = date(2026, 3, 9)
WEEK = tuple(MONDAY + timedelta(days) for days in range(7))
READER = "ada@example.org"
CONFIG = """
    [site]
    url = "https://digest.example.org"

    [output]
    folder = "out"

    [[source]]
    use = "hf_daily"
    url = "{url}/daily"
    pace = 0

    [smtp]
    host = "127.0.0.1"
    port = {port}
    security = "none"
    from = "Lab digest <digest@example.org>"

    [signup]
    trending = true

    [[digest]]
    name = "all"
    to = ["files:mail"]
    schedule = "daily 07:30"
    timezone = "UTC"
    queries = ["source:hf_daily"]
"""
VOTES = {
    "Diffusion for proteins": (3, 8, 20, 40, 60, 70, 80),
    "A quiet theorem": (0, 0, 0, 0, 0, 0, 0),
    "Late laurels": (0, 0, 0, 7, 9, 9, 9),
}
"""The votes of each paper on the days of the week; all were put on the list on Monday."""


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    with ScriptedHost() as host:
        yield host


@pytest.fixture
def workspace(tmp_path: Path, host: ScriptedHost, mail_server: MailServer) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG.format(url=host.url, port=mail_server.port))
    return workspace


def run(workspace: Workspace, host: ScriptedHost, day: date, hour: int = 7) -> None:
    """Run a cycle on a day of the week, with the votes of that day."""
    host.answers["/daily"] = serve_daily_papers(
        make_daily_paper(f"2603.{number:05}", MONDAY, title=title, votes=votes[WEEK.index(day)])
        for number, (title, votes) in enumerate(VOTES.items(), start=1)
    )
    workspace.run("run", now=datetime.combine(day, time(hour, 31), UTC))


def sign_up(workspace: Workspace, day: date) -> None:
    with open_app(workspace.folder / "digest.toml", datetime.combine(day, time(5), UTC), {}) as app:
        app.apply_config()
        (trending,) = app.settings.public_digests
        with app.store.begin_planning() as tx:
            subscribe(tx, trending, READER, language="en", zone="UTC", now=app.clock())


def read_mails(server: MailServer) -> list[str]:
    """The subject and the text of each mail, without the marks of matched words."""
    texts = []
    for message in server.received:
        mail = message_from_bytes(message.content, policy=policy.default)
        plain = mail.get_body(("plain",))
        assert plain is not None
        texts.append(f"{mail['Subject']}\n{plain.get_content()}".replace("*", ""))
    return texts


def list_titles(texts: list[str]) -> list[list[str]]:
    return [[title for title in VOTES if re.search(rf"^.*{title}", text, re.MULTILINE)] for text in texts]


def test_a_subscriber_of_trending_gets_each_paper_of_the_week_that_gathers_votes_once(
    workspace: Workspace, host: ScriptedHost, mail_server: MailServer
) -> None:
    sign_up(workspace, MONDAY)
    for day in WEEK:
        for hour in (7, 12):
            run(workspace, host, day, hour)

    monday, thursday = read_mails(mail_server)
    assert list_titles([monday, thursday]) == [["Diffusion for proteins"], ["Late laurels"]]
    assert monday.startswith("Trending, 9 Mar: 1 trending · Diffusion for proteins")
    assert "trending · 3 more votes on Hugging Face in a week (9 Mar)" in " ".join(monday.split())
    assert "trending · 7 more votes on Hugging Face in a week (12 Mar)" in " ".join(thursday.split())


def test_a_digest_that_does_not_ask_for_trending_papers_gets_what_it_got_before(
    workspace: Workspace, host: ScriptedHost
) -> None:
    for day in WEEK:
        run(workspace, host, day)

    told = [
        (item["paper"]["title"], item["event"]["kind"])
        for edition in workspace.read_editions("all")
        for item in edition["items"]
    ]
    assert sorted(told) == sorted((title, "picked") for title in VOTES)


def test_trending_papers_can_be_followed_on_one_subject_in_any_digest(
    workspace: Workspace, host: ScriptedHost
) -> None:
    path = workspace.folder / "digest.toml"
    text = path.read_text("utf-8").replace('"source:hf_daily"', "'diffusion kind:trending', 'laurels'")
    path.write_text(text, "utf-8")
    for day in WEEK:
        run(workspace, host, day)

    told = [
        (item["paper"]["title"], item["event"]["kind"])
        for edition in workspace.read_editions("all")
        for item in edition["items"]
    ]
    assert told == [("Late laurels", "picked"), ("Diffusion for proteins", "trending")]


def test_the_site_shows_the_digest_where_it_shows_the_daily_papers(
    workspace: Workspace, host: ScriptedHost
) -> None:
    path = workspace.folder / "digest.toml"
    path.write_text(
        path.read_text("utf-8").replace("trending = true", "trending = true\ndaily_papers = true")
    )
    run(workspace, host, MONDAY)
    with ExitStack() as stack:
        app = stack.enter_context(open_app(path, datetime.combine(MONDAY, time(9), UTC), {}))
        assert app.pages is not None
        door = stack.enter_context(listen("127.0.0.1:0"))
        stack.enter_context(serve_site(door, make_site(app, app.pages, print)))
        client = stack.enter_context(
            httpx.Client(base_url=f"http://127.0.0.1:{door.getsockname()[1]}", timeout=PATIENCE)
        )
        front, own = client.get("/"), client.get("/digests/trending")
        paper = client.get(format_paper_address(PaperAddress(key=PaperKey("arxiv:2603.00001"))))

    assert re.findall(r'href="(/digests/[^"]+)"', front.text) == [
        "/digests/daily-papers",
        "/digests/trending",
    ]
    assert "The papers that gained the most votes in a week, each of them once." in own.text
    assert "<form" in own.text
    assert (paper.status_code, re.findall(r"\btrending\b", paper.text)) == (200, ["trending"])
