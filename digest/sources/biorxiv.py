"""bioRxiv and medRxiv: preprints of biology and medicine, by the day on which a version was posted.

    [[source]]
    use = "biorxiv"
    categories = ["neuroscience", "cell biology"]

https://api.biorxiv.org: ``/details`` has the versions posted between two days, ``/pubs`` the preprints that a
journal published between two days. The fields of a row are those of recorded responses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal
from urllib.parse import quote

from digest import ports
from digest.core.fetching.formats.json_fields import (
    parse_answer,
    to_count,
    to_day,
    to_line,
    to_rows,
    to_table,
)
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.bylines import split_names
from digest.core.papers.identity.ids import parse_doi
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Calendar, Listing, ListingKind, Paper, PaperKey, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response

DETAILS, PUBS = "details", "pubs"
ALL = "all"
"""The section that contains all categories."""
_TITLES = {"biorxiv": "bioRxiv", "medrxiv": "medRxiv"}
_OVERLAP = timedelta(days=7)
"""Time by which requests for publications overlap, because these are found days after the date that they get."""
_LICENSE = re.compile(r"cc_?(by(?:[_-]n[cd])*)", re.ASCII)
_DIGITS = re.compile(r"\d{1,9}", re.ASCII)
_NO_ROWS = re.compile(r"no (?:posts|articles) found\b", re.IGNORECASE)
"""Statuses of an empty answer; that of ``/pubs`` (``no articles found``) continues with the query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """bioRxiv or medRxiv.

    Attributes:
        server: the server.
        categories: categories; each is a section, and requested separately. If there are none, one section
            has everything.
        site_url: the address of the web pages; by default that of the server.
        name: its name in tables and messages; by default that of the server.
        pace: minimum number of seconds between two requests; the service states no limit.
        max_bytes: maximum size of a response, in bytes; a page has up to a hundred papers.
    """

    server: Literal["biorxiv", "medrxiv"] = "biorxiv"
    categories: tuple[str, ...] = ()
    url: str = "https://api.biorxiv.org/"
    site_url: str = ""
    name: str = ""
    max_bytes: int = 10_000_000

    def check_options(self) -> None:
        """Validate the options."""
        object.__setattr__(self, "name", self.name or self.server)
        object.__setattr__(self, "site_url", self.site_url or f"https://www.{self.server}.org/")
        for index, category in enumerate(self.categories):
            if not re.fullmatch(r"[a-z][a-z -]*", category):
                message = (
                    f'{category!r} is not a category; write it as on its pages, in lower case: "cell biology"'
                )
                raise OptionError(message, f"categories[{index}]")

    @property
    def title(self) -> str:
        """The name for readers."""
        return _TITLES[self.server]

    @property
    def sections(self) -> tuple[str, ...]:
        """The categories, or one section with everything."""
        return tuple(dict.fromkeys(self.categories)) or (ALL,)

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """The versions posted on any day, and the preprints that journals published."""
        return (
            Route(name=DETAILS, scope=Scope.DAY, keeps=None, spans=True),
            Route(name=PUBS, scope=Scope.RECORDS),
        )

    @property
    def calendar(self) -> Calendar:
        """Every day in New York's zone; versions are posted until the day ends."""
        return Calendar(zone="America/New_York", weekdays=frozenset(range(7)), fills=True)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Return the request for the first page of some days, or of the publications since the last request."""
        today, previous = now.astimezone(UTC).date(), _RangeProgress.parse(cursor)
        if ask.route == DETAILS:
            first = ask.day or today
            progress = _RangeProgress(first=first, until=ask.until or first)
        else:
            progress = _RangeProgress(first=(previous.until if previous else today) - _OVERLAP, until=today)
        if previous and (
            previous.row_count if ask.route == PUBS else previous.day_range == progress.day_range
        ):
            progress = previous
        request = Request(section=ask.section, route=ask.route, url=self.url, day=ask.day)
        return self._build_request(request, progress)

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list of preprints.
        """
        progress = _RangeProgress.parse(request.cursor)
        if progress is None:
            raise SourceError(f"A request of {self.name} came back without its position: {request.cursor!r}.")
        rows, total = self._read_rows(response)
        row_count = progress.row_count + len(rows)
        # If more rows came than the stated total, that is wrong, and the series ends with an empty page.
        next_request = (
            self._build_request(request, replace(progress, row_count=row_count))
            if rows and row_count != total
            else None
        )
        if request.route == PUBS:
            return self._read_published(rows, progress, next_request)
        return self._read_posted(rows, progress, next_request)

    def _read_posted(self, rows: list[Any], progress: _RangeProgress, next_request: Request | None) -> Page:
        by_day: dict[date, dict[tuple[str, ListingKind], Listing]] = {}
        dated_listings, unread = read_each(
            map(to_table, rows),
            self._read_listing,
            title=self.title,
            describe=lambda row: f"A row of {self.title} has no day, title or DOI: {_describe_row(row)}.",
        )
        for day, listing in dated_listings:
            if progress.first <= day <= progress.until:
                by_day.setdefault(day, {}).setdefault((listing.paper.key, listing.kind), listing)
        if progress.first == progress.until:
            by_day.setdefault(progress.first, {})
        return Page(
            announced=tuple(
                AnnouncedDay(day=day, listings=tuple(by_day[day].values())) for day in sorted(by_day)
            ),
            next=next_request,
            cursor=next_request.cursor if next_request and progress.first != progress.until else "",
            unread=tuple(unread),
        )

    def _read_published(
        self, rows: list[Any], progress: _RangeProgress, next_request: Request | None
    ) -> Page:
        records, unread = read_each(
            map(to_table, rows),
            self._read_record,
            title=self.title,
            describe=lambda row: f"A row of {self.title} names no publication: {_describe_row(row)}.",
        )
        return Page(
            records=tuple(records),
            next=next_request,
            cursor=next_request.cursor if next_request else str(replace(progress, row_count=0)),
            unread=tuple(unread),
        )

    # --- requests

    def _build_request(self, request: Request, progress: _RangeProgress) -> Request:
        suffix = "/json" if request.route == DETAILS else ""
        address = (
            f"{request.route}/{self.server}/{progress.first}/{progress.until}/{progress.row_count}{suffix}"
        )
        category = "" if request.section == ALL else f"?category={quote(request.section.replace(' ', '_'))}"
        return replace(
            request,
            url=f"{self.url.rstrip('/')}/{address}{category}",
            accept="application/json",
            cursor=str(progress),
        )

    # --- responses

    def _read_rows(self, response: Response) -> tuple[list[Any], int | None]:
        """Return the rows of a page, and the number of rows on all pages; None if it is not stated."""
        subject = f"{self.title}'s list of preprints"
        answer = to_table(parse_answer(response, subject))
        message = to_table(next(iter(to_rows(answer.get("messages"))), None))
        status = to_line(message.get("status"))
        rows = list(to_rows(answer.get("collection")))
        if not rows and status != "ok" and not _NO_ROWS.match(status):
            raise SourceError(f"{subject} was expected, but it says: {status or 'nothing'}.")
        return rows, _parse_count(message.get("total"))

    def _read_listing(self, row: Mapping[str, Any]) -> tuple[date, Listing] | None:
        doi_name, title, day = (
            parse_doi(to_line(row.get("doi"))),
            to_line(row.get("title")),
            to_day(row.get("date")),
        )
        if not (doi_name and title and day):
            return None
        version = _parse_version(row.get("version"))
        page = f"{self.site_url.rstrip('/')}/content/{quote(doi_name, safe='/')}v{version}"
        paper = Paper(
            key=PaperKey(f"doi:{doi_name}"),
            title=title,
            abstract=to_line(row.get("abstract")),
            authors=_read_authors(row),
            categories=tuple(filter(None, [to_line(row.get("category")).lower()])),
            version=version,
            url=page,
            pdf_url=f"{page}.full.pdf",
            doi=_parse_published_doi(row.get("published")),
            license_url=_make_license_url(to_line(row.get("license"))),
            withdrawn=to_line(row.get("type")).lower() == "withdrawn",
        )
        return day, Listing(kind=ListingKind.NEW if version == 1 else ListingKind.REPLACE, paper=paper)

    def _read_record(self, row: Mapping[str, Any]) -> Paper | None:
        prefix = "preprint" if row.get("preprint_doi") else "biorxiv"
        doi_name, published = (
            parse_doi(to_line(row.get(f"{prefix}_doi"))),
            _parse_published_doi(row.get("published_doi")),
        )
        title = to_line(row.get("preprint_title"))
        if not (doi_name and published and title):
            return None
        return Paper(
            key=PaperKey(f"doi:{doi_name}"),
            title=title,
            abstract=to_line(row.get("preprint_abstract")),
            authors=split_names(to_line(row.get("preprint_authors"))),
            categories=tuple(filter(None, [to_line(row.get("preprint_category")).lower()])),
            version=0,
            url=f"{self.site_url.rstrip('/')}/content/{quote(doi_name, safe='/')}",
            doi=published,
            journal_ref=to_line(row.get("published_journal")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _RangeProgress:
    """The progress of a series of pages, written as ``FIRST UNTIL COUNT``.

    Attributes:
        first: the first requested day.
        until: the last requested day.
        row_count: number of rows received, because pages have no fixed size; 0 also after the end of the
            series.
    """

    first: date
    until: date
    row_count: int = 0

    @property
    def day_range(self) -> tuple[date, date]:
        """The first and the last requested day."""
        return self.first, self.until

    @classmethod
    def parse(cls, cursor: str) -> _RangeProgress | None:
        """Parse a cursor; return None if it is invalid."""
        try:
            first, until, row_count = cursor.split()
            return cls(
                first=date.fromisoformat(first), until=date.fromisoformat(until), row_count=int(row_count)
            )
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.first} {self.until} {self.row_count}"


# --- rows -----------------------------------------------------------------------------------------


def _describe_row(row: object) -> str:
    """Return a description of a row for messages."""
    label = next(
        (
            text
            for key in ("doi", "title", "preprint_doi", "biorxiv_doi")
            if (text := to_line(to_table(row).get(key)))
        ),
        "",
    )
    return repr(label[:100]) if label else "it has no name either"


def _parse_count(raw: object) -> int | None:
    """Parse a number of rows, which the API writes as a text; return None if it is invalid."""
    text = to_line(raw)
    return int(text) if _DIGITS.fullmatch(text) else to_count(raw)


def _parse_version(raw: object) -> int:
    text = to_line(raw)
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 4 and int(text) else 1


def _parse_published_doi(raw: object) -> str:
    """Return the DOI of the publication; "" for ``NA``."""
    return parse_doi(to_line(raw)) or ""


def _make_license_url(code: str) -> str:
    """Return the address of a licence such as ``cc_by_nc_nd``; "" if it is unknown or permits nothing."""
    if code.lower() in {"cc0", "cc0_ng"}:
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    match = _LICENSE.match(code.lower())
    return f"https://creativecommons.org/licenses/{match[1].replace('_', '-')}/4.0/" if match else ""


def _read_authors(row: Mapping[str, Any]) -> tuple[Author, ...]:
    """Return the authors; the corresponding author's institution is added if it belongs to exactly one name."""
    names = split_names(to_line(row.get("authors")))
    corresponding_author, institution = (
        to_line(row.get("author_corresponding")),
        to_line(row.get("author_corresponding_institution")),
    )
    matches = (
        [
            index
            for index, author in enumerate(names)
            if _is_compatible_name(author.name, corresponding_author)
        ]
        if institution
        else []
    )
    if len(matches) != 1:
        return names
    return tuple(
        author._replace(affiliations=(institution,)) if index == matches[0] else author
        for index, author in enumerate(names)
    )


def _is_compatible_name(short_name: str, full_name: str) -> bool:
    """Return True if a name with initials, ``H. Zare``, may be the same person's as a full one, ``Habil Zare``."""
    short_parts, full_parts = short_name.casefold().split(), full_name.casefold().split()
    return (
        bool(short_parts and full_parts)
        and short_parts[-1] == full_parts[-1]
        and short_parts[0][0] == full_parts[0][0]
    )
