"""arXiv, Hugging Face and a journal's feed together: one paper of all three, days that fill, feeds without days."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from digest.testing.http_host import CannedResponse, ScriptedHost
from tests.arxiv_service.history import Announcement, History
from tests.arxiv_service.server import ArxivService
from tests.fakes.scripted_host import make_daily_paper, make_entry, make_rss, serve_daily_papers
from tests.simulation.feed_workspace import get_store_url, pull_feeds
from tests.simulation.pull_workspace import load_batch_states, make_arxiv_config
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

SECTIONS = ("cs.DC", "cs.LG")
WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, MONDAY = (date(2026, 3, day) for day in (11, 12, 13, 14, 16))
MORE = """
    [[source]]
    use = "hf_daily"
    url = "{url}/daily"
    pace = 0

    [[source]]
    use = "feed"
    name = "journal"
    title = "The Journal"
    url = "{url}/journal"
    pace = 0
"""
READER = """
    [[digest]]
    name = "all"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "America/New_York"
    latest = "10:00"
    keywords = ["serving"]
    kinds = ["new", "picked"]
"""


def morning(day: date, hour: int = 11, minute: int = 31) -> datetime:
    """Half past seven in New York, and a minute."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)


def announced(number: int, day: date, title: str = "Serving in parts", **more: Any) -> Announcement:
    return Announcement(day=day, id=f"2603.{number:05}", title=title, categories=SECTIONS, **more)


PAPERS = [
    announced(1, WEDNESDAY, "Serving to all"),
    announced(2, WEDNESDAY, "Serving to some"),
    announced(3, WEDNESDAY, "Serving to few", doi="10.1000/few"),
    *(announced(number, day) for number, day in enumerate((THURSDAY, FRIDAY, MONDAY), start=4)),
]
TEA = make_entry("Serving tea", "https://blog.example.org/tea", morning(WEDNESDAY, 8))


@pytest.fixture
def arxiv() -> Iterator[ArxivService]:
    with ArxivService(History(PAPERS), now=morning(WEDNESDAY), sections=SECTIONS) as service:
        yield service


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    """Hugging Face and the journal; on Wednesday they know papers of arXiv's, and others."""
    rows = [
        make_daily_paper("2603.00001", WEDNESDAY, title="Serving to all", votes=7),
        make_daily_paper("2602.00009", WEDNESDAY, title="Serving what is old"),
    ]
    journal = make_rss(
        make_entry("Serving to all", "https://arxiv.org/abs/2603.00001", morning(WEDNESDAY, 8)),
        make_entry("Serving to few", "https://doi.org/10.1000/few", morning(WEDNESDAY, 8)),
        TEA,
    )
    with ScriptedHost(daily=serve_daily_papers(rows), journal=CannedResponse(journal)) as host:
        yield host


@pytest.fixture
def workspace(tmp_path: Path, arxiv: ArxivService, host: ScriptedHost) -> Workspace:
    """Somebody who reads all three."""
    workspace = Workspace(tmp_path)
    mine, _, _ = make_arxiv_config(
        arxiv, "sqlite:///digest.db", ("rss", "catchup"), sections=SECTIONS
    ).partition("[[digest]]")
    workspace.write(mine.rstrip(" ") + MORE.format(url=host.url) + READER)
    return workspace


def run(workspace: Workspace, arxiv: ArxivService, now: datetime, *, status: int = 0) -> dict[str, Any]:
    """Run; the last edition."""
    arxiv.now = now
    workspace.run("run", now=now, status=status)
    return workspace.read_editions("all")[-1]


def told(edition: dict[str, Any], part: str) -> list[str]:
    return [item["paper"]["key"] for item in edition["items"] if item["part"] == part]


def hugging_face(workspace: Workspace, day: date) -> str:
    return load_batch_states(get_store_url(workspace))["daily", day]


# --- one paper ------------------------------------------------------------------------------------


def test_a_paper_that_all_three_know_is_told_once_and_picks_have_their_part(
    workspace: Workspace, arxiv: ArxivService
) -> None:
    edition = run(workspace, arxiv, morning(WEDNESDAY))

    assert sorted(told(edition, "surely")) == [
        "arxiv:2603.00001",
        "arxiv:2603.00002",
        "arxiv:2603.00003",
        "url:https://blog.example.org/tea",
    ]
    assert told(edition, "picked") == ["arxiv:2602.00009"]
    assert len(edition["items"]) == 5


def test_an_edition_says_what_is_whole_and_what_there_is_so_far(
    workspace: Workspace, arxiv: ArxivService
) -> None:
    account = run(workspace, arxiv, morning(WEDNESDAY))["account"]

    assert account["whole"]
    assert account["lines"] == [
        "arXiv cs.DC and cs.LG, Wednesday 11 March: complete, 6 listings.",
        "Hugging Face Daily Papers, Wednesday 11 March: 2 listings so far; the day is not over, so more may follow.",
    ]


def test_what_is_known_of_a_paper_is_shown_with_who_says_it(
    workspace: Workspace, arxiv: ArxivService
) -> None:
    run(workspace, arxiv, morning(WEDNESDAY))

    output = workspace.run("papers", "show", "2603.00001").output
    document = workspace.run("papers", "show", "https://arxiv.org/abs/2603.00001v1", "--json").json

    for listed in ("arxiv cs.DC: new", "arxiv cs.LG: cross", "hf_daily daily: picked", "journal feed: new"):
        assert f"Wed 2026-03-11  {listed}" in output
    assert {statement["source"] for statement in document["statements"]} == {"arxiv", "hf_daily", "journal"}
    assert set(document["origins"]["url"]) == {"arxiv", "hf_daily", "journal"}
    assert [(signal["kind"], signal["value"]) for signal in document["signals"]] == [
        ("comments", 2),
        ("votes", 7),
    ]
    # Who answers last is chance: where it is arXiv, the paper has grown by its categories.
    assert sorted(event["kind"] for event in document["events"] if event["kind"] != "grown") == [
        "new",
        "picked",
        "trending",
    ]


def test_papers_are_parted_and_joined_by_command(workspace: Workspace, arxiv: ArxivService) -> None:
    run(workspace, arxiv, morning(WEDNESDAY))

    def key(text: str) -> str:
        return str(workspace.run("papers", "show", text, "--json").json["paper"]["key"])

    assert key("10.1000/few") == "arxiv:2603.00003"
    assert "are now two papers" in workspace.run("papers", "part", "2603.00003", "10.1000/few").output
    assert (key("10.1000/few"), key("2603.00003")) == ("doi:10.1000/few", "arxiv:2603.00003")
    assert "again" in workspace.run("papers", "join", "2603.00003", "10.1000/few").output
    assert key("10.1000/few") == "arxiv:2603.00003"
    output = workspace.run("papers", "part", "2603.00001", "10.1000/other", status=1).output
    assert "No source says that 10.1000/other belongs to 2603.00001" in output
    assert (
        "no source in this database has listed arxiv:2603.09999"
        in workspace.run("papers", "show", "2603.09999", status=2).errors
    )


def test_nobody_waits_for_a_day_that_fills_or_for_a_feed(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    run(workspace, arxiv, morning(WEDNESDAY))
    host.answers.clear()

    edition = run(workspace, arxiv, morning(THURSDAY), status=1)

    assert edition["period"] == "2026-03-12T07:30"
    assert told(edition, "surely") == ["arxiv:2603.00004"]
    assert not edition["account"]["whole"]
    assert "Hugging Face Daily Papers, Thursday 12 March: not reached" in edition["account"]["lines"][0]


# --- days that fill -------------------------------------------------------------------------------


def test_picks_that_come_later_are_told_the_next_time_and_a_day_is_complete_when_it_is_over(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    run(workspace, arxiv, morning(WEDNESDAY))
    assert hugging_face(workspace, WEDNESDAY) == "partial"
    rows = [
        make_daily_paper("2602.00009", WEDNESDAY, title="Serving what is old", votes=40),
        make_daily_paper("2602.00010", WEDNESDAY, title="Serving late"),
    ]
    host.answers["/daily"] = serve_daily_papers(rows)

    hf_daily = pull_feeds(workspace, morning(WEDNESDAY, 22))["hf_daily"]

    assert (hf_daily["day"], hf_daily["received"], hf_daily["added"], hf_daily["events"]) == (
        "2026-03-11",
        2,
        1,
        1,
    )
    assert hugging_face(workspace, WEDNESDAY) == "partial"
    thursday = run(workspace, arxiv, morning(THURSDAY))
    assert hugging_face(workspace, WEDNESDAY) == "complete"
    assert told(thursday, "picked") == ["arxiv:2602.00010"]
    votes = [
        signal["value"]
        for signal in workspace.run("papers", "show", "2602.00009", "--json").json["signals"]
        if signal["kind"] == "votes"
    ]
    assert votes == [40]
    request_count = len(host.requests)
    workspace.run("pull", now=morning(THURSDAY, 12))
    assert [
        request.query["date"] for request in host.requests[request_count:] if request.path == "/daily"
    ] == ["2026-03-12"]


def test_votes_of_a_pick_are_known_day_by_day_for_a_week(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    voted = []
    for days in range(9):
        now = morning(WEDNESDAY) + timedelta(days=days)
        submitter = {"user": "ada", "fullname": "Ada Lovelace"}
        rows = [make_daily_paper("2602.00009", WEDNESDAY, votes=10 + days, submittedOnDailyBy=submitter)]
        host.answers["/daily"] = serve_daily_papers(rows)
        request_count = len(host.requests)
        run(workspace, arxiv, now)
        workspace.run("pull", now=now + timedelta(hours=1))
        signals = workspace.run("papers", "show", "2602.00009", "--json").json["signals"]
        voted += [signal["value"] for signal in signals if signal["kind"] == "votes"]
        assert sum(request.path == "/daily" for request in host.requests[request_count:]) <= 8

    assert voted == [10, 11, 12, 13, 14, 15, *[16] * 3], "on weekends, too, until it is 7 days old"
    output = workspace.run("papers", "show", "2602.00009").output
    assert "hf_daily daily: picked by Ada Lovelace (hf:ada)" in output


def test_a_day_that_brings_nothing_is_empty_when_it_is_over(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    host.answers["/daily"] = serve_daily_papers([])
    edition = run(workspace, arxiv, morning(WEDNESDAY))
    assert hugging_face(workspace, WEDNESDAY) == "waiting"
    assert edition["account"]["whole"]

    run(workspace, arxiv, morning(THURSDAY))

    assert hugging_face(workspace, WEDNESDAY) == "empty"


def test_what_is_picked_on_a_weekend_is_told_on_monday(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    """Who asks Hugging Face for a day can be answered with what came on another one."""
    friday = make_daily_paper("2602.00011", FRIDAY, title="Serving on Friday")
    host.answers["/daily"] = CannedResponse(json.dumps([friday]).encode())
    run(workspace, arxiv, morning(FRIDAY))
    host.answers["/daily"] = CannedResponse(
        json.dumps([make_daily_paper("2602.00012", SATURDAY, title="Serving on Saturday"), friday]).encode()
    )

    edition = run(workspace, arxiv, morning(MONDAY))

    assert told(edition, "picked") == ["arxiv:2602.00012"]
    assert {day for name, day in load_batch_states(get_store_url(workspace)) if name == "daily"} == {
        FRIDAY,
        SATURDAY,
        MONDAY,
    }
    assert (hugging_face(workspace, FRIDAY), hugging_face(workspace, SATURDAY)) == ("complete", "complete")


# --- past days ------------------------------------------------------------------------------------

FEBRUARY = [day for n in range(2, 28) if (day := date(2026, 2, n)).weekday() < 5]


def test_past_weeks_are_asked_for_at_once_and_told_to_nobody(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    rows = [
        make_daily_paper(f"2601.{n:05}", FEBRUARY[n % len(FEBRUARY)], title="Serving") for n in range(130)
    ]
    run(workspace, arxiv, morning(WEDNESDAY))
    before, events = len(host.requests), len(workspace.read_editions("all"))
    host.answers["/daily"] = serve_daily_papers(rows)

    week = workspace.run(
        "backfill",
        "hf_daily",
        "--from",
        "2026-02-02",
        "--until",
        "2026-02-06",
        "--json",
        now=morning(WEDNESDAY),
    ).json["pulled"]
    month = workspace.run(
        "backfill",
        "hf_daily",
        "--from",
        "2026-02-02",
        "--until",
        "2026-02-27",
        "--json",
        now=morning(WEDNESDAY),
    ).json["pulled"]

    asked = [request.query for request in host.requests[before:]]
    assert [{**entry, "limit": ""} for entry in asked] == [
        {"week": "2026-W06", "p": "0", "limit": ""},
        {"month": "2026-02", "p": "0", "limit": ""},
        {"month": "2026-02", "p": "1", "limit": ""},
    ]
    assert sum(entry["events"] for entry in (*week, *month)) == 0
    assert (week[0]["received"], month[0]["received"]) == (
        len([r for r in rows if _day(r) <= date(2026, 2, 6)]),
        130,
    )
    assert all(hugging_face(workspace, day) == "complete" for day in FEBRUARY)
    run(workspace, arxiv, morning(WEDNESDAY, 12))
    assert len(workspace.read_editions("all")) == events


def test_a_backfill_that_was_broken_off_goes_on_where_it_was(
    workspace: Workspace, host: ScriptedHost
) -> None:
    rows = serve_daily_papers(
        make_daily_paper(f"2601.{n:05}", FEBRUARY[n % len(FEBRUARY)]) for n in range(130)
    )
    host.answers["/daily"] = lambda request: (
        rows(request) if request.query["p"] == "0" else CannedResponse(b"Later.", 500)
    )
    days = ("--from", "2026-02-02", "--until", "2026-02-27")
    workspace.run("backfill", "hf_daily", *days, now=morning(WEDNESDAY), status=1)
    before = len(host.requests)
    host.answers["/daily"] = rows

    workspace.run("backfill", "hf_daily", *days, now=morning(WEDNESDAY, 12))

    assert [request.query["p"] for request in host.requests[before:]] == ["1"]
    assert all(hugging_face(workspace, day) == "complete" for day in FEBRUARY)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("nope", "2026-03-02", "2026-03-03"),
            "there is no source 'nope' in the configuration; sources: arxiv,",
        ),
        (("arxiv", "2026-03-02", "2026-03-03", "--section", "cs.XX"), "it has cs.DC, cs.LG"),
        (("journal", "2026-03-02", "2026-03-03"), "`digest pull` fetches what it shows now"),
        (("arxiv", "2025-06-02", "2025-06-03"), "add one that does to its `routes`"),
        (("hf_daily", "2026-03-07", "2026-03-08"), "give --from and --until others"),
        (("hf_daily", "2026-03-12", "2026-03-20"), "use an earlier day with --from"),
        (("hf_daily", "2026-03-03", "2026-03-02"), "use the earlier one with --from"),
        (("hf_daily", "March", "2026-03-02"), "March"),
    ],
)
def test_days_that_cannot_be_had_are_told_with_what_to_do(
    workspace: Workspace, host: ScriptedHost, arguments: tuple[str, ...], message: str
) -> None:
    source, first, last, *more = arguments

    ran = workspace.run(
        "backfill", source, "--from", first, "--until", last, *more, now=morning(WEDNESDAY), status=2
    )

    assert message in ran.errors
    assert host.requests == []


# --- feeds without days ---------------------------------------------------------------------------


def journal(host: ScriptedHost, *entries: str) -> None:
    host.answers["/journal"] = CannedResponse(make_rss(*entries))


def post(name: str, dated: datetime | None = None) -> str:
    return make_entry(f"Serving {name}", f"https://blog.example.org/{name}", dated)


def news(workspace: Workspace, arxiv: ArxivService, now: datetime) -> tuple[int, int]:
    """How many of the journal's entries are new to us, and how many are told."""
    arxiv.now = now
    journal = pull_feeds(workspace, now)["journal"]
    return journal["added"], journal["events"]


def test_of_a_feeds_first_answer_only_the_last_two_days_are_told(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    now = morning(WEDNESDAY)
    journal(
        host,
        post("now", now),
        post("yesterday", now - timedelta(hours=47)),
        post("last-week", now - timedelta(days=7)),
        post("whenever"),
        post("next-year", now + timedelta(days=300)),
        post("tomorrow", now + timedelta(hours=20)),
    )

    edition = run(workspace, arxiv, now)

    mine = {key.rpartition("/")[2] for key in told(edition, "surely") if key.startswith("url:")}
    assert mine == {"now", "yesterday", "tomorrow"}


def test_what_a_known_feed_adds_is_told_dated_or_not(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    now = morning(WEDNESDAY)
    journal(host, post("first"))
    assert news(workspace, arxiv, now) == (1, 0)

    hour = now + timedelta(hours=1)
    journal(
        host,
        post("second"),
        post("next-year", now + timedelta(days=300)),
        post("long-ago", datetime(2020, 1, 1, tzinfo=UTC)),
        post("first"),
    )
    assert news(workspace, arxiv, hour) == (3, 2)


def test_an_entry_that_comes_again_is_no_news(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    now = morning(WEDNESDAY)
    journal(host, post("one", now))
    assert news(workspace, arxiv, now) == (1, 1)
    journal(host, post("two", now), post("one", now))
    assert news(workspace, arxiv, now + timedelta(hours=1)) == (1, 1)
    journal(host, post("two", now))
    assert news(workspace, arxiv, now + timedelta(days=1)) == (0, 0)

    journal(host, post("one", now + timedelta(days=2)), post("two", now))

    assert news(workspace, arxiv, now + timedelta(days=2)) == (0, 0)
    listed = workspace.run("papers", "show", "https://blog.example.org/one", "--json").json["listed"]
    assert [(entry["source"], entry["day"]) for entry in listed] == [("journal", "2026-03-11")]


# --- looking --------------------------------------------------------------------------------------


def test_check_tries_each_source_and_says_what_it_has(
    workspace: Workspace, arxiv: ArxivService, host: ScriptedHost
) -> None:
    run(workspace, arxiv, morning(WEDNESDAY))

    fields = {entry["what"]: (entry["ok"], entry["said"]) for entry in workspace.run("check", "--json").json}

    assert fields["arXiv cs.LG (rss)"] == (True, "3 listings for Wed 11 Mar")
    assert fields["arXiv cs.DC (catchup)"][0]
    assert fields["Hugging Face Daily Papers (daily)"] == (True, "2 listings for Wed 11 Mar")
    assert fields["Hugging Face Daily Papers (votes)"][0]
    assert fields["The Journal feed"] == (True, "3 listings")
    host.answers.clear()
    fields = {
        entry["what"]: (entry["ok"], entry["said"])
        for entry in workspace.run("check", "--json", status=1).json
    }
    assert [ok for ok, _ in fields.values()].count(False) == 3
    assert "HTTP 404" in fields["The Journal feed"][1]
    assert "HTTP 404" in fields["Hugging Face Daily Papers (daily)"][1]


def _day(row: dict[str, Any]) -> date:
    return date.fromisoformat(row["paper"]["submittedOnDailyAt"][:10])
