"""A route that fails takes no day from another one, and holds no edition back; and feeds that fail are told of."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from digest.testing.http_host import CannedResponse, ScriptedHost
from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import History
from tests.arxiv_service.release_times import NEW_YORK, get_feed_time
from tests.arxiv_service.server import ArxivService
from tests.fakes.scripted_host import make_entry, make_rss
from tests.simulation.pull_workspace import (
    DAYS,
    HOLIDAY,
    LAPTOP,
    SECTIONS,
    load_batch_states,
    make_arxiv_config,
    make_random,
)
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

ALWAYS = timedelta(days=30)


def morning(day: date) -> datetime:
    """After the schedule's time, in New York."""
    return datetime(day.year, day.month, day.day, 8, 0, tzinfo=NEW_YORK)


def editions(workspace: Workspace) -> list[str]:
    return [edition["period"] for edition in workspace.read_editions("all")]


@pytest.mark.parametrize("kind", ["unavailable", "hangs_up", "not_acceptable"])
def test_while_catch_up_fails_todays_papers_go_out_every_morning(tmp_path: Path, kind: str) -> None:
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History(make_announcements(make_random(), DAYS, SECTIONS, 4), DAYS)
    fails = Fault(
        kind=kind, begin=get_feed_time(DAYS[0]), end=get_feed_time(DAYS[0]) + ALWAYS, routes=("catchup",)
    )
    with ArxivService(history, now=morning(DAYS[0]), faults=[fails]) as service:
        workspace.write(make_arxiv_config(service, store, LAPTOP))
        workspace.run(
            "run", now=service.now, status=1
        )  # what only the feed has told cannot be looked up by its date
        for day in DAYS[4:7]:  # off on the three days between
            service.now = morning(day)
            before = len(service.requests)
            workspace.run("run", now=service.now, status=1)
            parameters = Counter(request.route for request in service.requests[before:])
            assert parameters["rss"] == len(SECTIONS)
            assert 0 < parameters["catchup"] <= len(SECTIONS)
            assert [request.route for request in service.requests[before:]][: len(SECTIONS)] == ["rss"] * len(
                SECTIONS
            )

    assert [period[:10] for period in editions(workspace)] == [str(DAYS[0]), *map(str, DAYS[4:7])]
    after = workspace.read_editions("all")[1]
    assert not after["account"]["whole"]
    assert after["items"]


@pytest.mark.parametrize("routes", [("oai",), ("api",)], ids=["oai", "api"])
def test_a_holiday_holds_nobody_up_where_records_are_all_there_is(
    tmp_path: Path, routes: tuple[str, ...]
) -> None:
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History(make_announcements(make_random(), DAYS, SECTIONS, 4), DAYS)
    with ArxivService(history, now=morning(HOLIDAY - timedelta(days=1))) as service:
        workspace.write(make_arxiv_config(service, store, routes))
        for day in (HOLIDAY - timedelta(days=1), HOLIDAY, HOLIDAY + timedelta(days=1)):
            service.now = morning(day)
            ran = workspace.run("run", now=service.now)
            assert "wait for" not in ran.output
    results = {state for (_, day), state in load_batch_states(store).items() if day == HOLIDAY}
    assert results == {"empty"}


def test_a_feed_that_fails_is_told_in_the_next_edition_and_no_more_when_it_answers(tmp_path: Path) -> None:
    now = datetime(2026, 6, 10, 8, tzinfo=NEW_YORK)
    config = """
        [store]
        url = "sqlite:///digest.db"

        [[source]]
        use = "feed"
        url = "{url}/one"
        title = "First"
        pace = 0

        [[source]]
        use = "feed"
        url = "{url}/two"
        title = "Second"
        pace = 0

        [[digest]]
        name = "all"
        to = ["files:mail"]
        schedule = "daily 07:30"
        timezone = "America/New_York"
        keywords = ["post"]
    """

    def feed_with(number: int) -> CannedResponse:
        at = now + timedelta(days=number)
        return CannedResponse(
            make_rss(
                make_entry(f"A post {number}", f"https://blog.example.org/{number}", at - timedelta(hours=1))
            )
        )

    workspace = Workspace(tmp_path)
    with ScriptedHost(one=feed_with(0), two=CannedResponse(b"No.", 500)) as host:
        workspace.write(config.format(url=host.url))
        workspace.run("run", now=now, status=1)
        host.answers["/one"] = feed_with(1)
        workspace.run("run", now=now + timedelta(days=1), status=1)
        host.answers |= {"/one": feed_with(2), "/two": feed_with(9)}
        workspace.run("run", now=now + timedelta(days=2))

    first, second, third = (edition["account"] for edition in workspace.read_editions("all"))
    for account in (first, second):
        assert not account["whole"]
        assert any("Second" in line and "its server is overloaded" in line for line in account["lines"])
    assert third["whole"]


def test_days_that_no_route_brings_are_named(tmp_path: Path) -> None:
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History(make_announcements(make_random(), DAYS, SECTIONS, 2), DAYS)
    with ArxivService(history, now=morning(DAYS[3])) as service:
        workspace.write(make_arxiv_config(service, store, LAPTOP, sections=SECTIONS[:1]))
        arguments = ["backfill", "arxiv", "--from", "2025-06-02", "--until", str(DAYS[1]), "--json"]
        ran = workspace.run(*arguments, now=service.now)

    assert "2025-06-02 … 2025-12-" in ran.json["left_out"]
    assert ran.json["pulled"]


def test_a_feed_of_which_nothing_can_be_read_is_an_error_of_its_source(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    dated = "<pubDate>Fri, 12 Jun 2026 00:00:00 -0400</pubDate>"
    body = f"<rss><channel><item><title>Post</title>{dated}</item></channel></rss>"
    with ScriptedHost(rss=CannedResponse(body.encode())) as host:
        workspace.write(f"""
            [[source]]
            use = "arxiv"
            categories = ["cs.LG"]
            routes = ["rss"]
            url = "{host.url}/rss?"
            pace = 0

            [[digest]]
            name = "all"
            to = ["maildir:mail"]
            schedule = "weekdays 07:00"
            timezone = "America/New_York"
            categories = ["cs.LG"]
            """)
        ran = workspace.run("run", now=morning(date(2026, 6, 12)), status=1)
        checked = workspace.run("check", status=1)

    for result in (ran, checked):
        assert "nothing in its answer can be read" in " ".join(result.output.split())
