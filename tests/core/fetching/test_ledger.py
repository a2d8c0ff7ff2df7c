from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.ledger import (
    apply_answer,
    apply_check,
    evaluate_answer,
    find_blocking_batches,
    get_closing_time,
    get_first_day,
    is_outstanding,
    is_reachable,
    is_ready_to_close,
    resolve_state,
    select_announced_papers,
)
from digest.core.fetching.repeated_days import ShownListing, is_older_day, is_stale
from digest.core.fetching.request_planning import find_unreachable_span, plan_backfill, plan_requests
from digest.core.times.schedule import list_days_to_record
from digest.failures import FailureKind
from digest.model import (
    Ask,
    Batch,
    BatchState,
    Calendar,
    DayAnswer,
    DayVerdict,
    Listing,
    ListingKind,
    Paper,
    PaperKey,
    Route,
    RouteState,
    Run,
    RunState,
    Scope,
    Section,
)
from digest.ports import AnnouncedDay
from tests.support.cases import for_each_case

EVENING = timedelta(hours=-4)
"""The list of a day is out at 20:00 the evening before."""
ARXIV = Calendar(zone="America/New_York", weekdays=frozenset(range(5)), opens=EVENING)
FILLING = Calendar(zone="UTC", weekdays=frozenset(range(7)), fills=True)
RSS = Route(name="rss", scope=Scope.LATEST)
PAGE = Route(name="listing", scope=Scope.LATEST, opens=EVENING, keeps=timedelta(hours=20))
CATCHUP = Route(name="catchup", scope=Scope.DAY, keeps=timedelta(days=90))
OAI = Route(name="oai", scope=Scope.RECORDS, opens=timedelta(hours=-1.5), keeps=None)
SERVICE = (PAGE, OAI, RSS, CATCHUP)
LAPTOP = (RSS, CATCHUP)

DAY = date(2026, 6, 12)
"""A Friday."""
DUE = datetime(2026, 6, 12, 0, tzinfo=UTC)
MIDNIGHT = datetime(2026, 6, 12, 4, tzinfo=UTC)
"""In New York."""
OVER = MIDNIGHT + timedelta(days=1)
TOO_LATE = MIDNIGHT + timedelta(days=90)
BATCH = Batch(id=1, source="arxiv", section="cs.DC", day=DAY, state=BatchState.WAITING, due_at=DUE)
SECTION = Section(source="arxiv", name="cs.DC", since=DAY)
MOMENT = timedelta(microseconds=1)


def hours(count: float, since: datetime = MIDNIGHT) -> datetime:
    return since + timedelta(hours=count)


def paper(name: str) -> Paper:
    return Paper(key=PaperKey(name), title=name, url="u")


def listings(*names: str, dated: datetime | None = None) -> tuple[Listing, ...]:
    return tuple(Listing(kind=ListingKind.NEW, paper=paper(name), published_at=dated) for name in names)


def answer(
    verdict: DayVerdict = DayVerdict.WHOLE,
    *,
    route: Route = RSS,
    at: datetime = MIDNIGHT,
    listed: int = 96,
    expected: int | None = None,
) -> DayAnswer:
    return DayAnswer(route=route.name, at=at, verdict=verdict, listed=listed, expected=expected)


def asked(route: Route, **state: object) -> Section:
    """The section after an attempt by one route."""
    options: dict[str, object] = {"asked_at": DUE, "answered_at": DUE}
    return replace(SECTION, routes=(RouteState(route=route.name, **options | state),))  # type: ignore[arg-type]


def in_words(requests: Sequence[Ask]) -> list[str]:
    return [
        f"{ask.route}{f' {ask.day:%d}' if ask.day else ''}{f'-{ask.until:%d}' if ask.until else ''}"
        for ask in requests
    ]


# --- days -----------------------------------------------------------------------------------------


def test_the_account_begins_with_the_sections_first_day_and_leaves_out_weekends() -> None:
    days = list_days_to_record(ARXIV, DAY, datetime(2026, 6, 16, 12, tzinfo=UTC))

    assert [day.day for day in days] == [12, 15, 16]


def test_of_an_absence_of_decades_the_account_has_its_first_day_and_those_of_the_last_400_days() -> None:
    now = datetime(2096, 6, 15, 12, tzinfo=UTC)
    days = list_days_to_record(ARXIV, DAY, now)

    assert days[:2] == (DAY, date(2026, 6, 15)), "from when on days are missing"
    assert days[2] == date(2095, 5, 13)
    assert days[-1] == now.date()
    assert len(days) == 2 + 286
    assert list(days) == sorted(set(days))


def test_of_an_absence_of_a_year_the_account_has_each_day() -> None:
    now = DUE + timedelta(days=366)

    assert len(list_days_to_record(ARXIV, DAY, now)) == 261


def test_a_section_begins_with_the_day_that_is_out_and_a_feed_with_the_last_two_days() -> None:
    assert get_first_day(ARXIV, DUE - MOMENT) == date(2026, 6, 11)
    assert get_first_day(ARXIV, DUE) == DAY
    assert get_first_day(ARXIV, datetime(2026, 6, 14, 12, tzinfo=UTC)) == DAY
    assert get_first_day(None, datetime(2026, 6, 14, 12, tzinfo=UTC)) == DAY


@pytest.mark.parametrize(
    ("day", "told"),
    [(DAY - timedelta(days=1), set()), (DAY, {"a", "b"}), (DAY + timedelta(days=1), {"a", "b"})],
)
def test_days_before_a_section_was_asked_first_tell_of_nothing(day: date, told: set[str]) -> None:
    assert (
        select_announced_papers(SECTION, day, listings("a", "b"), by_entry_date=False, now=MIDNIGHT) == told
    )


@for_each_case(
    ("dated", "known", "document"),
    [
        (MIDNIGHT, False, True),
        (MIDNIGHT - timedelta(days=1), True, False),
        (datetime(2020, 1, 1, tzinfo=UTC), False, False),
        (None, False, False),
        (None, True, True),
        # A date that has not come is no date.
        (MIDNIGHT + timedelta(days=400), False, False),
        (MIDNIGHT + timedelta(days=400), True, True),
    ],
)
def test_a_feeds_entry_is_told_by_its_date_and_without_one_only_after_the_first_visit(
    dated: datetime | None, *, known: bool, document: bool
) -> None:
    section = asked(RSS) if known else SECTION

    paper_keys = select_announced_papers(
        section, DAY, listings("a", dated=dated), by_entry_date=True, now=MIDNIGHT
    )

    assert paper_keys == ({"a"} if document else set())


# --- what answers are worth -----------------------------------------------------------------------


@for_each_case(
    ("listed", "expected", "over_full", "last", "verdict"),
    [
        (96, None, False, True, DayVerdict.WHOLE),
        (96, 96, False, True, DayVerdict.WHOLE),
        (97, 96, False, True, DayVerdict.WHOLE),
        (95, 96, False, True, DayVerdict.SHORT),
        (96, None, False, False, DayVerdict.SHORT),
        (96, 96, False, False, DayVerdict.SHORT),
        (0, None, False, True, DayVerdict.QUIET),
        (0, 0, False, True, DayVerdict.QUIET),
        (0, 96, False, True, DayVerdict.SHORT),
        (2000, None, True, True, DayVerdict.CUT),
        (2000, 2100, True, False, DayVerdict.CUT),
    ],
)
def test_an_answer_is_whole_when_it_has_what_it_says_that_there_is(
    listed: int, expected: int | None, *, over_full: bool, last: bool, verdict: DayVerdict
) -> None:
    announced = AnnouncedDay(day=DAY, expected=expected, over_full=over_full)

    day_answer = evaluate_answer(
        RSS, announced, listed=listed, unread=0, is_last_page=last, is_checked=True, now=MIDNIGHT
    )

    assert day_answer == answer(verdict, listed=listed, expected=expected)


def test_a_day_that_lacks_only_what_cannot_be_read_is_not_asked_for_by_that_route_again() -> None:
    announced = AnnouncedDay(day=DAY, expected=96)

    verdicts = [
        evaluate_answer(
            RSS, announced, listed=95, unread=unread, is_last_page=last, is_checked=True, now=MIDNIGHT
        ).verdict
        for unread, last in ((1, True), (2, True), (0, True), (1, False))
    ]

    assert verdicts == [DayVerdict.CUT, DayVerdict.CUT, DayVerdict.SHORT, DayVerdict.SHORT]


def kinds(text: str) -> set[ShownListing]:
    """``new:a b replace:c2`` as papers, kinds and versions; no digit is a version that is not told."""
    kind, results = "", set()
    for word in text.replace(":", ": ").split():
        if word.endswith(":"):
            kind = word[:-1]
        else:
            results.add(ShownListing(PaperKey(word[0]), ListingKind(kind), int(word[1:] or 0)))
    return results


@for_each_case(
    ("now", "before", "stale"),
    [
        ("new:a b c replace:r", "new:a b c replace:r", True),
        ("new:a b c d replace:r", "new:a b replace:r", True),
        ("new:a b c d e replace:r", "new:a b replace:r", False),
        ("new:a cross:b", "cross:a new:b", True),
        ("new:a b replace:r s", "new:c d replace:r s", False),
        ("replace:r s", "new:a replace:r s t", True),
        ("replace:r s u", "new:a replace:r s t", False),
        ("replace:r s", "replace:r2 s3", True),
        ("replace:r2 s3", "replace:r2 s3 t2", True),
        ("replace:r3", "replace:r2", False),
        ("replace:r", "new:r", False),
        ("", "new:a", False),
        ("new:a", "", False),
        ("new:a b", "replace:a b", False),
        ("new:a b c", "new:a b d e f", True),
    ],
)
def test_a_list_of_new_papers_that_was_there_before_is_yesterdays(
    now: str, before: str, *, stale: bool
) -> None:
    assert is_stale(kinds(now), kinds(before)) is stale


# --- the account of a day -------------------------------------------------------------------------

WHOLE, SHORT, CUT, QUIET = DayVerdict.WHOLE, DayVerdict.SHORT, DayVerdict.CUT, DayVerdict.QUIET
WAITING, PARTIAL, COMPLETE = BatchState.WAITING, BatchState.PARTIAL, BatchState.COMPLETE
EMPTY, FAILED = BatchState.EMPTY, BatchState.FAILED


@for_each_case(
    ("answers", "received", "state"),
    [
        ([(RSS, QUIET)], 0, WAITING),
        ([(RSS, WHOLE)], 96, COMPLETE),
        ([(PAGE, SHORT)], 90, PARTIAL),
        ([(PAGE, SHORT), (PAGE, WHOLE)], 96, COMPLETE),
        ([(PAGE, SHORT), (RSS, WHOLE)], 96, COMPLETE),
        ([(RSS, CUT)], 2000, PARTIAL),
        ([(RSS, CUT), (CATCHUP, WHOLE)], 2100, COMPLETE),
        ([(CATCHUP, WHOLE), (RSS, CUT)], 2100, COMPLETE),
        ([(CATCHUP, WHOLE), (RSS, QUIET)], 96, COMPLETE),
        # It says itself that there is more now.
        ([(RSS, WHOLE), (PAGE, SHORT)], 96, PARTIAL),
    ],
)
def test_a_day_is_complete_by_one_whole_answer(
    answers: list[tuple[Route, DayVerdict]], received: int, state: BatchState
) -> None:
    batch = BATCH
    for route, verdict in answers:
        batch = apply_answer(batch, ARXIV, answer(verdict, route=route), received)

    assert batch.state is state
    assert (batch.asked_at, batch.answered_at) == (MIDNIGHT, MIDNIGHT)
    assert len(batch.answers) == len({route for route, _ in answers})


def test_a_cut_answer_says_that_papers_may_be_missing_until_a_whole_one_comes() -> None:
    cut = apply_answer(BATCH, ARXIV, answer(CUT), 2000)
    batch = apply_answer(cut, ARXIV, answer(route=CATCHUP), 2100)

    assert "may be missing" in cut.error
    assert batch.error == ""


def test_how_many_there_are_is_the_most_that_a_route_says() -> None:
    short = apply_answer(BATCH, ARXIV, answer(SHORT, route=PAGE, expected=260), 212)
    batch = apply_answer(short, ARXIV, answer(WHOLE, route=RSS), 260)

    assert (short.expected, batch.expected) == (260, 260)


@for_each_case(
    ("verdict", "expected", "state"),
    [
        (SHORT, 96, COMPLETE),
        (SHORT, 97, PARTIAL),
        (SHORT, None, PARTIAL),
        (QUIET, None, COMPLETE),
        (CUT, None, PARTIAL),
    ],
)
def test_a_bad_copy_of_a_complete_day_takes_nothing_back_unless_it_tells_of_more(
    verdict: DayVerdict, expected: int | None, state: BatchState
) -> None:
    """Also where it is the route itself that had brought the day whole."""
    batch = apply_answer(BATCH, ARXIV, answer(WHOLE, route=PAGE, expected=96), 96)

    assert apply_answer(batch, ARXIV, answer(verdict, route=PAGE, expected=expected), 96).state is state


@pytest.mark.parametrize("verdict", [DayVerdict.UNCHECKED, SHORT, CUT])
def test_a_day_of_which_a_check_leaves_nothing_waits_and_tells_no_number(verdict: DayVerdict) -> None:
    """Whatever its answers were worth, and however many papers they spoke of: these were another day's."""
    stale = apply_answer(BATCH, ARXIV, answer(verdict, expected=97), 96)

    after = apply_check(stale, 0, is_stale=True)

    assert (after.state, after.expected, after.answered_at, after.error) == (WAITING, None, None, "")
    assert [(day_answer.verdict, day_answer.listed) for day_answer in after.answers] == [(QUIET, 0)]


def test_what_a_check_leaves_of_another_answer_stays_in_its_account() -> None:
    stale = apply_answer(BATCH, ARXIV, answer(DayVerdict.UNCHECKED, expected=96), 96)
    both = apply_answer(stale, ARXIV, answer(SHORT, route=PAGE, listed=5, expected=7), 101)

    after = apply_check(both, 5, is_stale=True)

    assert (after.state, after.expected, after.received) == (PARTIAL, 7, 5)
    assert {day_answer.route: day_answer.verdict for day_answer in after.answers} == {
        "rss": QUIET,
        "listing": SHORT,
    }


@pytest.mark.parametrize("state", [COMPLETE, EMPTY])
def test_what_comes_to_a_closed_day_is_late_and_no_state_is_final(state: BatchState) -> None:
    closed = replace(BATCH, state=state, received=5 if state is COMPLETE else 0)

    after = apply_answer(closed, ARXIV, answer(at=OVER), 8)

    assert (after.state, after.late) == (COMPLETE, 8 - closed.received)
    assert apply_answer(replace(BATCH, state=FAILED), ARXIV, answer(at=OVER), 3).state is COMPLETE


def test_a_day_that_fills_while_it_lasts_is_complete_when_it_is_over() -> None:
    noon, over = datetime(2026, 6, 12, 12, tzinfo=UTC), datetime(2026, 6, 13, tzinfo=UTC)
    routes = (replace(CATCHUP, name="days"),)
    filling = apply_answer(BATCH, FILLING, answer(at=noon, listed=3), 3)

    assert filling.state is PARTIAL
    assert resolve_state(filling, FILLING, routes, over - MOMENT) is PARTIAL
    # It may have filled since: it is asked once more.
    assert resolve_state(filling, FILLING, routes, over) is PARTIAL
    last = apply_answer(filling, FILLING, answer(at=over, listed=5), 5)
    assert last.state is COMPLETE
    assert resolve_state(filling, FILLING, (), over) is COMPLETE


@for_each_case(
    ("asked_at", "answered_at", "error", "now", "routes", "state"),
    [
        # Never asked: it waits for as long as some route can bring it.
        (None, None, "", OVER, SERVICE, WAITING),
        (None, None, "", TOO_LATE, SERVICE, FAILED),
        (None, None, "", OVER, (RSS,), FAILED),
        # Asked and it had nothing: the day could still come until it is over, and then it was empty.
        (hours(2), hours(2), "", OVER - MOMENT, SERVICE, WAITING),
        (hours(2), hours(2), "", OVER, (RSS,), EMPTY),
        # Something could have come after the last look: it is asked once more.
        (hours(2), hours(2), "", OVER, SERVICE, WAITING),
        (OVER, OVER, "", OVER, SERVICE, EMPTY),
        # Who failed knows nothing.
        (hours(2), None, "it cannot be reached", OVER, SERVICE, WAITING),
        (hours(2), None, "it cannot be reached", OVER, (RSS,), FAILED),
        # Another day was out, hours after this one was due: nothing was announced.
        (hours(20), None, "", OVER, (RSS,), EMPTY),
        (hours(1), None, "", OVER, (RSS,), FAILED),
    ],
)
def test_time_makes_a_day_empty_where_somebody_looked_and_failed_where_nobody_could(
    *,
    asked_at: datetime | None,
    answered_at: datetime | None,
    error: str,
    now: datetime,
    routes: tuple[Route, ...],
    state: BatchState,
) -> None:
    batch = replace(BATCH, asked_at=asked_at, answered_at=answered_at, error=error)

    assert resolve_state(batch, ARXIV, routes, now) is state


@for_each_case(
    ("answers", "announced_at", "state"),
    [
        # Before a day is announced, its page has nothing in any section.
        ([answer(QUIET, route=CATCHUP, at=hours(2), listed=0)], None, WAITING),
        ([answer(QUIET, route=CATCHUP, at=hours(2), listed=0)], hours(2) + MOMENT, WAITING),
        ([answer(QUIET, route=CATCHUP, at=hours(2), listed=0)], hours(2), EMPTY),
        # A feed that is behind has nothing either.
        ([answer(QUIET, route=RSS, at=hours(2), listed=0)], hours(1), WAITING),
        ([answer(QUIET, route=PAGE, at=hours(2), listed=0)], hours(1), WAITING),
    ],
)
def test_a_day_is_empty_once_a_route_that_is_asked_by_date_has_nothing_of_what_is_announced(
    answers: list[DayAnswer], announced_at: datetime | None, state: BatchState
) -> None:
    batch = replace(BATCH, asked_at=hours(2), answered_at=hours(2), answers=tuple(answers))

    assert resolve_state(batch, ARXIV, SERVICE, hours(3), announced_at=announced_at) is state


def test_a_day_that_fills_is_not_empty_before_it_is_over() -> None:
    quiet = replace(
        BATCH, answered_at=hours(2), answers=(answer(QUIET, route=CATCHUP, at=hours(2), listed=0),)
    )

    assert resolve_state(quiet, FILLING, (CATCHUP,), hours(3), announced_at=hours(1)) is WAITING


@for_each_case("state", [COMPLETE, EMPTY, FAILED, PARTIAL])
def test_time_alone_changes_nothing_that_is_known(state: BatchState) -> None:
    batch = replace(BATCH, state=state, received=5, asked_at=DUE, answered_at=DUE)

    assert resolve_state(batch, ARXIV, SERVICE, TOO_LATE) is state


@for_each_case(
    ("routes", "now", "can"),
    [
        (LAPTOP, OVER, True),
        (LAPTOP, TOO_LATE - MOMENT, True),
        (LAPTOP, TOO_LATE, False),
        ((RSS,), OVER - MOMENT, True),
        ((RSS,), OVER, False),
        ((PAGE,), hours(20), False),
        # Records tell of no days where there is another route, and bring every day where there is none.
        ((RSS, OAI), OVER, False),
        ((OAI,), TOO_LATE, True),
        ((), MIDNIGHT, False),
    ],
)
def test_a_day_is_within_reach_for_as_long_as_a_route_keeps_it(
    routes: tuple[Route, ...], now: datetime, *, can: bool
) -> None:
    assert is_reachable(BATCH, ARXIV, routes, now) is can


def test_a_route_that_was_cut_brings_no_more() -> None:
    cut = apply_answer(BATCH, ARXIV, answer(CUT), 2000)

    assert not is_reachable(cut, ARXIV, (RSS,), hours(1))
    assert is_reachable(cut, ARXIV, LAPTOP, hours(1))


# --- what to ask ----------------------------------------------------------------------------------

COMPLETE_BY_PAGE = replace(BATCH, state=COMPLETE, received=96, answers=(answer(route=PAGE),))
COMPLETE_BY_ALL = replace(COMPLETE_BY_PAGE, answers=(answer(route=PAGE), answer(route=RSS)))
UNCHECKED = apply_answer(BATCH, ARXIV, answer(DayVerdict.UNCHECKED), 96)
HARVESTED = RouteState(route="oai", asked_at=hours(-1), answered_at=hours(-1))


@for_each_case(
    ("now", "batch", "routes", "expected"),
    [
        # The list is out before the feed, and the records before midnight.
        (DUE, BATCH, SERVICE, ["listing"]),
        (hours(-1), BATCH, SERVICE, ["listing"]),
        (hours(1), BATCH, LAPTOP, ["rss"]),
        (hours(-1), BATCH, LAPTOP, []),
        # What is complete is looked at by the other routes that show it, once.
        (hours(-1), COMPLETE_BY_PAGE, SERVICE, []),
        (hours(1), COMPLETE_BY_PAGE, SERVICE, ["rss"]),
        (hours(1), COMPLETE_BY_ALL, SERVICE, []),
        # What only one of them has told is looked up by its date, once.
        (OVER, COMPLETE_BY_PAGE, SERVICE, ["catchup 12"]),
        (hours(1), replace(COMPLETE_BY_PAGE, answers=(answer(route=RSS),)), LAPTOP, ["catchup 12"]),
        (hours(1), replace(COMPLETE_BY_PAGE, answers=(answer(route=RSS),)), (RSS,), []),
        (OVER, replace(COMPLETE_BY_PAGE, answers=(answer(route=RSS), answer(route=CATCHUP))), LAPTOP, []),
        # An answer by date that lacks rows was no look.
        (
            OVER,
            replace(COMPLETE_BY_PAGE, answers=(answer(route=RSS), answer(SHORT, route=CATCHUP))),
            LAPTOP,
            ["catchup 12"],
        ),
        (OVER + timedelta(days=8), COMPLETE_BY_PAGE, SERVICE, []),
        # What could not be checked is left to all others, and asked for again where there are none.
        (hours(1), UNCHECKED, LAPTOP, ["catchup 12"]),
        (hours(1), UNCHECKED, (RSS,), ["rss"]),
        (hours(1), replace(BATCH, state=EMPTY), SERVICE, []),
        # The list is gone by Friday evening, and the feed at midnight.
        (hours(21), BATCH, SERVICE, ["rss"]),
        (OVER, BATCH, SERVICE, ["catchup 12"]),
        (OVER, BATCH, LAPTOP, ["catchup 12"]),
        (OVER, replace(BATCH, state=FAILED), LAPTOP, ["catchup 12"]),
        (OVER, replace(BATCH, state=PARTIAL), LAPTOP, ["catchup 12"]),
        (OVER, BATCH, (RSS,), []),
        (TOO_LATE, BATCH, SERVICE, []),
        # What was cut is left to a route that is not.
        (hours(1), replace(BATCH, state=PARTIAL, answers=(answer(CUT),)), LAPTOP, ["catchup 12"]),
    ],
)
def test_a_day_is_asked_for_by_the_first_route_that_can_bring_it(
    now: datetime, batch: Batch, routes: tuple[Route, ...], expected: list[str]
) -> None:
    section = replace(SECTION, since=DAY - timedelta(days=1), routes=(HARVESTED,))
    # Whether records are asked for has a test of its own.
    results = [
        text for text in in_words(plan_requests(section, [batch], ARXIV, routes, now)) if text != "oai"
    ]

    assert results == expected


def test_the_first_day_of_a_section_is_asked_for_by_date_even_where_two_routes_agree() -> None:
    batch = replace(
        BATCH, state=COMPLETE, received=96, answers=(answer(WHOLE, route=RSS), answer(WHOLE, route=PAGE))
    )
    for since, expected in ((DAY, ["catchup 12"]), (DAY - timedelta(days=1), [])):
        section = replace(SECTION, since=since, routes=(HARVESTED,))
        assert in_words(plan_requests(section, [batch], ARXIV, (RSS, PAGE, CATCHUP), hours(1))) == expected


@for_each_case(
    ("state", "expected"),
    [
        # It had nothing yet: it is asked again after its pause, and no other meanwhile.
        ({"next_at": hours(2), "fruitless": 1}, []),
        ({"next_at": hours(1), "fruitless": 1}, ["rss"]),
        # It failed: the next one may do better.
        ({"next_at": hours(2), "errors": 1, "error": "no"}, ["catchup 12"]),
        ({"gone": True, "errors": 1, "error": "gone"}, ["catchup 12"]),
    ],
)
def test_a_route_that_waits_keeps_the_day_and_one_that_failed_leaves_it_to_the_next(
    state: dict[str, object], expected: list[str]
) -> None:
    assert in_words(plan_requests(asked(RSS, **state), [BATCH], ARXIV, LAPTOP, hours(1))) == expected


QUIET_BY_FEED = replace(BATCH, answered_at=hours(1), answers=(answer(QUIET, at=hours(1), listed=0),))
QUIET_BY_BOTH = replace(
    QUIET_BY_FEED,
    answers=(*QUIET_BY_FEED.answers, answer(QUIET, route=CATCHUP, at=hours(1), listed=0)),
)
CHECKED_EARLY = replace(QUIET_BY_BOTH, state=EMPTY)


@for_each_case(
    ("batch", "paused", "announced_at", "now", "expected"),
    [
        # The feed had nothing: the day is asked for by date at once.
        (QUIET_BY_FEED, {"rss": {"next_at": hours(2)}}, None, hours(1), ["catchup 12"]),
        # The page had nothing either, and nobody knows whether the day is announced.
        (QUIET_BY_BOTH, {"rss": {"next_at": hours(2)}, "catchup": {"next_at": hours(2)}}, None, hours(1), []),
        # It is announced since, and our own pause is no reason to wait.
        (
            QUIET_BY_BOTH,
            {"rss": {"next_at": hours(3)}, "catchup": {"next_at": hours(3)}},
            hours(1.5),
            hours(2),
            ["catchup 12"],
        ),
        # A route that fails is left alone until its pause is over.
        (
            QUIET_BY_FEED,
            {"rss": {"next_at": hours(2)}, "catchup": {"next_at": hours(2), "errors": 1}},
            hours(1),
            hours(1),
            [],
        ),
        # What was called empty before it was over is asked for once more.
        (CHECKED_EARLY, {"rss": {}}, hours(1), hours(2), []),
        (CHECKED_EARLY, {"rss": {}}, hours(1), OVER, ["catchup 12"]),
        (replace(CHECKED_EARLY, answered_at=OVER), {"rss": {}}, hours(1), OVER, []),
        (CHECKED_EARLY, {"rss": {}}, hours(1), OVER + timedelta(days=8), []),
    ],
)
def test_a_day_of_which_the_feed_has_nothing_is_asked_for_by_date_at_once(
    batch: Batch,
    paused: dict[str, dict[str, object]],
    announced_at: datetime | None,
    now: datetime,
    expected: list[str],
) -> None:
    states = tuple(RouteState(route=name, asked_at=hours(1), **state) for name, state in paused.items())  # type: ignore[arg-type]
    section = replace(SECTION, routes=states)
    announced = {DAY: announced_at} if announced_at else {}

    assert in_words(plan_requests(section, [batch], ARXIV, LAPTOP, now, announced_days=announced)) == expected


@for_each_case(
    ("state", "now", "expected"),
    [
        (None, hours(1), True),
        ({"answered_at": hours(-1)}, hours(1), False),
        ({"answered_at": hours(-1)}, hours(22.4), False),
        ({"answered_at": hours(-1)}, hours(22.4) + timedelta(days=2), False),  # no records on a Saturday
        ({"answered_at": hours(-1)}, hours(22.5) + timedelta(days=2), True),
        ({"answered_at": hours(-2)}, hours(1), True),
        ({"answered_at": hours(-1), "unfinished": True}, hours(1), True),
        ({"answered_at": hours(-2), "next_at": hours(2)}, hours(1), False),
        ({"answered_at": hours(-2), "gone": True}, hours(1), False),
    ],
)
def test_records_are_asked_for_once_a_day_and_to_their_end(
    state: dict[str, object] | None, now: datetime, *, expected: bool
) -> None:
    section = asked(OAI, **state) if state else asked(RSS)

    assert ("oai" in in_words(plan_requests(section, [], ARXIV, SERVICE, now))) is expected


def test_where_only_records_are_there_they_bring_the_days_and_are_asked_for_once() -> None:
    later_day = replace(BATCH, id=2, day=date(2026, 6, 15))

    requests = plan_requests(
        asked(OAI), [BATCH, later_day], ARXIV, (OAI,), datetime(2026, 6, 15, 12, tzinfo=UTC)
    )

    assert in_words(requests) == ["oai"]


def test_the_latest_day_comes_first_and_missing_ones_after_it() -> None:
    monday = date(2026, 6, 15)
    days = [replace(BATCH, id=number, day=monday - timedelta(days=number)) for number in (5, 4, 3, 0)]

    requests = plan_requests(asked(RSS), days, ARXIV, LAPTOP, datetime(2026, 6, 15, 12, tzinfo=UTC))

    assert in_words(requests) == ["rss", "catchup 12", "catchup 11", "catchup 10"]


@for_each_case(
    ("routes", "now", "expected"),
    [
        (LAPTOP, OVER + timedelta(hours=12), ["catchup 12"]),
        (SERVICE, OVER + timedelta(hours=12), ["oai"]),
        ((RSS,), OVER + timedelta(hours=12), ["rss"]),
        (LAPTOP, hours(1), ["rss"]),
    ],
)
def test_a_section_is_asked_at_the_very_first_whatever_the_day(
    routes: tuple[Route, ...], now: datetime, expected: list[str]
) -> None:
    assert in_words(plan_requests(SECTION, [], ARXIV, routes, now)) == expected
    assert [
        text for text in in_words(plan_requests(asked(RSS), [], ARXIV, routes, now)) if text != "oai"
    ] == []


def test_a_plain_feed_is_asked_when_its_time_has_come() -> None:
    feed = (replace(RSS, name="feed"),)

    assert in_words(plan_requests(SECTION, [], None, feed, DUE)) == ["feed"]
    assert in_words(plan_requests(asked(feed[0], next_at=hours(1)), [], None, feed, hours(1))) == ["feed"]
    assert plan_requests(asked(feed[0], next_at=hours(1)), [], None, feed, hours(1) - MOMENT) == ()
    assert plan_requests(asked(feed[0], gone=True), [], None, feed, DUE) == ()


@for_each_case(
    ("routes", "calendar", "expected"),
    [
        (LAPTOP, ARXIV, ["catchup 11", "catchup 12", "catchup 15"]),
        ((RSS, replace(CATCHUP, spans=True)), ARXIV, ["catchup 11-15"]),
        (SERVICE, ARXIV, ["catchup 11", "catchup 12", "catchup 15"]),
        ((RSS,), ARXIV, []),
        ((OAI,), ARXIV, ["oai 11-15"]),
        ((RSS,), None, []),
    ],
)
def test_past_days_are_asked_for_by_the_routes_that_can_be_asked_for_days(
    routes: tuple[Route, ...], calendar: Calendar | None, expected: list[str]
) -> None:
    now = datetime(2026, 6, 20, tzinfo=UTC)
    requests = plan_backfill(
        SECTION, calendar, routes, first_day=date(2026, 6, 11), last_day=date(2026, 6, 15), now=now
    )

    assert in_words(requests) == expected


def test_days_that_are_too_long_ago_for_pages_come_as_records() -> None:
    now = datetime(2026, 6, 20, tzinfo=UTC)
    long_ago, since = date(2026, 3, 19), date(2026, 3, 24)

    requests = plan_backfill(SECTION, ARXIV, SERVICE, first_day=long_ago, last_day=since, now=now)

    assert in_words(requests) == ["oai 19-20", "catchup 23", "catchup 24"]
    assert in_words(plan_backfill(SECTION, ARXIV, LAPTOP, first_day=long_ago, last_day=since, now=now)) == [
        "catchup 23",
        "catchup 24",
    ]
    assert plan_backfill(SECTION, ARXIV, SERVICE, first_day=since, last_day=long_ago, now=now) == ()


def test_days_that_no_route_brings_are_told_from_the_first_to_the_last() -> None:
    now = datetime(2026, 6, 20, tzinfo=UTC)
    first, last = date(2026, 3, 12), date(2026, 3, 24)
    duration = timedelta(days=90)

    assert find_unreachable_span(ARXIV, LAPTOP, first_day=first, last_day=last, now=now) == (
        first,
        date(2026, 3, 20),
    )
    assert (
        find_unreachable_span(ARXIV, LAPTOP, first_day=now.date() - duration, last_day=now.date(), now=now)
        is None
    )
    assert find_unreachable_span(ARXIV, SERVICE, first_day=first, last_day=last, now=now) is None, (
        "records have no end"
    )
    assert find_unreachable_span(None, LAPTOP, first_day=first, last_day=last, now=now) is None


def test_days_that_are_not_out_are_not_asked_for() -> None:
    requests = plan_backfill(
        SECTION, ARXIV, LAPTOP, first_day=DAY, last_day=DAY + timedelta(days=30), now=hours(1)
    )

    assert in_words(requests) == ["catchup 12"]


# --- what holds whatever comes --------------------------------------------------------------------

routes_given = st.lists(st.sampled_from([RSS, PAGE, CATCHUP, OAI]), unique=True, min_size=1).map(tuple)
moments = st.integers(-12 * 60, 100 * 24 * 60).map(lambda minutes: MIDNIGHT + timedelta(minutes=minutes))


@st.composite
def states(draw: st.DrawFn, route: Route) -> RouteState:
    failed = draw(st.booleans())
    return RouteState(
        route=route.name,
        asked_at=draw(moments),
        answered_at=draw(st.none() | moments),
        next_at=draw(st.none() | moments),
        unfinished=draw(st.booleans()),
        errors=int(failed),
        gone=failed and draw(st.booleans()),
    )


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    day = draw(st.sampled_from([DAY - timedelta(days=number) for number in (0, 1, 2, 3, 4, 50, 100)]))
    answered = draw(st.none() | moments)
    routes = draw(st.lists(st.sampled_from([RSS, PAGE, CATCHUP, OAI]), unique=True))
    return replace(
        BATCH,
        id=day.toordinal(),
        day=day,
        state=draw(st.sampled_from(BatchState)),
        asked_at=answered,
        answered_at=answered,
        answers=tuple(answer(draw(st.sampled_from(DayVerdict)), route=route) for route in routes),
    )


@given(
    routes_given,
    st.lists(batches(), max_size=4, unique_by=lambda batch: batch.id),
    st.sampled_from([ARXIV, FILLING, None]),
    moments,
    st.data(),
)
def test_nothing_is_asked_twice_and_no_route_that_is_paused_or_gone(
    routes: tuple[Route, ...],
    days: list[Batch],
    calendar: Calendar | None,
    now: datetime,
    drawn: st.DataObject,
) -> None:
    route_states = tuple(drawn.draw(states(route)) for route in routes if drawn.draw(st.booleans()))
    section = replace(SECTION, routes=route_states)

    requests = plan_requests(section, days, calendar, routes, now)

    # A day of which a route had nothing is asked for by date at once, unless that failed last.
    quiet = {day.day for day in days if QUIET in {day_answer.verdict for day_answer in day.answers}}
    assert len(set(requests)) == len(requests)
    for ask in requests:
        state = section.get_route(ask.route)
        assert not state.gone
        is_free = state.next_at is None or state.next_at <= now
        assert is_free or (ask.day in quiet and not state.errors)
        assert (ask.day is not None) == (calendar is not None and ask.route == CATCHUP.name)
    batches_by_day = {batch.day: batch for batch in days}
    for day in {ask.day for ask in requests if ask.day and route_states}:
        batch = batches_by_day[day]
        whole = {day_answer.route for day_answer in batch.answers if day_answer.verdict is WHOLE}
        # A complete day that no answer by date has confirmed, and one that looked empty early, are checked by date once.
        is_to_check = batch.state is BatchState.COMPLETE and CATCHUP.name not in whole
        assert is_outstanding(batch) or is_to_check or batch.state is BatchState.EMPTY


@given(
    st.sampled_from([ARXIV, FILLING]),
    st.lists(
        st.tuples(
            st.sampled_from([RSS, PAGE, CATCHUP]),
            st.sampled_from(DayVerdict),
            st.integers(0, 5),
            st.integers(0, 40),
        ),
        max_size=8,
    ),
)
def test_whatever_answers_come_a_day_that_was_closed_never_waits_again_and_nothing_received_is_lost(
    calendar: Calendar, come: list[tuple[Route, DayVerdict, int, int]]
) -> None:
    batch, now = BATCH, MIDNIGHT
    for route, verdict, more, pause in come:
        now += timedelta(hours=pause)
        received = batch.received + (0 if verdict is QUIET else more)
        after = apply_answer(batch, calendar, answer(verdict, route=route, at=now, listed=more), received)
        after = replace(after, state=resolve_state(after, calendar, LAPTOP, now))
        if batch.state is not WAITING:
            assert after.state is not WAITING
        if batch.state in {COMPLETE, PARTIAL}:
            assert after.state in {COMPLETE, PARTIAL}
        assert after.received == received
        assert after.late >= batch.late
        assert len({day_answer.route for day_answer in after.answers}) == len(after.answers)
        batch = after


# --- runs -----------------------------------------------------------------------------------------

RUN = Run(
    id=1,
    slot=1,
    period="2026-06-12T07:30",
    state=RunState.OPEN,
    fire_at=hours(1),
    made_at=hours(1),
)
HERE = frozenset({1})


def is_ready(run: Run, batch: Batch, now: datetime, *, all_fail: bool = False) -> bool:
    return is_ready_to_close(run, [batch], now, reachable_ids=HERE, all_fail=all_fail)


def test_a_run_waits_for_an_attempt_after_it_was_made() -> None:
    before = replace(BATCH, asked_at=RUN.made_at - timedelta(minutes=1))
    after = replace(BATCH, asked_at=RUN.made_at)

    assert not is_ready(RUN, BATCH, RUN.made_at)
    assert not is_ready(RUN, before, RUN.made_at)
    assert is_ready(RUN, after, RUN.made_at)


def test_with_latest_a_run_waits_for_the_papers_until_then() -> None:
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))
    tried = replace(BATCH, asked_at=run.made_at)

    assert not is_ready(run, tried, run.made_at + timedelta(hours=1))
    assert (tried,) == find_blocking_batches(run, [tried], reachable_ids=HERE)
    assert is_ready(run, tried, run.made_at + timedelta(hours=2))
    assert is_ready(run, replace(tried, state=BatchState.COMPLETE), run.made_at)


def test_with_latest_a_run_waits_for_no_small_section_that_has_nothing() -> None:
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))
    quiet = replace(BATCH, asked_at=run.made_at, answered_at=run.made_at)
    before = run.made_at - MOMENT

    assert is_ready(run, replace(quiet, usual=2), run.made_at)
    assert not is_ready(run, replace(quiet, usual=3), run.made_at)
    assert not is_ready(run, replace(quiet, usual=2, asked_at=before, answered_at=before), run.made_at)
    assert not is_ready(run, replace(quiet, usual=2, failure=FailureKind.UNREACHED), run.made_at)
    # Where nobody knows how many papers it usually has, it is not waited for once others have theirs.
    large = replace(BATCH, id=2, section="cs.LG", state=COMPLETE, received=96)
    assert find_blocking_batches(run, [quiet], reachable_ids=HERE) == (quiet,)
    assert find_blocking_batches(run, [quiet, large], reachable_ids=HERE) == ()


def test_with_latest_a_run_waits_for_small_sections_that_all_have_nothing() -> None:
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))
    quiet = replace(BATCH, asked_at=run.made_at, answered_at=run.made_at, usual=2)
    batches = [replace(quiet, id=number, section=f"cs.{number}") for number in range(3)]
    here = frozenset(range(3))

    assert find_blocking_batches(run, batches, reachable_ids=here) == tuple(batches)
    assert is_ready_to_close(run, batches, run.latest_at or run.made_at, reachable_ids=here, all_fail=False)
    # Once one has papers, the day is announced, and the others are quiet as usual.
    come = replace(batches[0], state=COMPLETE, received=1)
    assert find_blocking_batches(run, [come, *batches[1:]], reachable_ids=here) == ()
    # Together they are small still, or are known to have none, or another day or source has papers.
    assert (
        find_blocking_batches(run, [replace(batch, usual=0) for batch in batches], reachable_ids=here) == ()
    )
    empty = [replace(batch, state=EMPTY) for batch in batches[1:]]
    assert find_blocking_batches(run, [batches[0], *empty], reachable_ids=here) == ()
    other = replace(come, source="other")
    assert find_blocking_batches(run, [*batches[:2], other], reachable_ids=here) == tuple(batches[:2])


def test_what_no_route_can_bring_holds_nothing_back() -> None:
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))

    assert is_ready_to_close(run, [BATCH], run.made_at, reachable_ids=frozenset(), all_fail=False)


def test_while_every_source_fails_nothing_closes_for_three_hours_after_latest() -> None:
    tried = replace(BATCH, asked_at=RUN.made_at)
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))

    assert not is_ready(RUN, tried, RUN.made_at + timedelta(hours=2), all_fail=True)
    assert is_ready(RUN, tried, RUN.made_at + timedelta(hours=3), all_fail=True)
    assert not is_ready(run, tried, run.made_at + timedelta(hours=4), all_fail=True)
    assert is_ready(run, tried, run.made_at + timedelta(hours=5), all_fail=True)


def test_while_every_source_fails_nothing_is_held_for_papers_that_are_there_or_out_of_reach() -> None:
    tried = replace(BATCH, asked_at=RUN.made_at)
    complete = replace(BATCH, state=BatchState.COMPLETE)

    assert is_ready_to_close(RUN, [tried], RUN.made_at, reachable_ids=frozenset(), all_fail=True)
    assert is_ready_to_close(RUN, [complete], RUN.made_at, reachable_ids=HERE, all_fail=True)
    assert is_ready_to_close(RUN, [], RUN.made_at, reachable_ids=HERE, all_fail=True)


def test_a_run_that_waits_says_when_it_goes_out_whatever_has_come() -> None:
    with_latest = replace(RUN, latest_at=hours(3))

    assert get_closing_time(RUN, all_fail=False) is None
    assert get_closing_time(with_latest, all_fail=False) == hours(3)
    for run in (RUN, with_latest):
        held_until = get_closing_time(run, all_fail=True)
        assert held_until is not None
        assert not is_ready(run, BATCH, held_until - MOMENT, all_fail=True)
        assert is_ready(run, replace(BATCH, asked_at=held_until), held_until, all_fail=True)


def test_what_comes_again_after_days_in_a_small_section_is_no_older_day() -> None:
    def shown(number: int, kind: ListingKind, version: int = 0) -> ShownListing:
        return ShownListing(PaperKey(f"arxiv:2603.{number:05}"), kind, version)

    crossed, replaced = shown(1, ListingKind.CROSS), shown(2, ListingKind.REPLACE)
    before = {crossed, replaced, shown(3, ListingKind.NEW)}

    assert not is_older_day({crossed, shown(4, ListingKind.NEW)}, before)
    assert not is_older_day({replaced}, before)
    assert not is_older_day(set(), before)
    assert is_older_day({crossed, replaced}, before)
    assert is_older_day({crossed, shown(3, ListingKind.NEW)}, before)
