"""Whatever the arrangement, an edition shows each paper once, the first ones with more room than the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.model import Abstracts, Arrangement, Confidence, Edition, EditionPart, Frequency, Item, Reason
from digest.render.editions.layout import (
    FEATURED_COUNT,
    Layout,
    PlacedItem,
    ViewLimits,
    make_layout,
    make_part_heading,
)
from digest.render.editions.overview import has_overview
from digest.render.languages.locales import ENGLISH
from digest.render.papers.paper_view import LINE, PaperSize, PaperStyle
from tests.render.samples import FRIDAY, make_edition, make_item, make_reason

NO_LIMITS = ViewLimits(Abstracts.KEY, 100, 100)
WHOLE_EDITION = NO_LIMITS._replace(is_whole=True, featured=0)
FREQUENCIES = [Frequency.DAILY, Frequency.WEEKLY]
FOLLOWS = ["maybe", "KV cache", "papers", "Wencong  Xiao"]


def lay_out(edition: Edition, view_limits: ViewLimits = NO_LIMITS) -> Layout:
    return make_layout(edition, view_limits, ENGLISH)


def follow(*reasons: tuple[str, Confidence], number: int = 1) -> Item:
    """A paper with a reason for each follow."""
    return make_item(number, reasons=[make_reason(name, confidence) for name, confidence in reasons])


def by_follow(*items: Item, **fields: object) -> Edition:
    return make_edition(*items, arrange=Arrangement.BY_FOLLOW, **fields)


def follows(*names: str) -> Edition:
    """An edition by follow of papers that match one follow each."""
    return by_follow(
        *(follow((name, Confidence.SURELY), number=number) for number, name in enumerate(names, start=1))
    )


def outline(layout: Layout) -> list[tuple[str, list[int]]]:
    """Headings and the numbers of the papers below them; a section without a heading or with the same one continues the one before."""
    found: list[tuple[str, list[int]]] = []
    for section in layout.sections:
        numbers = [placed.number for placed in section.items]
        if found and section.heading in {"", found[-1][0]}:
            found[-1][1].extend(numbers)
        else:
            found.append((section.heading, numbers))
    return found


def list_placed(layout: Layout) -> list[PlacedItem]:
    return [placed for section in layout.sections for placed in section.items]


@st.composite
def editions(draw: st.DrawFn, arrangements: Sequence[Arrangement] = tuple(Arrangement)) -> Edition:
    """Any edition; its papers come part by part, and those that waited come first."""
    reasons = st.builds(make_reason, st.sampled_from(FOLLOWS), st.sampled_from(Confidence))
    kinds = draw(
        st.lists(
            st.tuples(
                st.booleans(),
                st.sampled_from(EditionPart),
                st.lists(reasons, max_size=3),
                st.integers(0, 2),
            ),
            max_size=20,
        )
    )
    order = list(EditionPart)
    kinds.sort(key=lambda kind: (not kind[0], order.index(kind[1])))
    items = [
        replace(make_item(number, part, found, day=FRIDAY - timedelta(days=days)), waited=waited)
        for number, (waited, part, found, days) in enumerate(kinds, start=1)
    ]
    count = draw(st.integers(0, 5))
    overflow = tuple(make_item(len(items) + number) for number in range(1, count + 1))
    arrange, frequency = draw(st.sampled_from(arrangements)), draw(st.sampled_from(FREQUENCIES))
    return make_edition(*items, overflow=overflow, arrange=arrange, frequency=frequency)


LIMITS = st.builds(
    ViewLimits,
    st.sampled_from(Abstracts),
    st.integers(0, 25),
    st.integers(0, 25),
    st.booleans(),
    st.sampled_from([0, FEATURED_COUNT]),
)
MAIL_LIMITS = LIMITS.map(lambda limits: limits._replace(is_whole=False, featured=FEATURED_COUNT))


# --- every paper once -----------------------------------------------------------------------------


@given(editions(), LIMITS)
def test_each_paper_within_the_limits_is_shown_once(edition: Edition, view_limits: ViewLimits) -> None:
    layout = lay_out(edition, view_limits)

    whole = (*edition.items, *edition.overflow)
    full = min(view_limits.full, len(edition.items))
    assert sorted(placed.item.event.seq for placed in list_placed(layout)) == list(range(1, full + 1))
    assert [placed.item for placed in layout.lines] == [*whole[full : full + view_limits.lines]]
    assert sorted(item.event.seq for item in layout.items) == list(range(1, full + len(layout.lines) + 1))


@given(editions(), LIMITS)
def test_a_paper_has_its_number_in_the_edition_wherever_it_stands(
    edition: Edition, view_limits: ViewLimits
) -> None:
    layout = lay_out(edition, view_limits)

    assert all(placed.number == placed.item.event.seq for placed in (*list_placed(layout), *layout.lines))


@given(editions([Arrangement.RANKED]), LIMITS)
def test_papers_by_rank_stand_in_their_order(edition: Edition, view_limits: ViewLimits) -> None:
    numbers = [placed.number for placed in list_placed(lay_out(edition, view_limits))]

    assert numbers == sorted(numbers)


# --- room -----------------------------------------------------------------------------------------


@given(editions(), MAIL_LIMITS)
def test_the_first_three_papers_of_a_mail_are_featured(edition: Edition, view_limits: ViewLimits) -> None:
    layout = lay_out(edition, view_limits)

    sizes = [placed.style.size for placed in list_placed(layout)]
    featured_count = min(FEATURED_COUNT, view_limits.full, len(edition.items))
    assert FEATURED_COUNT == 3
    assert sizes == [
        *[PaperSize.FEATURED] * featured_count,
        *[PaperSize.COMPACT] * (len(sizes) - featured_count),
    ]
    for section in layout.sections:
        assert {placed.style.size is PaperSize.FEATURED for placed in section.items} == {section.is_featured}
    assert all(placed.style == LINE for placed in layout.lines)


@given(editions(), LIMITS)
def test_on_a_page_no_paper_has_more_room_than_another(edition: Edition, view_limits: ViewLimits) -> None:
    layout = lay_out(edition, view_limits._replace(is_whole=True))

    assert all(placed.style.size is PaperSize.FULL for placed in list_placed(layout))


@given(editions(), LIMITS)
def test_papers_show_as_much_of_their_abstracts_as_the_reader_chose(
    edition: Edition, view_limits: ViewLimits
) -> None:
    placed_items = list_placed(lay_out(edition, view_limits))

    assert all(placed.style.abstracts is view_limits.abstracts for placed in placed_items)


@pytest.mark.parametrize("arrange", list(Arrangement))
def test_only_papers_of_earlier_days_show_their_day(arrange: Arrangement) -> None:
    days = [FRIDAY, FRIDAY - timedelta(days=1), FRIDAY, FRIDAY - timedelta(days=3)]
    items = [make_item(number, day=day) for number, day in enumerate(days, start=1)]

    placed_items = list_placed(lay_out(make_edition(*items, arrange=arrange)))

    assert [placed.style.shows_day for placed in placed_items] == [False, True, False, True]


def test_papers_of_one_earlier_day_are_the_newest_of_their_edition() -> None:
    items = [make_item(number, day=FRIDAY - timedelta(days=1)) for number in (1, 2)]

    assert not any(placed.style.shows_day for placed in list_placed(lay_out(make_edition(*items))))


def test_a_featured_paper_and_a_compact_one_differ_only_in_their_room() -> None:
    layout = lay_out(make_edition(*(make_item(number) for number in range(1, 5))))

    assert [placed.style for placed in list_placed(layout)[2:]] == [
        PaperStyle(PaperSize.FEATURED, Abstracts.KEY),
        PaperStyle(PaperSize.COMPACT, Abstracts.KEY),
    ]


# --- headings -------------------------------------------------------------------------------------


@given(editions(), LIMITS)
def test_no_heading_comes_twice_on_a_side_of_the_overview(edition: Edition, view_limits: ViewLimits) -> None:
    headings = [
        (section.heading, section.is_featured)
        for section in lay_out(edition, view_limits).sections
        if section.heading
    ]

    assert len(headings) == len(set(headings))


@given(editions(), LIMITS)
def test_papers_after_an_overview_have_a_heading_of_their_own(
    edition: Edition, view_limits: ViewLimits
) -> None:
    """They would look like a part of it otherwise."""
    sections = lay_out(edition, view_limits).sections
    further = [section.heading for section in sections if not section.is_featured]

    assert not has_overview(edition) or all(further)


def test_papers_without_a_follow_have_the_headings_of_their_parts() -> None:
    """A community's picks match no follow."""
    picked = [replace(make_item(number, EditionPart.PICKED), reasons=()) for number in (2, 3)]

    assert outline(lay_out(by_follow(follow(("KV cache", Confidence.SURELY)), *picked))) == [
        ("KV cache", [1]),
        ("Picked by the community", [2, 3]),
    ]


@given(editions(), LIMITS)
def test_a_section_without_a_heading_is_the_first_or_continues_the_featured_one(
    edition: Edition, view_limits: ViewLimits
) -> None:
    sections = lay_out(edition, view_limits).sections

    for before, section in pairwise(sections):
        assert section.heading or (before.is_featured and not section.is_featured)


@given(editions(), LIMITS)
def test_no_section_is_empty(edition: Edition, view_limits: ViewLimits) -> None:
    assert all(section.items for section in lay_out(edition, view_limits).sections)


def test_an_edition_without_papers_has_no_section() -> None:
    assert lay_out(make_edition()) == Layout(sections=(), lines=())


@pytest.mark.parametrize("arrange", list(Arrangement))
def test_a_section_with_featured_and_other_papers_has_one_heading(arrange: Arrangement) -> None:
    items = [make_item(number, EditionPart.PICKED) for number in range(1, 6)]

    sections = lay_out(make_edition(*items, arrange=arrange)).sections

    heading = "KV cache" if arrange is Arrangement.BY_FOLLOW else "Picked by the community"
    assert [(section.heading, len(section.items), section.is_featured) for section in sections] == [
        (heading, 3, True),
        ("", 2, False),
    ]


def test_featured_papers_of_several_parts_stand_under_their_headings() -> None:
    parts = [EditionPart.SURELY, EditionPart.MAYBE, EditionPart.PICKED, EditionPart.VERSIONS]
    items = [make_item(number, part) for number, part in enumerate(parts, start=1)]

    sections = lay_out(make_edition(*items)).sections

    assert [(section.heading, section.is_featured) for section in sections] == [
        ("", True),
        ("Maybe: initials or namesakes", True),
        ("Picked by the community", True),
        ("New versions", False),
    ]


def test_papers_that_waited_come_first_under_a_heading_and_then_new_ones_need_one_too() -> None:
    waited = replace(make_item(1, EditionPart.MAYBE), waited=True)

    layout = lay_out(make_edition(waited, make_item(2), make_item(3)))

    assert outline(layout) == [("Left over from the last edition", [1]), ("New papers", [2, 3])]


def test_a_heading_of_news_names_what_is_shown_below_it() -> None:
    items = [make_item(number, EditionPart.VERSIONS, withdrawn=True) for number in (1, 2)]

    assert outline(lay_out(make_edition(*items))) == [
        (make_part_heading(EditionPart.VERSIONS, items, ENGLISH), [1, 2])
    ]


# --- by follow ------------------------------------------------------------------------------------


def find_strongest(item: Item) -> Reason:
    best = max(reason.confidence for reason in item.reasons)
    return next(reason for reason in item.reasons if reason.confidence == best)


@given(editions([Arrangement.BY_FOLLOW]), LIMITS)
def test_by_follow_each_paper_stands_under_its_strongest_reason(
    edition: Edition, view_limits: ViewLimits
) -> None:
    for heading, numbers in outline(lay_out(edition, view_limits)):
        for number in numbers:
            assert heading == " ".join(find_strongest(edition.items[number - 1]).follow.split())


@given(editions([Arrangement.BY_FOLLOW]), LIMITS)
def test_by_follow_the_follow_of_the_best_paper_comes_first(
    edition: Edition, view_limits: ViewLimits
) -> None:
    groups = [numbers for _, numbers in outline(lay_out(edition, view_limits))]

    assert all(numbers == sorted(numbers) for numbers in groups)
    assert [numbers[0] for numbers in groups] == sorted(min(numbers) for numbers in groups)


@given(st.lists(st.sampled_from(FOLLOWS), max_size=12))
def test_the_arrangement_of_a_mail_and_of_its_page_is_the_same(names: list[str]) -> None:
    edition = follows(*names)

    assert outline(lay_out(edition)) == outline(lay_out(edition, WHOLE_EDITION))


def test_of_equally_strong_reasons_the_first_counts() -> None:
    sure, maybe = Confidence.SURELY, Confidence.MAYBE
    edition = by_follow(follow(("a", maybe), ("b", sure), ("c", sure)))

    assert outline(lay_out(edition)) == [("b", [1])]


def test_a_follow_named_maybe_is_a_heading_like_any_other() -> None:
    assert outline(lay_out(follows("maybe", "KV cache", "maybe", "KV cache"))) == [
        ("maybe", [1, 3]),
        ("KV cache", [2, 4]),
    ]


def test_by_follow_the_first_three_papers_are_featured_whatever_their_numbers() -> None:
    layout = lay_out(follows("a", "b", "a", "a", "b"))

    assert [
        (section.heading, [placed.number for placed in section.items], section.is_featured)
        for section in layout.sections
    ] == [("a", [1, 3, 4], True), ("b", [2, 5], False)]


def test_by_follow_parts_are_no_headings() -> None:
    items = [make_item(1), make_item(2, EditionPart.MAYBE), make_item(3, EditionPart.PICKED)]

    assert outline(lay_out(by_follow(*items))) == [("KV cache", [1, 2, 3])]


def test_by_follow_lines_keep_their_order_without_headings() -> None:
    edition = follows("a", "b", "a", "b", "a")

    layout = lay_out(edition, ViewLimits(Abstracts.KEY, 2, 2))

    assert outline(layout) == [("a", [1]), ("b", [2])]
    assert [placed.number for placed in layout.lines] == [3, 4]
