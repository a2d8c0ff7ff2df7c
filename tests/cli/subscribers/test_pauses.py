from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import Publisher
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.usefixtures("no_retries")

BERLIN = ZoneInfo("Europe/Berlin")


def at(day: int, clock: str = "07:31") -> datetime:
    return datetime.combine(date(2026, 5, day), time.fromisoformat(clock), BERLIN)


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher) -> Workspace:
    """A reader who got Wednesday's edition."""
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url))
    publisher.day = date(2026, 5, 6)
    workspace.run("run", now=at(6))
    return workspace


def test_a_pause_is_told_and_shown_and_ends_on_its_day(workspace: Workspace, publisher: Publisher) -> None:
    output = workspace.run("pause", "systems", "--until", "2026-05-08", now=at(6)).output
    assert output == (
        "systems is paused until Fri 8 May 2026, 00:00 CEST; its next edition covers the papers of the pause.\n"
    )
    assert "systems is paused until Fri 8 May" in workspace.run("status", now=at(6)).output
    status = workspace.run("status", "--json", now=at(6)).json
    assert status["resting"] == [
        {"digest": "systems", "paused": True, "until": "2026-05-07T22:00:00Z", "from": "then"}
    ]
    assert status["next"] == []

    publisher.day = date(2026, 5, 7)
    stated_output = workspace.run("run", now=at(7)).output
    assert stated_output.endswith(
        "systems is paused until Fri 8 May 2026, 00:00 CEST; its next edition covers the papers of the pause.\n"
    )
    assert len(workspace.read_editions()) == 1
    assert (
        "This is what it would get without the pause" in workspace.run("preview", "systems", now=at(7)).errors
    )
    checked = {entry["what"]: entry for entry in workspace.run("check", "--json").json}
    assert checked["digest systems"]["said"].startswith("is paused until Fri 8 May 2026, 00:00 CEST")
    assert workspace.run("why", "systems", "2605.05467", "--json").json["paused"]
    assert "The digest is paused until Fri 8 May" in workspace.run("why", "systems", "2605.05467").output

    publisher.day = date(2026, 5, 8)
    workspace.run("run", now=at(8))
    days = {item["event"]["day"] for item in workspace.read_editions()[-1]["items"]}
    assert days == {"2026-05-07", "2026-05-08"}
    assert workspace.run("status", "--json", now=at(8)).json["resting"] == []


def test_a_digest_goes_on_when_its_reader_says_so(workspace: Workspace, publisher: Publisher) -> None:
    workspace.run("pause", "systems", now=at(6))
    publisher.day = date(2026, 5, 7)
    workspace.run("run", now=at(7))

    output = workspace.run("resume", "systems", "--from", "now", now=at(7)).output
    assert output == "systems is resumed; its next edition covers papers announced from now on.\n"
    assert workspace.run("resume", "systems", now=at(7)).output == "systems is not paused.\n"

    publisher.day = date(2026, 5, 8)
    workspace.run("run", now=at(8))
    assert {item["event"]["day"] for item in workspace.read_editions()[-1]["items"]} == {"2026-05-08"}


def test_pauses_are_documents_too_and_say_what_will_be_too_old(workspace: Workspace) -> None:
    paused = workspace.run("pause", "systems", "--until", "2026-09-01", "--json", now=at(6)).json
    assert paused == {
        "digest": "systems",
        "paused": True,
        "until": "2026-08-31T22:00:00Z",
        "from": "then",
        "left_out": "An edition covers at most 90 days, so papers from before 2026-06-02 will be left out.",
    }
    assert workspace.run("resume", "systems", "--json", now=at(7)).json == {
        "digest": "systems",
        "paused": False,
        "until": None,
        "from": "",
        "left_out": "",
    }


def test_a_day_that_has_begun_and_a_digest_that_is_not_there_are_refused(workspace: Workspace) -> None:
    errors = workspace.run("pause", "systems", "--until", "2026-05-06", now=at(6), status=2).errors
    assert "2026-05-06 is not in the future; write a later day" in errors
    errors = workspace.run("pause", "system", now=datetime(2026, 5, 6, 6, tzinfo=UTC), status=2).errors
    assert "there is no digest 'system'; digests: systems" in errors
