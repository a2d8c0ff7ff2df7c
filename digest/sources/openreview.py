"""OpenReview: what was submitted to, or accepted by, a venue that reviews in the open.

    [[source]]
    use = "openreview"
    venues = ["ICLR.cc/2027/Conference"]
    username = "me@example.org"
    password = "secret"

https://docs.openreview.net/reference/api-v2: ``/notes`` in pages, for who is logged in; the first page is the login.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

from digest import ports
from digest.core.fetching.formats.any_feed import web_address
from digest.core.fetching.formats.json_fields import answered, as_line, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.identity.ids import arxiv_id, best_key, doi
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, Route, Scope
from digest.ports import Announced, Page, Request, Response

ROWS = 1000
"""Notes a page; more are not given at once."""
_LOGIN = "login"
_BEFORE = timedelta(days=30)
_OVERLAP = timedelta(days=2)
_VENUE = re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII)
_PROFILE = re.compile(r"~[\w.'-]{1,100}\d", re.UNICODE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """Venues; a note counts for the day on which it is first seen.

    Attributes:
        venues: ids of venues, ``ICLR.cc/2027/Conference``; each is a section, and asked by itself.
        username: of your account: without a login nothing is given.
        password: of your account.
        title: the name that readers know.
        url: where the API is.
        site_url: where its pages are.
        name: of this source in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    venues: tuple[str, ...]
    username: str
    password: str = field(repr=False)
    title: str = "OpenReview"
    url: str = "https://api2.openreview.net/"
    site_url: str = "https://openreview.net/"
    name: str = "openreview"
    pace: float = 20.0
    max_bytes: int = 30_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_web_address(self.site_url, "site_url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        if not self.venues:
            raise OptionError("nothing is to be listed: write a venue", "venues")
        for number, venue in enumerate(self.venues):
            if not _VENUE.fullmatch(venue):
                raise OptionError(
                    f"{venue!r} is no id of a venue; write it as ICLR.cc/2027/Conference", f"venues[{number}]"
                )
        for key in ("username", "password"):
            if not getattr(self, key):
                raise OptionError(
                    "it gives nothing without a login; write yours, or take the source out", key
                )

    @property
    def sections(self) -> tuple[str, ...]:
        """The venues."""
        return tuple(dict.fromkeys(self.venues))

    @property
    def calendar(self) -> None:
        """None: notes are published at any time."""

    @property
    def ways(self) -> tuple[Route, ...]:
        """One: what there is now."""
        return (Route(name="notes", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """The login; what follows is asked for with the token that it gives, which is kept nowhere."""
        try:
            since = date.fromisoformat(cursor) - _OVERLAP
        except ValueError:
            since = now.astimezone(UTC).date() - _BEFORE
        return Request(
            section=ask.section,
            route=ask.route,
            url=f"{self.url.rstrip('/')}/login",
            method="POST",
            headers=(("Content-Type", "application/json"),),
            content=json.dumps({"id": self.username, "password": self.password}).encode(),
            accept="application/json",
            cursor=f"{_LOGIN} {since} {now.astimezone(UTC).date()}",
        )

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer: the token, or notes.

        Raises:
            SourceError: the answer says no, or is something else.
        """
        step, since, until = request.cursor.split()
        if step == _LOGIN:
            token = as_line(as_table(answered(response, f"The login at {self.title}")).get("token"))
            if not (token.isascii() and token):
                raise SourceError(
                    f"The login at {self.title} brought no token; "
                    "an account that wants a second factor cannot be used here"
                )
            return Page(next=self._notes(request, token, 0, since, until), cursor=since)
        subject = f"{self.title}'s list for {request.section}"
        notes = as_table(answered(response, subject)).get("notes")
        if not isinstance(notes, list):
            raise SourceError(f"{subject} was expected, and something else came.")
        read, unread = read_each(
            map(as_table, notes),
            self._listing,
            title=self.title,
            describe=lambda _: f"A note of {self.title} has no id or title.",
        )
        token = dict(request.headers)["Authorization"].removeprefix("Bearer ")
        more = len(notes) >= ROWS and not _is_before(as_table(notes[-1]), since)
        return Page(
            announced=(Announced(day=None, listings=tuple(read)),),
            next=self._notes(request, token, int(step) + ROWS, since, until) if more else None,
            cursor=str(date.fromisoformat(since) + _OVERLAP) if more else until,
            unread=tuple(unread),
        )

    def _notes(self, asked: Request, token: str, offset: int, since: str, until: str) -> Request:
        # By the last change: a paper gets the id of its venue months after it was submitted, when it is accepted.
        told = {
            "content.venueid": asked.section,
            "sort": "tmdate:desc",
            "limit": ROWS,
            "offset": offset,
        }
        return replace(
            asked,
            url=f"{self.url.rstrip('/')}/notes?{urlencode(told)}",
            method="GET",
            headers=(("Authorization", f"Bearer {token}"),),
            content=b"",
            cursor=f"{offset} {since} {until}",
        )

    def _listing(self, note: Mapping[str, Any]) -> Listing | None:
        paper = self._paper(note)
        return Listing(kind=ListingKind.NEW, paper=paper, dated=_published(note)) if paper else None

    def _paper(self, note: Mapping[str, Any]) -> Paper | None:
        content = as_table(note.get("content"))
        number, title = (
            as_line(note.get("forum")) or as_line(note.get("id")),
            as_line(_value(content, "title")),
        )
        if not number or not title:
            return None
        site = self.site_url.rstrip("/")
        link = as_line(_value(content, "html")) or as_line(_value(content, "ee"))
        preprint = known[0] if (known := arxiv_id(link)) else ""
        pdf = as_line(_value(content, "pdf"))
        venue = as_line(_value(content, "venue"))
        return Paper(
            key=best_key(
                arxiv=preprint, published="", page=f"https://openreview.net/forum?id={quote(number, safe='')}"
            ),
            title=title,
            abstract=as_line(_value(content, "abstract")),
            authors=tuple(_authors(content)),
            version=0,
            url=f"{site}/forum?id={quote(number, safe='')}",
            pdf_url=f"{site}{pdf}" if pdf.startswith("/") else web_address(pdf),
            doi=doi(link) or "",
            # Until it is decided, a venue is called "Submitted to ICLR 2027".
            journal_ref="" if venue.casefold().startswith(("submitted", "under review", "corr ")) else venue,
            ids=(("openreview", number),),
            code_urls=tuple(filter(None, [web_address(_value(content, "code"))])),
            withdrawn="withdrawn" in as_line(_value(content, "venueid")).casefold(),
        )


def _value(content: Mapping[str, Any], name: str) -> object:
    """A field, which the second version of the API wraps."""
    written = content.get(name)
    return as_table(written).get("value") if isinstance(written, dict) else written


def _authors(content: Mapping[str, Any]) -> Iterator[Author]:
    """The byline, with the profiles of those who have one; anonymous submissions have none."""
    ids = as_rows(_value(content, "authorids"))
    for place, written in enumerate(as_rows(_value(content, "authors"))):
        if name := as_line(written):
            profile = as_line(ids[place]) if place < len(ids) else ""
            yield Author(name, ids=(("openreview", profile),) if _PROFILE.fullmatch(profile) else ())


def _published(note: Mapping[str, Any]) -> datetime | None:
    """When it became public, or was made."""
    told = (_instant(note.get(name)) for name in ("pdate", "odate", "cdate", "tcdate"))
    return next(filter(None, told), None)


def _is_before(note: Mapping[str, Any], since: str) -> bool:
    """Whether a note was changed last before a day; so were those behind it."""
    changed = _instant(note.get("tmdate"))
    return changed is not None and changed.date() < date.fromisoformat(since)


def _instant(written: object) -> datetime | None:
    """From milliseconds."""
    if type(written) is not int or not 0 < written < 10**13:
        return None
    return datetime.fromtimestamp(written / 1000, UTC)
