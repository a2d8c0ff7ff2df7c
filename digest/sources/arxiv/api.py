"""arXiv's search API: the papers of a section by the time of their submission, as Atom.

Described at https://info.arxiv.org/help/api/user-manual.html. A search gives 2,000 papers a page at most and
10,000 in all, so a longer time is searched in slices: a new one begins with the last submission seen. Papers
are found when they are announced, some of them weeks after they were submitted: each search goes back behind
the last one. A paper is found by its first version and shown as its latest.

What is remembered from page to page is a cursor: up to when submissions are covered, and how far the search
under way is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.fetching.formats.strict_xml import AGAIN, Entry, Form, read_entries
from digest.core.papers.categories import CATEGORIES
from digest.core.text.cleaning import plain_line
from digest.errors import SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, PaperKey
from digest.ports import Announced, Page, Request, Response
from digest.sources.arxiv.cursor import Cursor, read_cursor
from digest.sources.arxiv.fields import categories, first_doi, id_and_version, kind_in, line, names, text

ACCEPT = "application/atom+xml, application/xml;q=0.9, */*;q=0.8"
PER_PAGE = 1000
SLICE = 10_000
"""The most papers that one search gives, however it is paged."""
FIRST = timedelta(days=3)
"""The first search begins so long before yesterday: what is announced on a Monday came in from Thursday on."""
OVERLAP = timedelta(days=14)
"""
All others begin so long before the last submission found: moderators hold papers back. Of 19,288 papers in the
listings of 2025 and 2026 1.6 % came more than 3 days late, 0.7 % more than 7, and 0.5 % more than 14.
"""
_NEW_YORK = ZoneInfo("America/New_York")
_CLOSES = time(14)
_COUNT = re.compile(r"\d{1,12}", re.ASCII)


def announcement_day(submitted: datetime) -> date:
    """The day on which arXiv announces what was submitted then, holidays and moderation apart.

    Submissions close at 14:00 in New York from Monday to Friday and are announced at 20:00, those of a Friday
    on Sunday; the announcement has the date of the day after (https://info.arxiv.org/help/availability.html).

    Args:
        submitted: an aware time.
    """
    local = submitted.astimezone(_NEW_YORK)
    closes = local.date() + timedelta(days=local.time() >= _CLOSES)
    while closes.weekday() > 4:
        closes += timedelta(days=1)
    return closes + timedelta(days=3 if closes.weekday() == 4 else 1)


# --- what is remembered ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """A search under way; times are ISO 8601, UTC.

    Attributes:
        since: the first submission wanted.
        until: the last one.
        slice: where the slice begins; ``since`` at first.
        start: how many papers of the slice have come.
        last: the last submission that came; "" before any did.
        retried: the page came empty once.
    """

    since: str
    until: str
    slice: str
    start: int = 0
    last: str = ""
    retried: bool = False


# --- asking ---------------------------------------------------------------------------------------


def api_request(base: str, ask: Ask, cursor: str, now: datetime, bucket: str) -> Request:
    """What to ask for next.

    Args:
        base: the address of the API.
        ask: with a day, what was submitted from there on (up to the end of ``until``), UTC; without one, what
            is new since the last search, the first of which begins three days before yesterday.
        cursor: what the last page left.
        now: the time.
        bucket: what shares one pace.
    """
    kept = replace(read_cursor(cursor, _Search), by_day=ask.day is not None)
    wanted = _wanted(ask, kept, now)
    search = kept.active
    if search is None or (kept.by_day and (search.since, search.until) != (wanted.since, wanted.until)):
        search = wanted
    request = Request(
        section=ask.section, route=ask.route, url=base, day=ask.day, accept=ACCEPT, bucket=bucket
    )
    return _asking(request, kept.going_on(search), search)


def _wanted(ask: Ask, kept: Cursor[_Search], now: datetime) -> _Search:
    now = now.astimezone(UTC)
    if ask.day is None:
        if kept.done:
            return _search(datetime.fromisoformat(kept.done) - OVERLAP, now)
        return _search(_midnight(now.date() - timedelta(days=1)) - FIRST, now)
    return _search(_midnight(ask.day), _midnight((ask.until or now.date()) + timedelta(days=1)))


def _search(since: datetime, until: datetime) -> _Search:
    return _Search(since=since.isoformat(), until=until.isoformat(), slice=since.isoformat())


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _asking(request: Request, cursor: Cursor[_Search], search: _Search) -> Request:
    """The request for a search's next page.

    After an empty page half of one is asked for: that is another address, which no cache has empty.
    """
    times = " TO ".join(f"{datetime.fromisoformat(one):%Y%m%d%H%M}" for one in (search.slice, search.until))
    query = {
        "search_query": f"{_subjects(request.section)} AND submittedDate:[{times}]",
        "sortBy": "submittedDate",
        "sortOrder": "ascending",
        "start": search.start,
        "max_results": min(PER_PAGE // 2 if search.retried else PER_PAGE, SLICE - search.start),
    }
    url = f"{request.url.partition('?')[0]}?{urlencode(query)}"
    return replace(request, url=url, cursor=cursor.text)


def _subjects(section: str) -> str:
    """The query for a section: a category by all its names, an archive by its categories and itself."""
    lines = [line.partition(":")[0] for line in CATEGORIES.splitlines()]
    names = [
        alias for alias, _, meant in (line.partition(" = ") for line in lines) if section in {alias, meant}
    ]
    if any(line.startswith(f"{section}.") for line in lines):
        names = [*names[:1], f"{section}.*"]
    query = " OR ".join(f"cat:{name}" for name in names)
    return f"({query})" if len(names) > 1 else query


# --- reading --------------------------------------------------------------------------------------

_FORM = Form(
    noun="feed",
    roots=frozenset({"feed"}),
    entry="entry",
    parts=frozenset({"author", "name", "affiliation"}),
    foot=frozenset({"totalResults", "startIndex", "itemsPerPage"}),
    attributes=frozenset({"term"}),
)


def read_api(request: Request, response: Response, *, announce: bool) -> Page:
    """Read a page of papers.

    Args:
        request: what was asked; its cursor says which search it belongs to.
        response: what came.
        announce: no other route tells what is announced: then these do, by the times of their submission.

    Raises:
        SourceError: the answer says no, breaks off, or is no page of arXiv's search.
    """
    subject = f"arXiv's search for {request.section}"
    if response.status != 200:
        raise SourceError(_refusal(subject, response))
    head, entries = read_entries(response.body, _FORM, subject=subject)
    if reason := _error(entries):
        raise SourceError(f"{subject} was refused: {reason}.")
    written = head.get("totalResults", "").strip()
    if not _COUNT.fullmatch(written):
        raise SourceError(f"{subject} does not say how many papers it found: it is not arXiv's.")
    page = _page(subject, entries, request.section, announce=announce)
    return _continued(subject, request, page, entries, total=int(written))


def _refusal(subject: str, response: Response) -> str:
    """What an answer that says no says: arXiv puts its reason into a feed with one entry."""
    try:
        reason = _error(read_entries(response.body, _FORM, subject=subject)[1])
    except SourceError:
        reason = ""
    return f"{subject} was refused (HTTP {response.status}){f': {reason}' if reason else ''}."


def _error(entries: list[Entry]) -> str:
    """The reason in the one entry that is an error; "" if there is none."""
    for entry in entries[:1]:
        if entry.fields.get("title", "").strip() == "Error" and "/api/errors" in entry.fields.get("id", ""):
            return plain_line(entry.fields.get("summary", ""))[:500].rstrip(".") or "no reason was given"
    return ""


def _continued(subject: str, request: Request, page: Page, entries: list[Entry], *, total: int) -> Page:
    """The page with what comes next and what is to be remembered."""
    cursor = read_cursor(request.cursor, _Search)
    search = cursor.active
    if search is None:
        return page
    came = search.start + len(entries)
    if not entries and came < total:
        if search.retried:
            raise SourceError(
                f"{subject} gave an empty page twice after {came:,} of {total:,} papers; it goes on there later."
            )
        search = replace(search, retried=True)
    elif came >= total:
        cursor = cursor.going_on(None)
        if not cursor.by_day:
            # What came in after the last one found may not be announced yet.
            last = max(cursor.done, search.since, search.last, _last_submission(entries))
            cursor = replace(cursor, done=last)
        return replace(page, cursor=cursor.text)
    else:
        search = replace(search, start=came, last=max(search.last, _last_submission(entries)), retried=False)
    if search.start >= SLICE:
        if search.last[:16] <= search.slice[:16]:
            raise SourceError(f"{subject} has {total:,} papers of one minute, more than it gives out.")
        search = replace(search, slice=search.last, start=0)
    cursor = cursor.going_on(search)
    return replace(page, next=_asking(request, cursor, search), cursor=cursor.text)


def _last_submission(entries: list[Entry]) -> str:
    """When the last of the papers was submitted, ISO 8601, UTC; "" if none tells. arXiv writes all times alike."""
    written = {entry.fields.get("published", "").strip() for entry in entries}
    found = (_instant(one) for one in sorted(written, reverse=True))
    return next((instant.isoformat() for instant in found if instant), "")


def _instant(written: str) -> datetime | None:
    try:
        instant = datetime.fromisoformat(written.strip())
        instant = instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return instant if is_plausible(instant.date()) else None


# --- entries --------------------------------------------------------------------------------------


def _page(subject: str, entries: list[Entry], section: str, *, announce: bool) -> Page:
    """The papers of a page, told by day if they are announcements."""
    read, unread = read_each(entries, lambda entry: (entry, _paper(entry)), title="arXiv")
    unread += [told for _, told in read if isinstance(told, str)]
    papers = [(entry, paper) for entry, paper in read if isinstance(paper, Paper)]
    if entries and not any("arxiv.org/abs/" in entry.fields.get("id", "") for entry in entries):
        raise SourceError(f"{subject} found nothing that is arXiv's: {unread[0]}.")
    if not announce:
        return Page(records=tuple([paper for _, paper in papers]), unread=tuple(unread))
    listed: dict[date, list[Listing]] = {}
    others = []
    for entry, paper in papers:
        told = _announced(entry, paper, section)
        others += [] if told else [paper]
        for day, kind in told:
            listed.setdefault(day, []).append(Listing(kind=kind, paper=paper))
    days = [Announced(day=day, listings=tuple(listings)) for day, listings in sorted(listed.items())]
    return Page(announced=tuple(days), records=tuple(others), unread=tuple(unread))


def _announced(entry: Entry, paper: Paper, section: str) -> list[tuple[date, ListingKind]]:
    """When and how a paper was announced: its first version, and its latest if that is another."""
    submitted, updated = (_instant(entry.fields.get(name, "")) for name in ("published", "updated"))
    told = []
    if submitted:
        told.append((announcement_day(submitted), kind_in(replace(paper, version=1), section)))
    if updated and paper.version > 1:
        told.append((announcement_day(updated), kind_in(paper, section)))
    return told


def _paper(entry: Entry) -> Paper | str:
    """The paper of an entry, or what keeps it from being read."""
    fields = entry.fields
    found = id_and_version(fields.get("id", ""))
    if not found:
        return f"an entry without an arXiv id ({fields.get('id', '').strip()[:100] or 'and without any'})"
    number, version = found
    title = line(fields.get("title", ""))
    if not title:
        return f"{number}, an entry without a title"
    terms = f"{fields.get('primary_category@term', '')}{AGAIN}{fields.get('category@term', '')}"
    return Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=text(fields.get("summary", "")),
        authors=_authors(entry.parts),
        categories=categories(terms.replace(AGAIN, "\n")),
        version=version or 0,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=first_doi(fields.get("doi", "")),
        journal_ref=line(fields.get("journal_ref", "")),
        comment=line(fields.get("comment", "")),
    )


def _authors(parts: list[tuple[str, str]]) -> tuple[Author, ...]:
    told = names([written for part, written in parts if part == "name"])
    if "affiliation" not in dict(parts):
        return tuple(map(Author, filter(None, told)))
    places: list[list[str]] = []
    for part, written in parts:
        if part == "name":
            places.append([])
        elif part == "affiliation" and places:
            places[-1].append(line(written))
    affiliated = zip(told, places, strict=True)
    return tuple([Author(name, tuple(filter(None, where))) for name, where in affiliated if name])
