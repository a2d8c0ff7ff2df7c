"""Hugging Face Daily Papers: what its readers submitted and vote on, mostly papers of arXiv.

    [[source]]
    use = "hf_daily"

https://huggingface.co/docs/hub/api#daily-papers; the row's fields as its API answers them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from digest import ports
from digest.core.fetching.formats.any_feed import web_address
from digest.core.fetching.formats.json_fields import answered, as_day, as_line, as_rows, as_table, counted
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.identity.ids import arxiv_id
from digest.core.text.cleaning import plain_line
from digest.errors import SourceError
from digest.model import (
    Ask,
    Author,
    Calendar,
    Listing,
    ListingKind,
    Paper,
    PaperKey,
    PaperPage,
    Route,
    Scope,
    Signal,
    Submitter,
)
from digest.ports import Announced, Page, Request, Response

LIMIT = 100
"""The most rows that the API gives at once."""
DAILY, VOTES = "daily", "votes"
_DAY = timedelta(days=1)
_YOUNG = timedelta(days=6)
"""For so long after its day a paper is voted on and talked of; later numbers hardly change."""
_LONGEST_PAUSE = timedelta(days=31)
"""How far back the list may be that is given for a day without one; a row of another day has a wrong date."""
_VERIFIED = {"claimed_verified", "admin_assigned"}
"""Who an author is was checked by mail, or by an administrator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """Hugging Face's papers of the day.

    Attributes:
        url: where the list is.
        name: of this source in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read; a hundred papers are about 600 kB.
    """

    url: str = "https://huggingface.co/api/daily_papers"
    name: str = "hf_daily"
    pace: float = 1.0
    max_bytes: int = 10_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)

    @property
    def title(self) -> str:
        """The name that readers know."""
        return "Hugging Face Daily Papers"

    @property
    def sections(self) -> tuple[str, ...]:
        """One: the daily list."""
        return ("daily",)

    @property
    def ways(self) -> tuple[Route, ...]:
        """The papers of any day there was; and each day the numbers, as they are now, about those of the last week."""
        return (
            Route(name=DAILY, scope=Scope.DAY, keeps=None, spans=True),
            Route(name=VOTES, scope=Scope.RECORDS, weekdays=frozenset(range(7))),
        )

    @property
    def calendar(self) -> Calendar:
        """Monday to Friday, UTC; papers come and are voted on while the day lasts."""
        return Calendar(zone="UTC", weekdays=frozenset(range(5)), fills=True)

    def page_of(self, paper: Paper) -> PaperPage | None:
        """Where it is voted on and talked of: on the host of the list."""
        keys = (paper.key, *(f"{scheme}:{value}" for scheme, value in paper.ids))
        number = next((key.removeprefix("arxiv:") for key in keys if key.startswith("arxiv:")), "")
        if not number:
            return None
        host = urlsplit(self.url)
        return PaperPage("Hugging Face", f"{host.scheme}://{host.netloc}/papers/{quote(number)}")

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """The first page of a day, or of the first week or month of several; where it stopped, of several."""
        today = now.astimezone(UTC).date()
        asked = Request(section=ask.section, route=ask.route, url=self.url)
        if ask.route == VOTES:
            first = today - _YOUNG
            place = _Place(today=today, first=first, day=_list_day(first), until=today)
            return self._request(asked, place)
        first = ask.day or today
        before = _Place.read(cursor)
        if before is None or ask.until is None or (before.first, before.until) != (first, ask.until):
            before = _Place(today=today, first=first, day=first, until=ask.until or first)
        return self._request(asked, replace(before, today=today))

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of papers.
        """
        place = _Place.read(request.cursor)
        if place is None:
            raise SourceError(f"A request of {self.name} came back without its place: {request.cursor!r}.")
        rows = _rows(response)
        if request.route == VOTES:
            return self._votes(request, place, rows)
        by_day: dict[date, list[Listing]] = {}
        signals: list[Signal] = []
        read, unread = read_each(
            rows,
            partial(self._read_row, place.today),
            title=self.title,
            describe=self._describe,
        )
        for day, listing, counts in read:
            if place.wants(day):
                by_day.setdefault(day, []).append(listing)
                signals.extend(counts)
        place = replace(place, seen=place.seen | by_day.keys())
        further = place.next_page() if len(rows) >= LIMIT else place.next_piece()
        if further is None or further.day != place.day:
            by_day = {day: [] for day in place.days() if day not in place.seen} | by_day
        following = self._request(request, further) if further else None
        return Page(
            announced=tuple(Announced(day=day, listings=_once(by_day[day])) for day in sorted(by_day)),
            signals=tuple(signals),
            next=following,
            cursor=following.cursor if following and place.first != place.until else "",
            unread=tuple(unread),
        )

    def _votes(self, request: Request, place: _Place, rows: list[Any]) -> Page:
        """Numbers of the day on which they are asked for, and what else is known by now: code is often added later."""
        read, unread = read_each(
            rows,
            partial(self._read_row, place.today),
            title=self.title,
            describe=self._describe,
        )
        papers = {listing.paper.key: listing.paper for _, listing, _ in read}
        further = place.next_page() if len(rows) >= LIMIT else place.next_piece()
        return Page(
            records=tuple(papers.values()),
            signals=tuple(count for _, _, counts in read for count in counts),
            next=self._request(request, further) if further else None,
            unread=tuple(unread),
        )

    def _read_row(self, counted_on: date, row: object) -> tuple[date, Listing, list[Signal]] | None:
        """A row: its day, what it lists, and its numbers, which are those of the day on which they are asked for."""
        picked = _picked(row)
        if picked is None:
            return None
        day, listing = picked
        return day, listing, list(_signals(as_table(row), listing.paper.key, self.name, counted_on))

    def _describe(self, row: object) -> str:
        return f"A row of {self.title} has no day, title or arXiv id: {_told(row)}."

    def _request(self, asked: Request, place: _Place) -> Request:
        span, name, _ = place.piece()
        query = urlencode({span: name, "p": place.page, "limit": LIMIT})
        return replace(
            asked,
            url=f"{self.url}{'&' if '?' in self.url else '?'}{query}",
            day=place.day,
            accept="application/json",
            cursor=str(place),
        )


# --- pages ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """How far a series of pages is; as text it is ``TODAY/FIRST UNTIL DAY PAGE SEEN``.

    Attributes:
        today: the day on which it is asked for, UTC.
        first: the first day wanted, ``until`` the last one.
        day: the first one of the piece that is being asked for: a month, a week or a day.
        page: from 0.
        seen: the piece's days of which something came.
    """

    today: date
    first: date
    until: date
    day: date
    page: int = 0
    seen: frozenset[date] = frozenset()

    @classmethod
    def read(cls, cursor: str) -> _Place | None:
        """What was written; None if it is not ours."""
        try:
            begun, until, day, page, *seen = cursor.split()
            today, first = begun.split("/")
            return cls(
                today=date.fromisoformat(today),
                first=date.fromisoformat(first),
                until=date.fromisoformat(until),
                day=date.fromisoformat(day),
                page=int(page),
                seen=frozenset(map(date.fromisoformat, seen)),
            )
        except ValueError:
            return None

    def __str__(self) -> str:
        days = sorted(self.seen)
        return " ".join(map(str, (f"{self.today}/{self.first}", self.until, self.day, self.page, *days)))

    def piece(self) -> tuple[str, str, date]:
        """What to ask for, ``date``, ``week`` or ``month``, its name, and the last day wanted of it.

        A week is asked for if it has more than three of the days wanted, a month if it has more than a week.
        """
        month_end = (self.day.replace(day=28) + 4 * _DAY).replace(day=1) - _DAY
        week_end = self.day + (6 - self.day.weekday()) * _DAY
        month, week = min(month_end, self.until), min(week_end, self.until)
        if (month - self.day).days >= 7:
            return "month", f"{self.day:%Y-%m}", month
        if _weekdays(self.day, week) > 3:
            year, number, _ = self.day.isocalendar()
            return "week", f"{year}-W{number:02}", week
        return "date", self.day.isoformat(), self.day

    def days(self) -> Iterator[date]:
        """The days of the piece on which there may be a list, and the one asked for by itself."""
        _, _, last = self.piece()
        span = (last - self.day).days
        return (day for day in map(self._after, range(span + 1)) if day.weekday() < 5 or not span)

    def _after(self, days: int) -> date:
        return self.day + timedelta(days=days)

    def wants(self, day: date) -> bool:
        """Whether a row of this day is to be kept: a day asked for alone may be answered with an earlier one."""
        span, _, last = self.piece()
        first = self.day - _LONGEST_PAUSE if span == "date" else self.day
        return first <= day <= last

    def next_page(self) -> _Place:
        """The rest of this piece."""
        return replace(self, page=self.page + 1)

    def next_piece(self) -> _Place | None:
        """What follows this piece, None after the last."""
        _, _, last = self.piece()
        day = _list_day(last + _DAY)
        return replace(self, day=day, page=0, seen=frozenset()) if day <= self.until else None


def _list_day(day: date) -> date:
    """The first day from one on that has a list."""
    return day + (7 - day.weekday()) * _DAY if day.weekday() > 4 else day


def _weekdays(first: date, last: date) -> int:
    return sum((first + timedelta(days=day)).weekday() < 5 for day in range((last - first).days + 1))


# --- rows -----------------------------------------------------------------------------------------


def _rows(response: Response) -> list[Any]:
    """The rows of an answer.

    Raises:
        SourceError: it was refused, or is something else.
    """
    subject = "Hugging Face's list of papers"
    answer = answered(response, subject)
    if not isinstance(answer, list):
        raise SourceError(f"{subject} was expected, and something else came.")
    return answer


def _told(row: object) -> str:
    """A row for people, as far as it can be told apart."""
    paper = as_table(as_table(row).get("paper"))
    named = plain_line(str(paper.get("id") or paper.get("title") or ""))[:100]
    return repr(named) if named else "it has no name either"


def _picked(row: object) -> tuple[date, Listing] | None:
    """The day that a paper was put on and the paper, or None if one cannot be told."""
    outer = as_table(row)
    paper = as_table(outer.get("paper"))
    found = arxiv_id(as_line(paper.get("id")))
    day = as_day(paper.get("submittedOnDailyAt"))
    title = as_line(paper.get("title")) or as_line(outer.get("title"))
    if not (found and day and title):
        return None
    number = found[0]
    read = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=as_line(paper.get("summary")) or as_line(outer.get("summary")),
        authors=tuple(_authors(paper.get("authors"))),
        version=0,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        code_urls=_addresses(paper.get("githubRepo")),
        project_urls=_addresses(paper.get("projectPage")),
        organizations=_organizations(paper.get("organization") or outer.get("organization")),
    )
    return day, Listing(
        kind=ListingKind.PICKED,
        paper=read,
        submitter=_submitter(paper.get("submittedOnDailyBy") or outer.get("submittedBy")),
    )


def _authors(written: object) -> Iterator[Author]:
    """The byline. A hidden author is on it: what is hidden is that it is on their profile, so no id is told."""
    for entry in map(as_table, as_rows(written)):
        if name := as_line(entry.get("name")):
            user = as_line(as_table(entry.get("user")).get("user"))
            verified = as_line(entry.get("status")) in _VERIFIED and not entry.get("hidden")
            yield Author(name, ids=(("hf", user),) if user and verified else ())


def _submitter(written: object) -> Submitter | None:
    """The account that put the paper on the list."""
    account = as_table(written)
    user = as_line(account.get("user")) or as_line(account.get("name"))
    return Submitter(as_line(account.get("fullname")) or user, ("hf", user)) if user else None


def _organizations(written: object) -> tuple[str, ...]:
    organization = as_table(written)
    name = as_line(organization.get("fullname")) or as_line(organization.get("name"))
    return (name,) if name else ()


def _addresses(written: object) -> tuple[str, ...]:
    address = web_address(written)
    return (address,) if address else ()


def _signals(row: Mapping[str, Any], key: PaperKey, source: str, day: date) -> Iterator[Signal]:
    paper = as_table(row.get("paper"))
    counts = {
        "votes": paper.get("upvotes"),
        "comments": row.get("numComments"),
        "stars": paper.get("githubStars"),
    }
    return counted(counts, subject=key, source=source, day=day)


def _once(listings: list[Listing]) -> tuple[Listing, ...]:
    """Each paper once: pages shift while papers come in."""
    return tuple({listing.paper.key: listing for listing in listings}.values())
