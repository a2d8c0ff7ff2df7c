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

from digest.core.papers.ids import arxiv_id
from digest.core.papers.taxonomy import covers
from digest.core.pulling.feed_xml import Feed, read_feed
from digest.core.pulling.strict_xml import Record
from digest.core.words.plain import plain_line
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
    listings = tuple([_listing(subject, entry, request.section) for entry in feed.entries])
    day = Announced(day=_day(subject, feed), listings=listings, over_full=len(listings) >= LIMIT)
    return Page(announced=(day,))


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
            raise SourceError(f"{subject} is about {about}: the address answers with the wrong feed.")
    elif not feed.entries:
        raise SourceError(f"{subject} has no entries and is titled {title!r}: it is not arXiv's.")


# --- entries --------------------------------------------------------------------------------------

_HEAD = re.compile(r"\s*arXiv:\S+\s+Announce Type:\s*(?P<kind>\S+)\s+Abstract:\s*")
_KINDS = {
    kind.value: kind
    for kind in (ListingKind.NEW, ListingKind.CROSS, ListingKind.REPLACE, ListingKind.REPLACE_CROSS)
}


def _listing(subject: str, entry: Record, section: str) -> Listing:
    found = id_and_version(entry.get("guid") or entry.get("id", "")) or arxiv_id(entry.get("link", ""))
    if not found:
        raise SourceError(f"{subject} has an entry without an arXiv id: {entry.get('title', '').strip()!r}.")
    number, version = found[0], found[1] or 1
    abstract = entry.get("description") or entry.get("summary", "")
    head = _HEAD.match(abstract)
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=line(entry.get("title", "")),
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
    try:
        days = {_instant(one.strip()).astimezone(NEW_YORK).date() for one in written}
    except (ValueError, OverflowError):
        raise SourceError(f"{subject} does not say of which day it is: {min(written)!r}.") from None
    if len(days) > 1:
        told = ", ".join(day.isoformat() for day in sorted(days))
        raise SourceError(f"{subject} mixes several days ({told}): it is not arXiv's own.")
    return days.pop()


def _instant(written: str) -> datetime:
    """A date of RSS (RFC 822) or of Atom (RFC 3339)."""
    read = datetime.fromisoformat if written[:4].isdigit() else parsedate_to_datetime
    instant = read(written)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
