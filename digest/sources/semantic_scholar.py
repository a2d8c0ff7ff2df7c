"""Semantic Scholar: the papers of authors, and what it recommends to who likes some papers.

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
from digest.core.fetching.formats.json_fields import answered, as_count, as_day, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.identity.ids import paper_key
from digest.core.papers.identity.person_ids import person_id
from digest.core.papers.services.semantic_scholar import (
    FIELDS,
    asked_as,
    describe_unread_record,
    paper_of_record,
    signals_of_record,
)
from digest.errors import OptionError, SourceError
from digest.model import Ask, Listing, ListingKind, Route, Scope, Signal
from digest.ports import Announced, Page, Request, Response

ROWS = 500
"""Papers a page, of the thousand allowed: an answer has at most ten million bytes."""
RECOMMENDED = "recommendations"
"""The section of what is recommended."""
_MOST_RECOMMENDED = 100
_BEFORE = timedelta(days=90)
"""What was published longer ago is not new, whenever it was added to somebody's papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """Papers of authors, and recommendations; a paper counts for the day on which it is first seen.

    Attributes:
        authors: Semantic Scholar's ids; each is a section, and asked by itself.
        like: ids of papers (arXiv, DOI): what is like them is recommended, as a section of its own.
        unlike: ids of papers that recommendations should not be like.
        title: the name that readers know.
        key: for the API; without one, all who have none share one limit.
        url: where the API is.
        name: of this source in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    authors: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    title: str = "Semantic Scholar"
    key: str = field(default="", repr=False)
    url: str = "https://api.semanticscholar.org/"
    name: str = "semantic_scholar"
    pace: float = 1.1
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        for number, author in enumerate(self.authors):
            if not person_id("s2", author):
                raise OptionError(
                    f"{author!r} is no id of Semantic Scholar; write it as 1741101", f"authors[{number}]"
                )
        for key in ("like", "unlike"):
            for number, paper in enumerate(getattr(self, key)):
                if paper_key(paper) is None:
                    raise OptionError(
                        f"{paper!r} is no id of a paper; write an arXiv id or a DOI", f"{key}[{number}]"
                    )
        if self.unlike and not self.like:
            raise OptionError("it is recommended only what is like something: write like, too", "unlike")
        if not self.sections:
            raise OptionError("nothing is to be listed: write authors, like, or both", "authors")

    @property
    def sections(self) -> tuple[str, ...]:
        """The authors, then what is recommended."""
        return (*dict.fromkeys(self.authors), *([RECOMMENDED] if self.like else []))

    @property
    def calendar(self) -> None:
        """None: papers are added at any time."""

    @property
    def ways(self) -> tuple[Route, ...]:
        """One: what there is now."""
        return (Route(name="papers", scope=Scope.LATEST),)

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - it remembers nothing
        """The first page of an author's papers, or all that is recommended."""
        day = now.astimezone(UTC).date()
        asked = Request(
            section=ask.section,
            route=ask.route,
            url=self.url,
            accept="application/json",
            headers=(("x-api-key", self.key),) if self.key else (),
        )
        return self._recommended(asked, day) if ask.section == RECOMMENDED else self._of_author(asked, day, 0)

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of papers.
        """
        subject = f"{self.title}'s list of papers for {request.section}"
        answer = as_table(answered(response, subject))
        found = answer.get("recommendedPapers" if request.section == RECOMMENDED else "data")
        if not isinstance(found, list):
            raise SourceError(f"{subject} was expected, and something else came.")
        written, _, _ = request.cursor.partition(" ")
        day, following = date.fromisoformat(written), answer.get("next")
        lately = [record for record in map(as_table, as_rows(found)) if _is_new(record, day)]
        read, unread = read_each(
            lately, partial(self._read_record, day), title=self.title, describe=describe_unread_record
        )
        return Page(
            announced=(Announced(day=None, listings=tuple(listing for listing, _ in read)),),
            signals=tuple(signal for _, signals in read for signal in signals),
            next=self._of_author(request, day, following) if type(following) is int and found else None,
            unread=tuple(unread),
        )

    def _read_record(self, day: date, record: Mapping[str, Any]) -> tuple[Listing, list[Signal]] | None:
        paper = paper_of_record(record)
        if paper is None:
            return None
        published = as_day(record.get("publicationDate"))
        dated = datetime.combine(published, time.max, UTC) if published else None
        listing = Listing(kind=ListingKind.NEW, paper=paper, dated=dated)
        return listing, list(signals_of_record(record, paper, self.name, day))

    def _of_author(self, asked: Request, day: date, offset: int) -> Request:
        told = {"fields": ",".join(FIELDS), "offset": offset, "limit": ROWS}
        address = f"{self.url.rstrip('/')}/graph/v1/author/{person_id('s2', asked.section)}/papers?{urlencode(told)}"
        return replace(asked, url=address, cursor=f"{day} {offset}")

    def _recommended(self, asked: Request, day: date) -> Request:
        told = {"fields": ",".join(FIELDS), "limit": _MOST_RECOMMENDED}
        liked, disliked = (
            [asked_as(key) for one in ids if (key := paper_key(one))] for ids in (self.like, self.unlike)
        )
        content = json.dumps({"positivePaperIds": liked, "negativePaperIds": disliked})
        return replace(
            asked,
            url=f"{self.url.rstrip('/')}/recommendations/v1/papers/?{urlencode(told)}",
            method="POST",
            headers=(*asked.headers, ("Content-Type", "application/json")),
            content=content.encode(),
            cursor=f"{day} 0",
        )


def _is_new(record: Mapping[str, Any], day: date) -> bool:
    """Of many papers only the year is known: those of the year before would come again as if they were new."""
    since, published, year = (
        day - _BEFORE,
        as_day(record.get("publicationDate")),
        as_count(record.get("year")),
    )
    if published is not None:
        return published >= since
    return year is None or year >= since.year
