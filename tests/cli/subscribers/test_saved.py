"""What readers saved is listed, for people and for programs; and `digest why` tells what follows have learned."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.app import open_app
from digest.core.subscribers.library import read_library
from digest.core.subscribers.opinions import Opinion
from digest.demo.publisher import Publisher
from digest.jobs.subscribers import opinions
from tests.support.workspace import Workspace, make_config

NOW = datetime.combine(date(2026, 5, 7), time(7, 31), ZoneInfo("Europe/Berlin"))


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher) -> Workspace:
    """A reader who got Thursday's edition."""
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url))
    publisher.day = NOW.date()
    workspace.run("run", now=NOW)
    return workspace


def say(workspace: Workspace, opinion: Opinion, *numbers: int) -> list[str]:
    """Say something of papers of the first edition, one after the other; their keys."""
    keys = []
    with open_app(workspace.folder / "digest.toml", None, {}) as app:
        for number in numbers:
            at = app.clock().replace(minute=31 + number)
            edition_paper = opinions.save_opinion(app.store, 1, number, opinion, at)
            assert edition_paper is not None
            keys.append(str(edition_paper.item.paper.key))
    return keys


def test_what_is_saved_is_listed_the_last_one_first(workspace: Workspace) -> None:
    assert workspace.run("saved").output.startswith("No papers are saved yet")
    first, second = say(workspace, Opinion.SAVED, 1, 2)
    say(workspace, Opinion.MORE, 3)

    text = workspace.run("saved", "systems").output
    saved = workspace.run("saved", "--json").json["saved"]

    assert [entry["paper"]["key"] for entry in saved] == [second, first]
    assert {entry["digest"] for entry in saved} == {"systems"}
    assert text.splitlines()[0] == saved[0]["paper"]["title"]
    assert "saved Thu 07 May 2026 from systems" in text


def test_what_is_saved_can_be_taken_to_programs_that_manage_references(workspace: Workspace) -> None:
    keys = say(workspace, Opinion.SAVED, 1, 2)

    library = read_library(workspace.run("saved", "--format", "bibtex").output.encode())

    assert library.broken == ()
    assert {key for key, _ in library.papers} == set(keys)


def test_of_a_digest_that_is_none_nothing_is_listed(workspace: Workspace) -> None:
    assert "there is no digest 'nobody'" in workspace.run("saved", "nobody", status=2).errors


def test_why_tells_what_a_follow_has_learned(workspace: Workspace) -> None:
    [key] = say(workspace, Opinion.LESS, 1)

    assert "weight 0.9 instead of 1, because its reader asked" in workspace.run("why", "systems", key).output
    [fit, *_] = workspace.run("why", "systems", key, "--json").json["fits"]
    assert (fit["weight"], fit["learned"]) == (1.0, 0.9)
