"""Match: each new event against each query that somebody follows, once, however many follow it.

``queries that changed → engine → events as documents → hits → one transaction{match blocks, matched_to}``
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from digest.core.language.query import load
from digest.core.matching.bitmaps import BLOCK, Hits, pack
from digest.core.matching.percolator.engine import Engine, Wanted
from digest.core.papers.document import NOTHING_KNOWN, Document, document
from digest.jobs.people.statements import keys_sought, standings
from digest.store.database.engine import Store, Transaction, highest_seq
from digest.store.matching import matches
from digest.store.matching.matches import Behind, Change, Found
from digest.store.papers import events

_BLOCKS = 2
"""So many blocks of events are held in memory at most."""
_LATE = 50_000
"""So many queries are matched further back at a time."""
_STEP = 20_000
"""After so many queries it is told how far the reading is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """What passes did: events seen, queries asked, and how many pairs fit, surely or maybe."""

    events: int
    queries: int
    fits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """How far it is.

    Attributes:
        what: is being done, for people.
        done: how much of it: papers, or queries where these are being read.
        total: None if it is not known.
    """

    what: str
    done: int
    total: int | None = None


@dataclass(slots=True, kw_only=True)
class _Pass:
    """One pass, and what it found.

    Attributes:
        done: up to there all was matched when it began.
        known: the revision of the queries then.
        reached: up to there, or for late queries down to there, all is matched when it is kept.
        late: the queries that it matches further back; none where it matches new events with all.
        anew: queries that had to be read from their texts, compiled.
        sought: the names that these and earlier queries ask for (``keys_sought``).
    """

    done: int
    known: int
    reached: int
    sought: set[str]
    late: Sequence[int] = ()
    found: list[Found] = field(default_factory=list)
    anew: dict[int, str] = field(default_factory=dict)
    queries: int = 0
    fits: int = 0

    def add(self, engine: Engine, number: int, text: str, compiled: str) -> None:
        """Let an engine ask a query; it is read anew where that has to be."""
        if not compiled:
            self.anew[number] = compiled = matches.compiled_anew(text)
        engine.add_compiled(number, compiled)
        if '["a",' in compiled:
            self.sought |= keys_sought(load(compiled))

    def ask(self, engine: Engine, blocks: Iterable[tuple[int, Sequence[Document]]]) -> None:
        """Ask about the events of blocks, each with the seq of the first one."""
        self.queries += len(engine)
        for first, documents in blocks:
            block, place = divmod(first, BLOCK)
            for query, hits in engine.match(documents):
                rows = Hits(*(row << place for row in hits))
                self.found.append(Found(query=query, block=block, packed=pack(rows)))
                self.fits += hits.maybe.bit_count()


class Matcher:
    """Matches, and keeps the queries that it has read: a further pass reads only those that changed since.

    Args:
        store: what is matched.
        most: so many queries are held in memory at most, about a kilobyte each; more are read range by range at
            each pass, which takes a tenth of a millisecond for each.
    """

    def __init__(self, store: Store, *, most: int = 1_000_000) -> None:
        self._store = store
        self._most = most
        self._engine = Engine()
        self._sought: set[str] = set()
        self._known: int | None = None
        """The revision of the queries in the engine; None: they have not all been read."""

    def match(self) -> Iterator[Matching | Matched]:
        """Match until everything stored is matched, and each query as far back as some digest needs it.

        A query that is added meanwhile is not forgotten: it counts as unmatched until a pass has had it, and
        no run that needs it closes before. What was kept stays when this ends early; the next one goes on.

        Yields:
            How far it is, and in the end what it did.
        """
        self._pass_over()
        seen = asked = fits = 0
        while True:
            with self._store.reading() as tx:
                done, top = matches.matched_to(tx), highest_seq(tx)
                now = _Pass(done=done, known=matches.revision(tx), reached=done, sought=self._sought)
                if late := matches.behind(tx, min(_LATE, self._most)):
                    _look_back(tx, now, late)
                elif done < top:
                    now.reached = min(top, _end_of_block(done + 1))
                    yield from self._look_at_new(tx, now)
                else:
                    break
            if not self._keep(now):
                continue  # another one was faster, or is matching, too
            if late:
                yield Matching(what="Matching new follows, back to paper", done=now.reached)
                continue
            seen, asked, fits = seen + now.reached - done, max(asked, now.queries), fits + now.fits
            yield Matching(what="Matching papers", done=seen, total=seen + top - now.reached)
        yield Matched(events=seen, queries=asked, fits=fits)

    def _pass_over(self) -> None:
        """Leave out what nobody needs, where so much lies behind that it may be worth it."""
        with self._store.reading() as tx:
            if highest_seq(tx) < _end_of_block(matches.matched_to(tx) + 1):
                return
        with self._store.planning() as tx:
            matches.pass_over(tx)

    def _keep(self, now: _Pass) -> bool:
        """Keep what a pass found, unless another one was faster; finding the same again changes nothing."""
        with self._store.planning() as tx:
            matches.keep_compiled(tx, now.anew)
            if matches.begin_pass(tx) != now.done:
                return False
            if now.late:
                matches.matched_back(tx, now.late, now.found, now.reached, now.known)
            else:
                matches.finish_pass(tx, now.found, now.reached, now.known)
        return True

    def _look_at_new(self, tx: Transaction, now: _Pass) -> Iterator[Matching]:
        for engine in self._engines(tx, now):
            if isinstance(engine, Matching):
                yield engine
            else:
                now.ask(engine, _documents(tx, now.done, now.reached, engine.people, now.sought))

    def _engines(self, tx: Transaction, now: _Pass) -> Iterator[Engine | Matching]:
        """All queries as they are now: in one engine or, where they are too many for that, one after another."""
        since, self._known = self._known, None  # half-read queries would be of no good if this ends early
        if (
            since is None or since > now.known
        ):  # nothing was read, or the store was put back to an earlier state
            self._engine, since = Engine(), None
            parts = matches.ranges(tx, self._most)
            if len(parts) > 1:
                for low, high in parts:
                    engine = Engine()
                    yield from _read(now, engine, matches.changes(tx, None, low, high))
                    yield engine
                return
        yield from _read(now, self._engine, matches.changes(tx, since))
        yield self._engine
        if len(self._engine) <= self._most:
            self._known = now.known


def match(store: Store) -> Matched:
    """Match everything, for who does it once: see ``Matcher.match``."""
    (matched,) = (one for one in Matcher(store).match() if isinstance(one, Matched))
    return matched


def _read(now: _Pass, engine: Engine, changes: Iterable[Change]) -> Iterator[Matching]:
    """Bring an engine up to date with the queries that changed."""
    for count, change in enumerate(changes, start=1):
        if change.number in engine:
            engine.remove(change.number)
        if change.wanted:
            now.add(engine, change.number, change.text, change.compiled)
        if count % _STEP == 0:
            yield Matching(what="Reading queries", done=now.queries + count)


def _look_back(tx: Transaction, now: _Pass, late: Sequence[Behind]) -> None:
    """Match the queries that lag behind at the latest place, some blocks further back."""
    ends = [now.done if query.matched_from is None else query.matched_from for query in late]
    high = max(ends)
    chosen = [query for query, end in zip(late, ends, strict=True) if end == high]
    low = min(high, max(min(query.needed_from for query in chosen), _start_of_block(high)))
    now.late, now.reached = [query.number for query in chosen], low
    if low < high:
        engine = Engine()
        for query in chosen:
            now.add(engine, query.number, query.text, query.compiled)
        now.ask(engine, _documents(tx, low, high, engine.people, now.sought))


def _end_of_block(seq: int) -> int:
    """The last seq of the blocks held at a time, beginning with the one in which a seq lies."""
    return (seq // BLOCK + _BLOCKS) * BLOCK - 1


def _start_of_block(seq: int) -> int:
    """The seq before the blocks held at a time, ending with the one in which a seq lies."""
    return max(0, (seq // BLOCK + 1 - _BLOCKS) * BLOCK - 1)


def _documents(
    tx: Transaction, low: int, high: int, people: Wanted, sought: Collection[str]
) -> list[tuple[int, Sequence[Document]]]:
    """The events numbered after ``low`` and up to ``high`` as queries see them, by blocks, with their first seq."""
    happened = events.events_between(tx, low, high)
    known = standings(tx, [event.paper for event in happened], people, sought)
    found: dict[int, tuple[int, list[Document]]] = {}
    for event in happened:
        here = known.get(event.paper.key, NOTHING_KNOWN)
        one = document(event.paper, kind=event.kind, source=event.source, standings=here)
        found.setdefault(event.seq // BLOCK, (event.seq, []))[1].append(one)
    return list(found.values())
