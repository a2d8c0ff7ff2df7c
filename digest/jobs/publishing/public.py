"""Feeds for everybody: everything new, a category, an author, and the queries that the file declares.

They need no reader's data. What they ask for is matched with what readers follow, so that an answer costs a look at
what is kept, however many papers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from digest.config import PublicFeedSettings, Settings
from digest.core.language import query as written
from digest.core.language.default_kinds import as_told
from digest.core.language.parser import parse
from digest.core.language.query import Query
from digest.core.matching.evaluate import evaluate
from digest.core.names.fitting import NameFit, name_fit
from digest.core.papers.categories import CATEGORIES
from digest.core.papers.document import document
from digest.core.papers.identity.person_ids import named_scheme, person_id
from digest.core.papers.taxonomy import canonical
from digest.model import Band, Event, Evidence, Item, Part, Reason
from digest.store.database.engine import Store, Transaction
from digest.store.papers.events import before_day, events_at
from digest.store.publishing import public

ALL, CATEGORY, AUTHOR, QUERY = "all", "category", "author", "query"
"""The sorts of feeds, as addresses have them."""
MOST_OF_ALL, MOST = 200, 100
"""Events that a feed has at most."""
REACH = timedelta(days=30)
"""A feed of a category or a query goes back so far at most."""
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeed:
    """A feed for everybody; while two of them are equal, nothing of it has changed.

    Attributes:
        sort: ``all``, ``category``, ``author`` or ``query``.
        name: its name in addresses and ids; "" for all.
        title: the one that readers see; "" for all.
        text: the query whose words are marked in its papers; "" for none.
        seqs: its events, the newest first.
    """

    sort: str
    name: str
    title: str
    text: str
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """What everybody can read.

    Attributes:
        settings: say what that is.
        clock: gives the time.
    """

    store: Store
    settings: Settings
    clock: Callable[[], datetime]

    @property
    def any(self) -> bool:
        """Whether there is any such feed."""
        return self.settings.site.public_feeds or bool(self.settings.public_feeds)

    def feed(self, sort: str, name: str) -> PublicFeed | None:
        """A feed; None where there is none of that name, or not for everybody.

        Args:
            sort: as ``PublicFeed`` has it.
            name: whatever somebody sent.
        """
        if sort == QUERY:
            declared = {one.name: one for one in self.settings.public_feeds}
            return self._filled([_of_query(declared[name])])[0] if name in declared else None
        if not self.settings.site.public_feeds or len(name) > _LONGEST_NAME or not name.isprintable():
            return None
        if sort == ALL:
            return self._of_all() if not name else None
        if sort == CATEGORY:
            return self._filled([_of_category(name)])[0] if name in categories() else None
        return self._of_author(name) if sort == AUTHOR else None

    def standing(self) -> tuple[PublicFeed, ...]:
        """All feeds that can be listed: everything, the queries, and the categories that have papers."""
        opened = [_of_query(one) for one in self.settings.public_feeds]
        if not self.settings.site.public_feeds:
            return self._filled(opened)
        filled = self._filled([*opened, *map(_of_category, sorted(categories()))])
        return (self._of_all(), *(one for one in filled if one.seqs or one.sort == QUERY))

    def items(self, feed: PublicFeed) -> list[tuple[Item, datetime]]:
        """The papers of a feed, each with its date, the newest first.

        An event has a day and no hour: those of a day are a second apart, so that programs keep their order.
        """
        with self.store.reading() as tx:
            found = events_at(tx, feed.seqs)
            first = public.first_seqs(tx, {event.day for event in found.values()})
        told = [found[seq] for seq in feed.seqs if seq in found]
        dated = [
            (event, _midnight(event) + timedelta(seconds=(event.seq - first[event.day]) % 86_400))
            for event in told
        ]
        return [(_item(event, feed), at) for event, at in dated]

    # --- by sort ----------------------------------------------------------------------------------

    def _of_all(self) -> PublicFeed:
        with self.store.reading() as tx:
            seqs = public.newest(tx, MOST_OF_ALL)
        return PublicFeed(sort=ALL, name="", title="", text="", seqs=seqs)

    def _filled(self, empty: Sequence[_Matched]) -> tuple[PublicFeed, ...]:
        """Feeds with what fits them."""
        with self.store.reading() as tx:
            start = _start(tx, self.clock())
            found = public.fitting(tx, [one.matched for one in empty], start, MOST)
        return tuple(replace(one.feed, seqs=found.get(one.matched, ())) for one in empty)

    def _of_author(self, name: str) -> PublicFeed | None:
        scheme, value = named_scheme(name)
        known = person_id(scheme, value) if scheme else None
        with self.store.reading() as tx:
            if scheme:
                seqs = public.signed_with(tx, scheme, known, MOST) if known else ()
            else:
                seqs = public.signed(tx, name, MOST)
        return PublicFeed(sort=AUTHOR, name=name, title=name, text="", seqs=seqs) if seqs else None


# --- what is matched for them ---------------------------------------------------------------------


def declare(tx: Transaction, settings: Settings, now: datetime) -> None:
    """Have matched what the file lets everybody read.

    Args:
        tx: the transaction in which the file is applied.
        settings: the file.
        now: the time.
    """
    texts = {of_query(one.query) for one in settings.public_feeds}
    if settings.site.public_feeds:
        texts.update(map(of_category, categories()))
    public.declare(tx, texts, _start(tx, now) if texts else 0)


@lru_cache(maxsize=1024)
def of_query(text: str) -> str:
    """What is matched for a query: of papers that are new or picked, unless it names other kinds of news."""
    return _told(parse(text))


@lru_cache(maxsize=1024)
def of_category(name: str) -> str:
    """What is matched for a category."""
    return _told(parse(written.category(name)))


class _Matched(NamedTuple):
    """A feed, still empty, and the query that is matched for it."""

    feed: PublicFeed
    matched: str


def _of_category(name: str) -> _Matched:
    return _Matched(PublicFeed(sort=CATEGORY, name=name, title=name, text="", seqs=()), of_category(name))


def _of_query(declared: PublicFeedSettings) -> _Matched:
    feed = PublicFeed(sort=QUERY, name=declared.name, title=declared.title, text=declared.query, seqs=())
    return _Matched(feed, of_query(declared.query))


def _told(query: Query) -> str:
    return str(parse(str(as_told(query))))


@cache
def categories() -> frozenset[str]:
    """The categories and archives of arXiv that have a feed, as arXiv writes them."""
    ids = {canonical(line.partition(": ")[0].partition(" = ")[0]) for line in CATEGORIES.splitlines()}
    return frozenset(ids | {one.partition(".")[0] for one in ids})


def _start(tx: Transaction, now: datetime) -> int:
    return before_day(tx, (now - REACH).date())


# --- papers ---------------------------------------------------------------------------------------


def _item(event: Event, feed: PublicFeed) -> Item:
    """A paper with the words to be marked: what fits the query, or the author."""
    evidence: Sequence[Evidence] = ()
    if feed.text:
        fit = evaluate(parse(feed.text), document(event.paper, kind=event.kind, source=event.source))
        evidence = fit.evidence if fit else ()
    elif feed.sort == AUTHOR:
        evidence = (Evidence(field="author", words=tuple(_signed(event, feed.name))),)
    why = Reason(follow=feed.title, band=Band.SURELY, evidence=tuple(evidence))
    return Item(event=event, part=Part.SURELY, reasons=(why,), score=0.0)


def _signed(event: Event, name: str) -> Iterable[str]:
    return (one.name for one in event.paper.authors if name_fit(name, one.name) is NameFit.FULL)


def _midnight(event: Event) -> datetime:
    return datetime.combine(event.day, time(), UTC)
