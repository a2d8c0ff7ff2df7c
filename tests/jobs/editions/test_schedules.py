"""What readers can rely on whatever happens to their schedules: nothing is lost, nothing comes twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.config import DigestSettings
from digest.errors import ConfigError
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.editions.explain import explain_paper, find_digest
from digest.jobs.editions.extra_editions import request_edition
from digest.jobs.matching.match import match
from digest.model import BatchState
from digest.sources.arxiv import Source
from digest.store.database.engine import Store
from digest.store.editions import editions
from digest.store.editions.upcoming import count_upcoming, find_upcoming
from digest.store.fetching import ledger as rows
from digest.store.subscribers import pauses
from tests.store.factories import (
    NOW,
    add_to_now,
    announce,
    change_options,
    declare,
    make_digest,
    make_new_listing,
    make_paper,
)

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
MONDAY = NOW + timedelta(days=3)


def daily(**options: Any) -> DigestSettings:
    return make_digest(queries=["paper"], **{"schedule": "daily 07:30", **options})


def cycle(store: Store, now: datetime) -> None:
    fire_slots(store, SOURCES, now)
    match(store)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, LETTERS, 1, now)


def told(store: Store) -> list[tuple[str, list[int]]]:
    """The periods of the editions that have papers, and these, the first one first."""
    with store.begin_read() as tx:
        new_editions = editions.load_last(tx, find_digest(tx, "systems").id, 99)
    return [
        (edition.period, [int(item.paper.key[-5:]) for item in edition.items])
        for edition in reversed(new_editions)
        if edition.items
    ]


def begun(store: Store, *declared: DigestSettings) -> None:
    """On Thursday at noon, a day before the other times."""
    declare(store, *declared, now=add_to_now(hours=-20))
    cycle(store, add_to_now(hours=-20))


# --- changes --------------------------------------------------------------------------------------


def test_who_moves_west_after_an_edition_gets_no_second_one_for_the_same_local_time(store: Store) -> None:
    begun(store, daily())
    announce(store, make_new_listing(1))
    cycle(store, NOW)
    assert told(store) == [("2026-06-12T07:30", [1])]

    declare(store, daily(zone="America/New_York"))
    announce(store, make_new_listing(2))
    cycle(store, add_to_now(hours=5))
    cycle(store, add_to_now(hours=6))  # 07:30 in New York
    assert told(store) == [("2026-06-12T07:30", [1])]
    with store.begin_read() as tx:
        skipped = [
            edition_summary.skipped
            for edition_summary in editions.list_summaries(tx, digest="systems", limit=9)
            if edition_summary.skipped
        ]
    assert skipped == [
        "the digest already had an edition on this day before its schedule or time zone was changed; later papers are in the next one"
    ]

    announce(store, make_new_listing(3))
    cycle(store, add_to_now(hours=30))
    assert told(store) == [("2026-06-12T07:30", [1]), ("2026-06-13T07:30", [2, 3])]


def test_who_moves_east_before_an_edition_gets_the_next_one_there(store: Store) -> None:
    begun(store, daily(zone="America/New_York"))
    announce(store, make_new_listing(1))
    declare(store, daily(zone="Asia/Tokyo"))
    cycle(store, NOW)  # 14:30 in Tokyo, 01:30 in New York
    assert told(store) == []

    cycle(store, add_to_now(hours=17))  # 07:30 on Saturday in Tokyo
    assert told(store) == [("2026-06-13T07:30", [1])]


def test_who_moves_the_schedule_to_later_on_a_day_that_had_an_edition_gets_no_second_one(
    store: Store,
) -> None:
    begun(store, daily())
    announce(store, make_new_listing(1))
    cycle(store, NOW)
    announce(store, make_new_listing(2))
    for hour, schedule in ((5, "daily 11:00"), (8, "0 18 * * *")):
        declare(store, daily(schedule=schedule))
        cycle(store, add_to_now(hours=hour - 1))
        cycle(store, add_to_now(hours=hour + 3))
    assert told(store) == [("2026-06-12T07:30", [1])]

    announce(store, make_new_listing(3))
    cycle(store, add_to_now(hours=35))
    assert told(store) == [("2026-06-12T07:30", [1]), ("2026-06-13T18:00", [2, 3])]


def due(store: Store) -> list[tuple[str, bool]]:
    """When digests are due next by the wall clock in Berlin, and whether an earlier time is left out."""
    with store.begin_read() as tx:
        return [
            (f"{edition.at.astimezone(ZoneInfo('Europe/Berlin')):%a %H:%M}", edition.omitted_at is not None)
            for edition in find_upcoming(tx, 1)
        ]


def test_the_next_time_that_is_told_is_one_at_which_an_edition_is_made(store: Store) -> None:
    begun(store, daily())
    assert due(store) == [("Fri 07:30", False)]
    announce(store, make_new_listing(1))
    cycle(store, NOW)
    declare(store, daily(schedule="daily 11:00"))
    cycle(store, add_to_now(hours=1))
    assert due(store) == [("Sat 11:00", True)]
    announce(store, make_new_listing(2))
    match(store)
    assert explain_paper(store, "systems", make_paper(2).key).verdict == (
        "Not yet: it matches, and will be in the next edition, on 2026-06-13 at 11:00; "
        "there is none on 2026-06-12 at 11:00, because the digest has had one on that day."
    )
    cycle(store, add_to_now(hours=5))
    assert due(store) == [("Sat 11:00", False)]

    declare(store, daily(schedule="30 7,18 * * *"))
    cycle(store, add_to_now(hours=6))
    assert due(store) == [("Fri 18:30", False)], "times that are added count from the same day on"


def test_a_digest_that_is_not_left_out_is_named_before_one_that_is(store: Store) -> None:
    begun(store, daily(), daily(name="other"))
    announce(store, make_new_listing(1))
    cycle(store, NOW)
    declare(
        store, daily(schedule="daily 11:00"), daily(name="other", schedule="daily 11:00"), daily(name="z")
    )
    cycle(store, add_to_now(hours=1))
    declare(
        store,
        daily(schedule="daily 11:00"),
        daily(name="other", schedule="daily 11:00"),
        daily(name="z", schedule="daily 12:00"),
    )
    cycle(store, add_to_now(hours=1))

    with store.begin_read() as tx:
        assert [edition.digest for edition in find_upcoming(tx, 2)] == [
            edition.digest for edition in find_upcoming(tx)
        ][:2]
        assert len(find_upcoming(tx)) == count_upcoming(tx) == 3


@pytest.mark.parametrize("schedule", ["30 7,16 * * *", "every 2 hours"])
def test_times_that_are_added_to_a_schedule_count_from_the_same_day_on(store: Store, schedule: str) -> None:
    begun(store, daily())
    announce(store, make_new_listing(1))
    cycle(store, NOW)
    declare(store, daily(schedule=schedule))
    announce(store, make_new_listing(2))
    cycle(store, add_to_now(hours=1))
    cycle(store, add_to_now(hours=9))

    assert [papers for _, papers in told(store)] == [[1], [2]]


@pytest.mark.parametrize("schedule", ["daily 07:30", "weekly fri 16:00"])
def test_who_asks_for_another_edition_gets_what_came_since_the_last_one_at_once(
    store: Store, schedule: str
) -> None:
    begun(store, daily())
    announce(store, make_new_listing(1))
    cycle(store, NOW)
    declare(store, daily(schedule=schedule))
    announce(store, make_new_listing(2))
    cycle(store, add_to_now(hours=1))

    request_edition(store, "systems", add_to_now(hours=2))
    cycle(store, add_to_now(hours=2))
    assert [papers for _, papers in told(store)] == [[1], [2]]

    announce(store, make_new_listing(3))
    cycle(store, add_to_now(hours=3))
    assert [papers for _, papers in told(store)] == [[1], [2]]
    cycle(store, add_to_now(days=7, hours=10))
    assert [papers for _, papers in told(store)] == [[1], [2], [3]]


def test_another_edition_is_not_made_of_a_digest_that_is_paused_or_has_one_under_way(store: Store) -> None:
    declare(store, daily())
    with pytest.raises(ConfigError, match="in progress"):
        request_edition(store, "systems", NOW)
    begun(store, daily())
    fire_slots(store, SOURCES, add_to_now(hours=1))
    with pytest.raises(ConfigError, match="in progress"):
        request_edition(store, "systems", add_to_now(hours=1))
    cycle(store, add_to_now(hours=1))

    with store.begin_planning() as tx:
        pauses.pause_digest(tx, find_digest(tx, "systems").id, None, "then")
    with pytest.raises(ConfigError, match="digest resume systems"):
        request_edition(store, "systems", add_to_now(hours=2))


def list_periods(store: Store) -> list[str]:
    return [period for period, _ in told(store)]


def test_who_moves_far_west_and_has_two_editions_a_day_gets_none_again_that_it_had_in_the_east(
    store: Store,
) -> None:
    """The first one after the move is of an hour that it had none of, the second one of an hour that it had."""
    begun(store, daily(schedule="0 7,18 * * *", zone="Pacific/Kiritimati"))
    announce(store, make_new_listing(1))
    cycle(store, NOW)  # 19:30 there
    assert told(store) == [("2026-06-12T18:00", [1])]

    declare(store, daily(schedule="0 6,18 * * *", zone="Pacific/Honolulu"))
    cycle(store, add_to_now(hours=1))
    for number, hours in enumerate((11, 23, 35), 2):  # 06:30 and 18:30, and the next morning
        announce(store, make_new_listing(number))
        cycle(store, add_to_now(hours=hours))

    assert told(store) == [("2026-06-12T18:00", [1]), ("2026-06-12T06:00", [2]), ("2026-06-13T06:00", [3, 4])]


@pytest.mark.parametrize("schedule", ["daily 07:30", "30 7,19 * * *"])
@pytest.mark.parametrize("ahead", [30, 55, 80])
def test_what_a_clock_that_was_ahead_told_too_early_is_not_told_again_after_a_change(
    store: Store, ahead: int, schedule: str
) -> None:
    begun(store, daily())
    for hour in range(0, ahead, 24):
        announce(store, make_new_listing(hour + 1))
        cycle(store, add_to_now(hours=hour))
    early = list_periods(store)

    declare(store, daily(schedule=schedule, zone="Europe/Madrid"))
    cycle(store, add_to_now(hours=0.5))  # the clock is right again
    for hour in range(1, 24 * 7, 6):
        announce(store, make_new_listing(1000 + hour))
        cycle(store, add_to_now(hours=hour))

    periods = list_periods(store)
    papers = [paper for _, papers in told(store) for paper in papers]
    assert periods[: len(early)] == early
    assert len(set(periods)) == len(periods) > len(early)
    assert len(set(papers)) == len(papers)


OTHERS = ["daily 18:00", "weekly fri 16:00", "monthly 1 9:00", "every 2 hours", "15 */6 * * *"]
THIRD_PAPER = 100
"""It comes so many hours after the first edition."""


def change_schedule(store: Store, schedule: str, hours: Iterable[int]) -> None:
    """Have another schedule from the first edition on and the first one again after 32 days, and expect all papers once.

    Args:
        store: an empty one.
        schedule: the other one.
        hours: after the first edition, the hours of the cycles under the other schedule, in their order.
    """
    begun(store, daily())
    announce(store, make_new_listing(1))
    cycle(store, NOW)
    declare(store, daily(schedule=schedule))
    announce(store, make_new_listing(2))
    third_came = False
    for hour in hours:
        if hour >= THIRD_PAPER and not third_came:
            announce(store, make_new_listing(3))
            third_came = True
        cycle(store, add_to_now(hours=hour))
    declare(store, daily())
    announce(store, make_new_listing(4))
    for days in range(32, 35):
        cycle(store, add_to_now(days=days))

    periods = [period for period, _ in told(store)]
    assert sorted(paper for _, papers in told(store) for paper in papers) == [1, 2, 3, 4]
    assert len(set(periods)) == len(periods)


@pytest.mark.parametrize(
    ("store_url", "schedule"),
    [
        *(("sqlite", schedule) for schedule in OTHERS),
        *(("postgresql", schedule) for schedule in OTHERS[:2]),
        *(pytest.param("postgresql", schedule, marks=pytest.mark.long) for schedule in OTHERS[2:]),
    ],
    indirect=["store_url"],
)
def test_any_change_of_schedule_loses_and_repeats_nothing(store: Store, schedule: str) -> None:
    """Cycles before and after the next editions, the third paper and the first of July, and where they are far apart."""
    change_schedule(store, schedule, [4, 10, 16, 94, 106, 340, 460, 508, 766])


@pytest.mark.long
@pytest.mark.parametrize("schedule", OTHERS)
def test_any_change_of_schedule_loses_and_repeats_nothing_in_a_month(store: Store, schedule: str) -> None:
    change_schedule(store, schedule, range(4, 24 * 32, 6))


def test_a_change_while_a_run_waits_holds_for_the_next_one(store: Store) -> None:
    begun(store, daily(latest="10:00"))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    declare(store, daily(schedule="daily 18:00", latest="20:00"))
    cycle(store, NOW)
    announce(store, make_new_listing(2))
    cycle(store, add_to_now(hours=35))

    assert told(store) == [("2026-06-12T07:30", [1]), ("2026-06-13T18:00", [2])]


# --- after downtime -------------------------------------------------------------------------------


def test_after_downtime_once_gives_one_edition_with_all_of_it(store: Store) -> None:
    begun(store, daily())
    for day in range(3):
        announce(store, make_new_listing(day + 1), day=(NOW + timedelta(days=day)).date())
    cycle(store, add_to_now(days=2, hours=5))
    cycle(store, add_to_now(days=2, hours=6))

    assert told(store) == [("2026-06-14T07:30", [1, 2, 3])]


def test_after_downtime_skip_waits_for_the_next_time_and_loses_nothing(store: Store) -> None:
    begun(store, daily(catch_up="skip"))
    for day in range(3):
        announce(store, make_new_listing(day + 1), day=(NOW + timedelta(days=day)).date())
    cycle(store, add_to_now(days=2, hours=5))
    assert told(store) == []

    cycle(store, add_to_now(days=3))
    assert told(store) == [("2026-06-15T07:30", [1, 2, 3])]


def test_an_edition_that_still_waited_when_all_stopped_is_not_sent_later_where_that_is_to_be_skipped(
    store: Store,
) -> None:
    """It fired in time, and then nobody was there until the evening of the next day."""
    begun(store, daily(catch_up="skip", latest="10:00"))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    cycle(store, add_to_now(days=1, hours=10))
    assert told(store) == []

    cycle(store, add_to_now(days=2))
    assert told(store) == [("2026-06-14T07:30", [1])]


# --- empty, and too small -------------------------------------------------------------------------


def settled(store: Store) -> None:
    """Let nothing have been announced on any day, so that none that is missing is told."""
    with store.begin_write() as tx:
        for batch in rows.list_waiting_batches(tx):
            rows.settle_batch(tx, batch, BatchState.EMPTY)


def test_who_wants_to_be_told_that_there_is_nothing_is_and_others_are_not(store: Store) -> None:
    tell = change_options(daily(), when_empty="tell")
    begun(store, tell, replace(daily(), name="quiet"))
    settled(store)
    fire_slots(store, {}, NOW)
    match(store)
    close_runs(store, {}, NOW, wait=False)
    compose_editions(store, LETTERS, 1, NOW)

    with store.begin_read() as tx:
        results = {
            name: [edition.period for edition in editions.load_last(tx, find_digest(tx, name).id, 9)]
            for name in ("systems", "quiet")
        }
    assert "2026-06-12T07:30" in results["systems"]
    assert "2026-06-12T07:30" not in results["quiet"]


def test_what_is_too_little_is_held_back_until_it_is_enough_and_then_told_once(store: Store) -> None:
    begun(store, daily(minimum=3))
    for day in range(4):
        announce(store, make_new_listing(day + 1), day=(NOW + timedelta(days=day)).date())
        cycle(store, add_to_now(days=day))

    assert told(store) == [("2026-06-14T07:30", [1, 2, 3])]
    cycle(store, add_to_now(days=4))
    announce(store, make_new_listing(5), make_new_listing(6))
    cycle(store, add_to_now(days=5))
    assert told(store)[1:] == [("2026-06-17T07:30", [4, 5, 6])]


def test_a_clock_that_jumps_ahead_and_back_gives_no_period_twice_and_loses_nothing(store: Store) -> None:
    begun(store, daily())
    announce(store, make_new_listing(1))
    cycle(store, add_to_now(days=2))  # the clock is wrong
    announce(store, make_new_listing(2))
    for hours in range(0, 24 * 4, 6):
        cycle(store, add_to_now(hours=hours))

    periods = [period for period, _ in told(store)]
    assert [papers for _, papers in told(store)] == [[1], [2]]
    assert len(set(periods)) == len(periods)
