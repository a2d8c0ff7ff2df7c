"""Match: each new event against each query that somebody follows, once, however many follow it.

``queries that changed → engine → events as documents → hits → one transaction{match blocks, matched_to}``
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from digest.core.language.query import load_compiled
from digest.core.matching.bitmaps import BLOCK_SIZE, MatchBitmaps, encode_matches
from digest.core.matching.percolator.engine import Engine, WantedAuthors
from digest.core.papers.document import NO_STANDINGS, PaperDocument, build_document
from digest.jobs.people.statements import collect_sought_keys, load_standings
from digest.store.database.engine import Store, Transaction, get_highest_seq
from digest.store.matching import matches
from digest.store.matching.matches import BlockMatches, LaggingQuery, QueryChange
from digest.store.papers import events

_MAX_BLOCKS = 2
"""So many blocks of events are held in memory at most."""
_MAX_LATE_QUERIES = 50_000
"""So many queries are matched further back at a time."""
_PROGRESS_STEP = 20_000
"""After so many queries it is told how far the reading is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """What passes did: events seen, queries asked, and how many pairs fit, surely or maybe."""

    events: int
    queries: int
    match_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProgress:
    """How far it is.

    Attributes:
        activity: is being done, for people.
        done_count: how much of it: papers, or queries where these are being read.
        total: None if it is not known.
    """

    activity: str
    done_count: int
    total: int | None = None


@dataclass(slots=True, kw_only=True)
class _MatchPass:
    """One pass, and what it found.

    Attributes:
        matched_seq: up to there all was matched when it began.
        revision: the revision of the queries then.
        reached: up to there, or for late queries down to there, all is matched when it is kept.
        late_queries: the queries that it matches further back; none where it matches new events with all.
        recompiled: queries that had to be read from their texts, compiled.
        sought_keys: the names that these and earlier queries ask for (``collect_sought_keys``).
    """

    matched_seq: int
    revision: int
    reached: int
    sought_keys: set[str]
    late_queries: Sequence[int] = ()
    new_matches: list[BlockMatches] = field(default_factory=list)
    recompiled: dict[int, str] = field(default_factory=dict)
    queries: int = 0
    match_count: int = 0

    def add_query(self, engine: Engine, number: int, text: str, compiled: str) -> None:
        """Let an engine ask a query; it is read anew where that has to be."""
        if not compiled:
            self.recompiled[number] = compiled = matches.compile_text(text)
        engine.add_compiled(number, compiled)
        if '["a",' in compiled:
            self.sought_keys |= collect_sought_keys(load_compiled(compiled))

    def match_blocks(self, engine: Engine, blocks: Iterable[tuple[int, Sequence[PaperDocument]]]) -> None:
        """Ask about the events of blocks, each with the seq of the first one."""
        self.queries += len(engine)
        for first, documents in blocks:
            block_number, offset = divmod(first, BLOCK_SIZE)
            for query, hits in engine.match(documents):
                bitmaps = MatchBitmaps(*(bitmap << offset for bitmap in hits))
                self.new_matches.append(
                    BlockMatches(query=query, block=block_number, packed=encode_matches(bitmaps))
                )
                self.match_count += hits.maybe.bit_count()


class EventMatcher:
    """Matches, and keeps the queries that it has read: a further pass reads only those that changed since.

    Args:
        store: what is matched.
        max_queries: so many queries are held in memory at most, about a kilobyte each; more are read range by range at
            each pass, which takes a tenth of a millisecond for each.
    """

    def __init__(self, store: Store, *, max_queries: int = 1_000_000) -> None:
        self._store = store
        self._max_queries = max_queries
        self._engine = Engine()
        self._sought_keys: set[str] = set()
        self._revision: int | None = None
        """The revision of the queries in the engine; None: they have not all been read."""

    def match(self) -> Iterator[MatchProgress | MatchSummary]:
        """Match until everything stored is matched, and each query as far back as some digest needs it.

        A query that is added meanwhile is not forgotten: it counts as unmatched until a pass has had it, and
        no run that needs it closes before. What was kept stays when this ends early; the next one goes on.

        Yields:
            How far it is, and in the end what it did.
        """
        self._skip_unneeded()
        event_count = query_count = match_count = 0
        while True:
            with self._store.begin_read() as tx:
                matched_seq, last_seq = matches.read_matched_to(tx), get_highest_seq(tx)
                match_pass = _MatchPass(
                    matched_seq=matched_seq,
                    revision=matches.read_revision(tx),
                    reached=matched_seq,
                    sought_keys=self._sought_keys,
                )
                if late_queries := matches.list_lagging(tx, min(_MAX_LATE_QUERIES, self._max_queries)):
                    _match_late(tx, match_pass, late_queries)
                elif matched_seq < last_seq:
                    match_pass.reached = min(last_seq, _find_block_end(matched_seq + 1))
                    yield from self._match_new(tx, match_pass)
                else:
                    break
            if not self._save_pass(match_pass):
                continue  # another one was faster, or is matching, too
            if late_queries:
                yield MatchProgress(
                    activity="Matching new follows, back to paper", done_count=match_pass.reached
                )
                continue
            event_count, query_count, match_count = (
                event_count + match_pass.reached - matched_seq,
                max(query_count, match_pass.queries),
                match_count + match_pass.match_count,
            )
            yield MatchProgress(
                activity="Matching papers",
                done_count=event_count,
                total=event_count + last_seq - match_pass.reached,
            )
        yield MatchSummary(events=event_count, queries=query_count, match_count=match_count)

    def _skip_unneeded(self) -> None:
        """Leave out what nobody needs, where so much lies behind that it may be worth it."""
        with self._store.begin_read() as tx:
            if get_highest_seq(tx) < _find_block_end(matches.read_matched_to(tx) + 1):
                return
        with self._store.begin_planning() as tx:
            matches.skip_unneeded(tx)

    def _save_pass(self, match_pass: _MatchPass) -> bool:
        """Keep what a pass found, unless another one was faster; finding the same again changes nothing."""
        with self._store.begin_planning() as tx:
            matches.save_compiled(tx, match_pass.recompiled)
            if matches.begin_pass(tx) != match_pass.matched_seq:
                return False
            if match_pass.late_queries:
                matches.record_backfill(
                    tx,
                    match_pass.late_queries,
                    match_pass.new_matches,
                    match_pass.reached,
                    match_pass.revision,
                )
            else:
                matches.finish_pass(tx, match_pass.new_matches, match_pass.reached, match_pass.revision)
        return True

    def _match_new(self, tx: Transaction, match_pass: _MatchPass) -> Iterator[MatchProgress]:
        for engine in self._load_engines(tx, match_pass):
            if isinstance(engine, MatchProgress):
                yield engine
            else:
                match_pass.match_blocks(
                    engine,
                    _load_documents(
                        tx,
                        match_pass.matched_seq,
                        match_pass.reached,
                        engine.wanted_authors,
                        match_pass.sought_keys,
                    ),
                )

    def _load_engines(self, tx: Transaction, match_pass: _MatchPass) -> Iterator[Engine | MatchProgress]:
        """All queries as they are now: in one engine or, where they are too many for that, one after another."""
        since, self._revision = (
            self._revision,
            None,
        )  # half-read queries would be of no good if this ends early
        if (
            since is None or since > match_pass.revision
        ):  # nothing was read, or the store was put back to an earlier state
            self._engine, since = Engine(), None
            parts = matches.list_ranges(tx, self._max_queries)
            if len(parts) > 1:
                for low, high in parts:
                    engine = Engine()
                    yield from _read_queries(match_pass, engine, matches.iter_changes(tx, None, low, high))
                    yield engine
                return
        yield from _read_queries(match_pass, self._engine, matches.iter_changes(tx, since))
        yield self._engine
        if len(self._engine) <= self._max_queries:
            self._revision = match_pass.revision


def match(store: Store) -> MatchSummary:
    """Match everything, for who does it once: see ``EventMatcher.match``."""
    (matched,) = (progress for progress in EventMatcher(store).match() if isinstance(progress, MatchSummary))
    return matched


def _read_queries(
    match_pass: _MatchPass, engine: Engine, changes: Iterable[QueryChange]
) -> Iterator[MatchProgress]:
    """Bring an engine up to date with the queries that changed."""
    for count, change in enumerate(changes, start=1):
        if change.number in engine:
            engine.remove(change.number)
        if change.is_followed:
            match_pass.add_query(engine, change.number, change.text, change.compiled)
        if count % _PROGRESS_STEP == 0:
            yield MatchProgress(activity="Reading queries", done_count=match_pass.queries + count)


def _match_late(tx: Transaction, match_pass: _MatchPass, late_queries: Sequence[LaggingQuery]) -> None:
    """Match the queries that lag behind at the latest place, some blocks further back."""
    ends = [
        match_pass.matched_seq if query.matched_from is None else query.matched_from for query in late_queries
    ]
    high = max(ends)
    chosen = [query for query, end in zip(late_queries, ends, strict=True) if end == high]
    low = min(high, max(min(query.needed_from for query in chosen), _find_block_start(high)))
    match_pass.late_queries, match_pass.reached = [query.number for query in chosen], low
    if low < high:
        engine = Engine()
        for query in chosen:
            match_pass.add_query(engine, query.number, query.text, query.compiled)
        match_pass.match_blocks(
            engine, _load_documents(tx, low, high, engine.wanted_authors, match_pass.sought_keys)
        )


def _find_block_end(seq: int) -> int:
    """The last seq of the blocks held at a time, beginning with the one in which a seq lies."""
    return (seq // BLOCK_SIZE + _MAX_BLOCKS) * BLOCK_SIZE - 1


def _find_block_start(seq: int) -> int:
    """The seq before the blocks held at a time, ending with the one in which a seq lies."""
    return max(0, (seq // BLOCK_SIZE + 1 - _MAX_BLOCKS) * BLOCK_SIZE - 1)


def _load_documents(
    tx: Transaction, low: int, high: int, wanted_authors: WantedAuthors, sought_keys: Collection[str]
) -> list[tuple[int, Sequence[PaperDocument]]]:
    """The events numbered after ``low`` and up to ``high`` as queries see them, by blocks, with their first seq."""
    new_events = events.load_events_between(tx, low, high)
    standings_by_paper = load_standings(
        tx, [event.paper for event in new_events], wanted_authors, sought_keys
    )
    blocks: dict[int, tuple[int, list[PaperDocument]]] = {}
    for event in new_events:
        paper_standings = standings_by_paper.get(event.paper.key, NO_STANDINGS)
        event_document = build_document(
            event.paper, kind=event.kind, source=event.source, standings=paper_standings
        )
        blocks.setdefault(event.seq // BLOCK_SIZE, (event.seq, []))[1].append(event_document)
    return list(blocks.values())
