"""A clock that was wrong once: readers get what they would have got without it, a day later at most."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.app import open_app
from digest.demo.publisher import Publisher, shipped
from digest.store import ledger
from digest.store.clock import latest_seen
from digest.store.engine import open_store
from tests.world import World

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


def all_papers(lab: Lab) -> list[str]:
    """All that was told, in the order of its keys."""
    return sorted(paper for told, _ in lab.told().values() for paper in told)


def test_the_next_mornings_editions_go_out_after_a_clock_was_a_year_ahead(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.go(publisher, FIRST, morning(FIRST) + YEAR)
        lab.go(publisher, SECOND)
        lab.go(publisher, THIRD)

    assert list(calm.told()) == ["2026-05-06T07:31", "2026-05-07T07:30", "2026-05-08T07:30"]
    compare(calm, struck)


def test_by_a_clock_that_is_decades_ahead_a_readable_edition_goes_out_at_once_and_the_next_ones_as_ever(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.go(publisher, FIRST, morning(FIRST) + 70 * YEAR)
            absence, today = lab.editions()[-1]["account"]["missing"]
            assert absence == (
                "arXiv cs.CL, cs.DC and cs.LG, from Thursday 7 May 2026 to Tuesday 17 April: could not be had: "
                "nobody asked on those days, and the source shows them no longer."
            )
            assert "Wednesday 18 April" in today
            store = open_store(f"sqlite:///{lab.folder / 'digest.db'}", morning(FIRST))
            with store.reading() as tx:
                assert len(ledger.recent_batches(tx, FIRST)) < 3 * 300
            store.close()
        lab.go(publisher, SECOND)
        lab.go(publisher, THIRD)

    compare(calm, struck)


def test_after_a_clock_was_ahead_the_runs_that_status_names_are_those_made_last(
    tmp_path: Path, publisher: Publisher
) -> None:
    lab = make(tmp_path / "lab")
    lab.begin(publisher)
    lab.go(publisher, FIRST)
    lab.go(publisher, FIRST, morning(FIRST) + YEAR)
    lab.go(publisher, SECOND)

    runs = lab.run("status", "--json", now=morning(SECOND)).json["runs"]
    assert [run["period"] for run in runs] == ["2026-05-07T07:30", "2027-05-06T07:30", "2026-05-06T07:31"]


@pytest.mark.parametrize("ahead", [2, 20, 30, 72, 100])
def test_what_an_edition_lacks_that_went_out_early_is_in_the_next_one(
    tmp_path: Path, publisher: Publisher, ahead: int
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        if lab is struck:
            lab.go(publisher, FIRST, morning(FIRST) + timedelta(hours=ahead))
        for day in (SECOND, THIRD, MONDAY):
            lab.go(publisher, day)

    assert set(struck.told()) >= set(calm.told()), "each is there once, by its own name"
    assert all_papers(struck) == all_papers(calm)


def test_a_clock_that_went_back_is_warned_of_once(tmp_path: Path, publisher: Publisher) -> None:
    lab = make(tmp_path / "lab")
    lab.begin(publisher)
    lab.go(publisher, FIRST)

    assert "clock" not in lab.go(publisher, FIRST, morning(FIRST) + YEAR)
    warned = lab.go(publisher, FIRST, morning(FIRST, 60))
    assert (
        "the clock here says 2026-05-06 06:31 UTC, and an earlier command went by 2027-05-06 05:31" in warned
    )
    assert "clock" not in lab.go(publisher, FIRST, morning(FIRST, 120))
    assert "clock" not in lab.go(publisher, FIRST, morning(FIRST, 70)), (
        "less than an hour is nothing to act upon"
    )


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


def test_after_a_very_first_run_by_a_clock_that_was_ahead_the_next_morning_is_as_ever(
    tmp_path: Path, publisher: Publisher
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST, morning(FIRST) + (YEAR if lab is struck else timedelta()))
        lab.go(publisher, FIRST, morning(FIRST, 60))
        lab.go(publisher, SECOND)

    period = "2026-05-07T07:30"
    assert struck.told()[period] == calm.told()[period]
    assert calm.told()[period][0]


@pytest.mark.parametrize("behind", [2, 19, 26, 49, 80, 24 * 30, 24 * 365 * 56])
def test_by_a_clock_that_is_behind_nothing_goes_out_and_nothing_is_lost_when_it_is_set(
    tmp_path: Path, publisher: Publisher, behind: int
) -> None:
    calm, struck = make(tmp_path / "calm"), make(tmp_path / "struck")
    for lab in (calm, struck):
        lab.begin(publisher)
        lab.go(publisher, FIRST)
        lab.go(publisher, SECOND)
        if lab is struck:
            before = lab.told()
            assert "clock" in lab.go(publisher, SECOND, morning(SECOND, 30) - timedelta(hours=behind))
            assert lab.told() == before
            lab.go(publisher, SECOND, morning(SECOND, 60))
            assert lab.told() == before
        lab.go(publisher, THIRD)

    assert struck.told() == calm.told()


@pytest.mark.parametrize("ahead", [14, 30, 24 * 365])
def test_two_clocks_that_differ_send_each_edition_once(
    tmp_path: Path, publisher: Publisher, ahead: int
) -> None:
    lab = make(tmp_path / "lab")
    lab.begin(publisher, more=f'{ZONE}\n    when_empty = "tell"')
    lab.go(publisher, FIRST)
    lab.go(publisher, FIRST, morning(FIRST) + timedelta(hours=ahead))
    editions = set(lab.told())
    for minutes in (2, 4, 6):
        lab.go(publisher, FIRST, morning(FIRST, minutes))
        lab.go(publisher, FIRST, morning(FIRST, minutes + 1) + timedelta(hours=ahead))

    assert set(lab.told()) == editions


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

    assert lab.told()["2026-05-07T07:30"][0]


def test_every_command_notes_the_time_and_one_that_tries_another_time_does_not(tmp_path: Path) -> None:
    def seen(now: datetime | None) -> datetime | None:
        with open_app(tmp_path / "digest.toml", now, {}) as app, app.store.reading() as tx:
            return latest_seen(tx)

    (tmp_path / "digest.toml").write_text(
        CONFIG.format(url="http://127.0.0.1:9", schedule="daily 07:30", more="", store="sqlite:///digest.db")
    )
    before = datetime.now(UTC)
    noted = seen(None)
    assert noted is not None
    assert before <= noted <= datetime.now(UTC)

    assert seen(before + timedelta(hours=20)) == noted
