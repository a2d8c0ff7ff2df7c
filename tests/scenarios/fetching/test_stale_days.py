"""A feed that shows a day's papers again under the next date: nothing is lost, told twice or left under a wrong day."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest

from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import Announcement, History, make_subject
from tests.arxiv_service.release_times import NEW_YORK, get_feed_time
from tests.arxiv_service.server import ArxivService
from tests.simulation.pull_workspace import (
    DAYS,
    HOLIDAY,
    LAPTOP,
    SECTIONS,
    WEEKDAYS,
    load_batch_states,
    load_contents,
    make_arxiv_config,
    run_pull,
)
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

THURSDAY, FRIDAY, MONDAY, TUESDAY = DAYS[:4]


def at(day: date, clock: str = "09:00") -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), NEW_YORK)


def stale(day: date, *, begin: str = "00:00", routes: tuple[str, ...] = ("rss",), behind: int = 1) -> Fault:
    """A day's feeds have an earlier day's papers, from a time on."""
    end = get_feed_time(day + timedelta(days=1))
    return Fault(kind="stale", begin=at(day, begin), end=end, routes=routes, behind=behind)


def fails(day: date, *, until: str = "23:59", route: str = "catchup", begin: str = "00:00") -> Fault:
    return Fault(kind="hangs_up", begin=at(day, begin), end=at(day, until), routes=(route,))


@dataclass
class Reader:
    """Somebody who pulls at some times, from an arXiv with faults.

    Attributes:
        history: what is announced.
        routes: by which it is asked.
        sections: of which.
    """

    folder: Path
    history: History
    routes: Sequence[str] = LAPTOP
    sections: Sequence[str] = SECTIONS
    requests: list[tuple[datetime, str, str]] = field(default_factory=list)

    @property
    def store(self) -> str:
        return f"sqlite:///{self.folder}/digest.db"

    def pull(self, times: Iterable[datetime], faults: Iterable[Fault] = ()) -> None:
        self.folder.mkdir(exist_ok=True)
        workspace = Workspace(self.folder)
        with ArxivService(self.history, now=at(THURSDAY), sections=self.sections, faults=faults) as service:
            workspace.write(make_arxiv_config(service, self.store, self.routes, sections=self.sections))
            for now in times:
                service.now = now
                run_pull(workspace, now)
            self.requests += [(request.at, request.route, request.path) for request in service.requests]

    def listed(self) -> set[tuple[str, str, str, str]]:
        """What is stored: section, day, paper and kind."""
        return {row[:4] for row in load_contents(self.store, "listings")["listings"]}

    def announced(self, days: Iterable[date]) -> set[tuple[str, str, str, str]]:
        """What there was: the same."""
        return {
            (section, str(day), f"arxiv:{row.paper.id}", row.kind)
            for section in self.sections
            for day in days
            for row in self.history.make_list_rows(day, make_subject([section]))
        }

    def shown_by_date(self, days: Iterable[date]) -> set[tuple[str, str, str, str]]:
        """What catch-up pages show: also papers that were only later listed in a section, on their first day."""
        return {
            (section, str(day), f"arxiv:{row.paper.id}", row.kind)
            for section in self.sections
            for day in days
            for row in self.history.make_catchup_rows(day, make_subject([section]), at(DAYS[-1]))
        }

    def days_of_news(self) -> dict[str, set[str]]:
        """On which days each new paper was told."""
        results: dict[str, set[str]] = {}
        for key, kind, day, *_ in load_contents(self.store, "events")["events"]:
            if kind == "new":
                results.setdefault(key, set()).add(day)
        return results


@pytest.fixture
def history() -> History:
    """Without cross-lists of papers that were new before, and without papers that are taken back.

    Catch-up pages show the former on both days, and of the latter nothing is told.
    """
    plain = [
        announcement
        for announcement in make_announcements(random.Random(1), DAYS, SECTIONS, 16)
        if announcement.action != "cross" and not announcement.withdrawn
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
        f"arxiv:{announcement.id}": str(announcement.day)
        for announcement in reader.history.announcements
        if announcement.action == "new"
        and announcement.day in days
        and {*announcement.categories} & {*reader.sections}
    }
    news = {key: entries for key, entries in reader.days_of_news().items() if min(entries) <= str(days[-1])}
    assert news == {key: {day} for key, day in first_days.items()}
    busy = {(section, day) for section, day, *_ in reader.announced(days)}
    results = {
        (section, str(day)): state
        for (section, day), state in load_batch_states(reader.store).items()
        if day in days
    }
    assert results == {place: "complete" if place in busy else "empty" for place in results}
    assert busy <= results.keys()


# --- a day was missed, and the next one's feed is stale --------------------------------------------


def test_a_stale_feed_after_a_missed_day_loses_and_misfiles_nothing(tmp_path: Path, history: History) -> None:
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(THURSDAY), at(MONDAY), at(TUESDAY)], [stale(MONDAY)])
    assert_all_is_known(reader, DAYS[:4])


def test_a_new_section_loses_nothing_though_all_that_shows_the_latest_day_is_stale(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history, routes=("listing", "oai", "rss", "catchup"))
    reader.pull([at(FRIDAY), at(FRIDAY, "15:00"), at(MONDAY)], [stale(FRIDAY, routes=("rss", "listing"))])
    assert reader.announced(DAYS[1:3]) <= reader.listed()


def test_the_same_where_the_feed_was_told_before_the_missed_day_came(
    tmp_path: Path, history: History
) -> None:
    """Catch-up fails in the morning, so the feed's papers are kept, and both days come later."""
    reader = Reader(tmp_path / "reader", history)
    troubles = [stale(MONDAY), fails(MONDAY, until="12:00")]
    reader.pull([at(THURSDAY), at(MONDAY)], troubles)
    assert {state for (_, day), state in load_batch_states(reader.store).items() if day == MONDAY} == {
        "partial"
    }
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


@pytest.mark.parametrize("behind", [1, 2])
def test_what_a_feed_alone_shows_on_two_days_after_a_missed_day_is_not_called_complete(
    tmp_path: Path, history: History, behind: int
) -> None:
    """A feed that stays behind would show the missed day first, and then the day on which it did so."""
    reader = Reader(tmp_path / "reader", history, ("rss",))
    reader.pull([at(day) for day in (THURSDAY, *DAYS[2:5])], [stale(MONDAY), stale(TUESDAY, behind=behind)])

    results = {
        day: state
        for (section, day), state in load_batch_states(reader.store).items()
        if section == SECTIONS[0]
    }
    # The second day is not even kept where it has what the first one has.
    tuesday = "partial" if behind == 1 else "failed"
    wednesday = "complete" if behind == 1 else "partial"
    assert results == {
        THURSDAY: "complete",
        FRIDAY: "failed",
        MONDAY: "partial",
        TUESDAY: tuesday,
        DAYS[4]: wednesday,
    }


def test_a_stale_feed_before_and_after_a_holiday_is_found_out(tmp_path: Path, history: History) -> None:
    after = HOLIDAY + timedelta(days=1)
    last = after + timedelta(days=3)
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(TUESDAY), at(after), at(last)], [stale(after)])
    assert_all_is_known(reader, [day for day in DAYS if TUESDAY <= day <= last])


def test_a_right_feed_after_a_holiday_is_told_at_once_and_complete_when_the_holiday_is_known(
    tmp_path: Path, history: History
) -> None:
    """Catch-up fails in the morning, and nothing else tells that the holiday had no papers."""
    after = HOLIDAY + timedelta(days=1)
    before = HOLIDAY - timedelta(days=1)
    reader = Reader(tmp_path / "reader", history)
    troubles = [fails(after, until="12:00")]
    reader.pull([at(TUESDAY), at(before), at(after)], troubles)
    states = load_batch_states(reader.store)
    assert {states[section, HOLIDAY] for section in SECTIONS} == {"waiting"}
    assert {states[section, after] for section in SECTIONS} == {"partial"}
    assert_is_listed(reader, [TUESDAY, before, after])
    news = reader.days_of_news()

    reader.pull([at(after, "15:00")], troubles)
    assert reader.days_of_news() == news
    assert_all_is_known(reader, [TUESDAY, before, after])
    assert {load_batch_states(reader.store)[section, HOLIDAY] for section in SECTIONS} == {"empty"}


def test_a_feed_two_days_behind_after_two_missed_days_is_found_out(tmp_path: Path, history: History) -> None:
    reader = Reader(tmp_path / "reader", history)
    troubles = [stale(TUESDAY, behind=2), fails(TUESDAY, until="12:00")]
    reader.pull([at(THURSDAY), at(TUESDAY), at(TUESDAY, "15:00"), at(DAYS[4])], troubles)
    assert_all_is_known(reader, DAYS[:5])


def test_a_page_by_date_that_lacks_rows_takes_back_the_others_when_they_come(
    tmp_path: Path, history: History
) -> None:
    partial = Fault(kind="partial", begin=at(MONDAY, "12:00"), end=at(MONDAY, "18:00"), routes=("catchup",))
    troubles = [stale(MONDAY), fails(MONDAY, until="12:00"), partial]
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(THURSDAY), at(MONDAY), at(MONDAY, "15:00")], troubles)
    assert "complete" not in {
        state for (_, day), state in load_batch_states(reader.store).items() if day == FRIDAY
    }
    reader.pull([at(MONDAY, "23:00"), at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


@pytest.mark.parametrize("route", ["rss", "listing"])
def test_of_two_latest_routes_that_disagree_the_stale_one_is_taken_back(
    tmp_path: Path, history: History, route: str
) -> None:
    reader = Reader(tmp_path / "reader", history, ("rss", "listing", "catchup"))
    troubles = [stale(MONDAY, routes=(route,)), fails(MONDAY, until="12:00")]
    reader.pull([at(THURSDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


def test_a_list_that_is_stale_in_the_evening_and_a_feed_of_the_day_before_disagree(
    tmp_path: Path, history: History
) -> None:
    """The list has Monday's rows under Tuesday before the feed brings Monday's; Friday comes by date at last."""
    reader = Reader(tmp_path / "reader", history, ("rss", "listing", "catchup"))
    evening = Fault(kind="stale", begin=at(MONDAY, "20:00"), end=at(TUESDAY, "00:00"), routes=("listing",))
    reader.pull([at(THURSDAY), at(MONDAY, "21:00"), at(TUESDAY), at(DAYS[4])], [evening])
    assert_all_is_known(reader, DAYS[:5])


def test_a_blank_list_and_then_a_stale_one_lose_nothing(tmp_path: Path, history: History) -> None:
    blank = Fault(kind="blank", begin=at(THURSDAY, "20:00"), end=at(FRIDAY, "20:00"), routes=("listing",))
    reader = Reader(tmp_path / "reader", history, ("listing", "catchup"))
    troubles = [blank, stale(MONDAY, routes=("listing",)), fails(FRIDAY), fails(MONDAY, until="12:00")]
    reader.pull(
        [at(THURSDAY), at(FRIDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY), at(TUESDAY, "15:00")],
        troubles,
    )
    assert_all_is_known(reader, DAYS[:4])


def test_what_was_taken_back_is_not_stored_again_when_the_feed_is_asked_again(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history)
    troubles = [stale(MONDAY), fails(MONDAY, until="12:00")]
    times = [at(MONDAY, clock) for clock in ("09:00", "13:00", "16:00", "19:00", "22:00")]
    reader.pull([at(THURSDAY), *times, at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


def test_a_paper_of_a_stale_feed_that_another_section_lists_rightly_keeps_its_day(tmp_path: Path) -> None:
    """Only one section's feed is stale; the paper is listed in both."""
    papers = [
        Announcement(
            day=day, id=f"2603.0000{place}", title=f"Paper {place}", categories=(SECTIONS[0], SECTIONS[1])
        )
        for place, day in enumerate(DAYS[:4], start=1)
    ]
    reader = Reader(tmp_path / "reader", History(papers, DAYS), sections=SECTIONS[:2])
    reader.pull(
        [at(THURSDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY)],
        [replace(stale(MONDAY), section=SECTIONS[0]), fails(MONDAY, until="12:00")],
    )
    assert_all_is_known(reader, DAYS[:4])


def test_a_paper_replaced_on_the_missed_day_and_on_the_stale_one_has_both_versions(tmp_path: Path) -> None:
    new = Announcement(day=THURSDAY, id="2603.00001", title="A paper", categories=(SECTIONS[0],))
    versions = [
        replace(new, day=day, action="replace", version=number) for number, day in ((2, FRIDAY), (3, MONDAY))
    ]
    others = [
        replace(new, day=day, id=f"2603.0001{place}", title=f"Another paper {place}")
        for place, day in enumerate(DAYS[:4])
    ]
    reader = Reader(tmp_path / "reader", History([new, *versions, *others], DAYS), sections=SECTIONS[:1])
    reader.pull(
        [at(THURSDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY)],
        [stale(MONDAY), fails(MONDAY, until="12:00")],
    )
    assert_all_is_known(reader, DAYS[:4])
    events = load_contents(reader.store, "events")["events"]
    days = [day for key, kind, day, *_ in events if key == "arxiv:2603.00001" and kind == "version"]
    assert days == [str(FRIDAY), str(MONDAY)]


@pytest.mark.parametrize("papers", [{FRIDAY: 1}, {FRIDAY: 0}, {}])
def test_a_short_or_quiet_day_before_does_not_hide_a_stale_feed(
    tmp_path: Path, papers: dict[date, int]
) -> None:
    announcements = [
        Announcement(
            day=day, id=f"2603.{place}{number:04}", title=f"Paper {place} {number}", categories=(SECTIONS[0],)
        )
        for place, day in enumerate(DAYS[:5])
        for number in range(papers.get(day, 4))
    ]
    reader = Reader(tmp_path / "reader", History(announcements, DAYS), sections=SECTIONS[:1])
    troubles = [stale(MONDAY, behind=1 if papers.get(FRIDAY, 1) else 2), fails(MONDAY, until="12:00")]
    reader.pull([at(THURSDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


def test_late_cross_lists_within_an_archive_are_not_taken_for_another_day(tmp_path: Path) -> None:
    """The feed of an archive has them, the page by date has not."""
    old = [
        Announcement(day=THURSDAY, id=f"2603.0000{n}", title=f"Paper {n}", categories=("cs.DC",))
        for n in range(4)
    ]
    crossed = [
        replace(announcement, day=FRIDAY, action="cross", added=("cs.LG",), categories=("cs.DC", "cs.LG"))
        for announcement in old
    ]
    new = Announcement(day=FRIDAY, id="2603.00010", title="A new paper", categories=("cs.DC",))
    reader = Reader(tmp_path / "reader", History([*old, *crossed, new], DAYS), sections=("cs",))
    reader.pull([at(THURSDAY), at(FRIDAY), at(FRIDAY, "15:00"), at(MONDAY)])
    friday = {row for row in reader.listed() if row[1] == str(FRIDAY)}
    assert len(friday) == 5
    assert load_batch_states(reader.store)["cs", FRIDAY] == "complete"


def test_a_section_that_is_new_on_a_weekend_begins_with_a_right_day(tmp_path: Path, history: History) -> None:
    reader = Reader(tmp_path / "reader", history)
    saturday = FRIDAY + timedelta(days=1)
    reader.pull([at(saturday), at(MONDAY), at(TUESDAY)], [stale(MONDAY)])
    assert_is_listed(reader, DAYS[1:4])
    assert {
        state for (_, day), state in load_batch_states(reader.store).items() if FRIDAY <= day <= MONDAY
    } <= {
        "complete",
        "empty",
    }


# --- the section had no papers on the day of the stale feed -----------------------------------------


def versions_and_papers(days: Sequence[date]) -> History:
    """A section with two new papers and a new version of an old one on each of some days."""
    papers = [
        Announcement(
            day=day,
            id=f"2603.0001{2 * place + number}",
            title=f"Paper {place} {number}",
            categories=(SECTIONS[0],),
        )
        for place, day in enumerate(days)
        for number in range(2)
    ]
    versions = [
        Announcement(
            day=day,
            id=f"2501.0000{place}",
            title=f"Old paper {place}",
            categories=(SECTIONS[0],),
            action="replace",
            version=2,
        )
        for place, day in enumerate(days)
    ]
    return History([*papers, *versions], DAYS)


def quiet_monday() -> History:
    """A section that has nothing on Monday."""
    return versions_and_papers([day for day in DAYS[:5] if day != MONDAY])


def lacks_rows(day: date, *, until: str = "23:59", route: str = "catchup") -> Fault:
    return Fault(kind="partial", begin=at(day, "00:00"), end=at(day, until), routes=(route,))


@pytest.mark.parametrize("route", ["rss", "listing"])
def test_rows_that_the_day_before_lacks_at_first_are_not_left_on_a_day_without_papers(
    tmp_path: Path, route: str
) -> None:
    """Friday's page has no version when it takes its new papers back from Monday."""
    reader = Reader(tmp_path / "reader", quiet_monday(), (route, "catchup"), sections=SECTIONS[:1])
    reader.pull([at(THURSDAY), at(MONDAY), at(TUESDAY)], [stale(MONDAY, routes=(route,)), lacks_rows(MONDAY)])
    assert_all_is_known(reader, DAYS[:4])


@pytest.mark.parametrize("until", ["12:00", "23:59"])
def test_a_stale_list_that_lacks_rows_is_taken_back_from_a_day_without_papers(
    tmp_path: Path, until: str
) -> None:
    """Friday is known by its date before it is sure that Monday had nothing, or after."""
    reader = Reader(tmp_path / "reader", quiet_monday(), ("listing", "catchup"), sections=SECTIONS[:1])
    troubles = [
        stale(MONDAY, routes=("listing",)),
        lacks_rows(MONDAY, route="listing"),
        fails(MONDAY, until=until),
    ]
    reader.pull([at(THURSDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


def test_a_stale_list_and_a_feed_that_are_kept_together_leave_nothing_on_a_day_without_papers(
    tmp_path: Path,
) -> None:
    reader = Reader(tmp_path / "reader", quiet_monday(), ("rss", "listing", "catchup"), sections=SECTIONS[:1])
    troubles = [stale(MONDAY, routes=("rss", "listing")), lacks_rows(MONDAY)]
    reader.pull([at(THURSDAY), at(MONDAY), at(MONDAY, "15:00"), at(TUESDAY)], troubles)
    assert_all_is_known(reader, DAYS[:4])


def test_rows_that_the_day_before_lacks_at_first_are_not_left_among_the_right_ones_of_a_later_feed(
    tmp_path: Path,
) -> None:
    """By the time that Friday is known Monday has its own papers, too."""
    reader = Reader(tmp_path / "reader", versions_and_papers(DAYS[:5]), sections=SECTIONS[:1])
    early = replace(stale(MONDAY), end=at(MONDAY, "08:00"))
    reader.pull([at(THURSDAY), at(MONDAY, "06:30"), at(MONDAY), at(TUESDAY)], [early, lacks_rows(MONDAY)])
    assert_all_is_known(reader, DAYS[:4])


def test_a_section_that_begins_on_a_day_without_papers_with_a_stale_feed_is_empty_there(
    tmp_path: Path,
) -> None:
    reader = Reader(tmp_path / "reader", quiet_monday(), sections=SECTIONS[:1])
    reader.pull([at(MONDAY), at(TUESDAY), at(DAYS[4])], [stale(MONDAY)])
    assert_is_listed(reader, DAYS[2:5])
    assert load_batch_states(reader.store)[SECTIONS[0], MONDAY] == "empty"


@pytest.mark.parametrize("trouble", ["none", "lacks rows"])
def test_a_page_by_date_that_has_nothing_takes_back_no_papers_that_only_that_day_can_have(
    tmp_path: Path, history: History, trouble: str
) -> None:
    """The days before are known, and the list repeats none of them."""
    reader = Reader(tmp_path / "reader", history, ("listing", "catchup"), sections=SECTIONS[:1])
    troubles = [replace(fails(MONDAY), kind="blank"), replace(fails(TUESDAY), kind="blank")]
    if trouble == "lacks rows":
        troubles.append(lacks_rows(MONDAY, route="listing"))
    reader.pull([at(THURSDAY), at(FRIDAY), at(MONDAY), at(TUESDAY)], troubles)
    remaining = {row for row in reader.listed() if row[1] == str(MONDAY)}
    assert remaining
    assert remaining <= reader.announced([MONDAY])
    reader.pull([at(DAYS[4])])
    assert_all_is_known(reader, DAYS[:5])


# --- no day was missed -----------------------------------------------------------------------------


def test_a_day_that_only_the_feed_has_told_is_looked_up_by_its_date_once(
    tmp_path: Path, history: History
) -> None:
    reader = Reader(tmp_path / "reader", history)
    reader.pull([at(day, clock) for day in DAYS[:4] for clock in ("09:00", "15:00")])

    looked_up = [path for _, route, path in reader.requests if route == "catchup"]
    assert len(looked_up) == len(set(looked_up)) == 4 * len(SECTIONS)
    assert_all_is_known(reader, DAYS[:4])


def test_a_page_by_date_that_lacks_rows_is_asked_again_though_a_feed_seems_to_have_the_rest(
    tmp_path: Path,
) -> None:
    """Tuesday's feed has Friday's versions; without new papers nobody can tell them from Tuesday's own."""
    week = versions_and_papers(DAYS[:5]).announcements
    papers = [
        announcement for announcement in week if (announcement.day, announcement.action) != (FRIDAY, "new")
    ]
    reader = Reader(tmp_path / "reader", History(papers, DAYS), sections=SECTIONS[:1])
    reader.pull([at(day) for day in DAYS[:5]], [stale(TUESDAY, behind=2), lacks_rows(TUESDAY)])
    assert_all_is_known(reader, DAYS[:5])


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
    assert {state for (_, day), state in load_batch_states(reader.store).items() if day == after} == {
        "complete"
    }


# --- whatever happens ------------------------------------------------------------------------------


@pytest.mark.parametrize("routes", [LAPTOP, ("listing", "catchup")], ids="-".join)
@pytest.mark.parametrize("number", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
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
