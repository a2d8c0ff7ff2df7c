"""Papers of authors and recommendations by Semantic Scholar."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.core.papers.services.semantic_scholar import build_paper
from digest.errors import OptionError, SourceError
from digest.model import Ask, Paper, Signal
from digest.ports import Page, Request, Response
from digest.sources.semantic_scholar import PAGE_SIZE, RECOMMENDED, Source
from tests.sources.recorded_answers import read_recorded_answers
from tests.support.cases import for_each_case

NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)
ADA = Source(authors=("1741101",), like=("2312.07559", "10.1000/J.7"), unlike=("2401.00001",), key="s3cret")
ASK = Ask(source="semantic_scholar", section="1741101", route="papers")
LIKED = replace(ASK, section=RECOMMENDED)


def record(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A paper as the API gives it."""
    return {
        "paperId": f"{number:040x}",
        "externalIds": {"ArXiv": f"2608.{number:05}", "DOI": f"10.1000/J.{number}", "PubMed": "7"},
        "title": f"Paper {number}",
        "abstract": "We do\n things.",
        "venue": "The Journal",
        "journal": {"name": "The Journal", "volume": "6", "pages": "525-535"},
        "publicationDate": "2026-09-01",
        "openAccessPdf": {"url": "https://www.example.org/1.pdf"},
        "authors": [
            {"authorId": "1741101", "name": "Ada Lovelace"},
            {"authorId": None, "name": "C. Babbage"},
        ],
        "citationCount": 12,
        "influentialCitationCount": 3,
    } | fields


def answer(records: list[Any], following: int | None = None, **fields: Any) -> Response:
    body = {"offset": 0, "data": records} | ({"next": following} if following else {}) | fields
    return Response(status=200, headers=(), body=json.dumps(body).encode())


def paper(**fields: Any) -> Paper:
    paper = build_paper(record(**fields))
    assert paper is not None
    return paper


def read(*records: Any) -> Page:
    return ADA.read(ADA.start(ASK, "", NOW), answer(list(records)))


@for_each_case(
    ("options", "key"),
    [
        ({}, "authors"),
        ({"authors": ["1741101", "Ada"]}, "authors[1]"),
        ({"like": ["x y"]}, "like[0]"),
        ({"authors": ["1741101"], "unlike": ["2401.00001"]}, "like"),
        ({"authors": ["1741101"], "url": "api"}, "url"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


def test_an_author_is_asked_for_by_id_and_the_key_is_in_a_header() -> None:
    request = ADA.start(ASK, "", NOW)

    assert urlsplit(request.url).path == "/graph/v1/author/1741101/papers"
    assert request.headers == (("x-api-key", "s3cret"),)
    assert "s3cret" not in request.url + request.cursor + repr(request) + repr(ADA)


def test_what_is_like_some_papers_is_asked_for_by_their_ids() -> None:
    request = ADA.start(LIKED, "", NOW)

    assert (request.method, urlsplit(request.url).path) == ("POST", "/recommendations/v1/papers/")
    assert json.loads(request.content) == {
        "positivePaperIds": ["ARXIV:2312.07559", "DOI:10.1000/j.7"],
        "negativePaperIds": ["ARXIV:2401.00001"],
    }
    page = ADA.read(request, answer([], recommendedPapers=[record()]))
    assert [listing.paper.key for listing in page.announced[0].listings] == ["arxiv:2608.00001"]
    assert page.next is None


def test_a_record_is_a_paper_with_all_that_is_known_of_it() -> None:
    found_paper = paper()

    assert (found_paper.key, found_paper.doi) == ("arxiv:2608.00001", "10.1000/j.1")
    assert found_paper.ids == (("s2", f"{1:040x}"), ("doi", "10.1000/j.1"), ("pmid", "7"))
    assert [(author.name, author.ids) for author in found_paper.authors] == [
        ("Ada Lovelace", (("s2", "1741101"),)),
        ("C. Babbage", ()),
    ]
    assert (found_paper.abstract, found_paper.journal_ref) == (
        "We do things.",
        "The Journal 6, 525-535 (2026)",
    )
    assert found_paper.pdf_url == "https://www.example.org/1.pdf"


def test_where_a_journal_has_another_name_than_its_venue_the_journal_counts() -> None:
    found_paper = paper(venue="J. Short.", journal={"name": "The Journal of Long Names"})

    assert found_paper.journal_ref.startswith("The Journal of Long Names")
    assert paper(journal=None).journal_ref == "The Journal (2026)"


def test_what_is_only_on_arxiv_tells_of_no_publication() -> None:
    arxiv = {"ArXiv": "2312.07559", "DOI": "10.48550/arXiv.2312.07559"}
    found_paper = paper(
        externalIds=arxiv, venue="arXiv.org", journal={"name": "ArXiv", "volume": "abs/2312.07559"}
    )

    assert (found_paper.key, found_paper.doi, found_paper.journal_ref) == ("arxiv:2312.07559", "", "")


@for_each_case(
    ("ids", "key", "published"),
    [
        ({"DOI": "10.48550/arXiv.2312.07559"}, "arxiv:2312.07559", ""),
        ({"DOI": "10.48550/ARXIV.MATH/0309136"}, "arxiv:math/0309136", ""),
        ({"ArXiv": "x", "DOI": "10.48550/arXiv.2312.07559"}, "arxiv:2312.07559", ""),
        ({"ArXiv": "2312.07559", "DOI": "10.48550/arXiv.2401.00001"}, "arxiv:2312.07559", ""),
        ({"ArXiv": "2312.07559", "DOI": "10.1000/J.7"}, "arxiv:2312.07559", "10.1000/j.7"),
    ],
)
def test_a_paper_is_known_by_its_arxiv_id_also_where_only_its_doi_tells_it(
    ids: dict[str, str], key: str, published: str
) -> None:
    found_paper = paper(externalIds=ids)

    assert (found_paper.key, found_paper.url, found_paper.doi) == (
        key,
        f"https://arxiv.org/abs/{key[6:]}",
        published,
    )


def test_what_a_paper_cites_is_known_by_arxiv_id_and_doi() -> None:
    cited = [
        {"externalIds": {"ArXiv": "2401.00001", "DOI": "10.1000/J.9", "CorpusId": 7}},
        {"externalIds": {"DOI": "10.48550/arXiv.2401.00002"}},
        {"externalIds": {"DOI": "10.1000/j.9"}},
        {"externalIds": {"MAG": "7"}},
        {"externalIds": None},
        None,
    ]

    assert paper(references=cited).references == ("arxiv:2401.00001", "doi:10.1000/j.9", "arxiv:2401.00002")
    assert paper(references=None).references == paper().references == ()


def test_citations_are_told_as_semantic_scholar_counts_them() -> None:
    day = date(2026, 9, 8)

    assert read(record()).signals == tuple(
        Signal(subject=paper().key, kind=kind, source="semantic_scholar", day=day, value=value)
        for kind, value in (("citations", 12.0), ("influential citations", 3.0))
    )


def test_what_was_published_long_ago_is_not_new_and_the_rest_counts_from_its_publication() -> None:
    page = read(record(1), record(2, publicationDate="2025-01-01"), record(3, publicationDate=None))

    dates = [listing.published_at and listing.published_at.date() for listing in page.announced[0].listings]
    assert dates == [date(2026, 9, 1), None]


def test_of_papers_whose_day_is_unknown_those_of_earlier_years_are_not_new() -> None:
    page = read(*(record(n, publicationDate=None, year=year) for n, year in enumerate((2025, 2026, 2027), 1)))

    assert [listing.paper.title for listing in page.announced[0].listings] == ["Paper 2", "Paper 3"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from([*record(), "name", "authorId", "DOI", "ArXiv", "references"]),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_a_record_of_any_shape_is_read_or_told(told: object) -> None:
    broken = record() | told | {"publicationDate": None} if isinstance(told, dict) else told
    page = read(broken)

    assert len(page.announced[0].listings) + len(page.unread) == 1


def test_every_recorded_answer_is_read_or_refused_with_its_reason(data: Path) -> None:
    read_by, refused, records = Counter[str](), Counter[int](), 0
    for recorded in read_recorded_answers(data, "s2"):
        asks = LIKED if "/recommendations/" in recorded.url else ASK
        request = ADA.start(asks, "", datetime(2025, 9, 1, tzinfo=UTC))
        records += len(_papers(recorded.response.body))
        try:
            page = ADA.read(request, recorded.response)
        except SourceError:
            refused[recorded.response.status] += 1
        else:
            read_by[asks.section] += len(page.announced[0].listings) + len(page.unread)
    assert refused.keys() == {200, 400, 403, 404}
    assert read_by.keys() == {"1741101", RECOMMENDED}
    assert records > 5_000


def _papers(body: bytes) -> list[Paper]:
    """All papers of an answer, each read without an error."""
    document = json.loads(body)
    rows = (
        document
        if isinstance(document, list)
        else document.get("data") or document.get("recommendedPapers") or [document]
    )
    rows = [row.get("citingPaper") or row.get("citedPaper") or row for row in rows if isinstance(row, dict)]
    papers = [build_paper(row) for row in rows if row.get("title") and row.get("paperId")]
    assert None not in papers
    return [paper for paper in papers if paper]


def pages(served: list[dict[str, Any]]) -> Iterator[Page]:
    request: Request | None = ADA.start(ASK, "", NOW)
    while request is not None:
        start = int(parse_qs(urlsplit(request.url).query)["offset"][0])
        more = start + PAGE_SIZE if start + PAGE_SIZE < len(served) else None
        page = ADA.read(request, answer(served[start : start + PAGE_SIZE], more))
        yield page
        request = page.next


@for_each_case("count", [0, 1, PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, 3 * PAGE_SIZE])
def test_each_paper_comes_once(count: int) -> None:
    paper_keys = [
        listing.paper.key
        for page in pages([record(n) for n in range(1, count + 1)])
        for listing in page.announced[0].listings
    ]

    assert paper_keys == [f"arxiv:2608.{number:05}" for number in range(1, count + 1)]
