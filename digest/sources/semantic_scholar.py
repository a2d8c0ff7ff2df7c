"""Semantic Scholar: the papers of authors, and recommendations based on papers that a reader likes.

    [[source]]
    use = "semantic_scholar"
    authors = ["1741101"]

https://api.semanticscholar.org/api-docs: ``/author/ID/papers`` in pages, ``/recommendations/v1/papers/``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import parse_answer, to_count, to_day, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.ids import parse_paper_key
from digest.core.papers.identity.person_ids import parse_person_id
from digest.core.papers.services.semantic_scholar import (
    FIELDS,
    build_paper,
    describe_unread_record,
    extract_signals,
    format_request_id,
)
from digest.errors import OptionError, SourceError
from digest.model import Ask, Listing, ListingKind, Route, Scope, Signal
from digest.ports import AnnouncedDay, Page, Request, Response

PAGE_SIZE = 500
"""Number of papers on a page; the API allows a thousand, but a response has at most ten million bytes."""
RECOMMENDED = "recommendations"
"""The section of recommendations."""
_MAX_RECOMMENDED = 100
_MAX_AGE = timedelta(days=90)
"""Maximum age of a publication that counts as new, whenever it was added to an author's papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """Papers of authors, and recommendations; a paper belongs to the day on which it is first seen.

    Attributes:
        authors: Semantic Scholar's IDs; each is a section, and requested separately.
        like: IDs of papers (arXiv, DOI); similar papers are recommended, in a section of their own.
        unlike: IDs of papers; recommendations are not similar to them.
        title: the name for readers.
        key: the API key; all users without one share one limit.
    """

    authors: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    title: str = "Semantic Scholar"
    key: str = field(default="", repr=False)
    url: str = "https://api.semanticscholar.org/"
    name: str = "semantic_scholar"
    pace: float = 1.1

    def check_options(self) -> None:
        """Validate the options."""
        for index, author in enumerate(self.authors):
            if not parse_person_id("s2", author):
                raise OptionError(
                    f"{author!r} is not a Semantic Scholar id; write it as 1741101", f"authors[{index}]"
                )
        for key in ("like", "unlike"):
            for index, paper in enumerate(getattr(self, key)):
                if parse_paper_key(paper) is None:
                    raise OptionError(
                        f"{paper!r} is not the id of a paper; write an arXiv id or a DOI", f"{key}[{index}]"
                    )
        if self.unlike and not self.like:
            raise OptionError("recommendations need examples; write like, too", "like")
        if not self.sections:
            raise OptionError("nothing to list; write authors, like, or both", "authors")

    @property
    def sections(self) -> tuple[str, ...]:
        """The authors, then the recommendations."""
        return (*dict.fromkeys(self.authors), *([RECOMMENDED] if self.like else []))

    @property
    def calendar(self) -> None:
        """None, because papers are added at any time."""

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """A single route: the current papers."""
        return (Route(name="papers", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - it has no cursor
        """Return the request for the first page of an author's papers, or for all recommendations."""
        day = now.astimezone(UTC).date()
        request = Request(
            section=ask.section,
            route=ask.route,
            url=self.url,
            accept="application/json",
            headers=(("x-api-key", self.key),) if self.key else (),
        )
        return (
            self._build_recommendation_request(request, day)
            if ask.section == RECOMMENDED
            else self._build_author_request(request, day, 0)
        )

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list of papers.
        """
        subject = f"{self.title}'s list of papers for {request.section}"
        answer = to_table(parse_answer(response, subject))
        records = answer.get("recommendedPapers" if request.section == RECOMMENDED else "data")
        if not isinstance(records, list):
            raise SourceError(f"{subject} was expected, but something else arrived.")
        day_text, _, _ = request.cursor.partition(" ")
        day, next_offset = date.fromisoformat(day_text), answer.get("next")
        recent_records = [record for record in map(to_table, to_rows(records)) if _is_new(record, day)]
        parsed_records, unread = read_each(
            recent_records, partial(self._read_record, day), title=self.title, describe=describe_unread_record
        )
        return Page(
            announced=(AnnouncedDay(day=None, listings=tuple(listing for listing, _ in parsed_records)),),
            signals=tuple(signal for _, signals in parsed_records for signal in signals),
            next=self._build_author_request(request, day, next_offset)
            if type(next_offset) is int and records
            else None,
            unread=tuple(unread),
        )

    def _read_record(self, day: date, record: Mapping[str, Any]) -> tuple[Listing, list[Signal]] | None:
        paper = build_paper(record)
        if paper is None:
            return None
        published = to_day(record.get("publicationDate"))
        dated = datetime.combine(published, time.max, UTC) if published else None
        listing = Listing(kind=ListingKind.NEW, paper=paper, published_at=dated)
        return listing, list(extract_signals(record, paper, self.name, day))

    def _build_author_request(self, request: Request, day: date, offset: int) -> Request:
        query = {"fields": ",".join(FIELDS), "offset": offset, "limit": PAGE_SIZE}
        address = f"{self.url.rstrip('/')}/graph/v1/author/{parse_person_id('s2', request.section)}/papers?{urlencode(query)}"
        return replace(request, url=address, cursor=f"{day} {offset}")

    def _build_recommendation_request(self, request: Request, day: date) -> Request:
        query = {"fields": ",".join(FIELDS), "limit": _MAX_RECOMMENDED}
        liked, disliked = (
            [format_request_id(key) for paper_id in ids if (key := parse_paper_key(paper_id))]
            for ids in (self.like, self.unlike)
        )
        content = json.dumps({"positivePaperIds": liked, "negativePaperIds": disliked})
        return replace(
            request,
            url=f"{self.url.rstrip('/')}/recommendations/v1/papers/?{urlencode(query)}",
            method="POST",
            headers=(*request.headers, ("Content-Type", "application/json")),
            content=content.encode(),
            cursor=f"{day} 0",
        )


def _is_new(record: Mapping[str, Any], day: date) -> bool:
    """Return True if a paper counts as new; if only its year is known, papers of the year before do not count."""
    since, published, year = (
        day - _MAX_AGE,
        to_day(record.get("publicationDate")),
        to_count(record.get("year")),
    )
    if published is not None:
        return published >= since
    return year is None or year >= since.year
