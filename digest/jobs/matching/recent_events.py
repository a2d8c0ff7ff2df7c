"""The events of recent days, with their papers as documents, for previews of queries."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, partial, reduce
from itertools import compress
from operator import not_, or_

from digest.core.editions.window_events import KINDS_UNLESS_WITHDRAWN, is_eligible
from digest.core.language.default_kinds import apply_default_kinds
from digest.core.language.parser import ParsedQuery
from digest.core.language.query import (
    And,
    ByAuthor,
    Fact,
    InCategory,
    Not,
    Or,
    Query,
    TextQuery,
    compile_query,
    extract_kind_part,
    iter_authors,
)
from digest.core.matching.bitmaps import (
    BLOCK_SIZE,
    MatchBitmaps,
    build_sure_matches,
    list_positions,
    make_bitmap,
)
from digest.core.matching.narrowing import Narrower
from digest.core.matching.percolator.engine import Engine
from digest.core.matching.percolator.prefilter import build_prefilter
from digest.core.names.fitting import fold_name, make_index_keys, make_key_filter
from digest.core.papers.document import NO_STANDINGS, Byline, BylineStanding, PaperDocument, build_document
from digest.core.text.accents import decode_tex_accents
from digest.jobs.people.statements import (
    collect_sought_keys,
    find_events_by_ids,
    load_standings,
    load_standings_by_number,
)
from digest.model import Event, EventKind, Paper
from digest.store.database.engine import Transaction, get_highest_seq
from digest.store.matching.event_index import EventIndex, IndexedEvents, load_indexed_events
from digest.store.papers.authorships import iter_printed_authors
from digest.store.papers.events import find_seq_before, load_events_by_seq

_DEFAULT_KINDS = frozenset((EventKind.NEW, EventKind.PICKED))
"""The kinds of events that a query matches if it names none."""

LoadEvents = Callable[..., IndexedEvents]
"""Loads events without their papers, as ``load_indexed_events`` does."""
_Pairs = list[tuple[Event, PaperDocument]]


class RecentEvents:
    """The events to search, and their papers as documents.

    A bitmap has one bit for each event; its position is that of the event in ``listed``.

    Attributes:
        listed: the events in order; if a paper is not in the index, some of its events may not be reportable.
        index: the index of their papers.
        narrower: decides by the index which events match a query.
        signed: bitmap of the events whose papers may be signed by a person in the query.
    """

    def __init__(
        self,
        tx: Transaction,
        reading: ParsedQuery,
        since: date,
        report_progress: Callable[[str, int, int], None],
        load: LoadEvents = load_indexed_events,
    ) -> None:
        self._tx = tx
        self._report_progress = report_progress
        self._any_kind = extract_kind_part(reading.query) is not None
        self._kinds = frozenset(EventKind) if self._any_kind else _DEFAULT_KINDS
        self._people = tuple(iter_authors(reading.query))
        self._low_seq, self._last_seq = find_seq_before(tx, since), get_highest_seq(tx)
        kinds = self._kinds | ({EventKind.GROWN} if EventKind.NEW in self._kinds else set())
        self.listed = load(tx, self._low_seq, since, kinds, unless_withdrawn=KINDS_UNLESS_WITHDRAWN)
        self.index = EventIndex(
            tx, self.listed, lambda person: find_events_by_ids(tx, person, self._low_seq, self._last_seq)
        )
        self.narrower = Narrower(self.index)
        self.signed = reduce(or_, map(self.narrower.find_possibly_signed, self._people), 0)

    def find_open_without_people(self, queries: Iterable[Query]) -> int:
        """Return a bitmap of the events for which the index leaves something undecided besides persons."""
        bitmaps = [self.index.unindexed]
        for leaf in _iter_leaves_without_people(queries):
            bitmaps.append(self.narrower.narrow(leaf).open_events)
            if isinstance(leaf, TextQuery):
                bitmaps.append(self.narrower.narrow_title(leaf).open_events)
        return reduce(or_, bitmaps)

    def match_known_leaves(self, queries: Iterable[Query], bitmap: int) -> dict[str, MatchBitmaps]:
        """Return the matches of all leaves except persons, for events for which these leaves are decided."""
        hits_by_leaf = {}
        for leaf in _iter_leaves_without_people(queries):
            title = 0
            if isinstance(leaf, TextQuery):
                title = self.narrower.narrow_title(leaf).sure & bitmap
            hits_by_leaf[compile_query(leaf)] = build_sure_matches(
                self.narrower.narrow(leaf).sure & bitmap, title
            )
        return hits_by_leaf

    def load_bylines(self, bitmap: int) -> dict[int, tuple[Byline, ...]]:
        """Load the bylines that may be a person in the query, by position of the event."""
        numbers = {self.listed.papers[position] for position in list_positions(bitmap)}
        may_fit = cache(
            make_key_filter(author_query.name for author_query in self._people if author_query.name)
        )
        by_ids = any(author_query.ids for author_query in self._people)
        sought_keys = frozenset[str]().union(*map(collect_sought_keys, self._people))
        standings_by_number = load_standings_by_number(
            self._tx, numbers, build_engine(self._people).wanted_authors, sought_keys
        )
        bylines: dict[int, list[Byline]] = defaultdict(list)
        for number, printed, author_ids in iter_printed_authors(self._tx, numbers):
            if by_ids or may_fit(printed):
                name = decode_tex_accents(printed)
                standing = standings_by_number.get(number, NO_STANDINGS).get(
                    fold_name(name), BylineStanding()
                )
                bylines[number].append(Byline(name, author_ids, standing))
        return {position: tuple(bylines[self.listed.papers[position]]) for position in list_positions(bitmap)}

    def relax_kinds(self, query: Query) -> Query:
        """Return the query that a digest evaluates on these events.

        If some part of the query names kinds, the other parts get the default kinds. Otherwise the events
        themselves are limited to the default kinds.
        """
        return apply_default_kinds(query) if self._any_kind else query

    def get_paper_number(self, seq: int) -> int:
        """Return the number of an event's paper."""
        return self.listed.papers[self.listed.find_position(seq)]

    def iter_blocks(self, activity: str) -> Iterator[int]:
        """Iterate over bitmaps of the events of one block of seqs each, last block first."""
        seqs = self.listed.seqs
        for high in range(self._last_seq, self._low_seq, -BLOCK_SIZE):
            self._report_progress(activity, self._last_seq - high, self._last_seq - self._low_seq)
            first, behind = (
                bisect_right(seqs, max(self._low_seq, high - BLOCK_SIZE)),
                bisect_right(seqs, high),
            )
            yield (1 << behind) - (1 << first)

    def load(self, block: int, wanted_bitmap: int) -> tuple[Event, ...]:
        """Load the reportable events of a block that are wanted, or whose papers are not in the index."""
        bitmap = block & (wanted_bitmap | self.index.unindexed)
        loaded = load_events_by_seq(
            self._tx, [self.listed.seqs[position] for position in list_positions(bitmap)]
        )
        return tuple(event for _, event in sorted(loaded.items()) if is_eligible(event, self._kinds))

    def select_reportable(self, block: int, loaded: Iterable[Event]) -> int:
        """Return a bitmap of the reportable events of a block: those of indexed papers, and the loaded ones."""
        loaded_bitmap = make_bitmap(self.listed.find_position(event.seq) for event in loaded)
        return block & (~self.index.unindexed | loaded_bitmap)

    def iter_documents(self, blocks: Iterable[Sequence[Event]], queries: Iterable[Query]) -> Iterator[_Pairs]:
        """Iterate over the papers that may match one of some queries, one block at a time.

        Papers for which it matters who signed them come last, because the persons behind their bylines are
        computed once for all.
        """
        may_fit: Callable[[Paper], bool] | None = None
        in_doubt: list[Event] = []
        for events in filter(None, blocks):
            may_fit = may_fit or build_prefilter(Or(queries=tuple(queries)))
            candidates = [event for event in events if may_fit(event.paper)]
            signed = [self._is_possibly_signed(event) for event in candidates]
            in_doubt += compress(candidates, signed)
            yield [(event, build_event_document(event)) for event in compress(candidates, map(not_, signed))]
        if not in_doubt:
            return
        sought_keys = frozenset[str]().union(*map(collect_sought_keys, self._people))
        standings_by_paper = load_standings(
            self._tx,
            [event.paper for event in in_doubt],
            build_engine(self._people).wanted_authors,
            sought_keys,
        )
        for first in range(0, len(in_doubt), BLOCK_SIZE):
            chunk = in_doubt[first : first + BLOCK_SIZE]
            yield [
                (event, build_event_document(event, standings_by_paper.get(event.paper.key, NO_STANDINGS)))
                for event in chunk
            ]

    def _is_possibly_signed(self, event: Event) -> bool:
        """Whether a person in the query may have signed a paper."""
        position = self.listed.find_position(event.seq)
        if not self.index.unindexed >> position & 1:
            return bool(self.signed >> position & 1)
        bylines = build_event_document(event).bylines
        return any(
            not author_query.name or any(map(partial(_is_possible_author, author_query), bylines))
            for author_query in self._people
        )


def _is_possible_author(person: ByAuthor, byline: Byline) -> bool:
    if not byline.ids.isdisjoint(person.ids):
        return True
    return not make_index_keys(person.name).isdisjoint(make_index_keys(byline.name))


def build_event_document(
    event: Event, paper_standings: Mapping[str, BylineStanding] = NO_STANDINGS
) -> PaperDocument:
    """Build the document of an event's paper, with the standings of its bylines."""
    return build_document(event.paper, kind=event.kind, source=event.source, standings=paper_standings)


def build_engine(queries: Iterable[Query]) -> Engine:
    """Build an engine of some queries, numbered from 0."""
    engine = Engine()
    for number, query in enumerate(queries):
        engine.add(number, query)
    return engine


def _iter_leaves_without_people(queries: Iterable[Query]) -> Iterator[TextQuery | InCategory | Fact]:
    for query in queries:
        match query:
            case And() | Or():
                yield from _iter_leaves_without_people(query.queries)
            case Not():
                yield from _iter_leaves_without_people([query.query])
            case ByAuthor():
                pass
            case _:
                yield query
