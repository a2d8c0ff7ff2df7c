"""Follows of every kind in whole cycles: what a reader of a library, of a person, of a category is told, and is not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import AnnouncedPaper, Publisher
from tests.support.workspace import Workspace

BERLIN = ZoneInfo("Europe/Berlin")
THURSDAY = date(2026, 5, 7)
FRIDAY = THURSDAY + timedelta(1)

pytestmark = pytest.mark.usefixtures("no_retries")

CONFIG = """
    [output]
    folder = "out"

    [[source]]
    use = "arxiv"
    routes = ["rss"]
    categories = ["cs.DC", "cs.LG"]
    url = "{url}/rss/"
    pace = 0

    [[digest]]
    name = "systems"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "Europe/Berlin"
"""


def paper(
    number: int, title: str, *authors: str, day: date = FRIDAY, version: int = 1, **more: Any
) -> AnnouncedPaper:
    categories = more.pop("categories", ("cs.DC",))
    return AnnouncedPaper(
        id=f"2605.{number:05}",
        title=title,
        authors=authors,
        day=day,
        version=version,
        categories=categories,
        **more,
    )


PAPERS = (
    paper(1, "Serving many models", "Jane Doe", day=THURSDAY),
    paper(1, "Serving many models", "Jane Doe", version=2),
    paper(2, "Something else", "Jane Doe", day=THURSDAY),
    paper(2, "Something else", "Jane Doe", version=2),
    paper(3, "Scheduling GPU clusters", "Ottoline Zwartkruis"),
    paper(4, "Scheduling of GPU clusters in vision", "Ottoline Zwartkruis"),
    paper(5, "Vision without GPU clusters", "Jane Doe", categories=("cs.LG", "cs.DC")),
)


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with Publisher(PAPERS, day=THURSDAY, sections=["cs.DC", "cs.LG"]) as publisher:
        yield publisher


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def morning(day: date) -> datetime:
    return datetime.combine(day, time(7, 31), BERLIN)


def told(workspace: Workspace) -> list[str]:
    """What the last edition tells: numbers of papers, and what of them."""
    edition = workspace.read_editions()[-1]
    return sorted(
        f"{item['paper']['key'][-1]} {item['event']['kind']}"
        for item in (*edition["items"], *edition["rest"])
    )


def follow(workspace: Workspace, publisher: Publisher, *lines: str) -> None:
    workspace.write(CONFIG.format(url=publisher.url) + "".join(f"    {line}\n" for line in lines))


def both_days(workspace: Workspace, publisher: Publisher) -> None:
    for day in (THURSDAY, FRIDAY):
        publisher.day = day
        workspace.run("run", now=morning(day))


# --- libraries and papers -------------------------------------------------------------------------


def test_who_follows_a_library_is_told_of_new_versions_of_its_papers(
    workspace: Workspace, publisher: Publisher
) -> None:
    refs = "@misc{a, title={{Serving} many models}, eprint={2605.00001}}"
    (workspace.folder / "refs.bib").write_text(refs, encoding="utf-8")
    follow(workspace, publisher, 'library = ["refs.bib"]', 'kinds = ["new"]')

    both_days(workspace, publisher)

    assert told(workspace) == ["1 version"]
    (item,) = workspace.read_editions()[-1]["items"]
    assert [reason["follow"] for reason in item["reasons"]] == ["Serving many models"]


def test_a_paper_added_to_the_library_is_followed_from_the_next_run_on(
    workspace: Workspace, publisher: Publisher
) -> None:
    refs = workspace.folder / "refs.txt"
    refs.write_text("2605.00001\n", encoding="utf-8")
    follow(workspace, publisher, 'library = ["refs.txt"]')
    workspace.run("run", now=morning(THURSDAY))

    refs.write_text("2605.00002\n", encoding="utf-8")
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY))

    assert told(workspace) == ["2 version"]


def test_a_library_that_is_gone_keeps_anything_from_being_sent(
    workspace: Workspace, publisher: Publisher
) -> None:
    refs = workspace.folder / "refs.txt"
    refs.write_text("2605.00001\n", encoding="utf-8")
    follow(workspace, publisher, 'library = ["refs.txt"]', 'keywords = ["GPU cluster"]')
    workspace.run("run", now=morning(THURSDAY))
    refs.unlink()
    publisher.day = FRIDAY

    ran = workspace.run("run", now=morning(FRIDAY), status=2)

    assert "digest[0].library[0]: refs.txt cannot be followed: there is no " in ran.errors
    assert len(publisher.requests) == 2  # of Thursday
    assert "digest[0].library[0]" in workspace.run("check", status=2).errors


def test_papers_are_followed_by_their_ids(workspace: Workspace, publisher: Publisher) -> None:
    follow(workspace, publisher, 'papers = ["https://arxiv.org/abs/2605.00002v1"]')

    both_days(workspace, publisher)

    assert told(workspace) == ["2 version"]


# --- persons, institutions and categories ---------------------------------------------------------


def test_a_primary_category_is_not_a_cross_list(workspace: Workspace, publisher: Publisher) -> None:
    follow(workspace, publisher, 'categories = [{ category = "cs.DC", primary = true }]')

    both_days(workspace, publisher)

    assert told(workspace) == ["3 new", "4 new"]


# --- exclusions -----------------------------------------------------------------------------------


def test_an_exclusion_of_one_follow_leaves_what_others_find(
    workspace: Workspace, publisher: Publisher
) -> None:
    follow(
        workspace,
        publisher,
        'keywords = [{ keyword = "GPU cluster", exclude = ["vision"] }]',
        'authors = [{ name = "Jane Doe", exclude = [{ query = "title:else" }] }]',
    )

    both_days(workspace, publisher)

    assert told(workspace) == ["3 new", "5 new"]
    by_title = {item["paper"]["key"][-1]: item for item in workspace.read_editions()[-1]["items"]}
    assert [reason["follow"] for reason in by_title["5"]["reasons"]] == ["Jane Doe"]
    assert workspace.read_editions()[-1]["excluded"] == 1


@pytest.mark.parametrize(
    ("exclusion", "expected"),
    [
        ('"vision"', ["3 new"]),
        ('{ query = "title:vision NOT scheduling" }', ["3 new", "4 new"]),
        ('{ author = "Ottoline Zwartkruis" }', ["5 new"]),
        ('{ category = "cs.LG" }', ["3 new", "4 new"]),
    ],
)
def test_a_digest_excludes_by_phrase_query_author_and_category(
    workspace: Workspace, publisher: Publisher, exclusion: str, expected: list[str]
) -> None:
    follow(workspace, publisher, 'keywords = ["GPU cluster"]', f"exclude = [{exclusion}]")

    both_days(workspace, publisher)

    assert told(workspace) == expected
    assert workspace.read_editions()[-1]["excluded"] == 3 - len(expected)
