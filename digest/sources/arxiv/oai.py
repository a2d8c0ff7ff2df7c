"""arXiv's records by OAI-PMH 2.0: all changes since a day, from https://oaipmh.arxiv.org/oai.

The protocol: https://www.openarchives.org/OAI/openarchivesprotocol.html; arXiv's implementation:
https://info.arxiv.org/help/oa/index.html. A record has only the latest version. Its datestamp is the UTC day
of its last change, for any reason; records are returned in the order of their changes, 2,500 a page.

The cursor contains where the next harvest begins, and the progress of the current one. A resumption token
contains the number of records of a day to skip. Records that change meanwhile move to another day and shift
the others, so an old token is not used: the harvest resumes from the last datestamp that it has seen.
(Between two pages of one visit, a change can still shift one record of a day out of sight. The overlap of the
next harvest includes it; a backfill misses it.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import quote, urlencode

from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.fetching.formats.strict_xml import XmlEntry, XmlRecord, read_entries
from digest.core.text.cleaning import normalize_line
from digest.errors import SourceError
from digest.model import Ask, Listing, ListingKind, Paper
from digest.ports import AnnouncedDay, Page, Request, Response
from digest.sources.arxiv.cursor import Cursor, read_cursor
from digest.sources.arxiv.fields import get_listing_kind
from digest.sources.arxiv.records import (
    FORM,
    get_identifier,
    parse_datestamp,
    read_latest_version,
    read_paper,
)

ACCEPT = "text/xml, application/xml;q=0.9, */*;q=0.8"
RAW_FORMAT = "arXivRaw"
"""The format with versions."""
EARLIEST_DATESTAMP = date(2005, 9, 16)
"""arXiv's earliest datestamp; requests for earlier ones are refused."""
TOKEN_LIFETIME = timedelta(hours=1)
"""Time for which a resumption token is used; arXiv's own expire at the end of the UTC day."""
OVERLAP = timedelta(days=1)
"""Time by which harvests overlap, because a record appears hours after its datestamp."""
MAX_VERSION_AGE = timedelta(days=31)
"""Maximum age of a version, at the change of its record, that counts as announced; older ones only got other data."""
_GROUPS = frozenset({"cs", "econ", "eess", "math", "q-bio", "q-fin", "stat"})
"""Archives that are groups of their own; all others belong to physics."""


# --- progress -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Harvest:
    """The progress of a harvest.

    Attributes:
        prefix: the requested format.
        since: the first requested datestamp.
        until: the last requested datestamp; "" for no limit.
        seen: the highest datestamp received; "" before the first.
        token: the resumption token of the next page; "" to resume from ``seen``.
        good_until: when the token expires.
        again: the value of ``seen`` when a token was last refused; "" if none was.
    """

    prefix: str
    since: str
    until: str = ""
    seen: str = ""
    token: str = ""
    good_until: str = ""
    again: str = ""


# --- requests -------------------------------------------------------------------------------------


def build_oai_request(  # noqa: PLR0917 - called like those of the other routes
    base: str, ask: Ask, cursor: str, now: datetime, prefix: str, bucket: str
) -> Request:
    """Return the next request.

    Args:
        base: the address of the server.
        ask: with a day, the records changed since then (up to ``until``); without one, those changed since
            the last harvest. The first harvest begins with yesterday.
        cursor: the cursor of the last page.
        now: the current time.
        prefix: the format of the records, ``arXivRaw`` or ``arXiv``.
        bucket: the bucket for rate limits.
    """
    state = replace(read_cursor(cursor, _Harvest), by_day=ask.day is not None)
    planned_harvest = _plan_harvest(ask, state, now, prefix)
    harvest = state.active
    if harvest is None or (
        state.by_day and (harvest.since, harvest.until) != (planned_harvest.since, planned_harvest.until)
    ):
        harvest = planned_harvest
    if harvest.token and now >= datetime.fromisoformat(harvest.good_until):
        harvest = replace(harvest, token="", again="")
    request = Request(
        section=ask.section, route=ask.route, url=base, day=ask.day, accept=ACCEPT, bucket=bucket
    )
    return _build_page_request(request, state.replace_progress(harvest), harvest)


def _plan_harvest(ask: Ask, state: Cursor[_Harvest], now: datetime, prefix: str) -> _Harvest:
    today = now.astimezone(UTC).date()
    if ask.day is None:
        last_day = date.fromisoformat(state.done) if state.done else today
        return _Harvest(prefix=prefix, since=(last_day - OVERLAP).isoformat())
    until = min(ask.until, today).isoformat() if ask.until else ""
    return _Harvest(prefix=prefix, since=max(ask.day, EARLIEST_DATESTAMP).isoformat(), until=until)


def _build_page_request(request: Request, cursor: Cursor[_Harvest], harvest: _Harvest) -> Request:
    """Return the request for a harvest's next page."""
    query = {"verb": "ListRecords"}
    if harvest.token:  # it is the only argument, and is percent-encoded although it is itself encoded text
        query["resumptionToken"] = harvest.token
    else:
        query |= {"metadataPrefix": harvest.prefix, "from": harvest.seen or harvest.since}
        if harvest.until:
            query["until"] = harvest.until
        query["set"] = make_set_name(request.section)
    base = request.url.partition("?")[0]
    url = f"{base}?{urlencode(query, quote_via=quote, safe='')}"
    return replace(request, url=url, cursor=cursor.text)


def make_set_name(section: str) -> str:
    """Return the OAI-PMH set of a category or archive: ``cs:cs:LG``, ``physics:hep-th``, ``math``."""
    archive, _, category_class = section.partition(".")
    group = archive if archive in _GROUPS else "physics"
    if category_class:
        return f"{group}:{archive}:{category_class}"
    return archive if archive in _GROUPS else f"{group}:{archive}"


# --- responses ------------------------------------------------------------------------------------


def read_oai(request: Request, response: Response, *, announce: bool) -> Page:
    """Parse a page of records.

    Args:
        request: the request; its cursor contains the harvest.
        response: the response.
        announce: whether no other route has announcements, so that these are derived from the datestamps of
            records.

    Raises:
        SourceError: the request was refused, or the response is truncated or contains no records of arXiv.
    """
    subject = f"arXiv's OAI-PMH answer for {request.section}"
    if response.status != 200:
        raise SourceError(f"{subject} is a refusal (HTTP {response.status}).")
    head, entries = read_entries(response.body, FORM, subject=subject)
    cursor = read_cursor(request.cursor, _Harvest)
    harvest = cursor.active or _Harvest(prefix=RAW_FORMAT, since=EARLIEST_DATESTAMP.isoformat())
    if code := head.get("error@code"):
        if code == "badResumptionToken" and harvest.token:
            return _restart_harvest(subject, request, cursor, harvest)
        if code != "noRecordsMatch":
            raise SourceError(_describe_refusal(subject, code, head.get("error", "")))
    if entries:
        _require_own_records(subject, head, entries, request.section)
    elif not code:
        raise SourceError(f"{subject} has neither records nor an error.")
    page = _read_page(subject, entries, request.section, announce=announce)
    datestamps = [day.isoformat() for entry in entries if (day := parse_datestamp(entry))]
    harvest = replace(harvest, seen=max([harvest.seen, *datestamps]), token="", good_until="")
    response_date = _read_response_date(subject, head)
    if token := head.get("resumptionToken", "").strip():
        harvest = replace(harvest, token=token, good_until=_compute_token_expiry(response_date, head))
        cursor = cursor.replace_progress(harvest)
        return replace(page, next=_build_page_request(request, cursor, harvest), cursor=cursor.text)
    cursor = cursor.replace_progress(None)
    if not cursor.by_day:
        cursor = replace(cursor, done=response_date.date().isoformat())
    return replace(page, cursor=cursor.text)


def _restart_harvest(subject: str, request: Request, cursor: Cursor[_Harvest], harvest: _Harvest) -> Page:
    """Return an empty page that resumes from the last datestamp, unless that failed before."""
    if harvest.again and harvest.again == harvest.seen:
        raise SourceError(
            f"{subject} repeatedly refuses its own token for the next page; a later request continues from {harvest.seen}."
        )
    harvest = replace(harvest, token="", good_until="", again=harvest.seen)
    cursor = cursor.replace_progress(harvest)
    return Page(next=_build_page_request(request, cursor, harvest), cursor=cursor.text)


def _describe_refusal(subject: str, code: str, reason: str) -> str:
    detail = normalize_line(reason)[:500].rstrip(".")
    return f"{subject} is a refusal ({code[:100]}){f': {detail}' if detail else ''}."


def _read_response_date(subject: str, head: XmlRecord) -> datetime:
    """Return the time of the response by the server's clock, which also defines the datestamps."""
    text = head.get("responseDate", "").strip()
    try:
        instant = datetime.fromisoformat(text)
        instant = instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        instant = datetime.min.replace(tzinfo=UTC)
    if not is_plausible(instant.date()):
        raise SourceError(f"{subject} does not say when it was created: {text[:100]!r}.")
    return instant


def _compute_token_expiry(response_date: datetime, head: XmlRecord) -> str:
    """Return when a token expires: after an hour, or earlier if the server says so."""
    latest = response_date + TOKEN_LIFETIME
    try:
        expiration = datetime.fromisoformat(head.get("resumptionToken@expirationDate", ""))
    except ValueError:
        return latest.isoformat()
    return min(latest, expiration.replace(tzinfo=expiration.tzinfo or UTC)).isoformat()


# --- records --------------------------------------------------------------------------------------


def _read_page(subject: str, entries: list[XmlEntry], section: str, *, announce: bool) -> Page:
    """Return the papers of a page, by day if they are announcements."""
    parsed_entries, errors = read_each(entries, lambda entry: (entry, read_paper(entry)), title="arXiv")
    papers = tuple([paper for _, paper in parsed_entries if isinstance(paper, Paper)])
    unread = (*errors, *(reason for _, reason in parsed_entries if isinstance(reason, str)))
    if not announce:
        return Page(records=papers, unread=unread)
    if papers and not any(paper.version for paper in papers):
        raise SourceError(
            f"{subject} has no versions, so new papers cannot be recognized; request {RAW_FORMAT}."
        )
    listings_by_day: dict[date, list[Listing]] = {}
    unannounced: list[Paper] = []
    for entry, paper in parsed_entries:
        if isinstance(paper, Paper) and (day := parse_datestamp(entry)):
            if kind := _get_announced_kind(entry, paper, day, section):
                listings_by_day.setdefault(day, []).append(Listing(kind=kind, paper=paper))
            else:
                unannounced.append(paper)
    days = tuple(
        [AnnouncedDay(day=day, listings=tuple(listings)) for day, listings in sorted(listings_by_day.items())]
    )
    return Page(announced=days, records=tuple(unannounced), unread=unread)


def _require_own_records(subject: str, head: XmlRecord, entries: list[XmlEntry], section: str) -> None:
    """Reject records of another archive, of another set, or in a format without the required fields."""
    if (set_name := head.get("request@set")) and set_name != make_set_name(section):
        raise SourceError(
            f"{subject} is about the set {set_name[:100]}: the address returns the wrong records."
        )
    first_identifier = get_identifier(entries[0])[:100]
    if not any(get_identifier(entry).startswith("oai:arXiv.org:") for entry in entries):
        raise SourceError(
            f"{subject} is not arXiv's: its first record is {first_identifier or 'without a name'}."
        )
    if any("creator" in entry.fields for entry in entries):
        raise SourceError(
            f"{subject} is in the format oai_dc, which has no categories and versions; request {RAW_FORMAT}."
        )


def _get_announced_kind(entry: XmlEntry, paper: Paper, day: date, section: str) -> ListingKind | None:
    """Return how a record's change was announced on its day; None if only other data changed."""
    version = read_latest_version(entry)
    try:
        submitted = parsedate_to_datetime(version.date if version else "")
    except ValueError:
        return None
    return get_listing_kind(paper, section) if day - submitted.date() <= MAX_VERSION_AGE else None
