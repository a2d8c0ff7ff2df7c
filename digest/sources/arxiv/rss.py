"""arXiv's daily feeds, RSS 2.0 or Atom.

They are described at https://info.arxiv.org/help/rss_specifications.html. A feed holds one announcement day,
which begins at midnight in New York, and at most 2,000 entries: beyond that the *new* papers are left out
first, without a word.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from digest.core.accents import without_tex
from digest.core.bylines import split_byline
from digest.core.feed_xml import Feed, Record, read_feed
from digest.core.ids import arxiv_id, doi
from digest.core.plain import plain_line
from digest.core.taxonomy import covers, known
from digest.errors import SourceError
from digest.model import Listing, ListingKind, Paper, PaperKey
from digest.ports import Announced, Page, Request, Response

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
_KINDS = {kind.value: kind for kind in ListingKind}


def _listing(subject: str, entry: Record, section: str) -> Listing:
    found = arxiv_id(entry.get("guid") or entry.get("id", "")) or arxiv_id(entry.get("link", ""))
    if not found:
        raise SourceError(f"{subject} has an entry without an arXiv id: {entry.get('title', '').strip()!r}.")
    number, version = found[0], found[1] or 1
    abstract = entry.get("description") or entry.get("summary", "")
    head = _HEAD.match(abstract)
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=_line(entry.get("title", "")),
        abstract=_abstract(abstract[head.end() :] if head else abstract),
        authors=split_byline(_line(without_tex(entry.get("creator", "")))),
        categories=_categories(entry.get("category", "")),
        version=version,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=_doi(entry["DOI"]) if "DOI" in entry else "",
        journal_ref=_line(entry["journal_reference"]) if "journal_reference" in entry else "",
        license_url=_web_address(entry.get("rights", "")),
    )
    kind = entry.get("announce_type") or (head["kind"] if head else "")
    return Listing(kind=_KINDS.get(kind.strip()) or _worked_out(paper, section), paper=paper)


def _worked_out(paper: Paper, section: str) -> ListingKind:
    """The kind where the announce type is missing or one that we do not know: no paper is left out for it."""
    primary = any(covers(section, category) for category in paper.categories[:1])
    if paper.version > 1:
        return ListingKind.REPLACE if primary else ListingKind.REPLACE_CROSS
    return ListingKind.NEW if primary else ListingKind.CROSS


@lru_cache(maxsize=4096)
def _categories(lines: str) -> tuple[str, ...]:
    """The categories without the ACM and MSC codes that arXiv prints among them (``I.2.7``, ``68T50``)."""
    return tuple(dict.fromkeys(filter(_is_category, map(str.strip, lines.splitlines()))))


def _is_category(written: str) -> bool:
    """Whether it is one, known or new in a known archive."""
    archive, _, category_class = written.partition(".")
    return known(written) or (archive.islower() and known(archive) and category_class.isalpha())


@lru_cache(maxsize=64)
def _web_address(written: str) -> str:
    written = written.strip()
    return written if written.startswith(("https://", "http://")) and " " not in written else ""


def _doi(written: str) -> str:
    """The first one: arXiv takes several, parted by blanks."""
    return next(filter(None, map(doi, written.split())), "")


def _line(written: str) -> str:
    """As ``plain_line``, sooner where there is nothing to clean, as nearly always."""
    written = written.strip()
    return plain_line(written) if "  " in written or _is_unusual(written) else written


def _abstract(written: str) -> str:
    """The same, but for double blanks: looking for them takes as long as all the rest, and nothing shows them."""
    written = written.strip()
    return plain_line(written) if _is_unusual(written) else written


def _is_unusual(written: str) -> bool:
    """Whether it is more than ASCII in one line; XML lets no other control characters through."""
    ends = "\n" in written or "\t" in written or "\r" in written or "\x7f" in written
    return ends or not written.isascii() or "<" in written


def _day(subject: str, feed: Feed) -> date:
    """The one announcement day, as New York counts it; an empty Atom feed has only the time it was made."""
    written = {entry.get("pubDate") or entry.get("published", "") for entry in feed.entries} - {""}
    if not written:
        written.add(feed.head.get("pubDate") or feed.head.get("updated", ""))
    try:
        days = {_instant(text.strip()).astimezone(NEW_YORK).date() for text in written}
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
