"""The events of the last days, and their papers as the queries see them that somebody tries."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, partial, reduce
from itertools import compress
from operator import not_, or_

from digest.core.editions.compose import OF_THE_PAPER, tells
from digest.core.language.default_kinds import as_told
from digest.core.language.parser import Reading
from digest.core.language.query import (
    And,
    ByAuthor,
    Fact,
    InCategory,
    Not,
    Or,
    Query,
    TextQuery,
    compiled,
    names_kind,
    people_in,
)
from digest.core.matching.bitmaps import BLOCK, Hits, places, row_of, surely
from digest.core.matching.narrowing import Narrower
from digest.core.matching.percolator.engine import Engine
from digest.core.matching.percolator.prefilter import glance
from digest.core.names.fitting import folded, handles, shares_handles
from digest.core.papers.document import NOTHING_KNOWN, Byline, Document, Standing, document
from digest.core.text.accents import without_tex
from digest.jobs.people.statements import keys_sought, signed_by_ids, standings, standings_on
from digest.model import Event, EventKind, Paper
from digest.store.database.engine import Transaction, highest_seq
from digest.store.matching.search_index import EventIndex, events_since
from digest.store.papers.authorships import authors_of
from digest.store.papers.events import before_day, events_at

_TRIED = frozenset((EventKind.NEW, EventKind.PICKED))
"""What a digest asks for that says nothing else."""

_Pairs = list[tuple[Event, Document]]


class RecentEvents:
    """The events in question, and their papers as queries see them.

    Attributes:
        listed: the events, in order; those of papers that are not in the index may be none that can be told.
        index: of their papers.
        narrower: tells by it which of them queries fit.
        signed: those whose papers a person may have signed whom the query has.
    """

    def __init__(
        self, tx: Transaction, read: Reading, since: date, tell: Callable[[str, int, int], None]
    ) -> None:
        self._tx = tx
        self._tell = tell
        self._any_kind = names_kind(read.query) is not None
        self._kinds = frozenset(EventKind) if self._any_kind else _TRIED
        self._people = tuple(people_in(read.query))
        self._low, self._last = before_day(tx, since), highest_seq(tx)
        kinds = self._kinds | ({EventKind.GROWN} if EventKind.NEW in self._kinds else set())
        self.listed = events_since(tx, self._low, since, kinds, unless_withdrawn=OF_THE_PAPER)
        self.index = EventIndex(
            tx, self.listed, lambda person: signed_by_ids(tx, person, self._low, self._last)
        )
        self.narrower = Narrower(self.index)
        self.signed = reduce(or_, map(self.narrower.signed_perhaps, self._people), 0)

    def open_but_for_people(self, queries: Iterable[Query]) -> int:
        """The events of which the index leaves open something of queries but who signed them."""
        rows = [self.index.unknown]
        for leaf in _leaves_but_people(queries):
            rows.append(self.narrower.narrow(leaf).open)
            if isinstance(leaf, TextQuery):
                rows.append(self.narrower.narrow_title(leaf).open)
        return reduce(or_, rows)

    def known_leaves(self, queries: Iterable[Query], row: int) -> dict[str, Hits]:
        """What the leaves of queries but the persons fit, of events of which that is not open."""
        known = {}
        for leaf in _leaves_but_people(queries):
            title = 0
            if isinstance(leaf, TextQuery):
                title = self.narrower.narrow_title(leaf).sure & row
            known[compiled(leaf)] = surely(self.narrower.narrow(leaf).sure & row, title)
        return known

    def signed_by(self, row: int) -> dict[int, tuple[Byline, ...]]:
        """Who signed the papers of events, of those whom the query may mean; by place."""
        numbers = {self.listed.papers[place] for place in places(row)}
        may_fit = cache(shares_handles(one.name for one in self._people if one.name))
        by_ids = any(one.ids for one in self._people)
        sought = frozenset[str]().union(*map(keys_sought, self._people))
        known = standings_on(self._tx, numbers, engine_of(self._people).people, sought)
        found: dict[int, list[Byline]] = defaultdict(list)
        for number, printed, its in authors_of(self._tx, numbers):
            if by_ids or may_fit(printed):
                name = without_tex(printed)
                standing = known.get(number, NOTHING_KNOWN).get(folded(name), Standing())
                found[number].append(Byline(name, its, standing))
        return {place: tuple(found[self.listed.papers[place]]) for place in places(row)}

    def as_told(self, query: Query) -> Query:
        """What a digest that says nothing of kinds is told by a query, of the events here."""
        return as_told(query) if self._any_kind else query

    def paper_of(self, seq: int) -> int:
        """The number of the paper of an event."""
        return self.listed.papers[self.listed.place_of(seq)]

    def blocks(self, what: str) -> Iterator[int]:
        """Rows of the events, a block of seqs at a time, the last block first."""
        seqs = self.listed.seqs
        for high in range(self._last, self._low, -BLOCK):
            self._tell(what, self._last - high, self._last - self._low)
            first, behind = bisect_right(seqs, max(self._low, high - BLOCK)), bisect_right(seqs, high)
            yield (1 << behind) - (1 << first)

    def load(self, block: int, wanted: int) -> tuple[Event, ...]:
        """Those events of a block that are wanted and can be told, and those of papers that are not in the index."""
        row = block & (wanted | self.index.unknown)
        loaded = events_at(self._tx, [self.listed.seqs[place] for place in places(row)])
        return tuple(one for _, one in sorted(loaded.items()) if tells(one, self._kinds))

    def asked(self, block: int, loaded: Iterable[Event]) -> int:
        """The events of a block that can be told: of those whose papers are not in the index, the loaded ones."""
        told = row_of(self.listed.place_of(one.seq) for one in loaded)
        return block & (~self.index.unknown | told)

    def documents(self, blocks: Iterable[Sequence[Event]], queries: Iterable[Query]) -> Iterator[_Pairs]:
        """The papers that one of some queries may fit, a block at a time.

        Who signed is worked out once, for all papers of which that has to be known, and these come last.
        """
        may_fit: Callable[[Paper], bool] | None = None
        in_doubt: list[Event] = []
        for events in filter(None, blocks):
            may_fit = may_fit or glance(Or(queries=tuple(queries)))
            perhaps = [event for event in events if may_fit(event.paper)]
            signed = [self._may_be_signed(event) for event in perhaps]
            in_doubt += compress(perhaps, signed)
            yield [(event, document_of(event)) for event in compress(perhaps, map(not_, signed))]
        if not in_doubt:
            return
        sought = frozenset[str]().union(*map(keys_sought, self._people))
        known = standings(
            self._tx, [event.paper for event in in_doubt], engine_of(self._people).people, sought
        )
        for first in range(0, len(in_doubt), BLOCK):
            several = in_doubt[first : first + BLOCK]
            yield [
                (event, document_of(event, known.get(event.paper.key, NOTHING_KNOWN))) for event in several
            ]

    def _may_be_signed(self, event: Event) -> bool:
        """Whether a person that the query has may have signed a paper."""
        place = self.listed.place_of(event.seq)
        if not self.index.unknown >> place & 1:
            return bool(self.signed >> place & 1)
        bylines = document_of(event).bylines
        return any(not one.name or any(map(partial(_may_fit, one), bylines)) for one in self._people)


def _may_fit(person: ByAuthor, byline: Byline) -> bool:
    if not byline.ids.isdisjoint(person.ids):
        return True
    return not handles(person.name).isdisjoint(handles(byline.name))


def document_of(event: Event, known: Mapping[str, Standing] = NOTHING_KNOWN) -> Document:
    """The paper of an event as queries see it, with what is known of who signed it."""
    return document(event.paper, kind=event.kind, source=event.source, standings=known)


def engine_of(queries: Iterable[Query]) -> Engine:
    """An engine of some queries, numbered from 0."""
    engine = Engine()
    for number, query in enumerate(queries):
        engine.add(number, query)
    return engine


def _leaves_but_people(queries: Iterable[Query]) -> Iterator[TextQuery | InCategory | Fact]:
    for query in queries:
        match query:
            case And() | Or():
                yield from _leaves_but_people(query.queries)
            case Not():
                yield from _leaves_but_people([query.query])
            case ByAuthor():
                pass
            case _:
                yield query
