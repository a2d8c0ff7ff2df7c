"""Match: evaluate each followed query once against each new event, however many readers follow it.

``changed queries → engine → events as documents → matches → one transaction{match blocks, matched_to}``
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
from digest.store.workers import hints

_MAX_BLOCKS = 2
"""Maximum number of blocks of events in memory."""
_MAX_LATE_QUERIES = 50_000
"""Maximum number of queries that are matched further back at a time."""
_PROGRESS_STEP = 20_000
"""Number of queries after which progress is reported while queries are loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """The result of all passes.

    Attributes:
        events: the number of matched events.
        queries: the number of evaluated queries.
        match_count: the number of pairs of event and query that match with any confidence.
    """

    events: int
    queries: int
    match_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProgress:
    """Progress of matching.

    Attributes:
        activity: the current activity, for people.
        done_count: how much of it is done: papers, or queries while these are loaded.
        total: the total; None if it is unknown.
    """

    activity: str
    done_count: int
    total: int | None = None


@dataclass(slots=True, kw_only=True)
class _MatchPass:
    """One pass, and its matches.

    Attributes:
        matched_seq: ``matched_to`` at the start of the pass.
        revision: the revision of the queries at the start of the pass.
        reached: the end of the matched events once the pass is stored, or for late queries their beginning.
        sought_keys: the keys of names that these and earlier queries ask for (``collect_sought_keys``).
        late_queries: the queries that are matched further back; empty if new events are matched with all
            queries.
        recompiled: compiled forms of queries that had to be parsed again, by number.
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
        """Add a query to an engine, parsing it again if it has no compiled form."""
        if not compiled:
            self.recompiled[number] = compiled = matches.compile_text(text)
        engine.add_compiled(number, compiled)
        if '["a",' in compiled:
            self.sought_keys |= collect_sought_keys(load_compiled(compiled))

    def match_blocks(self, engine: Engine, blocks: Iterable[tuple[int, Sequence[PaperDocument]]]) -> None:
        """Match the events of blocks, each with the seq of its first event."""
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
    """Matches events, and keeps the loaded queries in memory: a later pass only loads those that have changed.

    Args:
        store: the store.
        max_queries: maximum number of queries in memory, about a kilobyte each. If there are more, each pass
            loads all of them in ranges, at a tenth of a millisecond for each query.
    """

    def __init__(self, store: Store, *, max_queries: int = 1_000_000) -> None:
        self._store = store
        self._max_queries = max_queries
        self._engine = Engine()
        self._sought_keys: set[str] = set()
        self._revision: int | None = None
        """The revision of the queries in the engine; None if not all of them are loaded."""

    def match(self) -> Iterator[MatchProgress | MatchSummary]:
        """Match all stored events, and each query as far back as some digest needs it.

        A query that is added meanwhile counts as unmatched until a pass includes it, and no run that needs it
        closes before. If this is interrupted, what is stored remains, and the next call continues.

        Yields:
            Progress, and finally the summary.
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
            if not _save_pass(self._store, match_pass):
                continue  # another process was faster
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
        """Skip events that no query needs, if enough events are outstanding to make this worthwhile."""
        with self._store.begin_read() as tx:
            if get_highest_seq(tx) < _find_block_end(matches.read_matched_to(tx) + 1):
                return
        with self._store.begin_write() as tx:
            matches.skip_unneeded(tx)

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
        """Yield an engine with all queries, or several one after another if they are too many, and progress."""
        since, self._revision = (
            self._revision,
            None,
        )  # if loading is interrupted, the engine is incomplete
        if (
            since is None or since > match_pass.revision
        ):  # no queries are loaded, or the store was restored to an earlier state
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
    """Match everything once, as ``EventMatcher.match`` does, and return the summary."""
    (matched,) = (progress for progress in EventMatcher(store).match() if isinstance(progress, MatchSummary))
    return matched


def _save_pass(store: Store, match_pass: _MatchPass) -> bool:
    """Store the matches of a pass, and return whether they counted.

    If another process has moved ``matched_to``, they are discarded. Storing the same matches again changes nothing.
    """
    if match_pass.recompiled:
        # In a transaction of its own, because its locks would come before the one with which a pass begins.
        with store.begin_write() as tx:
            matches.save_compiled(tx, match_pass.recompiled)
    with store.begin_write() as tx:
        if matches.begin_pass(tx) != match_pass.matched_seq:
            return False
        if match_pass.late_queries:
            matches.record_backfill(
                tx, match_pass.late_queries, match_pass.new_matches, match_pass.reached, match_pass.revision
            )
        else:
            matches.finish_pass(tx, match_pass.new_matches, match_pass.reached, match_pass.revision)
        hints.defer_hint(tx, hints.TICK)
    return True


def match_late_follows(store: Store, digest_id: int) -> None:
    """Match the queries of a digest as far back as it needs them, and no others; new events are left to ``match``.

    Args:
        store: the store.
        digest_id: the number of the digest.
    """
    while True:
        with store.begin_read() as tx:
            late_queries = matches.list_lagging_of(tx, digest_id, _MAX_LATE_QUERIES)
            if not late_queries:
                return
            matched_seq = matches.read_matched_to(tx)
            match_pass = _MatchPass(
                matched_seq=matched_seq,
                revision=matches.read_revision(tx),
                reached=matched_seq,
                sought_keys=set(),
            )
            _match_late(tx, match_pass, late_queries)
        _save_pass(store, match_pass)  # if another process was faster, the next round begins at its end


def _read_queries(
    match_pass: _MatchPass, engine: Engine, changes: Iterable[QueryChange]
) -> Iterator[MatchProgress]:
    """Apply the changes of queries to an engine, and yield progress."""
    for count, change in enumerate(changes, start=1):
        if change.number in engine:
            engine.remove(change.number)
        if change.is_followed:
            match_pass.add_query(engine, change.number, change.text, change.compiled)
        if count % _PROGRESS_STEP == 0:
            yield MatchProgress(activity="Reading queries", done_count=match_pass.queries + count)


def _match_late(tx: Transaction, match_pass: _MatchPass, late_queries: Sequence[LaggingQuery]) -> None:
    """Match the late queries that are least far behind some blocks further back."""
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
    """Return the last seq of the blocks that are held at a time, beginning with the block of a seq."""
    return (seq // BLOCK_SIZE + _MAX_BLOCKS) * BLOCK_SIZE - 1


def _find_block_start(seq: int) -> int:
    """Return the seq before the blocks that are held at a time, ending with the block of a seq."""
    return max(0, (seq // BLOCK_SIZE + 1 - _MAX_BLOCKS) * BLOCK_SIZE - 1)


def _load_documents(
    tx: Transaction, low: int, high: int, wanted_authors: WantedAuthors, sought_keys: Collection[str]
) -> list[tuple[int, Sequence[PaperDocument]]]:
    """Load the events after ``low`` and up to ``high`` as documents, in blocks with the seq of their first event."""
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
