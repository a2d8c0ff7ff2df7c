"""Journals and preprint servers by Crossref: each work once, whatever its record lacks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.core.papers.services.crossref import build_paper
from digest.errors import OptionError, SourceError
from digest.model import Ask, ListingKind, Paper
from digest.ports import Page, Request, Response
from digest.sources.crossref import PAGE_SIZE, Source
from tests.sources.recorded_answers import read_recorded_answers
from tests.support.cases import for_each_case

NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)
NATURE = Source(issns=("2522-5839",), mailto="me@example.org")
ASK = Ask(source="crossref", section="2522-5839", route="works")


def work(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A work as the API gives it."""
    return {
        "DOI": f"10.1000/J.{number}",
        "type": "journal-article",
        "title": [f"Work <i>{number}</i>"],
        "abstract": "<jats:title>Abstract</jats:title><jats:p>We do things.</jats:p>",
        "author": [
            {
                "given": "Ada",
                "family": "Lovelace",
                "ORCID": "https://orcid.org/0000-0002-1825-0097",
                "affiliation": [
                    {"name": "The Institute", "id": [{"id": "https://ror.org/05kffp613", "id-type": "ROR"}]}
                ],
            },
            {"name": "The Things Collaboration", "affiliation": []},
        ],
        "container-title": ["The Journal"],
        "volume": "6",
        "issue": "5",
        "page": "525-535",
        "created": {"date-time": "2026-09-07T10:03:31Z"},
        "published": {"date-parts": [[2026, 9, 7]]},
        "license": [
            {"content-version": "tdm", "URL": "https://www.example.org/tdm"},
            {"content-version": "vor", "URL": "https://creativecommons.org/licenses/by/4.0"},
        ],
        "link": [{"content-type": "application/pdf", "URL": "https://www.example.org/j1.pdf"}],
        "relation": {},
    } | fields


def answer(works: list[Any], following: str = "", status: int = 200) -> Response:
    fields = {"status": "ok", "message": {"items": works, "total-results": 999, "next-cursor": following}}
    return Response(status=status, headers=(), body=json.dumps(fields).encode())


def paper(**fields: Any) -> Paper:
    paper = build_paper(work(**fields))
    assert paper is not None
    return paper


def asked(request: Request) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


# --- options --------------------------------------------------------------------------------------


@for_each_case(
    ("options", "key"),
    [
        ({}, "issns"),
        ({"issns": ["2522-5839", "2522"]}, "issns[1]"),
        ({"prefixes": ["doi:10.1000"]}, "prefixes[0]"),
        ({"issns": ["2522-5839"], "url": "api.crossref.org"}, "url"),
        ({"issns": ["2522-5839"], "pace": -1.0}, "pace"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


def test_a_journal_and_a_prefix_are_sections() -> None:
    source = Source(issns=("2522-5839",), prefixes=("10.26434",))

    assert source.sections == ("2522-5839", "10.26434")
    assert asked(source.start(replace(ASK, section="10.26434"), "", NOW))["filter"] == (
        "prefix:10.26434,from-created-date:2026-09-01"
    )


def test_who_asks_is_told_to_crossref_and_stands_in_no_address_that_is_kept() -> None:
    request = NATURE.start(ASK, "", NOW)

    assert request.parameters == (("mailto", "me@example.org"),)
    assert "example.org" not in request.url + request.cursor + repr(request)


# --- works ----------------------------------------------------------------------------------------


def test_a_work_is_a_paper_with_all_that_is_known_of_it() -> None:
    found_paper = paper()

    assert (found_paper.key, found_paper.doi, found_paper.url) == (
        "doi:10.1000/j.1",
        "10.1000/j.1",
        "https://doi.org/10.1000/j.1",
    )
    assert (found_paper.title, found_paper.abstract) == ("Work 1", "We do things.")
    assert [(author.name, author.affiliations, author.ids) for author in found_paper.authors] == [
        ("Ada Lovelace", ("The Institute",), (("orcid", "0000-0002-1825-0097"),)),
        ("The Things Collaboration", (), ()),
    ]
    assert found_paper.institutions == ("05kffp613",)
    assert found_paper.journal_ref == "The Journal 6 (5), 525-535 (2026)"
    assert found_paper.license_url == "https://creativecommons.org/licenses/by/4.0"
    assert found_paper.pdf_url == "https://www.example.org/j1.pdf"
    assert not found_paper.withdrawn


def test_a_preprint_is_known_by_the_doi_of_its_publication() -> None:
    related = {"is-preprint-of": [{"id-type": "doi", "id": "10.1016/J.xgen.2025.100814"}]}
    found_paper = paper(type="posted-content", relation=related)

    assert (found_paper.key, found_paper.doi, found_paper.journal_ref) == (
        "doi:10.1000/j.1",
        "10.1016/j.xgen.2025.100814",
        "",
    )


@for_each_case(
    ("kind", "text", "known_values"),
    [
        ("doi", "10.48550/arXiv.2401.00001", ("arxiv", "2401.00001")),
        ("arxiv", "2401.00001v2", ("arxiv", "2401.00001")),
        ("arxiv", "arXiv:2401.00001", ("arxiv", "2401.00001")),
        ("uri", "http://arxiv.org/abs/2401.00001", ("arxiv", "2401.00001")),
        ("uri", "https://doi.org/10.1101/2024.01.02.573821", ("doi", "10.1101/2024.01.02.573821")),
        (
            "URI",
            "https://www.biorxiv.org/content/10.1101/2024.01.02.573821v1",
            ("doi", "10.1101/2024.01.02.573821"),
        ),
        ("uri", "https://www.example.org/preprint", None),
        ("issn", "2401.00001", None),
    ],
)
def test_a_publication_is_known_by_its_preprint_however_that_is_named(
    kind: str, text: str, known_values: tuple[str, str] | None
) -> None:
    related = {"has-preprint": [{"id-type": kind, "id": text}]}

    assert paper(relation=related).ids == ((known_values,) if known_values else ())


def test_an_object_in_the_place_of_a_list_of_one_is_read() -> None:
    author = {"given": "Ada", "family": "Bee", "affiliation": {"name": "ETH"}}
    bare = paper(
        relation={"has-preprint": {"id-type": "doi", "id": "10.48550/arXiv.2401.00001"}},
        author=author,
        **{"updated-by": {"type": "retraction", "DOI": "10.1000/r"}},
    )
    listed = paper(
        relation={"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2401.00001"}]},
        author=[author | {"affiliation": [author["affiliation"]]}],
        **{"updated-by": [{"type": "retraction", "DOI": "10.1000/r"}]},
    )

    assert bare == listed
    assert bare.ids == (("arxiv", "2401.00001"),)
    assert bare.withdrawn


def test_a_preprint_of_an_arxiv_paper_names_no_publication() -> None:
    related = {
        "is-preprint-of": [
            {"id-type": "arxiv", "id": "2401.00001"},
            {"id-type": "uri", "id": "doi:10.1000/j.9"},
        ]
    }

    assert paper(type="posted-content", relation=related).doi == "10.1000/j.9"


def test_a_paper_that_was_retracted_is_withdrawn_and_the_retraction_is_no_paper() -> None:
    assert paper(**{"updated-by": [{"type": "retraction", "DOI": "10.1000/r"}]}).withdrawn
    notice = work(2, **{"update-to": [{"type": "retraction", "DOI": "10.1000/j.1"}]})

    page = NATURE.read(NATURE.start(ASK, "", NOW), answer([work(), notice]))
    (day,) = page.announced
    assert [listing.paper.key for listing in day.listings] == ["doi:10.1000/j.1"]
    assert page.unread == ()


def test_a_work_counts_from_when_its_doi_was_registered() -> None:
    page = NATURE.read(NATURE.start(ASK, "", NOW), answer([work(), work(2, created={})]))

    (day,) = page.announced
    assert day.day is None
    assert [listing.published_at for listing in day.listings] == [
        datetime(2026, 9, 7, 10, 3, 31, tzinfo=UTC),
        None,
    ]
    assert {listing.kind for listing in day.listings} == {ListingKind.NEW}


def test_what_cannot_be_read_is_said() -> None:
    page = NATURE.read(
        NATURE.start(ASK, "", NOW), answer([work(DOI="x"), work(3, title=[]), "junk", work(4)])
    )

    assert len(page.announced[0].listings) == 1
    assert len(page.unread) == 3


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from([*work(), "name", "id", "given", "date-parts"]), inner, max_size=5
            )
        ),
        max_leaves=12,
    )
)
def test_a_work_of_any_shape_is_read_or_left_out(told: object) -> None:
    broken = work() | told if isinstance(told, dict) else told
    page = NATURE.read(NATURE.start(ASK, "", NOW), answer([broken]))

    assert len(page.announced[0].listings) + len(page.unread) <= 1


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (Response(status=200, headers=(), body=b"<html>"), "a web page"),
        (
            Response(status=404, headers=(("content-type", "text/plain"),), body=b"Resource not found."),
            "Resource not found",
        ),
        (Response(status=200, headers=(), body=b'{"message": {"DOI": "10.1/x"}}'), "something else"),
    ],
)
def test_an_answer_that_is_no_list_is_refused(response: Response, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        NATURE.read(NATURE.start(ASK, "", NOW), response)


def test_every_recorded_answer_is_read_or_refused_with_its_reason(data: Path) -> None:
    request = NATURE.start(ASK, "", NOW)
    count, refused, single = 0, Counter[int](), 0
    for recorded in read_recorded_answers(data, "crossref"):
        try:
            count += len(NATURE.read(request, recorded.response).announced[0].listings)
        except SourceError:
            refused[recorded.response.status] += 1
            single += _is_single(recorded.response.body)
    assert count > 100
    assert refused.keys() == {200, 400, 404}
    assert single > 20


def _is_single(body: bytes) -> bool:
    """Whether an answer is one work, as the enricher asks for them; each of them is a paper."""
    try:
        message = json.loads(body)["message"]
    except (ValueError, KeyError, TypeError):
        return False
    if not isinstance(message, dict) or "title" not in message or "DOI" not in message:
        return False
    assert build_paper(message) is not None or not message["title"]
    return True


# --- pages ----------------------------------------------------------------------------------------


def pages(served: list[dict[str, Any]]) -> Iterator[Page]:
    request: Request | None = NATURE.start(ASK, "", NOW)
    while request is not None:
        cursor = asked(request)["cursor"]
        start = 0 if cursor == "*" else int(cursor)
        page = NATURE.read(request, answer(served[start : start + PAGE_SIZE], str(start + PAGE_SIZE)))
        yield page
        request = page.next


@for_each_case("count", [0, 1, PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, 3 * PAGE_SIZE])
def test_each_work_comes_once(count: int) -> None:
    paper_keys = [
        listing.paper.key
        for page in pages([work(n) for n in range(count)])
        for listing in page.announced[0].listings
    ]

    assert paper_keys == [f"doi:10.1000/j.{number}" for number in range(count)]


def test_it_asks_from_two_days_before_the_last_whole_answer() -> None:
    *_, last = pages([work(n) for n in range(PAGE_SIZE + 5)])

    later = NATURE.start(ASK, last.cursor, NOW + timedelta(days=9))
    assert "from-created-date:2026-09-06" in asked(later)["filter"]


def test_a_series_that_broke_off_begins_again() -> None:
    first, *_ = pages([work(n) for n in range(PAGE_SIZE + 5)])

    again = NATURE.start(ASK, first.cursor, NOW + timedelta(hours=1))
    assert asked(again)["cursor"] == "*"
    assert asked(again)["filter"].endswith("from-created-date:2026-09-01")
