from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.times.schedule import (
    compute_day_end,
    compute_due_at,
    compute_opens_at,
    find_last_firing,
    find_latest_after,
    find_next_firing,
    get_last_due_day,
    is_only_firing_of_day,
    is_retained,
    iter_due_days,
    make_single_schedule,
    parse_schedule,
)
from digest.errors import ConfigError
from digest.model import Calendar, Frequency, Route, Schedule, Scope
from tests.support.cases import for_each_case

ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Santiago",
    "Africa/Cairo",
    "America/Nuuk",
    "Asia/Tokyo",
    "Pacific/Honolulu",
    "UTC",
]
ARXIV = Calendar(zone="America/New_York", weekdays=frozenset(range(5)))


def local(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@for_each_case(
    ("text", "frequency", "days", "at"),
    [
        ("daily 7:00", Frequency.DAILY, (0, 1, 2, 3, 4, 5, 6), "07:00"),
        ("weekdays 07:30", Frequency.DAILY, (0, 1, 2, 3, 4), "07:30"),
        ("mon,thu 18:00", Frequency.DAILY, (0, 3), "18:00"),
        ("Thu, Mon 18:00", Frequency.DAILY, (0, 3), "18:00"),
        ("weekly fri 16:00", Frequency.WEEKLY, (4,), "16:00"),
        ("friday 16:00", Frequency.WEEKLY, (4,), "16:00"),
        ("monthly 1 9:00", Frequency.MONTHLY, (1,), "09:00"),
    ],
)
def test_a_schedule_is_read_as_people_write_it(
    text: str, frequency: Frequency, days: tuple[int, ...], at: str
) -> None:
    schedule = parse_schedule(text, zone="Europe/Berlin")

    assert (frequency, days, at, "Europe/Berlin") == (
        schedule.frequency,
        schedule.days,
        schedule.at,
        schedule.zone,
    )


@pytest.mark.parametrize(
    ("text", "seconds"), [("every 2 hours", 7200), ("every 30 minutes", 1800), ("every day", 86400)]
)
def test_every_so_often_counts_in_utc(text: str, seconds: int) -> None:
    schedule = parse_schedule(text, zone="Europe/Berlin")

    assert (seconds, "UTC") == (schedule.every, schedule.zone)


@for_each_case(
    "text",
    [
        "",
        "7:00",
        "daily",
        "daily 24:00",
        "daily 7",
        "daily ٧:٠٠",
        "sometimes 7:00",
        "monthly 32 9:00",
        "monthly 0 9:00",
        "weekly 9:00",
        "every 1 minute",
        "every",
        "every x hours",
        "every 2 hours 7:00",
        "@daily",
        "fry 7:00",
    ],
)
def test_what_is_no_schedule_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ConfigError, match=r"is not (valid|a time of day)"):
        parse_schedule(text, zone="UTC")


def test_an_unknown_zone_is_refused_with_an_example() -> None:
    with pytest.raises(ConfigError, match=r"no time zone 'Europe/Belin'.*Europe/Berlin"):
        parse_schedule("daily 7:00", zone="Europe/Belin")


def test_latest_and_every_do_not_go_together() -> None:
    with pytest.raises(ConfigError, match="no meaning"):
        parse_schedule("every 2 hours", zone="UTC", latest="10:00")


@for_each_case(
    ("zone", "at", "after", "expected"),
    [
        # Clocks go forward at 02:00: 02:30 is taken with the offset before the gap.
        ("America/New_York", "02:30", "2026-03-07T12:00", "2026-03-08T07:30+00:00"),
        # Clocks go back at 02:00: the first 01:30.
        ("America/New_York", "01:30", "2026-10-31T12:00", "2026-11-01T05:30+00:00"),
        ("Australia/Lord_Howe", "02:15", "2026-10-03T12:00", "2026-10-03T15:45+00:00"),
        ("Asia/Kathmandu", "07:00", "2026-06-01T12:00", "2026-06-02T01:15+00:00"),
    ],
)
def test_days_on_which_clocks_change_have_one_firing(zone: str, at: str, after: str, expected: str) -> None:
    schedule = parse_schedule(f"daily {at}", zone=zone)

    firing = find_next_firing(schedule, local(after, zone))

    assert firing is not None
    assert datetime.fromisoformat(expected) == firing.at


def test_a_date_that_a_zone_left_out_has_no_firing() -> None:
    schedule = parse_schedule("daily 07:00", zone="Pacific/Apia")

    firing = find_next_firing(schedule, local("2011-12-29T08:00", "Pacific/Apia"))

    assert firing is not None
    assert firing.period == "2011-12-31T07:00"


@pytest.mark.parametrize(
    ("month", "expected"), [(2, "2026-02-28T09:00"), (4, "2026-04-30T09:00"), (5, "2026-05-31T09:00")]
)
def test_the_31st_falls_on_the_last_day_of_shorter_months(month: int, expected: str) -> None:
    schedule = parse_schedule("monthly 31 9:00", zone="UTC")

    firing = find_next_firing(schedule, datetime(2026, month, 2, tzinfo=UTC))

    assert firing is not None
    assert expected == firing.period


# --- cron -----------------------------------------------------------------------------------------


def periods(text: str, zone: str, after: str, count: int) -> list[str]:
    """The next firings: the wall clock asked for, and the one shown where that is another."""
    schedule = parse_schedule(text, zone=zone)
    at, results = local(after, zone), []
    for _ in range(count):
        firing = find_next_firing(schedule, at)
        assert firing is not None
        at = firing.at
        shown = at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
        results.append(firing.period[5:] + ("" if shown == firing.period else f" at {shown[-5:]}"))
    return results


@for_each_case(
    ("text", "expected"),
    [
        ("30 7 * * 1-5", ["06-12T07:30", "06-15T07:30", "06-16T07:30"]),
        ("30 7 * * mon-fri", ["06-12T07:30", "06-15T07:30", "06-16T07:30"]),
        ("0 9,18 * * *", ["06-11T18:00", "06-12T09:00", "06-12T18:00"]),
        ("*/30 22-23 * * 0", ["06-14T22:00", "06-14T22:30", "06-14T23:00"]),
        ("0 9 1 jan,jul *", ["07-01T09:00", "01-01T09:00", "07-01T09:00"]),
        # A day of the month and a weekday: either; but where one of them begins with a star, both (crontab(5)).
        ("0 9 13 * 5", ["06-12T09:00", "06-13T09:00", "06-19T09:00"]),
        ("0 9 */2 * 5", ["06-19T09:00", "07-03T09:00", "07-17T09:00"]),
        ("0 9 L * *", ["06-30T09:00", "07-31T09:00", "08-31T09:00"]),
    ],
)
def test_a_schedule_can_be_written_as_cron_has_it(text: str, expected: list[str]) -> None:
    assert periods(text, "Europe/Berlin", "2026-06-11T12:00", 3) == expected


def test_one_cron_expression_however_it_is_typed_is_one_schedule() -> None:
    assert parse_schedule(" 0  7 * * mon", zone="UTC") == parse_schedule("0 7 * * MON", zone="UTC")


@for_each_case(
    ("text", "told"),
    [
        ("* * * * *", "more often than every 5 minutes"),
        ("0,58 7-8 * * *", "more often than every 5 minutes"),
        ("0 0 30 2 *", "never fires.*30 February"),
        ("0 0 31 4,6,9,11 *", "never fires.*no such day"),
        ("0 0 29 2 *#6", "# in cron|is not a valid weekday"),
        ("60 7 * * *", "60 is not a valid minute"),
        ("30 25 * * *", "25 is not a valid hour"),
        ("30 7 32 * *", "32 is not a valid day of the month"),
        ("30 7 * foo *", "FOO is not a valid month"),
        ("30 7 * * 1-8", "1-8 is not a valid weekday"),
        ("0 30 7 * * 1-5", "has 6 fields, but cron has five: minute, hour"),
        ("30 7 * *", "has 4 fields, but cron has five"),
        ("* 7:00", "has 2 fields, but cron has five"),
    ],
)
def test_what_is_wrong_with_a_cron_expression_is_said(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse_schedule(text, zone="UTC")


def test_what_fires_at_both_ends_of_one_hour_only_is_not_too_often() -> None:
    assert periods("0,58 7 * * *", "UTC", "2026-06-11T12:00", 2) == ["06-12T07:00", "06-12T07:58"]


def test_what_fires_in_leap_years_alone_is_waited_for() -> None:
    assert periods("0 0 29 2 *", "UTC", "2026-06-11T12:00", 2) == ["02-29T00:00", "02-29T00:00"]


@for_each_case(
    ("text", "zone", "after", "expected"),
    [
        # Berlin, 29 March 2026: 02:00 is followed by 03:00. What fires at 02:30 alone does so at 03:30.
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00",
            ["03-29T02:30 at 03:30", "03-30T02:30", "03-31T02:30"],
        ),
        # What fires each half hour does so each half hour, and not twice at 03:00.
        (
            "*/30 * * * *",
            "Europe/Berlin",
            "2026-03-29T01:00",
            ["03-29T01:30", "03-29T03:00", "03-29T03:30", "03-29T04:00"],
        ),
        (
            "30 2,3 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00",
            ["03-29T03:30", "03-30T02:30", "03-30T03:30"],
        ),
        # 25 October 2026: 02:30 comes twice, and the first one counts.
        (
            "*/30 * * * *",
            "Europe/Berlin",
            "2026-10-25T01:30",
            ["10-25T02:00", "10-25T02:30", "10-25T03:00"],
        ),
        # Lord Howe's gap is half an hour: 02:20 would be shown at 02:50, after 02:40.
        (
            "20,40 2 * * *",
            "Australia/Lord_Howe",
            "2026-10-04T00:00",
            ["10-04T02:40", "10-05T02:20", "10-05T02:40"],
        ),
        # Nuuk's gap is the last hour of a Saturday: 23:30 is shown at 00:30 on Sunday, and is no date left out.
        (
            "30 23 * * *",
            "America/Nuuk",
            "2026-03-27T12:00",
            ["03-27T23:30", "03-28T23:30 at 00:30", "03-29T23:30"],
        ),
        ("0 7 * * *", "Pacific/Apia", "2011-12-29T08:00", ["12-31T07:00", "01-01T07:00"]),
    ],
)
def test_cron_keeps_to_wall_clocks_and_fires_once_where_they_change(
    text: str, zone: str, after: str, expected: list[str]
) -> None:
    assert periods(text, zone, after, len(expected)) == expected


def test_a_day_whose_last_hour_is_left_out_has_its_firing() -> None:
    assert periods("daily 23:30", "America/Nuuk", "2026-03-27T12:00", 3) == [
        "03-27T23:30",
        "03-28T23:30 at 00:30",
        "03-29T23:30",
    ]


@for_each_case(
    ("easy", "cron", "number"),
    [
        ("daily 2:15", "15 2 * * *", 400),
        ("weekdays 0:30", "30 0 * * 1-5", 400),
        ("monthly 28 1:00", "0 1 28 * *", 100),
    ],
)
@for_each_case("zone", ZONES)
def test_cron_and_the_easy_forms_fire_at_the_same_time(easy: str, cron: str, number: int, zone: str) -> None:
    begin = "2026-01-01T00:00"
    assert periods(easy, zone, begin, number) == periods(cron, zone, begin, number)


@for_each_case(
    ("text", "at", "expected"),
    [
        ("daily 18:00", "2026-06-12T18:00", True),
        ("weekly fri 16:00", "2026-06-12T16:00", True),
        ("monthly 31 9:00", "2026-06-30T09:00", True),
        ("0 18 * * *", "2026-06-12T18:00", True),
        ("0 0,18 * * *", "2026-06-12T18:00", False),
        ("0 18,23 * * *", "2026-06-12T18:00", False),
        ("0 0 * * *", "2026-06-12T00:00", True),
        ("10 2,3 * * *", "2026-03-29T03:10", True),  # 02:10 is left out, and shown as 03:10
        ("every 2 days", "2026-06-12T02:00", False),
    ],
)
def test_a_firing_is_the_only_one_of_its_day_or_not(text: str, at: str, *, expected: bool) -> None:
    schedule = parse_schedule(text, zone="Europe/Berlin")

    assert is_only_firing_of_day(schedule, local(at, "Europe/Berlin")) == expected


def test_latest_goes_with_cron() -> None:
    schedule = parse_schedule("0 22 * * 1-5", zone="Europe/Berlin", latest="6:00")

    by = find_latest_after(schedule, local("2026-06-12T22:00", "Europe/Berlin"))

    assert local("2026-06-13T06:00", "Europe/Berlin") == by


# --- whatever the schedule ------------------------------------------------------------------------

CRONS = ["*/30 * * * *", "0 */3 * * *", "20,40 1-3 * * *", "59 23 * * 6", "0 0 13 * 5", "5 2 L * *"]


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    clock = f"{draw(st.integers(0, 23))}:{draw(st.integers(0, 59)):02}"
    form = draw(st.sampled_from(["daily", "weekdays", "mon,thu", "weekly sun", "monthly 30", *CRONS]))
    text = form if form in CRONS else f"{form} {clock}"
    return parse_schedule(text, zone=draw(st.sampled_from(ZONES)))


moments = st.datetimes(datetime(2011, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds are naive by contract


@given(schedules(), moments)
def test_next_and_last_firing_meet(schedule: Schedule, moment: datetime) -> None:
    following = find_next_firing(schedule, moment)
    assert following is not None
    assert following.at > moment
    assert following == find_last_firing(schedule, following.at)
    before = find_last_firing(schedule, following.at - timedelta(microseconds=1))
    assert before is not None
    assert before.at <= moment
    assert before.period < following.period


@given(st.integers(300, 31 * 86400), moments)
def test_every_firing_follows_the_last_by_its_interval(seconds: int, moment: datetime) -> None:
    schedule = Schedule(frequency=Frequency.EVERY, every=seconds)

    before, following = find_last_firing(schedule, moment), find_next_firing(schedule, moment)

    assert before is not None
    assert following is not None
    assert before.at <= moment < following.at
    assert following.at - before.at == timedelta(seconds=seconds)


def test_once_fires_once() -> None:
    at = datetime(2026, 6, 12, 5, 30, 7, 123456, tzinfo=UTC)
    schedule = make_single_schedule(at, "Europe/Berlin")

    assert find_last_firing(schedule, at - timedelta(seconds=1)) is None
    firing = find_last_firing(schedule, at)
    assert firing is not None
    assert (firing.at, firing.period) == (at, "2026-06-12T07:30")
    assert find_next_firing(schedule, at) is None


def test_latest_is_the_first_such_time_after_the_firing() -> None:
    schedule = parse_schedule("daily 22:00", zone="Europe/Berlin", latest="6:00")

    by = find_latest_after(schedule, local("2026-06-12T22:00", "Europe/Berlin"))

    assert local("2026-06-13T06:00", "Europe/Berlin") == by


def test_arxiv_days_are_due_at_midnight_in_new_york_and_over_at_the_next() -> None:
    friday = date(2026, 6, 12)

    assert datetime(2026, 6, 12, 4, tzinfo=UTC) == compute_due_at(ARXIV, friday)
    assert datetime(2026, 6, 13, 4, tzinfo=UTC) == compute_day_end(ARXIV, friday)


@for_each_case(
    ("day", "opened", "due", "over"),
    [
        (date(2026, 6, 12), "06-12T00:00", "06-12T00:00", "06-13T04:00"),
        # On the 8th of March clocks go forward, on the 1st of November back: wall clocks count.
        (date(2026, 3, 9), "03-09T00:00", "03-09T00:00", "03-10T04:00"),
        (date(2026, 3, 8), "03-08T01:00", "03-08T01:00", "03-09T04:00"),
        (date(2026, 11, 1), "11-01T00:00", "11-01T00:00", "11-02T05:00"),
    ],
)
def test_what_opens_the_evening_before_does_so_by_the_wall_clock(
    day: date, opened: str, due: str, over: str
) -> None:
    evening = timedelta(hours=-4)
    calendar = Calendar(zone=ARXIV.zone, weekdays=ARXIV.weekdays, opens=evening)
    page = Route(name="listing", scope=Scope.LATEST, opens=evening)

    assert [
        compute_opens_at(calendar, page, day),
        compute_due_at(calendar, day),
        compute_day_end(calendar, day),
    ] == [datetime.fromisoformat(f"2026-{text}+00:00") for text in (opened, due, over)]


def test_a_route_keeps_a_day_for_its_time_and_a_harvest_for_ever() -> None:
    friday, moment = date(2026, 6, 12), timedelta(microseconds=1)
    gone = datetime(2026, 6, 13, 0, tzinfo=UTC)
    page = Route(name="listing", scope=Scope.LATEST, keeps=timedelta(hours=20))
    records = Route(name="oai", scope=Scope.RECORDS, keeps=None)

    assert is_retained(ARXIV, page, friday, gone - moment)
    assert not is_retained(ARXIV, page, friday, gone)
    assert is_retained(ARXIV, records, friday, datetime(2036, 1, 1, tzinfo=UTC))


def test_the_day_that_is_out_on_a_weekend_is_fridays_until_mondays_list_comes_on_sunday_evening() -> None:
    evening = Calendar(zone=ARXIV.zone, weekdays=ARXIV.weekdays, opens=timedelta(hours=-4))
    sunday_evening = datetime(2026, 6, 15, 0, tzinfo=UTC)

    assert get_last_due_day(evening, sunday_evening - timedelta(microseconds=1)) == date(2026, 6, 12)
    assert get_last_due_day(evening, sunday_evening) == date(2026, 6, 15)
    assert get_last_due_day(ARXIV, sunday_evening) == date(2026, 6, 12)


def test_weekends_are_never_due() -> None:
    after, until = datetime(2026, 6, 11, 12, tzinfo=UTC), datetime(2026, 6, 16, 12, tzinfo=UTC)

    assert [day.day for day in iter_due_days(ARXIV, after, until)] == [12, 15, 16]
