from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.news import PastEvent, create_growth_events, create_listing_event
from digest.model import EventKind, ListingKind, Paper, PaperKey
from tests.support.cases import for_each_case

DAY = date(2026, 6, 12)
PAPER = Paper(key=PaperKey("arxiv:2606.00001"), title="T", url="u", categories=("cs.LG",))
FULLER = replace(PAPER, categories=("cs.LG", "cs.DC"))
NEW = PastEvent(EventKind.NEW, 0, DAY)


def days(count: int) -> date:
    return DAY + timedelta(days=count)


def listed(kind: ListingKind, *past: PastEvent, version: int = 2, day: date = DAY) -> PastEvent | None:
    return create_listing_event(kind, version, day, PAPER, past)


@for_each_case(
    ("kind", "event"),
    [
        (ListingKind.NEW, EventKind.NEW),
        (ListingKind.CROSS, EventKind.NEW),
        (ListingKind.REPLACE, EventKind.VERSION),
        (ListingKind.REPLACE_CROSS, EventKind.VERSION),
        (ListingKind.PICKED, EventKind.PICKED),
        (ListingKind.PUBLISHED, EventKind.PUBLISHED),
    ],
)
def test_each_kind_of_listing_tells_of_its_own_thing(kind: ListingKind, event: EventKind) -> None:
    assert listed(kind) == PastEvent(event, 2 if event is EventKind.VERSION else 0, DAY)


@for_each_case("kind", [ListingKind.NEW, ListingKind.CROSS, ListingKind.PICKED, ListingKind.PUBLISHED])
def test_new_picked_and_published_are_told_once_whenever(kind: ListingKind) -> None:
    first = listed(kind)
    assert first is not None

    assert listed(kind, first, day=days(400)) is None


def test_each_kind_is_told_for_itself() -> None:
    picked = PastEvent(EventKind.PICKED, 0, DAY)

    assert listed(ListingKind.NEW, picked) == NEW
    assert listed(ListingKind.PICKED, NEW) == picked


@for_each_case(
    ("version", "day", "document"),
    [
        (2, DAY, False),
        (2, days(30), False),
        # Another route may give the version of that day another number.
        (3, DAY, False),
        (3, days(1), True),
        # A list that comes late may be of a version before.
        (1, days(-1), True),
    ],
)
def test_a_version_is_told_once_and_one_a_day(version: int, day: date, *, document: bool) -> None:
    past_event = listed(ListingKind.REPLACE, PastEvent(EventKind.VERSION, 2, DAY), version=version, day=day)

    assert past_event == (PastEvent(EventKind.VERSION, version, day) if document else None)


def test_a_withdrawn_paper_is_never_new_and_its_version_is_told() -> None:
    withdrawn = replace(PAPER, withdrawn=True)

    assert create_listing_event(ListingKind.NEW, 1, DAY, withdrawn, ()) is None
    assert create_listing_event(ListingKind.CROSS, 1, DAY, withdrawn, ()) is None
    assert create_listing_event(ListingKind.REPLACE, 2, DAY, withdrawn, ()) == PastEvent(
        EventKind.VERSION, 2, DAY
    )
    assert create_growth_events(PAPER, replace(FULLER, withdrawn=True), DAY, [NEW]) == ()


@for_each_case(
    ("before", "past", "day", "grown"),
    [
        (PAPER, [NEW], DAY, True),
        (PAPER, [NEW], days(30), True),
        (PAPER, [NEW], days(31), False),
        (PAPER, [], DAY, False),
        (PAPER, [PastEvent(EventKind.VERSION, 2, DAY)], DAY, False),
        (None, [NEW], DAY, False),
        (FULLER, [NEW], DAY, False),
    ],
)
def test_growth_is_told_for_thirty_days_of_a_paper_that_was_new_here(
    before: Paper | None, past: list[PastEvent], day: date, *, grown: bool
) -> None:
    expected = (PastEvent(EventKind.GROWN, 1, day),) if grown else ()

    assert create_growth_events(before, FULLER, day, past) == expected


def test_growths_are_numbered_after_the_greatest_also_where_some_are_another_papers_now() -> None:
    second = PastEvent(EventKind.GROWN, 2, DAY)

    assert create_growth_events(PAPER, FULLER, DAY, [NEW, second]) == (PastEvent(EventKind.GROWN, 3, DAY),)


def test_a_publication_and_code_are_told_once_however_late() -> None:
    paper = replace(PAPER, doi="10.1000/one", code_urls=("https://github.com/a/b",))
    past_events = create_growth_events(PAPER, paper, days(400), [NEW])

    assert past_events == (
        PastEvent(EventKind.PUBLISHED, 0, days(400)),
        PastEvent(EventKind.CODE, 0, days(400)),
    )
    assert create_growth_events(PAPER, paper, days(500), [NEW, *past_events]) == ()


@given(
    st.lists(
        st.tuples(st.sampled_from(ListingKind), st.integers(1, 3), st.integers(0, 3), st.booleans()),
        max_size=12,
    )
)
def test_whatever_comes_no_kind_and_number_is_told_twice(
    come: list[tuple[ListingKind, int, int, bool]],
) -> None:
    past: list[PastEvent] = []
    for kind, version, after, grows in come:
        event = create_listing_event(kind, version, days(after), PAPER, past)
        growth = create_growth_events(PAPER, FULLER if grows else PAPER, days(after), past)
        past += [*([event] if event else []), *growth]

    assert len({(past_event.kind, past_event.number) for past_event in past}) == len(past)
