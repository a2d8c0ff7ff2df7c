"""bioRxiv and medRxiv: preprints of biology and medicine, by the day on which a version was posted.

    [[source]]
    use = "biorxiv"
    categories = ["neuroscience", "cell biology"]

https://api.biorxiv.org: ``/details`` has the versions posted between two days, ``/pubs`` the preprints that a journal
published between two days. The rows' fields as its API answers them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal
from urllib.parse import quote

from digest import ports
from digest.core.fetching.formats.json_fields import answered, as_count, as_day, as_line, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.bylines import split_names
from digest.core.papers.identity.ids import doi
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Calendar, Listing, ListingKind, Paper, PaperKey, Route, Scope
from digest.ports import Announced, Page, Request, Response

DETAILS, PUBS = "details", "pubs"
ALL = "all"
"""The section of everything."""
_TITLES = {"biorxiv": "bioRxiv", "medrxiv": "medRxiv"}
_OVERLAP = timedelta(days=7)
"""Links to journals are found days after the publication that they are dated by."""
_LICENSE = re.compile(r"cc_?(by(?:[_-]n[cd])*)", re.ASCII)
_DIGITS = re.compile(r"\d{1,9}", re.ASCII)
_EMPTY = re.compile(r"no (?:posts|articles) found\b", re.IGNORECASE)
"""The latter is what ``/pubs`` says, and it goes on with what for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """bioRxiv, or medRxiv.

    Attributes:
        server: whose preprints.
        categories: each is a section, and asked by itself; none for everything.
        url: where the API is.
        site_url: where its pages are; the server's own, if not given.
        name: of this source in tables and messages; the server's, if not given.
        pace: seconds between two requests; it tells no limit.
        max_bytes: the longest answer that is read; a page has up to a hundred papers.
    """

    server: Literal["biorxiv", "medrxiv"] = "biorxiv"
    categories: tuple[str, ...] = ()
    url: str = "https://api.biorxiv.org/"
    site_url: str = ""
    name: str = ""
    pace: float = 1.0
    max_bytes: int = 10_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        if self.site_url:
            demand_web_address(self.site_url, "site_url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        object.__setattr__(self, "name", self.name or self.server)
        object.__setattr__(self, "site_url", self.site_url or f"https://www.{self.server}.org/")
        for number, category in enumerate(self.categories):
            if not re.fullmatch(r"[a-z][a-z -]*", category):
                message = (
                    f'{category!r} is no category; write it as its pages do, in small letters: "cell biology"'
                )
                raise OptionError(message, f"categories[{number}]")

    @property
    def title(self) -> str:
        """The name that readers know."""
        return _TITLES[self.server]

    @property
    def sections(self) -> tuple[str, ...]:
        """The categories, or everything as one."""
        return tuple(dict.fromkeys(self.categories)) or (ALL,)

    @property
    def ways(self) -> tuple[Route, ...]:
        """Versions by the day, for any day there was; and what a journal published."""
        return (
            Route(name=DETAILS, scope=Scope.DAY, keeps=None, spans=True),
            Route(name=PUBS, scope=Scope.RECORDS),
        )

    @property
    def calendar(self) -> Calendar:
        """Every day, New York's; what was posted is there as the day goes on."""
        return Calendar(zone="America/New_York", weekdays=frozenset(range(7)), fills=True)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """The first page of some days, or of what was published since we last asked."""
        today, before = now.astimezone(UTC).date(), _Place.read(cursor)
        if ask.route == DETAILS:
            first = ask.day or today
            place = _Place(first=first, until=ask.until or first)
        else:
            place = _Place(first=(before.until if before else today) - _OVERLAP, until=today)
        if before and (before.seen if ask.route == PUBS else before.span == place.span):
            place = before
        asked = Request(section=ask.section, route=ask.route, url=self.url, day=ask.day)
        return self._request(asked, place)

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of preprints.
        """
        place = _Place.read(request.cursor)
        if place is None:
            raise SourceError(f"A request of {self.name} came back without its place: {request.cursor!r}.")
        found, total = self._rows(response)
        seen = place.seen + len(found)
        # A total that was passed is wrong: then the series ends with a page that has no rows.
        further = self._request(request, replace(place, seen=seen)) if found and seen != total else None
        if request.route == PUBS:
            return self._published(found, place, further)
        return self._posted(found, place, further)

    def _posted(self, found: list[Any], place: _Place, further: Request | None) -> Page:
        by_day: dict[date, dict[tuple[str, ListingKind], Listing]] = {}
        rows, unread = read_each(
            map(as_table, found),
            self._listing,
            title=self.title,
            describe=lambda row: f"A row of {self.title} has no day, title or DOI: {_told(row)}.",
        )
        for day, listing in rows:
            if place.first <= day <= place.until:
                by_day.setdefault(day, {}).setdefault((listing.paper.key, listing.kind), listing)
        if place.first == place.until:
            by_day.setdefault(place.first, {})
        return Page(
            announced=tuple(
                Announced(day=day, listings=tuple(by_day[day].values())) for day in sorted(by_day)
            ),
            next=further,
            cursor=further.cursor if further and place.first != place.until else "",
            unread=tuple(unread),
        )

    def _published(self, found: list[Any], place: _Place, further: Request | None) -> Page:
        records, unread = read_each(
            map(as_table, found),
            self._record,
            title=self.title,
            describe=lambda row: f"A row of {self.title} names no publication: {_told(row)}.",
        )
        return Page(
            records=tuple(records),
            next=further,
            cursor=further.cursor if further else str(replace(place, seen=0)),
            unread=tuple(unread),
        )

    # --- asking

    def _request(self, asked: Request, place: _Place) -> Request:
        ending = "/json" if asked.route == DETAILS else ""
        address = f"{asked.route}/{self.server}/{place.first}/{place.until}/{place.seen}{ending}"
        category = "" if asked.section == ALL else f"?category={quote(asked.section.replace(' ', '_'))}"
        return replace(
            asked,
            url=f"{self.url.rstrip('/')}/{address}{category}",
            accept="application/json",
            cursor=str(place),
        )

    # --- reading

    def _rows(self, response: Response) -> tuple[list[Any], int | None]:
        """The rows of a page, and how many all pages have, where that is told."""
        subject = f"{self.title}'s list of preprints"
        answer = as_table(answered(response, subject))
        message = as_table(next(iter(as_rows(answer.get("messages"))), None))
        status = as_line(message.get("status"))
        found = list(as_rows(answer.get("collection")))
        if not found and status != "ok" and not _EMPTY.match(status):
            raise SourceError(f"{subject} was expected, and it says: {status or 'nothing'}.")
        return found, _count(message.get("total"))

    def _listing(self, row: Mapping[str, Any]) -> tuple[date, Listing] | None:
        number, title, day = doi(as_line(row.get("doi"))), as_line(row.get("title")), as_day(row.get("date"))
        if not (number and title and day):
            return None
        version = _version(row.get("version"))
        page = f"{self.site_url.rstrip('/')}/content/{quote(number, safe='/')}v{version}"
        paper = Paper(
            key=PaperKey(f"doi:{number}"),
            title=title,
            abstract=as_line(row.get("abstract")),
            authors=_authors(row),
            categories=tuple(filter(None, [as_line(row.get("category")).lower()])),
            version=version,
            url=page,
            pdf_url=f"{page}.full.pdf",
            doi=_publication(row.get("published")),
            license_url=_license(as_line(row.get("license"))),
            withdrawn=as_line(row.get("type")).lower() == "withdrawn",
        )
        return day, Listing(kind=ListingKind.NEW if version == 1 else ListingKind.REPLACE, paper=paper)

    def _record(self, row: Mapping[str, Any]) -> Paper | None:
        prefix = "preprint" if row.get("preprint_doi") else "biorxiv"
        number, published = doi(as_line(row.get(f"{prefix}_doi"))), _publication(row.get("published_doi"))
        title = as_line(row.get("preprint_title"))
        if not (number and published and title):
            return None
        return Paper(
            key=PaperKey(f"doi:{number}"),
            title=title,
            abstract=as_line(row.get("preprint_abstract")),
            authors=split_names(as_line(row.get("preprint_authors"))),
            categories=tuple(filter(None, [as_line(row.get("preprint_category")).lower()])),
            version=0,
            url=f"{self.site_url.rstrip('/')}/content/{quote(number, safe='/')}",
            doi=published,
            journal_ref=as_line(row.get("published_journal")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """How far a series of pages is; as text it is ``FIRST UNTIL SEEN``.

    Attributes:
        first: the first day wanted, ``until`` the last one.
        seen: the rows that came: a page is as long as it likes. 0 also when the series has ended.
    """

    first: date
    until: date
    seen: int = 0

    @property
    def span(self) -> tuple[date, date]:
        """The days wanted."""
        return self.first, self.until

    @classmethod
    def read(cls, cursor: str) -> _Place | None:
        """What was written; None if it is not ours."""
        try:
            first, until, seen = cursor.split()
            return cls(first=date.fromisoformat(first), until=date.fromisoformat(until), seen=int(seen))
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.first} {self.until} {self.seen}"


# --- rows -----------------------------------------------------------------------------------------


def _told(row: object) -> str:
    """A row for people, as far as it can be told apart."""
    named = next(
        (
            text
            for key in ("doi", "title", "preprint_doi", "biorxiv_doi")
            if (text := as_line(as_table(row).get(key)))
        ),
        "",
    )
    return repr(named[:100]) if named else "it has no name either"


def _count(written: object) -> int | None:
    """A number of rows, which its answers write as a text; None if it is none."""
    text = as_line(written)
    return int(text) if _DIGITS.fullmatch(text) else as_count(written)


def _version(written: object) -> int:
    text = as_line(written)
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 4 and int(text) else 1


def _publication(written: object) -> str:
    """The DOI in a journal; "" for ``NA``."""
    return doi(as_line(written)) or ""


def _license(code: str) -> str:
    """``cc_by_nc_nd`` as an address; "" for one that allows nothing, and for one that is unknown."""
    if code.lower() in {"cc0", "cc0_ng"}:
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    found = _LICENSE.match(code.lower())
    return f"https://creativecommons.org/licenses/{found[1].replace('_', '-')}/4.0/" if found else ""


def _authors(row: Mapping[str, Any]) -> tuple[Author, ...]:
    """The byline, with the institution of who answers for it where one author alone can be meant."""
    names = split_names(as_line(row.get("authors")))
    who, where = (
        as_line(row.get("author_corresponding")),
        as_line(row.get("author_corresponding_institution")),
    )
    meant = [place for place, author in enumerate(names) if _may_be(author.name, who)] if where else []
    if len(meant) != 1:
        return names
    return tuple(
        author._replace(affiliations=(where,)) if place == meant[0] else author
        for place, author in enumerate(names)
    )


def _may_be(printed: str, who: str) -> bool:
    """Whether initials and a family name, ``H. Zare``, may be who is named in full, ``Habil Zare``."""
    given, full = printed.casefold().split(), who.casefold().split()
    return bool(given and full) and given[-1] == full[-1] and given[0][0] == full[0][0]
