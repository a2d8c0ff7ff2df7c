"""A clock that was wrong once: what readers get afterwards is what they would have got without it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import Publisher, shipped
from tests.world import World

BERLIN = ZoneInfo("Europe/Berlin")
FIRST, SECOND, THIRD = date(2026, 5, 6), date(2026, 5, 7), date(2026, 5, 8)
YEAR = timedelta(days=365)
CONFIG = """
    [store]
    url = "{store}"

    [output]
    folder = "out"

    [[source]]
    use = "arxiv"
    routes = ["rss"]
    categories = ["cs.DC", "cs.LG", "cs.CL"]
    url = "{url}/rss/"
    pace = 0

    [[digest]]
    name = "systems"
    to = ["files:mail"]
    schedule = "{schedule}"
    {more}
    keywords = ["LLM serving", "KV cache", "mixture of experts", "MoE"]
"""
ZONE = 'timezone = "Europe/Berlin"'


@pytest.fixture(scope="module")
def publisher() -> Iterator[Publisher]:
    with Publisher(shipped(), day=FIRST) as one:
        yield one


class Lab(World):
    """A world whose commands run on a day of the publisher's."""

    def begin(
        self,
        publisher: Publisher,
        *,
        schedule: str = "weekdays 07:30",
        more: str = ZONE,
        store: str = "sqlite:///digest.db",
    ) -> None:
        self.folder.mkdir(exist_ok=True)
        self.write(CONFIG.format(url=publisher.url, schedule=schedule, more=more, store=store))

    def go(self, publisher: Publisher, day: date, at: datetime | None = None, *, status: int = 0) -> str:
        """One cycle; gives what it warned of."""
        publisher.day = day
        return self.run("run", "--no-wait", "--json", now=at or morning(day), status=status).errors

    @property
    def config(self) -> str:
        """What was written."""
        return (self.folder / "digest.toml").read_text("utf-8")

    def told(self) -> dict[str, list[Any]]:
        """What each edition told, and of which days, by its period."""
        return {
            one["period"]: [
                [item["paper"]["key"] for item in one["items"]],
                [(batch["day"], batch["section"], batch["state"]) for batch in one["batches"]],
            ]
            for one in self.editions()
        }


def morning(day: date, minutes: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, 7, 31, tzinfo=BERLIN) + timedelta(minutes=minutes)


def make(folder: Path) -> Lab:
    folder.mkdir()
    return Lab(folder)


def compare(calm: Lab, struck: Lab) -> None:
    """Each edition that would have gone out did, with its papers; and nobody was told any twice."""
    wanted, made = calm.told(), struck.told()
    for period, edition in wanted.items():
        assert edition in made.values(), f"{period}: {edition}, but {made}"
    papers = [paper for told, _ in made.values() for paper in told]
    assert sorted(papers) == sorted(paper for told, _ in wanted.values() for paper in told)


HOURS = [30, 72, 365 * 24]


@pytest.mark.parametrize("ahead", HOURS)
def test_the_next_mornings_editions_go_out_after_a_clock_was_ahead(
    tmp_path: Path, publisher: Publisher, ahead: int
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.go(publisher, FIRST, morning(FIRST) + timedelta(hours=ahead))
        lab.go(publisher, SECOND)
        lab.go(publisher, THIRD)

    assert list(calm.told()) == ["2026-05-06T07:31", "2026-05-07T07:30", "2026-05-08T07:30"]
    compare(calm, struck)


def test_a_clock_that_was_hours_ahead_is_found_out_by_the_next_run_of_the_same_machine(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        if lab is struck:
            warned = lab.go(publisher, FIRST, morning(FIRST) + timedelta(hours=24))
            assert "clock" not in warned
            warned = lab.go(publisher, FIRST, morning(FIRST, 60))
            assert warned.count("a clock was ahead") == 1
            assert "clock" not in lab.go(publisher, FIRST, morning(FIRST, 120))
        lab.go(publisher, SECOND)

    compare(calm, struck)


def test_the_next_mornings_editions_go_out_on_postgresql_too(
    tmp_path: Path, publisher: Publisher, postgres_url: str
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    calm.begin(publisher)
    struck.begin(publisher, store=postgres_url)
    for lab in (calm, struck):
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.go(publisher, FIRST, morning(FIRST) + YEAR)
        lab.go(publisher, SECOND)

    compare(calm, struck)


def test_a_year_later_the_edition_goes_out_whose_period_the_wrong_clock_took(
    tmp_path: Path, publisher: Publisher
) -> None:
    lab = make(tmp_path / "lab")
    lab.begin(publisher)
    lab.go(publisher, FIRST)
    lab.go(publisher, FIRST, morning(SECOND) + timedelta(days=1))  # fires the edition of the third day
    lab.go(publisher, FIRST, morning(FIRST, 120))
    lab.go(publisher, SECOND)
    lab.go(publisher, THIRD)

    told = lab.told()
    assert set(told) == {"2026-05-06T07:31", "2026-05-07T07:30", "2026-05-08T07:30", "2026-05-08T07:31"}
    assert told["2026-05-08T07:31"][0]
    assert not told["2026-05-08T07:30"][0]


@pytest.mark.parametrize(
    ("schedule", "more"),
    [
        ("every 12 hours", ""),
        ("weekly thu 07:30", ZONE),
        ("weekdays 07:30", f'{ZONE}\n    latest = "09:00"'),
    ],
)
def test_all_kinds_of_schedules_go_on_by_the_right_clock(
    tmp_path: Path, publisher: Publisher, schedule: str, more: str
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher, schedule=schedule, more=more)
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.go(publisher, FIRST, morning(FIRST) + YEAR)
        lab.go(publisher, SECOND)

    assert len(calm.told()) == 2
    compare(calm, struck)


def test_a_source_that_did_not_answer_while_the_clock_was_ahead_holds_up_no_morning(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.write(lab.config.replace(publisher.url, "http://127.0.0.1:9"))
            lab.go(publisher, FIRST, morning(FIRST) + YEAR, status=1)
            lab.begin(publisher)
        lab.go(publisher, SECOND)

    compare(calm, struck)


def test_the_very_first_run_may_have_been_by_a_clock_that_was_ahead(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    calm.begin(publisher)
    calm.go(publisher, FIRST)
    calm.go(publisher, SECOND)
    struck.begin(publisher)
    struck.go(publisher, FIRST, morning(FIRST) + YEAR)
    struck.go(publisher, FIRST, morning(FIRST, 60))
    struck.go(publisher, SECOND)

    wanted = {paper for told, _ in calm.told().values() for paper in told}
    papers = [paper for told, _ in struck.told().values() for paper in told]
    assert sorted(papers) == sorted(wanted)


def test_a_clock_that_is_behind_the_days_that_sources_announced_is_refused(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        lab.go(publisher, SECOND)
        if lab is struck:
            told = lab.go(publisher, SECOND, morning(SECOND) - timedelta(days=30), status=2)
            assert "that is behind" in told
        lab.go(publisher, THIRD)

    assert struck.told() == calm.told()
