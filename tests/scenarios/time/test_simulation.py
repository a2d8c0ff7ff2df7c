"""Three weeks of real announcement days, by a simulated clock."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.core.language.parser import parse
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import build_document
from digest.demo.publisher import AnnouncedPaper, Publisher
from digest.model import Author, Confidence, Paper, PaperKey
from tests.simulation.recorded_days import list_announcement_days, read_papers_of_day
from tests.support.workspace import Workspace

pytestmark = pytest.mark.long

BERLIN = ZoneInfo("Europe/Berlin")
FIRST, LAST = date(2026, 5, 4), date(2026, 5, 22)
SECTIONS = ("cs.DC", "cs.DB", "cs.AR")
CONFIG = """
    [store]
    url = "{store}"

    [[source]]
    use = "arxiv"
    routes = ["rss"]
    categories = ["cs.DC", "cs.DB", "cs.AR"]
    url = "{url}/rss/"
    pace = 0

    [[digest]]
    name = "daily"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "Europe/Berlin"
    keywords = ["inference", "serving", "storage"]
    authors = ["Yiying Zhang"]
    limit = 10

    [[digest]]
    name = "weekly"
    to = ["files:mail"]
    schedule = "weekly fri 16:00"
    timezone = "America/Los_Angeles"
    categories = ["cs.DB"]
    limit = 40
    exclude = ["blockchain"]
"""
NOT_COMPOSED = (date(2026, 5, 12), date(2026, 5, 13))
"""Days on which the feeds are pulled, and nothing is composed or delivered."""
NOT_PULLED = date(2026, 5, 20)
"""A day on which nobody is there at all."""


def as_paper(paper: AnnouncedPaper) -> Paper:
    return Paper(
        key=PaperKey(f"arxiv:{paper.id}"),
        title=paper.title,
        abstract=paper.abstract,
        authors=tuple(Author(name=name) for name in paper.authors),
        categories=paper.categories,
        url=f"https://arxiv.org/abs/{paper.id}",
    )


def fitting(papers: list[AnnouncedPaper], queries: list[str], exclude: list[str]) -> set[str]:
    """The keys of papers that fit a query, found by asking each one by itself."""
    results = set()
    for paper in papers:
        about = build_document(as_paper(paper))
        out = [
            fit
            for text in exclude
            if (fit := evaluate(parse(text), about)) and fit.confidence >= Confidence.LIKELY
        ]
        if not out and any(evaluate(parse(text), about) for text in queries):
            results.add(f"arxiv:{paper.id}")
    return results


def told(workspace: Workspace, digest: str) -> Counter[str]:
    """How often each paper was told by a digest, and that every one has a reason; in full, with what fits."""
    count: Counter[str] = Counter()
    for edition in workspace.read_editions(digest):
        assert all(reason["evidence"] for item in edition["items"] for reason in item["reasons"])
        for item in (*edition["items"], *edition["rest"]):
            assert item["reasons"]
            count[item["paper"]["key"]] += 1
    return count


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> Any:
    return "sqlite:///digest.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")


def test_in_three_weeks_every_paper_is_told_exactly_once_and_what_was_missed_is_said(
    data: Path, tmp_path: Path, store_url: str
) -> None:
    papers = [
        paper for day in list_announcement_days(data, FIRST, LAST) for paper in read_papers_of_day(data, day)
    ]
    listed = [paper for paper in papers if any(paper.is_listed_in(section) for section in SECTIONS)]
    workspace = Workspace(tmp_path)
    with Publisher(listed, day=FIRST, sections=SECTIONS) as publisher:
        workspace.write(CONFIG.format(store=store_url, url=publisher.url))
        workspace.run("db", "upgrade")
        for day in (FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1)):
            publisher.day = day
            if day == NOT_PULLED:
                continue
            for clock in (time(7, 31), time(12), time(16, 1)):
                now = datetime.combine(day, clock, BERLIN)
                workspace.run("pull" if day in NOT_COMPOSED else "run", now=now)
        # Friday 16:00 in Los Angeles has passed by Saturday in Berlin.
        workspace.run("run", now=datetime.combine(LAST + timedelta(days=1), time(7), BERLIN))
        status = workspace.run(
            "status", "--json", now=datetime.combine(LAST + timedelta(days=1), time(8), BERLIN)
        ).json

    here = [paper for paper in listed if paper.day != NOT_PULLED]
    daily = fitting(here, ["inference", "serving", "storage", 'author:"Yiying Zhang"'], [])
    weekly = fitting(here, ["category:cs.DB"], ["blockchain"])
    assert len(daily) > 100
    assert len(weekly) > 50
    assert told(workspace, "daily") == Counter(daily)
    assert told(workspace, "weekly") == Counter(weekly)
    failed = {(batch["day"], batch["section"]) for batch in status["batches"] if batch["state"] == "failed"}
    assert failed == {(NOT_PULLED.isoformat(), section) for section in SECTIONS}
    merged = next(e for e in workspace.read_editions("daily") if e["period"].startswith("2026-05-14"))
    assert {item["event"]["day"] for item in (*merged["items"], *merged["rest"])} == {
        "2026-05-12",
        "2026-05-13",
        "2026-05-14",
    }
    after = next(e for e in workspace.read_editions("daily") if e["period"].startswith("2026-05-21"))
    assert any("20 May" in line and "not available" in line for line in after["account"]["lines"])
