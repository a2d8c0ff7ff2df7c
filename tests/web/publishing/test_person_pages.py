"""The pages of persons and of names that everybody can read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from bs4 import BeautifulSoup

from digest.demo.publisher import Publisher
from digest.jobs import person_edits
from digest.model import Author, Paper, PaperKey, Signal
from digest.store.papers.papers import save_papers
from digest.store.papers.signals import save_signals
from tests.support.workspace import Workspace
from tests.web.conftest import THURSDAY, Site, serve_workspace

ORCID = "0000-0002-1825-0097"
ADA = "/person/arxiv:2501.00000/1"


def parse(response: httpx.Response) -> BeautifulSoup:
    return BeautifulSoup(response.raise_for_status().text, "html.parser")


def make_paper(number: int, *authors: Author, **more: object) -> Paper:
    return Paper(
        key=PaperKey(f"arxiv:{number // 12 + 25}{number % 12 + 1:02}.{number:05}"),
        title=f"Paper {number}",
        authors=authors,
        categories=("cs.DC",),
        url=f"https://example.org/{number}",
        **more,  # type: ignore[arg-type] # any field
    )


def make_papers() -> list[Paper]:
    """60 papers of Ada, of which some have her ORCID iD; one with nobody she knows; one of a collaboration of 3,000."""
    ada = "Ada Lovelace-Sample"
    papers = [
        make_paper(
            number,
            Author(ada, ("Sample University",), (("orcid", ORCID),) if number % 3 == 0 else ()),
            *(Author(f"Bob Colleague{chr(65 + (number + step) % 7)}") for step in range(3)),
        )
        for number in range(24)
    ]
    papers += [
        make_paper(number, Author("Bob ColleagueA"), Author(ada, (), (("orcid", ORCID),)))
        for number in range(24, 60)
    ]
    collaboration = [Author(f"Member Number{number:04}") for number in range(2999)]
    return [
        *papers,
        make_paper(60, Author(ada), Author("Somebody Else")),
        make_paper(61, *collaboration, Author(ada, (), (("orcid", ORCID),))),
        make_paper(62, Author("Solo Unknown-Author")),
        make_paper(63, Author('Eve <script>alert(1)</script>"\u202e\x00', ("<b>Lab</b>",))),
    ]


@pytest.fixture(scope="module")
def people_site(
    composed_folder: Path, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site with persons; no test changes anything there."""
    folder = tmp_path_factory.mktemp("people") / "world"
    shutil.copytree(composed_folder, folder)
    with serve_workspace(Workspace(folder), source) as site:
        with site.app.store.begin_ingest() as tx:
            save_papers(tx, "arxiv", make_papers())
            numbers = (("citations", 812), ("h-index", 18), ("papers", 47))
            save_signals(
                tx,
                [
                    Signal(subject=f"orcid:{ORCID}", kind=kind, source="arxiv", day=day, value=value)
                    for kind, value in numbers
                    for day in (THURSDAY - timedelta(9), THURSDAY)
                ],
            )
        yield site


def test_a_person_has_papers_by_year_coauthors_and_ids_with_who_says_so(people_site: Site) -> None:
    page = parse(people_site.get(ADA))
    text = " ".join(page.get_text(" ").split())

    assert page.h1 is not None
    assert page.h1.get_text() == "Ada Lovelace-Sample"
    assert "of 62 papers, 45 by an ID, 16 by co-authors, 1 only by name and field" in text
    assert f"{ORCID} printed on papers" in text
    assert "Sample University 2025 to 2026 · arXiv" in text
    assert "1 paper with more than 30 authors is left out here." in text
    years = [int(cell.get_text()) for cell in page.select("details")[0].select("td")]
    assert sum(years) == 62
    names = [cell.get_text() for cell in page.select("#coauthors ~ details tbody th")]
    assert names[0] == "Bob ColleagueA"
    assert len(page.select(".wide svg.graph a")) == len(names) == 8


def test_a_number_about_a_person_says_of_how_many_papers_and_whose_it_is(people_site: Site) -> None:
    assert "812 citations, h-index 18 of 47 papers: arXiv, 7 May" in parse(people_site.get(ADA)).get_text()


def test_papers_are_listed_newest_first_on_several_pages(people_site: Site) -> None:
    titles = [
        heading.get_text()
        for number in (1, 2, 3)
        for heading in parse(people_site.get(f"{ADA}{f'?page={number}' if number > 1 else ''}")).select("h3")
    ]

    assert len(titles) == 62
    assert titles[0] == "Paper 61"
    assert titles[-1] == "Paper 0"
    assert people_site.get(f"{ADA}?page=4").status_code == 404


def test_other_bylines_and_ids_lead_to_the_first_byline(people_site: Site) -> None:
    for path in (
        "arxiv:2501.00000%231",
        "arxiv:2502.00001/1",
        f"orcid:{ORCID}",
        f"https://orcid.org/{ORCID}",
    ):
        response = people_site.get(f"/person/{path}?lang=de")
        assert (response.status_code, response.headers["location"]) == (302, f"{ADA}?lang=de"), path


def test_a_person_without_evidence_has_a_page_that_says_so(people_site: Site) -> None:
    page = parse(people_site.get("/person/arxiv:3003.00062/1"))

    assert "nothing confirms who it is" in page.get_text()
    assert not page.select("svg")


def test_a_member_of_a_collaboration_has_a_page(people_site: Site) -> None:
    page = parse(people_site.get("/person/arxiv:3002.00061/1500"))

    assert page.h1 is not None
    assert page.h1.get_text() == "Member Number1499"
    assert "and 2,995 more" in page.get_text()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("arxiv:2501.00000/99", 404),
        ("arxiv:2501.00000", 404),
        ("orcid:0000-0002-1825-0098", 404),
        ("orcid:0000-0001-5109-3700", 404),
        ("arxiv:9912.99999/1", 404),
        ("nobody", 404),
        ("%00/1", 400),
        (f"{'x' * 2000}/1", 400),
    ],
)
def test_who_is_not_there_has_no_page(people_site: Site, path: str, status: int) -> None:
    assert people_site.get(f"/person/{path}").status_code == status


def test_a_name_lists_the_persons_who_have_it(people_site: Site) -> None:
    page = parse(people_site.get("/people?name=Ada+Lovelace-Sample"))
    links = [str(link["href"]) for link in page.select("h3 a")]

    assert links[0] == ADA
    assert page.find("meta", {"name": "robots", "content": "noindex"})
    near = parse(people_site.get("/people?name=Ada+Lovelace-Sampel"))
    assert "Ada Lovelace-Sample" in [link.get_text() for link in near.select("main a")]


def test_authors_of_a_paper_lead_to_their_pages(people_site: Site) -> None:
    links = parse(people_site.get("/paper/arxiv:2501.00000?lang=de")).select("p.by > a")

    assert [str(link["href"]) for link in links][:2] == [
        f"{ADA}?lang=de",
        "/person/arxiv:2501.00000/2?lang=de",
    ]


def test_nothing_of_a_person_is_taken_for_html(people_site: Site) -> None:
    response = people_site.get("/person/arxiv:3004.00063/1").raise_for_status()

    assert "<script" not in response.text
    assert "\u202e" not in response.text
    assert "<b>" not in response.text


@pytest.mark.parametrize("address", [ADA, "/people?name=Ada+Lovelace-Sample"])
def test_pages_of_persons_are_the_same_for_everybody(people_site: Site, address: str) -> None:
    response = people_site.get(address)

    assert response.headers["cache-control"] == "public, max-age=300"
    assert people_site.get(address, cookie="a=b", accept_language="de").content == response.content
    assert people_site.get(address, if_none_match=response.headers["etag"]).status_code == 304
    assert people_site.get(f"{quote(address, safe='/:?=+')}").status_code == 200


def test_a_family_name_alone_asks_for_more(people_site: Site) -> None:
    page = parse(people_site.get("/people?name=Lovelace"))

    assert "Add a given name or its initial" in page.get_text()
    assert not page.select("h3")


def test_a_person_of_a_paper_whose_key_is_an_address_has_a_page(site: Site) -> None:
    key = "url:https://example.org/ü?a=b c%20d"
    paper = Paper(
        key=PaperKey(key), title="Web", authors=(Author("Webby Pager"),), url="https://example.org/"
    )
    with site.app.store.begin_ingest() as tx:
        save_papers(tx, "arxiv", [paper])

    page = parse(site.get(f"/person/{quote(key)}/1"))

    assert page.h1 is not None
    assert page.h1.get_text() == "Webby Pager"


def test_the_page_of_a_name_follows_a_correction(site: Site) -> None:
    numbers = (70, 71)
    papers = [make_paper(number, Author("Twin Sampleton"), Author(f"Friend {number}")) for number in numbers]
    with site.app.store.begin_ingest() as tx:
        save_papers(
            tx,
            "arxiv",
            [replace(papers[0], categories=("cs.DC",)), replace(papers[1], categories=("hep-th",))],
        )
    first, second = (f"{paper.key}#1" for paper in papers)
    assert len(parse(site.get("/people?name=Twin+Sampleton")).select("h3")) == 2

    person_edits.merge(site.app.store, first, second, site.app.clock())
    time.sleep(1.1)  # the cache asks once a second whether a page has changed

    assert len(parse(site.get("/people?name=Twin+Sampleton")).select("h3")) == 1
