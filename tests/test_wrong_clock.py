"""A clock that was wrong once: what readers get afterwards is what they would have got without it."""

from __future__ import annotations

import json
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
CONFIG = """
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
    timezone = "Europe/Berlin"
    keywords = ["LLM serving", "KV cache", "mixture of experts", "MoE"]
"""


@pytest.fixture(scope="module")
def publisher() -> Iterator[Publisher]:
    with Publisher(shipped(), day=FIRST) as one:
        yield one


class Lab(World):
    """A world whose runs are told with the day that the publisher has by then."""

    def begin(self, publisher: Publisher, schedule: str = "weekdays 07:30") -> None:
        self.folder.mkdir()
        self.write(CONFIG.format(url=publisher.url, schedule=schedule))

    def go(self, publisher: Publisher, day: date, at: datetime | None = None) -> dict[str, Any]:
        publisher.day = day
        told = self.run("run", "--no-wait", "--json", now=at or morning(day), status=0)
        return dict(told.json)

    def told(self) -> dict[str, list[Any]]:
        """What each edition told, and of which days, by its period."""
        made = [json.loads(path.read_text()) for path in sorted(self.folder.glob("out/mail/systems/*.json"))]
        return {
            one["period"]: [
                [item["paper"]["key"] for item in one["items"]],
                [(batch["day"], batch["section"], batch["state"]) for batch in one["batches"]],
            ]
            for one in made
        }


def morning(day: date, minutes: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, 7, 31, tzinfo=BERLIN) + timedelta(minutes=minutes)


@pytest.mark.parametrize("ahead", [timedelta(days=365), timedelta(days=3), timedelta(hours=30)])
def test_the_next_mornings_editions_go_out_after_a_clock_was_ahead(
    tmp_path: Path, publisher: Publisher, ahead: timedelta
) -> None:
    calm, struck = Lab(tmp_path / "calm"), Lab(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.go(publisher, FIRST, morning(FIRST) + ahead)
        lab.go(publisher, SECOND)
        lab.go(publisher, THIRD)

    wanted, made = calm.told(), struck.told()
    assert list(wanted) == ["2026-05-06T07:31", "2026-05-07T07:30", "2026-05-08T07:30"]
    for (
        day,
        edition,
    ) in wanted.items():  # under the next free minute, where the wrong clock's has taken its period
        assert edition in made.values(), day
    assert len(made) == len(wanted) + 1


def test_a_clock_that_was_behind_costs_nobody_a_paper_and_tells_nobody_one_twice(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = Lab(tmp_path / "calm"), Lab(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        lab.go(publisher, SECOND)
        if lab is struck:
            lab.go(publisher, SECOND, morning(SECOND) - timedelta(days=365))
        lab.go(publisher, THIRD)

    wanted, made = calm.told(), struck.told()
    assert {day: made[day][0] for day in wanted} == {day: papers for day, (papers, _) in wanted.items()}
    papers = [paper for told, _ in made.values() for paper in told]
    assert len(papers) == len(set(papers))


def test_who_runs_it_is_told_what_a_wrong_clock_means_until_the_next_run(
    tmp_path: Path, publisher: Publisher
) -> None:
    lab = Lab(tmp_path / "lab")
    lab.begin(publisher)
    lab.go(publisher, FIRST)
    lab.go(publisher, FIRST, morning(FIRST) + timedelta(days=365))

    before = lab.run("status", now=morning(FIRST, 60))
    lab.go(publisher, FIRST, morning(FIRST, 70))
    after = lab.run("status", now=morning(FIRST, 80))

    assert "one of the two clocks was wrong" in before.errors
    assert "the latest that the store has seen" not in after.errors
    assert "2027" not in after.plain_output.partition("\nRuns\n")[0]
    assert "Thu 7 May 2026, 07:30 CEST" in after.plain_output
