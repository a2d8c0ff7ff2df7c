"""What everybody can read, and what nobody can who only guesses."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import feedparser
import pytest
from bs4 import BeautifulSoup

from digest.demo.publisher import Publisher
from tests.support.workspace import Workspace, make_config
from tests.system.programs.feed_rules import TYPES, Document, find_faults
from tests.web.conftest import THURSDAY, URL, Site, get_morning, serve_workspace

PUBLIC = f"{URL}/feeds/public"
OPEN = """
[[public_feed]]
name = "serving"
title = "LLM serving"
query = "LLM serving"
"""


@pytest.fixture(scope="module")
def open_workspace(source: Publisher, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A day with feeds for everybody; to be copied."""
    workspace = Workspace(tmp_path_factory.mktemp("open"))
    text = make_config(source.url, more=OPEN)
    workspace.write(text.replace("[site]", f'[site]\nurl = "{URL}"\npublic_feeds = true'))
    source.day = THURSDAY
    workspace.run("run", now=get_morning(THURSDAY))
    return workspace


@pytest.fixture
def open_copy(open_workspace: Workspace, tmp_path: Path) -> Workspace:
    shutil.copytree(open_workspace.folder, tmp_path / "open")
    return Workspace(tmp_path / "open")


@pytest.fixture(scope="module")
def open_site(
    open_workspace: Workspace, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site whose feeds are for everybody; no test changes anything there."""
    folder = tmp_path_factory.mktemp("shared") / "open"
    shutil.copytree(open_workspace.folder, folder)
    with serve_workspace(Workspace(folder), source) as site:
        yield site


def parsed(site: Site, address: str) -> feedparser.FeedParserDict:
    result = feedparser.parse(BytesIO(site.get(address).raise_for_status().content))
    assert not result.bozo
    return result


def test_everything_new_is_a_feed(open_site: Site) -> None:
    result = parsed(open_site, f"{PUBLIC}/all.atom")

    assert len(result.entries) > 30
    assert result.feed.title == "Lab digest: Everything new"
    assert not any("Because you follow" in entry.content[0].value for entry in result.entries)
    assert {link.rel: link.href for link in result.feed.links}["self"] == f"{PUBLIC}/all.atom"
    assert len({entry.updated for entry in result.entries}) == len(result.entries)


def test_a_category_is_a_feed_of_its_papers_and_an_archive_is_one_of_all_of_them(open_site: Site) -> None:
    optimization = parsed(open_site, f"{PUBLIC}/category/math.OC.rss").entries
    mathematics = parsed(open_site, f"{PUBLIC}/category/math.rss").entries

    assert optimization
    assert all("math.OC" in {tag.term for tag in entry.tags} for entry in optimization)
    assert {entry.id for entry in optimization} < {entry.id for entry in mathematics}


def test_a_category_without_papers_is_an_empty_feed_and_one_that_is_none_is_not_there(
    open_site: Site,
) -> None:
    assert parsed(open_site, f"{PUBLIC}/category/hep-th.atom").entries == []
    for name in ("cs.XX", "hep-TH", "math.IT", "x y", "%2e%2e"):
        assert open_site.get(f"{PUBLIC}/category/{name}.atom").status_code == 404


def test_who_signed_a_paper_has_a_feed_with_it(open_site: Site) -> None:
    everything = json.loads(open_site.get(f"{PUBLIC}/all.json").content)["items"]
    paper = everything[0]
    name = paper["authors"][0]["name"]

    result = json.loads(open_site.get(f"{PUBLIC}/author/{name}.json").content)

    assert paper["id"] in {item["id"] for item in result["items"]}
    assert f"<b>{name}</b>" in result["items"][0]["content_html"]
    assert open_site.get(f"{PUBLIC}/author/Nobody Atall.json").status_code == 404
    assert open_site.get(f"{PUBLIC}/author/orcid:0000-0002-1825-0097.json").status_code == 404
    for name in ("x" * 300, "%00", "a%0Ab", "%FF%FE", "%ED%A0%80", "%", "..", "orcid:x", "_", "=", "*"):
        assert open_site.get(f"{PUBLIC}/author/{name}.json").status_code == 404, name


def test_a_declared_query_is_a_feed_with_its_words_marked(open_site: Site) -> None:
    result = parsed(open_site, f"{PUBLIC}/query/serving.atom")

    assert result.feed.title == "Lab digest: LLM serving"
    assert result.entries
    assert all(
        "<b>" in entry.content[0].value or "serving" in entry.title.casefold() for entry in result.entries
    )
    assert open_site.get(f"{PUBLIC}/query/other.atom").status_code == 404


@pytest.mark.parametrize("form", TYPES)
def test_each_passes_every_rule(open_site: Site, form: str) -> None:
    newest = json.loads(open_site.get(f"{PUBLIC}/all.json").content)["items"][0]
    author = quote(newest["authors"][0]["name"])
    for path in ("all", "category/cs.DC", "category/hep-th", "query/serving", f"author/{author}"):
        address = f"{PUBLIC}/{path}.{form}"
        answer = open_site.get(address).raise_for_status()
        kind = answer.headers["content-type"]
        document = Document(form=form, body=answer.content, url=address, media_type=kind)
        assert (path, find_faults(document)) == (path, [])


def test_all_of_them_are_listed_for_programs(open_site: Site) -> None:
    listed = [
        element.get("xmlUrl", "")
        for element in ET.fromstring(open_site.get(f"{PUBLIC}/all.opml").content).iter("outline")
    ]

    assert {f"{PUBLIC}/all.atom", f"{PUBLIC}/query/serving.atom", f"{PUBLIC}/category/cs.DC.atom"} <= set(
        listed
    )
    assert [address for address in listed if open_site.get(address).status_code != 200] == []


def test_the_front_page_leads_to_them(open_site: Site) -> None:
    page = BeautifulSoup(open_site.get(f"{URL}/").raise_for_status().content, "html.parser")

    led = {str(link["href"]) for link in page.select("main a")}
    results = {str(link["href"]) for link in page.select('head link[rel="alternate"][type]')}
    assert {f"{PUBLIC}/all.atom", f"{PUBLIC}/query/serving.atom", f"{PUBLIC}/all.opml"} <= led
    assert results == {f"{PUBLIC}/all.atom", f"{PUBLIC}/query/serving.atom"}


def test_they_stay_the_same_until_there_is_something_new_and_may_be_kept_by_anybody(open_site: Site) -> None:
    for path in ("all.rss", "category/cs.DC.json", "query/serving.atom"):
        first, second = (open_site.get(f"{PUBLIC}/{path}") for _ in range(2))
        assert first.content == second.content
        assert first.headers["cache-control"] == "public, max-age=300"
        assert open_site.get(f"{PUBLIC}/{path}", if_none_match=first.headers["etag"]).status_code == 304


def test_they_say_since_when_they_are_as_they_are(open_site: Site) -> None:
    for path in ("all.atom", "all.opml", "category/cs.DC.rss", "category/hep-th.json", "query/serving.atom"):
        first = open_site.get(f"{PUBLIC}/{path}")
        since, etag = first.headers["last-modified"], first.headers["etag"]
        requests = [
            {"if_modified_since": since},
            {"if_modified_since": "Thu, 01 Jan 1970 00:00:00 GMT"},
            # Where there is a tag dates do not count: https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
            {"if_none_match": '"other"', "if_modified_since": since},
            {"if_none_match": etag, "if_modified_since": "Thu, 01 Jan 1970 00:00:00 GMT"},
        ]
        assert [open_site.get(f"{PUBLIC}/{path}", **entry).status_code for entry in requests] == [
            304,
            200,
            200,
            304,
        ]


def test_a_site_that_says_nothing_opens_nothing(shared_site: Site) -> None:
    for path in ("all.atom", "all.opml", "category/cs.DC.atom", "author/A B.atom", "query/serving.atom"):
        assert shared_site.get(f"{PUBLIC}/{path}").status_code == 404


def test_the_output_folder_has_them_too_while_they_are_for_everybody(open_copy: Workspace) -> None:
    out = open_copy.get_output_path("feeds/public")

    def made() -> set[str]:
        return {path.relative_to(out).as_posix() for path in out.rglob("*.atom")}

    assert {"all.atom", "category/cs.DC.atom", "query/serving.atom"} <= made()
    assert not any(path.startswith("author") for path in made())
    path = open_copy.folder / "digest.toml"
    path.write_text(path.read_text("utf-8").replace("public_feeds = true", ""), encoding="utf-8")
    open_copy.run("run", "--apply", now=get_morning(THURSDAY))
    assert made() == {"query/serving.atom"}
