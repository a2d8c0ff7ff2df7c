"""What a query finds among the papers that are there, and what it would find if it asked for less."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import islice
from operator import or_

from digest.core.compose import tells
from digest.core.language.news import as_told
from digest.core.language.query import (
    Exact,
    Or,
    Phrase,
    Prefix,
    Query,
    compiled,
    names_kind,
    papers_named,
    people_in,
)
from digest.core.language.reading import Reading, reading
from digest.core.language.wider import Wider, asked_for, sides, wider
from digest.core.matching.engine import Engine
from digest.core.matching.evaluate import evaluate
from digest.core.matching.glance import glance
from digest.core.matching.hits import BLOCK, Hits, places
from digest.core.papers.document import NOTHING_KNOWN, Byline, Document, Standing, document
from digest.jobs.people import keys_sought, standings
from digest.model import Band, Event, EventKind, Fit, PaperKey
from digest.store.citations import references_known
from digest.store.engine import Store, Transaction, highest_seq
from digest.store.events import before_day, events_between

_TRIED = frozenset((EventKind.NEW, EventKind.PICKED))
"""What a digest asks for that says nothing else."""
ENOUGH = 3_000
"""So many papers tell what a query finds: if it finds more, no days further back are asked about."""
_MOST = 40
"""So many alternatives, wider queries and parts are tried at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A paper that the query finds, by its first event that fits.

    Attributes:
        band: how surely.
        in_title: how many of the words and phrases that are asked for stand in the title.
        sides: which alternatives of the query it shows, by their numbers.
        bylines: with what is known of who signed.
    """

    event: Event
    band: Band
    in_title: int
    sides: frozenset[int]
    bylines: tuple[Byline, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """An announcement day.

    Attributes:
        asked: how many papers were looked at.
        sure: how many the query finds, surely or likely.
        maybe: how many it may find.
    """

    day: date
    asked: int
    sure: int
    maybe: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a query finds.

    Attributes:
        reading: how it was read.
        told: what a digest that says nothing of kinds is told by it.
        days: those on which anything was announced that it was asked about, the first one first.
        found: each paper once, the surest first, of these those with most words that fit in the title, then the newest.
        since: it finds so many papers that only these days, from this one on, were asked about; None: all were.
        wider: where nothing is found, the queries that ask for one thing less, with how many papers they
            find; those that find most first.
        lacking: where nothing is found, the parts of the query that find nothing by themselves either.
        references: where it asks what papers cite, of how many papers of these days that is known, and how many
            there are.
    """

    reading: Reading
    told: Query
    days: tuple[Day, ...]
    found: tuple[Found, ...]
    since: date | None = None
    wider: tuple[tuple[Wider, int], ...] = ()
    lacking: tuple[str, ...] = ()
    references: tuple[int, int] | None = None

    @property
    def asked(self) -> int:
        """How many papers it was asked about."""
        return sum(day.asked for day in self.days)

    def why(self, one: Found) -> Fit:
        """Why the query finds a paper: this is worked out for those papers alone of which it is shown."""
        fit = evaluate(self.told, replace(_document(one.event), bylines=one.bylines))
        assert fit
        return fit


def try_query(
    store: Store,
    text: str,
    days: int,
    now: datetime,
    *,
    enough: int = ENOUGH,
    tell: Callable[[str, int, int], None] = lambda _what, _done, _of: None,
) -> Tried:
    """Ask a query about the papers of the last days that are in the store: those that were new or picked.

    Of other events, as new versions, it is asked where it names their kinds.

    Args:
        store: where.
        text: the query.
        days: how far back to look.
        now: until when.
        enough: days further back are not asked about once it has found so many papers.
        tell: is told what is done, and with how many events of how many, now and then.

    Raises:
        QueryError: it cannot be read.
    """
    read = reading(text)
    first = now.date() - timedelta(days=days)
    with store.reading() as tx:
        around = _Surroundings(tx, read.query, first, tell)
        asked, found, since = _find(around, read, enough)
        tried = Tried(
            reading=read,
            told=around.as_told(read.query),
            days=_days(asked, found),
            found=tuple(sorted(found, key=_rank)),
            since=since,
            references=references_known(tx, first) if _asks_citations(read.query) else None,
        )
        return tried if found else _with_less(around, tried)


def _asks_citations(query: Query) -> bool:
    return any(field == "cites" for field, _ in papers_named(compiled(query)))


def telling(found: Iterable[Found], most: int) -> tuple[Found, ...]:
    """Examples that tell most about a query, out of what it finds.

    Going through the papers in their order, first each one that shows an alternative of the query that none
    before it shows; then, while there is room, the first of the others. Shown in their order, too.

    Args:
        found: in the order of ``Tried.found``.
        most: how many to take.
    """
    papers = tuple(found)
    shown: set[int] = set()
    showing = []
    for place, one in enumerate(papers):
        if not one.sides <= shown:
            shown |= one.sides
            showing.append(place)
    others = (place for place in range(len(papers)) if place not in showing)
    return tuple(papers[place] for place in sorted(islice([*showing, *others], most)))


def _rank(one: Found) -> tuple[int, int, int, int]:
    return -one.band, -one.in_title, -one.event.day.toordinal(), one.event.seq


def _days(asked: Mapping[PaperKey, date], found: Iterable[Found]) -> tuple[Day, ...]:
    of_day = Counter(asked.values())
    sure, maybe = Counter[date](), Counter[date]()
    for one in found:
        (sure if one.band >= Band.LIKELY else maybe)[one.event.day] += 1
    return tuple(
        Day(day=day, asked=of_day[day], sure=sure[day], maybe=maybe[day])
        for day in sorted({*of_day, *sure, *maybe})
    )


# --- asking ---------------------------------------------------------------------------------------


def _find(
    around: _Surroundings, read: Reading, enough: int
) -> tuple[dict[PaperKey, date], list[Found], date | None]:
    """The papers that were looked at, each with its day, what the query finds, and since when if not all were."""
    asked: dict[PaperKey, date] = {}
    found: dict[PaperKey, Found] = {}
    query = around.as_told(read.query)
    alternatives = sides(read.typed)[:_MOST]
    parts = dict.fromkeys(part for part in asked_for(read.query) if isinstance(part, Phrase | Exact | Prefix))
    engine = _engine([query, *alternatives, *parts])
    reached: list[date] = []

    def looked_at() -> Iterator[Sequence[Event]]:
        for events in around.events("Asking papers"):
            if len(found) >= enough:
                reached.append(min(asked.values()))
                return
            for event in reversed(events):
                asked[event.paper.key] = event.day
            yield events

    for pairs in around.documents(looked_at(), [query]):
        for one in _among(pairs, engine, len(alternatives)):
            key = one.event.paper.key
            if key not in found or one.event.seq < found[key].event.seq:
                found[key] = one
    # Of the day that was reached some papers may not have been asked about: it counts only if there is no other.
    whole = sorted(day for day in set(asked.values()) if reached and day > reached[0])
    if not whole:
        return asked, list(found.values()), min(reached, default=None)
    return (
        {key: day for key, day in asked.items() if day >= whole[0]},
        [one for one in found.values() if one.event.day >= whole[0]],
        whole[0],
    )


def _among(pairs: _Pairs, engine: Engine, alternatives: int) -> Iterator[Found]:
    """What a query finds of some papers; the engine has the query, its alternatives, and behind them its parts."""
    hits, shown, in_title = _NO_HITS, defaultdict[int, set[int]](set), Counter[int]()
    for number, rows in engine.match([about for _, about in pairs]):
        if number == _QUERY:
            hits = rows
        elif number <= alternatives:
            for place in places(rows.maybe):
                shown[place].add(number)
        else:
            in_title.update(places(rows.title))
    for place in places(hits.maybe):
        event, about = pairs[place]
        yield Found(
            event=event,
            band=_band(hits, place),
            in_title=in_title[place],
            sides=frozenset(shown[place]),
            bylines=about.bylines,
        )


_NO_HITS = Hits(0, 0, 0, 0, 0, 0)
_QUERY = 0
"""The number of the query."""


def _band(hits: Hits, place: int) -> Band:
    return Band(sum(row >> place & 1 for row in (hits.maybe, hits.likely, hits.surely)))


def _with_less(around: _Surroundings, tried: Tried) -> Tried:
    """What would be found if one thing less were asked for, and which parts find nothing by themselves."""
    typed = tried.reading.typed
    less = list(islice(wider(typed), _MOST))
    parts = list(dict.fromkeys(islice(asked_for(typed), _MOST)))
    queries = [around.as_told(query) for query in (*(one.query for one in less), *parts)]
    engine = _engine(queries)
    found: dict[int, set[PaperKey]] = {number: set() for number in range(len(queries))}
    for pairs in around.documents(around.events("Asking for less"), queries):
        for number, hits in engine.match([about for _, about in pairs]):
            found[number].update(pairs[place][0].paper.key for place in places(hits.maybe))
    counted = [(one, len(found[number])) for number, one in enumerate(less)]
    return replace(
        tried,
        wider=tuple(sorted(counted, key=lambda pair: -pair[1])),
        lacking=tuple(str(part) for number, part in enumerate(parts, start=len(less)) if not found[number]),
    )


def _engine(queries: Iterable[Query]) -> Engine:
    engine = Engine()
    for number, query in enumerate(queries):
        engine.add(number, query)
    return engine


# --- what is asked about --------------------------------------------------------------------------

_Pairs = list[tuple[Event, Document]]


class _Surroundings:
    """The events in question, and their papers as queries see them."""

    def __init__(
        self, tx: Transaction, query: Query, since: date, tell: Callable[[str, int, int], None]
    ) -> None:
        self._tx = tx
        self._since = since
        self._tell = tell
        self._any_kind = names_kind(query) is not None
        self._people = tuple(people_in(query))
        self._signed = _engine(self._people)

    def as_told(self, query: Query) -> Query:
        """What a digest that says nothing of kinds is told by a query, of the events here."""
        return as_told(query) if self._any_kind else query

    def events(self, what: str) -> Iterator[tuple[Event, ...]]:
        """Those that can be told, in order, a block at a time, the last block first."""
        kinds = frozenset(EventKind) if self._any_kind else _TRIED
        first, last = before_day(self._tx, self._since), highest_seq(self._tx)
        for high in range(last, first, -BLOCK):
            self._tell(what, last - high, last - first)
            happened = events_between(self._tx, max(first, high - BLOCK), high)
            yield tuple(one for one in happened if one.day >= self._since and tells(one, kinds))

    def documents(self, blocks: Iterable[Sequence[Event]], queries: Iterable[Query]) -> Iterator[_Pairs]:
        """The papers that one of some queries may fit, a block at a time.

        Who signed is worked out once, for all papers of which that has to be known, and these come last.
        """
        may_fit = glance(Or(queries=tuple(queries)))
        in_doubt: list[Event] = []
        for events in blocks:
            pairs = [(event, _document(event)) for event in events if may_fit(event.paper)]
            doubtful = self._doubtful([about for _, about in pairs])
            in_doubt += [pairs[place][0] for place in places(doubtful)]
            yield [pair for place, pair in enumerate(pairs) if not doubtful >> place & 1]
        sought = frozenset[str]().union(*map(keys_sought, self._people))
        known = standings(self._tx, [event.paper for event in in_doubt], self._signed.people, sought)
        for first in range(0, len(in_doubt), BLOCK):
            several = in_doubt[first : first + BLOCK]
            yield [(event, _document(event, known.get(event.paper.key, NOTHING_KNOWN))) for event in several]

    def _doubtful(self, documents: Sequence[Document]) -> int:
        """The papers signed by a name that the query has; all where it has an id without a name. A row of bits."""
        if not all(one.name for one in self._people):
            return (1 << len(documents)) - 1
        rows = (hits.maybe for _, hits in self._signed.match(documents)) if self._people else ()
        return reduce(or_, rows, 0)


def _document(event: Event, known: Mapping[str, Standing] = NOTHING_KNOWN) -> Document:
    return document(event.paper, kind=event.kind, source=event.source, standings=known)
