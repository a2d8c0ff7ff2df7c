"""The search, and the pages of categories, institutions and topics, that everybody can read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from bs4 import BeautifulSoup
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digest.demo.publisher import Publisher
from digest.model import Paper, PaperKey
from digest.store.fetching.listings import import_records
from tests.support.workspace import Workspace
from tests.web.conftest import Site, serve_workspace
from tests.web.publishing.conftest import LAB, make_papers


def parse(response: httpx.Response) -> BeautifulSoup:
    return BeautifulSoup(response.raise_for_status().text, "html.parser")


def list_titles(page: BeautifulSoup) -> list[str]:
    return [heading.get_text() for heading in page.select("article h3")]


# --- search ---------------------------------------------------------------------------------------


def test_a_search_finds_papers_that_were_never_announced_and_says_how_it_was_read(search_site: Site) -> None:
    page = parse(search_site.get("/search?q=xylophone+marimba"))
    text = " ".join(page.get_text(" ").split())

    assert page.select("#total")[0].get_text() == "15 papers"
    assert len(list_titles(page)) == 15
    assert "Read as: xylophone AND marimba" in text
    assert "xylophone: 61 papers" in text
    assert "7 votes on arXiv (7 May)" in text
    assert page.find("meta", {"name": "robots", "content": "noindex"})
    assert 'queries = ["xylophone marimba"]' in text


def test_filters_and_order_are_part_of_the_address_and_lead_back(search_site: Site) -> None:
    page = parse(search_site.get("/search?q=xylophone"))
    links = {link.get_text(): str(link["href"]) for link in page.select(".facets a, .tabs a")}
    code = parse(search_site.get(links["with code 20"]))
    year = parse(search_site.get(links["2019 12"]))

    assert code.select("#total")[0].get_text() == "20 papers"
    assert year.select("#total")[0].get_text() == "12 papers"
    assert code.select(".facets a[aria-current]")[0]["href"] == "/search?q=xylophone"
    newest = list_titles(parse(search_site.get(links["newest first"])))
    assert newest[:2] == ["Xylophone acoustics 59", "Xylophone acoustics 58"]


def test_every_paper_is_on_one_of_the_pages(search_site: Site) -> None:
    titles: list[str] = []
    address = "/search?q=xylophone&order=date"
    while address:
        page = parse(search_site.get(address))
        titles += list_titles(page)
        following = page.select_one('a[rel="next"]')
        address = str(following["href"]) if following else ""

    assert len(titles) == len(set(titles)) == 61


def test_without_a_result_wider_searches_are_offered(search_site: Site) -> None:
    page = parse(search_site.get("/search?q=xylophone+zzzunknown"))
    links = {link.get_text(): str(link["href"]) for link in page.select("main li a")}

    assert page.select("#total")[0].get_text() == "0 papers"
    assert links == {"without zzzunknown: 61 papers": "/search?q=xylophone"}


def test_a_mistake_is_shown_at_its_place_with_status_400(search_site: Site) -> None:
    response = search_site.get("/search?q=xylophone+%28marimba+OR&lang=de")
    page = BeautifulSoup(response.text, "html.parser")

    assert response.status_code == 400
    assert response.headers["cache-control"] == "no-store"
    assert page.select("#summary mark")
    assert page.select("#q")[0]["value"] == "xylophone (marimba OR"
    assert page.html is not None
    assert page.html["lang"] == "de"


def test_the_search_without_a_query_explains_itself(search_site: Site) -> None:
    page = parse(search_site.get("/search"))
    examples = [str(link["href"]) for link in page.select(".examples a")]

    assert len(examples) == 6
    assert all(search_site.get(example).status_code == 200 for example in examples)
    assert search_site.get("/search?q=").headers["location"] == "/search"


@pytest.mark.parametrize(
    "query",
    [
        "q=xylophone&cursor=forged",
        "q=xylophone&cursor=" + "A" * 900,
        "q=" + "x" * 10_000,
        "q=xylophone&order=x",
        "q=xylophone&year=99",
        "q=a&q=b",
        "q=%ED%A0%80",
        "q=%00",
        "q=xylophone&source=%00",
        "q=xylophone&lang=xx",
    ],
)
def test_what_has_no_meaning_is_a_page_with_status_400(search_site: Site, query: str) -> None:
    response = search_site.get(f"/search?{query}")

    assert response.status_code == 400
    assert "<h1>" in response.text


def test_a_cursor_belongs_to_its_search(search_site: Site) -> None:
    link = parse(search_site.get("/search?q=xylophone")).select('a[rel="next"]')[0]

    assert search_site.get(str(link["href"])).status_code == 200
    assert search_site.get(str(link["href"]).replace("xylophone", "marimba")).status_code == 400


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    st.text(max_size=40) | st.sampled_from(['"', "(" * 60, "NOT " * 30, "author:", "\u202e", "=x", "a" * 300])
)
def test_no_query_is_an_error_of_ours_and_nothing_of_it_is_html(search_site: Site, text: str) -> None:
    response = search_site.get(f"/search?q={quote(text.encode('utf-8', 'replace'))}")

    assert response.status_code < 500
    assert "<script" not in response.text.replace('<script src="/script/htmx-', "")
    assert "\u202e" not in response.text
    assert search_site.operator_messages == []


# --- related papers -------------------------------------------------------------------------------


def test_a_paper_has_similar_ones_with_the_words_in_common(search_site: Site) -> None:
    page = parse(search_site.get("/paper/arxiv:1901.00000"))
    rows = page.select("#similar ~ ul li")

    assert len(rows) == 20
    assert all("in common: " in row.get_text() for row in rows)
    newest = parse(search_site.get("/paper/arxiv:1901.00000?similar=date"))
    assert "Xylophone acoustics 5" in newest.select("#similar ~ ul li")[0].get_text()


def test_a_paper_lists_what_cites_it_and_what_it_cites(search_site: Site) -> None:
    cited = parse(search_site.get("/paper/arxiv:1901.00000"))
    citing = parse(search_site.get("/paper/arxiv:1902.00001"))
    (link,) = cited.find_all("a", string="All papers that cite it")

    assert "Cited by" in [heading.get_text() for heading in cited.select("h2")]
    assert parse(search_site.get(str(link["href"]))).select("#total")[0].get_text() == "59 papers"
    assert "It cites 2 papers, as far as known" in citing.get_text()
    assert citing.find_all("a", href="/paper/arxiv:1901.00000")


# --- collections ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "title", "count"),
    [
        ("/category/cs.SD", "cs.SD Sound", 30),
        (f"/institution/{quote(LAB)}", LAB, 60),
        ("/topic/bars", "Bars & mallets", 61),
    ],
)
def test_a_collection_has_papers_people_and_a_line_to_follow_it(
    search_site: Site, address: str, title: str, count: int
) -> None:
    page = parse(search_site.get(address))

    assert page.h1 is not None
    assert page.h1.get_text() == title
    assert page.select("#total")[0].get_text() in {f"{count} papers", f"At most {count} papers"}
    assert list_titles(page)[:2] == sorted(list_titles(page)[:2], reverse=True)
    assert "Mallet Player-Sample" in [link.get_text() for link in page.select(".columns a")]
    assert page.select("pre")[0].get_text().strip()
    following = page.select('a[rel="next"]')[0]
    assert not set(list_titles(parse(search_site.get(str(following["href"]))))) & set(list_titles(page))


def test_a_category_and_a_topic_announce_their_feeds(search_site: Site) -> None:
    for page_address in ("/category/cs.DC", "/topic/bars"):
        page = parse(search_site.get(page_address))
        feeds = {str(link["type"]): str(link["href"]) for link in page.select('link[rel="alternate"][type]')}
        assert list(feeds) == ["application/atom+xml", "application/rss+xml", "application/feed+json"]
        for media_type, address in feeds.items():
            response = search_site.get(address)
            assert (response.status_code, response.headers["content-type"]) == (200, media_type)
        assert search_site.get(feeds["application/feed+json"]).json()["items"] is not None


def test_a_category_without_papers_has_a_page_and_what_is_unknown_has_none(search_site: Site) -> None:
    assert "No papers." in search_site.get("/category/hep-lat").text
    assert search_site.get("/category/cs.dc").headers["location"] == "/category/cs.DC"
    for address in ("/category/cs.XX", "/institution/Nowhere%20University", "/topic/none", "/topic/bars/x"):
        assert search_site.get(address).status_code == 404, address
    for address in ("/category/%00", "/topic/bars?cursor=x", f"/institution/{'x' * 300}"):
        assert search_site.get(address).status_code == 400, address


def test_all_pages_have_the_same_bytes_for_everybody(search_site: Site) -> None:
    for address in ("/search?q=xylophone", "/category/cs.SD", "/topic/bars", "/paper/arxiv:1901.00000"):
        response = search_site.get(address)
        assert response.headers["cache-control"] == "public, max-age=300"
        assert search_site.get(address, cookie="a=b", accept_language="de").content == response.content
        assert search_site.get(address, if_none_match=response.headers["etag"]).status_code == 304
        assert len(response.content) < 100_000


def test_a_page_of_a_paper_shows_what_cites_it_as_soon_as_that_is_stored(site: Site) -> None:
    cited = Paper(key=PaperKey("arxiv:2001.00001"), title="Zither tuning", url="https://example.org/1")
    citing = Paper(
        key=PaperKey("arxiv:2002.00002"),
        title="Zither strings",
        url="https://example.org/2",
        references=("arxiv:2001.00001",),
    )
    with site.app.store.begin_ingest() as tx:
        import_records(tx, "arxiv", [cited])
    assert "Zither strings" not in site.get("/paper/arxiv:2001.00001").text
    with site.app.store.begin_ingest() as tx:
        import_records(tx, "arxiv", [citing])

    time.sleep(1.1)  # the cache asks once a second whether a page has changed
    assert "Zither strings" in site.get("/paper/arxiv:2001.00001").text


def test_every_page_shows_a_new_paper_as_soon_as_it_is_stored(
    composed_folder: Path, source: Publisher, tmp_path: Path
) -> None:
    addresses = [
        "/search?q=xylophone&order=date",
        "/category/physics.class-ph",
        "/institution/Sample%20Institute%20of%20Xylophony",
        "/person/arxiv:1901.00000/1",
        "/people?name=Mallet+Player-Sample",
        "/paper/arxiv:1901.00000",
        "/api/v1/search?q=xylophone&order=date",
        "/api/v1/people?name=Mallet+Player-Sample",
        "/api/v1/people/arxiv:1901.00000/1",
        "/api/v1/categories/physics.class-ph",
        "/api/v1/similar/arxiv:1901.00000?order=date",
        "/api/v1/papers/arxiv:1901.00000",
    ]
    papers = make_papers()
    folder = tmp_path / "world"
    shutil.copytree(composed_folder, folder)
    with serve_workspace(Workspace(folder), source) as site:
        store_papers(site, papers[:12])
        before = {address: site.get(address).raise_for_status().content for address in addresses}
        time.sleep(1.1)  # the cache asks once a second whether a page has changed
        assert {address: site.get(address).content for address in addresses} == before

        store_papers(site, papers[12:14])
        time.sleep(1.1)
        assert [address for address in addresses if site.get(address).content == before[address]] == []


def store_papers(site: Site, papers: Sequence[Paper]) -> None:
    with site.app.store.begin_ingest() as tx:
        import_records(tx, "arxiv", papers)
