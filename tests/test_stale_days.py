"""A feed that shows a day's papers again under the next date: nothing is lost, told twice or left under a wrong day."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest

from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import History, subject
from tests.arxiv_service.hours import NEW_YORK, feed_out
from tests.arxiv_service.making import made
from tests.arxiv_service.server import ArxivService
from tests.pulling import (
    DAYS,
    HOLIDAY,
    LAPTOP,
    SECTIONS,
    WEEKDAYS,
    configuration,
    contents,
    pull,
    states,
)
from tests.world import World

pytestmark = pytest.mark.usefixtures("no_retries")

THURSDAY, FRIDAY, MONDAY, TUESDAY = DAYS[:4]


def at(day: date, clock: str = "09:00") -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), NEW_YORK)


def stale(day: date, *, begin: str = "00:00", routes: tuple[str, ...] = ("rss",)) -> Fault:
    """A day's feeds have the day before's papers, from a time on."""
    return Fault(kind="stale", begin=at(day, begin), end=feed_out(day + timedelta(days=1)), routes=routes)


def fails(day: date, *, until: str = "23:59", route: str = "catchup", begin: str = "00:00") -> Fault:
    return Fault(kind="hangs_up", begin=at(day, begin), end=at(day, until), routes=(route,))


@dataclass
class Reader:
    """Somebody who pulls at some times, from an arXiv with faults.

    Attributes:
        history: what is announced.
        routes: by which it is asked.
    """

    folder: Path
    history: History
    routes: Sequence[str] = LAPTOP
    asked: list[tuple[datetime, str, str]] = field(default_factory=list)

    @property
    def store(self) -> str:
        return f"sqlite:///{self.folder}/digest.db"

    def pull(self, times: Iterable[datetime], faults: Iterable[Fault] = ()) -> None:
        self.folder.mkdir(exist_ok=True)
        world = World(self.folder)
        with ArxivService(self.history, now=at(THURSDAY), faults=faults) as service:
            world.write(configuration(service, self.store, self.routes))
            for now in times:
                service.now = now
                pull(world, now)
            self.asked += [(one.at, one.route, one.path) for one in service.requests]

    def listed(self) -> set[tuple[str, str, str, str]]:
        """What is stored: section, day, paper and kind."""
        return {row[:4] for row in contents(self.store, "listings")["listings"]}

    def announced(self, days: Iterable[date]) -> set[tuple[str, str, str, str]]:
        """What there was: the same."""
        return {
            (section, str(day), f"arxiv:{row.paper.id}", row.kind)
            for section in SECTIONS
            for day in days
            for row in self.history.listed(day, subject([section]))
        }

    def shown_by_date(self, days: Iterable[date]) -> set[tuple[str, str, str, str]]:
        """What catch-up pages show: also papers that were only later listed in a section, on their first day."""
        return {
            (section, str(day), f"arxiv:{row.paper.id}", row.kind)
            for section in SECTIONS
            for day in days
            for row in self.history.caught_up(day, subject([section]), at(DAYS[-1]))
        }

    def days_of_news(self) -> dict[str, set[str]]:
        """On which days each new paper was told."""
        found: dict[str, set[str]] = {}
        for key, kind, day, *_ in contents(self.store, "events")["events"]:
            if kind == "new":
                found.setdefault(key, set()).add(day)
        return found


@pytest.fixture
def history() -> History:
    """Without cross-lists of papers that were new before, and without papers that are taken back.

    Catch-up pages show the former on both days, and of the latter nothing is told.
    """
    plain = [
        one
        for one in made(random.Random(1), DAYS, SECTIONS, 16)
        if one.action != "cross" and not one.withdrawn
    ]
    return History(plain, DAYS)


def assert_is_listed(reader: Reader, days: Sequence[date]) -> None:
    """All that there was, under its day, and nothing else."""
    listed = {
        row for row in reader.listed() if row[1] <= str(days[-1])
    }  # a list is out the evening before its day
    assert reader.announced(days) <= listed <= reader.announced(days) | reader.shown_by_date(days)


def assert_all_is_known(reader: Reader, days: Sequence[date]) -> None:
    assert_is_listed(reader, days)
    first_days = {
        f"arxiv:{one.id}": str(one.day)
        for one in reader.history.announcements
        if one.action == "new" and one.day in days and {*one.categories} & {*SECTIONS}
    }
    news = {key: told for key, told in reader.days_of_news().items() if min(told) <= str(days[-1])}
    assert news == {key: {day} for key, day in first_days.items()}
    busy = {(section, day) for section, day, *_ in reader.announced(days)}
    found = {
        (section, str(day)): state for (section, day), state in states(reader.store).items() if day in days
    }
    assert found == {place: "complete" if place in busy else "empty" for place in found}
    assert busy <= found.keys()


# --- a day was missed, and the next one's feed is stale --------------------------------------------


def test_a_stale_feed_after_a_missed_day_loses_and_misfiles_nothing(tmp_path: Path, history: History) -> None:
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(THURSDAY), at(MONDAY), at(TUESDAY)], [stale(MONDAY)])
    assert_all_is_known(reader, DAYS[:4])


def test_the_same_where_the_feed_was_told_before_the_missed_day_came(
    tmp_path: Path, history: History
) -> None:
    """Catch-up fails in the morning, so the feed's papers are kept, and both days come later."""
    reader = Reader(tmp_path / "reader", history)
    troubles = [stale(MONDAY), fails(MONDAY, until="12:00")]
    reader.pull([at(THURSDAY), at(MONDAY)], troubles)
    assert {state for (_, day), state in states(reader.store).items() if day == MONDAY} == {"partial"}
    reader.pull([at(MONDAY, "15:00"), at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


def test_the_same_where_only_the_day_itself_came_and_the_missed_day_a_day_later(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(THURSDAY), at(MONDAY)], [stale(MONDAY), fails(MONDAY)])
    reader.pull([at(TUESDAY)], [stale(TUESDAY), fails(TUESDAY)])
    reader.pull([at(TUESDAY, "23:59"), at(DAYS[4])])
    assert_all_is_known(reader, DAYS[:5])


def test_a_right_feed_after_a_missed_day_becomes_complete_when_that_day_comes(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history)
    troubles = [fails(MONDAY, until="12:00")]
    reader.pull([at(THURSDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


def test_what_a_feed_alone_tells_after_a_missed_day_is_not_called_complete(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history, ("rss",))
    reader.pull([at(THURSDAY), at(MONDAY), at(TUESDAY)], [stale(MONDAY)])

    found = {day: state for (section, day), state in states(reader.store).items() if section == SECTIONS[0]}
    assert found == {THURSDAY: "complete", FRIDAY: "failed", MONDAY: "partial", TUESDAY: "complete"}


# --- no day was missed -----------------------------------------------------------------------------


def test_a_day_that_only_the_feed_has_told_is_looked_up_by_its_date_once(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(day, clock) for day in DAYS[:4] for clock in ("09:00", "15:00")])

    looked_up = [path for _, route, path in reader.asked if route == "catchup"]
    assert len(looked_up) == len(set(looked_up)) == 4 * len(SECTIONS)
    assert_all_is_known(reader, DAYS[:4])


def test_a_feed_that_was_stale_when_it_was_first_asked_is_found_out_by_the_date(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(MONDAY), at(TUESDAY)], [stale(MONDAY)])
    assert_is_listed(reader, DAYS[2:4])


def test_a_stale_feed_does_not_add_to_a_day_that_is_known_by_its_date(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history, ("catchup", "rss"))
    reader.pull([at(MONDAY), at(TUESDAY)], [stale(MONDAY)])
    assert_is_listed(reader, DAYS[2:4])


def test_a_feed_after_a_holiday_is_complete(tmp_path: Path, history: History) -> None:
    after = HOLIDAY + timedelta(days=1)
    reader = Reader(tmp_path / "reader", history, ("rss",))
    reader.pull([at(day) for day in WEEKDAYS if day <= after])
    assert {state for (_, day), state in states(reader.store).items() if day == after} == {"complete"}


# --- whatever happens ------------------------------------------------------------------------------


@pytest.mark.parametrize("routes", [LAPTOP, ("listing", "catchup")], ids="-".join)
@pytest.mark.parametrize("number", range(3))
def test_whatever_days_are_missed_and_feeds_stale_in_the_end_all_is_known(
    tmp_path: Path, history: History, number: int, routes: tuple[str, ...]
) -> None:
    dice = random.Random(number)
    days = WEEKDAYS[:9]
    mornings = [day for day in days[1:-2] if dice.random() < 0.6]
    times = [
        at(day, clock)
        for day in (days[0], *mornings, *days[-2:])
        for clock in sorted(dice.sample(("00:30", "04:00", "09:00", "15:00", "21:00"), 2))
    ]
    troubles = [
        stale(day, begin=dice.choice(("00:00", "06:00")), routes=routes[:1])
        for day in days[1:-2]
        if dice.random() < 0.5
    ]
    troubles += [
        fails(
            day, until=dice.choice(("12:00", "23:59")), route=dice.choice(("catchup", "catchup", routes[0]))
        )
        for day in days[1:-2]
        if dice.random() < 0.4
    ]
    reader = Reader(tmp_path / "reader", history, routes)
    reader.pull(times, troubles)
    reader.pull([at(days[-1], "23:30")])
    assert_all_is_known(reader, [day for day in days if day != HOLIDAY])
