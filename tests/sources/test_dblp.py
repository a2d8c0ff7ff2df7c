"""Publications of persons and venues by DBLP; that it lets in only browsers is told, and what to do."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.errors import OptionError, SourceError
from digest.model import Ask
from digest.ports import Page, Request, Response
from digest.sources.dblp import PAGE_SIZE, Source
from tests.support.cases import for_each_case

NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)
DBLP = Source(persons=("65/9612",), venues=("conf/sosp",))
PERSON = Ask(source="dblp", section="65/9612", route="records")
VENUE = replace(PERSON, section="conf/sosp")


def record(number: int = 1, *, year: int = 2026, ee: str = "", title: str = "") -> str:
    """A publication on a person's page; written from https://dblp.org/faq/1474690.html."""
    return f"""<r><inproceedings key="conf/sosp/Lovelace{number}" mdate="2026-09-07">
<author pid="65/9612">Ada Lovelace</author><author pid="w/WeiWang-1">Wei Wang 0001</author>
<title>{title or f"On <i>Things</i>, part {number}."}</title><pages>525-535</pages><year>{year}</year>
<booktitle>SOSP</booktitle><ee>{ee or f"https://doi.org/10.1145/{number}"}</ee></inproceedings></r>"""


def page_of(*records: str) -> Response:
    body = f'<?xml version="1.0"?>\n<dblpperson name="Ada Lovelace" pid="65/9612">{"".join(records)}</dblpperson>'
    return Response(status=200, headers=(), body=body.encode())


def read(*records: str) -> Page:
    return DBLP.read(DBLP.start(PERSON, "", NOW), page_of(*records))


def hit(number: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "info": {
            "authors": {"author": [{"@pid": "65/9612", "text": "Ada Lovelace"}, "Wei Wang 0001"]},
            "title": f"On Things, part {number}.",
            "venue": "SOSP",
            "pages": "525-535",
            "year": "2026",
            "type": "Conference and Workshop Papers",
            "key": f"conf/sosp/L{number}",
            "doi": f"10.1145/{number}",
            "ee": f"https://doi.org/10.1145/{number}",
        }
        | fields
    }


def hits(results: list[Any] | dict[str, Any], total: int | None = None) -> Response:
    count = {"@total": str(len(results) if total is None else total)}
    fields = {"result": {"hits": count | ({"hit": results} if results else {})}}
    return Response(status=200, headers=(), body=json.dumps(fields).encode())


@for_each_case(
    ("options", "key"),
    [
        ({}, "persons"),
        ({"persons": ["Ada Lovelace"]}, "persons[0]"),
        ({"venues": ["conf/sosp", "SOSP"]}, "venues[1]"),
        ({"persons": ["65/9612"], "url": "dblp"}, "url"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


def test_a_person_is_asked_for_by_page_and_a_venue_by_search() -> None:
    assert DBLP.start(PERSON, "", NOW).url == "https://dblp.org/pid/65/9612.xml"
    fields = parse_qs(urlsplit(DBLP.start(VENUE, "", NOW).url).query)
    assert fields["q"] == ["stream:streams/conf/sosp: year:2026:"]


def test_a_record_is_a_paper_with_all_that_is_known_of_it() -> None:
    (listing,) = read(record()).announced[0].listings
    paper = listing.paper

    assert (paper.key, paper.doi, paper.url) == ("doi:10.1145/1", "10.1145/1", "https://doi.org/10.1145/1")
    assert paper.title == "On Things, part 1"
    assert [(author.name, author.ids) for author in paper.authors] == [
        ("Ada Lovelace", (("dblp", "65/9612"),)),
        ("Wei Wang", (("dblp", "w/WeiWang-1"),)),
    ]
    assert paper.journal_ref == "SOSP, 525-535 (2026)"
    assert paper.ids == (("dblp", "conf/sosp/Lovelace1"),)
    assert listing.published_at is not None
    assert listing.published_at.date() == date(2026, 9, 7)


def test_what_is_on_arxiv_is_arxivs_paper() -> None:
    (listing,) = read(record(ee="https://doi.org/10.48550/arXiv.2312.07559")).announced[0].listings

    assert (listing.paper.key, listing.paper.doi) == ("arxiv:2312.07559", "")
    assert listing.paper.url == "https://arxiv.org/abs/2312.07559"


def test_what_appeared_years_ago_is_not_new() -> None:
    years = [
        listing.paper.journal_ref[-5:-1]
        for listing in read(*(record(y, year=y) for y in range(2020, 2028))).announced[0].listings
    ]

    assert years == ["2025", "2026", "2027"]


def test_a_hit_is_the_same_paper_however_its_authors_are_written() -> None:
    page = DBLP.read(
        DBLP.start(VENUE, "", NOW),
        hits([hit(), hit(2, authors={"author": "Ada Lovelace"}), hit(3, type="Editorship")]),
    )

    first, second = (listing.paper for listing in page.announced[0].listings)
    assert (first.key, first.journal_ref) == ("doi:10.1145/1", "SOSP, 525-535 (2026)")
    assert [(author.name, author.ids) for author in first.authors] == [
        ("Ada Lovelace", (("dblp", "65/9612"),)),
        ("Wei Wang", ()),
    ]
    assert [author.name for author in second.authors] == ["Ada Lovelace"]


def test_a_hit_that_is_no_list_is_read() -> None:
    page = DBLP.read(DBLP.start(VENUE, "", NOW), hits(hit(), total=1))

    assert [listing.paper.key for listing in page.announced[0].listings] == ["doi:10.1145/1"]


def test_recorded_hits_are_read(data: Path) -> None:
    body = (data / "dblp" / "publ_search_part1.json").read_bytes()
    page = DBLP.read(DBLP.start(VENUE, "", NOW), Response(status=200, headers=(), body=body))

    entries = [entry["info"] for entry in json.loads(body)["result"]["hits"]["hit"]]
    papers = [listing.paper for listing in page.announced[0].listings]
    assert [dict(paper.ids)["dblp"] for paper in papers] == [entry["key"] for entry in entries]
    assert [bool(paper.doi) for paper in papers] == ["doi" in entry for entry in entries]
    assert [bool(paper.authors) for paper in papers] == ["authors" in entry for entry in entries]
    assert [bool(paper.journal_ref) for paper in papers] == ["venue" in entry for entry in entries]


def test_that_only_browsers_are_let_in_is_told_with_what_to_do() -> None:
    check = Response(
        status=200, headers=(("content-type", "text/html"),), body=b"<!doctype html><html>robot?"
    )
    with pytest.raises(SourceError, match=r"browsers.*follow persons instead"):
        DBLP.read(DBLP.start(VENUE, "", NOW), check)


@for_each_case(
    ("ask", "response"),
    [
        (VENUE, Response(status=200, headers=(), body=b"{}")),
        (VENUE, Response(status=500, headers=(), body=b"{}")),
        (PERSON, Response(status=404, headers=(), body=b"not found")),
        (PERSON, Response(status=200, headers=(), body=b"<dblpperson>")),
        (PERSON, Response(status=200, headers=(), body=b"<bht/>")),
    ],
)
def test_an_answer_that_is_no_list_is_refused(ask: Ask, response: Response) -> None:
    with pytest.raises(SourceError):
        DBLP.read(DBLP.start(ask, "", NOW), response)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30))
def test_a_title_of_any_text_is_read_or_told(title: str) -> None:
    page = read(record(title=escape(title) or " "))

    assert len(page.announced[0].listings) + len(page.unread) == 1


@for_each_case("size", [30, PAGE_SIZE])
@for_each_case("count", [0, 1, PAGE_SIZE, PAGE_SIZE + 1])
def test_each_hit_comes_once_however_long_a_page_is(count: int, size: int) -> None:
    served, request, keys = [hit(n) for n in range(count)], DBLP.start(VENUE, "", NOW), []
    following: Request | None = request
    while following is not None:
        start = int(parse_qs(urlsplit(following.url).query)["f"][0])
        page = DBLP.read(following, hits(served[start : start + size], total=count))
        keys += [listing.paper.key for listing in page.announced[0].listings]
        following = page.next

    assert keys == [f"doi:10.1145/{number}" for number in range(count)]
