"""bioRxiv's and medRxiv's versions become listings of their day, however long its pages are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.core.papers.merge import merge_papers
from digest.errors import OptionError, SourceError
from digest.model import Ask, Listing, ListingKind, Paper
from digest.ports import Page, Request, Response
from digest.sources.biorxiv import ALL, DETAILS, PUBS, Source
from tests.support.cases import for_each_case

DAY = date(2026, 9, 7)
NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)


def row(number: int = 1, version: object = "1", **fields: Any) -> dict[str, Any]:
    """A row as the API gives it."""
    return {
        "title": f"Preprint {number}",
        "authors": "Zare, H.; Lovelace, A. K.",
        "author_corresponding": "Habil Zare",
        "author_corresponding_institution": "The Institute",
        "doi": f"10.64898/2026.08.21.{number:06}",
        "date": str(DAY),
        "version": version,
        "type": "new results",
        "license": "cc_by_nc_nd",
        "category": "Cancer Biology",
        "abstract": "We do\n  things.",
        "published": "NA",
        "server": "bioRxiv",
    } | fields


def answer(rows: object, *, status: str = "ok", code: int = 200, total: object = "77") -> Response:
    fields = {"messages": [{"status": status, "total": total, "count": 3}], "collection": rows}
    return Response(status=code, headers=(), body=json.dumps(fields).encode())


def ask(route: str = DETAILS, day: date | None = DAY, until: date | None = None) -> Ask:
    return Ask(source="biorxiv", section=ALL, route=route, day=day, until=until)


def read(*rows: object, source: Source | None = None) -> Page:
    source = source or Source()
    return source.read(source.start(ask(), "", NOW), answer(list(rows)))


def listing(**fields: Any) -> Listing:
    (day,) = read(row(**fields)).announced
    (listing,) = day.listings
    return listing


def paper(**fields: Any) -> Paper:
    return listing(**fields).paper


# --- options --------------------------------------------------------------------------------------


def test_it_needs_no_option_and_is_either_server() -> None:
    source = plugins.build(plugins.load("sources", "biorxiv"), {})
    other = Source(server="medrxiv")

    assert (source.name, source.title, source.sections) == ("biorxiv", "bioRxiv", (ALL,))
    assert (other.name, other.title) == ("medrxiv", "medRxiv")
    assert other.start(replace(ask(), source="medrxiv"), "", NOW).url == (
        "https://api.biorxiv.org/details/medrxiv/2026-09-07/2026-09-07/0/json"
    )


@for_each_case(
    ("options", "key"),
    [
        ({"url": "api.biorxiv.org"}, "url"),
        ({"site_url": "biorxiv"}, "site_url"),
        ({"server": "chemrxiv"}, "server"),
        ({"categories": ["neuroscience", "Cell Biology"]}, "categories[1]"),
        ({"pace": -1.0}, "pace"),
        ({"max_bytes": 0}, "max_bytes"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


def test_a_category_is_a_section_and_asked_by_itself() -> None:
    source = Source(categories=("cell biology", "neuroscience"))

    assert source.sections == ("cell biology", "neuroscience")
    request = source.start(replace(ask(), section="cell biology"), "", NOW)
    assert request.url.endswith("/2026-09-07/2026-09-07/0/json?category=cell_biology")


# --- versions -------------------------------------------------------------------------------------


def test_a_row_is_a_listing_with_all_that_is_known_of_it() -> None:
    found_listing = listing(number=4, version="2", title="On  <i>Things</i>")

    assert found_listing.kind is ListingKind.REPLACE
    assert (found_listing.paper.key, found_listing.paper.version) == ("doi:10.64898/2026.08.21.000004", 2)
    assert (found_listing.paper.title, found_listing.paper.abstract) == ("On Things", "We do things.")
    assert found_listing.paper.url == "https://www.biorxiv.org/content/10.64898/2026.08.21.000004v2"
    assert found_listing.paper.pdf_url == f"{found_listing.paper.url}.full.pdf"
    assert found_listing.paper.categories == ("cancer biology",)
    assert found_listing.paper.license_url == "https://creativecommons.org/licenses/by-nc-nd/4.0/"
    assert [(author.name, author.affiliations) for author in found_listing.paper.authors] == [
        ("H. Zare", ("The Institute",)),
        ("A. K. Lovelace", ()),
    ]
    assert found_listing.paper.doi == ""


def test_a_first_version_is_new_and_both_prefixes_are_read() -> None:
    assert listing().kind is ListingKind.NEW
    assert paper(doi="10.1101/2024.01.02.573821").key == "doi:10.1101/2024.01.02.573821"


def test_an_institution_is_nobodys_where_two_authors_can_be_meant() -> None:
    assert all(not author.affiliations for author in paper(authors="Zare, H.; Zare, H. B.").authors)


def test_a_licence_that_allows_nothing_is_none() -> None:
    assert [paper(license=code).license_url for code in ("cc_no", "cc0", "cc_by", "NA")] == [
        "",
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "https://creativecommons.org/licenses/by/4.0/",
        "",
    ]


def test_what_a_journal_has_published_is_known_by_its_doi_too() -> None:
    assert paper(published="10.1000/Journal.7").doi == "10.1000/journal.7"


def test_a_date_need_not_be_padded_and_what_is_of_another_day_is_left_out() -> None:
    page = read(row(1, date="2026-9-7"), row(2, date="2026-09-08"))

    assert [(day.day, len(day.listings)) for day in page.announced] == [(DAY, 1)]


def test_what_cannot_be_read_is_said() -> None:
    page = read(row(1, doi="nothing"), row(2, title=""), row(3, date="soon"), "junk", row(5))

    assert len(page.announced[0].listings) == 1
    assert len(page.unread) == 4
    assert "'nothing'" in page.unread[0]


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (Response(status=200, headers=(), body=b"<html>check</html>"), "a web page"),
        (Response(status=404, headers=(), body=b"{}"), "HTTP 404"),
        (answer([], status="Error: interval"), "Error: interval"),
    ],
)
def test_an_answer_that_is_no_list_is_refused(response: Response, message: str) -> None:
    source = Source()
    with pytest.raises(SourceError, match=message):
        source.read(source.start(ask(), "", NOW), response)


def test_a_day_without_preprints_is_an_answer() -> None:
    source = Source()
    page = source.read(source.start(ask(), "", NOW), answer([], status="no posts found"))

    assert [(day.day, day.listings) for day in page.announced] == [(DAY, ())]
    assert page.next is None


def test_recorded_rows_are_read(data: Path) -> None:
    source = Source(categories=("cancer biology",))
    request = source.start(replace(ask(until=date(2026, 9, 9)), section="cancer biology"), "", NOW)
    body = (data / "biorxiv" / "details_2026-09-07_excerpt1.json").read_bytes()
    page = source.read(request, Response(status=200, headers=(), body=body))

    collection = json.loads(body)["collection"]
    (day,) = page.announced
    assert [listing.paper.key for listing in day.listings] == [f"doi:{entry['doi']}" for entry in collection]
    assert [listing.paper.version for listing in day.listings] == [2, 3, 1]
    assert [len(listing.paper.authors) for listing in day.listings] == [3, 7, 17]
    assert [sum(map(bool, (a.affiliations for a in listing.paper.authors))) for listing in day.listings] == [
        1,
        1,
        1,
    ]
    assert page.unread == ()


# --- pages ----------------------------------------------------------------------------------------


def pages(
    source: Source, first: Request, served: list[dict[str, Any]], size: int, total: object = None
) -> Iterator[Page]:
    """What a server with pages of a size answers, to the end, and says of how many rows there are."""
    request: Request | None = first
    while request is not None:
        start = int(urlsplit(request.url).path.split("/")[5])
        page = source.read(request, answer(served[start : start + size], total=total))
        yield page
        request = page.next


@given(count=st.integers(0, 40), size=st.integers(1, 12))
def test_each_row_comes_once_however_long_a_page_is(count: int, size: int) -> None:
    source = Source()
    served = [row(number) for number in range(count)]
    results = [
        listing.paper.title
        for page in pages(source, source.start(ask(), "", NOW), served, size)
        for day in page.announced
        for listing in day.listings
    ]

    assert results == [f"Preprint {number}" for number in range(count)]


@given(count=st.integers(1, 40), size=st.integers(1, 12), as_text=st.booleans())
def test_who_says_how_many_rows_there_are_is_asked_for_no_page_behind_them(
    count: int, size: int, *, as_text: bool
) -> None:
    source = Source()
    served = [row(number) for number in range(count)]
    total = str(count) if as_text else count

    assert len(list(pages(source, source.start(ask(), "", NOW), served, size, total))) == -(-count // size)


@for_each_case(("total",), [(3,), ("3",), (None,), ("many",), (-1,), ("9" * 5_000,), ([8],)])
def test_a_wrong_total_loses_no_row(total: object) -> None:
    source = Source()
    served = [row(number) for number in range(8)]
    read_so_far = list(pages(source, source.start(ask(), "", NOW), served, 2, total))

    assert sum(len(day.listings) for page in read_so_far for day in page.announced) == 8


def test_a_host_that_ignores_the_cursor_is_asked_once_for_all_that_it_has() -> None:
    source = Source()
    request = source.start(ask(), "", NOW)

    assert source.read(request, answer([row(1), row(2)], total="2")).next is None


def test_a_span_of_days_goes_on_where_it_stopped() -> None:
    source = Source()
    span = ask(until=DAY + timedelta(days=2))
    first = source.read(source.start(span, "", NOW), answer([row(1), row(2)]))

    again = source.start(span, first.cursor, NOW)
    assert again.url == first.next.url if first.next else False
    assert source.start(ask(until=DAY + timedelta(days=9)), first.cursor, NOW).url.endswith("/0/json")


# --- publications ---------------------------------------------------------------------------------


def published(number: int = 1, **fields: Any) -> Mapping[str, Any]:
    return {
        "biorxiv_doi": f"10.64898/2026.08.21.{number:06}",
        "published_doi": f"10.1000/J.{number}",
        "published_journal": "The Journal",
        "preprint_title": f"Preprint {number}",
        "preprint_authors": "Zare, H.",
        "preprint_category": "cancer biology",
        "published_date": "2026-09-05",
    } | fields


def test_a_publication_completes_its_preprint() -> None:
    source = Source()
    request = source.start(ask(PUBS, None), "", NOW)
    assert request.url == "https://api.biorxiv.org/pubs/biorxiv/2026-09-01/2026-09-08/0"

    page = source.read(request, answer([published(), published(2, published_doi="NA")]))
    (record,) = page.records
    assert (record.key, record.doi, record.journal_ref) == (paper().key, "10.1000/j.1", "The Journal")
    assert merge_papers(paper(), record).journal_ref == "The Journal"
    assert len(page.unread) == 1


def test_publications_are_asked_for_from_a_week_before_the_last_time() -> None:
    source = Source()
    request: Request | None = source.start(ask(PUBS, None), "", NOW)
    assert request is not None
    begun = source.read(request, answer([published()]))
    assert begun.next is not None
    assert source.start(ask(PUBS, None), begun.cursor, NOW).url == begun.next.url

    page = source.read(begun.next, answer([], status="no articles found for published version of "))
    later = source.start(ask(PUBS, None), page.cursor, NOW + timedelta(days=3))
    assert urlsplit(later.url).path == "/pubs/biorxiv/2026-09-01/2026-09-11/0"
