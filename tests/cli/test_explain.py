"""`digest why` lists what a reader follows apart from what keeps papers out."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import Publisher, load_shipped_papers
from tests.support.workspace import Workspace, make_config

NOW = datetime.combine(date(2026, 5, 7), time(7, 31), ZoneInfo("Europe/Berlin"))


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher) -> Workspace:
    """A reader who got Thursday's edition, without anything of cs.LG."""
    workspace = Workspace(tmp_path)
    workspace.write(
        make_config(publisher.url).replace('["blockchain"]', '[{ category = "cs.LG" }, "blockchain"]')
    )
    publisher.day = NOW.date()
    workspace.run("run", now=NOW)
    return workspace


def follow_lines(workspace: Workspace, category: str) -> list[list[str]]:
    """What `digest why` says of follows and exclusions, for some of the day's papers of a category."""
    keys = [
        paper.id
        for paper in load_shipped_papers()
        if paper.day == NOW.date() and category in paper.categories
    ]
    outputs = [workspace.run("why", "systems", key).output for key in keys[:4]]
    return [[line.strip() for line in text.splitlines() if line.startswith("  matches ")] for text in outputs]


def test_exclusions_are_not_listed_among_the_follows_that_do_not_fit(workspace: Workspace) -> None:
    lines = [
        line
        for results in follow_lines(workspace, "cs.CL")
        for line in results
        if "matches no follow" in line
    ]

    assert lines
    assert all("'KV cache'" in line for line in lines)
    assert not any("blockchain" in line or "cs.LG" in line for line in lines)


def test_a_paper_that_only_an_exclusion_fits_is_said_to_fit_no_follow(workspace: Workspace) -> None:
    results = [lines for lines in follow_lines(workspace, "cs.LG") if "matches no follow" in lines[-1]]

    assert results
    assert all(len(lines) == 2 and lines[0].startswith("matches the exclusion 'cs.LG'") for lines in results)
    assert all(lines[1].startswith("matches no follow: 'LLM serving'") for lines in results)
