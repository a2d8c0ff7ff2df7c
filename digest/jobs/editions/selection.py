"""The window of a run as its digests see it: what their follows fit there, what they tell of it, and why.

``match blocks → rows of hits → one composition a digest → items with their reasons``
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_
from sys import intern
from typing import NamedTuple

from digest.core.editions.compose import (
    Columns,
    Composition,
    Ground,
    Ranked,
    Wish,
    columns,
    compose,
    grounds,
    told_row,
)
from digest.core.generation_cache import Kept
from digest.core.language.query import Query, has_ids, load, may_deny, names_kind
from digest.core.matching.bitmaps import Hits, places
from digest.core.matching.evaluate import Asked, asked_for, evaluate, to_mark
from digest.core.matching.overrides import without_strangers
from digest.core.matching.percolator.engine import Engine, Wanted
from digest.core.papers.document import NOTHING_KNOWN, Document, Standing, document
from digest.jobs.editions.room import Room
from digest.jobs.people.name_overrides import Asking, Said, as_judged, said_of
from digest.jobs.people.statements import signed_by_denied, standings, verdicts
from digest.model import Event, EventKind, Paper, PaperKey, Run
from digest.store import people
from digest.store.database.engine import Transaction
from digest.store.editions import alerts, editions, items
from digest.store.editions.overflow import Ground as RestGround
from digest.store.editions.overflow import Rank, Rest
from digest.store.matching import matches
from digest.store.papers import events
from digest.store.subscribers.digests import Digest, Follow

_MOST_KEPT = 200_000
"""Of so many pairs of query and event it is remembered why they fit, and of as many more: each takes some 100 bytes."""
_MOST_HITS = 50_000
"""Of so many queries it is remembered what they fit: many readers follow the same ones."""


@dataclass(slots=True)
class Known:
    """The events of a run's window, the queries that fit them, and why: the same for all its shards.

    Attributes:
        events: by seq.
        asked: follows by the numbers of their queries.
    """

    events: dict[int, Event] = field(default_factory=dict)
    asked: dict[int, Follow] = field(default_factory=dict)
    _standings: dict[PaperKey, dict[str, Standing]] = field(default_factory=dict)
    _known_of: set[tuple[int, int]] = field(default_factory=set)
    _documents: dict[int, Document] = field(default_factory=dict)
    _queries: dict[int, Query] = field(default_factory=dict)
    _asked_for: dict[int, tuple[Asked, ...]] = field(default_factory=dict)
    _evidence: Kept[int, str] = field(default_factory=lambda: Kept(_MOST_KEPT))
    _named: dict[tuple[int, int], bool] = field(default_factory=dict)
    _window: tuple[int, int] = (0, 0)
    _hits: dict[int, Hits | None] = field(default_factory=dict)

    def hits(self, tx: Transaction, queries: Collection[int], window: tuple[int, int]) -> dict[int, Hits]:
        """What queries fit in a window, those that fit nothing left out; of a run it is always the same one, mostly."""
        if window != self._window or len(self._hits) > _MOST_HITS:
            self._window = window
            self._hits.clear()
        here = self._hits
        if unknown := [query for query in queries if query not in here]:
            found = matches.hits(tx, unknown, *window)
            here.update({query: found.get(query) for query in unknown})
        return {query: hits for query in queries if (hits := here[query]) is not None}

    def query(self, number: int) -> Query:
        """What is asked for."""
        if number not in self._queries:
            self._queries[number] = load(self.asked[number].compiled)
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
            text = self.asked[query].compiled
            ids.add_compiled(query, text)
            if _kind_may_hang_on_names(text):
                names.add_compiled(query, text)
        return Wanted(names=names.people.names, ids=ids.people.ids)

    def why(self, query: int, seq: int) -> str:
        """What in an event's paper a query asks for, which is known to fit it, as it is kept."""
        pair = query << 32 | seq  # half as large as a tuple
        found = self._evidence.get(pair)
        if found is None:
            asked = self._asked_for.get(query)
            if asked is None:
                asked = self._asked_for[query] = asked_for(self.query(query))
            found = intern(items.evidence(to_mark(asked, self.document(seq))))  # many have the same few words
            self._evidence.put(pair, found)
        return found

    def names_kind(self, query: int, seq: int) -> bool:
        """Whether a query, which is known to fit an event, names its kind by itself."""
        pair = query, seq
        if pair not in self._named:
            part = names_kind(self.query(query))
            self._named[pair] = part is not None and evaluate(part, self.document(seq)) is not None
        return self._named[pair]


def _kind_may_hang_on_names(compiled: str) -> bool:
    return '"kind"' in compiled and may_deny(compiled)


class Telling(NamedTuple):
    """What a digest tells of its window.

    Attributes:
        said: what its reader answered about persons there.
        waited: the events that come first: editions before had no room for them.
    """

    digest: Digest
    what: Composition
    said: Said
    waited: int = 0


class Reopened(NamedTuple):
    """What editions before had the chance to tell of a window: of each digest, rows that an edition covered, and told.

    Attributes:
        rows: by digest; of each edition the events of its window, and those among them whose papers it told.
    """

    rows: Mapping[int, Sequence[tuple[int, int]]]

    def waited(self, digest: int) -> Sequence[int]:
        """The events that come first, if they are to be told, for each edition that had no room for them.

        What waited longest comes first: by rank alone, a *maybe* would wait for as long as something better comes each
        day. Each row begins where this window does, so a later edition's has those of earlier ones, and is greater.
        """
        return sorted({covered for covered, _ in self.rows.get(digest, ())})

    def folded(self, digest: int) -> int:
        """The events that are told, be it by another event of their papers that was told in their place."""
        return reduce(or_, (told for _, told in self.rows.get(digest, ())), 0)


_Alike = tuple[int, tuple[Ground, ...]]
"""A row of events told that are there for the same reasons."""
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
    _asked: dict[tuple[EventKind, ...], int] = field(default_factory=dict)

    @classmethod
    def load(cls, tx: Transaction, run: Run, todo: Sequence[Digest], known: Known) -> Window:
        """Read the hits of all queries followed, and the events hit that were not read for another shard."""
        assert run.to_seq is not None
        low = min((digest.told_to_in(run) for digest in todo), default=run.to_seq)
        followed = {follow.query: follow for digest in todo for follow in digest.follows}
        rows = known.hits(tx, followed, (low, run.to_seq))
        denying = {query for query, follow in followed.items() if may_deny(follow.compiled)}
        denied = _denied(tx, todo, denying, low, run.to_seq)
        known.asked.update({query: followed[query] for query in (rows.keys() | denying if denied else rows)})
        every = reduce(or_, (*(hits.maybe for hits in rows.values()), *denied.values()), 0)
        seqs = [low + 1 + place for place in places(every)]
        known.events.update(events.events_at(tx, [seq for seq in seqs if seq not in known.events]))
        known.work_out(
            tx,
            {
                query: [low + 1 + place for place in places(hits.maybe)]
                for query, hits in rows.items()
                if has_ids(followed[query].compiled) or _kind_may_hang_on_names(followed[query].compiled)
            },
        )
        here = columns((seq - low - 1, known.events[seq]) for seq in seqs)
        return cls(run=run, low=low, rows=rows, denied=denied, known=known, columns=here)

    def tellings(
        self, tx: Transaction, todo: Sequence[Digest], since: datetime, room: Room | None = None
    ) -> Iterator[Telling]:
        """What digests tell, but for the reasons.

        Args:
            tx: a transaction.
            todo: the digests for which this was read.
            since: what they told after this is not told again.
            room: how much goes into an edition; None for all.
        """
        reopened = self._reopened(tx, todo)
        wishes = {digest.id: self._wishes(digest) for digest in todo}
        said = self._judge(tx, todo, wishes)
        told = self._told(tx, todo, wishes, since)
        for digest in todo:
            waited = reopened.waited(digest.id)
            what = compose(
                wishes[digest.id],
                self.columns,
                asked=self._asked_by(digest),
                told=told.get(digest.id, 0) | reopened.folded(digest.id),
                limit=digest.limit,
                waited=waited,
            )
            what = room.limit(digest, what, self._paper_at) if room else what
            yield Telling(
                digest=digest, what=what, said=said.get(digest.id, {}), waited=waited[-1] if waited else 0
            )

    def _paper_at(self, place: int) -> tuple[int, Paper]:
        return self.low + 1 + place, self._event(place).paper

    def seq_before(self, row: int) -> int:
        """The event before the first one of a row."""
        return self.low + next(iter(places(row)))

    def _asked_by(self, digest: Digest) -> int:
        """The events of the kinds that a digest asks for."""
        row = self._asked.get(digest.kinds)
        if row is None:
            row = self._asked[digest.kinds] = self.columns.asked(digest.kinds)
        return row

    # what its follows fit

    def _wishes(self, digest: Digest) -> list[Wish]:
        """A digest's follows that fit something in its part of the window, or may because of an answer."""
        asked = self._asked_by(digest)
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
                Wish(follow.query, follow.text, follow.counts, follow.exclude, follow.only, hits, named)
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
        if '"kind"' not in self.known.asked[query].compiled:
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

    def _reopened(self, tx: Transaction, todo: Sequence[Digest]) -> Reopened:
        """The editions of digests whose windows reach into this one: they had no room for some of it."""
        begun = {digest.id: digest.told_to_in(self.run) for digest in todo if digest.from_seq is not None}
        had = [] if self.run.is_alert else editions.told_behind(tx, begun)
        if not had:
            return Reopened({})
        keys = editions.tellings(tx, self.known.events)
        rows: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for digest, to_seq, told in had:
            covered = (1 << max(0, to_seq - self.low)) - 1
            papers = {key for key, _, _ in editions.tellings(tx, told).values()}
            row = reduce(
                or_,
                (
                    1 << (seq - self.low - 1)
                    for seq, (key, _, _) in keys.items()
                    if key in papers and seq > self.low
                ),
                0,
            )
            rows[digest].append((covered, row & covered))
        return Reopened(rows)

    def _told(
        self, tx: Transaction, todo: Sequence[Digest], wishes: Mapping[int, Sequence[Wish]], since: datetime
    ) -> dict[int, int]:
        """The events that digests have told before, by digest: windows tile, so only few can."""
        again = {digest.id for digest in todo if digest.repeat_alerts}
        may = [digest.id for digest in todo if self._may_repeat(digest, wishes[digest.id])]
        told = editions.told(tx, [number for number in may if number not in again], since)
        told |= editions.told(tx, [number for number in may if number in again], since, but_alerts=True)
        # A window may reach further back than the time after which a paper is told again.
        once = [digest.id for digest in todo if digest.id not in again]
        for number, what_alerts_told in alerts.told(tx, once, self.run, self.low).items():
            told[number] = told.get(number, frozenset()) | what_alerts_told
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
        asked = self._asked_by(digest)
        return any(wish.hits.maybe & repeats & (asked | wish.named) for wish in wishes if not wish.exclude)

    # why

    def items(self, told: Telling) -> tuple[Sequence[str], int, Rest]:
        """The items of an edition as they are kept, what most are there for, and the rest, marked in titles only."""
        why = grounds(told.what, self.columns)
        shown = reduce(or_, [row for row, _, _ in told.what.items], 0)
        return self._in_full(told, shown, why), _main_query(shown, why), self._rest(told.what.rest, why)

    def _in_full(self, told: Telling, shown: int, why: Sequence[_Alike]) -> list[str]:
        first = self.low + 1
        marked = self._marked_for(told.said) if told.said else self.known.why
        reasons: dict[int, list[str]] = {}
        for row, given in why:
            if here := row & shown:
                begun = [(items.ground(wish.follow, band), wish.query, twin) for wish, band, twin in given]
                for place in places(here):
                    reasons[place] = [
                        items.reason(begin, marked(query, first + (place if twin is None else twin)))
                        for begin, query, twin in begun
                    ]
        return [
            items.item(first + place, rank, reasons[place])
            for row, part, score in told.what.items
            for rank in (items.rank(part, score, waited=bool(row & told.waited)),)
            for place in places(row)
        ]

    def _marked_for(self, said: Said) -> Callable[[int, int], str]:
        """What is marked, as ``Known.why`` tells it, for a reader who said of persons who they are."""

        def marked(query: int, seq: int) -> str:
            answers = said_of(said, self.known.events[seq].paper.key)
            if not answers:
                return self.known.why(query, seq)
            document = without_strangers(self.known.document(seq), answers)
            return items.evidence(to_mark(asked_for(self.known.query(query)), document))

        return marked

    def _rest(self, ranked: Sequence[Ranked], why: Sequence[_Alike]) -> Rest:
        """Hundreds of papers, most of which are there for the same few reasons."""
        if not ranked:
            return Rest()
        rows = reduce(or_, (one.row for one in ranked), 0)
        mine = [(here, given) for row, given in why if (here := row & rows)]
        ranks = [
            Rank(part, score, [(number, here) for number, (of, _) in enumerate(mine) if (here := row & of)])
            for row, part, score in ranked
        ]
        follows = [[self._ground(one, row) for one in given] for row, given in mine]
        return Rest(first=self.low + 1, why=follows, ranks=ranks)

    def _ground(self, ground: Ground, row: int) -> RestGround:
        wish, band, twin = ground
        at = row if twin is None else 1 << twin
        query = self.known.asked[wish.query].canonical if wish.hits.title & at else ""
        return RestGround(wish.follow, band, query)

    def _event(self, place: int) -> Event:
        return self.known.events[self.low + 1 + place]


def _main_query(shown: int, why: Sequence[_Alike]) -> int:
    """The query that most of the events shown are there for, of several the one that came last: few have it."""
    counts: dict[int, int] = defaultdict(int)
    for row, given in why:
        if here := row & shown:
            number = here.bit_count()
            for wish, _, _ in given:
                counts[wish.query] += number
    return max(counts, key=lambda query: (counts[query], query), default=0)


def _denied(
    tx: Transaction, todo: Sequence[Digest], denying: Collection[int], low: int, high: int
) -> dict[int, int]:
    """By digest, the events that somebody may have signed whom its reader said not to be the one: rows."""
    may = [digest.id for digest in todo if any(follow.query in denying for follow in digest.follows)]
    signed = signed_by_denied(tx, may, low, high) if may else {}
    rows = {digest: reduce(or_, (1 << (seq - low - 1) for seq in seqs), 0) for digest, seqs in signed.items()}
    return {digest: row for digest, row in rows.items() if row}
