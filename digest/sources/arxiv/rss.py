"""arXiv's daily feeds, RSS 2.0 or Atom.

They are described at https://info.arxiv.org/help/rss_specifications.html. A feed holds one announcement day,
which begins at midnight in New York, and at most 2,000 entries: beyond that the *new* papers are left out
first, without a word.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

from digest.core.fetching.formats.feed_xml import Feed, read_feed
from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.fetching.formats.strict_xml import Record
from digest.core.papers.identity.ids import arxiv_id
from digest.core.papers.taxonomy import covers
from digest.core.text.cleaning import plain_line
from digest.errors import SourceError
from digest.model import Listing, ListingKind, Paper, PaperKey
from digest.ports import Announced, Page, Request, Response
from digest.sources.arxiv.fields import (
    byline,
    categories,
    first_doi,
    id_and_version,
    kind_in,
    line,
    text,
    web_address,
)

NEW_YORK = ZoneInfo("America/New_York")
LIMIT = 2000
"""The most entries that a feed holds."""
ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.8"


def feed_url(base: str, section: str) -> str:
    """The address of a category's feed."""
    return f"{base.rstrip('/')}/{section}"


def read_rss(request: Request, response: Response) -> Page:
    """Read a feed, RSS 2.0 or Atom.

    Raises:
        SourceError: the answer is no whole feed of this category.
    """
    subject = f"arXiv's feed of {request.section}"
    if response.status != 200:
        raise SourceError(_refusal(subject, response))
    feed = read_feed(response.body, subject)
    if feed.head.get("title", "").startswith("Feed error"):
        raise SourceError(_refusal(subject, response))
    _demand_own(subject, feed, request.section)
    listings, unread = read_each(
        feed.entries,
        lambda entry: _listing(entry, request.section),
        title="arXiv",
        describe=lambda entry: _describe(subject, entry),
    )
    day = Announced(
        day=_day(subject, feed),
        listings=tuple(listings),
        # A day of which an entry is missing is asked for by another route, if there is one.
        expected=len(feed.entries) if unread else None,
        over_full=len(feed.entries) >= LIMIT,
    )
    return Page(announced=(day,), unread=tuple(unread))


# --- answers that are no listing ---------------------------------------------------------------------


def _refusal(subject: str, response: Response) -> str:
    """What an answer that says no says: arXiv puts its reason into a feed without entries."""
    try:
        head = read_feed(response.body, subject).head
    except SourceError:
        head = {}
    if told := plain_line(head.get("description") or head.get("subtitle") or "")[:500]:
        return f"{subject} was refused (HTTP {response.status}): {told} Check the categories of this source."
    return f"{subject} was refused (HTTP {response.status}), without a reason that could be read."


def _demand_own(subject: str, feed: Feed, section: str) -> None:
    """A feed that is empty or somebody else's must not count as a quiet day."""
    title = feed.head.get("title", "").strip()
    about, arxiv, _ = title.partition(" updates on arXiv.org")
    if arxiv:
        named = [name.strip() for name in re.split(r"[,+]", about)]
        if not any(covers(section, name) or covers(name, section) for name in named):
            raise SourceError(f"{subject} is about {about[:100]}: the address answers with the wrong feed.")
    elif not feed.entries:
        raise SourceError(f"{subject} has no entries and is titled {title[:100]!r}: it is not arXiv's.")


# --- entries --------------------------------------------------------------------------------------

_HEAD = re.compile(r"\s*arXiv:\S+\s+Announce Type:\s*(?P<kind>\S+)\s+Abstract:\s*")
_KINDS = {
    kind.value: kind
    for kind in (ListingKind.NEW, ListingKind.CROSS, ListingKind.REPLACE, ListingKind.REPLACE_CROSS)
}


def _describe(subject: str, entry: Record) -> str:
    named = plain_line(entry.get("title", "") or entry.get("link", ""))[:100]
    return f"{subject} has an entry without {'title' if _id(entry) else 'an arXiv id'}: {named!r}."


def _id(entry: Record) -> tuple[str, int | None] | None:
    return id_and_version(entry.get("guid") or entry.get("id", "")) or arxiv_id(entry.get("link", ""))


def _listing(entry: Record, section: str) -> Listing | None:
    """The listing of an entry; None without an arXiv id or a title."""
    found, title = _id(entry), line(entry.get("title", ""))
    if not found or not title:
        return None
    number, version = found[0], found[1] or 1
    abstract = entry.get("description") or entry.get("summary", "")
    head = _HEAD.match(abstract)
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=text(abstract[head.end() :] if head else abstract),
        authors=byline(entry.get("creator", "")),
        categories=categories(entry.get("category", "")),
        version=version,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=first_doi(entry["DOI"]) if "DOI" in entry else "",
        journal_ref=line(entry["journal_reference"]) if "journal_reference" in entry else "",
        license_url=web_address(entry.get("rights", "")),
    )
    kind = entry.get("announce_type") or (head["kind"] if head else "")
    return Listing(kind=_KINDS.get(kind.strip()) or kind_in(paper, section), paper=paper)


def _day(subject: str, feed: Feed) -> date:
    """The one announcement day, as New York counts it; an empty Atom feed has only the time it was made."""
    written = {entry.get("pubDate") or entry.get("published", "") for entry in feed.entries} - {""}
    if not written:
        written.add(feed.head.get("pubDate") or feed.head.get("updated", ""))
    days = {day for one in written if (day := _new_york_day(one.strip()))}
    if not days:
        raise SourceError(f"{subject} does not say of which day it is: {min(written)[:100]!r}.")
    if len(days) > 1:
        told = ", ".join(day.isoformat() for day in sorted(days))
        raise SourceError(f"{subject} mixes several days ({told}): it is not arXiv's own.")
    return days.pop()


def _new_york_day(written: str) -> date | None:
    """The day of a date of RSS (RFC 822) or of Atom (RFC 3339); None if it is none."""
    read = datetime.fromisoformat if written[:4].isdigit() else parsedate_to_datetime
    try:
        instant = read(written)
        day = (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(NEW_YORK).date()
    except (ValueError, OverflowError):
        return None
    return day if is_plausible(day) else None
