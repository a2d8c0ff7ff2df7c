from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.failures import FailureKind
from digest.model import Batch, BatchState
from digest.render.account import Account, account, told_failure
from digest.render.languages import locale_of
from digest.render.locales import ENGLISH
from tests.render.samples import DUE, FRIDAY, NOW, TITLES, batch
from tests.tables import for_each_case

ZONE = "Europe/Berlin"
THURSDAY = FRIDAY - timedelta(days=1)


FILLING = batch("daily", BatchState.PARTIAL, source="hf", received=23, fills=True)
"""A day that fills while it lasts."""


QUIET = batch("cs.OS", BatchState.WAITING, asked_at=NOW, answered_at=NOW, usual=1)
"""A small section of which nothing had come when it was asked."""


def of(*batches: Batch, now: datetime = NOW) -> Account:
    return account(batches, TITLES, now, ZONE, ENGLISH)


@for_each_case(
    ("batches", "summary"),
    [
        ([batch()], "complete as far as the feeds tell"),
        ([batch(expected=212)], "complete"),
        ([batch(expected=212), batch("cs.LG")], "complete as far as the feeds tell"),
        ([batch(), batch("cs.LG", BatchState.EMPTY)], "complete as far as the feeds tell"),
        ([batch(state=BatchState.EMPTY)], "nothing was announced (holiday?)"),
        ([batch(), batch("cs.LG", BatchState.WAITING)], "212 listings so far; cs.LG missing"),
        (
            [batch(), batch("cs.LG", BatchState.WAITING), batch("cs.LG", BatchState.FAILED, day=THURSDAY)],
            "212 listings so far; 11 Jun and cs.LG missing",
        ),
        (
            [batch(day=THURSDAY), batch("cs.LG", BatchState.FAILED, day=THURSDAY), batch()],
            "424 listings so far; cs.LG of 11 Jun missing",
        ),
        (
            [batch("a"), *(batch(section, BatchState.WAITING) for section in "bcde")],
            "212 listings so far; 4 of 5 sections missing",
        ),
        ([batch(state=BatchState.PARTIAL, received=212, expected=260)], "212 of 260 listings so far"),
        ([batch(state=BatchState.PARTIAL, received=1)], "1 listing so far; more is known to exist"),
        ([batch(state=BatchState.WAITING)], "nothing from arXiv yet"),
        ([batch(expected=212), FILLING], "complete"),
        ([batch(state=BatchState.EMPTY), FILLING], "23 listings so far"),
        ([FILLING], "23 listings so far"),
        ([replace(FILLING, state=BatchState.WAITING, received=0)], "nothing so far"),
        (
            [batch(state=BatchState.PARTIAL, received=212, expected=260), FILLING],
            "212 of 260 listings so far",
        ),
        ([batch(state=BatchState.FAILED)], "arXiv missing"),
        ([batch(), QUIET], "complete as far as is known"),
        ([QUIET], "nothing so far"),
        ([batch(state=BatchState.PARTIAL, received=259, expected=260)], "259 of 260 listings so far"),
        ([batch(), QUIET, batch("cs.LG", BatchState.WAITING)], "212 listings so far; cs.LG missing"),
    ],
)
def test_a_few_words_say_how_complete_it_is(batches: list[Batch], summary: str) -> None:
    assert of(*batches).summary == summary


@for_each_case(
    ("fields", "line"),
    [
        (
            {"state": BatchState.WAITING},
            "arXiv cs.DC, Friday 12 June: due since 06:00 CEST, not asked yet.",
        ),
        (
            {"state": BatchState.WAITING, "asked_at": NOW},
            "arXiv cs.DC, Friday 12 June: still waiting, nothing had been announced when last asked (07:30 CEST).",
        ),
        (
            {"state": BatchState.WAITING, "asked_at": NOW, "failure": FailureKind.BUSY},
            ("arXiv cs.DC, Friday 12 June: not reached (last asked 07:30 CEST: its server is overloaded)."),
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
                " (last asked 07:30 CEST: its server does not answer)."
            ),
        ),
        (
            {"state": BatchState.FAILED, "day": THURSDAY},
            (
                "arXiv cs.DC, Thursday 11 June: could not be had: nobody asked on that day,"
                " and the source shows it no longer."
            ),
        ),
        (
            {"state": BatchState.FAILED, "asked_at": DUE, "failure": FailureKind.CUT_OFF},
            (
                "arXiv cs.DC, Friday 12 June: could not be had: its server's answer broke off (last asked 06:00 CEST),"
                " and the source shows it no longer."
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
    assert of(batch(**fields)) == Account(summary=of(batch(**fields)).summary, missing=(line,), settled=())


def test_a_day_that_fills_while_it_lasts_is_told_and_nothing_of_it_is_missing() -> None:
    so_far = of(FILLING)

    assert so_far.whole
    assert so_far.lines == (
        "Hugging Face daily, Friday 12 June: 23 listings so far; its day is not over, more may come.",
    )


def test_a_day_that_fills_and_is_not_reached_is_missing() -> None:
    down = replace(FILLING, failure=FailureKind.UNREACHED)
    never = replace(FILLING, state=BatchState.WAITING, received=0, asked_at=None, answered_at=None)

    assert of(down).missing == (
        "Hugging Face daily, Friday 12 June: 23 listings so far; its server does not answer.",
    )
    assert of(never).missing == ("Hugging Face daily, Friday 12 June: due since 06:00 CEST, not asked yet.",)


def test_a_section_that_the_name_of_its_source_holds_is_not_named_twice() -> None:
    titles = {"hf": "Hugging Face Daily Papers"}

    assert (
        account([FILLING], titles, NOW, ZONE, ENGLISH)
        .lines[0]
        .startswith("Hugging Face Daily Papers, Friday")
    )


def test_complete_sections_and_days_are_one_line() -> None:
    batches = [batch(section, day=day) for day in (THURSDAY, FRIDAY) for section in ("cs.DC", "cs.LG")]

    assert of(*batches).settled == (
        (
            "arXiv cs.DC and cs.LG, 2 days from Thursday 11 June to Friday 12 June:"
            " complete as far as the feed tells, 848 listings."
        ),
    )


def test_sections_that_miss_for_one_reason_are_one_line() -> None:
    down: dict[str, Any] = {"state": BatchState.WAITING, "asked_at": NOW, "failure": FailureKind.UNREACHED}

    assert of(batch("cs.DC", **down), batch("cs.LG", **down), batch("cs.CL")).missing == (
        (
            "arXiv cs.DC and cs.LG, Friday 12 June: not reached"
            " (last asked 07:30 CEST: its server does not answer)."
        ),
    )


def test_what_is_little_is_one_sentence_behind_the_warnings() -> None:
    unreached = batch("cs.SC", BatchState.WAITING, asked_at=NOW, failure=FailureKind.UNREACHED, usual=0)
    told = of(batch(), QUIET, unreached)

    assert told.missing == ()
    assert told.lacks_little
    assert told.settled == (
        (
            "A small part may be missing: arXiv cs.OS, Friday 12 June: still waiting, nothing had been announced when"
            " last asked (07:30 CEST); arXiv cs.SC, Friday 12 June: not reached"
            " (last asked 07:30 CEST: its server does not answer)."
        ),
        "arXiv cs.DC, Friday 12 June: complete as far as the feed tells, 212 listings.",
    )


def test_a_warning_and_what_is_little_are_told_apart() -> None:
    told = of(batch(), QUIET, batch("cs.LG", BatchState.WAITING))

    assert told.missing == ("arXiv cs.LG, Friday 12 June: due since 06:00 CEST, not asked yet.",)
    assert told.settled[0].startswith("A small part may be missing: arXiv cs.OS, ")


@for_each_case(
    ("language", "summary", "line"),
    [
        ("de", "vollständig, soweit bekannt", "Ein kleiner Teil kann fehlen: arXiv cs.OS, "),
        ("zh", "就目前所知，数据完整", "可能缺少一小部分：arXiv cs.OS，"),
    ],
)
def test_what_is_little_is_told_in_each_language(language: str, summary: str, line: str) -> None:
    told = account([batch(), QUIET], TITLES, NOW, ZONE, locale_of(language))

    assert (told.summary, told.missing) == (summary, ())
    assert told.settled[0].startswith(line)
    assert "。。" not in told.settled[0]


@pytest.mark.parametrize("tag", ["en", "de", "zh"])
@pytest.mark.parametrize("kind", FailureKind)
def test_readers_get_a_sentence_of_ours_in_their_language_and_never_what_a_host_says(
    kind: FailureKind, tag: str
) -> None:
    locale = locale_of(tag)
    words = "no such login: jane.doe"
    for state in (BatchState.WAITING, BatchState.PARTIAL, BatchState.FAILED):
        failed = batch(state=state, asked_at=NOW, error=words, failure=kind, received=3)
        (line,) = account([failed], TITLES, NOW, ZONE, locale).missing
        assert told_failure(kind, locale) in line
        assert "jane.doe" not in line
    assert tag == "en" or told_failure(kind, locale) != told_failure(kind, ENGLISH)


@pytest.mark.parametrize("tag", ["en", "de", "zh"])
def test_each_kind_of_failure_has_a_sentence_of_its_own(tag: str) -> None:
    assert len({told_failure(kind, locale_of(tag)) for kind in FailureKind}) == len(FailureKind)


def test_many_sections_are_counted_where_they_are_all_there_are() -> None:
    batches = [batch(f"cs.{letter}", received=1) for letter in "ABCDEFG"]

    assert of(*batches).settled == (
        "arXiv (all 7 sections), Friday 12 June: complete as far as the feed tells, 7 listings.",
    )


def test_a_day_without_any_announcement_may_be_a_holiday_one_without_some_is_not() -> None:
    empty = BatchState.EMPTY

    assert of(batch(state=empty)).settled == ("arXiv announced nothing on Friday 12 June (holiday?).",)
    assert of(batch("cs.DC", empty), batch("cs.LG", received=1)).settled == (
        "arXiv cs.DC: nothing was announced on Friday 12 June.",
        "arXiv cs.LG, Friday 12 June: complete as far as the feed tells, 1 listing.",
    )


def test_a_weekend_is_named_by_the_readers_clock() -> None:
    friday_night = datetime(2026, 6, 12, 22, 30, tzinfo=UTC)

    assert of(now=friday_night).summary == "no announcement: weekend"
    assert account((), TITLES, friday_night, "UTC", ENGLISH).summary == "no announcement was due"


@given(
    st.lists(
        st.builds(
            batch,
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
        unique_by=lambda one: (one.source, one.section, one.day),
    )
)
def test_it_never_says_nothing_and_names_every_source_and_day(batches: list[Batch]) -> None:
    account_ = of(*batches)

    assert account_.summary
    assert account_.lines
    settled = {BatchState.COMPLETE, BatchState.EMPTY}
    assert account_.whole == all(b.state in settled or b.filling for b in batches)
    assert all(line.endswith(".") and not line.endswith("..") and "\n" not in line for line in account_.lines)
    for one in batches:
        assert any(TITLES.get(one.source, one.source) in line for line in account_.lines)
    assert account(list(reversed(batches)), TITLES, NOW, ZONE, ENGLISH) == account_
