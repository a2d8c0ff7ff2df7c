"""Hugging Face Daily Papers: papers that its users submit and vote on, mostly from arXiv.

    [[source]]
    use = "hf_daily"

https://huggingface.co/docs/hub/api#daily-papers; the fields of a row are those of recorded responses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from digest import ports
from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import (
    make_signals,
    parse_answer,
    to_day,
    to_line,
    to_rows,
    to_table,
)
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.ids import parse_arxiv_id
from digest.core.text.cleaning import normalize_line
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
from digest.ports import AnnouncedDay, Page, Request, Response

PAGE_SIZE = 100
"""Number of rows on a page, the maximum of the API."""
DAILY, VOTES = "daily", "votes"
_DAY = timedelta(days=1)
_VOTING_PERIOD = timedelta(days=6)
"""Time after its day for which the numbers of a paper are updated; later they hardly change."""
_MAX_GAP = timedelta(days=31)
"""Maximum age of a list that the API returns for a day without one; an older row has a wrong date."""
_VERIFIED_STATUSES = {"claimed_verified", "admin_assigned"}
"""Statuses of authors whose identity was verified by mail, or by an administrator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """Hugging Face's daily papers.

    Attributes:
        url: the address of the list.
        max_bytes: maximum size of a response, in bytes; a hundred papers take about 600 kB.
    """

    url: str = "https://huggingface.co/api/daily_papers"
    name: str = "hf_daily"
    max_bytes: int = 10_000_000

    @property
    def title(self) -> str:
        """The name for readers."""
        return "Hugging Face Daily Papers"

    @property
    def has_votes(self) -> bool:
        """Return True: each row has the number of votes."""
        return True

    @property
    def sections(self) -> tuple[str, ...]:
        """A single section: the daily list."""
        return ("daily",)

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """The papers of any day, and the current numbers of the papers of the last week, once a day."""
        return (
            Route(name=DAILY, scope=Scope.DAY, keeps=None, spans=True),
            Route(name=VOTES, scope=Scope.RECORDS, weekdays=frozenset(range(7))),
        )

    @property
    def calendar(self) -> Calendar:
        """Monday to Friday, UTC; papers and votes are added until the day ends."""
        return Calendar(zone="UTC", weekdays=frozenset(range(5)), fills=True)

    def find_paper_page(self, paper: Paper) -> PaperPage | None:
        """Return the page for votes and comments on a paper; it is on the same host as the list."""
        keys = (paper.key, *(f"{scheme}:{value}" for scheme, value in paper.ids))
        number = next((key.removeprefix("arxiv:") for key in keys if key.startswith("arxiv:")), "")
        if not number:
            return None
        host = urlsplit(self.url)
        return PaperPage("Hugging Face", f"{host.scheme}://{host.netloc}/papers/{quote(number)}")

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Return the request for the first page, or for the page at which a request for several days stopped."""
        today = now.astimezone(UTC).date()
        request = Request(section=ask.section, route=ask.route, url=self.url)
        if ask.route == VOTES:
            first = today - _VOTING_PERIOD
            progress = _DailyProgress(
                today=today, first=first, period_start=_find_list_day(first), until=today
            )
            return self._build_request(request, progress)
        first = ask.day or today
        previous = _DailyProgress.parse(cursor)
        if previous is None or ask.until is None or (previous.first, previous.until) != (first, ask.until):
            previous = _DailyProgress(today=today, first=first, period_start=first, until=ask.until or first)
        return self._build_request(request, replace(previous, today=today))

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list of papers.
        """
        progress = _DailyProgress.parse(request.cursor)
        if progress is None:
            raise SourceError(f"A request of {self.name} came back without its position: {request.cursor!r}.")
        rows = _read_rows(response)
        if request.route == VOTES:
            return self._read_votes(request, progress, rows)
        by_day: dict[date, list[Listing]] = {}
        signals: list[Signal] = []
        parsed_rows, unread = read_each(
            rows,
            partial(self._read_row, progress.today),
            title=self.title,
            describe=self._describe_unread,
        )
        for day, listing, row_signals in parsed_rows:
            if progress.has_day(day):
                by_day.setdefault(day, []).append(listing)
                signals.extend(row_signals)
        progress = replace(progress, days_found=progress.days_found | by_day.keys())
        next_progress = progress.get_next_page() if len(rows) >= PAGE_SIZE else progress.get_next_period()
        if next_progress is None or next_progress.period_start != progress.period_start:
            by_day = {day: [] for day in progress.list_days() if day not in progress.days_found} | by_day
        next_request = self._build_request(request, next_progress) if next_progress else None
        return Page(
            announced=tuple(
                AnnouncedDay(day=day, listings=_drop_duplicates(by_day[day])) for day in sorted(by_day)
            ),
            signals=tuple(signals),
            next=next_request,
            cursor=next_request.cursor if next_request and progress.first != progress.until else "",
            unread=tuple(unread),
        )

    def _read_votes(self, request: Request, progress: _DailyProgress, rows: list[Any]) -> Page:
        """Parse a page of the route ``votes``: current numbers, and links to code that were added later."""
        parsed_rows, unread = read_each(
            rows,
            partial(self._read_row, progress.today),
            title=self.title,
            describe=self._describe_unread,
        )
        papers = {listing.paper.key: listing.paper for _, listing, _ in parsed_rows}
        next_progress = progress.get_next_page() if len(rows) >= PAGE_SIZE else progress.get_next_period()
        return Page(
            records=tuple(papers.values()),
            signals=tuple(signal for _, _, row_signals in parsed_rows for signal in row_signals),
            next=self._build_request(request, next_progress) if next_progress else None,
            unread=tuple(unread),
        )

    def _read_row(self, counting_day: date, row: object) -> tuple[date, Listing, list[Signal]] | None:
        """Parse a row: its day, its listing, and its numbers, which belong to the day of the request."""
        dated_listing = _read_listing(row)
        if dated_listing is None:
            return None
        day, listing = dated_listing
        return day, listing, list(_read_signals(to_table(row), listing.paper.key, self.name, counting_day))

    def _describe_unread(self, row: object) -> str:
        return f"A row of {self.title} has no day, title or arXiv id: {_describe_row(row)}."

    def _build_request(self, request: Request, progress: _DailyProgress) -> Request:
        period_kind, period_name, _ = progress.get_period()
        query = urlencode({period_kind: period_name, "p": progress.page, "limit": PAGE_SIZE})
        return replace(
            request,
            url=f"{self.url}{'&' if '?' in self.url else '?'}{query}",
            day=progress.period_start,
            accept="application/json",
            cursor=str(progress),
        )


# --- pages ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _DailyProgress:
    """The progress of a series of pages, written as ``TODAY/FIRST UNTIL START PAGE FOUND…``.

    Attributes:
        today: the day of the request, UTC.
        first: the first requested day.
        until: the last requested day.
        period_start: the first day of the current period, which is a month, a week or a day.
        page: the number of the page, from 0.
        days_found: the days of the period that had papers.
    """

    today: date
    first: date
    until: date
    period_start: date
    page: int = 0
    days_found: frozenset[date] = frozenset()

    @classmethod
    def parse(cls, cursor: str) -> _DailyProgress | None:
        """Parse a cursor; return None if it is invalid."""
        try:
            start_text, until, period_start, page, *days_found = cursor.split()
            today, first = start_text.split("/")
            return cls(
                today=date.fromisoformat(today),
                first=date.fromisoformat(first),
                until=date.fromisoformat(until),
                period_start=date.fromisoformat(period_start),
                page=int(page),
                days_found=frozenset(map(date.fromisoformat, days_found)),
            )
        except ValueError:
            return None

    def __str__(self) -> str:
        days = sorted(self.days_found)
        return " ".join(
            map(str, (f"{self.today}/{self.first}", self.until, self.period_start, self.page, *days))
        )

    def get_period(self) -> tuple[str, str, date]:
        """Return the query parameter (``date``, ``week`` or ``month``), its value, and the last day needed.

        A month is requested if it contains more than a week of the requested days, a week if it contains more
        than three of them.
        """
        month_end = (self.period_start.replace(day=28) + 4 * _DAY).replace(day=1) - _DAY
        week_end = self.period_start + (6 - self.period_start.weekday()) * _DAY
        month_last, week_last = min(month_end, self.until), min(week_end, self.until)
        if (month_last - self.period_start).days >= 7:
            return "month", f"{self.period_start:%Y-%m}", month_last
        if _count_weekdays(self.period_start, week_last) > 3:
            year, week_number, _ = self.period_start.isocalendar()
            return "week", f"{year}-W{week_number:02}", week_last
        return "date", self.period_start.isoformat(), self.period_start

    def list_days(self) -> Iterator[date]:
        """Return the weekdays of the period; a period of one day includes that day in any case."""
        _, _, last = self.get_period()
        length = (last - self.period_start).days
        return (day for day in map(self._add_days, range(length + 1)) if day.weekday() < 5 or not length)

    def _add_days(self, days: int) -> date:
        return self.period_start + timedelta(days=days)

    def has_day(self, day: date) -> bool:
        """Return True if rows of a day are used; the request for a single day may return an earlier list."""
        period_kind, _, last = self.get_period()
        first = self.period_start - _MAX_GAP if period_kind == "date" else self.period_start
        return first <= day <= last

    def get_next_page(self) -> _DailyProgress:
        """Return the progress for the next page of this period."""
        return replace(self, page=self.page + 1)

    def get_next_period(self) -> _DailyProgress | None:
        """Return the progress for the next period; None after the last one."""
        _, _, last = self.get_period()
        period_start = _find_list_day(last + _DAY)
        return (
            replace(self, period_start=period_start, page=0, days_found=frozenset())
            if period_start <= self.until
            else None
        )


def _find_list_day(day: date) -> date:
    """Return the first day, from the given one on, that can have a list."""
    return day + (7 - day.weekday()) * _DAY if day.weekday() > 4 else day


def _count_weekdays(first: date, last: date) -> int:
    return sum((first + timedelta(days=day)).weekday() < 5 for day in range((last - first).days + 1))


# --- rows -----------------------------------------------------------------------------------------


def _read_rows(response: Response) -> list[Any]:
    """Return the rows of a response.

    Raises:
        SourceError: the request was refused, or the response is something else.
    """
    subject = "Hugging Face's list of papers"
    answer = parse_answer(response, subject)
    if not isinstance(answer, list):
        raise SourceError(f"{subject} was expected, but something else arrived.")
    return answer


def _describe_row(row: object) -> str:
    """Return a description of a row for messages."""
    paper = to_table(to_table(row).get("paper"))
    label = normalize_line(str(paper.get("id") or paper.get("title") or ""))[:100]
    return repr(label) if label else "it has no name either"


def _read_listing(row: object) -> tuple[date, Listing] | None:
    """Return the day of a row and its listing, or None if ID, day or title is missing."""
    outer = to_table(row)
    paper_table = to_table(outer.get("paper"))
    id_match = parse_arxiv_id(to_line(paper_table.get("id")))
    day = to_day(paper_table.get("submittedOnDailyAt"))
    title = to_line(paper_table.get("title")) or to_line(outer.get("title"))
    if not (id_match and day and title):
        return None
    number = id_match[0]
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=to_line(paper_table.get("summary")) or to_line(outer.get("summary")),
        authors=tuple(_read_authors(paper_table.get("authors"))),
        version=0,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        code_urls=_read_addresses(paper_table.get("githubRepo")),
        project_urls=_read_addresses(paper_table.get("projectPage")),
        organizations=_read_organizations(paper_table.get("organization") or outer.get("organization")),
    )
    return day, Listing(
        kind=ListingKind.PICKED,
        paper=paper,
        submitter=_read_submitter(paper_table.get("submittedOnDailyBy") or outer.get("submittedBy")),
    )


def _read_authors(raw: object) -> Iterator[Author]:
    """Yield the authors.

    A hidden author is included, because only the link to the profile is hidden; the ID is then omitted.
    """
    for entry in map(to_table, to_rows(raw)):
        if name := to_line(entry.get("name")):
            user = to_line(to_table(entry.get("user")).get("user"))
            is_verified = to_line(entry.get("status")) in _VERIFIED_STATUSES and not entry.get("hidden")
            yield Author(name, ids=(("hf", user),) if user and is_verified else ())


def _read_submitter(raw: object) -> Submitter | None:
    """Return the account that submitted the paper."""
    account = to_table(raw)
    user = to_line(account.get("user")) or to_line(account.get("name"))
    return Submitter(to_line(account.get("fullname")) or user, ("hf", user)) if user else None


def _read_organizations(raw: object) -> tuple[str, ...]:
    organization = to_table(raw)
    name = to_line(organization.get("fullname")) or to_line(organization.get("name"))
    return (name,) if name else ()


def _read_addresses(raw: object) -> tuple[str, ...]:
    address = resolve_web_address(raw)
    return (address,) if address else ()


def _read_signals(row: Mapping[str, Any], key: PaperKey, source: str, day: date) -> Iterator[Signal]:
    paper = to_table(row.get("paper"))
    counts = {
        "votes": paper.get("upvotes"),
        "comments": row.get("numComments"),
        "stars": paper.get("githubStars"),
    }
    return make_signals(counts, subject=key, source=source, day=day)


def _drop_duplicates(listings: list[Listing]) -> tuple[Listing, ...]:
    """Return each paper once; pages shift while papers are added."""
    return tuple({listing.paper.key: listing for listing in listings}.values())
