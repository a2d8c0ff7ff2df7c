"""What a query finds among the papers that are there, and what it would find if it asked for less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import islice
from operator import or_

from digest.core.compose import tells
from digest.core.document import NOTHING_KNOWN, Document, Standing, document
from digest.core.engine import Engine
from digest.core.evaluate import evaluate
from digest.core.hits import BLOCK, places
from digest.core.query import And, ByAuthor, Fact, Not, Or, Query, names_kind
from digest.core.reading import Reading, reading
from digest.core.wider import Wider, asked_for, sides, wider
from digest.jobs.people import standings
from digest.model import Band, Event, EventKind, Fit, PaperKey
from digest.store.engine import Store, Transaction, highest_seq
from digest.store.events import before_day, events_between

_TRIED = frozenset((EventKind.NEW, EventKind.PICKED))
"""What a digest asks for that says nothing else."""
_MOST = 40
"""So many alternatives, wider queries and parts are tried at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A paper that the query finds, by its first event that fits.

    Attributes:
        sides: which alternatives of the query it shows, by their numbers.
    """

    event: Event
    fit: Fit
    sides: frozenset[int] = frozenset()


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
        days: those on which anything was announced that it was asked about, the first one first.
        found: each paper once, the surest first, of these those with most words that fit in the title, then the newest.
        wider: where nothing is found, the queries that ask for one thing less, with how many papers they
            find; those that find most first.
        lacking: where nothing is found, the parts of the query that find nothing by themselves either.
    """

    reading: Reading
    days: tuple[Day, ...]
    found: tuple[Found, ...]
    wider: tuple[tuple[Wider, int], ...] = ()
    lacking: tuple[str, ...] = ()

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
    tell: Callable[[int, int], None] = lambda _done, _of: None,
) -> Tried:
    """Ask a query about the papers of the last days that are in the store: those that were new or picked.

    Of other events, as new versions, it is asked where it names their kinds.

    Args:
        store: where.
        text: the query.
        days: how far back to look.
        now: until when.
        tell: is told how many events of how many were looked at, now and then.

    Raises:
        QueryError: it cannot be read.
    """
    trial = _Trial(reading(text))
    since = now.date() - timedelta(days=days)
    with store.reading() as tx:
        for events in _since(tx, since, tell):
            trial.ask(events)
        trial.ask_of_people(tx)
    return trial.told()


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


# --- a trial --------------------------------------------------------------------------------------


def _since(tx: Transaction, since: date, tell: Callable[[int, int], None]) -> Iterator[tuple[Event, ...]]:
    """The events announced on a day or later, in order, a block at a time."""
    first, last = before_day(tx, since), highest_seq(tx)
    for low in range(first, last, BLOCK):
        tell(low - first, last - first)
        high = min(last, low + BLOCK)
        yield tuple(event for event in events_between(tx, low, high) if event.day >= since)


class _Trial:
    """Collects what is found, a block of events after the other.

    While nothing is found, the wider queries and the parts are asked, too; afterwards they do not matter.
    """

    def __init__(self, read: Reading) -> None:
        self.reading = read
        self.any_kind = names_kind(read.query) is not None
        self.sides = sides(read.typed)[:_MOST]
        self.wider = tuple(islice(wider(read.typed), _MOST))
        self.parts = tuple(dict.fromkeys(islice(asked_for(read.typed), _MOST)))
        self.asked: dict[PaperKey, date] = {}
        self.found: dict[PaperKey, Found] = {}
        self.hits: dict[Query, set[PaperKey]] = {}
        self.engine = Engine()
        self.queries: list[Query] = []
        self._add(read.query, *self.sides)
        self.always = len(self.queries)
        self._add(*(one.query for one in self.wider), *self.parts)
        self.people = tuple(_people(read.query))
        self.signed = Engine()
        for number, one in enumerate(self.people):
            self.signed.add(number, one)
        self.put_off: list[Event] = []

    def _add(self, *queries: Query) -> None:
        for query in queries:
            self.engine.add(len(self.queries), _usual(query) if self.any_kind else query)
            self.queries.append(query)

    def ask(self, events: Sequence[Event]) -> None:
        """Ask about the events of a block; those are put off of which it has to be known who signed."""
        kinds = frozenset(EventKind) if self.any_kind else _TRIED
        looked_at = [event for event in events if tells(event, kinds)]
        for event in looked_at:
            self.asked.setdefault(event.paper.key, event.day)
        documents = [_document(event) for event in looked_at]
        in_doubt = self._in_doubt(documents)
        self.put_off += [looked_at[place] for place in places(in_doubt)]
        clear = [place for place in range(len(looked_at)) if not in_doubt >> place & 1]
        self._ask([looked_at[place] for place in clear], [documents[place] for place in clear])

    def _in_doubt(self, documents: Sequence[Document]) -> int:
        """The papers of which it has to be known who signed them: a row of bits.

        Those with a name that the query has; all where it has an id without a name.
        """
        if not all(one.name for one in self.people):
            return (1 << len(documents)) - 1
        rows = (hits.maybe for _, hits in self.signed.match(documents)) if self.people else ()
        return reduce(or_, rows, 0)

    def ask_of_people(self, tx: Transaction) -> None:
        """Ask about the events that were put off: who signed is worked out for all of them at once."""
        known = standings(tx, [event.paper for event in self.put_off], self.engine.people)
        for first in range(0, len(self.put_off), BLOCK):
            events = self.put_off[first : first + BLOCK]
            self._ask(
                events, [_document(event, known.get(event.paper.key, NOTHING_KNOWN)) for event in events]
            )

    def _ask(self, events: Sequence[Event], documents: Sequence[Document]) -> None:
        rows = {number: hits.maybe for number, hits in self.engine.match(documents)}
        for place in places(rows.get(0, 0)):
            self._keep(events[place], documents[place], {n for n in rows if rows[n] >> place & 1})
        if self.found:
            self._forget_the_rest()
            return
        for number, row in rows.items():
            keys = (events[place].paper.key for place in places(row))
            self.hits.setdefault(self.queries[number], set()).update(keys)

    def _keep(self, event: Event, about: Document, numbers: Collection[int]) -> None:
        fit = evaluate(self.reading.query, about)
        if fit is not None and event.paper.key not in self.found:
            shown = frozenset(number for number in numbers if 0 < number <= len(self.sides))
            self.found[event.paper.key] = Found(event=event, fit=fit, sides=shown)

    def _forget_the_rest(self) -> None:
        for number in range(self.always, len(self.queries)):
            self.engine.remove(number)
        del self.queries[self.always :]

    def told(self) -> Tried:
        """What came of it."""
        found = tuple(sorted(self.found.values(), key=_rank, reverse=True))
        tried = Tried(reading=self.reading, days=self._days(), found=found)
        if found:
            return tried
        counted = [(one, len(self.hits.get(one.query, ()))) for one in self.wider]
        return replace(
            tried,
            wider=tuple(sorted(counted, key=lambda pair: -pair[1])),
            lacking=tuple(str(part) for part in self.parts if not self.hits.get(part)),
        )

    def _days(self) -> tuple[Day, ...]:
        asked = Counter(self.asked.values())
        sure = Counter(one.event.day for one in self.found.values() if one.fit.band >= Band.LIKELY)
        maybe = Counter(one.event.day for one in self.found.values() if one.fit.band is Band.MAYBE)
        return tuple(
            Day(day=day, asked=asked[day], sure=sure[day], maybe=maybe[day])
            for day in sorted({*asked, *sure, *maybe})
        )


def _rank(one: Found) -> tuple[Band, int, date, int]:
    in_title = sum(len(found.words) for found in one.fit.evidence if found.field == "title")
    return one.fit.band, in_title, one.event.day, -one.event.seq


def _document(event: Event, known: Mapping[str, Standing] = NOTHING_KNOWN) -> Document:
    return document(event.paper, kind=event.kind, source=event.source, standings=known)


def _people(query: Query) -> Iterator[ByAuthor]:
    """All persons that a query names, those behind a NOT too."""
    match query:
        case ByAuthor():
            yield query
        case Not():
            yield from _people(query.query)
        case And() | Or():
            for part in query.queries:
                yield from _people(part)
        case _:
            return


def _usual(query: Query) -> Query:
    """What a digest that says nothing of kinds is told by a query: what is new or picked, and what it names itself."""
    usual = And(queries=(query, _NEW_OR_PICKED))
    named = names_kind(query)
    return Or(queries=(usual, named)) if named else usual


_NEW_OR_PICKED = Or(queries=(Fact(field="kind", value="new"), Fact(field="kind", value="picked")))
