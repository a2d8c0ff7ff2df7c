"""arXiv's search API: the papers of a section by submission time, as Atom.

It is described at https://info.arxiv.org/help/api/user-manual.html. A search returns at most 2,000 papers a
page and 10,000 in total, so a longer period is searched in slices: a new one begins with the last submission
of the previous one. Papers can be found when they are announced, some of them weeks after their submission,
so each search overlaps with the previous one. A paper is found by its first version and shown in its latest.

The cursor contains up to when submissions are covered, and the progress of the current search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.fetching.formats.strict_xml import TEXT_SEPARATOR, EntryFormat, XmlEntry, read_entries
from digest.core.papers.categories import CATEGORIES
from digest.core.text.cleaning import normalize_line
from digest.errors import SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, PaperKey
from digest.ports import AnnouncedDay, Page, Request, Response
from digest.sources.arxiv.cursor import Cursor, read_cursor
from digest.sources.arxiv.fields import (
    clean_line,
    clean_names,
    clean_text,
    find_first_doi,
    get_listing_kind,
    parse_categories,
    parse_id_and_version,
)

ACCEPT = "application/atom+xml, application/xml;q=0.9, */*;q=0.8"
PAGE_SIZE = 1000
MAX_RESULTS = 10_000
"""Maximum number of papers that one search returns, on all pages together."""
FIRST_LOOKBACK = timedelta(days=3)
"""Time before yesterday at which the first search begins; a Monday's announcement has submissions since Thursday."""
OVERLAP = timedelta(days=14)
"""Time by which searches overlap, because moderators hold papers back.

Of 19,288 papers in the listings of 2025 and 2026, 1.6 % were announced more than 3 days late, 0.7 % more than
7, and 0.5 % more than 14.
"""
_NEW_YORK = ZoneInfo("America/New_York")
_SUBMISSION_DEADLINE = time(14)
_COUNT = re.compile(r"\d{1,12}", re.ASCII)


def compute_announcement_day(submitted: datetime) -> date:
    """Return the day on which arXiv announces a submission, apart from holidays and moderation.

    Submissions close at 14:00 in New York from Monday to Friday and are announced at 20:00, those of a Friday
    on Sunday; the date of the announcement is the day after (https://info.arxiv.org/help/availability.html).

    Args:
        submitted: an aware datetime.
    """
    local_time = submitted.astimezone(_NEW_YORK)
    closing_day = local_time.date() + timedelta(days=local_time.time() >= _SUBMISSION_DEADLINE)
    while closing_day.weekday() > 4:
        closing_day += timedelta(days=1)
    return closing_day + timedelta(days=3 if closing_day.weekday() == 4 else 1)


# --- progress -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """The progress of a search; times are ISO 8601, UTC.

    Attributes:
        since: the first requested submission time.
        until: the last requested submission time.
        slice: the beginning of the slice; ``since`` at first.
        start: number of papers of the slice that were received.
        last: the last submission time received; "" before the first.
        retried: whether the page was empty once.
    """

    since: str
    until: str
    slice: str
    start: int = 0
    last: str = ""
    retried: bool = False


# --- requests -------------------------------------------------------------------------------------


def build_api_request(base: str, ask: Ask, cursor: str, now: datetime, bucket: str) -> Request:
    """Return the next request.

    Args:
        base: the address of the API.
        ask: with a day, the papers submitted since then (up to the end of ``until``), UTC; without one, those
            submitted since the last search. The first search begins three days before yesterday.
        cursor: the cursor of the last page.
        now: the current time.
        bucket: the bucket for rate limits.
    """
    state = replace(read_cursor(cursor, _Search), by_day=ask.day is not None)
    planned_search = _plan_search(ask, state, now)
    search = state.active
    if search is None or (
        state.by_day and (search.since, search.until) != (planned_search.since, planned_search.until)
    ):
        search = planned_search
    request = Request(
        section=ask.section, route=ask.route, url=base, day=ask.day, accept=ACCEPT, bucket=bucket
    )
    return _build_page_request(request, state.replace_progress(search), search)


def _plan_search(ask: Ask, state: Cursor[_Search], now: datetime) -> _Search:
    now = now.astimezone(UTC)
    if ask.day is None:
        if state.done:
            return _make_search(datetime.fromisoformat(state.done) - OVERLAP, now)
        return _make_search(_to_midnight(now.date() - timedelta(days=1)) - FIRST_LOOKBACK, now)
    return _make_search(_to_midnight(ask.day), _to_midnight((ask.until or now.date()) + timedelta(days=1)))


def _make_search(since: datetime, until: datetime) -> _Search:
    return _Search(since=since.isoformat(), until=until.isoformat(), slice=since.isoformat())


def _to_midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _build_page_request(request: Request, cursor: Cursor[_Search], search: _Search) -> Request:
    """Return the request for a search's next page.

    After an empty page, half a page is requested: the address differs, so no cache returns the empty page
    again.
    """
    times = " TO ".join(
        f"{datetime.fromisoformat(instant):%Y%m%d%H%M}" for instant in (search.slice, search.until)
    )
    query = {
        "search_query": f"{_build_category_query(request.section)} AND submittedDate:[{times}]",
        "sortBy": "submittedDate",
        "sortOrder": "ascending",
        "start": search.start,
        "max_results": min(PAGE_SIZE // 2 if search.retried else PAGE_SIZE, MAX_RESULTS - search.start),
    }
    url = f"{request.url.partition('?')[0]}?{urlencode(query)}"
    return replace(request, url=url, cursor=cursor.text)


def _build_category_query(section: str) -> str:
    """Return the query for a section: all IDs of a category, or an archive and its categories."""
    lines = [line.partition(":")[0] for line in CATEGORIES.splitlines()]
    names = [
        alias
        for alias, _, canonical_name in (line.partition(" = ") for line in lines)
        if section in {alias, canonical_name}
    ]
    if any(line.startswith(f"{section}.") for line in lines):
        names = [*names[:1], f"{section}.*"]
    query = " OR ".join(f"cat:{name}" for name in names)
    return f"({query})" if len(names) > 1 else query


# --- responses ------------------------------------------------------------------------------------

_FORM = EntryFormat(
    noun="feed",
    roots=frozenset({"feed"}),
    entry="entry",
    parts=frozenset({"author", "name", "affiliation"}),
    footer=frozenset({"totalResults", "startIndex", "itemsPerPage"}),
    attributes=frozenset({"term"}),
)


def read_api(request: Request, response: Response, *, announce: bool) -> Page:
    """Parse a page of papers.

    Args:
        request: the request; its cursor contains the search.
        response: the response.
        announce: whether no other route has announcements, so that these are derived from submission times.

    Raises:
        SourceError: the request was refused, or the response is truncated or no page of arXiv's search.
    """
    subject = f"arXiv's search for {request.section}"
    if response.status != 200:
        raise SourceError(_describe_refusal(subject, response))
    head, entries = read_entries(response.body, _FORM, subject=subject)
    if reason := _find_error(entries):
        raise SourceError(f"{subject} was refused: {reason}.")
    total_text = head.get("totalResults", "").strip()
    if not _COUNT.fullmatch(total_text):
        raise SourceError(f"{subject} does not say how many papers it found, so it is not arXiv's.")
    page = _read_page(subject, entries, request.section, announce=announce)
    return _continue_search(subject, request, page, entries, total=int(total_text))


def _describe_refusal(subject: str, response: Response) -> str:
    """Return a message about a refusal; arXiv puts its reason into a feed with one entry."""
    try:
        reason = _find_error(read_entries(response.body, _FORM, subject=subject)[1])
    except SourceError:
        reason = ""
    return f"{subject} was refused (HTTP {response.status}){f': {reason}' if reason else ''}."


def _find_error(entries: list[XmlEntry]) -> str:
    """Return the reason in an entry that is an error; "" if there is none."""
    for entry in entries[:1]:
        if entry.fields.get("title", "").strip() == "Error" and "/api/errors" in entry.fields.get("id", ""):
            return normalize_line(entry.fields.get("summary", ""))[:500].rstrip(".") or "no reason was given"
    return ""


def _continue_search(
    subject: str, request: Request, page: Page, entries: list[XmlEntry], *, total: int
) -> Page:
    """Return the page with the next request and the cursor."""
    cursor = read_cursor(request.cursor, _Search)
    search = cursor.active
    if search is None:
        return page
    received_count = search.start + len(entries)
    if not entries and received_count < total:
        if search.retried:
            raise SourceError(
                f"{subject} gave an empty page twice after {received_count:,} of {total:,} papers; a later request continues there."
            )
        search = replace(search, retried=True)
    elif received_count >= total:
        cursor = cursor.replace_progress(None)
        if not cursor.by_day:
            # Papers submitted after the last one found may not be announced yet.
            last = max(cursor.done, search.since, search.last, _find_last_submission(entries))
            cursor = replace(cursor, done=last)
        return replace(page, cursor=cursor.text)
    else:
        search = replace(
            search, start=received_count, last=max(search.last, _find_last_submission(entries)), retried=False
        )
    if search.start >= MAX_RESULTS:
        if search.last[:16] <= search.slice[:16]:
            raise SourceError(f"{subject} has {total:,} papers of one minute, more than it returns.")
        search = replace(search, slice=search.last, start=0)
    cursor = cursor.replace_progress(search)
    return replace(page, next=_build_page_request(request, cursor, search), cursor=cursor.text)


def _find_last_submission(entries: list[XmlEntry]) -> str:
    """Return the latest submission time of the papers, ISO 8601, UTC, or "".

    Times can be sorted as texts, because arXiv writes all in the same form.
    """
    texts = {entry.fields.get("published", "").strip() for entry in entries}
    instants = (_parse_instant(text) for text in sorted(texts, reverse=True))
    return next((instant.isoformat() for instant in instants if instant), "")


def _parse_instant(text: str) -> datetime | None:
    try:
        instant = datetime.fromisoformat(text.strip())
        instant = instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return instant if is_plausible(instant.date()) else None


# --- entries --------------------------------------------------------------------------------------


def _read_page(subject: str, entries: list[XmlEntry], section: str, *, announce: bool) -> Page:
    """Return the papers of a page, by day if they are announcements."""
    parsed_entries, unread = read_each(entries, lambda entry: (entry, _read_paper(entry)), title="arXiv")
    unread += [outcome for _, outcome in parsed_entries if isinstance(outcome, str)]
    papers = [(entry, paper) for entry, paper in parsed_entries if isinstance(paper, Paper)]
    if entries and not any("arxiv.org/abs/" in entry.fields.get("id", "") for entry in entries):
        raise SourceError(f"{subject} contains nothing from arXiv: {unread[0]}.")
    if not announce:
        return Page(records=tuple([paper for _, paper in papers]), unread=tuple(unread))
    listings_by_day: dict[date, list[Listing]] = {}
    unannounced = []
    for entry, paper in papers:
        outcome = _list_announcements(entry, paper, section)
        unannounced += [] if outcome else [paper]
        for day, kind in outcome:
            listings_by_day.setdefault(day, []).append(Listing(kind=kind, paper=paper))
    days = [
        AnnouncedDay(day=day, listings=tuple(listings)) for day, listings in sorted(listings_by_day.items())
    ]
    return Page(announced=tuple(days), records=tuple(unannounced), unread=tuple(unread))


def _list_announcements(entry: XmlEntry, paper: Paper, section: str) -> list[tuple[date, ListingKind]]:
    """Return when and how the first version of a paper was announced, and the latest one if it is another."""
    submitted, updated = (_parse_instant(entry.fields.get(name, "")) for name in ("published", "updated"))
    announcements = []
    if submitted:
        announcements.append(
            (compute_announcement_day(submitted), get_listing_kind(replace(paper, version=1), section))
        )
    if updated and paper.version > 1:
        announcements.append((compute_announcement_day(updated), get_listing_kind(paper, section)))
    return announcements


def _read_paper(entry: XmlEntry) -> Paper | str:
    """Return the paper of an entry, or a description of why it cannot be read."""
    fields = entry.fields
    id_match = parse_id_and_version(fields.get("id", ""))
    if not id_match:
        return f"an entry without an arXiv id ({fields.get('id', '').strip()[:100] or 'and without any'})"
    number, version = id_match
    title = clean_line(fields.get("title", ""))
    if not title:
        return f"{number}, an entry without a title"
    terms = f"{fields.get('primary_category@term', '')}{TEXT_SEPARATOR}{fields.get('category@term', '')}"
    return Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=clean_text(fields.get("summary", "")),
        authors=_read_authors(entry.parts),
        categories=parse_categories(terms.replace(TEXT_SEPARATOR, "\n")),
        version=version or 0,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=find_first_doi(fields.get("doi", "")),
        journal_ref=clean_line(fields.get("journal_ref", "")),
        comment=clean_line(fields.get("comment", "")),
    )


def _read_authors(parts: list[tuple[str, str]]) -> tuple[Author, ...]:
    author_names = clean_names([text for part, text in parts if part == "name"])
    if "affiliation" not in dict(parts):
        return tuple(map(Author, filter(None, author_names)))
    affiliations: list[list[str]] = []
    for part, text in parts:
        if part == "name":
            affiliations.append([])
        elif part == "affiliation" and affiliations:
            affiliations[-1].append(clean_line(text))
    pairs = zip(author_names, affiliations, strict=True)
    return tuple(
        [
            Author(name, tuple(filter(None, author_affiliations)))
            for name, author_affiliations in pairs
            if name
        ]
    )
