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
from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import parse_answer, to_day, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.formats.xml_tree import extract_text, read_tree
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.ids import build_doi_address, choose_key, parse_arxiv_id, parse_doi
from digest.core.papers.identity.person_ids import parse_person_id
from digest.core.papers.journals import format_journal_reference
from digest.core.text.cleaning import normalize_line
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response

PAGE_SIZE = 100
"""Number of publications on a page; a thousand are documented, but the server sends a hundred.

It soon closes the connection of clients that request more.
"""
_VENUE = re.compile(r"(?:conf|journals)/[a-z0-9-]+", re.ASCII)
_NAMESAKE_NUMBER = re.compile(r" \d{4}$", re.ASCII)
"""A number after a name that distinguishes namesakes: ``Wei Wang 0001``."""
_PAPER_TAGS = frozenset({"article", "inproceedings", "incollection", "book", "phdthesis", "data"})
_PREPRINT_VENUE = "corr"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """Persons and venues; a publication belongs to the day on which it is first seen.

    Attributes:
        persons: DBLP's IDs, ``65/9612``; each is a section, and requested separately.
        venues: keys of conferences and journals, ``conf/sosp``; each is a section.
        title: the name for readers.
        url: the address of DBLP.
    """

    persons: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    title: str = "DBLP"
    url: str = "https://dblp.org/"
    name: str = "dblp"
    pace: float = 2.0

    def check_options(self) -> None:
        """Validate the options."""
        for index, person in enumerate(self.persons):
            if not parse_person_id("dblp", person):
                raise OptionError(f"{person!r} is not a DBLP id; write it as 65/9612", f"persons[{index}]")
        for index, venue in enumerate(self.venues):
            if not _VENUE.fullmatch(venue):
                raise OptionError(f"{venue!r} is not a DBLP key; write it as conf/sosp", f"venues[{index}]")
        if not self.sections:
            raise OptionError("nothing to list; write persons, venues, or both", "persons")

    @property
    def sections(self) -> tuple[str, ...]:
        """The persons, then the venues."""
        return tuple(dict.fromkeys((*self.persons, *self.venues)))

    @property
    def calendar(self) -> None:
        """None, because records are added every day."""

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """A single route: the current publications."""
        return (Route(name="records", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - it has no cursor
        """Return the request for a person's page, or for the publications of a venue in this year."""
        year = now.astimezone(UTC).year
        request = Request(section=ask.section, route=ask.route, url=self.url, cursor=f"{year} 0")
        if ask.section in self.venues:
            return self._build_venue_request(request, year, 0)
        address = (
            f"{self.url.rstrip('/')}/pid/{quote(parse_person_id('dblp', ask.section) or '', safe='/')}.xml"
        )
        return replace(request, url=address, accept="application/xml")

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list of publications.
        """
        subject = f"{self.title}'s list of publications for {request.section}"
        if _is_browser_check(response):
            raise SourceError(
                f"{self.title} only lets browsers search that pass its check; follow persons instead, whose pages are open to everybody"
            )
        if request.section in self.venues:
            return self._read_hits(request, response, subject)
        if response.status != 200:
            raise SourceError(f"{subject} was refused (HTTP {response.status}).")
        person = read_tree(response.body, frozenset({"dblpperson"}), subject=subject)
        year = int(request.cursor.split()[0])
        records = [record for entry in person.iterfind("r") for record in entry if record.tag in _PAPER_TAGS]
        recent_records = [
            record
            for record in records
            if _parse_year(record.findtext("year")) in {0, year - 1, year, year + 1}
        ]
        listings, unread = read_each(
            recent_records,
            _read_listing,
            title=self.title,
            describe=lambda record: (
                f"A record of {self.title} has no title: {record.get('key', '')[:100]!r}."
            ),
        )
        return Page(announced=(AnnouncedDay(day=None, listings=tuple(listings)),), unread=tuple(unread))

    def _read_hits(self, request: Request, response: Response, subject: str) -> Page:
        hit_table = to_table(to_table(to_table(parse_answer(response, subject)).get("result")).get("hits"))
        total = str(hit_table.get("@total", ""))
        if not (total.isascii() and total.isdecimal()):
            raise SourceError(f"{subject} was expected, but something else arrived.")
        hits = [to_table(to_table(hit).get("info")) for hit in to_rows(hit_table.get("hit"))]
        papers, unread = read_each(
            [hit for hit in hits if to_line(hit.get("type")) != "Editorship"],
            _read_hit,
            title=self.title,
            describe=lambda _: f"A record of {self.title} has no title.",
        )
        year, offset = map(int, request.cursor.split())
        next_offset = offset + len(hits)
        return Page(
            announced=(
                AnnouncedDay(
                    day=None,
                    listings=tuple(Listing(kind=ListingKind.NEW, paper=paper) for paper in papers),
                ),
            ),
            next=self._build_venue_request(request, year, next_offset)
            if hits and next_offset < int(total[:9])
            else None,
            unread=tuple(unread),
        )

    def _build_venue_request(self, request: Request, year: int, offset: int) -> Request:
        query = {
            "q": f"stream:streams/{request.section}: year:{year}:",
            "h": PAGE_SIZE,
            "f": offset,
            "format": "json",
        }
        return replace(
            request,
            url=f"{self.url.rstrip('/')}/search/publ/api?{urlencode(query)}",
            accept="application/json",
            cursor=f"{year} {offset}",
        )


def _is_browser_check(response: Response) -> bool:
    """Return True for a bot check, which the search sends with status 200 since the autumn of 2026."""
    return b"<html" in response.body[:2000].lower()


def _parse_year(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) == 4 else 0


# --- records --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Publication:
    """A publication, from either kind of response."""

    key: str
    title: str
    authors: tuple[Author, ...]
    venue: str
    volume: str
    number: str
    pages: str
    year: str
    addresses: tuple[str, ...]


def _make_paper(publication: _Publication) -> Paper | None:
    title = publication.title.removesuffix(".").strip()
    if not title or not publication.key:
        return None
    published = next((doi_name for address in publication.addresses if (doi_name := parse_doi(address))), "")
    preprint = next(
        (preprint_id[0] for address in publication.addresses if (preprint_id := parse_arxiv_id(address))), ""
    )
    record_url = f"https://dblp.org/rec/{quote(publication.key, safe='/')}"
    is_preprint = publication.venue.casefold() == _PREPRINT_VENUE
    return Paper(
        key=choose_key(arxiv=preprint, doi_value=published, page=record_url),
        title=title,
        authors=publication.authors,
        version=0,
        url=f"https://arxiv.org/abs/{preprint}"
        if preprint
        else next(iter(publication.addresses), record_url),
        doi=published,
        journal_ref="" if is_preprint else _make_journal_reference(publication),
        ids=(("dblp", publication.key),),
    )


def _make_journal_reference(publication: _Publication) -> str:
    return format_journal_reference(
        publication.venue,
        volume=publication.volume,
        issue=publication.number,
        pages=publication.pages,
        year=publication.year,
    )


def _make_author(name: str, pid: str) -> Author:
    author_id = parse_person_id("dblp", pid) if pid else None
    return Author(_NAMESAKE_NUMBER.sub("", name), ids=(("dblp", author_id),) if author_id else ())


def _read_element(record: ET.Element) -> Paper | None:
    def read_line(name: str) -> str:
        return normalize_line(extract_text(record.find(name)))

    author_elements = (
        *record.iterfind("author"),
        *([] if record.find("author") is not None else record.iterfind("editor")),
    )
    return _make_paper(
        _Publication(
            key=normalize_line(record.get("key", "")),
            title=read_line("title"),
            authors=tuple(
                _make_author(name, author.get("pid", ""))
                for author in author_elements
                if (name := normalize_line(extract_text(author)))
            ),
            venue=read_line("journal") or read_line("booktitle"),
            volume=read_line("volume"),
            number=read_line("number"),
            pages=read_line("pages"),
            year=read_line("year"),
            addresses=tuple(
                filter(None, (resolve_web_address(extract_text(link)) for link in record.iterfind("ee")))
            ),
        )
    )


def _read_hit(hit: Mapping[str, Any]) -> Paper | None:
    raw_authors = to_table(hit.get("authors")).get("author")
    author_list = raw_authors if isinstance(raw_authors, list) else [raw_authors]
    names_and_ids = [
        (to_line(author), "") if isinstance(author, str) else _read_name_and_id(to_table(author))
        for author in author_list
    ]
    doi_name = to_line(hit.get("doi"))
    addresses = (
        build_doi_address(doi_name) if doi_name else "",
        resolve_web_address(hit.get("ee")),
    )
    venue = hit.get("venue")
    return _make_paper(
        _Publication(
            key=to_line(hit.get("key")),
            title=to_line(hit.get("title")),
            authors=tuple(_make_author(name, pid) for name, pid in names_and_ids if name),
            venue=to_line(next(iter(venue), "")) if isinstance(venue, list) else to_line(venue),
            volume=to_line(hit.get("volume")),
            number=to_line(hit.get("number")),
            pages=to_line(hit.get("pages")),
            year=to_line(hit.get("year")),
            addresses=tuple(dict.fromkeys(filter(None, addresses))),
        )
    )


def _read_name_and_id(author: Mapping[str, Any]) -> tuple[str, str]:
    return to_line(author.get("text")), to_line(author.get("@pid"))


def _read_listing(record: ET.Element) -> Listing | None:
    paper = _read_element(record)
    changed = to_day(record.get("mdate", ""))
    dated = datetime.combine(changed, time.max, UTC) if changed else None
    return Listing(kind=ListingKind.NEW, paper=paper, published_at=dated) if paper else None
