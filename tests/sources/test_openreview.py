"""Venues of OpenReview, for who has a login: it is the first page of each series, and is kept nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.core.papers.identity.ids import make_page_key
from digest.errors import OptionError, SourceError
from digest.model import Ask, Paper
from digest.ports import Page, Request, Response
from digest.sources.openreview import PAGE_SIZE, Source
from tests.support.cases import for_each_case

NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)
ICLR = "ICLR.cc/2027/Conference"
SOURCE = Source(venues=(ICLR,), username="me@example.org", password="s3cret")
ASK = Ask(source="openreview", section=ICLR, route="notes")
TOKEN = "t0ken"


def answer(document: object, status: int = 200) -> Response:
    return Response(status=status, headers=(), body=json.dumps(document).encode())


def note(number: int = 1, **content: Any) -> dict[str, Any]:
    """A note as the second version of the API gives it; written from its documentation."""
    fields = {
        "title": f"On Things, part {number}",
        "abstract": "We do\n things.",
        "authors": ["Ada Lovelace", "Charles Babbage"],
        "authorids": ["~Ada_Lovelace1", "charles@example.org"],
        "venue": "ICLR 2027 Poster",
        "venueid": ICLR,
        "pdf": f"/pdf/{number}.pdf",
    } | content
    wrapped = {name: {"value": value} for name, value in fields.items()}
    return {"id": f"note{number}", "forum": f"note{number}", "pdate": 1788739200000, "content": wrapped}


def logged_in() -> Request:
    page = SOURCE.read(SOURCE.start(ASK, "", NOW), answer({"token": TOKEN, "user": {}}))
    assert page.next is not None
    return page.next


def read(*notes: object) -> Page:
    return SOURCE.read(logged_in(), answer({"notes": list(notes)}))


def paper(**content: Any) -> Paper:
    (listing,) = read(note(**content)).announced[0].listings
    return listing.paper


@for_each_case(
    ("options", "key"),
    [
        ({"venues": [], "username": "a", "password": "b"}, "venues"),
        ({"venues": ["ICLR 2027"], "username": "a", "password": "b"}, "venues[0]"),
        ({"venues": [ICLR], "username": "", "password": "b"}, "username"),
        ({"venues": [ICLR], "username": "a", "password": ""}, "password"),
        ({"venues": [ICLR], "username": "a"}, "password"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


def test_a_login_comes_first_and_its_token_is_kept_nowhere() -> None:
    first, second = SOURCE.start(ASK, "", NOW), logged_in()

    assert (first.method, urlsplit(first.url).path) == ("POST", "/login")
    assert json.loads(first.content) == {"id": "me@example.org", "password": "s3cret"}
    assert (second.method, second.content) == ("GET", b"")
    assert second.headers == (("Authorization", f"Bearer {TOKEN}"),)
    text = "".join((repr(first), repr(second), repr(SOURCE), second.url, second.cursor))
    assert TOKEN not in text
    assert "s3cret" not in text


def test_notes_are_asked_for_by_venue_and_those_that_changed_last_come_first() -> None:
    fields = parse_qs(urlsplit(logged_in().url).query)

    assert (fields["content.venueid"], fields["sort"]) == ([ICLR], ["tmdate:desc"])
    assert "mintcdate" not in fields, "a paper was made months before it is accepted"


def test_pages_end_where_nothing_has_changed_since_we_last_asked() -> None:
    def changed(day: date) -> dict[str, Any]:
        return note() | {"tmdate": int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)}

    new, old = changed(date(2026, 8, 9)), changed(date(2026, 8, 8))
    assert read(*[new] * PAGE_SIZE).next is not None
    last = read(*[new] * (PAGE_SIZE - 1), old)
    assert (last.next, last.cursor) == (None, "2026-09-08")


def test_a_note_is_a_paper_with_all_that_is_known_of_it() -> None:
    found_paper = paper()

    assert found_paper.key == make_page_key("https://openreview.net/forum?id=note1")
    assert (found_paper.title, found_paper.abstract) == ("On Things, part 1", "We do things.")
    assert [(author.name, author.ids) for author in found_paper.authors] == [
        ("Ada Lovelace", (("openreview", "~Ada_Lovelace1"),)),
        ("Charles Babbage", ()),
    ]
    assert (found_paper.url, found_paper.pdf_url) == (
        "https://openreview.net/forum?id=note1",
        "https://openreview.net/pdf/1.pdf",
    )
    assert found_paper.journal_ref == "ICLR 2027 Poster"


def test_what_is_only_submitted_tells_of_no_publication_and_what_was_withdrawn_is() -> None:
    assert paper(venue="Submitted to ICLR 2027").journal_ref == ""
    assert paper(venueid=f"{ICLR}/Withdrawn_Submission").withdrawn


def test_what_is_on_arxiv_is_arxivs_paper() -> None:
    assert paper(html="https://arxiv.org/abs/2312.07559").key == "arxiv:2312.07559"


def test_recorded_notes_are_read(data: Path) -> None:
    body = (data / "openreview" / "search_notes_v2_excerpt.json").read_bytes()
    page = SOURCE.read(logged_in(), Response(status=200, headers=(), body=body))

    papers = [listing.paper for listing in page.announced[0].listings]
    assert [dict(paper.ids)["openreview"] for paper in papers] == ["k7l7p1yVZj", "s7kNuWIB09"]
    assert [paper.journal_ref for paper in papers] == ["", "Interspeech 2021"]
    assert {len(paper.authors) for paper in papers} == {5}


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (
            answer({"name": "InvalidCredentialsError", "message": "Invalid username or password"}, 400),
            "Invalid username",
        ),
        (answer({"user": {}}), "no token"),
        (Response(status=200, headers=(), body=b"<html>"), "a web page"),
    ],
)
def test_a_login_that_fails_is_told(response: Response, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        SOURCE.read(SOURCE.start(ASK, "", NOW), response)


def test_an_answer_that_is_no_list_is_refused() -> None:
    with pytest.raises(SourceError):
        SOURCE.read(logged_in(), answer({"count": 3}))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*note(), *note()["content"], "value"]), inner, max_size=5)
        ),
        max_leaves=12,
    )
)
def test_a_note_of_any_shape_is_read_or_told(told: object) -> None:
    broken = note() | told if isinstance(told, dict) else told
    page = read(broken)

    assert len(page.announced[0].listings) + len(page.unread) == 1


def pages(served: list[dict[str, Any]]) -> Iterator[Page]:
    request: Request | None = logged_in()
    while request is not None:
        start = int(parse_qs(urlsplit(request.url).query)["offset"][0])
        page = SOURCE.read(request, answer({"notes": served[start : start + PAGE_SIZE]}))
        yield page
        request = page.next


@for_each_case("count", [0, 1, PAGE_SIZE, PAGE_SIZE + 1])
def test_each_note_comes_once_and_the_next_time_begins_where_this_one_ended(count: int) -> None:
    *_, last = found_pages = list(pages([note(n) for n in range(count)]))

    titles = [listing.paper.title for page in found_pages for listing in page.announced[0].listings]
    assert titles == [f"On Things, part {number}" for number in range(count)]
    later = SOURCE.start(ASK, last.cursor, NOW + timedelta(days=5))
    assert later.cursor.split()[1:] == ["2026-09-06", "2026-09-13"]
