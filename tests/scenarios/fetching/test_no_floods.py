"""What comes in bulk tells nobody anything: a first pull, a harvest of records, a backfill; a repair tells its own day."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import Announcement, History
from tests.arxiv_service.release_times import get_feed_time
from tests.arxiv_service.server import ArxivService
from tests.simulation.expected_listings import ExpectedListings
from tests.simulation.pull_workspace import (
    DAYS,
    LAPTOP,
    SECTIONS,
    SERVICE,
    load_contents,
    make_arxiv_config,
    make_random,
    run_pull,
)
from tests.support.workspace import Workspace

HARVEST = int(os.environ.get("DIGEST_TEST_HARVEST", "600"))
"""Papers; 200,000 in the long run."""
LONG_AGO = [date(2025, 6, 2) + timedelta(days=n) for n in range(5)]
SOON = timedelta(minutes=10)


def old_papers(count: int) -> list[Announcement]:
    """Papers of last year."""
    return [
        Announcement(
            day=LONG_AGO[number % len(LONG_AGO)],
            id=f"2505.{number:05}" if number < 100_000 else f"2506.{number - 100_000:05}",
            title=f"Old paper {number}",
            abstract=f"What was known of case {number}.",
            categories=(SECTIONS[number % 3], "math.OC"),
        )
        for number in range(count)
    ]


def told(store: str) -> list[tuple[str, str, str]]:
    """Papers, kinds and days of the events, sorted."""
    return [(key, kind, day) for key, kind, day, *_ in load_contents(store, "events")["events"]]


@pytest.mark.parametrize("routes", [SERVICE, LAPTOP], ids=["service", "laptop"])
def test_a_first_pull_tells_of_the_last_day_only(tmp_path: Path, routes: Sequence[str]) -> None:
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History([*make_announcements(make_random(), DAYS, SECTIONS, 8), *old_papers(30)])
    with ArxivService(history, now=get_feed_time(DAYS[4]) + SOON) as service:
        workspace.write(make_arxiv_config(service, store, routes))
        workspace.run("db", "upgrade")
        run_pull(workspace, service.now)
        truth = ExpectedListings(service, SECTIONS)
    results = told(store)
    assert {day for _, _, day in results} == {DAYS[4].isoformat()}
    assert {key for key, kind, _ in results if kind == "new"} == {
        f"arxiv:{paper}" for paper in truth.list_new_papers([DAYS[4]])
    }
    assert {kind for _, kind, _ in results} == {"new", "version"}


def test_a_harvest_of_old_records_is_kept_and_tells_nobody(tmp_path: Path) -> None:
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History([*make_announcements(make_random(), DAYS, SECTIONS, 8), *old_papers(HARVEST)])
    with ArxivService(history, now=get_feed_time(DAYS[4]) + SOON) as service:
        workspace.write(make_arxiv_config(service, store, SERVICE))
        workspace.run("db", "upgrade")
        run_pull(workspace, service.now)
        before = told(store)
        first, last = (f"{day}" for day in (LONG_AGO[0], LONG_AGO[-1]))
        workspace.run("backfill", "arxiv", "--from", first, "--until", last, now=service.now)
    keys = {key for key, _ in load_contents(store, "papers")["papers"]}
    assert {f"arxiv:{announcement.id}" for announcement in old_papers(HARVEST)} <= keys
    assert before
    assert told(store) == before


@pytest.mark.parametrize("routes", [SERVICE, LAPTOP], ids=["service", "laptop"])
def test_a_backfill_of_days_before_ours_is_kept_and_tells_nobody(
    tmp_path: Path, routes: Sequence[str]
) -> None:
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    with ArxivService(
        History(make_announcements(make_random(), DAYS, SECTIONS, 8)), now=get_feed_time(DAYS[6]) + SOON
    ) as service:
        workspace.write(make_arxiv_config(service, store, routes))
        workspace.run("db", "upgrade")
        run_pull(workspace, service.now)
        before = told(store)
        workspace.run("backfill", "arxiv", "--from", f"{DAYS[1]}", "--until", f"{DAYS[5]}", now=service.now)
        truth = ExpectedListings(service, SECTIONS)
    listed = {
        (section, day, key.removeprefix("arxiv:"), kind)
        for section, day, key, kind, _ in load_contents(store, "listings")["listings"]
    }
    for section in SECTIONS:
        for day in DAYS[1:6]:
            assert {(section, day.isoformat(), *row) for row in truth.list_rows(section, day)} <= listed
    assert before
    assert told(store) == before


@pytest.mark.usefixtures("no_retries")
@pytest.mark.parametrize("routes", [SERVICE, LAPTOP], ids=["service", "laptop"])
def test_a_repaired_day_tells_exactly_its_own(tmp_path: Path, routes: Sequence[str]) -> None:
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    before, missed, after = DAYS[5:8]
    history = History(make_announcements(make_random(), DAYS, SECTIONS, 8))
    gone = Fault(
        kind="gone",
        begin=get_feed_time(missed) - timedelta(hours=5),
        end=get_feed_time(after) - timedelta(hours=5),
    )
    with ArxivService(history, now=get_feed_time(before) + SOON, faults=[gone]) as service:
        workspace.write(make_arxiv_config(service, store, routes))
        workspace.run("db", "upgrade")
        for day in (before, missed):
            service.now = get_feed_time(day) + SOON
            run_pull(workspace, service.now)
        there = told(store)
        service.now = get_feed_time(after) + SOON
        run_pull(workspace, service.now)
        truth = ExpectedListings(service, SECTIONS)
    made_now = set(told(store)) - set(there)
    expected: dict[date, set[tuple[str, str, str]]] = {}
    for day in (missed, after):
        new = {
            (f"arxiv:{paper}", "new", f"{day}")
            for paper, days in truth.list_new_papers(DAYS).items()
            if min(days) == day
        }
        versions = {(f"arxiv:{paper}", "version", f"{at}") for paper, at in truth.count_replacements([day])}
        grown = {(f"arxiv:{paper}", "grown", f"{at}") for paper, at in truth.list_late_cross_lists([day])}
        expected[day] = new | versions | grown
    again = {
        f"arxiv:{announcement.id}" for announcement in history.announcements if announcement.day == after
    }
    # A cross-list into a category that is not fetched is known from records of the paper only, if one comes.
    outside = {
        (f"arxiv:{paper}", "grown", f"{at}") for paper, at in truth.list_outside_cross_lists([missed, after])
    }
    made_now -= outside
    repaired = {entry for entry in made_now if entry[0] not in again}
    assert repaired == {entry for entry in expected[missed] if entry[0] not in again}
    # Of these today's news came first, and with it what the day before had to tell: a version that another
    # one took the place of, a category. What was taken back since is new no more.
    with_it = {(key, "grown", f"{after}") for key, kind, _ in expected[missed] if kind == "grown"}
    assert expected[after] <= made_now - repaired <= expected[after] | expected[missed] | with_it
    assert {day for *_, day in made_now} == {f"{missed}", f"{after}"}
