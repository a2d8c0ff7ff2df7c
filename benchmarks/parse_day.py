"""A real announcement day of arXiv from bytes to listings.

Feeds: the peers are feedparser as everybody calls it, and expat building the whole tree of the same bytes
(``ElementTree.fromstring``, both in C). Neither makes listings of what it reads; digest's time has that in it.
feedparser's own cleaning takes ``<think>`` out of titles, so outputs are compared with it turned off.

List pages: the peer is BeautifulSoup over the standard library's ``html.parser``, as everybody calls it, taking
the same fields out; the limit is lexbor building the tree. The page is a real day's papers in the layout of
arXiv's server, made by the tests' simulated arXiv, abstracts in lines of 80 characters as authors send them.

Records: 2,500 of real days as OAI-PMH and 1,000 as a page of the search, in the layouts of arXiv's servers, against
the tree that expat builds, and for the search, which answers in Atom, against feedparser.

Plain feeds: feedparser does the reading for us, too; what it costs beside to make papers of a journal's feed is to
be less than its cleaning, which we leave out, costs. Hugging Face's list: the limit is the JSON.
"""

from __future__ import annotations

import io
import json
import re
import textwrap
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import zstandard
from bs4 import BeautifulSoup, Tag
from selectolax.lexbor import LexborHTMLParser

from benchmarks.measure import Result, Row, cpu_seconds, recorded
from digest.core.papers.bylines import split_submitted
from digest.core.papers.identity.ids import parse_arxiv_id, parse_doi
from digest.core.text.accents import decode_tex_accents
from digest.core.text.cleaning import normalize_line
from digest.model import Ask, Paper
from digest.ports import Page, Request, Response
from digest.sources import feed, hf_daily
from digest.sources.arxiv import Source
from tests.arxiv_service import history
from tests.arxiv_service.pages import ListingPage, render_new_page
from tests.arxiv_service.records import Harvest
from tests.arxiv_service.search import search

FOLDER = "arxiv/rss_rendered/"
WHOLE = (("RSS", "2026-03-17_rss_cs.xml", "cs"), ("Atom", "2026-03-10_atom_cs.LG.xml", "cs.LG"))
SMALL = (("RSS", "2026-04-13_rss_cs.LG.xml", "cs.LG"), ("Atom", "2026-04-13_atom_cs.DC.xml", "cs.DC"))
LISTED = date(2026, 3, 17)
RECORDED = (LISTED, date(2026, 3, 10), date(2026, 3, 24))
NOW = datetime(2026, 3, 25, 12, tzinfo=UTC)
SECTION = "cs.LG"
JOURNAL = "feeds/journals/mirror_acs_catalysis.xml"
PICKS = "hf/daily_papers_2026-06-12_30.json"


def run(*, small: bool) -> Result:
    """Measure both formats of feeds, a list page, records, a journal's feed and a list of picks."""
    pages = SMALL if small else WHOLE
    days = RECORDED[:1] if small else RECORDED
    bodies = recorded(
        *(FOLDER + name for _, name, _ in pages),
        *(f"corpus/days/{day}.jsonl.zst" for day in days),
        *(JOURNAL, PICKS),
    )
    if bodies is None:
        return Result(
            title="not run: the recorded listings are not beside the checkout (or in DIGEST_TEST_DATA)"
        )
    feeds, corpus, (journal, picks) = bodies[:2], bodies[2:-2], bodies[-2:]
    rows = [
        row
        for (form, _, section), body in zip(pages, feeds, strict=True)
        for row in _measured(form, section, body, small=small)
    ]
    rows += _measured_list(_list_page(corpus[0], most=100 if small else 2000), small=small)
    rows += _measured_oai(corpus, small=small) + _measured_search(corpus, small=small)
    rows += _measured_journal(journal, small=small) + _measured_picks(picks, small=small)
    return Result(title="CPU against the usual way and against building a tree in C", rows=tuple(rows))


def _measured(form: str, section: str, body: bytes, *, small: bool) -> list[Row]:
    source = Source(categories=(section,))
    request = Request(section=section, route="rss", url=source.url)
    response = Response(status=200, headers=(), body=body)

    def read() -> Page:
        return source.read(request, response)

    page = read()
    assert _ours(page) == _feedparsers(body), "digest and feedparser read different things"
    candidates: dict[str, Callable[[], object]] = {
        "digest": read,
        "feedparser": lambda: feedparser.parse(io.BytesIO(body)),
        "expat and tree": lambda: ET.fromstring(body),
    }
    return _rows(f"{form}, {len(page.announced[0].listings):,} entries", candidates, small=small)


def _rows(work: str, candidates: dict[str, Callable[[], object]], *, small: bool) -> list[Row]:
    """digest, feedparser and expat's tree, in this order."""
    digest, peer, limit = cpu_seconds(candidates, repeats=3 if small else 21).values()
    wanted = (None, None) if small else (15, 0.5)
    to_peer, to_limit = peer / digest, limit / digest
    return [
        Row(work=work, candidate="feedparser", seconds=peer, times=1),
        Row(work=work, candidate="expat building a tree", seconds=limit, times=peer / limit),
        Row(work=work, candidate="digest, to feedparser", seconds=digest, times=to_peer, wanted=wanted[0]),
        Row(work=work, candidate="digest, to expat's tree", seconds=digest, times=to_limit, wanted=wanted[1]),
    ]


def _ours(page: Page) -> list[object]:
    return [
        (parse_arxiv_id(f"{paper.key}v{paper.version}"), listing.kind.value, paper.title, paper.abstract)
        for listing in page.announced[0].listings
        for paper in (listing.paper,)
    ]


def _feedparsers(body: bytes) -> list[object]:
    read = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    return [
        (parse_arxiv_id(entry.id), entry.arxiv_announce_type, _line(entry.title), _abstract(entry.summary))
        for entry in read.entries
    ]


def _abstract(summary: str) -> str:
    return _line(summary.partition("Abstract:")[2])


def _line(text: str) -> str:
    return " ".join(text.split())


# --- list pages -----------------------------------------------------------------------------------


def _list_page(papers: bytes, *, most: int) -> bytes:
    lines = zstandard.ZstdDecompressor().stream_reader(papers).read().splitlines()[:most]
    rows = [_row(place, json.loads(line)) for place, line in enumerate(lines)]
    in_order = sorted(rows, key=lambda row: history.KINDS.index(row.kind))
    return render_new_page(ListingPage(day=LISTED, section=SECTION, rows=in_order, skip=0, size=2000))


def _row(place: int, paper: dict[str, Any]) -> history.Row:
    """One of three is a replacement; the others follow from their first category."""
    primary = paper["categories"][0] == SECTION
    replaced = "replace" if primary else "replace-cross"
    announcement = history.Announcement(
        day=LISTED,
        id=paper["id"],
        title=paper["title"],
        categories=tuple(paper["categories"]),
        version=2 if place % 3 == 2 else 1,
        abstract=textwrap.fill(paper["abstract"], 80, break_long_words=False, break_on_hyphens=False),
        authors=tuple(paper["authors"]),
        comment=paper.get("comments", ""),
    )
    return history.Row(replaced if place % 3 == 2 else "new" if primary else "cross", announcement)


def _measured_list(body: bytes, *, small: bool) -> list[Row]:
    source = Source(categories=(SECTION,), routes=("listing",))
    request = Request(
        section=SECTION, route="listing", url="https://arxiv.org/list/cs.LG/new?skip=0&show=2000"
    )
    response = Response(status=200, headers=(), body=body)
    page = source.read(request, response)
    for ours, soups in zip(_listed(page), _soups(body), strict=True):
        assert ours == soups, f"digest and BeautifulSoup read different things: {ours} {soups}"
    candidates: dict[str, Callable[[], object]] = {
        "digest": lambda: source.read(request, response),
        "BeautifulSoup": lambda: list(_soups(body)),
        "lexbor": lambda: LexborHTMLParser(body),
    }
    digest, peer, limit = cpu_seconds(candidates, repeats=3 if small else 11).values()
    work = f"list page, {len(page.announced[0].listings):,} entries"
    wanted = None if small else 15
    return [
        Row(work=work, candidate="BeautifulSoup", seconds=peer, times=1),
        Row(work=work, candidate="lexbor building a tree", seconds=limit, times=peer / limit),
        Row(work=work, candidate="digest", seconds=digest, times=peer / digest, wanted=wanted),
    ]


def _listed(page: Page) -> list[tuple[object, ...]]:
    return [
        (
            paper.key.removeprefix("arxiv:"),
            listing.kind.value,
            paper.title,
            [author.name for author in paper.authors],
            paper.comment,
            list(paper.categories),
            paper.abstract,
        )
        for listing in page.announced[0].listings
        for paper in (listing.paper,)
    ]


def _soups(body: bytes) -> Iterable[tuple[object, ...]]:
    soup = BeautifulSoup(body, "html.parser")
    for link in soup.select("a.link-external"):
        link.string = str(link["href"])
    for part in soup.find_all("dl"):
        heading = _words(part.find("h3")).split()[0]
        for head, entry in zip(part.find_all("dt"), part.find_all("dd"), strict=True):
            abstract_link = head.find("a", {"title": "Abstract"})
            authors = entry.find("div", {"class": "list-authors"})
            assert abstract_link
            categories = re.findall(r"\(([\w.-]+)\)", _words(entry.find("div", {"class": "list-subjects"})))
            yield (
                abstract_link["id"],
                {"New": "new", "Cross": "cross"}.get(heading)
                or ("replace" if categories[0] == SECTION else "replace-cross"),
                _words(entry.find("div", {"class": "list-title"})).partition(": ")[2],
                [name.get_text() for name in authors.find_all("a")] if authors else [],
                _words(entry.find("div", {"class": "list-comments"})).partition(": ")[2],
                categories,
                _words(entry.find("p", {"class": "mathjax"})),
            )


def _words(found: Tag | None) -> str:
    return _line(found.get_text()) if found else ""


# --- records --------------------------------------------------------------------------------------


def _history(corpus: Iterable[bytes], most: int) -> history.History:
    """Papers of real days as one day's news."""
    lines = (
        line for day in corpus for line in zstandard.ZstdDecompressor().stream_reader(day).read().splitlines()
    )
    return history.History([_announced(json.loads(line)) for line in islice(lines, most)])


def _announced(paper: dict[str, Any]) -> history.Announcement:
    return history.Announcement(
        day=LISTED,
        id=paper["id"],
        title=paper["title"],
        categories=tuple(paper["categories"]),
        abstract=paper["abstract"],
        authors=tuple(paper["authors"]),
        comment=paper.get("comments", ""),
    )


def _measured_oai(corpus: Iterable[bytes], *, small: bool) -> list[Row]:
    source = Source(categories=("cs",), routes=("rss", "oai"))
    request = source.start(Ask(source="arxiv", section="cs", route="oai"), "", NOW)
    served = Harvest(_history(corpus, 100 if small else 2500))
    body = served.answer([("verb", "ListRecords"), ("metadataPrefix", "arXivRaw")], NOW).body
    response = Response(status=200, headers=(), body=body)
    records = source.read(request, response).records
    assert [_told(paper) for paper in records] == list(_of_tree(body)), "they read different records"
    candidates: dict[str, Callable[[], object]] = {
        "digest": lambda: source.read(request, response),
        "expat and tree": lambda: ET.fromstring(body),
    }
    digest, limit = cpu_seconds(candidates, repeats=3 if small else 21).values()
    work = f"OAI-PMH, {len(records):,} records"
    wanted = None if small else 0.5
    return [
        Row(work=work, candidate="expat building a tree", seconds=limit, times=1),
        Row(
            work=work,
            candidate="digest, to expat's tree",
            seconds=digest,
            times=limit / digest,
            wanted=wanted,
        ),
    ]


def _told(paper: Paper) -> tuple[object, ...]:
    id_ = parse_arxiv_id(f"{paper.key}v{paper.version}")
    return (
        id_,
        paper.title,
        _line(paper.abstract),
        [author.name for author in paper.authors],
        [*paper.categories],
    )


def _of_tree(body: bytes) -> Iterable[tuple[object, ...]]:
    space = "{http://arxiv.org/OAI/arXivRaw/}"
    for raw in ET.fromstring(body).iter(f"{space}arXivRaw"):
        told = {element.tag.removeprefix(space): _line(element.text or "") for element in raw}
        names = [author.name for author in split_submitted(decode_tex_accents(told["authors"]))]
        texts = (normalize_line(told[name]) for name in ("title", "abstract"))
        yield (parse_arxiv_id(told["id"] + "v1"), *texts, names, told["categories"].split())


def _measured_search(corpus: Iterable[bytes], *, small: bool) -> list[Row]:
    source = Source(categories=("cs",), routes=("rss", "api"))
    request = source.start(Ask(source="arxiv", section="cs", route="api"), "", NOW)
    asked = {"search_query": "cat:*", "max_results": "1000", "sortOrder": "ascending"}
    body = search(_history(corpus, 100 if small else 1000), asked, NOW).body
    response = Response(status=200, headers=(), body=body)
    records = source.read(request, response).records
    assert [_told(paper) for paper in records] == list(_of_feedparser(body)), "they read different papers"
    candidates: dict[str, Callable[[], object]] = {
        "digest": lambda: source.read(request, response),
        "feedparser": lambda: feedparser.parse(io.BytesIO(body)),
        "expat and tree": lambda: ET.fromstring(body),
    }
    return _rows(f"search, {len(records):,} entries", candidates, small=small)


def _of_feedparser(body: bytes) -> Iterable[tuple[object, ...]]:
    for entry in feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False).entries:
        names = [normalize_line(decode_tex_accents(author.name)) for author in entry.authors]
        texts = (normalize_line(text) for text in (entry.title, entry.summary))
        yield (parse_arxiv_id(entry.id), *texts, names, [tag.term for tag in entry.tags])


# --- other sources --------------------------------------------------------------------------------


def _measured_journal(body: bytes, *, small: bool) -> list[Row]:
    source = feed.Source(url="https://example.org/asap.xml")
    request = Request(section="feed", route="feed", url=source.url)
    response = Response(status=200, headers=(), body=body)
    page = source.read(request, response)
    papers = [listing.paper for listing in page.announced[0].listings]
    entries = feedparser.parse(io.BytesIO(body)).entries
    assert [paper.doi for paper in papers] == [parse_doi(entry.id) for entry in entries], (
        "they read different papers"
    )
    candidates: dict[str, Callable[[], object]] = {
        "digest": lambda: source.read(request, response),
        "feedparser": lambda: feedparser.parse(io.BytesIO(body)),
    }
    digest, peer = cpu_seconds(candidates, repeats=3 if small else 21).values()
    work = f"journal, {len(papers):,} entries"
    wanted = None if small else 1
    return [
        Row(work=work, candidate="feedparser", seconds=peer, times=1),
        Row(work=work, candidate="digest", seconds=digest, times=peer / digest, wanted=wanted),
    ]


def _measured_picks(body: bytes, *, small: bool) -> list[Row]:
    source = hf_daily.Source()
    ask = Ask(source=source.name, section="daily", route="daily", day=date(2026, 6, 12))
    request = source.start(ask, "", datetime(2026, 6, 12, tzinfo=UTC))
    response = Response(status=200, headers=(), body=body)
    keys = [listing.paper.key for listing in source.read(request, response).announced[0].listings]
    assert keys == [f"arxiv:{row['paper']['id']}" for row in json.loads(body)], "they read different papers"
    candidates: dict[str, Callable[[], object]] = {
        "digest": lambda: source.read(request, response),
        "json": lambda: json.loads(body),
    }
    digest, limit = cpu_seconds(candidates, repeats=3 if small else 101).values()
    work = f"picks, {len(keys):,} rows"
    return [
        Row(work=work, candidate="json.loads alone", seconds=limit, times=1),
        Row(work=work, candidate="digest, to json.loads", seconds=digest, times=limit / digest),
    ]
