"""DBLP: the publications of persons, and of conferences and journals, in computer science.

    [[source]]
    use = "dblp"
    persons = ["65/9612"]

https://dblp.org/faq/How+to+use+the+dblp+search+API.html for ``/search/publ/api``, and
https://dblp.org/faq/1474690.html for a person's page as XML, ``/pid/65/9612.xml``.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from typing import Any
from urllib.parse import quote, urlencode

from digest import ports
from digest.core.fetching.formats.any_feed import web_address
from digest.core.fetching.formats.json_fields import answered, as_day, as_line, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.formats.xml_tree import read_tree, text_of
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.identity.ids import arxiv_id, best_key, doi, doi_address
from digest.core.papers.identity.person_ids import person_id
from digest.core.papers.journals import journal_reference
from digest.core.text.cleaning import plain_line
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, Route, Scope
from digest.ports import Announced, Page, Request, Response

ROWS = 100
"""Publications a page. A thousand are documented, and a hundred come; who asks for more is soon hung up on."""
_VENUE = re.compile(r"(?:conf|journals)/[a-z0-9-]+", re.ASCII)
_NUMBERED = re.compile(r" \d{4}$", re.ASCII)
"""Namesakes are told apart by a number behind the name: ``Wei Wang 0001``."""
_PAPERS = frozenset({"article", "inproceedings", "incollection", "book", "phdthesis", "data"})
_PREPRINTS = "corr"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """Persons and venues; a publication counts for the day on which it is first seen.

    Attributes:
        persons: DBLP's ids, ``65/9612``; each is a section, and asked by itself.
        venues: keys of conferences and journals, ``conf/sosp``; each is a section.
        title: the name that readers know.
        url: where it is.
        name: of this source in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    persons: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    title: str = "DBLP"
    url: str = "https://dblp.org/"
    name: str = "dblp"
    pace: float = 2.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        for number, person in enumerate(self.persons):
            if not person_id("dblp", person):
                raise OptionError(f"{person!r} is no id of DBLP; write it as 65/9612", f"persons[{number}]")
        for number, venue in enumerate(self.venues):
            if not _VENUE.fullmatch(venue):
                raise OptionError(f"{venue!r} is no key of DBLP; write it as conf/sosp", f"venues[{number}]")
        if not self.sections:
            raise OptionError("nothing is to be listed: write persons, venues, or both", "persons")

    @property
    def sections(self) -> tuple[str, ...]:
        """The persons, then the venues."""
        return tuple(dict.fromkeys((*self.persons, *self.venues)))

    @property
    def calendar(self) -> None:
        """None: records are added on every day."""

    @property
    def ways(self) -> tuple[Route, ...]:
        """One: what there is now."""
        return (Route(name="records", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - it remembers nothing
        """A person's page, or what a venue had this year."""
        year = now.astimezone(UTC).year
        asked = Request(section=ask.section, route=ask.route, url=self.url, cursor=f"{year} 0")
        if ask.section in self.venues:
            return self._of_venue(asked, year, 0)
        address = f"{self.url.rstrip('/')}/pid/{quote(person_id('dblp', ask.section) or '', safe='/')}.xml"
        return replace(asked, url=address, accept="application/xml")

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of publications.
        """
        subject = f"{self.title}'s list of publications for {request.section}"
        if _asks_for_a_browser(response):
            raise SourceError(
                f"{self.title} lets only browsers search that pass its check; "
                "follow persons instead, whose pages it gives to everybody"
            )
        if request.section in self.venues:
            return self._hits(request, response, subject)
        if response.status != 200:
            raise SourceError(f"{subject} was refused (HTTP {response.status}).")
        person = read_tree(response.body, frozenset({"dblpperson"}), subject=subject)
        year = int(request.cursor.split()[0])
        records = [one for entry in person.iterfind("r") for one in entry if one.tag in _PAPERS]
        lately = [one for one in records if _year(one.findtext("year")) in {0, year - 1, year, year + 1}]
        listings, unread = read_each(
            lately,
            _listing_of_element,
            title=self.title,
            describe=lambda one: f"A record of {self.title} has no title: {one.get('key', '')[:100]!r}.",
        )
        return Page(announced=(Announced(day=None, listings=tuple(listings)),), unread=tuple(unread))

    def _hits(self, request: Request, response: Response, subject: str) -> Page:
        found = as_table(as_table(as_table(answered(response, subject)).get("result")).get("hits"))
        total = str(found.get("@total", ""))
        if not (total.isascii() and total.isdecimal()):
            raise SourceError(f"{subject} was expected, and something else came.")
        hits = [as_table(as_table(hit).get("info")) for hit in as_rows(found.get("hit"))]
        papers, unread = read_each(
            [hit for hit in hits if as_line(hit.get("type")) != "Editorship"],
            _paper_of_hit,
            title=self.title,
            describe=lambda _: f"A record of {self.title} has no title.",
        )
        year, offset = map(int, request.cursor.split())
        seen = offset + len(hits)
        return Page(
            announced=(
                Announced(
                    day=None,
                    listings=tuple(Listing(kind=ListingKind.NEW, paper=one) for one in papers),
                ),
            ),
            next=self._of_venue(request, year, seen) if hits and seen < int(total[:9]) else None,
            unread=tuple(unread),
        )

    def _of_venue(self, asked: Request, year: int, offset: int) -> Request:
        told = {
            "q": f"stream:streams/{asked.section}: year:{year}:",
            "h": ROWS,
            "f": offset,
            "format": "json",
        }
        return replace(
            asked,
            url=f"{self.url.rstrip('/')}/search/publ/api?{urlencode(told)}",
            accept="application/json",
            cursor=f"{year} {offset}",
        )


def _asks_for_a_browser(response: Response) -> bool:
    """Since the autumn of 2026 the search answers programs with a page, and status 200."""
    return b"<html" in response.body[:2000].lower()


def _year(written: str | None) -> int:
    return int(written) if written and written.isascii() and written.isdecimal() and len(written) == 4 else 0


# --- records --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """A publication, whichever way it came."""

    key: str
    title: str
    authors: tuple[Author, ...]
    venue: str
    volume: str
    number: str
    pages: str
    year: str
    addresses: tuple[str, ...]


def _paper(record: _Record) -> Paper | None:
    title = record.title.removesuffix(".").strip()
    if not title or not record.key:
        return None
    published = next((found for one in record.addresses if (found := doi(one))), "")
    preprint = next((known[0] for one in record.addresses if (known := arxiv_id(one))), "")
    own = f"https://dblp.org/rec/{quote(record.key, safe='/')}"
    is_preprint = record.venue.casefold() == _PREPRINTS
    return Paper(
        key=best_key(arxiv=preprint, published=published, page=own),
        title=title,
        authors=record.authors,
        version=0,
        url=f"https://arxiv.org/abs/{preprint}" if preprint else next(iter(record.addresses), own),
        doi=published,
        journal_ref="" if is_preprint else _where(record),
        ids=(("dblp", record.key),),
    )


def _where(record: _Record) -> str:
    return journal_reference(
        record.venue, volume=record.volume, issue=record.number, pages=record.pages, year=record.year
    )


def _author(name: str, pid: str) -> Author:
    known = person_id("dblp", pid) if pid else None
    return Author(_NUMBERED.sub("", name), ids=(("dblp", known),) if known else ())


def _paper_of_element(one: ET.Element) -> Paper | None:
    def line(name: str) -> str:
        return plain_line(text_of(one.find(name)))

    written = (*one.iterfind("author"), *([] if one.find("author") is not None else one.iterfind("editor")))
    return _paper(
        _Record(
            key=plain_line(one.get("key", "")),
            title=line("title"),
            authors=tuple(
                _author(name, who.get("pid", "")) for who in written if (name := plain_line(text_of(who)))
            ),
            venue=line("journal") or line("booktitle"),
            volume=line("volume"),
            number=line("number"),
            pages=line("pages"),
            year=line("year"),
            addresses=tuple(filter(None, (web_address(text_of(ee)) for ee in one.iterfind("ee")))),
        )
    )


def _paper_of_hit(hit: Mapping[str, Any]) -> Paper | None:
    written = as_table(hit.get("authors")).get("author")
    each = written if isinstance(written, list) else [written]
    named = [(as_line(one), "") if isinstance(one, str) else _name(as_table(one)) for one in each]
    number = as_line(hit.get("doi"))
    addresses = (
        doi_address(number) if number else "",
        web_address(hit.get("ee")),
    )
    venue = hit.get("venue")
    return _paper(
        _Record(
            key=as_line(hit.get("key")),
            title=as_line(hit.get("title")),
            authors=tuple(_author(name, pid) for name, pid in named if name),
            venue=as_line(next(iter(venue), "")) if isinstance(venue, list) else as_line(venue),
            volume=as_line(hit.get("volume")),
            number=as_line(hit.get("number")),
            pages=as_line(hit.get("pages")),
            year=as_line(hit.get("year")),
            addresses=tuple(dict.fromkeys(filter(None, addresses))),
        )
    )


def _name(one: Mapping[str, Any]) -> tuple[str, str]:
    return as_line(one.get("text")), as_line(one.get("@pid"))


def _listing_of_element(one: ET.Element) -> Listing | None:
    paper = _paper_of_element(one)
    changed = as_day(one.get("mdate", ""))
    dated = datetime.combine(changed, time.max, UTC) if changed else None
    return Listing(kind=ListingKind.NEW, paper=paper, dated=dated) if paper else None
