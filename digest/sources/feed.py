"""Any feed on the web: a journal's, a blog's; RSS, Atom or JSON Feed, well-formed or not.

    [[source]]
    use = "feed"
    url = "https://example.org/blog.xml"

What stands in feeds of unknown makers, ``digest.core.fetching.formats.any_feed`` reads; here it becomes papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from digest import ports
from digest.core.fetching.formats.any_feed import MOST_ENTRIES, AnyFeed, Entry, read_any_feed
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits
from digest.core.fetching.public_addresses import distinct_address, public_address, without_credentials_of
from digest.core.papers.bylines import split_names
from digest.core.papers.identity.entry_keys import Identity, identify
from digest.core.papers.identity.ids import bounded_key, page_key
from digest.core.papers.taxonomy import known
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, PaperKey, Route, Scope
from digest.ports import Announced, Page, Request, Response

ACCEPT = (
    "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, "
    "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5"
)
_MOST_TAGS = 20
_MOST_AUTHORS = 5_000
_LONGEST_TEXT = 5_000
"""Characters: two to three abstracts; blogs put whole articles into their feeds."""
_LONGEST_TITLE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """A feed; it has no announcement days: an entry counts for the day on which it is first seen.

    Attributes:
        url: where the feed is.
        title: the name that readers know; by default the feed's host.
        name: of this source in tables, messages and editions; by default its address without ``https://`` and without
            what may be secret in it: user, password and query.
        pace: seconds between two requests to its host.
        max_bytes: the longest answer that is read.
        by_reader: a reader gave the address, not the operator: it must not lead into our own network.
    """

    url: str
    title: str = ""
    name: str = ""
    pace: float = 1.0
    max_bytes: int = 10_000_000
    by_reader: bool = False

    def __post_init__(self) -> None:
        if page_key(self.url) is None:
            raise OptionError(
                f"the url {self.url!r} is no web address; it starts with https:// or http://", "url"
            )
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        # Frozen, and two of the fields follow from another one.
        object.__setattr__(self, "title", self.title or urlsplit(self.url).hostname)
        object.__setattr__(self, "name", self.name or _named_by(public_address(self.url)))

    @property
    def former_names(self) -> tuple[str, ...]:
        """Its whole address, which its name showed before."""
        former = _named_by(self.url)
        return () if former in {self.name, _named_by(public_address(self.url))} else (former,)

    def renewed(self, paper: Paper) -> Paper:
        """A paper as it was read while the whole address stood in keys and links, as it is read now."""
        url = self._public(paper.url)
        title = url if paper.title == paper.url else paper.title
        return replace(
            paper, key=self._renewed_key(paper), title=title, url=url, pdf_url=self._public(paper.pdf_url)
        )

    def _public(self, address: str) -> str:
        """An address of an entry, which without a link of its own has the feed's."""
        whole, sign, part = address.partition("#")
        is_own = page_key(whole) == page_key(self.url.partition("#")[0])
        return public_address(whole) + sign + part if is_own else without_credentials_of(self.url, address)

    def _renewed_key(self, paper: Paper) -> PaperKey:
        key, own = paper.key, page_key(self.url)
        if key == page_key(paper.url) != own:
            return page_key(self._public(paper.url)) or key
        if key.startswith(f"{own}#"):
            return self._renewed_own_key(paper, f"{own}")
        scheme, _, address = key.partition(":")
        whole, sign, part = address.partition("#")
        shown = without_credentials_of(self.url, whole)
        return key if shown == whole else bounded_key(f"{scheme}:{shown}{sign}{part}")

    def _renewed_own_key(self, paper: Paper, own: str) -> PaperKey:
        """The key of an entry that nothing but the feed and its id or title tells from others."""
        place = page_key(distinct_address(self.url))
        is_by_title = paper.key == bounded_key(
            f"{own}#{paper.title}"
        )  # a long one ends in a hash of the whole
        return bounded_key(f"{place}#{paper.title}" if is_by_title else f"{place}{paper.key[len(own) :]}")

    @property
    def sections(self) -> tuple[str, ...]:
        """One: the feed."""
        return ("feed",)

    @property
    def ways(self) -> tuple[Route, ...]:
        """One: the feed."""
        return (Route(name="feed", scope=Scope.LATEST),)

    @property
    def calendar(self) -> None:
        """None: it is asked now and then."""
        return

    @property
    def is_untrusted(self) -> bool:
        """Always: feeds can be anybody's."""
        return True

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - a feed has no day and no pages
        """The feed."""
        return Request(
            section=ask.section, route=ask.route, url=self.url, accept=ACCEPT, by_reader=self.by_reader
        )

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no feed.
        """
        subject = f"The feed {self.name}"
        if response.status != 200:
            raise SourceError(_refusal(subject, response.status))
        headers = dict(response.headers)
        address = public_address(response.url or request.url)
        feed = read_any_feed(
            response.body,
            content_type=headers.get("content-type", ""),
            address=address,
            subject=subject,
        )
        entries = [
            replace(
                entry,
                link=without_credentials_of(self.url, entry.link),
                guid=without_credentials_of(self.url, entry.guid),
            )
            for entry in feed.entries
            if entry.title or entry.link or entry.text
        ]
        empty = len(feed.entries) - len(entries)
        latest = _latest(headers.get("date", ""))
        page = without_credentials_of(self.url, feed.page) or address
        identities = identify(entries, distinct_address(self.url), page)
        alike = sum(identity.is_ambiguous for identity in identities)
        others = sum(identity.is_other for identity in identities)
        # What another paper says is not filled into the first one.
        own = [pair for pair in zip(entries, identities, strict=True) if not pair[1].is_other]
        listings, broken = read_each(
            own,
            lambda one: _listing(*one, page, latest),
            title=subject,
        )
        return Page(
            announced=(Announced(day=None, listings=_each_once(listings)),),
            freshness=feed.freshness,
            unread=(*feed.unread, *_unread(subject, feed, empty, alike, others), *broken),
        )


def _named_by(url: str) -> str:
    return (page_key(url) or "").removeprefix("url:https://").removesuffix("/")


def _refusal(subject: str, status: int) -> str:
    match status:
        case 401 | 403:
            advice = " It wants a login, or keeps programs out."
        case 404 | 410:
            advice = " Look on its site whether it has moved."
        case _:
            advice = ""
    return f"{subject} was refused (HTTP {status}).{advice}"


def _unread(subject: str, feed: AnyFeed, empty: int, alike: int, others: int) -> Iterator[str]:
    """What of a feed is not among its listings."""
    if feed.broken:
        yield f"{subject} {feed.broken}; what may have stood there is missing."
    if empty:
        yield f"{subject}: {_entries(empty)} without title, link and text left out."
    if alike:
        yield f"{subject}: {_entries(alike)} left out: another one has the same id, link and title."
    if others:
        yield f"{subject}: {_entries(others)} left out: another one has the same id or link, but a different title."
    if feed.beyond:
        yield f"{subject}: {_entries(feed.beyond)} beyond the first {MOST_ENTRIES:,} left out."


def _entries(number: int) -> str:
    return f"{number:,} entries" if number > 1 else "one entry"


def _latest(written: str) -> datetime | None:
    """The server's clock and a day: who dates an entry later than that does not mean it."""
    try:
        told = parsedate_to_datetime(written) + timedelta(days=1)
        return told if told.tzinfo else told.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        return None


# --- entries --------------------------------------------------------------------------------------


def _listing(entry: Entry, identity: Identity, page: str, latest: datetime | None) -> Listing:
    """A listing.

    Args:
        entry: what was printed.
        identity: what it is known by.
        page: what to read where the entry has no page of its own.
        latest: no entry is dated after it.
    """
    entry = _as_sciencedirect(entry)
    scheme, _, value = identity.key.partition(":")
    arxiv = scheme == "arxiv"
    title = _cut(entry.title, _LONGEST_TITLE) or _cut(entry.text, 100) or entry.link
    paper = Paper(
        key=identity.key,
        title=title,
        abstract=_cut(entry.text, _LONGEST_TEXT) if entry.text != entry.title else "",
        authors=_authors(entry),
        categories=tuple([tag for tag in entry.tags if not arxiv or known(tag)][:_MOST_TAGS]),
        version=identity.version,
        url=f"https://arxiv.org/abs/{value}" if arxiv else entry.link or page,
        pdf_url=f"https://arxiv.org/pdf/{value}" if arxiv else "",
        doi=identity.doi,
        journal_ref=entry.journal,
    )
    dated = entry.dated if entry.dated and not (latest and entry.dated > latest) else None
    return Listing(kind=ListingKind.NEW, paper=paper, dated=dated)


_SCIENCEDIRECT = re.compile(
    r"Publication date: (?:(?! Source: ).){1,60} Source: (?P<journal>(?:(?! Author\(s\): ).){1,500})"
    r"(?: Author\(s\): (?P<authors>.+))?"
)


def _as_sciencedirect(entry: Entry) -> Entry:
    """The feeds of Elsevier's journals have no abstract: in its place stand journal and authors."""
    if not (told := _SCIENCEDIRECT.fullmatch(entry.text)):
        return entry
    bylines = entry.bylines or (told["authors"] or "",)
    return replace(entry, text="", journal=entry.journal or told["journal"], bylines=bylines)


def _authors(entry: Entry) -> tuple[Author, ...]:
    names = dict.fromkeys(name for byline in entry.bylines for name in split_names(byline))
    return tuple(names)[:_MOST_AUTHORS]


def _cut(text: str, longest: int) -> str:
    """The text, or its beginning up to a blank."""
    if len(text) <= longest:
        return text
    return f"{text[:longest].rpartition(' ')[0] or text[:longest]} …"


def _each_once(listings: list[Listing]) -> tuple[Listing, ...]:
    """One listing for each paper, where it stood first; what the first lacks, a later one fills in."""
    first: dict[PaperKey, Listing] = {}
    for listing in listings:
        paper = listing.paper
        known_one = first.get(paper.key)
        first[paper.key] = _filled(known_one, listing) if known_one else listing
    return tuple(first.values())


def _filled(listing: Listing, later: Listing) -> Listing:
    names = ("abstract", "authors", "categories", "doi", "journal_ref")
    missing = {name: getattr(later.paper, name) for name in names if not getattr(listing.paper, name)}
    return replace(listing, paper=replace(listing.paper, **missing), dated=listing.dated or later.dated)
