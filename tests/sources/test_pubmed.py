"""What was added to PubMed and fits a search: ids first, then the articles, by as many as it gives at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.errors import OptionError, SourceError
from digest.model import Ask, Paper
from digest.ports import Page, Request, Response
from digest.sources.pubmed import MAX_IDS, PAGE_SIZE, Source
from tests.support.cases import for_each_case

NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)
SEARCH = "amyloidosis AND scintigraphy"
PUBMED = Source(searches=(SEARCH,), key="s3cret", mailto="me@example.org")
ASK = Ask(source="pubmed", section=SEARCH, route="search")


def article(number: int = 1, *, title: str = "", kind: str = "Journal Article", more: str = "") -> str:
    """An article as efetch gives it."""
    return f"""<PubmedArticle><MedlineCitation><PMID Version="1">{number}</PMID><Article>
<Journal><JournalIssue><Volume>16</Volume><Issue>1</Issue><PubDate><Year>2026</Year></PubDate></JournalIssue>
<Title>The Journal</Title></Journal>
<ArticleTitle>{title or f"Early <sup>99m</sup>Tc, part {number}."}</ArticleTitle>
<Pagination><MedlinePgn>525-535</MedlinePgn></Pagination>
<Abstract><AbstractText Label="BACKGROUND">We do.</AbstractText><AbstractText>Things.</AbstractText></Abstract>
<AuthorList><Author><LastName>Lovelace</LastName><ForeName>Ada</ForeName>
<Identifier Source="ORCID">0000-0002-1825-0097</Identifier>
<AffiliationInfo><Affiliation>The Institute.</Affiliation></AffiliationInfo></Author>
<Author><CollectiveName>The Things Group</CollectiveName></Author></AuthorList>
<PublicationTypeList><PublicationType>{kind}</PublicationType></PublicationTypeList>
</Article></MedlineCitation><PubmedData><History>
<PubMedPubDate PubStatus="entrez"><Year>2026</Year><Month>9</Month><Day>7</Day></PubMedPubDate></History>
<ArticleIdList><ArticleId IdType="pubmed">{number}</ArticleId>
<ArticleId IdType="doi">10.1000/J.{number}</ArticleId>{more}</ArticleIdList>
<ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.1000/other</ArticleId></ArticleIdList></Reference>
</ReferenceList></PubmedData></PubmedArticle>"""


def articles(*lines: str) -> Response:
    head = '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "pubmed.dtd">\n'
    body = f"{head}<PubmedArticleSet>{''.join(lines)}</PubmedArticleSet>"
    return Response(status=200, headers=(), body=body.encode())


def found(ids: list[int], count: int | None = None, **fields: Any) -> Response:
    result = {"count": str(len(ids) if count is None else count), "idlist": list(map(str, ids))} | fields
    return Response(status=200, headers=(), body=json.dumps({"esearchresult": result}).encode())


def asked(request: Request) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(request.content.decode()).items()}


def fetched(*lines: str) -> Page:
    first = PUBMED.read(PUBMED.start(ASK, "", NOW), found(list(range(len(lines)))))
    assert first.next is not None
    return PUBMED.read(first.next, articles(*lines))


def paper(**fields: Any) -> Paper:
    (listing,) = fetched(article(**fields)).announced[0].listings
    return listing.paper


@for_each_case(
    ("options", "key"),
    [
        ({}, "searches"),
        ({"searches": []}, "searches"),
        ({"searches": ["a", " "]}, "searches[1]"),
        ({"searches": ["a"], "url": "eutils"}, "url"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


def test_who_asks_is_told_to_ncbi_alone() -> None:
    request = PUBMED.start(ASK, "", NOW)

    assert asked(request)["api_key"] == "s3cret"
    assert asked(request)["email"] == "me@example.org"
    assert request.method == "POST"
    assert "s3cret" not in request.url + request.cursor + repr(request) + repr(PUBMED)


def test_a_search_is_for_what_was_added_since_it_was_last_asked() -> None:
    first = asked(PUBMED.start(ASK, "", NOW))
    assert (first["term"], first["datetype"]) == (SEARCH, "edat")
    assert (first["mindate"], first["maxdate"]) == ("2026/09/01", "2026/09/08")

    last = PUBMED.read(PUBMED.start(ASK, "", NOW), found([]))
    assert last.next is None
    later = asked(PUBMED.start(ASK, last.cursor, NOW + timedelta(days=3)))
    assert (later["mindate"], later["maxdate"]) == ("2026/09/07", "2026/09/11")


def test_an_article_is_a_paper_with_all_that_is_known_of_it() -> None:
    one = paper(more='<ArticleId IdType="pmc">PMC7</ArticleId>')

    assert (one.key, one.doi) == ("doi:10.1000/j.1", "10.1000/j.1")
    assert one.ids == (("pmid", "1"), ("doi", "10.1000/j.1"))
    assert (one.title, one.abstract) == ("Early 99mTc, part 1", "Background: We do. Things.")
    assert [(author.name, author.affiliations, author.ids) for author in one.authors] == [
        ("Ada Lovelace", ("The Institute",), (("orcid", "0000-0002-1825-0097"),)),
        ("The Things Group", (), ()),
    ]
    assert one.journal_ref == "The Journal 16 (1), 525-535 (2026)"
    assert (one.url, one.pdf_url) == (
        "https://pubmed.ncbi.nlm.nih.gov/1/",
        "https://pmc.ncbi.nlm.nih.gov/articles/PMC7/pdf/",
    )


def test_a_paper_that_was_retracted_is_withdrawn_and_the_retraction_is_no_paper() -> None:
    assert paper(kind="Retracted Publication").withdrawn
    assert fetched(article(kind="Retraction of Publication")).announced[0].listings == ()


def test_an_article_counts_from_when_it_was_added() -> None:
    (listing,) = fetched(article()).announced[0].listings
    assert listing.published_at is not None
    assert listing.published_at.date() == date(2026, 9, 7)


def test_recorded_articles_are_read(data: Path) -> None:
    ids = json.loads((data / "pubmed" / "esearch.json").read_bytes())["esearchresult"]["idlist"]
    first = PUBMED.read(PUBMED.start(ASK, "", NOW), found([int(id_) for id_ in ids]))
    assert first.next is not None
    body = (data / "pubmed" / "efetch_part1.xml").read_bytes()
    page = PUBMED.read(first.next, Response(status=200, headers=(), body=body))

    papers = [listing.paper for listing in page.announced[0].listings]
    assert [dict(paper.ids)["pmid"] for paper in papers] == ids[:4]
    assert papers[0].key == "doi:10.1186/s13550-026-01466-0"
    assert all(paper.abstract and paper.authors and paper.journal_ref for paper in papers)
    assert page.unread == ()


def test_the_recorded_search_is_read(data: Path) -> None:
    body = (data / "pubmed" / "esearch.json").read_bytes()
    page = PUBMED.read(PUBMED.start(ASK, "", NOW), Response(status=200, headers=(), body=body))

    assert page.next is not None  # 42,111 are found: the days are halved
    assert asked(page.next)["maxdate"] == "2026/09/04"


@for_each_case(
    ("response", "message"),
    [
        (
            Response(status=429, headers=(), body=b'{"error": "API rate limit exceeded"}'),
            "API rate limit exceeded",
        ),
        (Response(status=200, headers=(), body=b"<html>"), "a web page"),
        (Response(status=200, headers=(), body=b"{}"), "something else"),
        (found([], ERROR="Invalid query"), "Invalid query"),
    ],
)
def test_an_answer_that_is_no_list_is_refused(response: Response, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        PUBMED.read(PUBMED.start(ASK, "", NOW), response)


@for_each_case(
    "body",
    [
        b"",
        b"<PubmedArticleSet><PubmedArticle>",
        b"<html></html>",
        b'<!DOCTYPE PubmedArticleSet [<!ENTITY a "b">]><PubmedArticleSet>&a;</PubmedArticleSet>',
        b"<?xml version='1.0' encoding='nonsense'?><PubmedArticleSet/>",
    ],
)
def test_articles_that_cannot_be_read_are_refused(body: bytes) -> None:
    first = PUBMED.read(PUBMED.start(ASK, "", NOW), found([1]))
    assert first.next is not None
    with pytest.raises(SourceError):
        PUBMED.read(first.next, Response(status=200, headers=(), body=body))


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30))
def test_a_title_of_any_text_is_read_or_told(title: str) -> None:
    page = fetched(article(title=escape(title) or " "))

    assert len(page.announced[0].listings) + len(page.unread) == 1


def test_a_word_that_is_nowhere_is_an_error_only_where_nothing_else_is_found() -> None:
    nowhere: dict[str, Any] = {"errorlist": {"phrasesnotfound": ["qwertyology"], "fieldsnotfound": []}}
    with pytest.raises(SourceError, match="qwertyology"):
        PUBMED.read(PUBMED.start(ASK, "", NOW), found([], **nowhere))
    assert PUBMED.read(PUBMED.start(ASK, "", NOW), found([7], **nowhere)).next is not None


# --- a search that finds many ---------------------------------------------------------------------


def served(added: dict[date, list[int]]) -> Iterator[Page]:
    """What PubMed answers that got articles on some days, to the end."""
    request: Request | None = PUBMED.start(ASK, "", NOW)
    while request is not None:
        fields = asked(request)
        if "term" in fields:
            first, last = (
                datetime.strptime(fields[key], "%Y/%m/%d").replace(tzinfo=UTC).date()
                for key in ("mindate", "maxdate")
            )
            fit = [number for day, numbers in added.items() if first <= day <= last for number in numbers]
            page = PUBMED.read(request, found(fit[:MAX_IDS], len(fit)))
        else:
            ids = fields["id"].split(",")
            assert len(ids) <= PAGE_SIZE
            page = PUBMED.read(request, articles(*(article(int(id_)) for id_ in ids)))
        yield page
        request = page.next


@for_each_case("a_day", [0, 1, PAGE_SIZE, PAGE_SIZE + 1])
def test_each_article_comes_once(a_day: int) -> None:
    days = [date(2026, 9, day) for day in range(1, 9)]
    added = {
        day: [10_000 * place + n for n in range(1, a_day + 1)] for place, day in enumerate(days, start=1)
    }
    keys = [listing.paper.ids[0][1] for page in served(added) for listing in page.announced[0].listings]

    assert sorted(keys) == sorted(str(n) for numbers in added.values() for n in numbers)


def test_days_are_halved_until_a_search_finds_no_more_than_can_be_had() -> None:
    added = {date(2026, 9, day): list(range(day * 10_000, day * 10_000 + 3_000)) for day in range(1, 9)}
    spans = []
    for page in served(added):
        if page.next is not None and "term" in (fields := asked(page.next)):
            spans.append((fields["mindate"][-2:], fields["maxdate"][-2:]))
        if len(spans) == 3:
            break

    assert spans == [("01", "04"), ("01", "02"), ("03", "04")]


def test_a_count_that_nobody_counted_is_refused_and_an_id_that_is_none_costs_that_id() -> None:
    request = PUBMED.start(ASK, "", NOW)
    for count in ("9" * 5_000, "\u00b2", "-1"):
        with pytest.raises(SourceError, match="something else arrived"):
            PUBMED.read(request, found([1], count=count))  # type: ignore[arg-type]

    page = PUBMED.read(request, found([1, 10**12, 3]))
    assert page.next is not None
    assert asked(page.next)["id"] == "1,3"
    assert "'1000000000000'" in page.unread[0]


def test_what_one_day_has_too_many_of_is_said() -> None:
    pages = served({date(2026, 9, 3): list(range(1, MAX_IDS + 500))})
    assert any(one.over_full for _, page in zip(range(6), pages, strict=False) for one in page.announced)
