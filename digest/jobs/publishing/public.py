"""Public feeds: everything new, a category, an author, and the queries that the file declares as public.

They need no data of readers. Their queries are matched together with those that readers follow, so that a
request only takes a lookup of stored matches, however many papers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from digest.config import PublicFeedSettings, Settings
from digest.core.language import query as written
from digest.core.language.default_kinds import apply_default_kinds
from digest.core.language.parser import parse
from digest.core.language.query import Query
from digest.core.matching.evaluate import evaluate
from digest.core.names.fitting import NameMatch, match_names
from digest.core.papers.categories import CATEGORIES
from digest.core.papers.document import build_document
from digest.core.papers.identity.person_ids import parse_person_id, split_scheme
from digest.core.papers.taxonomy import canonicalize_category
from digest.model import Confidence, EditionPart, Event, Evidence, Item, Reason
from digest.store.database.engine import Store, Transaction
from digest.store.papers.events import find_seq_before, load_events_by_seq
from digest.store.publishing import public

ALL, CATEGORY, AUTHOR, QUERY = "all", "category", "author", "query"
"""The sorts of feeds, as they occur in addresses."""
MAX_ALL_EVENTS, MAX_FEED_EVENTS = 200, 100
"""Maximum number of events in the feed of everything, and in each other feed."""
MAX_FEED_AGE = timedelta(days=30)
"""Maximum age of events in the feed of a category or query."""
_MAX_NAME_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeed:
    """A public feed; if two of them are equal, the content has not changed.

    Attributes:
        sort: ``all``, ``category``, ``author`` or ``query``.
        name: its name in addresses and IDs; "" for all.
        title: the title for readers; "" for all.
        text: the query whose words are highlighted in its papers; "" for none.
        seqs: its events, newest first.
    """

    sort: str
    name: str
    title: str
    text: str
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeedLoader:
    """Loads the public feeds.

    Attributes:
        store: the store.
        settings: the configuration, which declares the public feeds.
        clock: returns the time, UTC.
    """

    store: Store
    settings: Settings
    clock: Callable[[], datetime]

    @property
    def has_feeds(self) -> bool:
        """Whether there are any public feeds."""
        return self.settings.site.public_feeds or bool(self.settings.public_feeds)

    def load_feed(self, sort: str, name: str) -> PublicFeed | None:
        """Load a feed; return None if there is no public feed with this name.

        Args:
            sort: a value of ``PublicFeed.sort``.
            name: the name in the request, which may be anything.
        """
        if sort == QUERY:
            declared = {feed_settings.name: feed_settings for feed_settings in self.settings.public_feeds}
            return self._fill_feeds([_make_query_feed(declared[name])])[0] if name in declared else None
        if not self.settings.site.public_feeds or len(name) > _MAX_NAME_LENGTH or not name.isprintable():
            return None
        if sort == ALL:
            return self._load_all_feed() if not name else None
        if sort == CATEGORY:
            return self._fill_feeds([_make_category_feed(name)])[0] if name in list_categories() else None
        return self._load_author_feed(name) if sort == AUTHOR else None

    def list_feeds(self) -> tuple[PublicFeed, ...]:
        """Load all feeds that can be listed: everything, the queries, and the categories that have papers."""
        query_feeds = [_make_query_feed(feed_entry) for feed_entry in self.settings.public_feeds]
        if not self.settings.site.public_feeds:
            return self._fill_feeds(query_feeds)
        filled_feeds = self._fill_feeds([*query_feeds, *map(_make_category_feed, sorted(list_categories()))])
        return (
            self._load_all_feed(),
            *(feed_entry for feed_entry in filled_feeds if feed_entry.seqs or feed_entry.sort == QUERY),
        )

    def load_items(self, feed: PublicFeed) -> list[tuple[Item, datetime]]:
        """Load the papers of a feed, newest first, each with its date.

        An event has a day and no time: events of a day are given times one second apart, so that feed readers
        keep their order.
        """
        with self.store.begin_read() as tx:
            events_by_seq = load_events_by_seq(tx, feed.seqs)
            first_seqs = public.load_first_seqs(tx, {event.day for event in events_by_seq.values()})
        feed_events = [events_by_seq[seq] for seq in feed.seqs if seq in events_by_seq]
        dated = [
            (event, _get_midnight(event) + timedelta(seconds=(event.seq - first_seqs[event.day]) % 86_400))
            for event in feed_events
        ]
        return [(_make_item(event, feed), dated_at) for event, dated_at in dated]

    # --- by sort ----------------------------------------------------------------------------------

    def _load_all_feed(self) -> PublicFeed:
        with self.store.begin_read() as tx:
            seqs = public.list_newest(tx, MAX_ALL_EVENTS)
        return PublicFeed(sort=ALL, name="", title="", text="", seqs=seqs)

    def _fill_feeds(self, empty_feeds: Sequence[_EmptyFeed]) -> tuple[PublicFeed, ...]:
        """Return feeds with their matches."""
        with self.store.begin_read() as tx:
            start_seq = _find_start_seq(tx, self.clock())
            seqs_by_query = public.list_matching(
                tx, [empty_feed.query_text for empty_feed in empty_feeds], start_seq, MAX_FEED_EVENTS
            )
        return tuple(
            replace(empty_feed.feed, seqs=seqs_by_query.get(empty_feed.query_text, ()))
            for empty_feed in empty_feeds
        )

    def _load_author_feed(self, name: str) -> PublicFeed | None:
        scheme, value = split_scheme(name)
        known_id = parse_person_id(scheme, value) if scheme else None
        with self.store.begin_read() as tx:
            if scheme:
                seqs = public.list_signed_with_id(tx, scheme, known_id, MAX_FEED_EVENTS) if known_id else ()
            else:
                seqs = public.list_signed(tx, name, MAX_FEED_EVENTS)
        return PublicFeed(sort=AUTHOR, name=name, title=name, text="", seqs=seqs) if seqs else None


# --- queries --------------------------------------------------------------------------------------


def declare_queries(tx: Transaction, settings: Settings, now: datetime) -> None:
    """Declare the queries of public feeds, so that they are matched.

    Args:
        tx: the transaction in which the file is applied.
        settings: the configuration.
        now: the current time, UTC.
    """
    texts = {make_feed_query(feed_settings.query) for feed_settings in settings.public_feeds}
    if settings.site.public_feeds:
        texts.update(map(make_category_query, list_categories()))
    public.declare_queries(tx, texts, _find_start_seq(tx, now) if texts else 0)


@lru_cache(maxsize=1024)
def make_feed_query(text: str) -> str:
    """Return the query that is matched for a public query.

    It matches papers that are new or picked, unless it names other kinds.
    """
    return _add_default_kinds(parse(text))


@lru_cache(maxsize=1024)
def make_category_query(name: str) -> str:
    """Return the query that is matched for a category."""
    return _add_default_kinds(parse(written.format_category(name)))


class _EmptyFeed(NamedTuple):
    """A feed without events, and the query that is matched for it."""

    feed: PublicFeed
    query_text: str


def _make_category_feed(name: str) -> _EmptyFeed:
    return _EmptyFeed(
        PublicFeed(sort=CATEGORY, name=name, title=name, text="", seqs=()), make_category_query(name)
    )


def _make_query_feed(feed_settings: PublicFeedSettings) -> _EmptyFeed:
    feed = PublicFeed(
        sort=QUERY, name=feed_settings.name, title=feed_settings.title, text=feed_settings.query, seqs=()
    )
    return _EmptyFeed(feed, make_feed_query(feed_settings.query))


def _add_default_kinds(query: Query) -> str:
    return str(parse(str(apply_default_kinds(query))))


@cache
def list_categories() -> frozenset[str]:
    """List the categories and archives of arXiv that have a feed, as arXiv writes them."""
    category_ids = {
        canonicalize_category(line.partition(": ")[0].partition(" = ")[0]) for line in CATEGORIES.splitlines()
    }
    return frozenset(category_ids | {category_id.partition(".")[0] for category_id in category_ids})


def _find_start_seq(tx: Transaction, now: datetime) -> int:
    return find_seq_before(tx, (now - MAX_FEED_AGE).date())


# --- papers ---------------------------------------------------------------------------------------


def _make_item(event: Event, feed: PublicFeed) -> Item:
    """Make the item of a paper, with the evidence to highlight: words of the query, or the author."""
    evidence: Sequence[Evidence] = ()
    if feed.text:
        match_result = evaluate(
            parse(feed.text), build_document(event.paper, kind=event.kind, source=event.source)
        )
        evidence = match_result.evidence if match_result else ()
    elif feed.sort == AUTHOR:
        evidence = (Evidence(field="author", words=tuple(_list_signing_names(event, feed.name))),)
    reason = Reason(follow=feed.title, confidence=Confidence.SURELY, evidence=tuple(evidence))
    return Item(event=event, part=EditionPart.SURELY, reasons=(reason,), score=0.0)


def _list_signing_names(event: Event, name: str) -> Iterable[str]:
    return (author.name for author in event.paper.authors if match_names(name, author.name) is NameMatch.FULL)


def _get_midnight(event: Event) -> datetime:
    return datetime.combine(event.day, time(), UTC)
