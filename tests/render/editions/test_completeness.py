from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from digest.failures import FailureKind
from digest.model import Batch, BatchState
from digest.render.editions.completeness import Completeness, describe_completeness, describe_failure
from digest.render.languages.by_name import get_locale
from digest.render.languages.locales import ENGLISH
from tests.render.samples import DUE, FRIDAY, NOW, TITLES, make_batch
from tests.support.cases import for_each_case

ZONE = "Europe/Berlin"
THURSDAY = FRIDAY - timedelta(days=1)


FILLING = make_batch("daily", BatchState.PARTIAL, source="hf", received=23, fills=True)
"""A day that fills while it lasts."""


QUIET = make_batch("cs.OS", BatchState.WAITING, asked_at=NOW, answered_at=NOW, usual=1)
"""A small section of which nothing had come when it was asked."""


def of(*batches: Batch, now: datetime = NOW) -> Completeness:
    return describe_completeness(batches, TITLES, now, ZONE, ENGLISH)


@for_each_case(
    ("batches", "summary"),
    [
        ([make_batch()], "complete according to the feeds"),
        ([make_batch(expected=212)], "complete"),
        ([make_batch(expected=212), make_batch("cs.LG")], "complete according to the feeds"),
        ([make_batch(), make_batch("cs.LG", BatchState.EMPTY)], "complete according to the feeds"),
        ([make_batch(state=BatchState.EMPTY)], "nothing was announced (holiday?)"),
        ([make_batch(), make_batch("cs.LG", BatchState.WAITING)], "212 listings so far; cs.LG missing"),
        (
            [
                make_batch(),
                make_batch("cs.LG", BatchState.WAITING),
                make_batch("cs.LG", BatchState.FAILED, day=THURSDAY),
            ],
            "212 listings so far; 11 Jun and cs.LG missing",
        ),
        (
            [make_batch(day=THURSDAY), make_batch("cs.LG", BatchState.FAILED, day=THURSDAY), make_batch()],
            "424 listings so far; cs.LG of 11 Jun missing",
        ),
        (
            [make_batch("a"), *(make_batch(section, BatchState.WAITING) for section in "bcde")],
            "212 listings so far; 4 of 5 sections missing",
        ),
        ([make_batch(state=BatchState.PARTIAL, received=212, expected=260)], "212 of 260 listings so far"),
        ([make_batch(state=BatchState.PARTIAL, received=1)], "1 listing so far; there are more"),
        ([make_batch(state=BatchState.WAITING)], "nothing from arXiv yet"),
        ([make_batch(expected=212), FILLING], "complete"),
        ([make_batch(state=BatchState.EMPTY), FILLING], "23 listings so far"),
        ([FILLING], "23 listings so far"),
        ([replace(FILLING, state=BatchState.WAITING, received=0)], "nothing so far"),
        (
            [make_batch(state=BatchState.PARTIAL, received=212, expected=260), FILLING],
            "212 of 260 listings so far",
        ),
        ([make_batch(state=BatchState.FAILED)], "arXiv missing"),
        ([make_batch(), QUIET], "complete as far as we know"),
        ([QUIET], "nothing so far"),
        ([make_batch(state=BatchState.PARTIAL, received=259, expected=260)], "259 of 260 listings so far"),
        (
            [make_batch(), QUIET, make_batch("cs.LG", BatchState.WAITING)],
            "212 listings so far; cs.LG missing",
        ),
    ],
)
def test_a_few_words_say_how_complete_it_is(batches: list[Batch], summary: str) -> None:
    assert of(*batches).summary == summary


@for_each_case(
    ("fields", "line"),
    [
        (
            {"state": BatchState.WAITING},
            "arXiv cs.DC, Friday 12 June: due since 06:00 CEST, not queried yet.",
        ),
        (
            {"state": BatchState.WAITING, "asked_at": NOW},
            "arXiv cs.DC, Friday 12 June: still waiting; nothing was announced at the last attempt (07:30 CEST).",
        ),
        (
            {"state": BatchState.WAITING, "asked_at": NOW, "failure": FailureKind.BUSY},
            ("arXiv cs.DC, Friday 12 June: not reached (last attempt 07:30 CEST: its server is overloaded)."),
        ),
        (
            {
                "state": BatchState.WAITING,
                "asked_at": NOW,
                "answered_at": NOW - timedelta(days=1),
                "failure": FailureKind.UNREACHED,
            },
            (
                "arXiv cs.DC, Friday 12 June: not reached since 11 Jun 07:30 CEST"
                " (last attempt 07:30 CEST: its server cannot be reached)."
            ),
        ),
        (
            {"state": BatchState.FAILED, "day": THURSDAY},
            (
                "arXiv cs.DC, Thursday 11 June: not available, because the source was"
                " not queried on that day and no longer shows it."
            ),
        ),
        (
            {"state": BatchState.FAILED, "asked_at": DUE, "failure": FailureKind.CUT_OFF},
            (
                "arXiv cs.DC, Friday 12 June: not available (its server's answer was cut off; last attempt 06:00 CEST),"
                " and the source no longer shows it."
            ),
        ),
        (
            {"state": BatchState.PARTIAL, "received": 2000, "failure": FailureKind.INCOMPLETE},
            (
                "arXiv cs.DC, Friday 12 June: 2,000 listings so far;"
                " its server's answer was incomplete, so papers may be missing."
            ),
        ),
        (
            {"state": BatchState.PARTIAL, "received": 212, "expected": 260, "source": "unknown"},
            "unknown cs.DC, Friday 12 June: 212 of 260 listings so far.",
        ),
    ],
)
def test_what_is_missing_is_said_with_since_when_and_why(fields: dict[str, Any], line: str) -> None:
    assert of(make_batch(**fields)) == Completeness(
        summary=of(make_batch(**fields)).summary, missing=(line,), settled=()
    )


def test_a_day_that_fills_while_it_lasts_is_told_and_nothing_of_it_is_missing() -> None:
    so_far = of(FILLING)

    assert so_far.is_complete
    assert so_far.lines == (
        "Hugging Face daily, Friday 12 June: 23 listings so far; the day is not over, so more may follow.",
    )


def test_a_day_that_fills_and_is_not_reached_is_missing() -> None:
    down = replace(FILLING, failure=FailureKind.UNREACHED)
    never = replace(FILLING, state=BatchState.WAITING, received=0, asked_at=None, answered_at=None)

    assert of(down).missing == (
        "Hugging Face daily, Friday 12 June: 23 listings so far; its server cannot be reached.",
    )
    assert of(never).missing == (
        "Hugging Face daily, Friday 12 June: due since 06:00 CEST, not queried yet.",
    )


def test_a_section_that_the_name_of_its_source_holds_is_not_named_twice() -> None:
    titles = {"hf": "Hugging Face Daily Papers"}

    assert (
        describe_completeness([FILLING], titles, NOW, ZONE, ENGLISH)
        .lines[0]
        .startswith("Hugging Face Daily Papers, Friday")
    )


def test_complete_sections_and_days_are_one_line() -> None:
    batches = [make_batch(section, day=day) for day in (THURSDAY, FRIDAY) for section in ("cs.DC", "cs.LG")]

    assert of(*batches).settled == (
        (
            "arXiv cs.DC and cs.LG, 2 days from Thursday 11 June to Friday 12 June:"
            " complete according to the feed, 848 listings."
        ),
    )


def test_sections_that_miss_for_one_reason_are_one_line() -> None:
    down: dict[str, Any] = {"state": BatchState.WAITING, "asked_at": NOW, "failure": FailureKind.UNREACHED}

    assert of(make_batch("cs.DC", **down), make_batch("cs.LG", **down), make_batch("cs.CL")).missing == (
        (
            "arXiv cs.DC and cs.LG, Friday 12 June: not reached"
            " (last attempt 07:30 CEST: its server cannot be reached)."
        ),
    )


def test_what_is_little_is_one_sentence_behind_the_warnings() -> None:
    unreached = make_batch("cs.SC", BatchState.WAITING, asked_at=NOW, failure=FailureKind.UNREACHED, usual=0)
    completeness = of(make_batch(), QUIET, unreached)

    assert completeness.missing == ()
    assert completeness.lacks_little
    assert completeness.settled == (
        (
            "A small part may be missing: arXiv cs.OS, Friday 12 June: still waiting; nothing was announced at"
            " the last attempt (07:30 CEST); arXiv cs.SC, Friday 12 June: not reached"
            " (last attempt 07:30 CEST: its server cannot be reached)."
        ),
        "arXiv cs.DC, Friday 12 June: complete according to the feed, 212 listings.",
    )


def test_a_warning_and_what_is_little_are_told_apart() -> None:
    completeness = of(make_batch(), QUIET, make_batch("cs.LG", BatchState.WAITING))

    assert completeness.missing == ("arXiv cs.LG, Friday 12 June: due since 06:00 CEST, not queried yet.",)
    assert completeness.settled[0].startswith("A small part may be missing: arXiv cs.OS, ")


@for_each_case(
    ("language", "summary", "line"),
    [
        ("de", "soweit bekannt, vollständig", "Ein kleiner Teil kann fehlen: arXiv cs.OS, "),
        ("zh", "据目前所知，数据完整", "可能缺少一小部分：arXiv cs.OS，"),
    ],
)
def test_what_is_little_is_told_in_each_language(language: str, summary: str, line: str) -> None:
    completeness = describe_completeness([make_batch(), QUIET], TITLES, NOW, ZONE, get_locale(language))

    assert (completeness.summary, completeness.missing) == (summary, ())
    assert completeness.settled[0].startswith(line)
    assert "。。" not in completeness.settled[0]


@pytest.mark.parametrize("tag", ["en", "de", "zh"])
@pytest.mark.parametrize("kind", FailureKind)
def test_readers_get_a_sentence_of_ours_in_their_language_and_never_what_a_host_says(
    kind: FailureKind, tag: str
) -> None:
    locale = get_locale(tag)
    words = "no such login: jane.doe"
    for state in (BatchState.WAITING, BatchState.PARTIAL, BatchState.FAILED):
        failed = make_batch(state=state, asked_at=NOW, error=words, failure=kind, received=3)
        (line,) = describe_completeness([failed], TITLES, NOW, ZONE, locale).missing
        assert describe_failure(kind, locale) in line
        assert "jane.doe" not in line
    assert tag == "en" or describe_failure(kind, locale) != describe_failure(kind, ENGLISH)


@pytest.mark.parametrize("tag", ["en", "de", "zh"])
def test_each_kind_of_failure_has_a_sentence_of_its_own(tag: str) -> None:
    assert len({describe_failure(kind, get_locale(tag)) for kind in FailureKind}) == len(FailureKind)


def test_many_sections_are_counted_where_they_are_all_there_are() -> None:
    batches = [make_batch(f"cs.{letter}", received=1) for letter in "ABCDEFG"]

    assert of(*batches).settled == (
        "arXiv (all 7 sections), Friday 12 June: complete according to the feed, 7 listings.",
    )


def test_a_day_without_any_announcement_may_be_a_holiday_one_without_some_is_not() -> None:
    empty = BatchState.EMPTY

    assert of(make_batch(state=empty)).settled == ("arXiv announced nothing on Friday 12 June (holiday?).",)
    assert of(make_batch("cs.DC", empty), make_batch("cs.LG", received=1)).settled == (
        "arXiv cs.DC: nothing was announced on Friday 12 June.",
        "arXiv cs.LG, Friday 12 June: complete according to the feed, 1 listing.",
    )


def test_a_weekend_is_named_by_the_readers_clock() -> None:
    friday_night = datetime(2026, 6, 12, 22, 30, tzinfo=UTC)

    assert of(now=friday_night).summary == "no announcement: weekend"
    assert (
        describe_completeness((), TITLES, friday_night, "UTC", ENGLISH).summary == "no announcement was due"
    )


@given(
    st.lists(
        st.builds(
            make_batch,
            section=st.sampled_from(["cs.DC", "cs.LG", ""]),
            state=st.sampled_from(BatchState),
            source=st.sampled_from(["arxiv", "hf", "other"]),
            day=st.sampled_from([THURSDAY, FRIDAY, date(2026, 1, 1)]),
            received=st.integers(0, 3000),
            expected=st.none() | st.integers(0, 3000),
            asked_at=st.none() | st.just(NOW),
            answered_at=st.none() | st.just(DUE),
            error=st.sampled_from(["", "the server answered 503", "two\nlines."]),
            failure=st.sampled_from([None, *FailureKind]),
            fills=st.booleans(),
            usual=st.none() | st.integers(0, 3000),
        ),
        max_size=8,
        unique_by=lambda value: (value.source, value.section, value.day),
    )
)
def test_it_never_says_nothing_and_names_every_source_and_day(batches: list[Batch]) -> None:
    account_ = of(*batches)

    assert account_.summary
    assert account_.lines
    settled = {BatchState.COMPLETE, BatchState.EMPTY}
    assert account_.is_complete == all(b.state in settled or b.is_filling for b in batches)
    assert all(line.endswith(".") and not line.endswith("..") and "\n" not in line for line in account_.lines)
    for batch in batches:
        assert any(TITLES.get(batch.source, batch.source) in line for line in account_.lines)
    assert describe_completeness(list(reversed(batches)), TITLES, NOW, ZONE, ENGLISH) == account_


# --- long absences --------------------------------------------------------------------------------

WEEKDAYS_BEFORE = tuple(
    day for back in range(20 * 366) if (day := FRIDAY - timedelta(days=back)).weekday() < 5
)
"""The announcement days of twenty years, the last one first."""
MOST_BYTES = 4000
"""Bytes of an account of one source in UTF-8."""


def size(completeness: Completeness) -> int:
    return len("\n".join((completeness.summary, *completeness.lines)).encode())


def test_a_year_without_a_machine_is_one_sentence() -> None:
    """A laptop that was closed from June to June."""
    missed = [
        make_batch(name, BatchState.FAILED, day=day) for day in WEEKDAYS_BEFORE[1:260] for name in ("a", "b")
    ]
    completeness = of(*missed, make_batch("a"), make_batch("b"))

    assert completeness.missing == (
        (
            "arXiv a and b, 259 days from Monday 16 June 2025 to Thursday 11 June: not available,"
            " because the source was not queried on those days and no longer shows them."
        ),
    )
    assert completeness.summary == "424 listings so far; 259 of 260 days missing"
    assert completeness.settled == (
        "arXiv a and b, Friday 12 June: complete according to the feed, 424 listings.",
    )


def test_days_of_an_absence_of_years_are_not_counted_as_the_ledger_has_not_all_of_them() -> None:
    days = WEEKDAYS_BEFORE[1:280] + WEEKDAYS_BEFORE[-1:]
    completeness = of(*(make_batch(state=BatchState.FAILED, day=day) for day in days), make_batch())

    assert completeness.missing == (
        (
            f"arXiv cs.DC, from {ENGLISH.whole_day(days[-1])} to Thursday 11 June: not available,"
            " because the source was not queried on those days and no longer shows them."
        ),
    )


def test_days_missing_for_many_reasons_are_one_sentence_with_what_came_of_them() -> None:
    def failed(place: int, day: date, **fields: Any) -> Batch:
        return make_batch(state=BatchState.FAILED, day=day, asked_at=NOW - timedelta(days=place), **fields)

    never = [failed(place, day) for place, day in enumerate(WEEKDAYS_BEFORE[:200])]
    partly = [
        replace(batch, state=BatchState.PARTIAL, received=3, expected=90 + place)
        for place, batch in enumerate(never)
    ]
    waiting = [replace(batch, state=BatchState.WAITING) for batch in never]

    when = "arXiv cs.DC, 200 days from Monday 8 September 2025 to Friday 12 June"
    assert of(*never).missing == (
        f"{when}: not available for several reasons, and the source no longer shows these days.",
    )
    assert of(*partly).missing == (f"{when}: 600 listings so far; there are more.",)
    assert of(*waiting).missing == (f"{when}: nothing so far, for several reasons.",)


def test_holidays_of_a_year_are_one_sentence() -> None:
    holidays = [make_batch(state=BatchState.EMPTY, day=day) for day in WEEKDAYS_BEFORE[1:200:20]]

    assert of(make_batch(), *holidays).settled == (
        "arXiv, 10 days from Thursday 2 October 2025 to Thursday 11 June: nothing was announced (holidays?).",
        "arXiv cs.DC, Friday 12 June: complete according to the feed, 212 listings.",
    )


def test_sections_that_are_complete_or_quiet_on_other_days_each_are_one_sentence_each() -> None:
    """Of each day another section is quiet."""
    names = [f"cs.{letter}" for letter in "ABCDEFGH"]
    batches = [
        make_batch(
            name,
            BatchState.EMPTY if place == number else BatchState.COMPLETE,
            day=day,
            received=int(place != number),
        )
        for number, day in enumerate(WEEKDAYS_BEFORE[:8])
        for place, name in enumerate(names)
    ]

    assert of(*batches).settled == (
        "arXiv, 8 days from Wednesday 3 June to Friday 12 June: some sections announced nothing.",
        (
            "arXiv (all 8 sections), 8 days from Wednesday 3 June to Friday 12 June:"
            " complete except for the above, 56 listings."
        ),
    )


def test_many_sections_that_are_not_all_are_counted() -> None:
    batches = [
        make_batch(f"cs.{number}", BatchState.COMPLETE if number else BatchState.WAITING)
        for number in range(100)
    ]

    assert of(*batches).settled[0].startswith("arXiv (99 of 100 sections), Friday 12 June: complete")


@settings(max_examples=10, deadline=None)
@example(days=5200, sections=4, seed=0)
@given(days=st.integers(1, 700), sections=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_an_account_is_a_few_lines_however_many_days_and_sections_it_is_about(
    days: int, sections: int, seed: int
) -> None:
    """It is linear, too: 20,000 batches that are compared with each other take minutes."""
    random = Random(seed)

    def any_batch(section: int, day: date) -> Batch:
        state = random.choice(list(BatchState))
        asked_at = random.choice([None, NOW - timedelta(minutes=random.randrange(100_000))])
        failure = random.choice([None, *FailureKind])
        received = random.randrange(1, 900) if state in {BatchState.COMPLETE, BatchState.PARTIAL} else 0
        return make_batch(
            f"cs.{section}",
            state,
            day=day,
            asked_at=asked_at,
            failure=failure,
            received=received,
            usual=random.choice([None, 0, 1, 100]),
            fills=random.random() < 0.1,
        )

    batches = [any_batch(section, day) for day in WEEKDAYS_BEFORE[:days] for section in range(sections)]
    for tag in ("en", "de", "zh"):
        assert size(describe_completeness(batches, TITLES, NOW, ZONE, get_locale(tag))) <= MOST_BYTES


def test_a_source_with_all_its_sections_is_told_in_a_few_lines_too() -> None:
    states = [
        BatchState.FAILED,
        BatchState.WAITING,
        BatchState.PARTIAL,
        BatchState.COMPLETE,
        BatchState.EMPTY,
    ]
    batches = [
        make_batch(
            f"long-name.{section:03}",
            states[(section * number) % 5],
            day=day,
            received=(section * number) % 7,
        )
        for number, day in enumerate(WEEKDAYS_BEFORE[:60])
        for section in range(155)
    ]

    assert size(of(*batches)) <= MOST_BYTES
