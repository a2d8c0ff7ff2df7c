"""Crossref: what journals publish, and what preprint servers post, as soon as its DOI is registered.

    [[source]]
    use = "crossref"
    issns = ["2522-5839"]

https://www.crossref.org/documentation/retrieve-metadata/rest-api/: ``/works`` with a filter, in pages by a cursor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import answered, as_line, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.services.crossref import (
    FIELDS,
    created_at,
    describe_unread_work,
    is_about_another,
    paper_of_work,
)
from digest.errors import OptionError, SourceError
from digest.model import Ask, Listing, ListingKind, Route, Scope
from digest.ports import Announced, Page, Request, Response

ROWS = 200
"""Works a page: of the thousand allowed, so many come in a few seconds."""
_BEFORE = timedelta(days=7)
_OVERLAP = timedelta(days=2)
"""A DOI can be found a day after it was registered."""
_ISSN = re.compile(r"\d{4}-\d{3}[\dX]", re.ASCII)
_PREFIX = re.compile(r"10\.\d{4,9}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """Journals by ISSN, and who registers DOIs with a prefix; a work counts for the day on which it is first seen.

    Attributes:
        issns: of journals; each is a section, and asked by itself.
        prefixes: of DOIs, ``10.26434``: a publisher or preprint server, a section each.
        title: the name that readers know.
        mailto: an address of yours: who tells one is served from another pool, with wider limits.
        url: where the API is.
        name: of this source in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    issns: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    title: str = "Crossref"
    mailto: str = ""
    url: str = "https://api.crossref.org/"
    name: str = "crossref"
    pace: float = 1.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        _demand(self.issns, _ISSN, "issns", "an ISSN; write it as 2522-5839")
        _demand(self.prefixes, _PREFIX, "prefixes", "the prefix of DOIs; write it as 10.26434")
        if not self.sections:
            raise OptionError("nothing is to be listed: write issns, prefixes, or both", "issns")

    @property
    def sections(self) -> tuple[str, ...]:
        """The journals, then the prefixes."""
        return tuple(dict.fromkeys((*self.issns, *self.prefixes)))

    @property
    def calendar(self) -> None:
        """None: DOIs are registered at any time."""

    @property
    def ways(self) -> tuple[Route, ...]:
        """One: the DOIs that were registered lately."""
        return (Route(name="works", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """The first page of what was registered since we last asked."""
        last = _day(cursor)
        since = (last - _OVERLAP) if last else now.astimezone(UTC).date() - _BEFORE
        asked = Request(section=ask.section, route=ask.route, url=self.url, accept="application/json")
        return self._request(asked, since, now.astimezone(UTC).date(), "*")

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of works.
        """
        since, until, _ = request.cursor.split(" ", 2)
        message = as_table(as_table(self._answered(request, response)).get("message"))
        works = list(map(as_table, as_rows(message.get("items"))))
        following = as_line(message.get("next-cursor"))
        more = len(works) >= ROWS and bool(following)
        further = (
            self._request(request, date.fromisoformat(since), date.fromisoformat(until), following)
            if more
            else None
        )
        read, unread = read_each(works, _read_work, title=self.title, describe=describe_unread_work)
        listings = tuple(listing for listing, is_own in read if is_own)
        return Page(
            announced=(Announced(day=None, listings=listings),),
            next=further,
            # A cursor lives for five minutes, too short to go on with tomorrow.
            cursor=str(date.fromisoformat(since) + _OVERLAP) if further else until,
            unread=tuple(unread),
        )

    def _answered(self, request: Request, response: Response) -> Any:
        subject = f"{self.title}'s list of works for {request.section}"
        answer = answered(response, subject)
        if not isinstance(as_table(as_table(answer).get("message")).get("items"), list):
            raise SourceError(f"{subject} was expected, and something else came.")
        return answer

    def _request(self, asked: Request, since: date, until: date, cursor: str) -> Request:
        kind = "issn" if asked.section in self.issns else "prefix"
        told = {
            "filter": f"{kind}:{asked.section},from-created-date:{since}",
            "sort": "created",
            "order": "asc",
            "rows": ROWS,
            "select": ",".join(FIELDS),
            "cursor": cursor,
        }
        mailto = (("mailto", self.mailto),) if self.mailto else ()
        return replace(
            asked,
            url=f"{self.url.rstrip('/')}/works?{urlencode(told)}",
            parameters=mailto,
            cursor=f"{since} {until} {cursor}",
        )


def _demand(written: tuple[str, ...], form: re.Pattern[str], key: str, what: str) -> None:
    for number, one in enumerate(written):
        if not form.fullmatch(one):
            raise OptionError(f"{one!r} is not {what}", f"{key}[{number}]")


def _day(cursor: str) -> date | None:
    try:
        return date.fromisoformat(cursor)
    except ValueError:
        return None


def _read_work(work: Mapping[str, Any]) -> tuple[Listing, bool] | None:
    """The listing of a work, and whether the work is a paper of its own."""
    paper = paper_of_work(work)
    if paper is None:
        return None
    return Listing(kind=ListingKind.NEW, paper=paper, dated=created_at(work)), not is_about_another(work)
