"""Texts that mean harm, in all places that come from outside: links lead somewhere, and answers are what they say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import quote, urljoin

import pytest
from bs4 import BeautifulSoup

from digest.demo.publisher import Publisher
from tests.system.samples import harm
from tests.system.samples.public_sites import (
    DAY,
    Filling,
    make_filling_of_texts,
    make_long_filling,
    make_sparse_filling,
    make_usual_filling,
    serve_filling,
)
from tests.web.conftest import Site

HALF_CHARACTER = re.compile("[\ud800-\udfff]")
PAGES_OF_A_KIND = 40
"""Links of one kind to follow: those to persons are all alike."""
FILLINGS = {
    "sparse": make_sparse_filling(),
    "usual": make_usual_filling(),
    "long": make_long_filling(),
    "hostile": make_filling_of_texts(harm.TEXTS),
}


@pytest.fixture(scope="module", params=FILLINGS)
def filled(
    request: pytest.FixtureRequest, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Filling, Site]]:
    filling = FILLINGS[request.param]
    with serve_filling(filling, tmp_path_factory.mktemp(request.param), source) as site:
        yield filling, site


def test_every_link_of_a_page_leads_to_a_page(filled: tuple[Filling, Site]) -> None:
    filling, site = filled
    links: dict[str, dict[str, None]] = {}
    for name, path in filling.paths.items():
        if re.search(r"typed|mistake|bad|[2-9]$", name):  # what is wrong is so in all languages
            continue
        for link in BeautifulSoup(
            site.request("GET", path, follow_redirects=True).text, "html.parser"
        ).select("a[href], link[href]"):
            address = urljoin(site.pages.url + path, str(link["href"]))
            if address.startswith(f"{site.pages.url}/"):
                kind = re.sub(r"(?<=[/=])[^/=&]+", "*", address.removeprefix(site.pages.url))
                links.setdefault(kind[:60], {})[address] = None

    missing = [
        (address, status)
        for addresses in links.values()
        for address in list(addresses)[:PAGES_OF_A_KIND]
        if (status := site.get(address).status_code) >= 400
    ]
    # No query finds what is made of signs alone; whatever is a name has a page.
    is_hostile = filling is FILLINGS["hostile"]
    without_words = r"(?:/category/|/institution/|[?&]category=)[^?]*[%<*&]" if is_hostile else "$^"
    assert [
        (address, status)
        for address, status in missing
        if status >= 500 or not re.search(without_words, address)
    ] == []
    assert len(links) > 5
    assert site.operator_messages == []


def test_documents_of_the_api_have_every_text_as_json(filled: tuple[Filling, Site]) -> None:
    filling, site = filled
    keys = [quote(paper.key, safe=":/") for paper in filling.announced[:12]]
    paths = [
        f"days/{DAY}?limit=100",
        "search?q=xylophone",
        "categories/cs.DC",
        "categories",
        "sources",
        "days",
    ]
    for key in keys:
        paths += [f"papers/{key}", f"similar/{key}", f"people/{key}/1"]
    for text in harm.TEXTS:
        typed = quote(text.encode(errors="surrogatepass"), safe="")
        paths += [f"search?q={typed}", f"people?name=Ada+{typed}", f"papers/{typed}", f"categories/{typed}"]

    for path in paths:
        response = site.get(f"/api/v1/{path}")
        assert (path, response.status_code < 500) == (path, True)
        assert response.headers["content-type"] in {"application/json", "application/problem+json"}
        assert response.headers["x-content-type-options"] == "nosniff"
        document = json.loads(response.content.decode())
        assert not HALF_CHARACTER.search(json.dumps(document, ensure_ascii=False))
    for key, paper in zip(keys, filling.announced, strict=False):
        document = site.get(f"/api/v1/papers/{key}").raise_for_status().json()["paper"]
        assert document["title"].split()[0] == paper.title.split()[0]
    assert site.operator_messages == []
