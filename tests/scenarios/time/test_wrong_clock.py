"""A clock that was wrong once: readers get what they would have got without it, a day later at most."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.app import open_app
from digest.demo.publisher import Publisher, load_shipped_papers
from digest.store.database.clock import read_latest_seen
from digest.store.database.engine import open_store
from digest.store.fetching import ledger
from tests.support.workspace import Workspace

BERLIN = ZoneInfo("Europe/Berlin")
FIRST, SECOND, THIRD, MONDAY = (date(2026, 5, day) for day in (6, 7, 8, 11))
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
    with Publisher(load_shipped_papers(), day=FIRST) as publisher:
        yield publisher


class Lab(Workspace):
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

    def read_editions_by_period(self) -> dict[str, list[Any]]:
        """What each edition told, and of which days, by its period."""
        return {
            edition["period"]: [
                [item["paper"]["key"] for item in edition["items"]],
                [(batch["day"], batch["section"], batch["state"]) for batch in edition["batches"]],
            ]
            for edition in self.read_editions()
        }


def morning(day: date, minutes: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, 7, 31, tzinfo=BERLIN) + timedelta(minutes=minutes)


def make(folder: Path) -> Lab:
    folder.mkdir()
    return Lab(folder)


Cycle = tuple[date, timedelta]
"""One run of a cycle: the day that the source announces, and how far the clock is from that morning."""


def on(day: date, off: timedelta = timedelta()) -> Cycle:
    """Name a cycle on a morning, by a clock that may be wrong."""
    return day, off


@dataclass
class Labs:
    """Worlds after some cycles. Each is made once, from that which lacks the last one.

    Attributes:
        folder: theirs.
        publisher: what all ask.
    """

    folder: Path
    publisher: Publisher
    _labs: dict[tuple[str, str, tuple[Cycle, ...]], Lab] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)

    def after(self, *cycles: Cycle, schedule: str = "weekdays 07:30", more: str = ZONE) -> Lab:
        """Give a world after these cycles; others see it, too, so it is not to be changed."""
        key = schedule, more, cycles
        if key not in self._labs:
            folder = self.folder / str(next(self._numbers))
            if cycles:
                lab = self.copy(folder, *cycles[:-1], schedule=schedule, more=more)
                day, off = cycles[-1]
                lab.go(self.publisher, day, morning(day) + off)
            else:
                lab = make(folder)
                lab.begin(self.publisher, schedule=schedule, more=more)
            self._labs[key] = lab
        return self._labs[key]

    def copy(self, folder: Path, *cycles: Cycle, schedule: str = "weekdays 07:30", more: str = ZONE) -> Lab:
        """Give a world of one's own that begins after these cycles; its configuration stays as it is.

        A store takes a changed one only from the path at which it was begun.
        """
        shutil.copytree(self.after(*cycles, schedule=schedule, more=more).folder, folder)
        return Lab(folder)


@pytest.fixture(scope="module")
def labs(tmp_path_factory: pytest.TempPathFactory, publisher: Publisher) -> Labs:
    return Labs(tmp_path_factory.mktemp("labs"), publisher)


def compare(calm: Lab, struck: Lab) -> None:
    """Each edition that would have gone out did, with its papers; and nobody was told any twice."""
    expected, results = calm.read_editions_by_period(), struck.read_editions_by_period()
    for period, edition in expected.items():
        assert edition in results.values(), f"{period}: {edition}, but {results}"
    papers = [paper for document, _ in results.values() for paper in document]
    assert sorted(papers) == sorted(paper for document, _ in expected.values() for paper in document)


def all_papers(lab: Lab) -> list[str]:
    """All that was told, in the order of its keys."""
    return sorted(paper for edition, _ in lab.read_editions_by_period().values() for paper in edition)


def test_the_next_mornings_editions_go_out_after_a_clock_was_a_year_ahead(labs: Labs) -> None:
    calm = labs.after(on(FIRST), on(SECOND), on(THIRD))
    struck = labs.after(on(FIRST), on(FIRST, YEAR), on(SECOND), on(THIRD))

    assert list(calm.read_editions_by_period()) == [
        "2026-05-06T07:31",
        "2026-05-07T07:30",
        "2026-05-08T07:30",
    ]
    compare(calm, struck)


def test_by_a_clock_that_is_decades_ahead_a_readable_edition_goes_out_at_once_and_the_next_ones_as_ever(
    labs: Labs,
) -> None:
    struck = labs.after(on(FIRST), on(FIRST, 70 * YEAR))
    absence, today = struck.read_editions()[-1]["account"]["missing"]
    assert absence == (
        "arXiv cs.CL, cs.DC and cs.LG, from Thursday 7 May 2026 to Tuesday 17 April: not available, because the source was not queried on those days and no longer shows them."
    )
    assert "Wednesday 18 April" in today
    store = open_store(f"sqlite:///{struck.folder / 'digest.db'}", morning(FIRST))
    with store.begin_read() as tx:
        assert len(ledger.list_recent_batches(tx, FIRST)) < 3 * 300
    store.close()

    compare(
        labs.after(on(FIRST), on(SECOND), on(THIRD)),
        labs.after(on(FIRST), on(FIRST, 70 * YEAR), on(SECOND), on(THIRD)),
    )


def test_after_a_clock_was_ahead_the_runs_that_status_names_are_those_made_last(
    tmp_path: Path, labs: Labs
) -> None:
    lab = labs.copy(tmp_path / "lab", on(FIRST), on(FIRST, YEAR), on(SECOND))

    runs = lab.run("status", "--json", now=morning(SECOND)).json["runs"]
    assert [run["period"] for run in runs] == ["2026-05-07T07:30", "2027-05-06T07:30", "2026-05-06T07:31"]


@pytest.mark.parametrize("ahead", [2, 20, 30, 72, 100])
def test_what_an_edition_lacks_that_went_out_early_is_in_the_next_one(labs: Labs, ahead: int) -> None:
    mornings = [on(SECOND), on(THIRD), on(MONDAY)]
    calm = labs.after(on(FIRST), *mornings)
    struck = labs.after(on(FIRST), on(FIRST, timedelta(hours=ahead)), *mornings)

    assert set(struck.read_editions_by_period()) >= set(calm.read_editions_by_period()), (
        "each is there once, by its own name"
    )
    assert all_papers(struck) == all_papers(calm)


def test_a_clock_that_went_back_is_warned_of_once(tmp_path: Path, publisher: Publisher, labs: Labs) -> None:
    lab = labs.copy(tmp_path / "lab", on(FIRST))

    assert "clock" not in lab.go(publisher, FIRST, morning(FIRST) + YEAR)
    warned = lab.go(publisher, FIRST, morning(FIRST, 60))
    assert (
        "the clock of this machine says 2026-05-06 06:31 UTC, but an earlier command used 2027-05-06 05:31"
        in warned
    )
    assert "clock" not in lab.go(publisher, FIRST, morning(FIRST, 120))
    assert "clock" not in lab.go(publisher, FIRST, morning(FIRST, 70)), (
        "less than an hour is nothing to act upon"
    )


def test_the_next_mornings_editions_go_out_on_postgresql_too(
    tmp_path: Path, publisher: Publisher, labs: Labs, postgres_url: str
) -> None:
    struck = make(tmp_path / "struck")
    struck.begin(publisher, store=postgres_url)
    struck.go(publisher, FIRST)
    struck.go(publisher, FIRST, morning(FIRST) + YEAR)
    struck.go(publisher, SECOND)

    compare(labs.after(on(FIRST), on(SECOND)), struck)


@pytest.mark.parametrize(
    ("schedule", "more"),
    [
        ("every 12 hours", ""),
        ("weekly thu 07:30", ZONE),
        ("weekdays 07:30", f'{ZONE}\n    latest = "09:00"'),
    ],
)
def test_all_kinds_of_schedules_go_on_by_the_right_clock(labs: Labs, schedule: str, more: str) -> None:
    calm = labs.after(on(FIRST), on(SECOND), schedule=schedule, more=more)
    struck = labs.after(on(FIRST), on(FIRST, YEAR), on(SECOND), schedule=schedule, more=more)

    assert len(calm.read_editions_by_period()) == 2
    compare(calm, struck)


def test_a_source_that_did_not_answer_while_the_clock_was_ahead_holds_up_no_morning(
    tmp_path: Path, publisher: Publisher, labs: Labs
) -> None:
    struck = make(tmp_path / "struck")
    struck.begin(publisher)
    struck.go(publisher, FIRST)
    struck.write(struck.config.replace(publisher.url, "http://127.0.0.1:9"))
    struck.go(publisher, FIRST, morning(FIRST) + YEAR, status=1)
    struck.begin(publisher)
    struck.go(publisher, SECOND)

    compare(labs.after(on(FIRST), on(SECOND)), struck)


def test_after_a_very_first_run_by_a_clock_that_was_ahead_the_next_morning_is_as_ever(labs: Labs) -> None:
    mornings = [on(FIRST, timedelta(hours=1)), on(SECOND)]
    calm = labs.after(on(FIRST), *mornings)
    struck = labs.after(on(FIRST, YEAR), *mornings)

    period = "2026-05-07T07:30"
    assert struck.read_editions_by_period()[period] == calm.read_editions_by_period()[period]
    assert calm.read_editions_by_period()[period][0]


@pytest.mark.parametrize("behind", [2, 19, 26, 49, 80, 24 * 30, 24 * 365 * 56])
def test_by_a_clock_that_is_behind_nothing_goes_out_and_nothing_is_lost_when_it_is_set(
    tmp_path: Path, publisher: Publisher, labs: Labs, behind: int
) -> None:
    struck = labs.copy(tmp_path / "struck", on(FIRST), on(SECOND))
    before = struck.read_editions_by_period()
    assert "clock" in struck.go(publisher, SECOND, morning(SECOND, 30) - timedelta(hours=behind))
    assert struck.read_editions_by_period() == before
    struck.go(publisher, SECOND, morning(SECOND, 60))
    assert struck.read_editions_by_period() == before
    struck.go(publisher, THIRD)

    assert (
        struck.read_editions_by_period()
        == labs.after(on(FIRST), on(SECOND), on(THIRD)).read_editions_by_period()
    )


@pytest.mark.parametrize("ahead", [14, 30, 24 * 365])
def test_two_clocks_that_differ_send_each_edition_once(
    tmp_path: Path, publisher: Publisher, labs: Labs, ahead: int
) -> None:
    lab = labs.copy(tmp_path / "lab", on(FIRST), more=f'{ZONE}\n    when_empty = "tell"')
    lab.go(publisher, FIRST, morning(FIRST) + timedelta(hours=ahead))
    editions = set(lab.read_editions_by_period())
    for minutes in (2, 4, 6):
        lab.go(publisher, FIRST, morning(FIRST, minutes))
        lab.go(publisher, FIRST, morning(FIRST, minutes + 1) + timedelta(hours=ahead))

    assert set(lab.read_editions_by_period()) == editions


def test_a_schedule_that_nobody_had_when_the_clock_went_back_fires_again_for_who_comes_back_to_it(
    tmp_path: Path, publisher: Publisher
) -> None:
    lab = make(tmp_path / "lab")
    lab.begin(publisher)
    lab.go(publisher, FIRST)
    lab.go(publisher, FIRST, morning(FIRST) + YEAR)
    lab.begin(publisher, schedule="weekly sun 18:00")
    lab.go(publisher, FIRST, morning(FIRST, 60) + YEAR)
    lab.go(publisher, FIRST, morning(FIRST, 60))
    lab.begin(publisher)
    lab.go(publisher, FIRST, morning(FIRST, 120))
    lab.go(publisher, SECOND)

    assert lab.read_editions_by_period()["2026-05-07T07:30"][0]


def test_every_command_notes_the_time_and_one_that_tries_another_time_does_not(tmp_path: Path) -> None:
    def seen(now: datetime | None) -> datetime | None:
        with open_app(tmp_path / "digest.toml", now, {}) as app, app.store.begin_read() as tx:
            return read_latest_seen(tx)

    (tmp_path / "digest.toml").write_text(
        CONFIG.format(url="http://127.0.0.1:9", schedule="daily 07:30", more="", store="sqlite:///digest.db")
    )
    before = datetime.now(UTC)
    noted = seen(None)
    assert noted is not None
    assert before <= noted <= datetime.now(UTC)

    assert seen(before + timedelta(hours=20)) == noted
