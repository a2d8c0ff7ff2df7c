"""A real announcement day of arXiv from bytes to listings.

Peers: feedparser as everybody calls it, and expat building the whole tree of the same bytes
(``ElementTree.fromstring``, both in C). Neither makes listings of what it reads; digest's time has that in it.
feedparser's own cleaning takes ``<think>`` out of titles, so outputs are compared with it turned off.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from xml.etree import ElementTree as ET

import feedparser

from benchmarks.measure import Result, Row, cpu_seconds, recorded
from digest.core.ids import arxiv_id
from digest.ports import Page, Request, Response
from digest.sources.arxiv import Source

FOLDER = "arxiv/rss_rendered/"
WHOLE = (("RSS", "2026-03-17_rss_cs.xml", "cs"), ("Atom", "2026-03-10_atom_cs.LG.xml", "cs.LG"))
SMALL = (("RSS", "2026-04-13_rss_cs.LG.xml", "cs.LG"), ("Atom", "2026-04-13_atom_cs.DC.xml", "cs.DC"))


def run(*, small: bool) -> Result:
    """Measure both formats."""
    pages = SMALL if small else WHOLE
    bodies = recorded(*(FOLDER + name for _, name, _ in pages))
    if bodies is None:
        return Result(
            title="not run: the recorded listings are not beside the checkout (or in DIGEST_TEST_DATA)"
        )
    rows = [
        row
        for (form, _, section), body in zip(pages, bodies, strict=True)
        for row in _measured(form, section, body, small=small)
    ]
    return Result(title="CPU against feedparser and against expat building a tree", rows=tuple(rows))


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
    seconds = cpu_seconds(candidates, repeats=3 if small else 21)
    work = f"{form}, {len(page.listings):,} entries"
    digest, peer, limit = seconds.values()
    wanted = (None, None) if small else (15, 0.5)
    return [
        Row(work=work, candidate="feedparser", seconds=peer, times=1),
        Row(work=work, candidate="expat building a tree", seconds=limit, times=peer / limit),
        Row(
            work=work,
            candidate="digest, to feedparser",
            seconds=digest,
            times=peer / digest,
            wanted=wanted[0],
        ),
        Row(
            work=work,
            candidate="digest, to expat's tree",
            seconds=digest,
            times=limit / digest,
            wanted=wanted[1],
        ),
    ]


def _ours(page: Page) -> list[object]:
    return [
        (arxiv_id(f"{paper.key}v{paper.version}"), listing.kind.value, paper.title, paper.abstract)
        for listing in page.listings
        for paper in (listing.paper,)
    ]


def _feedparsers(body: bytes) -> list[object]:
    feed = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    return [
        (arxiv_id(entry.id), entry.arxiv_announce_type, _line(entry.title), _abstract(entry.summary))
        for entry in feed.entries
    ]


def _abstract(summary: str) -> str:
    return _line(summary.partition("Abstract:")[2])


def _line(text: str) -> str:
    return " ".join(text.split())
