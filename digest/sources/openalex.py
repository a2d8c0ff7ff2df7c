"""OpenAlex: the works of authors, institutions and topics, from all journals and repositories.

    [[source]]
    use = "openalex"
    authors = ["A5023888391"]

https://developers.openalex.org: ``/works`` with a filter, in pages by a cursor. Each request uses a part of
the daily budget of a key, so each section needs as few as possible.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import parse_answer, to_day, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.person_ids import parse_person_id, parse_ror_id
from digest.core.papers.services.openalex import FIELDS, build_paper, describe_unread_work, extract_signals
from digest.errors import OptionError, SourceError
from digest.model import Ask, Freshness, Listing, ListingKind, Route, Scope, Signal
from digest.ports import AnnouncedDay, Page, Request, Response

PAGE_SIZE = 100
"""Number of works on a page, the maximum of the API."""
_LOOKBACK = timedelta(days=60)
"""Maximum age of requested works, because OpenAlex finds works weeks after their publication."""
_REFRESH_INTERVAL = timedelta(hours=6)
"""Minimum interval of requests for a section; each fetches all pages and costs a part of the budget."""
_TOPIC = re.compile(r"T[1-9]\d{3,6}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """Works of authors, institutions and topics; a work belongs to the day on which it is first seen.

    Attributes:
        authors: OpenAlex IDs or ORCID iDs; each is a section, and requested separately.
        institutions: ROR IDs; each is a section.
        topics: IDs of topics, ``T12286``; each is a section.
        title: the name for readers.
        key: the API key of an account; hardly anything is available without one.
    """

    authors: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    title: str = "OpenAlex"
    key: str = field(default="", repr=False)
    url: str = "https://api.openalex.org/"
    name: str = "openalex"

    def check_options(self) -> None:
        """Validate the options."""
        for key in ("authors", "institutions", "topics"):
            for index, value in enumerate(getattr(self, key)):
                if _build_filter(key, value) is None:
                    raise OptionError(f"{value!r} is {_ID_ERRORS[key]}", f"{key}[{index}]")
        if not self.sections:
            raise OptionError("nothing to list; write authors, institutions or topics", "authors")

    @property
    def sections(self) -> tuple[str, ...]:
        """Authors, then institutions, then topics."""
        return tuple(dict.fromkeys((*self.authors, *self.institutions, *self.topics)))

    @property
    def calendar(self) -> None:
        """None, because works are added at any time."""

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """A single route: the recently published works."""
        return (Route(name="works", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - it has no cursor
        """Return the request for the first page of recent works."""
        day = now.astimezone(UTC).date()
        request = Request(section=ask.section, route=ask.route, url=self.url, accept="application/json")
        return self._build_request(request, day, "*")

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list of works.
        """
        subject = f"{self.title}'s list of works for {request.section}"
        answer = to_table(parse_answer(response, subject))
        if not isinstance(answer.get("results"), list):
            raise SourceError(f"{subject} was expected, but something else arrived.")
        works = list(map(to_table, to_rows(answer.get("results"))))
        day = date.fromisoformat(request.cursor.split(" ", 1)[0])
        parsed_works, unread = read_each(
            works, partial(self._read_work, day), title=self.title, describe=describe_unread_work
        )
        next_cursor = to_line(to_table(answer.get("meta")).get("next_cursor"))
        has_more = len(works) >= PAGE_SIZE and bool(next_cursor)
        return Page(
            announced=(AnnouncedDay(day=None, listings=tuple(listing for listing, _ in parsed_works)),),
            signals=tuple(signal for _, signals in parsed_works for signal in signals),
            next=self._build_request(request, day, next_cursor) if has_more else None,
            freshness=Freshness(ttl=_REFRESH_INTERVAL),
            unread=tuple(unread),
        )

    def _read_work(self, day: date, work: Mapping[str, Any]) -> tuple[Listing, list[Signal]] | None:
        paper = build_paper(work)
        if paper is None:
            return None
        added = to_day(work.get("created_date")) or to_day(work.get("publication_date"))
        dated = datetime.combine(added, time.max, UTC) if added else None
        listing = Listing(kind=ListingKind.NEW, paper=paper, published_at=dated)
        return listing, list(extract_signals(work, paper, self.name, day))

    def _build_request(self, request: Request, day: date, cursor: str) -> Request:
        key = next(key for key in _ID_ERRORS if request.section in getattr(self, key))
        query = {
            "filter": f"{_build_filter(key, request.section)},from_publication_date:{day - _LOOKBACK}",
            "select": ",".join(FIELDS),
            "per_page": PAGE_SIZE,
            "cursor": cursor,
        }
        return replace(
            request,
            url=f"{self.url.rstrip('/')}/works?{urlencode(query)}",
            parameters=(("api_key", self.key),) if self.key else (),
            cursor=f"{day} {cursor}",
        )


_ID_ERRORS = {
    "authors": "not the id of an author; write an OpenAlex id, A5023888391, or an ORCID iD",
    "institutions": "not the id of an institution; write a ROR id, https://ror.org/05a28rw58",
    "topics": "not the id of a topic; write it as T12286",
}


def _build_filter(key: str, value: str) -> str | None:
    """Return the filter for an ID; None if it is invalid."""
    match key:
        case "authors":
            if valid_id := parse_person_id("openalex", value):
                return f"authorships.author.id:{valid_id}"
            valid_id = parse_person_id("orcid", value)
            return f"authorships.author.orcid:{valid_id}" if valid_id else None
        case "institutions":
            valid_id = parse_ror_id(value)
            return f"authorships.institutions.ror:{valid_id}" if valid_id else None
        case _:
            return f"topics.id:{value}" if _TOPIC.fullmatch(value) else None
