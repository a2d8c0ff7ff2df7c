"""Works of authors, institutions and topics by OpenAlex: preprint and publication are one paper."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.core.papers.services.openalex import build_paper, restore_abstract
from digest.errors import OptionError, SourceError
from digest.model import Ask, Paper, Signal
from digest.ports import Page, Request, Response
from digest.sources.openalex import PAGE_SIZE, Source
from tests.sources.recorded_answers import read_recorded_answers
from tests.support.cases import for_each_case

NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)
AUTHOR = "A5023888391"
ADA = Source(authors=(AUTHOR,), key="s3cret")
ASK = Ask(source="openalex", section=AUTHOR, route="works")


def place(url: str, kind: str = "repository", version: str = "submittedVersion") -> dict[str, Any]:
    return {
        "landing_page_url": url,
        "pdf_url": f"{url}.pdf",
        "source": {"display_name": "The Journal" if kind == "journal" else "A Repository", "type": kind},
        "version": version,
        "license": "cc-by-nc-nd",
    }


def work(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A work as the API gives it."""
    journal = place(f"https://doi.org/10.1000/J.{number}", "journal", "publishedVersion")
    return {
        "id": f"https://openalex.org/W{100000 + number}",
        "doi": f"https://doi.org/10.1000/J.{number}",
        "title": f"Work {number}",
        "type": "article",
        "publication_date": "2026-09-01",
        "created_date": "2026-09-07",
        "primary_location": journal,
        "locations": [journal],
        "authorships": [
            {
                "author": {
                    "id": f"https://openalex.org/{AUTHOR}",
                    "display_name": "Augusta Ada Lovelace",
                    "orcid": "https://orcid.org/0000-0002-1825-0097",
                },
                "raw_author_name": "A. Lovelace",
                "raw_affiliation_strings": ["The Institute, London", "The Institute, London"],
                "institutions": [{"display_name": "The Institute", "ror": "https://ror.org/05kffp613"}],
            }
        ],
        "abstract_inverted_index": {"We": [0], "do": [1, 3], "and": [2]},
        "biblio": {"volume": "6", "issue": "5", "first_page": "525", "last_page": "535"},
        "topics": [{"display_name": "Things", "score": 0.5}, {"display_name": "Other things", "score": 0.25}],
        "is_retracted": False,
        "cited_by_count": 85,
    } | fields


def answer(works: list[Any], following: str | None = None, status: int = 200) -> Response:
    fields = {"meta": {"count": 999, "next_cursor": following}, "results": works}
    return Response(status=status, headers=(), body=json.dumps(fields).encode())


def paper(**fields: Any) -> Paper:
    paper = build_paper(work(**fields))
    assert paper is not None
    return paper


def asked(request: Request) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


# --- options --------------------------------------------------------------------------------------


def test_what_a_work_cites_is_known_by_openalex_ids() -> None:
    cited = ["https://openalex.org/W42", "https://openalex.org/W2741809807", "W2741809807", "x", None, 7]

    assert paper(referenced_works=cited).references == ("openalex:W2741809807",)
    assert paper(referenced_works={}).references == paper().references == ()


@for_each_case(
    ("options", "key"),
    [
        ({}, "authors"),
        ({"authors": [AUTHOR, "Ada Lovelace"]}, "authors[1]"),
        ({"authors": ["0000-0002-1825-0098"]}, "authors[0]"),
        ({"institutions": ["The Institute"]}, "institutions[0]"),
        ({"topics": ["things"]}, "topics[0]"),
        ({"authors": [AUTHOR], "url": "api"}, "url"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


@for_each_case(
    ("options", "expected"),
    [
        ({"authors": (AUTHOR,)}, f"authorships.author.id:{AUTHOR}"),
        ({"authors": ("0000-0002-1825-0097",)}, "authorships.author.orcid:0000-0002-1825-0097"),
        ({"institutions": ("https://ror.org/05kffp613",)}, "authorships.institutions.ror:05kffp613"),
        ({"topics": ("T12286",)}, "topics.id:T12286"),
    ],
)
def test_each_is_asked_for_by_its_id_and_by_the_date_of_publication(
    options: dict[str, Any], expected: str
) -> None:
    source = Source(**options)
    request = source.start(replace(ASK, section=source.sections[0]), "", NOW)

    assert asked(request)["filter"] == f"{expected},from_publication_date:2026-07-10"


def test_a_key_stands_in_no_address_that_is_kept() -> None:
    request = ADA.start(ASK, "", NOW)

    assert request.parameters == (("api_key", "s3cret"),)
    assert "s3cret" not in request.url + request.cursor + repr(request) + repr(ADA)


# --- works ----------------------------------------------------------------------------------------


def test_a_work_is_a_paper_with_all_that_is_known_of_it() -> None:
    found_paper = paper()

    assert (found_paper.key, found_paper.doi) == ("doi:10.1000/j.1", "10.1000/j.1")
    assert (found_paper.title, found_paper.abstract) == ("Work 1", "We do and do")
    assert [(author.name, author.affiliations, author.ids) for author in found_paper.authors] == [
        (
            "A. Lovelace",
            ("The Institute, London",),
            (("openalex", AUTHOR), ("orcid", "0000-0002-1825-0097")),
        )
    ]
    assert found_paper.institutions == ("05kffp613",)
    assert found_paper.journal_ref == "The Journal 6 (5), 525-535 (2026)"
    assert found_paper.license_url == "https://creativecommons.org/licenses/by-nc-nd/4.0/"
    assert found_paper.categories == ("Things",)
    assert found_paper.ids == (("openalex", "W100001"), ("doi", "10.1000/j.1"))


def test_preprint_and_publication_are_one_paper_by_both_ids() -> None:
    journal = place("https://doi.org/10.1000/J.1", "journal", "publishedVersion")
    found_paper = paper(locations=[journal, place("https://arxiv.org/abs/2312.07559")])

    assert (found_paper.key, found_paper.doi, found_paper.categories) == (
        "arxiv:2312.07559",
        "10.1000/j.1",
        (),
    )
    assert ("doi", "10.1000/j.1") in found_paper.ids


def test_a_preprint_tells_of_no_publication() -> None:
    server = place("https://doi.org/10.1101/097196")
    found_paper = paper(doi="https://doi.org/10.1101/097196", primary_location=server, locations=[server])

    assert (found_paper.key, found_paper.doi, found_paper.journal_ref) == ("doi:10.1101/097196", "", "")


def test_a_paper_that_was_retracted_is_withdrawn() -> None:
    assert paper(is_retracted=True).withdrawn


def test_pages_that_are_paid_for_are_not_asked_for_every_hour() -> None:
    freshness = ADA.read(ADA.start(ASK, "", NOW), answer([work()])).freshness

    assert freshness is not None
    assert freshness.ttl == timedelta(hours=6)


def test_citations_are_told_as_openalex_counts_them() -> None:
    page = ADA.read(ADA.start(ASK, "", NOW), answer([work()]))

    assert page.signals[:1] == (
        Signal(subject=paper().key, kind="citations", source="openalex", day=date(2026, 9, 8), value=85.0),
    )


def test_topics_are_told_with_how_much_a_work_is_about_them() -> None:
    page = ADA.read(ADA.start(ASK, "", NOW), answer([work()]))

    assert [(signal.kind, signal.value) for signal in page.signals[1:]] == [
        ("topic: Things", 0.5),
        ("topic: Other things", 0.25),
    ]


def test_a_work_counts_from_when_openalex_had_it() -> None:
    page = ADA.read(ADA.start(ASK, "", NOW), answer([work()]))

    (listing,) = page.announced[0].listings
    assert listing.published_at is not None
    assert listing.published_at.date() == date(2026, 9, 7)


@given(st.lists(st.from_regex(r"[a-z]{1,5}", fullmatch=True), max_size=30))
def test_an_abstract_reads_as_it_was_written(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for number, word in enumerate(words):
        index.setdefault(word, []).append(number)

    assert restore_abstract(index) == " ".join(words)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from([*work(), *place(""), "ror", "orcid", "referenced_works"]), inner, max_size=5
            )
        ),
        max_leaves=12,
    )
)
def test_a_work_of_any_shape_is_read_or_told(told: object) -> None:
    broken = work() | told if isinstance(told, dict) else told
    page = ADA.read(ADA.start(ASK, "", NOW), answer([broken]))

    assert len(page.announced[0].listings) + len(page.unread) == 1


@for_each_case("kind", [["journal"], {"name": "journal"}, 7, None])
def test_a_kind_of_source_that_is_no_text_costs_no_work(kind: object) -> None:
    place = {"version": "publishedVersion", "source": {"type": kind}}
    page = ADA.read(ADA.start(ASK, "", NOW), answer([work() | {"primary_location": place}, work()]))

    assert len(page.announced[0].listings) == 2


def test_every_recorded_answer_is_read_or_refused_with_its_reason(data: Path) -> None:
    request = ADA.start(ASK, "", NOW)
    count, refused, single = 0, Counter[int](), 0
    for recorded in read_recorded_answers(data, "openalex"):
        try:
            count += len(ADA.read(request, recorded.response).announced[0].listings)
        except SourceError:
            refused[recorded.response.status] += 1
            single += _is_single(recorded.response.body)
    assert count == 3
    assert refused.keys() == {200, 404}
    assert single == 22


def _is_single(body: bytes) -> bool:
    """Whether an answer is one work, as the enricher asks for them; each of them is a paper."""
    try:
        document = json.loads(body)
    except ValueError:
        return False
    if not document.get("title"):
        return False
    assert build_paper(document) is not None
    return True


# --- pages ----------------------------------------------------------------------------------------


def pages(served: list[dict[str, Any]]) -> Iterator[Page]:
    request: Request | None = ADA.start(ASK, "", NOW)
    while request is not None:
        cursor = asked(request)["cursor"]
        start = 0 if cursor == "*" else int(cursor)
        following = str(start + PAGE_SIZE) if start + PAGE_SIZE < len(served) + PAGE_SIZE else None
        page = ADA.read(request, answer(served[start : start + PAGE_SIZE], following))
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
