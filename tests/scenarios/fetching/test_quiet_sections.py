"""A small category that announces nothing on most days, beside large ones, over fourteen announcement days."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import Announcement, History
from tests.arxiv_service.release_times import NEW_YORK, get_feed_time, get_list_time
from tests.arxiv_service.server import ArxivService
from tests.simulation.pull_workspace import load_batch_states
from tests.support.workspace import Workspace

LARGE = {"cs.LG": 24, "cs.CL": 12}
"""How many papers the large categories announce a day."""
SMALL = "cs.OS"
FIRST = date(2026, 3, 9)
"""A Monday, from which on the clocks of New York do not change."""
DAYS = [day for n in range(18) if (day := FIRST + timedelta(days=n)).weekday() < 5]
BUSY = frozenset(DAYS[number] for number in (1, 6, 11))
"""The days on which the small category has a paper."""
AT = time(7, 30)
CONFIG = """
    [site]
    title = "Lab digest"

    [store]
    url = "{store}"

    [[source]]
    use = "arxiv"
    categories = {sections}
    routes = {routes}
    url = "{url}/rss/"
    pages_url = "{url}/"
    oai_url = "{url}/oai"
    pace = 0

    [[digest]]
    name = "small"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "America/New_York"
    categories = ["cs.OS"]
    when_empty = "skip"

    [[digest]]
    name = "patient"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    latest = "10:00"
    timezone = "America/New_York"
    categories = {sections}

    [[digest]]
    name = "large"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "America/New_York"
    categories = ["cs.LG"]
    limit = 40
"""


def announcements() -> list[Announcement]:
    sizes = {day: LARGE | ({SMALL: 1} if day in BUSY else {}) for day in DAYS}
    return [
        Announcement(
            day=day,
            id=f"{day:%y%m}.{day.day:02}{place}{number:02}",
            title=f"Paper {number} of {section} on {day}",
            categories=(section,),
        )
        for day, sections in sizes.items()
        for place, (section, size) in enumerate(sorted(sections.items()))
        for number in range(size)
    ]


@pytest.fixture
def service() -> Iterator[ArxivService]:
    history = History(announcements(), list(DAYS))
    with ArxivService(history, now=get_list_time(FIRST), sections=[SMALL]) as service:
        yield service


def world_of(
    folder: Path, service: ArxivService, *, routes: Sequence[str], sections: Sequence[str] = (*LARGE, SMALL)
) -> Workspace:
    workspace = Workspace(folder)
    text = CONFIG.format(
        url=service.url,
        store=f"sqlite:///{folder}/digest.db",
        routes=json.dumps(routes),
        sections=json.dumps(sections),
    )
    workspace.write(text)
    return workspace


def run(workspace: Workspace, service: ArxivService, day: date, at: time = AT, *, status: int = 0) -> None:
    service.now = datetime.combine(day, at, NEW_YORK) + timedelta(minutes=1)
    workspace.run("run", now=service.now, status=status)


def mails(workspace: Workspace) -> dict[str, list[dict[str, Any]]]:
    return {name: workspace.read_editions(name) for name in ("small", "patient", "large")}


def warns(workspace: Workspace, edition: dict[str, Any]) -> bool:
    """Whether the mail of an edition has the warning box, in both of its parts."""
    stem = workspace.get_output_path(f"mail/{edition['digest']}/{edition['period'].replace(':', '')}")
    in_text = "\n! " in stem.with_suffix(".txt").read_text("utf-8")
    assert ("<div class=n>" in stem.with_suffix(".html").read_text("utf-8")) == in_text
    return in_text


@pytest.mark.parametrize(
    ("routes", "days"),
    [
        pytest.param(("rss", "catchup"), DAYS, marks=pytest.mark.long),
        (("rss", "catchup"), DAYS[:3]),
        (("listing", "oai", "rss", "catchup"), DAYS[:3]),
        (("catchup",), DAYS[:3]),
    ],
)
def test_a_quiet_category_is_no_missing_one(
    tmp_path: Path, service: ArxivService, routes: Sequence[str], days: Sequence[date]
) -> None:
    workspace = world_of(tmp_path, service, routes=routes)
    for day in days:
        run(workspace, service, day)

        batch_states = load_batch_states(f"sqlite:///{tmp_path}/digest.db")
        assert batch_states[SMALL, day] == ("complete" if day in BUSY else "empty"), day

    results = mails(workspace)
    assert not [edition for editions in results.values() for edition in editions if warns(workspace, edition)]
    assert [date.fromisoformat(entry["period"][:10]) for entry in results["small"]] == sorted(BUSY & {*days})
    assert len(results["patient"]) == len(results["large"]) == len(days)
    quiet = [entry for entry in results["patient"] if date.fromisoformat(entry["period"][:10]) not in BUSY]
    assert all(
        any("cs.OS: nothing was announced" in line for line in entry["account"]["lines"]) for entry in quiet
    )


def test_with_a_feed_alone_a_quiet_category_is_one_line_in_the_foot_and_holds_back_nobody(
    tmp_path: Path, service: ArxivService
) -> None:
    workspace = world_of(tmp_path, service, routes=("rss",))
    for day in DAYS[:5]:
        run(workspace, service, day)

    results = mails(workspace)
    assert not [edition for editions in results.values() for edition in editions if warns(workspace, edition)]
    assert len(results["small"]) == 1
    assert len(results["patient"]) == 5
    for entry in results["patient"]:
        little = [
            line for line in entry["account"]["lines"] if line.startswith("A small part may be missing: ")
        ]
        assert len(little) == (date.fromisoformat(entry["period"][:10]) not in BUSY)
        assert entry["account"]["whole"] == (not little)
        assert entry["account"]["missing"] == []
        if little:
            assert "arXiv cs.OS" in little[0]
            assert entry["account"]["summary"] == "complete as far as we know"


def test_where_the_check_by_date_fails_the_small_category_is_one_line_in_the_foot(
    tmp_path: Path, service: ArxivService
) -> None:
    service.faults.append(
        Fault(
            kind="unavailable",
            begin=get_feed_time(DAYS[2]),
            end=get_feed_time(DAYS[-1]),
            routes=("catchup",),
            section=SMALL,
        )
    )
    workspace = world_of(tmp_path, service, routes=("rss", "catchup"))
    for day in DAYS[:5]:
        run(workspace, service, day, status=0 if day < DAYS[2] else 1)

    assert not [
        edition for editions in mails(workspace).values() for edition in editions if warns(workspace, edition)
    ]
    last = workspace.read_editions("large")[-1]["account"]
    assert [
        line for line in last["lines"] if "A small part may be missing" in line and "asked us to wait" in line
    ]


def test_a_large_category_that_does_not_come_is_a_warning_and_is_waited_for(
    tmp_path: Path, service: ArxivService
) -> None:
    day = DAYS[4]
    service.faults.append(
        Fault(kind="unavailable", begin=get_feed_time(day), end=get_feed_time(DAYS[5]), section="cs.CL")
    )
    workspace = world_of(tmp_path, service, routes=("rss", "catchup"))
    for before in DAYS[:4]:
        run(workspace, service, before)
    run(workspace, service, day, status=1)

    assert len(workspace.read_editions("patient")) == 4
    last = workspace.read_editions("large")[-1]
    assert warns(workspace, last)
    assert [line.partition(",")[0] for line in last["account"]["missing"]] == ["arXiv cs.CL"]
    run(workspace, service, day, time(10), status=1)
    assert len(workspace.read_editions("patient")) == 5


def test_a_day_that_is_not_announced_yet_is_not_called_empty(tmp_path: Path, service: ArxivService) -> None:
    day, store = DAYS[4], f"sqlite:///{tmp_path}/digest.db"
    workspace = world_of(tmp_path, service, routes=("rss", "catchup"))
    for before in DAYS[:4]:
        run(workspace, service, before)
    announced = service.history
    service.history = History(
        [announcement for announcement in announced.announcements if announcement.day < day]
    )
    run(workspace, service, day, time(0, 5))
    run(workspace, service, day)

    assert {load_batch_states(store)[section, day] for section in (*LARGE, SMALL)} == {"waiting"}
    assert warns(workspace, workspace.read_editions("large")[-1])
    assert len(workspace.read_editions("patient")) == 4

    service.history = announced
    run(workspace, service, day, time(9))

    assert {load_batch_states(store)[section, day] for section in LARGE} == {"complete"}
    assert load_batch_states(store)[SMALL, day] == "empty"
    assert len(workspace.read_editions("patient")) == 5


def test_what_a_day_that_was_called_empty_has_after_all_is_told_late(
    tmp_path: Path, service: ArxivService
) -> None:
    day, store = DAYS[0], f"sqlite:///{tmp_path}/digest.db"
    workspace = world_of(tmp_path, service, routes=("rss", "catchup"))
    run(workspace, service, day)
    assert load_batch_states(store)[SMALL, day] == "empty"
    late = Announcement(day=day, id="2603.99999", title="A late paper", categories=(SMALL,))
    service.history = History([*service.history.announcements, late], list(DAYS))

    run(workspace, service, DAYS[1])
    request_count = len(service.requests)
    run(workspace, service, DAYS[1], time(12))

    assert load_batch_states(store)[SMALL, day] == "complete"
    assert "A late paper" in [
        item["paper"]["title"] for item in workspace.read_editions("small")[-1]["items"]
    ]
    assert request_count == len(service.requests)


def test_an_answer_that_has_not_changed_is_an_answer(tmp_path: Path, service: ArxivService) -> None:
    """Of two categories, each is asked for by date about one day alone: its page is the same again."""
    day, store = DAYS[0], f"sqlite:///{tmp_path}/digest.db"
    workspace = world_of(tmp_path, service, routes=("catchup",))
    announced = service.history
    service.history = History([], [])
    run(workspace, service, day)
    service.history = announced
    run(workspace, service, day, time(9))

    assert load_batch_states(store)[SMALL, day] == "empty"
    request_count = len(service.requests)
    run(workspace, service, day, time(12))
    assert request_count == len(service.requests)
