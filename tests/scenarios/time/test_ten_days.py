"""Ten announcement days of the simulated arXiv, with a weekend, a holiday, a change of clocks, and faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.arxiv_service.announcements import make_announcements, read_announcements
from tests.arxiv_service.faults import Fault, make_faults
from tests.arxiv_service.history import Announcement, History, make_subject
from tests.arxiv_service.release_times import NEW_YORK, get_feed_time, get_list_time
from tests.arxiv_service.server import ArxivService
from tests.simulation.expected_listings import ExpectedListings
from tests.simulation.pull_workspace import (
    DAYS,
    FIRST,
    HOLIDAY,
    LAPTOP,
    LAST,
    SECTIONS,
    SERVICE,
    WEEKDAYS,
    load_batch_states,
    load_contents,
    make_arxiv_config,
    make_random,
    run_pull,
)
from tests.support.workspace import Workspace

pytestmark = pytest.mark.long

NIGHT = (time(20, 5), time(20, 45), time(22, 40), time(0, 10), time(1), time(2, 30), time(4))
"""Half past two does not exist on 8 March."""
BY_DAY = (time(7), time(9), time(12), time(18))
OFFLINE = (date(2026, 3, 10), date(2026, 3, 11))
"""The laptop sleeps on the first of them and finds no network on the second."""


def clock(times: Sequence[time]) -> Iterator[datetime]:
    """When somebody pulls: from the evening before the first day to the morning after the last."""
    end = datetime.combine(LAST + timedelta(days=1), time(9), NEW_YORK)
    for number in range(-1, (LAST - FIRST).days + 2):
        for at in sorted(times):
            now = datetime.combine(FIRST + timedelta(days=number), at, NEW_YORK)
            if get_list_time(FIRST) <= now <= end:
                yield now


def check_states(
    truth: ExpectedListings, known_values: Mapping[tuple[str, date], str], now: datetime
) -> None:
    """Each batch that is due is there, in a state that the answers so far allow."""
    for section, day in known_values:
        assert now >= get_list_time(day), f"{section} of {day} is accounted for at {now}, before it is due"
    for section in truth.sections:
        for day in WEEKDAYS:
            if now >= get_feed_time(day):
                state, allowed = (
                    known_values.get((section, day)),
                    truth.list_possible_states(section, day, now),
                )
                if "complete" in allowed and is_unchecked(truth, known_values, section, day):
                    allowed |= {"partial"}
                assert state in allowed, f"{section} of {day} at {now} is {state}, and not {allowed}"


def is_unchecked(
    truth: ExpectedListings, known_values: Mapping[tuple[str, date], str], section: str, day: date
) -> bool:
    """Whether a day's whole answers may be those of a day before: the last two with papers are not all known.

    It trusts the states of these days, because they are checked first.
    """
    with_papers = 0
    for earlier in reversed([earlier for earlier in WEEKDAYS if earlier < day]):
        if known_values.get((section, earlier)) not in {"complete", "empty"}:
            return True
        with_papers += bool(truth.list_rows(section, earlier))
        if with_papers == 2:
            break
    return False


def check_end(truth: ExpectedListings, store: str, *, offline: Sequence[date] = ()) -> None:
    """Every paper of every day is there once and told once."""
    contents = load_contents(store)
    batch_states = load_batch_states(store)
    listed: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for section, day, key, kind, _ in contents["listings"]:
        listed.setdefault((section, day), []).append((key.removeprefix("arxiv:"), kind))
    for section in truth.sections:
        for day in WEEKDAYS:
            there = listed.get((section, day.isoformat()), [])
            assert len(there) == len(dict(there)), f"a paper is there twice in {section} of {day}"
            assert truth.list_rows(section, day) <= set(there) <= truth.list_shown_rows(section, day), (
                f"{section} of {day}"
            )
            assert batch_states[section, day] == ("complete" if there else "empty"), f"{section} of {day}"
    check_events(truth, contents["events"], offline)


def check_events(truth: ExpectedListings, rows: list[tuple[Any, ...]], offline: Sequence[date]) -> None:
    """Each paper is new once, has one new version a day, and has grown when a category came."""
    fields: dict[str, list[tuple[str, date]]] = {}
    for key, kind, day, *_ in rows:
        fields.setdefault(kind, []).append((key.removeprefix("arxiv:"), date.fromisoformat(day)))
    assert fields.keys() <= {
        "new",
        "version",
        "grown",
        "code",
    }  # catch-up pages tell comments, in which code is named
    new, listed = fields["new"], truth.list_new_papers(DAYS)
    assert len(new) == len(dict(new)), "a paper is new twice"
    # Who learns of a paper only after it was withdrawn is not told that it is new.
    assert dict(new).keys() <= listed.keys()
    assert listed.keys() - dict(new).keys() <= (truth.list_withdrawn_papers() if offline else set())
    assert all(day in listed[paper] if offline else day == min(listed[paper]) for paper, day in new)
    versions, replaced = fields.get("version", []), truth.count_replacements(DAYS)
    assert len(versions) == len(set(versions)), "a new version is told twice"
    # A catch-up page of days ago has the versions of today: two replacements can be one then.
    missing = {(paper, day) for paper, day in replaced if (paper, day) not in versions}
    assert set(versions) <= set(replaced)
    assert {paper for paper, _ in missing} <= ({paper for paper, _ in versions} if offline else set())
    grown = fields.get("grown", [])
    assert len(grown) == len(set(grown)), "it has grown twice"
    crossed, elsewhere = truth.list_late_cross_lists(DAYS), truth.list_outside_cross_lists(DAYS)
    # A category that none of our sections is may be seen only when the paper is listed again.
    seen_later = {
        (paper, day) for paper, day in replaced for other, when in elsewhere if paper == other and when < day
    }
    assert set(grown) <= crossed | elsewhere | seen_later
    assert offline or crossed <= set(grown)


def is_quiet(service: ArxivService, now: datetime) -> bool:
    """Whether nothing is, or was a short while ago, wrong: arXiv may have asked for a pause."""
    return not any(fault.begin <= now < fault.end + timedelta(minutes=30) for fault in service.faults)


def check_nothing_is_late(
    truth: ExpectedListings,
    known_values: Mapping[tuple[str, date], str],
    now: datetime,
    routes: Sequence[str],
) -> None:
    """What is out and can be had is there."""
    out = get_list_time if "listing" in routes else get_feed_time
    for (section, day), state in known_values.items():
        # Until a holiday is over nobody knows that nothing came, so the evening's list of the day after is unchecked.
        since = get_feed_time if day == HOLIDAY + timedelta(days=1) else out
        if since(day) <= now and truth.list_rows(section, day):
            assert state == "complete", f"{section} of {day} is {state} at {now}, and nothing was in the way"


def watch(
    truth: ExpectedListings,
    workspace: Workspace,
    store: str,
    routes: Sequence[str],
    times: Sequence[time],
    *,
    asleep: Sequence[date] = (),
) -> None:
    """Pull for ten days and look at the ledger each time."""
    for now in clock(times):
        if now.date() in asleep:
            continue
        truth.service.now = now
        run_pull(workspace, now)
        batch_states = load_batch_states(store)
        check_states(truth, batch_states, now)
        if is_quiet(truth.service, now):
            check_nothing_is_late(truth, batch_states, now, routes)


@pytest.mark.usefixtures("no_retries")
@pytest.mark.parametrize("routes", [SERVICE, LAPTOP], ids=["service", "laptop"])
def test_after_ten_days_with_faults_every_paper_is_there_and_told_once(
    tmp_path: Path, routes: Sequence[str]
) -> None:
    random, workspace, store = make_random(), Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History(make_announcements(random, DAYS, SECTIONS, 8), DAYS)
    faults = make_faults(random, DAYS, SECTIONS)
    with ArxivService(history, now=get_list_time(FIRST), sections=SECTIONS, faults=faults) as service:
        workspace.write(make_arxiv_config(service, store, routes))
        workspace.run("db", "upgrade")
        truth = ExpectedListings(service, SECTIONS)
        watch(
            truth, workspace, store, routes, (*NIGHT, *BY_DAY) if routes == SERVICE else (*BY_DAY, time(22))
        )
        check_end(truth, store)


@pytest.mark.usefixtures("no_retries")
def test_the_day_after_a_holiday_is_checked_when_the_holiday_is_known(tmp_path: Path) -> None:
    """Its list and its feed could be those of the holiday until a catch-up page tells that there was none."""
    workspace, store = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History(make_announcements(Random(1), DAYS, SECTIONS, 8), DAYS)
    after = HOLIDAY + timedelta(days=1)
    begin = get_feed_time(after)
    fault = Fault(kind="unfinished", begin=begin, end=begin + timedelta(hours=3), routes=("catchup",))
    states: list[tuple[set[str], set[str]]] = []
    with ArxivService(history, now=get_list_time(FIRST), sections=SECTIONS, faults=[fault]) as service:
        workspace.write(make_arxiv_config(service, store, SERVICE))
        workspace.run("db", "upgrade")
        truth = ExpectedListings(service, SECTIONS)
        for now in clock((time(0, 10), time(9))):
            if now.date() > after:
                break
            service.now = now
            run_pull(workspace, now)
            known_values = load_batch_states(store)
            check_states(truth, known_values, now)
            if now.date() == after:
                holiday, own = (
                    {known_values[section, day] for section in SECTIONS} for day in (HOLIDAY, after)
                )
                states.append((holiday, own))
    assert states == [({"waiting"}, {"partial"}), ({"empty"}, {"complete"})]


@pytest.mark.usefixtures("no_retries")
def test_a_laptop_that_was_offline_for_two_days_has_every_paper_all_the_same(tmp_path: Path) -> None:
    random, workspace, store = make_random(), Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db"
    history = History(make_announcements(random, DAYS, SECTIONS, 8), DAYS)
    asleep, gone = OFFLINE
    faults = [
        *(fault for fault in make_faults(random, DAYS, SECTIONS) if fault.begin < get_feed_time(asleep)),
        Fault(
            kind="gone",
            begin=get_feed_time(gone),
            end=get_feed_time(gone + timedelta(days=1)) + timedelta(hours=6),
        ),
    ]
    with ArxivService(history, now=get_list_time(FIRST), sections=SECTIONS, faults=faults) as service:
        workspace.write(make_arxiv_config(service, store, LAPTOP))
        workspace.run("db", "upgrade")
        truth = ExpectedListings(service, SECTIONS)
        watch(truth, workspace, store, LAPTOP, BY_DAY, asleep=[asleep])
        check_end(truth, store, offline=OFFLINE)


def test_ten_recorded_days_are_there_and_told_once(data: Path, tmp_path: Path) -> None:
    workspace, store, sections = (
        Workspace(tmp_path),
        f"sqlite:///{tmp_path}/digest.db",
        ("cs.DC", "cs.DB", "hep-th"),
    )
    expected = make_subject(sections)
    history = History(
        [
            announcement
            for announcement in read_announcements(data, DAYS)
            if expected.has_any(announcement.categories)
        ],
        DAYS,
    )
    with ArxivService(history, now=get_list_time(FIRST), sections=sections) as service:
        workspace.write(make_arxiv_config(service, store, LAPTOP, sections=sections))
        workspace.run("db", "upgrade")
        truth = ExpectedListings(service, sections)
        watch(truth, workspace, store, LAPTOP, (time(1), time(12)))
        check_end(truth, store)


@pytest.mark.parametrize("routes", [SERVICE, LAPTOP], ids=["service", "laptop"])
def test_a_day_beyond_the_limits_of_a_feed_and_a_page_is_whole(tmp_path: Path, routes: Sequence[str]) -> None:
    workspace, store, section = Workspace(tmp_path), f"sqlite:///{tmp_path}/digest.db", "cs.LG"
    many = [
        Announcement(day=FIRST, id=f"2603.{number:05}", title=f"Paper {number}", categories=(section,))
        for number in range(2100)
    ]
    with ArxivService(History(many), now=get_feed_time(FIRST) + timedelta(hours=1)) as service:
        workspace.write(make_arxiv_config(service, store, routes, sections=[section]))
        workspace.run("db", "upgrade")
        run_pull(workspace, service.now)
        fed = [request.answer for request in service.requests if request.route == "rss"]
    assert load_batch_states(store)[section, FIRST] == "complete"
    assert len(load_contents(store)["listings"]) == len(load_contents(store)["events"]) == len(many)
    assert [len(answer.rows) for answer in fed if answer is not None] == [2000]
