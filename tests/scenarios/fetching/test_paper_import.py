"""An import of earlier years beside daily announcements: no digest reports anything because of it, nor less."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.history import Announcement, History
from tests.arxiv_service.release_times import NEW_YORK, get_feed_time
from tests.arxiv_service.server import ArxivService
from tests.generators.metadata_snapshot import make_record, write_snapshot
from tests.simulation.pull_workspace import (
    DAYS,
    LAPTOP,
    SECTIONS,
    SERVICE,
    load_contents,
    make_arxiv_config,
    make_random,
)
from tests.support.cases import make_long_cases
from tests.support.workspace import Workspace

RUN_DAYS = DAYS[2:7]
IMPORT_DAY = RUN_DAYS[1]


def in_the_morning(day: date) -> datetime:
    """When the digest of a day goes out."""
    return datetime.combine(day, time(7, 31), NEW_YORK)


def make_snapshot(path: Path, announcements: Iterable[Announcement], last_day: date) -> Path:
    """All papers as they are on a day, and papers of last year."""
    papers = {
        announcement.id: announcement
        for announcement in sorted(announcements, key=lambda announcement: announcement.day)
        if announcement.day <= last_day
    }
    records = [
        make_record(
            paper.id,
            title=paper.title,
            abstract=paper.abstract,
            authors=paper.authors,
            categories=paper.categories,
            versions=paper.version,
            submitted=paper.came_in.date(),
            comments=paper.comment or None,
        )
        for paper in papers.values()
    ]
    records += [
        make_record(f"2501.{number:05}", title=f"Serving of last year, part {number}", categories=["cs.DC"])
        for number in range(50)
    ]
    return write_snapshot(path, map(json.dumps, records))


def read_reports(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """The papers of each edition of the digest, with the kind of their events, by its day."""
    editions = [json.loads(file.read_text("utf-8")) for file in folder.glob("out/mail/all/*.json")]
    return {
        edition["composed_at"][:10]: sorted(
            (item["paper"]["key"], item["event"]["kind"]) for item in (*edition["items"], *edition["rest"])
        )
        for edition in editions
    }


def read_events(store: str) -> list[tuple[Any, ...]]:
    return [event[:4] for event in load_contents(store, "events")["events"]]


def run_days(folder: Path, service: ArxivService, routes: tuple[str, ...], snapshot: Path | None) -> str:
    """Run each day, and in the middle of them import a file and run again; the database."""
    folder.mkdir()
    workspace, store = Workspace(folder), f"sqlite:///{folder}/digest.db"
    workspace.write(make_arxiv_config(service, store, routes))
    for day in RUN_DAYS:
        service.now = in_the_morning(day)
        workspace.run("run", "--no-wait", now=service.now)
        if snapshot and day == IMPORT_DAY:
            reports, events = read_reports(folder), read_events(store)
            done = workspace.run("import", "--papers", str(snapshot), "--json").json
            assert done["added"] > 50
            for hours in (1, 5):
                workspace.run("run", "--no-wait", now=service.now + timedelta(hours=hours))
            assert read_reports(folder) == reports
            assert read_events(store) == events
    return store


@pytest.mark.parametrize("routes", [LAPTOP, *make_long_cases(SERVICE)])
@pytest.mark.parametrize("ahead", [0, 2], ids=["of the day", "newer than the first pull of its papers"])
def test_digests_report_the_same_with_an_import_as_without(
    tmp_path: Path, routes: tuple[str, ...], ahead: int
) -> None:
    announcements = [
        announcement
        for announcement in make_announcements(make_random(), DAYS, SECTIONS, 8)
        if not announcement.withdrawn
    ]
    snapshot = make_snapshot(tmp_path / "arxiv.json", announcements, RUN_DAYS[1 + ahead])
    with ArxivService(History(announcements), now=get_feed_time(RUN_DAYS[0])) as service:
        calm = run_days(tmp_path / "calm", service, routes, None)
        filled = run_days(tmp_path / "filled", service, routes, snapshot)

    expected, found = read_events(calm), read_events(filled)
    of_listings = {"new", "version"}
    assert [event for event in found if event[1] in of_listings] == [
        event for event in expected if event[1] in of_listings
    ]
    assert {event[:2] for event in found} <= {event[:2] for event in expected}
    assert len({event[2] for event in found}) == len(RUN_DAYS)
    calm_reports, filled_reports = read_reports(tmp_path / "calm"), read_reports(tmp_path / "filled")
    assert len(calm_reports) == len(RUN_DAYS)
    for day, items in calm_reports.items():
        assert [item for item in filled_reports[day] if item[1] in of_listings] == [
            item for item in items if item[1] in of_listings
        ]
