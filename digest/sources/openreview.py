"""OpenReview: papers that were submitted to, or accepted by, venues with open reviews.

    [[source]]
    use = "openreview"
    venues = ["ICLR.cc/2027/Conference"]
    username = "me@example.org"
    password = "secret"

https://docs.openreview.net/reference/api-v2: ``/notes`` in pages, which requires a login; the first page is
the login.
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
from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import parse_answer, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.ids import choose_key, parse_arxiv_id, parse_doi
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response

PAGE_SIZE = 1000
"""Number of notes on a page, the maximum of the API."""
_LOGIN = "login"
_FIRST_LOOKBACK = timedelta(days=30)
_OVERLAP = timedelta(days=2)
_VENUE = re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII)
_PROFILE = re.compile(r"~[\w.'-]{1,100}\d", re.UNICODE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """Venues; a note belongs to the day on which it is first seen.

    Attributes:
        venues: IDs of venues, ``ICLR.cc/2027/Conference``; each is a section, and requested separately.
        username: the user name of your account; nothing is available without a login.
        password: the password of your account.
        title: the name for readers.
        site_url: the address of the web pages.
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

    def check_options(self) -> None:
        """Validate the options."""
        for index, venue in enumerate(self.venues):
            if not _VENUE.fullmatch(venue):
                raise OptionError(
                    f"{venue!r} is not the id of a venue; write it as ICLR.cc/2027/Conference",
                    f"venues[{index}]",
                )
        for key in ("username", "password"):
            if not getattr(self, key):
                raise OptionError("it requires a login; write yours, or remove the source", key)
        if not self.venues:
            raise OptionError("nothing to list; write a venue", "venues")

    @property
    def sections(self) -> tuple[str, ...]:
        """The venues."""
        return tuple(dict.fromkeys(self.venues))

    @property
    def calendar(self) -> None:
        """None, because notes are published at any time."""

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """A single route: the current notes."""
        return (Route(name="notes", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Return the request for the login; later requests use its token, which is not stored."""
        try:
            since = date.fromisoformat(cursor) - _OVERLAP
        except ValueError:
            since = now.astimezone(UTC).date() - _FIRST_LOOKBACK
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
        """Parse a response: the token, or notes.

        Raises:
            SourceError: the request was refused, or the response is something else.
        """
        step, since, until = request.cursor.split()
        if step == _LOGIN:
            token = to_line(to_table(parse_answer(response, f"The login at {self.title}")).get("token"))
            if not (token.isascii() and token):
                raise SourceError(
                    f"The login at {self.title} brought no token; "
                    "an account with a second factor cannot be used here"
                )
            return Page(next=self._build_notes_request(request, token, 0, since, until), cursor=since)
        subject = f"{self.title}'s list for {request.section}"
        notes = to_table(parse_answer(response, subject)).get("notes")
        if not isinstance(notes, list):
            raise SourceError(f"{subject} was expected, but something else arrived.")
        listings, unread = read_each(
            map(to_table, notes),
            self._read_listing,
            title=self.title,
            describe=lambda _: f"A note of {self.title} has no id or title.",
        )
        token = dict(request.headers)["Authorization"].removeprefix("Bearer ")
        has_more = len(notes) >= PAGE_SIZE and not _is_before(to_table(notes[-1]), since)
        return Page(
            announced=(AnnouncedDay(day=None, listings=tuple(listings)),),
            next=self._build_notes_request(request, token, int(step) + PAGE_SIZE, since, until)
            if has_more
            else None,
            cursor=str(date.fromisoformat(since) + _OVERLAP) if has_more else until,
            unread=tuple(unread),
        )

    def _build_notes_request(
        self, request: Request, token: str, offset: int, since: str, until: str
    ) -> Request:
        # Notes are sorted by their last change, because a paper gets the ID of its venue when it is accepted, months
        # after it was submitted.
        query = {
            "content.venueid": request.section,
            "sort": "tmdate:desc",
            "limit": PAGE_SIZE,
            "offset": offset,
        }
        return replace(
            request,
            url=f"{self.url.rstrip('/')}/notes?{urlencode(query)}",
            method="GET",
            headers=(("Authorization", f"Bearer {token}"),),
            content=b"",
            cursor=f"{offset} {since} {until}",
        )

    def _read_listing(self, note: Mapping[str, Any]) -> Listing | None:
        paper = self._read_paper(note)
        return (
            Listing(kind=ListingKind.NEW, paper=paper, published_at=_find_publication_time(note))
            if paper
            else None
        )

    def _read_paper(self, note: Mapping[str, Any]) -> Paper | None:
        content = to_table(note.get("content"))
        note_id, title = (
            to_line(note.get("forum")) or to_line(note.get("id")),
            to_line(_get_field(content, "title")),
        )
        if not note_id or not title:
            return None
        site = self.site_url.rstrip("/")
        link = to_line(_get_field(content, "html")) or to_line(_get_field(content, "ee"))
        preprint = arxiv_match[0] if (arxiv_match := parse_arxiv_id(link)) else ""
        pdf = to_line(_get_field(content, "pdf"))
        venue = to_line(_get_field(content, "venue"))
        return Paper(
            key=choose_key(
                arxiv=preprint,
                doi_value="",
                page=f"https://openreview.net/forum?id={quote(note_id, safe='')}",
            ),
            title=title,
            abstract=to_line(_get_field(content, "abstract")),
            authors=tuple(_read_authors(content)),
            version=0,
            url=f"{site}/forum?id={quote(note_id, safe='')}",
            pdf_url=f"{site}{pdf}" if pdf.startswith("/") else resolve_web_address(pdf),
            doi=parse_doi(link) or "",
            # Before the decision, the venue is "Submitted to ICLR 2027".
            journal_ref="" if venue.casefold().startswith(("submitted", "under review", "corr ")) else venue,
            ids=(("openreview", note_id),),
            code_urls=tuple(filter(None, [resolve_web_address(_get_field(content, "code"))])),
            withdrawn="withdrawn" in to_line(_get_field(content, "venueid")).casefold(),
        )


def _get_field(content: Mapping[str, Any], name: str) -> object:
    """Return a field, which version 2 of the API wraps in an object."""
    raw = content.get(name)
    return to_table(raw).get("value") if isinstance(raw, dict) else raw


def _read_authors(content: Mapping[str, Any]) -> Iterator[Author]:
    """Yield the authors, with their profiles as IDs if they have one; anonymous submissions have no authors."""
    ids = to_rows(_get_field(content, "authorids"))
    for index, raw_name in enumerate(to_rows(_get_field(content, "authors"))):
        if name := to_line(raw_name):
            profile = to_line(ids[index]) if index < len(ids) else ""
            yield Author(name, ids=(("openreview", profile),) if _PROFILE.fullmatch(profile) else ())


def _find_publication_time(note: Mapping[str, Any]) -> datetime | None:
    """Return when the note became public, or was created."""
    instants = (_parse_milliseconds(note.get(name)) for name in ("pdate", "odate", "cdate", "tcdate"))
    return next(filter(None, instants), None)


def _is_before(note: Mapping[str, Any], since: str) -> bool:
    """Return True if the last change of a note was before a day; the notes after it are still older."""
    changed = _parse_milliseconds(note.get("tmdate"))
    return changed is not None and changed.date() < date.fromisoformat(since)


def _parse_milliseconds(milliseconds: object) -> datetime | None:
    """Convert milliseconds since 1970 to UTC; return None if they are invalid."""
    if type(milliseconds) is not int or not 0 < milliseconds < 10**13:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
