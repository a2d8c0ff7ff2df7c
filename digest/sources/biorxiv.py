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
from digest.core.fetching.formats.json_fields import (
    parse_answer,
    to_count,
    to_day,
    to_line,
    to_rows,
    to_table,
)
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import require_limits, require_web_address
from digest.core.papers.bylines import split_names
from digest.core.papers.identity.ids import parse_doi
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Calendar, Listing, ListingKind, Paper, PaperKey, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response

DETAILS, PUBS = "details", "pubs"
ALL = "all"
"""The section of everything."""
_TITLES = {"biorxiv": "bioRxiv", "medrxiv": "medRxiv"}
_OVERLAP = timedelta(days=7)
"""Links to journals are found days after the publication that they are dated by."""
_LICENSE = re.compile(r"cc_?(by(?:[_-]n[cd])*)", re.ASCII)
_DIGITS = re.compile(r"\d{1,9}", re.ASCII)
_NO_ROWS = re.compile(r"no (?:posts|articles) found\b", re.IGNORECASE)
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
        require_web_address(self.url, "url")
        if self.site_url:
            require_web_address(self.site_url, "site_url")
        require_limits(pace=self.pace, max_bytes=self.max_bytes)
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
        """The name that readers know."""
        return _TITLES[self.server]

    @property
    def sections(self) -> tuple[str, ...]:
        """The categories, or everything as one."""
        return tuple(dict.fromkeys(self.categories)) or (ALL,)

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
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
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of preprints.
        """
        progress = _RangeProgress.parse(request.cursor)
        if progress is None:
            raise SourceError(f"A request of {self.name} came back without its position: {request.cursor!r}.")
        rows, total = self._read_rows(response)
        row_count = progress.row_count + len(rows)
        # A total that was passed is wrong: then the series ends with a page that has no rows.
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

    # --- asking

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

    # --- reading

    def _read_rows(self, response: Response) -> tuple[list[Any], int | None]:
        """The rows of a page, and how many all pages have, where that is told."""
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
    """How far a series of pages is; as text it is ``FIRST UNTIL SEEN``.

    Attributes:
        first: the first day wanted, ``until`` the last one.
        row_count: the rows that came: a page is as long as it likes. 0 also when the series has ended.
    """

    first: date
    until: date
    row_count: int = 0

    @property
    def day_range(self) -> tuple[date, date]:
        """The days wanted."""
        return self.first, self.until

    @classmethod
    def parse(cls, cursor: str) -> _RangeProgress | None:
        """What was written; None if it is not ours."""
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
    """A row for people, as far as it can be told apart."""
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
    """A number of rows, which its answers write as a text; None if it is none."""
    text = to_line(raw)
    return int(text) if _DIGITS.fullmatch(text) else to_count(raw)


def _parse_version(raw: object) -> int:
    text = to_line(raw)
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 4 and int(text) else 1


def _parse_published_doi(raw: object) -> str:
    """The DOI in a journal; "" for ``NA``."""
    return parse_doi(to_line(raw)) or ""


def _make_license_url(code: str) -> str:
    """``cc_by_nc_nd`` as an address; "" for one that allows nothing, and for one that is unknown."""
    if code.lower() in {"cc0", "cc0_ng"}:
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    match = _LICENSE.match(code.lower())
    return f"https://creativecommons.org/licenses/{match[1].replace('_', '-')}/4.0/" if match else ""


def _read_authors(row: Mapping[str, Any]) -> tuple[Author, ...]:
    """The byline, with the institution of who answers for it where one author alone can be meant."""
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
    """Whether initials and a family name, ``H. Zare``, may be who is named in full, ``Habil Zare``."""
    short_parts, full_parts = short_name.casefold().split(), full_name.casefold().split()
    return (
        bool(short_parts and full_parts)
        and short_parts[-1] == full_parts[-1]
        and short_parts[0][0] == full_parts[0][0]
    )
