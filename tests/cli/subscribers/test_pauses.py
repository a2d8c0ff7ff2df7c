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
def world(tmp_path: Path, publisher: Publisher) -> Workspace:
    """A reader who got Wednesday's edition."""
    world = Workspace(tmp_path)
    world.write(make_config(publisher.url))
    publisher.day = date(2026, 5, 6)
    world.run("run", now=at(6))
    return world


def test_a_pause_is_told_and_shown_and_ends_on_its_day(world: Workspace, publisher: Publisher) -> None:
    told = world.run("pause", "systems", "--until", "2026-05-08", now=at(6)).output
    assert told == (
        "systems is paused until Fri 8 May 2026, 00:00 CEST; its next edition covers the papers of the pause.\n"
    )
    assert "systems is paused until Fri 8 May" in world.run("status", now=at(6)).output
    status = world.run("status", "--json", now=at(6)).json
    assert status["resting"] == [
        {"digest": "systems", "paused": True, "until": "2026-05-07T22:00:00Z", "from": "then"}
    ]
    assert status["next"] == []

    publisher.day = date(2026, 5, 7)
    said = world.run("run", now=at(7)).output
    assert said.endswith(
        "systems is paused until Fri 8 May 2026, 00:00 CEST; its next edition covers the papers of the pause.\n"
    )
    assert len(world.read_editions()) == 1
    assert "This is what it would get without the pause" in world.run("preview", "systems", now=at(7)).errors
    checked = {one["what"]: one for one in world.run("check", "--json").json}
    assert checked["digest systems"]["said"].startswith("is paused until Fri 8 May 2026, 00:00 CEST")
    assert world.run("why", "systems", "2605.05467", "--json").json["paused"]
    assert "The digest is paused until Fri 8 May" in world.run("why", "systems", "2605.05467").output

    publisher.day = date(2026, 5, 8)
    world.run("run", now=at(8))
    days = {item["event"]["day"] for item in world.read_editions()[-1]["items"]}
    assert days == {"2026-05-07", "2026-05-08"}
    assert world.run("status", "--json", now=at(8)).json["resting"] == []


def test_a_digest_goes_on_when_its_reader_says_so(world: Workspace, publisher: Publisher) -> None:
    world.run("pause", "systems", now=at(6))
    publisher.day = date(2026, 5, 7)
    world.run("run", now=at(7))

    told = world.run("resume", "systems", "--from", "now", now=at(7)).output
    assert told == "systems is resumed; its next edition covers papers announced from now on.\n"
    assert world.run("resume", "systems", now=at(7)).output == "systems is not paused.\n"

    publisher.day = date(2026, 5, 8)
    world.run("run", now=at(8))
    assert {item["event"]["day"] for item in world.read_editions()[-1]["items"]} == {"2026-05-08"}


def test_pauses_are_documents_too_and_say_what_will_be_too_old(world: Workspace) -> None:
    paused = world.run("pause", "systems", "--until", "2026-09-01", "--json", now=at(6)).json
    assert paused == {
        "digest": "systems",
        "paused": True,
        "until": "2026-08-31T22:00:00Z",
        "from": "then",
        "left_out": "An edition covers at most 90 days, so papers from before 2026-06-02 will be left out.",
    }
    assert world.run("resume", "systems", "--json", now=at(7)).json == {
        "digest": "systems",
        "paused": False,
        "until": None,
        "from": "",
        "left_out": "",
    }


def test_a_day_that_has_begun_and_a_digest_that_is_not_there_are_refused(world: Workspace) -> None:
    told = world.run("pause", "systems", "--until", "2026-05-06", now=at(6), status=2).errors
    assert "2026-05-06 is not in the future; write a later day" in told
    told = world.run("pause", "system", now=datetime(2026, 5, 6, 6, tzinfo=UTC), status=2).errors
    assert "there is no digest 'system'; digests: systems" in told
