"""Any feed on the web: a journal's, a blog's; RSS, Atom or JSON Feed, well-formed or not.

    [[source]]
    use = "feed"
    url = "https://example.org/blog.xml"

What stands in feeds of unknown makers, ``digest.core.fetching.formats.any_feed`` reads; here it becomes papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import unquote, urljoin, urlsplit

from digest import ports
from digest.core.fetching.formats.any_feed import MAX_ENTRIES, ParsedEntry, ParsedFeed, read_any_feed
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import require_limits
from digest.core.fetching.public_addresses import (
    compute_fingerprint,
    extract_credentials,
    make_distinct_address,
    make_public_address,
    strip_credentials,
)
from digest.core.papers.bylines import split_names
from digest.core.papers.identity.entry_keys import EntryIdentity, identify_entries
from digest.core.papers.identity.ids import limit_key, make_page_key
from digest.core.papers.taxonomy import is_known_category
from digest.errors import OptionError, SourceError
from digest.model import Ask, Author, Listing, ListingKind, Paper, PaperKey, Route, Scope
from digest.ports import AnnouncedDay, Page, Request, Response
from digest.redaction import MASK, holds_secret, redact_received, select_uncommon

ACCEPT = (
    "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, "
    "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5"
)
_MAX_TAGS = 20
_MAX_AUTHORS = 5_000
_MAX_TEXT_LENGTH = 5_000
"""Characters: two to three abstracts; blogs put whole articles into their feeds."""
_MAX_TITLE_LENGTH = 1_000


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
        secrets: the parts of ``url`` that nobody may see, all of them; by default those that look like it.
    """

    url: str
    title: str = ""
    name: str = ""
    pace: float = 1.0
    max_bytes: int = 10_000_000
    by_reader: bool = False
    secrets: tuple[str, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        require_limits(pace=self.pace, max_bytes=self.max_bytes)
        if make_page_key(self.url) is None:
            raise OptionError(
                f"the url {self.url!r} is not a web address; it must start with https:// or http://", "url"
            )
        # Frozen, and two of the fields follow from another one.
        object.__setattr__(self, "title", self.title or urlsplit(self.url).hostname)
        object.__setattr__(self, "name", self.name or _make_name(make_public_address(self.url)))
        for key in ("name", "title"):
            if holds_secret(getattr(self, key), self._select_masked(self._find_secrets())):
                raise OptionError(
                    f"readers see the {key}, which would contain a secret of the address; write another `{key}`",
                    key,
                )

    @property
    def former_names(self) -> tuple[str, ...]:
        """Its whole address, which its name showed before."""
        former_name = _make_name(self.url)
        return () if former_name in {self.name, _make_name(make_public_address(self.url))} else (former_name,)

    def _find_secrets(self, final_url: str = "") -> frozenset[str]:
        """What of our address, and of the one that it led to, nobody may see."""
        if self.secrets is None:
            return extract_credentials(self.url) | extract_credentials(final_url)
        return frozenset({*self.secrets, *map(unquote, self.secrets)})

    def _select_masked(self, secrets: frozenset[str]) -> frozenset[str]:
        """The secrets that are looked for in any text, and not only as parameters of addresses."""
        return select_uncommon(secrets) if self.secrets is None else secrets

    @property
    def _distinct_address(self) -> str:
        """What tells entries from those of other feeds, where they have nothing else."""
        distinct_address = make_distinct_address(self.url)
        public_part = redact_received(distinct_address, self._select_masked(self._find_secrets()))
        return (
            public_part
            if public_part == distinct_address
            else f"{public_part}~{compute_fingerprint(self.url)}"
        )

    def renew_paper(self, paper: Paper) -> Paper:
        """A paper as it was read while the whole address stood in keys and links, as it is read now."""
        url = self._make_public(paper.url)
        title = url if paper.title == paper.url else paper.title
        return replace(
            paper, key=self._renew_key(paper), title=title, url=url, pdf_url=self._make_public(paper.pdf_url)
        )

    def _make_public(self, address: str) -> str:
        """An address of an entry, which without a link of its own has the feed's."""
        base, separator, fragment = address.partition("#")
        is_own = make_page_key(base) == make_page_key(self.url.partition("#")[0])
        return (
            make_public_address(base) + separator + fragment
            if is_own
            else strip_credentials(self.url, address, self._find_secrets())
        )

    def _renew_key(self, paper: Paper) -> PaperKey:
        key, feed_key = paper.key, make_page_key(self.url)
        if key == make_page_key(paper.url) != feed_key:
            return make_page_key(self._make_public(paper.url)) or key
        if key.startswith(f"{feed_key}#"):
            return self._renew_own_key(paper, f"{feed_key}")
        scheme, _, address = key.partition(":")
        base, separator, fragment = address.partition("#")
        public_base = strip_credentials(self.url, base, self._find_secrets())
        return key if public_base == base else limit_key(f"{scheme}:{public_base}{separator}{fragment}")

    def _renew_own_key(self, paper: Paper, feed_key: str) -> PaperKey:
        """The key of an entry that nothing but the feed and its id or title tells from others."""
        public_feed_key = make_page_key(self._distinct_address)
        is_by_title = paper.key == limit_key(
            f"{feed_key}#{paper.title}"
        )  # a long one ends in a hash of the whole
        return limit_key(
            f"{public_feed_key}#{paper.title}"
            if is_by_title
            else f"{public_feed_key}{paper.key[len(feed_key) :]}"
        )

    @property
    def sections(self) -> tuple[str, ...]:
        """One: the feed."""
        return ("feed",)

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
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
            section=ask.section, route=ask.route, url=self.url, accept=ACCEPT, is_reader_url=self.by_reader
        )

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no feed.
        """
        subject = f"The feed {self.name}"
        if response.status != 200:
            raise SourceError(_describe_refusal(subject, response.status))
        headers = dict(response.headers)
        address = make_public_address(response.url or request.url)
        feed = read_any_feed(
            response.body,
            content_type=headers.get("content-type", ""),
            address=address,
            subject=subject,
        )
        secrets = self._find_secrets(response.url)
        page = (
            self._hide_secrets(feed.page, secrets)
            or self._hide_secrets(address, secrets)
            or urljoin(address, "/")
        )
        entries = self._identify_entries(feed, secrets, page)
        latest = _compute_latest_date(headers.get("date", ""))
        empty_count = len(feed.entries) - len(entries)
        ambiguous_count = sum(identity.is_ambiguous for _, identity in entries)
        other_count = sum(identity.is_other for _, identity in entries)
        listings, errors = read_each(
            # What another paper says is not filled into the first one.
            [entry_pair for entry_pair in entries if not entry_pair[1].is_other],
            lambda entry_pair: _make_listing(*entry_pair, page, latest),
            title=subject,
        )
        return Page(
            announced=(AnnouncedDay(day=None, listings=_merge_duplicates(listings)),),
            freshness=feed.freshness,
            unread=(
                *feed.unread,
                *_describe_omissions(subject, feed, empty_count, ambiguous_count, other_count),
                *errors,
            ),
        )

    def _identify_entries(
        self, feed: ParsedFeed, secrets: frozenset[str], page: str
    ) -> list[tuple[ParsedEntry, EntryIdentity]]:
        """Those with a title, link or text, as readers may see them, and what each is known by."""
        entries = [
            replace(
                entry,
                link=strip_credentials(self.url, entry.link, secrets),
                guid=strip_credentials(self.url, entry.guid, secrets),
            )
            for entry in feed.entries
            if entry.title or entry.link or entry.text
        ]
        public_entries = redact_received(entries, self._select_masked(secrets))
        known_entries = list(map(self._mark_entry, entries, public_entries))
        identities = identify_entries(known_entries, self._distinct_address, page)
        return list(zip(map(_drop_masked_link, entries, public_entries), identities, strict=True))

    def _mark_entry(self, entry: ParsedEntry, public_entry: ParsedEntry) -> ParsedEntry:
        """What an entry is known by: where a secret was, a fingerprint of it tells the feeds of one host apart."""

        def mark(text: str, public_text: str) -> str:
            return text if public_text == text else public_text.replace(MASK, compute_fingerprint(self.url))

        return replace(
            public_entry,
            link=mark(entry.link, public_entry.link),
            guid=mark(entry.guid, public_entry.guid),
            ids=tuple([text for text in entry.ids if text in public_entry.ids]),
        )

    def _hide_secrets(self, address: str, secrets: frozenset[str]) -> str:
        """An address without secrets; "" where one cannot be cut out of it."""
        public_address = strip_credentials(self.url, address, secrets)
        return "" if holds_secret(public_address, self._select_masked(secrets)) else public_address


def _drop_masked_link(entry: ParsedEntry, public_entry: ParsedEntry) -> ParsedEntry:
    """An entry that readers may see; with a mask in its link, that would lead nowhere."""
    is_masked = MASK in public_entry.link and public_entry.link != entry.link
    return replace(public_entry, link="") if is_masked else public_entry


def _make_name(url: str) -> str:
    return (make_page_key(url) or "").removeprefix("url:https://").removesuffix("/")


def _describe_refusal(subject: str, status: int) -> str:
    match status:
        case 401 | 403:
            advice = " It requires a login, or blocks programs."
        case 404 | 410:
            advice = " Check on its site whether it has moved."
        case _:
            advice = ""
    return f"{subject} was refused (HTTP {status}).{advice}"


def _describe_omissions(
    subject: str, feed: ParsedFeed, empty_count: int, ambiguous_count: int, other_count: int
) -> Iterator[str]:
    """What of a feed is not among its listings."""
    if feed.truncation:
        yield f"{subject} {feed.truncation}; entries may be missing."
    if empty_count:
        yield f"{subject}: {_format_entry_count(empty_count)} without title, link and text omitted."
    if ambiguous_count:
        yield f"{subject}: {_format_entry_count(ambiguous_count)} omitted, because another one has the same id, link and title."
    if other_count:
        yield f"{subject}: {_format_entry_count(other_count)} omitted, because another one has the same id or link but a different title."
    if feed.omitted:
        yield f"{subject}: {_format_entry_count(feed.omitted)} beyond the first {MAX_ENTRIES:,} omitted."


def _format_entry_count(count: int) -> str:
    return f"{count:,} entries" if count > 1 else "one entry"


def _compute_latest_date(date_text: str) -> datetime | None:
    """The server's clock and a day: who dates an entry later than that does not mean it."""
    try:
        latest = parsedate_to_datetime(date_text) + timedelta(days=1)
        return latest if latest.tzinfo else latest.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        return None


# --- entries --------------------------------------------------------------------------------------


def _make_listing(entry: ParsedEntry, identity: EntryIdentity, page: str, latest: datetime | None) -> Listing:
    """A listing.

    Args:
        entry: what was printed.
        identity: what it is known by.
        page: what to read where the entry has no page of its own.
        latest: no entry is dated after it.
    """
    entry = _parse_sciencedirect(entry)
    scheme, _, value = identity.key.partition(":")
    is_arxiv = scheme == "arxiv"
    title = _truncate(entry.title, _MAX_TITLE_LENGTH) or _truncate(entry.text, 100) or entry.link or page
    paper = Paper(
        key=identity.key,
        title=title,
        abstract=_truncate(entry.text, _MAX_TEXT_LENGTH) if entry.text != entry.title else "",
        authors=_read_authors(entry),
        categories=tuple([tag for tag in entry.tags if not is_arxiv or is_known_category(tag)][:_MAX_TAGS]),
        version=identity.version,
        url=f"https://arxiv.org/abs/{value}" if is_arxiv else entry.link or page,
        pdf_url=f"https://arxiv.org/pdf/{value}" if is_arxiv else "",
        doi=identity.doi,
        journal_ref=entry.journal,
    )
    dated = entry.dated if entry.dated and not (latest and entry.dated > latest) else None
    return Listing(kind=ListingKind.NEW, paper=paper, published_at=dated)


_SCIENCEDIRECT = re.compile(
    r"Publication date: (?:(?! Source: ).){1,60} Source: (?P<journal>(?:(?! Author\(s\): ).){1,500})"
    r"(?: Author\(s\): (?P<authors>.+))?"
)


def _parse_sciencedirect(entry: ParsedEntry) -> ParsedEntry:
    """The feeds of Elsevier's journals have no abstract: in its place stand journal and authors."""
    if not (match := _SCIENCEDIRECT.fullmatch(entry.text)):
        return entry
    bylines = entry.bylines or (match["authors"] or "",)
    return replace(entry, text="", journal=entry.journal or match["journal"], bylines=bylines)


def _read_authors(entry: ParsedEntry) -> tuple[Author, ...]:
    names = dict.fromkeys(name for byline in entry.bylines for name in split_names(byline))
    return tuple(names)[:_MAX_AUTHORS]


def _truncate(text: str, limit: int) -> str:
    """The text, or its beginning up to a blank."""
    if len(text) <= limit:
        return text
    return f"{text[:limit].rpartition(' ')[0] or text[:limit]} …"


def _merge_duplicates(listings: list[Listing]) -> tuple[Listing, ...]:
    """One listing for each paper, where it stood first; what the first lacks, a later one fills in."""
    listings_by_key: dict[PaperKey, Listing] = {}
    for listing in listings:
        paper = listing.paper
        earlier = listings_by_key.get(paper.key)
        listings_by_key[paper.key] = _fill_missing(earlier, listing) if earlier else listing
    return tuple(listings_by_key.values())


def _fill_missing(earlier: Listing, later: Listing) -> Listing:
    names = ("abstract", "authors", "categories", "doi", "journal_ref")
    missing = {name: getattr(later.paper, name) for name in names if not getattr(earlier.paper, name)}
    return replace(
        earlier,
        paper=replace(earlier.paper, **missing),
        published_at=earlier.published_at or later.published_at,
    )
