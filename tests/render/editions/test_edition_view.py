from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.model import Abstracts, Arrangement, BatchState, Edition, EditionPart, EventKind, MissedEdition
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.mail import make_mail, render_mail
from digest.render.editions.edition_view import (
    describe_edition_completeness,
    make_edition_view,
    make_whole_view,
)
from digest.render.editions.layout import ViewLimits, make_part_heading
from digest.render.editions.summary import format_counts
from digest.render.environment import make_environment
from digest.render.languages.locales import ENGLISH
from tests.render.samples import (
    FRIDAY,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_every_kind,
    make_item,
    make_reason,
)

THURSDAY = FRIDAY - timedelta(days=1)
HELD = make_batch("daily", BatchState.PARTIAL, source="hf", received=23, fills=True)


def test_counts_say_how_much_of_each_kind_there_is() -> None:
    assert (
        format_counts(make_edition_of_every_kind(), ENGLISH)
        == "2 new · 1 maybe · 2 picked · 1 new version · 1 publication · 1 with new code"
    )
    assert format_counts(
        make_edition(*(make_item(n, EditionPart.VERSIONS, kind=EventKind.PUBLISHED) for n in (1, 2))), ENGLISH
    ) == ("2 publications")
    assert format_counts(
        make_edition(*(make_item(n, EditionPart.VERSIONS, kind=EventKind.TRENDING) for n in (1, 2))), ENGLISH
    ) == ("2 trending")
    assert format_counts(make_edition(), ENGLISH) == "nothing new"


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        ([EventKind.VERSION], "New versions"),
        ([EventKind.PUBLISHED, EventKind.VERSION], "New versions and publications"),
        ([EventKind.CODE], "New code"),
        ([EventKind.TRENDING], "Trending papers"),
        ([EventKind.TRENDING, EventKind.CODE], "New code and trending papers"),
    ],
)
def test_news_about_papers_are_called_what_is_among_them(kinds: list[EventKind], text: str) -> None:
    assert (
        make_part_heading(
            EditionPart.VERSIONS, [make_item(1, EditionPart.VERSIONS, kind=kind) for kind in kinds], ENGLISH
        )
        == text
    )


def test_picks_have_a_heading_of_their_own() -> None:
    assert (
        make_part_heading(EditionPart.PICKED, [make_item(1, EditionPart.PICKED)], ENGLISH)
        == "Picked by the community"
    )


def test_a_paper_of_an_earlier_day_came_too_late() -> None:
    settled = describe_edition_completeness(
        make_edition(make_item(1, day=THURSDAY, late=True), make_item(2)), SITE
    ).settled

    assert settled[1:] == (
        "1 paper in this edition was announced on Thursday 11 June but arrived too late for the earlier edition.",
    )


def missed(*periods: str) -> tuple[MissedEdition, ...]:
    new_time = datetime(2026, 3, 10, 13, 5, tzinfo=UTC)
    return tuple(
        MissedEdition(edition=1, period=period, zone="Europe/Berlin", composed_at=new_time)
        for period in periods
    )


def linked(days: tuple[MissedEdition, ...]) -> tuple[MissedEdition, ...]:
    return tuple(
        replace(missed_edition, page=f"https://d.example/{at}") for at, missed_edition in enumerate(days)
    )


def said_of_missed(days: tuple[MissedEdition, ...]) -> tuple[str, list[tuple[str, str]]]:
    """The sentence about them, and its links."""
    undelivered_notice = make_edition_view(
        make_edition(missed=days), SITE, ViewLimits(Abstracts.NONE, full=0, lines=0)
    ).missed
    assert undelivered_notice is not None
    return undelivered_notice.said, [*undelivered_notice.ways]


@pytest.mark.parametrize(
    ("period", "message"),
    [
        ("2026-03-10T07:30", "Your edition of Tuesday 10 March could not be delivered."),
        ("2026-03-09T23:30:00+00:00", "Your edition of Tuesday 10 March could not be delivered."),
        ("alert-77", "Your alert of Tuesday 10 March at 14:05 could not be delivered."),
    ],
)
def test_what_did_not_arrive_is_named_by_its_day(period: str, message: str) -> None:
    assert said_of_missed(missed(period)) == (message, [])
    assert said_of_missed(linked(missed(period))) == (message, [("Read it here", "https://d.example/0")])


def test_several_that_did_not_arrive_are_one_sentence() -> None:
    days = missed("2026-03-09T07:30", "2026-03-10T07:30", "alert-77")

    assert said_of_missed(days) == (
        (
            "Not delivered: the edition of Monday 9 March, the edition of Tuesday 10 March and "
            "the alert of Tuesday 10 March at 14:05."
        ),
        [],
    )
    assert said_of_missed(linked(days)) == (
        "3 of your editions could not be delivered; read them here:",
        [
            *(("Monday 9 March", "https://d.example/0"),),
            *(("Tuesday 10 March", "https://d.example/1"),),
            *(("alert of Tuesday 10 March at 14:05", "https://d.example/2"),),
        ],
    )


def test_of_many_that_did_not_arrive_the_last_ones_are_named_and_the_others_counted() -> None:
    days = missed(*(f"2026-03-{day:02}T07:30" for day in range(2, 12)))

    plain, _ = said_of_missed(days)
    message, ways = said_of_missed(linked(days))

    assert plain.startswith("Not delivered: 3 earlier ones, the edition of Thursday 5 March, ")
    assert plain.endswith("the edition of Tuesday 10 March and the edition of Wednesday 11 March.")
    assert message == "10 of your editions could not be delivered; read the last 7 here:"
    assert [day for day, _ in ways] == [
        *("Thursday 5 March", "Friday 6 March", "Saturday 7 March", "Sunday 8 March"),
        *("Monday 9 March", "Tuesday 10 March", "Wednesday 11 March"),
    ]


# --- preheader ------------------------------------------------------------------------------------


def test_a_preheader_has_the_first_titles_of_the_mail_in_its_order() -> None:
    follows = ["a", "b", "a", "c", "b"]
    items = [
        make_item(number, title=f"Title {number}", reasons=[make_reason(follow)])
        for number, follow in enumerate(follows, start=1)
    ]
    edition = make_edition(*items, arrange=Arrangement.BY_FOLLOW)
    to: dict[str, Any] = {"delivery": 1, "recipient": "me@example.org", "message_id": "<1@example.org>"}
    environment = make_environment()

    mail = render_mail(environment, edition, SITE).html

    assert "Title 1 · Title 3 · Title 2</div>" in mail
    assert re.findall(r"<h3.*>(Title \d)<", mail) == [f"Title {number}" for number in (1, 3, 2, 5, 4)]
    assert MailCache(environment, SITE).make_mail(edition, **to) == make_mail(
        environment, edition, SITE, **to
    )


def preheader(*titles: str) -> str:
    edition = make_edition(*(make_item(number, title=title) for number, title in enumerate(titles, start=1)))
    return make_whole_view(edition, SITE).preheader


def test_beside_the_subject_stand_the_titles_of_the_first_papers() -> None:
    assert preheader() == ""
    assert preheader("One", r"Erd\H{o}s", "Three", "Four") == "One · Erdős · Three"


@given(st.lists(st.text(max_size=200), max_size=4))
def test_a_preheader_has_at_most_200_characters(titles: list[str]) -> None:
    assert len(preheader(*titles)) <= 200


# --- papers ---------------------------------------------------------------------------------------


def five_and_two(arrange: Arrangement = Arrangement.RANKED) -> Edition:
    """An edition of five papers, and two that have only a line."""
    return make_edition(
        *(make_item(number) for number in range(1, 6)), overflow=(make_item(6), make_item(7)), arrange=arrange
    )


@pytest.mark.parametrize("arrange", list(Arrangement))
def test_a_mail_has_its_first_papers_apart_from_further_ones_and_lines(arrange: Arrangement) -> None:
    view = make_edition_view(five_and_two(arrange), SITE, ViewLimits(Abstracts.KEY, 4, 2))

    featured = [paper.number for section in view.featured_sections for paper in section.papers]
    further = [paper.number for section in view.further_sections for paper in section.papers]
    assert (featured, further, [paper.number for paper in view.rest]) == (["1", "2", "3"], ["4"], ["5", "6"])
    assert (*view.featured_sections, *view.further_sections) == view.sections
    assert view.titles == ()


def test_papers_without_room_are_counted_and_linked_to_if_there_is_a_page() -> None:
    limits = ViewLimits(Abstracts.KEY, 4, 2)

    on_page, without_page = (
        make_edition_view(five_and_two(), SITE, limits, on_page=on_page) for on_page in (True, False)
    )

    assert (on_page.more, on_page.unshown) == ("1 more on the page", "")
    assert (without_page.more, without_page.unshown) == ("", "1 more matching paper is not shown.")


@pytest.mark.parametrize("arrange", list(Arrangement))
def test_a_whole_view_has_all_papers_with_their_abstracts_as_chosen(arrange: Arrangement) -> None:
    whole, without = (
        make_whole_view(five_and_two(arrange), SITE, abstracts)
        for abstracts in (Abstracts.FULL, Abstracts.NONE)
    )

    [section] = whole.sections
    assert [paper.abstract.text for paper in section.papers] == [
        f"We compress the KV cache number {number}. It costs O(n)." for number in range(1, 6)
    ]
    assert [paper.number for paper in whole.rest] == ["6", "7"]
    assert [paper.abstract.text for paper in without.sections[0].papers] == [""] * 5
    assert (whole.more, whole.unshown) == ("", "")
