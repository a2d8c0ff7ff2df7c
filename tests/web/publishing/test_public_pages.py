"""The pages that everybody can read: a day, a paper, the front page; and what nobody gets with a hostile address."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

import httpx
import pytest
from bs4 import BeautifulSoup
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digest.demo.publisher import Publisher
from digest.jobs import paper_edits
from digest.model import Author, Paper, PaperKey, Signal
from digest.store.papers.papers import save_papers
from digest.store.papers.signals import save_signals
from digest.web.publishing import static_files
from tests.support.workspace import Workspace
from tests.web.conftest import ME, THURSDAY, Site, serve_workspace

DAY = f"/papers/{THURSDAY}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SCRIPTS_NOTE = Path(static_files.__file__).parents[1] / "scripts" / "README.md"
HOSTILE = (
    *(
        "%00",
        "%ED%A0%80",
        "%E2%80%AEevil",
        "<script>alert(1)</script>",
        "'\"><img src=x>",
        "%",
        "../..",
        "%2e%2e",
    ),
    *(
        "%0d%0aset-cookie:a=b",
        "{{7*7}}",
        "x" * 3_000,
        "٣",
        "%FF%FE",
        "arxiv:",
        "doi:",
        "url:javascript:alert(1)",
    ),
)


def parse(response: httpx.Response) -> BeautifulSoup:
    return BeautifulSoup(response.raise_for_status().text, "html.parser")


def remove_data(page: str) -> str:
    """Remove the script, and the description for search engines, which is JSON without any sign that HTML knows."""
    page = re.sub(r'<script src="/script/htmx-\w+\.js" defer></script>', "", page)
    return re.sub(r'<script type="application/ld\+json">[^<>&]*</script>', "", page)


def list_titles(response: httpx.Response) -> list[str]:
    return [heading.get_text() for heading in parse(response).select("article h3")]


@pytest.fixture(scope="module")
def public_site(
    composed_folder: Path, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A day with numbers about some of its papers; no test changes anything there."""
    folder = tmp_path_factory.mktemp("public") / "world"
    shutil.copytree(composed_folder, folder)
    with serve_workspace(Workspace(folder), source) as site:
        keys = [
            str(link["href"]).removeprefix("/paper/") for link in parse(site.get(DAY)).select("article h3 a")
        ]
        with site.app.store.begin_ingest() as tx:
            save_signals(
                tx,
                [
                    Signal(
                        subject=key, kind=kind, source="arxiv", day=THURSDAY - timedelta(days), value=value
                    )
                    for number, key in enumerate(keys[:10])
                    for kind, days, value in (
                        ("votes", 8, number),
                        ("votes", 0, 2 * number),
                        ("citations", 0, 9 - number),
                    )
                ],
            )
    with serve_workspace(Workspace(folder), source) as site:
        yield site


# --- a day ----------------------------------------------------------------------------------------


def test_a_day_has_its_papers_and_says_how_complete_it_is(public_site: Site) -> None:
    response = public_site.get(DAY)
    page = parse(response)

    assert page.h1 is not None
    assert page.h1.get_text() == "Thursday 7 May 2026"
    assert "complete" in page.select("details.account summary")[0].get_text()
    assert page.select("details.account li")
    assert len(page.select("article")) == min(100, int(page.select("#total")[0].get_text().split()[0]))
    assert len(response.content) < 100_000


def test_a_card_has_title_people_sentence_category_and_day(public_site: Site) -> None:
    card = parse(public_site.get(DAY)).article
    assert card is not None
    title, people, sentence, facts = (part.get_text() for part in card.find_all(["h3", "p"]))

    assert title
    assert people
    assert title.split()[0] in sentence
    assert re.search(r"cs\.\w\w \w.* · 7 May", facts)


def test_no_number_is_bare(public_site: Site) -> None:
    facts = parse(public_site.get(f"{DAY}?order=votes")).select("article .m")

    assert facts[0].get_text().endswith("18 votes on arXiv (7 May)")
    assert facts[1].get_text().endswith("16 votes, 1 citation on arXiv (7 May)")


def test_orders_and_filters_are_part_of_the_address(public_site: Site) -> None:
    everything = list_titles(public_site.get(DAY))
    by_votes = list_titles(public_site.get(f"{DAY}?order=votes"))
    by_citations = list_titles(public_site.get(f"{DAY}?order=citations"))
    optimization = list_titles(public_site.get(f"{DAY}?category=math.OC"))

    assert by_votes[:2] == [everything[9], everything[8]]
    assert by_citations[:2] == everything[:2]
    assert optimization
    assert set(optimization) < {*everything, *list_titles(public_site.get(f"{DAY}?page=2"))}
    assert len(list_titles(public_site.get(f"{DAY}?category=hep-th"))) == 0
    assert all(
        "Code" in card.get_text() for card in parse(public_site.get(f"{DAY}?has=code")).select("article")
    )


def test_another_spelling_of_an_address_leads_to_the_canonical_one(public_site: Site) -> None:
    for query, canonical in (
        ("order=votes&category=cs.DC", "?category=cs.DC&order=votes"),
        ("tab=new&category=&order=listing&page=1&utm_source=mail", ""),
        ("category=cs.dc", "?category=cs.DC"),
        ("lang=en", ""),
    ):
        response = public_site.get(f"{DAY}?{query}")
        assert (response.status_code, response.headers["location"]) == (301, f"{DAY}{canonical}"), query
    response = public_site.get("/papers")
    assert (response.status_code, response.headers["location"]) == (302, DAY)


def test_what_is_trending_is_ordered_by_votes_gained_in_a_week(public_site: Site) -> None:
    everything = list_titles(public_site.get(DAY))
    page = public_site.get(f"{DAY}?tab=trending")

    assert list_titles(page) == [everything[number] for number in range(9, 0, -1)]
    assert "9 more votes on arXiv in a week (7 May)" in page.text
    assert "/about/numbers#trending" in page.text


def test_there_is_no_trending_tab_without_numbers(shared_site: Site) -> None:
    assert "tab=trending" not in shared_site.get(DAY).text
    assert shared_site.get(f"{DAY}?tab=trending").status_code == 404


def test_a_day_without_a_page_is_not_found_and_a_bad_address_is_said_to_be_one(public_site: Site) -> None:
    for address, status in {
        **dict.fromkeys(("/papers/2026-02-30", f"{DAY}?page=0", f"{DAY}?tab=x", f"{DAY}?lang=xx"), 400),
        **dict.fromkeys(("/papers/1999-01-01", "/papers/2999-01-01", "/papers/today"), 404),
        **dict.fromkeys((f"{DAY}?page=999999", f"{DAY}?category=cs.XX"), 404),
    }.items():
        response = public_site.get(address)
        assert response.status_code == status, address
        assert "<h1>" in response.text
    german = public_site.get(f"{DAY}?page=999999&lang=de")
    assert (german.status_code, 'lang="de"' in german.text) == (404, True)
    assert "Hier gibt es keine Seite" in german.text or "keine Seite" in german.text


def test_days_lead_to_each_other(site: Site) -> None:
    assert not parse(site.get(DAY)).select(".steps a")
    site.publish_next_day()
    site.app.get_locale_bundle("en")

    links = [link["href"] for link in parse(site.get(f"{DAY}?lang=de")).select(".steps a")]

    assert links == [f"/papers/{THURSDAY + timedelta(1)}?lang=de"]


# --- a paper --------------------------------------------------------------------------------------


def get_paper_link(site: Site) -> str:
    link = parse(site.get(DAY)).select("article h3 a")[0]
    return str(link["href"])


def test_a_paper_says_everything_and_who_says_it(public_site: Site) -> None:
    address = get_paper_link(public_site)
    page = parse(public_site.get(address))
    text = page.get_text(" ")

    assert page.h1 is not None
    assert page.h1.get_text() in list_titles(public_site.get(DAY))
    assert "new in arXiv cs.DC" in text
    assert "Title" in [label.get_text() for label in page.select("dt")]
    assert 'papers = ["' in text
    assert page.find("meta", {"name": "citation_title"})


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl"])
def test_a_citation_is_a_file(public_site: Site, form: str) -> None:
    address = get_paper_link(public_site)
    response = public_site.get(f"{address}?format={form}").raise_for_status()

    key = address.removeprefix("/paper/")
    title = parse(public_site.get(address)).h1
    assert title is not None
    match form:
        case "csl":
            (entry,) = json.loads(response.text)
            assert (entry["id"], entry["title"]) == (key, title.get_text())
        case "ris":
            assert response.text.startswith(("TY  - GEN\r\n", "TY  - JOUR\r\n"))
            assert response.text.endswith("ER  - \r\n")
        case _:
            assert response.text.startswith("@")
    assert "html" not in response.headers["content-type"]


def test_each_notation_of_an_id_leads_to_the_key(public_site: Site) -> None:
    key = get_paper_link(public_site).removeprefix("/paper/")
    bare = key.removeprefix("arxiv:")

    for other in (bare, f"{bare}v3", f"arXiv:{bare}", f"https://arxiv.org/abs/{bare}"):
        response = public_site.get(f"/paper/{quote(other)}")
        assert (response.status_code, response.headers["location"]) == (301, f"/paper/{key}"), other
    assert public_site.get("/paper/arxiv:9912.99999").status_code == 404
    assert public_site.get("/paper/nothing").status_code == 404


def test_an_old_key_redirects_after_a_merge_and_parted_papers_are_found_again(site: Site) -> None:
    key = get_paper_link(site).removeprefix("/paper/")
    doi = "10.1000/published"
    published = Paper(key=PaperKey(f"doi:{doi}"), title="Published", url="https://example.org/p", doi=doi)
    with site.app.store.begin_ingest() as tx:
        save_papers(tx, "arxiv", [published])
    assert site.get(f"/paper/doi:{doi}?lang=de").status_code == 200
    joined = Paper(key=PaperKey(key), title="Preprint", url="https://example.org/a", doi=doi)
    with site.app.store.begin_ingest() as tx:
        save_papers(tx, "journal", [joined])

    response = site.get(f"/paper/doi:{doi}")
    assert (response.status_code, response.headers["location"]) == (301, f"/paper/{key}")
    assert "are one paper here" in site.get(f"/paper/{key}").text

    assert paper_edits.set_apart(site.app.store, key, doi, is_apart=True)
    assert site.get(f"/paper/doi:{doi}").status_code == 200


def test_nothing_of_a_paper_is_taken_for_html(site: Site) -> None:
    evil = '<script>alert(1)</script>"\u202e\x00'
    paper = Paper(
        key=PaperKey("arxiv:2605.99999"),
        title=f"A {evil}",
        abstract=f"We propose {evil}.",
        authors=(Author(f"Eve {evil}", (evil,)),),
        categories=(evil,),
        comment=evil,
        journal_ref=evil,
        organizations=(evil,),
        code_urls=("javascript:alert(1)",),
        url="javascript:alert(1)",
    )
    with site.app.store.begin_ingest() as tx:
        save_papers(tx, "arxiv", [paper])

    response = site.get("/paper/arxiv:2605.99999").raise_for_status()

    assert "<script" not in remove_data(response.text)
    assert "\u202e" not in response.text
    assert not [link for link in parse(response).select("a") if str(link["href"]).startswith("javascript")]


def test_search_engines_get_a_description_of_a_paper(public_site: Site) -> None:
    address = get_paper_link(public_site)
    page = parse(public_site.get(address))
    (script,) = page.select("script")
    described = json.loads(script.get_text())

    assert page.h1 is not None
    assert (described["@type"], described["headline"]) == ("ScholarlyArticle", page.h1.get_text())
    assert described["url"] == f"https://digest.example.org{address}"
    assert described["datePublished"] == THURSDAY.isoformat()
    assert described["author"][0]["name"] in page.get_text()
    assert page.find("meta", {"property": "og:title", "content": page.h1.get_text()})
    assert page.find("meta", {"property": "og:description"})


# --- the front page, and all pages ----------------------------------------------------------------


def test_the_front_page_has_the_first_papers_of_the_newest_day(public_site: Site) -> None:
    page = parse(public_site.get("/"))

    assert [heading.get_text() for heading in page.select("article h3")] == list_titles(public_site.get(DAY))[
        :12
    ]
    assert page.select("#categories")
    assert any(link["href"] == DAY for link in page.select("a"))


def test_public_pages_may_be_indexed_and_stored_and_allow_nothing_inline(public_site: Site) -> None:
    for address in ("/", DAY, get_paper_link(public_site), "/about/numbers"):
        response = public_site.get(address)
        policy = response.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "style-src 'self'" in policy
        assert "script-src 'self'; connect-src 'self'" in policy
        assert "x-robots-tag" not in response.headers
        assert "noindex" not in response.text
        assert response.headers["cache-control"] == "public, max-age=300"
        assert not re.search(r"<style|\sstyle=|<script|\son\w+=", remove_data(response.text))
        assert ME not in response.text
        again = public_site.get(address, if_none_match=response.headers["etag"])
        assert (again.status_code, again.content) == (304, b"")
        assert public_site.get(address, accept_encoding="gzip").text == response.text
        assert public_site.get(address, accept_language="de", cookie="a=b").content == response.content


def test_pages_of_readers_keep_their_headers(public_site: Site) -> None:
    response = public_site.get(public_site.make_paper_url())

    assert response.headers["x-robots-tag"] == "noindex"
    assert public_site.get("/nothing").headers["x-robots-tag"] == "noindex"
    for address in (public_site.make_paper_url(), "/api/v1/days"):
        assert "script-src" not in public_site.get(address).headers["content-security-policy"]


def test_the_style_is_stored_for_a_year(public_site: Site) -> None:
    link = parse(public_site.get("/")).find("link", {"rel": "stylesheet"})
    assert link is not None
    response = public_site.get(str(link["href"])).raise_for_status()

    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"] == "text/css; charset=utf-8"
    assert "<" not in response.text
    assert "--accent" in response.text
    assert public_site.get("/style/0000.css").status_code == 404


def test_the_script_is_stored_for_a_year_and_is_the_one_whose_source_is_noted(public_site: Site) -> None:
    (address,) = (str(tag["src"]) for tag in parse(public_site.get("/search")).select("script[src]"))
    response = public_site.get(address).raise_for_status()
    digest = hashlib.sha256(response.content).hexdigest()

    assert address == f"/script/htmx-{digest[:16]}.js"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert public_site.get(address, if_none_match=response.headers["etag"]).status_code == 304
    compressed = public_site.get(address, accept_encoding="gzip")
    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.content == response.content
    assert public_site.get("/script/htmx-0000.js").status_code == 404

    (row,) = re.findall(r"\| `(.+)` \| (.+) \| .+ \| (.+) \| `(.+)` \|", SCRIPTS_NOTE.read_text("utf-8"))
    file, version, license_note, noted_digest = row
    assert (SCRIPTS_NOTE.parent / file).read_bytes() == response.content
    assert noted_digest == digest
    assert f'version:"{version}"' in response.text
    (license_file,) = re.findall(r"0BSD \(`(.+)`\)", license_note)
    assert "Zero-Clause BSD" in (SCRIPTS_NOTE.parent / license_file).read_text("utf-8")


def test_the_script_runs_no_code_of_a_page_and_adds_no_styles(public_site: Site) -> None:
    (tag,) = parse(public_site.get("/search")).select('meta[name="htmx-config"]')
    config = json.loads(str(tag["content"]))

    for name in ("allowEval", "allowScriptTags", "includeIndicatorStyles"):
        assert config[name] is False
    assert config["selfRequestsOnly"] is True
    assert config["historyCacheSize"] == 0


def test_only_pages_that_need_the_script_load_it(public_site: Site) -> None:
    for address in ("/", "/about/numbers", get_paper_link(public_site)):
        assert not parse(public_site.get(address)).select("script[src]"), address


def test_a_request_of_the_script_gets_the_same_bytes(public_site: Site) -> None:
    for address in (DAY, "/search?q=serving"):
        response = public_site.get(address, hx_request="true", hx_boosted="true", hx_target="outcome")
        assert response.content == public_site.get(address).content


def test_a_page_is_in_the_language_of_its_address_and_so_are_its_links(public_site: Site) -> None:
    for address in ("/", DAY, get_paper_link(public_site), "/about/numbers"):
        page = parse(public_site.get(f"{address}?lang=de"))
        assert page.html is not None
        assert page.html["lang"] == "de"
        links = [str(link["href"]) for link in page.select("main a, nav a")]
        own = [link for link in links if link.startswith("/") and "format=" not in link]
        assert own
        assert all("lang=de" in link for link in own), address
        alternates = {str(link["hreflang"]) for link in page.select("link[hreflang]")}
        assert alternates == {"en", "de", "zh-Hans"}


def test_a_page_that_only_looks_like_a_query_is_another_one(public_site: Site) -> None:
    assert public_site.get(f"{DAY}?order=votes").status_code == 200
    assert public_site.get(f"{DAY}%3Forder=votes").status_code == 404


def test_robots_are_told_what_they_need_not_read(public_site: Site) -> None:
    robots = public_site.get("/robots.txt").text

    assert robots.startswith("User-agent: *\n")
    assert "Sitemap: https://digest.example.org/sitemap.xml" in robots


def test_sitemaps_list_each_day_and_paper_once(public_site: Site) -> None:
    index = ET.fromstring(public_site.get("/sitemap.xml").raise_for_status().content)
    addresses = [
        str(entry.text)
        for sitemap in index.iter(f"{SITEMAP}loc")
        for entry in ET.fromstring(public_site.get(str(sitemap.text)).content).iter(f"{SITEMAP}loc")
    ]

    assert len(addresses) == len(set(addresses)) > 100
    assert f"https://digest.example.org{DAY}" in addresses
    assert f"https://digest.example.org{get_paper_link(public_site)}" in addresses
    assert all(public_site.get(address).status_code == 200 for address in addresses[:20])
    for file in ("1980-01.xml", "2026-13.xml", "x", "2026-05"):
        assert public_site.get(f"/sitemaps/{file}").status_code == 404, file


def test_what_watches_the_service_gets_a_short_answer(public_site: Site) -> None:
    for address, text in (("/healthz", "ok\n"), ("/readyz", "ok\nlast cycle: none yet\n")):
        response = public_site.get(address)
        assert (response.status_code, response.text) == (200, text)
        assert response.headers["cache-control"] == "no-store"


def test_without_public_pages_there_is_what_was_there_before(site: Site) -> None:
    site.change("[site]", "[site]\npublic = false")
    with serve_workspace(site.workspace, site.source) as private:
        for address in (
            DAY,
            "/papers",
            "/paper/arxiv:2605.06472",
            "/robots.txt",
            "/about/numbers",
            "/style/a.css",
            "/script/htmx-a.js",
        ):
            assert private.get(address).status_code == 404, address
        assert "There is no page here" in private.get("/").text
        assert private.get(private.make_paper_url()).status_code == 200


def test_a_day_is_rendered_once_until_it_changes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[date] = []
    load = type(site.app.daily_papers).load_events

    def count(self: object, seqs: list[int]) -> object:
        rendered.append(THURSDAY)
        return load(self, seqs)  # type: ignore[arg-type] # it is the loader

    monkeypatch.setattr("digest.jobs.publishing.daily_papers.DailyPaperLoader.load_events", count)
    for _ in range(3):
        site.get(DAY)
    assert len(rendered) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    st.sampled_from(["/papers/", "/paper/", f"{DAY}?category=", f"{DAY}?lang=", f"{DAY}?page=", f"{DAY}?"])
    | st.sampled_from(["/paper/arxiv:2605.06472?format=", "/?lang=", "/style/"]),
    st.sampled_from(HOSTILE) | st.text(max_size=30).map(lambda text: quote(text.encode("utf-8", "replace"))),
)
def test_no_address_is_an_error_of_ours_and_nothing_of_it_is_html(
    public_site: Site, start: str, end: str
) -> None:
    address = start + quote(end, safe="%:/?&=.")
    response = public_site.get(address)

    assert response.status_code < 500, address
    assert "<script" not in remove_data(response.text)
    assert "\u202e" not in response.text
    assert "set-cookie" not in response.headers
    assert public_site.operator_messages == []
