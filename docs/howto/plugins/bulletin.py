"""The Bulletin, a day at a time."""

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from digest import ports
from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.ids import parse_doi
from digest.core.text.cleaning import normalize_line
from digest.errors import SourceError
from digest.model import Ask, Author, Calendar, Listing, ListingKind, Paper, PaperKey, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    url: str = "https://bulletin.example.org/papers"
    name: str = "bulletin"
    title: str = "The Bulletin"
    sections = ("all",)
    fetch_routes = (Route(name="day", scope=Scope.DAY, keeps=None),)
    calendar = Calendar(zone="Europe/London", weekdays=frozenset(range(5)), opens=timedelta(hours=6))

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        day = ask.day or now.date()
        return self._page(Request(section=ask.section, route=ask.route, url=self.url, day=day), 0)

    def read(self, request: Request, response: Response) -> Page:
        if response.status != 200:
            raise SourceError(f"The Bulletin refused {request.day} (HTTP {response.status}).")
        try:
            answer = json.loads(response.body)
            listings = [_listing(paper, request.url) for paper in answer["papers"]]
            total = int(answer["total"])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise SourceError(
                f"The Bulletin answered {request.day} with no list of papers: {error!r}."
            ) from None
        whole = tuple(one for one in listings if one)
        unread = ("A paper of the Bulletin has no DOI or title.",) * (len(listings) - len(whole))
        page = int(request.cursor)
        return Page(
            announced=(AnnouncedDay(day=request.day, listings=whole, expected=total - len(unread)),),
            next=self._page(request, page + 1) if len(listings) == 100 else None,
            unread=unread,
        )

    def _page(self, request: Request, number: int) -> Request:
        return replace(request, url=f"{self.url}?day={request.day}&page={number}", cursor=str(number))


def _listing(written: dict[str, object], base: str) -> Listing | None:
    number, title = parse_doi(str(written["doi"])), normalize_line(str(written["title"]))
    if not number or not title:
        return None
    authors = written["authors"] if isinstance(written["authors"], list) else []
    paper = Paper(
        key=PaperKey(f"doi:{number}"),
        title=title,
        abstract=normalize_line(str(written["abstract"])),
        authors=tuple(Author(normalize_line(str(name))) for name in authors),
        url=resolve_web_address(written["link"], base) or f"https://doi.org/{number}",
        doi=number,
    )
    return Listing(kind=ListingKind.PUBLISHED, paper=paper)
