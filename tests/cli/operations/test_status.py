"""What ``digest status`` says to whoever looks after a digest."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import Publisher
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.usefixtures("no_retries")

BERLIN = ZoneInfo("Europe/Berlin")
SITE = 'title = "Lab digest"\nurl = "https://digest.example.org/lab"'


def at(day: int, clock: str = "07:31") -> datetime:
    return datetime.combine(date(2026, 5, day), time.fromisoformat(clock), BERLIN)


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher) -> Workspace:
    publisher.day = date(2026, 5, 6)
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url))
    return workspace


def changed(workspace: Workspace, old: str, new: str) -> None:
    file = workspace.folder / "digest.toml"
    file.write_text(file.read_text().replace(old, new, 1))


def test_private_feeds_are_told_where_there_is_a_site(workspace: Workspace) -> None:
    workspace.run("run", now=at(6))
    assert workspace.run("status", "--json", now=at(6)).json["feeds"] == []
    assert "Feeds" not in workspace.run("status", now=at(6)).output

    changed(workspace, 'title = "Lab digest"', SITE)
    (feed,) = workspace.run("status", "--json", now=at(6)).json["feeds"]
    assert feed["digest"] == "systems"
    assert feed["atom"].startswith("https://digest.example.org/lab/feeds/")
    assert [feed[form].rpartition("/")[2] for form in ("rss", "atom", "json")] == [
        "systems.rss",
        "systems.atom",
        "systems.json",
    ]
    assert f"  systems: {feed['atom']}\n" in workspace.run("status", now=at(6)).output


def test_alerts_of_the_day_are_counted(workspace: Workspace, publisher: Publisher) -> None:
    workspace.run("run", now=at(6))
    assert workspace.run("status", "--json", now=at(6)).json["alerts"] == []

    changed(
        workspace,
        '"LLM serving"',
        '{ keyword = "LLM serving", alert = true }, { keyword = "LLM", alert = true }',
    )
    changed(workspace, "limit = 25", "limit = 25\nalerts_a_day = 2")
    workspace.run("run", now=at(6, "08:00"))
    publisher.day = date(2026, 5, 7)
    workspace.run("run", now=at(7, "06:00"))

    assert "  systems: alerts today: 1 of 2\n" in workspace.run("status", now=at(7, "08:00")).output
    document = workspace.run("status", "--json", now=at(8, "00:30")).json
    assert document["alerts"] == [{"digest": "systems", "today": 0, "most": 2}]


def test_who_waits_for_an_open_run_is_named_and_that_nobody_had_an_edition(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.run("run", now=at(6))
    workspace.run("run", now=at(9))
    publisher.day = date(2026, 5, 10)
    changed(workspace, 'schedule = "weekdays 07:30"', 'schedule = "weekdays 07:30"\nlatest = "10:00"')
    workspace.run("run", now=at(11, "06:00"))
    workspace.run("run", now=at(11))

    runs = workspace.run("status", "--json", now=at(11)).json["runs"]
    assert (runs[0]["period"], runs[0]["state"], runs[0]["digests"]) == (
        "2026-05-11T07:30",
        "open",
        ["systems"],
    )
    output = workspace.run("status", now=at(11)).output
    assert "  2026-05-11T07:30  open      systems\n" in output


def test_a_run_without_an_edition_says_so(workspace: Workspace) -> None:
    changed(workspace, "limit = 25", "limit = 25\nminimum = 500")
    workspace.run("run", now=at(6))

    assert "  composed  no editions\n" in workspace.run("status", now=at(6)).output


def test_of_many_digests_five_are_named_and_the_others_counted(workspace: Workspace) -> None:
    changed(workspace, 'title = "Lab digest"', SITE)
    file = workspace.folder / "digest.toml"
    more = (
        '[[digest]]\nname = "{}"\nschedule = "daily 07:30"\ntimezone = "Europe/Berlin"\n'
        'categories = ["cs.DC"]\nfeed = true\n'
    )
    names = [f"digest-{number:02}" for number in range(12)]
    file.write_text(file.read_text() + "".join(map(more.format, names)))
    workspace.run("run", now=at(6))
    for name in names[:7]:
        workspace.run("pause", name, now=at(6))

    output = workspace.run("status", now=at(6)).output
    assert f"composed  {', '.join(names[:5])}, 8 more\n" in output
    assert "  1 more at that time or later\n" in output
    assert "  2 more paused\n" in output
    assert "  8 more with feeds: `digest feeds list`\n" in output
    document = workspace.run("status", "--json", now=at(6)).json
    assert len(document["runs"][0]["digests"]) == 13
    assert (len(document["next"]), len(document["resting"])) == (6, 7)
    assert len(document["feeds"]) == 13


@pytest.mark.parametrize(("scheme", "document"), [("http", True), ("https", False)])
def test_check_says_what_a_site_without_tls_costs(
    workspace: Workspace, scheme: str, *, document: bool
) -> None:
    changed(workspace, 'title = "Lab digest"', f'title = "Lab digest"\nurl = "{scheme}://digest.example.org"')

    output = workspace.run("check").output

    assert ("site: ok: `url` begins with http://" in output) == document


def test_status_with_another_file_declares_nothing_that_was_not_applied(workspace: Workspace) -> None:
    def list_sections() -> set[str]:
        return {entry["section"] for entry in workspace.run("status", "--json", now=at(8)).json["sections"]}

    workspace.run("run", now=at(6))
    changed(workspace, '"cs.CL"', '"cs.CL", "cs.RO"')
    list_sections()
    assert list_sections() == {"cs.DC", "cs.LG", "cs.CL"}

    workspace.run("run", now=at(8))
    assert list_sections() == {"cs.DC", "cs.LG", "cs.CL", "cs.RO"}
