"""Any feed on the web, of a journal or a blog: RSS, Atom or JSON Feed, well-formed or not.

    [[source]]
    use = "feed"
    url = "https://example.org/blog.xml"

``digest.core.fetching.formats.any_feed`` parses feeds; this module converts their entries to papers.
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
from digest.core.fetching.options import ServiceOptions
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
"""Maximum length of a text, in characters: two to three abstracts; blogs have whole articles in their feeds."""
_MAX_TITLE_LENGTH = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """A feed; it has no announcement days: an entry belongs to the day on which it is first seen.

    Attributes:
        url: the address of the feed.
        title: the name for readers; by default the host of the feed.
        name: its name in tables, messages and editions; by default its address without ``https://`` and
            without the parts that may be secret: user, password and query.
        pace: minimum number of seconds between two requests to its host.
        by_reader: whether a reader gave the address, not the operator; it must not lead into our own network.
        secrets: all parts of ``url`` that are secret; by default those that look like a secret.
    """

    url: str
    title: str = ""
    name: str = ""
    max_bytes: int = 10_000_000
    by_reader: bool = False
    secrets: tuple[str, ...] | None = field(default=None, repr=False)

    def check_options(self) -> None:
        """Validate the options."""
        if make_page_key(self.url) is None:
            raise OptionError(
                f"the url {self.url!r} is not a web address; it must start with https:// or http://", "url"
            )
        # The class is frozen, and two fields have defaults that depend on another field.
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
        """Its whole address, which was its name in earlier releases."""
        former_name = _make_name(self.url)
        return () if former_name in {self.name, _make_name(make_public_address(self.url))} else (former_name,)

    def _find_secrets(self, final_url: str = "") -> frozenset[str]:
        """Return the secrets of our address, and of the address that it redirected to."""
        if self.secrets is None:
            return extract_credentials(self.url) | extract_credentials(final_url)
        return frozenset({*self.secrets, *map(unquote, self.secrets)})

    def _select_masked(self, secrets: frozenset[str]) -> frozenset[str]:
        """Return the secrets that are searched in all texts, and not only in parameters of addresses."""
        return select_uncommon(secrets) if self.secrets is None else secrets

    @property
    def _distinct_address(self) -> str:
        """An address without secrets that distinguishes entries from those of other feeds, if they have no IDs."""
        distinct_address = make_distinct_address(self.url)
        public_part = redact_received(distinct_address, self._select_masked(self._find_secrets()))
        return (
            public_part
            if public_part == distinct_address
            else f"{public_part}~{compute_fingerprint(self.url)}"
        )

    def renew_paper(self, paper: Paper) -> Paper:
        """Return a paper that was stored when keys and links contained the whole address, as it is parsed now."""
        url = self._make_public(paper.url)
        title = url if paper.title == paper.url else paper.title
        return replace(
            paper, key=self._renew_key(paper), title=title, url=url, pdf_url=self._make_public(paper.pdf_url)
        )

    def _make_public(self, address: str) -> str:
        """Return an address of an entry without secrets; an entry without a link has the address of the feed."""
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
        """Return the key of an entry that is only identified by the feed and its ID or title."""
        public_feed_key = make_page_key(self._distinct_address)
        # The keys are compared as a whole, because a long one ends in a hash.
        is_by_title = paper.key == limit_key(f"{feed_key}#{paper.title}")
        return limit_key(
            f"{public_feed_key}#{paper.title}"
            if is_by_title
            else f"{public_feed_key}{paper.key[len(feed_key) :]}"
        )

    @property
    def sections(self) -> tuple[str, ...]:
        """A single section: the feed."""
        return ("feed",)

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """A single route: the feed."""
        return (Route(name="feed", scope=Scope.LATEST),)

    @property
    def calendar(self) -> None:
        """None, because a feed is fetched from time to time."""
        return

    @property
    def is_untrusted(self) -> bool:
        """Always true, because anybody can write a feed."""
        return True

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - a feed has neither days nor pages
        """Return the request for the feed."""
        return Request(
            section=ask.section, route=ask.route, url=self.url, accept=ACCEPT, is_reader_url=self.by_reader
        )

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a feed.
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
            # An entry about another paper must not fill in fields of the first one.
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
        """Return the entries with a title, link or text, without secrets, and the identity of each."""
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
        """Return an entry for identification: a fingerprint replaces secrets, so that feeds of one host differ."""

        def mark(text: str, public_text: str) -> str:
            return text if public_text == text else public_text.replace(MASK, compute_fingerprint(self.url))

        return replace(
            public_entry,
            link=mark(entry.link, public_entry.link),
            guid=mark(entry.guid, public_entry.guid),
            ids=tuple([text for text in entry.ids if text in public_entry.ids]),
        )

    def _hide_secrets(self, address: str, secrets: frozenset[str]) -> str:
        """Return an address without secrets; "" if a secret cannot be removed from it."""
        public_address = strip_credentials(self.url, address, secrets)
        return "" if holds_secret(public_address, self._select_masked(secrets)) else public_address


def _drop_masked_link(entry: ParsedEntry, public_entry: ParsedEntry) -> ParsedEntry:
    """Return an entry without its link if that contains a mask, because it would lead nowhere."""
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
    """Yield sentences about what was omitted from the listings of a feed."""
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
    """Return the date of the response plus one day; entries with a later date count as undated."""
    try:
        latest = parsedate_to_datetime(date_text) + timedelta(days=1)
        return latest if latest.tzinfo else latest.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        return None


# --- entries --------------------------------------------------------------------------------------


def _make_listing(entry: ParsedEntry, identity: EntryIdentity, page: str, latest: datetime | None) -> Listing:
    """Return the listing of an entry.

    Args:
        entry: the entry.
        identity: its identity.
        page: the page that replaces a missing link.
        latest: the latest plausible date.
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
    """Return an entry of an Elsevier journal with journal and authors, which its feed has in place of the abstract."""
    if not (match := _SCIENCEDIRECT.fullmatch(entry.text)):
        return entry
    bylines = entry.bylines or (match["authors"] or "",)
    return replace(entry, text="", journal=entry.journal or match["journal"], bylines=bylines)


def _read_authors(entry: ParsedEntry) -> tuple[Author, ...]:
    names = dict.fromkeys(name for byline in entry.bylines for name in split_names(byline))
    return tuple(names)[:_MAX_AUTHORS]


def _truncate(text: str, limit: int) -> str:
    """Return a text, or its beginning, cut at white space."""
    if len(text) <= limit:
        return text
    return f"{text[:limit].rpartition(' ')[0] or text[:limit]} …"


def _merge_duplicates(listings: list[Listing]) -> tuple[Listing, ...]:
    """Return one listing for each paper, at its first position; later ones fill in missing fields."""
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
