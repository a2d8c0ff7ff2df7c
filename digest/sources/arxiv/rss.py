"""arXiv's daily feeds, RSS 2.0 or Atom.

They are described at https://info.arxiv.org/help/rss_specifications.html. A feed has one announcement day,
which begins at midnight in New York, and at most 2,000 entries: if there are more, *new* papers are omitted
first, without a hint.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

from digest.core.fetching.formats.feed_xml import FlatFeed, read_feed
from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.fetching.formats.strict_xml import XmlRecord
from digest.core.papers.identity.ids import parse_arxiv_id
from digest.core.papers.taxonomy import covers
from digest.core.text.cleaning import normalize_line
from digest.errors import SourceError
from digest.model import Listing, ListingKind, Paper, PaperKey
from digest.ports import AnnouncedDay, Page, Request, Response
from digest.sources.arxiv.fields import (
    clean_line,
    clean_text,
    clean_web_address,
    find_first_doi,
    get_listing_kind,
    parse_byline,
    parse_categories,
    parse_id_and_version,
)

NEW_YORK = ZoneInfo("America/New_York")
MAX_ENTRIES = 2000
"""Maximum number of entries in a feed."""
ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.8"


def build_feed_url(base: str, section: str) -> str:
    """Return the address of a category's feed."""
    return f"{base.rstrip('/')}/{section}"


def read_rss(request: Request, response: Response) -> Page:
    """Parse a feed, RSS 2.0 or Atom.

    Raises:
        SourceError: the response is not a complete feed of this category.
    """
    subject = f"arXiv's feed of {request.section}"
    if response.status != 200:
        raise SourceError(_describe_refusal(subject, response))
    feed = read_feed(response.body, subject)
    if feed.head.get("title", "").startswith("Feed error"):
        raise SourceError(_describe_refusal(subject, response))
    _require_own_feed(subject, feed, request.section)
    listings, unread = read_each(
        feed.entries,
        lambda entry: _read_listing(entry, request.section),
        title="arXiv",
        describe=lambda entry: _describe_entry(subject, entry),
    )
    day = AnnouncedDay(
        day=_read_day(subject, feed),
        listings=tuple(listings),
        # If an entry cannot be read, the count lets another route fetch the day, if there is one.
        expected=len(feed.entries) if unread else None,
        over_full=len(feed.entries) >= MAX_ENTRIES,
    )
    return Page(announced=(day,), unread=tuple(unread))


# --- refusals and validation -------------------------------------------------------------------------


def _describe_refusal(subject: str, response: Response) -> str:
    """Return a message about a refusal; arXiv puts its reason into a feed without entries."""
    try:
        head = read_feed(response.body, subject).head
    except SourceError:
        head = {}
    if reason := normalize_line(head.get("description") or head.get("subtitle") or "")[:500]:
        return (
            f"{subject} was refused (HTTP {response.status}): {reason} Check the categories of this source."
        )
    return f"{subject} was refused (HTTP {response.status}), without a reason that could be read."


def _require_own_feed(subject: str, feed: FlatFeed, section: str) -> None:
    """Reject the feed of another category, or a foreign empty one, which would look like a day without papers."""
    title = feed.head.get("title", "").strip()
    names_text, separator, _ = title.partition(" updates on arXiv.org")
    if separator:
        section_names = [name.strip() for name in re.split(r"[,+]", names_text)]
        if not any(covers(section, name) or covers(name, section) for name in section_names):
            raise SourceError(f"{subject} is about {names_text[:100]}: the address returns the wrong feed.")
    elif not feed.entries:
        raise SourceError(f"{subject} has no entries and is titled {title[:100]!r}, so it is not arXiv's.")


# --- entries --------------------------------------------------------------------------------------

_ABSTRACT_PREFIX = re.compile(r"\s*arXiv:\S+\s+Announce Type:\s*(?P<kind>\S+)\s+Abstract:\s*")
_KINDS = {
    kind.value: kind
    for kind in (ListingKind.NEW, ListingKind.CROSS, ListingKind.REPLACE, ListingKind.REPLACE_CROSS)
}


def _describe_entry(subject: str, entry: XmlRecord) -> str:
    label = normalize_line(entry.get("title", "") or entry.get("link", ""))[:100]
    return f"{subject} has an entry without {'title' if _find_id(entry) else 'an arXiv id'}: {label!r}."


def _find_id(entry: XmlRecord) -> tuple[str, int | None] | None:
    return parse_id_and_version(entry.get("guid") or entry.get("id", "")) or parse_arxiv_id(
        entry.get("link", "")
    )


def _read_listing(entry: XmlRecord, section: str) -> Listing | None:
    """Return the listing of an entry; None without an arXiv ID or a title."""
    id_match, title = _find_id(entry), clean_line(entry.get("title", ""))
    if not id_match or not title:
        return None
    number, version = id_match[0], id_match[1] or 1
    abstract = entry.get("description") or entry.get("summary", "")
    prefix = _ABSTRACT_PREFIX.match(abstract)
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=clean_text(abstract[prefix.end() :] if prefix else abstract),
        authors=parse_byline(entry.get("creator", "")),
        categories=parse_categories(entry.get("category", "")),
        version=version,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=find_first_doi(entry["DOI"]) if "DOI" in entry else "",
        journal_ref=clean_line(entry["journal_reference"]) if "journal_reference" in entry else "",
        license_url=clean_web_address(entry.get("rights", "")),
    )
    kind = entry.get("announce_type") or (prefix["kind"] if prefix else "")
    return Listing(kind=_KINDS.get(kind.strip()) or get_listing_kind(paper, section), paper=paper)


def _read_day(subject: str, feed: FlatFeed) -> date:
    """Return the announcement day in New York's zone; an empty Atom feed only has the time of its creation."""
    date_texts = {entry.get("pubDate") or entry.get("published", "") for entry in feed.entries} - {""}
    if not date_texts:
        date_texts.add(feed.head.get("pubDate") or feed.head.get("updated", ""))
    days = {day for date_text in date_texts if (day := _parse_new_york_day(date_text.strip()))}
    if not days:
        raise SourceError(f"{subject} does not say which day it is for: {min(date_texts)[:100]!r}.")
    if len(days) > 1:
        day_list = ", ".join(day.isoformat() for day in sorted(days))
        raise SourceError(f"{subject} mixes several days ({day_list}), so it is not arXiv's.")
    return days.pop()


def _parse_new_york_day(text: str) -> date | None:
    """Return the day of a date of RSS (RFC 822) or Atom (RFC 3339) in New York's zone; None if it is invalid."""
    parse_date = datetime.fromisoformat if text[:4].isdigit() else parsedate_to_datetime
    try:
        instant = parse_date(text)
        day = (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(NEW_YORK).date()
    except (ValueError, OverflowError):
        return None
    return day if is_plausible(day) else None
