"""What a query finds among the papers that are there, and what it would find if it asked for less."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import islice
from operator import or_

from digest.core.language.parser import Reading, reading
from digest.core.language.query import (
    Query,
    TextQuery,
    compiled,
    papers_named,
)
from digest.core.language.relax import Wider, asked_for, sides, wider
from digest.core.matching.bitmaps import Hits, places
from digest.core.matching.evaluate import evaluate
from digest.core.matching.narrowing import Bounds
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import Byline
from digest.jobs.matching.recent_events import RecentEvents, document_of, engine_of
from digest.model import Band, Event, Fit
from digest.store.citations import references_known
from digest.store.database.engine import Store
from digest.store.matching.search_index import IndexedEvents
from digest.store.papers.events import events_at

ENOUGH = 3_000
"""So many papers tell what a query finds: if it finds more, no days further back are asked about."""
_MOST = 40
"""So many alternatives, wider queries and parts are tried at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A paper that the query finds, by its first event that fits.

    Attributes:
        seq: of the event.
        day: of the event.
        band: how surely.
        in_title: how many of the words and phrases that are asked for stand in the title.
        sides: which alternatives of the query it shows, by their numbers.
        bylines: with what is known of who signed; none where the query fits whoever signed.
    """

    seq: int
    day: date
    band: Band
    in_title: int
    sides: frozenset[int]
    bylines: tuple[Byline, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A paper that the query finds, whole.

    Attributes:
        event: by which it was found.
        why: the query fits it.
    """

    found: Found
    event: Event
    why: Fit


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
        around = RecentEvents(tx, read, first, tell)
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


def load_events(store: Store, found: Iterable[Found]) -> dict[int, Event]:
    """The events by which papers were found, with their papers, by seq."""
    with store.reading() as tx:
        return events_at(tx, [one.seq for one in found])


def load_examples(store: Store, tried: Tried, found: Iterable[Found]) -> tuple[Example, ...]:
    """Papers that a query finds, whole, and why it finds them.

    Those are left out that have changed since, so that it finds them no more.
    """
    wanted = tuple(found)
    events = load_events(store, wanted)
    examples = []
    for one in wanted:
        about = document_of(events[one.seq])
        fit = evaluate(tried.told, replace(about, bylines=one.bylines) if one.bylines else about)
        if fit:
            examples.append(Example(found=one, event=events[one.seq], why=fit))
    return tuple(examples)


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
    return -one.band, -one.in_title, -one.day.toordinal(), one.seq


def _days(asked: Mapping[int, date], found: Iterable[Found]) -> tuple[Day, ...]:
    of_day = Counter(asked.values())
    sure, maybe = Counter[date](), Counter[date]()
    for one in found:
        (sure if one.band >= Band.LIKELY else maybe)[one.day] += 1
    return tuple(
        Day(day=day, asked=of_day[day], sure=sure[day], maybe=maybe[day])
        for day in sorted({*of_day, *sure, *maybe})
    )


# --- asking ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked of each paper.

    Attributes:
        query: what is tried.
        alternatives: of the query; their numbers are those of ``Found.sides``.
        parts: the words and phrases that are to be there; those in the title are counted.
    """

    query: Query
    alternatives: Sequence[Query]
    parts: Sequence[TextQuery]

    @property
    def every(self) -> tuple[Query, ...]:
        """All of it, in the order of the numbers that ``_among`` reads."""
        return (self.query, *self.alternatives, *self.parts)


def _find(
    around: RecentEvents, read: Reading, enough: int
) -> tuple[dict[int, date], list[Found], date | None]:
    """The papers that were looked at, each with its day, what the query finds, and since when if not all were."""
    asked: dict[int, date] = {}
    found: dict[int, Found] = {}
    listed = around.listed
    wanted = _Asked(
        query=around.as_told(read.query),
        alternatives=sides(read.typed)[:_MOST],
        parts=_words_in(read.query),
    )
    engine = engine_of(wanted.every)
    reached: list[date] = []
    signed = 0

    def add(paper: int, one: Found) -> None:
        if paper not in found or one.seq < found[paper].seq:
            found[paper] = one

    def open_events() -> Iterator[Sequence[Event]]:
        nonlocal signed
        for block in around.blocks("Asking papers"):
            if len(found) >= enough:
                reached.append(min(asked.values()))
                return
            indexed = _decide(around, wanted, block)
            events = around.load(block, indexed.open)
            for place in reversed(places(around.asked(block, events))):
                asked[listed.papers[place]] = listed.days[place]
            for place in places(indexed.sure):
                add(listed.papers[place], indexed.found(place, listed))
            signed |= indexed.signed
            yield events

    for one in _find_in_loaded(around, engine, wanted, open_events()):
        add(around.paper_of(one.seq), one)
    for one in _find_signed(around, engine, wanted, signed):
        add(around.paper_of(one.seq), one)
    return _on_whole_days(asked, found.values(), _first_whole_day(asked, reached))


def _on_whole_days(
    asked: Mapping[int, date], found: Iterable[Found], since: date | None
) -> tuple[dict[int, date], list[Found], date | None]:
    """What ``_find`` gives, of what was looked at and found."""
    return (
        {paper: day for paper, day in asked.items() if since is None or day >= since},
        [one for one in found if since is None or one.day >= since],
        since,
    )


def _words_in(query: Query) -> tuple[TextQuery, ...]:
    """The words and phrases that are to be there."""
    return tuple(dict.fromkeys(part for part in asked_for(query) if isinstance(part, TextQuery)))


def _first_whole_day(asked: Mapping[int, date], reached: Sequence[date]) -> date | None:
    """The first day of which all papers were asked about; None if nothing was left out.

    Of the day that was reached some papers may not have been asked about: it counts only if there is no other.
    """
    whole = [day for day in set(asked.values()) if reached and day > reached[0]]
    return min(whole, default=min(reached, default=None))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Narrowed:
    """What the index tells of a query and some events.

    Attributes:
        sure: the events that it finds, surely.
        signed: those that it may find, of which all is known but who signed them.
        open: the others that it may find, and those of which not all is known that is told of them.
        sides: by the place of an event, the alternatives that it shows.
        in_title: by the place of an event, how many of the parts its title has.
    """

    sure: int
    signed: int
    open: int
    sides: Mapping[int, AbstractSet[int]]
    in_title: Mapping[int, int]

    def found(self, place: int, listed: IndexedEvents) -> Found:
        """One of the events that it finds surely, by its place among those in question."""
        return Found(
            seq=listed.seqs[place],
            day=listed.days[place],
            band=Band.SURELY,
            in_title=self.in_title.get(place, 0),
            sides=frozenset(self.sides.get(place, ())),
        )


def _decide(around: RecentEvents, wanted: _Asked, block: int) -> _Narrowed:
    """What the index and its texts tell of the events of a block."""
    indexed = _narrow(around, wanted, block)
    if not indexed.open:
        return indexed
    around.narrower.decide(indexed.open)
    return _narrow(around, wanted, block)


def _narrow(around: RecentEvents, wanted: _Asked, block: int) -> _Narrowed:
    """What the index tells of them, as far as its texts were read."""
    narrower = around.narrower
    main = narrower.narrow(wanted.query)
    of_sides = [narrower.narrow(one) for one in wanted.alternatives]
    of_titles = [narrower.narrow_title(part) for part in wanted.parts]
    unclear = reduce(or_, (one.open for one in (main, *of_sides, *of_titles)), around.signed)
    sure = main.sure & block & ~unclear
    shown, in_title = defaultdict[int, set[int]](set), Counter[int]()
    for number, one in enumerate(of_sides, start=1):
        for place in places(one.sure & sure):
            shown[place].add(number)
    for one in of_titles:
        in_title.update(places(one.sure & sure))
    perhaps = main.possible & block & unclear
    signed = perhaps & around.signed
    if signed:
        signed &= ~around.open_but_for_people(wanted.every)
    return _Narrowed(sure=sure, signed=signed, open=perhaps ^ signed, sides=shown, in_title=in_title)


_Happened = tuple[int, date, tuple[Byline, ...]]
"""An event and its day, and who signed the paper."""
_NO_HITS = Hits(0, 0, 0, 0, 0, 0)
_QUERY = 0
"""The number of the query."""


def _among(
    matches: Iterable[tuple[int, Hits]], happened: Callable[[int], _Happened], alternatives: int
) -> Iterator[Found]:
    """What a query finds of some papers.

    Args:
        matches: of the query, its alternatives, and behind them its parts.
        happened: of a place in these.
        alternatives: how many there are.
    """
    hits, shown, in_title = _NO_HITS, defaultdict[int, set[int]](set), Counter[int]()
    for number, rows in matches:
        if number == _QUERY:
            hits = rows
        elif number <= alternatives:
            for place in places(rows.maybe):
                shown[place].add(number)
        else:
            in_title.update(places(rows.title))
    for place in places(hits.maybe):
        seq, day, bylines = happened(place)
        yield Found(
            seq=seq,
            day=day,
            band=_band(hits, place),
            in_title=in_title[place],
            sides=frozenset(shown[place]),
            bylines=bylines,
        )


def _find_in_loaded(
    around: RecentEvents, engine: Engine, wanted: _Asked, blocks: Iterable[Sequence[Event]]
) -> Iterator[Found]:
    """What the query finds of papers that had to be loaded; the engine has all that is asked."""
    for pairs in around.documents(blocks, [wanted.query]):
        happened = [(event.seq, event.day, about.bylines) for event, about in pairs]
        matches = engine.match([about for _, about in pairs])
        yield from _among(matches, happened.__getitem__, len(wanted.alternatives))


def _find_signed(around: RecentEvents, engine: Engine, wanted: _Asked, row: int) -> Iterator[Found]:
    """What the query finds of papers of which all is known but who signed them, by the row of their events."""
    if not row:
        return
    listed, signed_by = around.listed, around.signed_by(row)

    def happened(place: int) -> _Happened:
        return listed.seqs[place], listed.days[place], signed_by[place]

    matches = engine.match_signed(signed_by, around.known_leaves(wanted.every, row))
    yield from _among(matches, happened, len(wanted.alternatives))


def _band(hits: Hits, place: int) -> Band:
    return Band(sum(row >> place & 1 for row in (hits.maybe, hits.likely, hits.surely)))


def _with_less(around: RecentEvents, tried: Tried) -> Tried:
    """What would be found if one thing less were asked for, and which parts find nothing by themselves."""
    typed = tried.reading.typed
    less = list(islice(wider(typed), _MOST))
    parts = list(dict.fromkeys(islice(asked_for(typed), _MOST)))
    queries = [around.as_told(query) for query in (*(one.query for one in less), *parts)]
    engine = engine_of(queries)
    found: dict[int, set[int]] = {number: set() for number in range(len(queries))}
    signed = 0

    def narrowed() -> tuple[list[Bounds], int]:
        bounds = [around.narrower.narrow(query) for query in queries]
        return bounds, reduce(or_, (one.open for one in bounds), around.signed)

    def open_events() -> Iterator[Sequence[Event]]:
        nonlocal signed
        for block in around.blocks("Asking for less"):
            around.narrower.decide(block & narrowed()[1])
            bounds, unclear = narrowed()
            known = block & around.signed & ~around.open_but_for_people(queries)
            events = around.load(block, unclear & ~known)
            signed |= known
            tellable = around.asked(block, events)
            for number, one in enumerate(bounds):
                sure = one.sure & tellable & ~unclear
                found[number].update(around.listed.papers[place] for place in places(sure))
            yield events

    for pairs in around.documents(open_events(), queries):
        for number, hits in engine.match([about for _, about in pairs]):
            found[number].update(around.paper_of(pairs[place][0].seq) for place in places(hits.maybe))
    signed_by, known_leaves = around.signed_by(signed), around.known_leaves(queries, signed)
    for number, hits in engine.match_signed(signed_by, known_leaves):
        found[number].update(around.listed.papers[place] for place in places(hits.maybe))
    counted = [(one, len(found[number])) for number, one in enumerate(less)]
    return replace(
        tried,
        wider=tuple(sorted(counted, key=lambda pair: -pair[1])),
        lacking=tuple(str(part) for number, part in enumerate(parts, start=len(less)) if not found[number]),
    )
