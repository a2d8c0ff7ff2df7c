"""Crossref: what journals publish and preprint servers post, as soon as its DOI is registered.

    [[source]]
    use = "crossref"
    issns = ["2522-5839"]

https://www.crossref.org/documentation/retrieve-metadata/rest-api/: ``/works`` with a filter, in pages by a
cursor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import parse_answer, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.services.crossref import (
    FIELDS,
    build_paper,
    describe_unread_work,
    is_about_another,
    read_creation_time,
)
from digest.errors import OptionError, SourceError
from digest.model import Ask, Listing, ListingKind, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response

PAGE_SIZE = 200
"""Number of works on a page; a thousand are allowed, and 200 are returned within a few seconds."""
_FIRST_LOOKBACK = timedelta(days=7)
_OVERLAP = timedelta(days=2)
"""Time by which requests overlap, because a DOI may be found only a day after its registration."""
_ISSN = re.compile(r"\d{4}-\d{3}[\dX]", re.ASCII)
_PREFIX = re.compile(r"10\.\d{4,9}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """Journals by ISSN, and DOI prefixes; a work belongs to the day on which it is first seen.

    Attributes:
        issns: ISSNs of journals; each is a section, and requested separately.
        prefixes: DOI prefixes, ``10.26434``, of publishers or preprint servers; each is a section.
        title: the name for readers.
        mailto: your mail address; clients that give one are served from a separate pool with higher limits.
    """

    issns: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    title: str = "Crossref"
    mailto: str = ""
    url: str = "https://api.crossref.org/"
    name: str = "crossref"

    def check_options(self) -> None:
        """Validate the options."""
        _require_format(self.issns, _ISSN, "issns", "an ISSN; write it as 2522-5839")
        _require_format(self.prefixes, _PREFIX, "prefixes", "the prefix of DOIs; write it as 10.26434")
        if not self.sections:
            raise OptionError("nothing to list; write issns, prefixes, or both", "issns")

    @property
    def sections(self) -> tuple[str, ...]:
        """The journals, then the prefixes."""
        return tuple(dict.fromkeys((*self.issns, *self.prefixes)))

    @property
    def calendar(self) -> None:
        """None, because DOIs are registered at any time."""

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """A single route: the recently registered DOIs."""
        return (Route(name="works", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Return the request for the first page of DOIs that were registered since the last request."""
        last_day = _parse_day(cursor)
        since = (last_day - _OVERLAP) if last_day else now.astimezone(UTC).date() - _FIRST_LOOKBACK
        request = Request(section=ask.section, route=ask.route, url=self.url, accept="application/json")
        return self._build_request(request, since, now.astimezone(UTC).date(), "*")

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list of works.
        """
        since, until, _ = request.cursor.split(" ", 2)
        message = to_table(to_table(self._read_answer(request, response)).get("message"))
        works = list(map(to_table, to_rows(message.get("items"))))
        next_cursor = to_line(message.get("next-cursor"))
        has_more = len(works) >= PAGE_SIZE and bool(next_cursor)
        next_request = (
            self._build_request(request, date.fromisoformat(since), date.fromisoformat(until), next_cursor)
            if has_more
            else None
        )
        parsed_works, unread = read_each(works, _read_work, title=self.title, describe=describe_unread_work)
        listings = tuple(listing for listing, is_own in parsed_works if is_own)
        return Page(
            announced=(AnnouncedDay(day=None, listings=listings),),
            next=next_request,
            # Crossref's cursor expires after five minutes, so an interrupted series begins again.
            cursor=str(date.fromisoformat(since) + _OVERLAP) if next_request else until,
            unread=tuple(unread),
        )

    def _read_answer(self, request: Request, response: Response) -> Any:
        subject = f"{self.title}'s list of works for {request.section}"
        answer = parse_answer(response, subject)
        if not isinstance(to_table(to_table(answer).get("message")).get("items"), list):
            raise SourceError(f"{subject} was expected, but something else arrived.")
        return answer

    def _build_request(self, request: Request, since: date, until: date, cursor: str) -> Request:
        kind = "issn" if request.section in self.issns else "prefix"
        query = {
            "filter": f"{kind}:{request.section},from-created-date:{since}",
            "sort": "created",
            "order": "asc",
            "rows": PAGE_SIZE,
            "select": ",".join(FIELDS),
            "cursor": cursor,
        }
        mailto = (("mailto", self.mailto),) if self.mailto else ()
        return replace(
            request,
            url=f"{self.url.rstrip('/')}/works?{urlencode(query)}",
            parameters=mailto,
            cursor=f"{since} {until} {cursor}",
        )


def _require_format(values: tuple[str, ...], pattern: re.Pattern[str], key: str, expectation: str) -> None:
    for index, value in enumerate(values):
        if not pattern.fullmatch(value):
            raise OptionError(f"{value!r} is not {expectation}", f"{key}[{index}]")


def _parse_day(cursor: str) -> date | None:
    try:
        return date.fromisoformat(cursor)
    except ValueError:
        return None


def _read_work(work: Mapping[str, Any]) -> tuple[Listing, bool] | None:
    """Return the listing of a work, and whether it is a paper of its own; None if it cannot be read."""
    paper = build_paper(work)
    if paper is None:
        return None
    return Listing(
        kind=ListingKind.NEW, paper=paper, published_at=read_creation_time(work)
    ), not is_about_another(work)
