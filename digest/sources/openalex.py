"""OpenAlex: the works of authors, institutions and topics, from all journals and repositories.

    [[source]]
    use = "openalex"
    authors = ["A5023888391"]

https://developers.openalex.org: ``/works`` with a filter, in pages by a cursor. Each request costs a little of what a
key has for a day, so each section is asked with as few as can be.
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
from digest.core.fetching.formats.json_fields import answered, as_day, as_line, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.identity.person_ids import person_id, ror_id
from digest.core.papers.services.openalex import FIELDS, describe_unread_work, paper_of_work, signals_of_work
from digest.errors import OptionError, SourceError
from digest.model import Ask, Freshness, Listing, ListingKind, Route, Scope, Signal
from digest.ports import Announced, Page, Request, Response

ROWS = 100
"""Works a page; more are not given at once."""
_BEFORE = timedelta(days=60)
"""Works are found weeks after their publication."""
_ANEW = timedelta(hours=6)
"""All pages are asked for each time, and paid for: once an hour would be too often for a university."""
_TOPIC = re.compile(r"T[1-9]\d{3,6}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """Works of authors, institutions and topics; a work counts for the day on which it is first seen.

    Attributes:
        authors: OpenAlex ids or ORCID iDs; each is a section, and asked by itself.
        institutions: ROR ids; each is a section.
        topics: ids of topics, ``T12286``; each is a section.
        title: the name that readers know.
        key: of an account; hardly anything is to be had without one.
        url: where the API is.
        name: of this source in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    authors: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    title: str = "OpenAlex"
    key: str = field(default="", repr=False)
    url: str = "https://api.openalex.org/"
    name: str = "openalex"
    pace: float = 1.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        for key in ("authors", "institutions", "topics"):
            for number, written in enumerate(getattr(self, key)):
                if _filter(key, written) is None:
                    raise OptionError(f"{written!r} is {_WANTED[key]}", f"{key}[{number}]")
        if not self.sections:
            raise OptionError("nothing is to be listed: write authors, institutions or topics", "authors")

    @property
    def sections(self) -> tuple[str, ...]:
        """Authors, institutions, then topics."""
        return tuple(dict.fromkeys((*self.authors, *self.institutions, *self.topics)))

    @property
    def calendar(self) -> None:
        """None: works are added at any time."""

    @property
    def ways(self) -> tuple[Route, ...]:
        """One: the works that were published lately."""
        return (Route(name="works", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - it remembers nothing
        """The first page of the works of the last weeks."""
        day = now.astimezone(UTC).date()
        asked = Request(section=ask.section, route=ask.route, url=self.url, accept="application/json")
        return self._request(asked, day, "*")

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of works.
        """
        subject = f"{self.title}'s list of works for {request.section}"
        answer = as_table(answered(response, subject))
        if not isinstance(answer.get("results"), list):
            raise SourceError(f"{subject} was expected, and something else came.")
        works = list(map(as_table, as_rows(answer.get("results"))))
        day = date.fromisoformat(request.cursor.split(" ", 1)[0])
        read, unread = read_each(
            works, partial(self._read_work, day), title=self.title, describe=describe_unread_work
        )
        following = as_line(as_table(answer.get("meta")).get("next_cursor"))
        more = len(works) >= ROWS and bool(following)
        return Page(
            announced=(Announced(day=None, listings=tuple(listing for listing, _ in read)),),
            signals=tuple(signal for _, signals in read for signal in signals),
            next=self._request(request, day, following) if more else None,
            freshness=Freshness(ttl=_ANEW),
            unread=tuple(unread),
        )

    def _read_work(self, day: date, work: Mapping[str, Any]) -> tuple[Listing, list[Signal]] | None:
        paper = paper_of_work(work)
        if paper is None:
            return None
        added = as_day(work.get("created_date")) or as_day(work.get("publication_date"))
        dated = datetime.combine(added, time.max, UTC) if added else None
        listing = Listing(kind=ListingKind.NEW, paper=paper, dated=dated)
        return listing, list(signals_of_work(work, paper, self.name, day))

    def _request(self, asked: Request, day: date, cursor: str) -> Request:
        key = next(key for key in _WANTED if asked.section in getattr(self, key))
        told = {
            "filter": f"{_filter(key, asked.section)},from_publication_date:{day - _BEFORE}",
            "select": ",".join(FIELDS),
            "per_page": ROWS,
            "cursor": cursor,
        }
        return replace(
            asked,
            url=f"{self.url.rstrip('/')}/works?{urlencode(told)}",
            parameters=(("api_key", self.key),) if self.key else (),
            cursor=f"{day} {cursor}",
        )


_WANTED = {
    "authors": "no id of an author; write one of OpenAlex, A5023888391, or an ORCID iD",
    "institutions": "no id of an institution; write one of ROR, https://ror.org/05a28rw58",
    "topics": "no id of a topic; write it as T12286",
}


def _filter(key: str, written: str) -> str | None:
    """What OpenAlex is asked for; None for what is no id."""
    match key:
        case "authors":
            if found := person_id("openalex", written):
                return f"authorships.author.id:{found}"
            found = person_id("orcid", written)
            return f"authorships.author.orcid:{found}" if found else None
        case "institutions":
            found = ror_id(written)
            return f"authorships.institutions.ror:{found}" if found else None
        case _:
            return f"topics.id:{written}" if _TOPIC.fullmatch(written) else None
