"""The window of a run as its digests see it: what their follows fit there, what they tell of it, and why.

``match blocks → rows of hits → one composition a digest → items with their reasons``
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_

from digest.core.compose import (
    Columns,
    Composition,
    Ground,
    Placed,
    Wish,
    columns,
    compose,
    grounds,
    told_row,
)
from digest.core.language.query import Query, has_ids, load, may_deny, names_kind
from digest.core.matching.engine import Engine, Wanted
from digest.core.matching.evaluate import evaluate, reasons
from digest.core.matching.hits import Hits, places
from digest.core.matching.judged import without_strangers
from digest.core.papers.document import NOTHING_KNOWN, Document, Standing, Text, document
from digest.jobs.judging import Asking, Said, as_judged, said_of
from digest.jobs.people import signed_by_denied, standings, verdicts
from digest.model import Event, Evidence, Item, PaperKey, Part, Reason, Run
from digest.store import alerts, editions, events, matches, people
from digest.store.digests import Digest, Follow
from digest.store.editions import ItemTexts
from digest.store.engine import Transaction
from digest.store.rest import Line, Rest

_MOST_KEPT = 100_000
"""So many items are remembered, and of so many pairs of query and event why they fit."""


_NOTHING = Text(announced=())


def _title_of(paper: Document) -> Document:
    """A paper of which nothing is known but its title."""
    texts = {name: text if name == "title" else _NOTHING for name, text in paper.texts.items()}
    return Document(texts=texts, bylines=(), categories=(), facts=frozenset())


_Place = tuple[int, int, str]
"""A query, an event by its seq, and how much of its paper."""


_Shown = tuple[int, Part, float]
"""An event by its seq, its part and its score."""


@dataclass(slots=True)
class Known:
    """The events of a run's window, the queries that fit them, and why: the same for all its shards.

    Attributes:
        events: by seq.
        compiled: queries by number.
        texts: what items are as they are kept.
    """

    events: dict[int, Event] = field(default_factory=dict)
    compiled: dict[int, str] = field(default_factory=dict)
    texts: ItemTexts = field(default_factory=ItemTexts)
    _standings: dict[PaperKey, dict[str, Standing]] = field(default_factory=dict)
    _known_of: set[tuple[int, int]] = field(default_factory=set)
    _documents: dict[int, Document] = field(default_factory=dict)
    _queries: dict[int, Query] = field(default_factory=dict)
    _evidence: dict[_Place, tuple[Evidence, ...]] = field(default_factory=dict)
    _named: dict[tuple[int, int], bool] = field(default_factory=dict)
    _shelves: dict[tuple[object, ...], dict[_Shown, Item]] = field(default_factory=dict)

    def query(self, number: int) -> Query:
        """What is asked for."""
        if number not in self._queries:
            self._queries[number] = load(self.compiled[number])
        return self._queries[number]

    def document(self, seq: int) -> Document:
        """An event as queries see it."""
        if seq not in self._documents:
            event = self.events[seq]
            standings = self._standings.get(event.paper.key, NOTHING_KNOWN)
            self._documents[seq] = document(
                event.paper, kind=event.kind, source=event.source, standings=standings
            )
        return self._documents[seq]

    def work_out(self, tx: Transaction, hit: Mapping[int, Sequence[int]]) -> None:
        """Work out who signed events, where a query was known to fit by that, once for each.

        Args:
            tx: a transaction.
            hit: the seqs that queries fit, by number; those that ask for persons by names alone are left out.
        """
        unknown = {(query, seq) for query, seqs in hit.items() for seq in seqs} - self._known_of
        if not unknown:
            return
        self._known_of |= unknown
        seqs = {seq for _, seq in unknown}
        found = standings(
            tx, [self.events[seq].paper for seq in seqs], self._wanted(query for query, _ in unknown)
        )
        for key, known in found.items():
            self._standings[key] = {**self._standings.get(key, {}), **known}
        for seq in seqs:
            self._documents.pop(seq, None)

    def _wanted(self, queries: Iterable[int]) -> Wanted:
        """Whose ids have to be known; and of whom whether they have namesakes, where that decides about a kind."""
        ids, names = Engine(), Engine()
        for query in set(queries):
            text = self.compiled[query]
            ids.add_compiled(query, text)
            if _kind_may_hang_on_names(text):
                names.add_compiled(query, text)
        return Wanted(names=names.people.names, ids=ids.people.ids)

    def why(self, query: int, seq: int) -> tuple[Evidence, ...]:
        """What in an event's paper a query asks for, which is known to fit it."""
        return self._found((query, seq, "all"), self.document)

    def in_title(self, query: int, seq: int) -> tuple[Evidence, ...]:
        """The same of the title alone: of what is shown as a line."""
        return self._found((query, seq, "title"), lambda seq: _title_of(self.document(seq)))

    def shelf(self, why: Sequence[Ground]) -> dict[_Shown, Item]:
        """The items that were shown for the same reasons: many digests have them in common."""
        of = tuple((wish.query, wish.follow, band, twin) for wish, band, twin in why)
        if of not in self._shelves:
            self._shelves[of] = {}
        return self._shelves[of]

    def tidy(self) -> None:
        """Forget the items of other digests where they have become many."""
        if sum(map(len, self._shelves.values())) > _MOST_KEPT:
            self._shelves.clear()
            self.texts = ItemTexts()

    def _found(self, of: _Place, about: Callable[[int], Document]) -> tuple[Evidence, ...]:
        if of not in self._evidence:
            if len(self._evidence) >= _MOST_KEPT:
                self._evidence.clear()
            query, seq, _ = of
            self._evidence[of] = reasons(self.query(query), about(seq))
        return self._evidence[of]

    def names_kind(self, query: int, seq: int) -> bool:
        """Whether a query, which is known to fit an event, names its kind by itself."""
        pair = query, seq
        if pair not in self._named:
            part = names_kind(self.query(query))
            self._named[pair] = part is not None and evaluate(part, self.document(seq)) is not None
        return self._named[pair]


def _kind_may_hang_on_names(compiled: str) -> bool:
    return '"kind"' in compiled and may_deny(compiled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What a digest tells of its window.

    Attributes:
        said: what its reader answered about persons there.
    """

    digest: Digest
    what: Composition
    said: Said


_NO_HITS = Hits(0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What a shard's digests can tell about, read once for all.

    Attributes:
        low: the event after this one has the lowest place.
        rows: what queries fit, by their number.
        denied: by digest, the events that somebody may have signed whom its reader said not to be the one.
    """

    run: Run
    low: int
    rows: Mapping[int, Hits]
    denied: Mapping[int, int]
    known: Known
    columns: Columns

    @classmethod
    def load(cls, tx: Transaction, run: Run, todo: Sequence[Digest], known: Known) -> Window:
        """Read the hits of all queries followed, and the events hit that were not read for another shard."""
        assert run.to_seq is not None
        known.tidy()
        low = min((digest.told_to_in(run) for digest in todo), default=run.to_seq)
        followed = {follow.query: follow.compiled for digest in todo for follow in digest.follows}
        rows = matches.hits(tx, followed, low, run.to_seq)
        denying = {query for query, compiled in followed.items() if may_deny(compiled)}
        denied = _denied(tx, todo, denying, low, run.to_seq)
        known.compiled.update(
            {query: followed[query] for query in (rows.keys() | denying if denied else rows)}
        )
        every = reduce(or_, (*(hits.maybe for hits in rows.values()), *denied.values()), 0)
        seqs = [low + 1 + place for place in places(every)]
        known.events.update(events.events_at(tx, [seq for seq in seqs if seq not in known.events]))
        known.work_out(
            tx,
            {
                query: [low + 1 + place for place in places(hits.maybe)]
                for query, hits in rows.items()
                if has_ids(followed[query]) or _kind_may_hang_on_names(followed[query])
            },
        )
        here = columns((seq - low - 1, known.events[seq]) for seq in seqs)
        return cls(run=run, low=low, rows=rows, denied=denied, known=known, columns=here)

    def tellings(self, tx: Transaction, todo: Sequence[Digest], since: datetime) -> Iterator[Telling]:
        """What digests tell, but for the reasons.

        Args:
            tx: a transaction.
            todo: the digests for which this was read.
            since: what they told after this is not told again.
        """
        wishes = {digest.id: self._wishes(digest) for digest in todo}
        said = self._judge(tx, todo, wishes)
        told = self._told(tx, todo, wishes, since)
        for digest in todo:
            what = compose(
                wishes[digest.id],
                self.columns,
                asked=self.columns.asked(digest.kinds),
                told=told.get(digest.id, 0),
                limit=digest.limit,
            )
            yield Telling(digest=digest, what=what, said=said.get(digest.id, {}))

    # what its follows fit

    def _wishes(self, digest: Digest) -> list[Wish]:
        """A digest's follows that fit something in its part of the window, or may because of an answer."""
        asked = self.columns.asked(digest.kinds)
        perhaps = self._perhaps(digest)
        found = []
        for follow in digest.follows:
            hits = self.rows.get(follow.query)
            if hits is None:
                if (follow.query, follow.only) not in perhaps:
                    continue
                hits = _NO_HITS
            if part := self._part(digest, follow):
                hits = Hits(*(row & part for row in hits))
            named = self._named(follow.query, hits.maybe & ~asked)
            found.append(
                Wish(follow.query, follow.text, follow.weight, follow.exclude, follow.only, hits, named)
            )
        return found

    def _part(self, digest: Digest, follow: Follow) -> int:
        """The part of the window in which a follow is asked; 0 if that is all of it."""
        start = digest.told_to_in(self.run)
        begun = start if follow.exclude else max(start, follow.started_seq)
        return -1 << (begun - self.low) if begun > self.low else 0

    def _perhaps(self, digest: Digest) -> dict[Asking, int]:
        """The events that follows may fit because a person behind a NOT is said to be somebody else."""
        row = self.denied.get(digest.id, 0)
        return {
            (follow.query, follow.only): row & (self._part(digest, follow) or -1)
            for follow in digest.follows
            if row and may_deny(follow.compiled)
        }

    def _named(self, query: int, row: int) -> int:
        """The events of a row whose kind a query names by itself."""
        if '"kind"' not in self.known.compiled[query]:
            return 0
        return sum(1 << place for place in places(row) if self.known.names_kind(query, self.low + 1 + place))

    def _judge(
        self, tx: Transaction, todo: Sequence[Digest], wishes: dict[int, list[Wish]]
    ) -> Mapping[int, Said]:
        """Let wishes fit as their readers' answers say; says what these were, by digest."""
        answering = {answer.digest for answer in people.answers_of(tx, wishes)}
        perhaps = {digest.id: self._perhaps(digest) for digest in todo if digest.id in answering}
        hit = {
            number: {
                place: self._event(place)
                for row in (*(wish.hits.maybe for wish in wishes[number]), *more.values())
                for place in places(row)
            }
            for number, more in perhaps.items()
        }
        if not hit:
            return {}
        said = verdicts(tx, {number: [one.paper for one in each.values()] for number, each in hit.items()})
        for number, answers in said.items():
            queries = {wish.query: self.known.query(wish.query) for wish in wishes[number]}
            wishes[number] = as_judged(
                tx, wishes[number], queries, hit[number], answers, perhaps=perhaps[number]
            )
        return said

    # what was told before

    def _told(
        self, tx: Transaction, todo: Sequence[Digest], wishes: Mapping[int, Sequence[Wish]], since: datetime
    ) -> dict[int, int]:
        """The events that digests have told before, by digest: windows tile, so only few can."""
        alerted = alerts.alerted(tx, [digest.id for digest in todo], self.run, self.low)
        again = {digest.id for digest in todo if digest.repeat_alerts}
        may = [
            digest.id
            for digest in todo
            if digest.id in alerted - again or self._may_repeat(digest, wishes[digest.id])
        ]
        told = editions.told(tx, [number for number in may if number not in again], since)
        told |= editions.told(tx, [number for number in may if number in again], since, but_alerts=True)
        if not told:
            return {}
        what = {
            seq - self.low - 1: telling
            for seq, telling in editions.tellings(tx, self.known.events).items()
            if seq > self.low
        }
        return {digest: told_row(each, what) for digest, each in told.items()}

    def _may_repeat(self, digest: Digest, wishes: Iterable[Wish]) -> bool:
        start = digest.told_to_in(self.run)
        if digest.from_seq is not None or any(follow.started_seq > start for follow in digest.follows):
            return True
        repeats = self.columns.repeats
        asked = self.columns.asked(digest.kinds)
        return any(wish.hits.maybe & repeats & (asked | wish.named) for wish in wishes if not wish.exclude)

    # why

    def items(self, told: Telling) -> tuple[tuple[Item, ...], Rest]:
        """The items of an edition, and its rest: a line each, of which only the words in titles are marked."""
        why = grounds(told.what, self.columns)
        in_full = (
            self._judged(placed, why[placed[0]], told.said)
            if told.said
            else self._full(placed, why[placed[0]])
            for placed in told.what.items
        )
        return tuple(in_full), self._rest(told.what.rest(), why)

    def _judged(self, placed: Placed, why: Iterable[Ground], said: Said) -> Item:
        """An item whose reader said of persons who they are."""
        answers = said_of(said, self._event(placed[0]).paper.key)
        if not answers:
            return self._full(placed, tuple(why))

        def marked(wish: Wish, place: int) -> tuple[Evidence, ...]:
            document = self.known.document(self.low + 1 + place)
            return reasons(self.known.query(wish.query), without_strangers(document, answers))

        return self._item(placed, why, marked)

    def _full(self, placed: Placed, why: Sequence[Ground]) -> Item:
        place, part, score = placed
        shelf = self.known.shelf(why)
        key = self.low + 1 + place, part, score
        if key not in shelf:
            shelf[key] = self._item(placed, why, self._words)
        return shelf[key]

    def _words(self, wish: Wish, place: int) -> tuple[Evidence, ...]:
        return self.known.why(wish.query, self.low + 1 + place)

    def _rest(self, placed: Iterable[Placed], why: Mapping[int, tuple[Ground, ...]]) -> Rest:
        """Hundreds of lines, most of which are there for the same few reasons and have nothing to mark."""
        numbers: dict[int, int] = {}
        grounds: list[tuple[Ground, ...]] = []
        titles: list[int] = []
        lines = []
        for place, part, score in placed:
            given = why[place]
            number = numbers.setdefault(id(given), len(grounds))
            if number == len(grounds):
                grounds.append(given)
                titles.append(_titles(given))
            marked = self._marked(given, place) if titles[number] >> place & 1 else ()
            lines.append(Line(self.low + 1 + place, part, score, number, marked))
        return Rest([[(wish.follow, band) for wish, band, _ in given] for given in grounds], lines)

    def _marked(self, why: Iterable[Ground], place: int) -> tuple[tuple[Evidence, ...], ...]:
        """What follows ask for that stands in a title."""
        fitted = ((wish, place if twin is None else twin) for wish, _, twin in why)
        marked = tuple(
            self.known.in_title(wish.query, self.low + 1 + at) if wish.hits.title >> at & 1 else ()
            for wish, at in fitted
        )
        return marked if any(marked) else ()

    def _item(
        self, placed: Placed, why: Iterable[Ground], marked: Callable[[Wish, int], tuple[Evidence, ...]]
    ) -> Item:
        place, part, score = placed
        given = [
            Reason(follow=wish.follow, band=band, evidence=marked(wish, place if twin is None else twin))
            for wish, band, twin in why
        ]
        return Item(event=self._event(place), part=part, reasons=tuple(given), score=score)

    def _event(self, place: int) -> Event:
        return self.known.events[self.low + 1 + place]


def _titles(why: Sequence[Ground]) -> int:
    """The events in whose titles something may be marked; of papers with several events they are all looked at."""
    if any(ground.twin is not None for ground in why):
        return -1
    return reduce(or_, (ground.wish.hits.title for ground in why), 0)


def _denied(
    tx: Transaction, todo: Sequence[Digest], denying: Collection[int], low: int, high: int
) -> dict[int, int]:
    """By digest, the events that somebody may have signed whom its reader said not to be the one: rows."""
    may = [digest.id for digest in todo if any(follow.query in denying for follow in digest.follows)]
    signed = signed_by_denied(tx, may, low, high) if may else {}
    rows = {digest: reduce(or_, (1 << (seq - low - 1) for seq in seqs), 0) for digest, seqs in signed.items()}
    return {digest: row for digest, row in rows.items() if row}
