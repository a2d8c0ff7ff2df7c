"""Preview of a query: what it finds among the stored papers, and what a relaxed query would find."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import islice
from operator import or_

from digest.core.language.parser import ParsedQuery, parse_with_hints, reject_unstorable
from digest.core.language.query import (
    Query,
    TextQuery,
    compile_query,
    iter_named_papers,
)
from digest.core.language.relax import RelaxedQuery, iter_positive_parts, list_alternatives, relax_query
from digest.core.matching.bitmaps import MatchBitmaps, list_positions
from digest.core.matching.evaluate import evaluate
from digest.core.matching.narrowing import Bounds
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import Byline
from digest.jobs.matching.recent_events import LoadEvents, RecentEvents, build_engine, build_event_document
from digest.model import Confidence, Event, MatchResult
from digest.store.citations import count_with_references
from digest.store.database.engine import Store
from digest.store.matching.event_index import IndexedEvents, load_indexed_events
from digest.store.papers.events import load_events_by_seq

MAX_PAPERS = 3_000
"""Number of found papers after which no earlier days are searched."""
_MAX_QUERIES = 40
"""Maximum number of alternatives, relaxed queries and parts that are evaluated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperMatch:
    """A paper that the query finds, by its first matching event.

    Attributes:
        seq: the seq of the event.
        day: the day of the event.
        confidence: the confidence of the match.
        in_title: the number of required words and phrases that are in the title.
        sides: the numbers of the query's alternatives that it matches.
        bylines: the bylines with their standings; empty if the match does not depend on persons.
    """

    seq: int
    day: date
    confidence: Confidence
    in_title: int
    sides: frozenset[int]
    bylines: tuple[Byline, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A found paper, with its content and the evidence.

    Attributes:
        event: the event by which it was found.
        match_result: the match of the query.
    """

    paper_match: PaperMatch
    event: Event
    match_result: MatchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCount:
    """The counts of an announcement day.

    Attributes:
        checked: the number of searched papers.
        sure: the number of papers that the query finds surely or likely.
        maybe: the number of papers that it may find.
    """

    day: date
    checked: int
    sure: int
    maybe: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPreview:
    """What a query finds.

    Attributes:
        reading: the parsed query.
        effective_query: the query as a digest evaluates it, with default kinds if it names none.
        days: the searched days with announcements, first day first.
        matches: each paper once, ordered by confidence, then by the number of matching words in the title,
            then newest first.
        since: the first searched day if the search stopped because of too many matches; None if all days were
            searched.
        wider: if nothing is found, queries that lack one part, with the number of papers that they find,
            largest first.
        lacking: if nothing is found, the parts of the query that find nothing by themselves either.
        references: for a query with ``cites:``, the number of papers of these days with known references, and
            of all.
    """

    reading: ParsedQuery
    effective_query: Query
    days: tuple[DayCount, ...]
    matches: tuple[PaperMatch, ...]
    since: date | None = None
    wider: tuple[tuple[RelaxedQuery, int], ...] = ()
    lacking: tuple[str, ...] = ()
    references: tuple[int, int] | None = None

    @property
    def checked(self) -> int:
        """The number of searched papers."""
        return sum(day.checked for day in self.days)


def try_query(
    store: Store,
    text: str,
    days: int,
    now: datetime,
    *,
    max_papers: int = MAX_PAPERS,
    report_progress: Callable[[str, int, int], None] = lambda _activity, _count, _total: None,
    load: LoadEvents = load_indexed_events,
) -> QueryPreview:
    """Evaluate a query on the stored papers of the last days.

    It matches papers that were new or picked; other events, such as new versions, only if the query names
    their kinds.

    Args:
        store: the store.
        text: the query.
        days: the number of days to search.
        now: the end of the search, UTC.
        max_papers: the number of found papers after which no earlier days are searched.
        report_progress: gets the activity, the number of searched events, and their total.
        load: loads events without their papers.

    Raises:
        QueryError: the query cannot be parsed.
    """
    reject_unstorable(text)
    parsed = parse_with_hints(text)
    first_day = now.date() - timedelta(days=days)
    with store.begin_read() as tx:
        recent_events = RecentEvents(tx, parsed, first_day, report_progress, load)
        checked, matches, complete_since = _find_papers(recent_events, parsed, max_papers)
        query_result = QueryPreview(
            reading=parsed,
            effective_query=recent_events.relax_kinds(parsed.query),
            days=_count_days(checked, matches),
            matches=tuple(sorted(matches, key=_rank_match)),
            since=complete_since,
            references=count_with_references(tx, first_day) if _has_citation_term(parsed.query) else None,
        )
        return query_result if matches else _try_relaxed(recent_events, query_result)


def load_events(store: Store, matches: Iterable[PaperMatch]) -> dict[int, Event]:
    """Load the events by which papers were found, with their papers, by seq."""
    with store.begin_read() as tx:
        return load_events_by_seq(tx, [paper_match.seq for paper_match in matches])


def load_examples(
    store: Store, query_result: QueryPreview, matches: Iterable[PaperMatch]
) -> tuple[Example, ...]:
    """Load found papers with their content, and the evidence.

    Papers that have changed so that the query no longer finds them are left out.
    """
    chosen = tuple(matches)
    events = load_events(store, chosen)
    examples = []
    for paper_match in chosen:
        paper_document = build_event_document(events[paper_match.seq])
        match_result = evaluate(
            query_result.effective_query,
            replace(paper_document, bylines=paper_match.bylines) if paper_match.bylines else paper_document,
        )
        if match_result:
            examples.append(
                Example(paper_match=paper_match, event=events[paper_match.seq], match_result=match_result)
            )
    return tuple(examples)


def _has_citation_term(query: Query) -> bool:
    return any(field == "cites" for field, _ in iter_named_papers(compile_query(query)))


def choose_examples(matches: Iterable[PaperMatch], limit: int) -> tuple[PaperMatch, ...]:
    """Choose found papers that show most about a query.

    In their order, first each paper that matches an alternative of the query that no earlier paper matches;
    then, while there is room, the first of the others. The result has the same order.

    Args:
        matches: papers in the order of ``QueryPreview.matches``.
        limit: the maximum number of papers.
    """
    ordered = tuple(matches)
    covered_sides: set[int] = set()
    covering = []
    for position, paper_match in enumerate(ordered):
        if not paper_match.sides <= covered_sides:
            covered_sides |= paper_match.sides
            covering.append(position)
    others = (position for position in range(len(ordered)) if position not in covering)
    return tuple(ordered[position] for position in sorted(islice([*covering, *others], limit)))


def _rank_match(paper_match: PaperMatch) -> tuple[int, int, int, int]:
    return -paper_match.confidence, -paper_match.in_title, -paper_match.day.toordinal(), paper_match.seq


def _count_days(checked: Mapping[int, date], matches: Iterable[PaperMatch]) -> tuple[DayCount, ...]:
    checked_by_day = Counter(checked.values())
    sure, maybe = Counter[date](), Counter[date]()
    for paper_match in matches:
        (sure if paper_match.confidence >= Confidence.LIKELY else maybe)[paper_match.day] += 1
    return tuple(
        DayCount(day=day, checked=checked_by_day[day], sure=sure[day], maybe=maybe[day])
        for day in sorted({*checked_by_day, *sure, *maybe})
    )


# --- search ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _PreviewQueries:
    """The queries that are evaluated for each paper.

    Attributes:
        query: the query of the preview.
        alternatives: its alternatives; their numbers, from 1, are those of ``PaperMatch.sides``.
        parts: its required words and phrases, which are counted in the title.
    """

    query: Query
    alternatives: Sequence[Query]
    parts: Sequence[TextQuery]

    @property
    def all_queries(self) -> tuple[Query, ...]:
        """All of them, in the order of the numbers that ``_iter_matches`` expects."""
        return (self.query, *self.alternatives, *self.parts)


def _find_papers(
    recent_events: RecentEvents, parsed: ParsedQuery, max_papers: int
) -> tuple[dict[int, date], list[PaperMatch], date | None]:
    """Return the searched papers with their days, the matches, and the first searched day if not all were searched."""
    checked: dict[int, date] = {}
    matches: dict[int, PaperMatch] = {}
    listed = recent_events.listed
    queries = _PreviewQueries(
        query=recent_events.relax_kinds(parsed.query),
        alternatives=list_alternatives(parsed.typed_query)[:_MAX_QUERIES],
        parts=_list_text_parts(parsed.query),
    )
    engine = build_engine(queries.all_queries)
    reached_days: list[date] = []
    signed_bitmap = 0

    def add(paper: int, paper_match: PaperMatch) -> None:
        if paper not in matches or paper_match.seq < matches[paper].seq:
            matches[paper] = paper_match

    def open_events() -> Iterator[Sequence[Event]]:
        nonlocal signed_bitmap
        for block in recent_events.iter_blocks("Asking papers"):
            if len(matches) >= max_papers:
                reached_days.append(min(checked.values()))
                return
            indexed = _evaluate_block(recent_events, queries, block)
            events = recent_events.load(block, indexed.open)
            for position in reversed(list_positions(recent_events.select_reportable(block, events))):
                checked[listed.papers[position]] = listed.days[position]
            for position in list_positions(indexed.sure):
                add(listed.papers[position], indexed.make_match(position, listed))
            signed_bitmap |= indexed.signed
            yield events

    for paper_match in _find_in_loaded(recent_events, engine, queries, open_events()):
        add(recent_events.get_paper_number(paper_match.seq), paper_match)
    for paper_match in _find_signed(recent_events, engine, queries, signed_bitmap):
        add(recent_events.get_paper_number(paper_match.seq), paper_match)
    return _limit_to_complete_days(checked, matches.values(), _find_first_complete_day(checked, reached_days))


def _limit_to_complete_days(
    checked: Mapping[int, date], matches: Iterable[PaperMatch], since: date | None
) -> tuple[dict[int, date], list[PaperMatch], date | None]:
    """Limit the result of ``_find_papers`` to the days that were searched completely."""
    return (
        {paper: day for paper, day in checked.items() if since is None or day >= since},
        [paper_match for paper_match in matches if since is None or paper_match.day >= since],
        since,
    )


def _list_text_parts(query: Query) -> tuple[TextQuery, ...]:
    """List the required words and phrases of a query."""
    return tuple(dict.fromkeys(part for part in iter_positive_parts(query) if isinstance(part, TextQuery)))


def _find_first_complete_day(checked: Mapping[int, date], reached_days: Sequence[date]) -> date | None:
    """Return the first day that was searched completely; None if all days were.

    The day at which the search stopped may be incomplete: it counts only if there is no other day.
    """
    complete_days = [day for day in set(checked.values()) if reached_days and day > reached_days[0]]
    return min(complete_days, default=min(reached_days, default=None))


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexResult:
    """What the index decides about a query and some events.

    Attributes:
        sure: bitmap of the events that surely match.
        signed: bitmap of the events that may match, for which only the persons are undecided.
        open: bitmap of the other events that may match, or for which the details are undecided.
        sides: the matched alternatives, by position of the event.
        in_title: the number of parts in the title, by position of the event.
    """

    sure: int
    signed: int
    open: int
    sides: Mapping[int, AbstractSet[int]]
    in_title: Mapping[int, int]

    def make_match(self, position: int, listed: IndexedEvents) -> PaperMatch:
        """Make the match of an event that surely matches, by its position."""
        return PaperMatch(
            seq=listed.seqs[position],
            day=listed.days[position],
            confidence=Confidence.SURELY,
            in_title=self.in_title.get(position, 0),
            sides=frozenset(self.sides.get(position, ())),
        )


def _evaluate_block(recent_events: RecentEvents, queries: _PreviewQueries, block: int) -> _IndexResult:
    """Evaluate the events of a block with the index, and read the texts that it leaves undecided."""
    indexed = _narrow_block(recent_events, queries, block)
    if not indexed.open:
        return indexed
    recent_events.narrower.decide(indexed.open)
    return _narrow_block(recent_events, queries, block)


def _narrow_block(recent_events: RecentEvents, queries: _PreviewQueries, block: int) -> _IndexResult:
    """Evaluate the events of a block with the index and the texts that have been read so far."""
    narrower = recent_events.narrower
    main = narrower.narrow(queries.query)
    of_sides = [narrower.narrow(entry) for entry in queries.alternatives]
    of_titles = [narrower.narrow_title(part) for part in queries.parts]
    unclear = reduce(
        or_, (entry.open_events for entry in (main, *of_sides, *of_titles)), recent_events.signed
    )
    sure = main.sure & block & ~unclear
    sides_by_position, in_title = defaultdict[int, set[int]](set), Counter[int]()
    for side_number, entry in enumerate(of_sides, start=1):
        for position in list_positions(entry.sure & sure):
            sides_by_position[position].add(side_number)
    for entry in of_titles:
        in_title.update(list_positions(entry.sure & sure))
    possible = main.possible & block & unclear
    signed = possible & recent_events.signed
    if signed:
        signed &= ~recent_events.find_open_without_people(queries.all_queries)
    return _IndexResult(
        sure=sure, signed=signed, open=possible ^ signed, sides=sides_by_position, in_title=in_title
    )


_EventInfo = tuple[int, date, tuple[Byline, ...]]
"""The seq and the day of an event, and the bylines of its paper."""
_NO_HITS = MatchBitmaps(0, 0, 0, 0, 0, 0)
_MAIN_QUERY = 0
"""The number of the query itself."""


def _iter_matches(
    matches: Iterable[tuple[int, MatchBitmaps]],
    get_event_info: Callable[[int], _EventInfo],
    alternatives: int,
) -> Iterator[PaperMatch]:
    """Iterate over the papers that a query finds.

    Args:
        matches: the bitmaps of the query, its alternatives, and then its parts, by number.
        get_event_info: returns the event at a position of these bitmaps.
        alternatives: the number of alternatives.
    """
    hits, sides_by_position, in_title = _NO_HITS, defaultdict[int, set[int]](set), Counter[int]()
    for query_number, query_hits in matches:
        if query_number == _MAIN_QUERY:
            hits = query_hits
        elif query_number <= alternatives:
            for position in list_positions(query_hits.maybe):
                sides_by_position[position].add(query_number)
        else:
            in_title.update(list_positions(query_hits.title))
    for position in list_positions(hits.maybe):
        seq, day, bylines = get_event_info(position)
        yield PaperMatch(
            seq=seq,
            day=day,
            confidence=_get_confidence(hits, position),
            in_title=in_title[position],
            sides=frozenset(sides_by_position[position]),
            bylines=bylines,
        )


def _find_in_loaded(
    recent_events: RecentEvents, engine: Engine, queries: _PreviewQueries, blocks: Iterable[Sequence[Event]]
) -> Iterator[PaperMatch]:
    """Find papers among those that had to be loaded; the engine has all queries."""
    for pairs in recent_events.iter_documents(blocks, [queries.query]):
        event_infos = [(event.seq, event.day, paper_document.bylines) for event, paper_document in pairs]
        matches = engine.match([paper_document for _, paper_document in pairs])
        yield from _iter_matches(matches, event_infos.__getitem__, len(queries.alternatives))


def _find_signed(
    recent_events: RecentEvents, engine: Engine, queries: _PreviewQueries, bitmap: int
) -> Iterator[PaperMatch]:
    """Find papers among those for which only the persons are undecided, by a bitmap of their events."""
    if not bitmap:
        return
    listed, signed_by = recent_events.listed, recent_events.load_bylines(bitmap)

    def get_event_info(position: int) -> _EventInfo:
        return listed.seqs[position], listed.days[position], signed_by[position]

    matches = engine.match_signed(signed_by, recent_events.match_known_leaves(queries.all_queries, bitmap))
    yield from _iter_matches(matches, get_event_info, len(queries.alternatives))


def _get_confidence(hits: MatchBitmaps, position: int) -> Confidence:
    return Confidence(sum(bitmap >> position & 1 for bitmap in (hits.maybe, hits.likely, hits.surely)))


def _try_relaxed(recent_events: RecentEvents, query_result: QueryPreview) -> QueryPreview:
    """Add what relaxed queries would find, and which parts find nothing by themselves."""
    typed = query_result.reading.typed_query
    relaxed = list(islice(relax_query(typed), _MAX_QUERIES))
    parts = list(dict.fromkeys(islice(iter_positive_parts(typed), _MAX_QUERIES)))
    queries = [
        recent_events.relax_kinds(query)
        for query in (*(relaxed_query.query for relaxed_query in relaxed), *parts)
    ]
    papers_by_query = _find_papers_by_query(recent_events, queries)
    paper_counts = [
        (relaxed_query, len(papers_by_query[query_number]))
        for query_number, relaxed_query in enumerate(relaxed)
    ]
    return replace(
        query_result,
        wider=tuple(sorted(paper_counts, key=lambda pair: -pair[1])),
        lacking=tuple(
            str(part)
            for query_number, part in enumerate(parts, start=len(relaxed))
            if not papers_by_query[query_number]
        ),
    )


def _find_papers_by_query(recent_events: RecentEvents, queries: Sequence[Query]) -> dict[int, set[int]]:
    """Return the papers that each query finds, or may find, by number of the query."""
    engine = build_engine(queries)
    papers_by_query: dict[int, set[int]] = {query_number: set() for query_number in range(len(queries))}
    signed_bitmap = 0

    def open_events() -> Iterator[Sequence[Event]]:
        nonlocal signed_bitmap
        for block in recent_events.iter_blocks("Trying broader queries"):
            recent_events.narrower.decide(block & _narrow_queries(recent_events, queries)[1])
            bounds, unclear = _narrow_queries(recent_events, queries)
            known_bitmap = block & recent_events.signed & ~recent_events.find_open_without_people(queries)
            events = recent_events.load(block, unclear & ~known_bitmap)
            signed_bitmap |= known_bitmap
            tellable = recent_events.select_reportable(block, events)
            for query_index, query_bounds in enumerate(bounds):
                sure = query_bounds.sure & tellable & ~unclear
                papers_by_query[query_index].update(
                    recent_events.listed.papers[position] for position in list_positions(sure)
                )
            yield events

    for pairs in recent_events.iter_documents(open_events(), queries):
        for query_number, hits in engine.match([paper_document for _, paper_document in pairs]):
            papers_by_query[query_number].update(
                recent_events.get_paper_number(pairs[position][0].seq)
                for position in list_positions(hits.maybe)
            )
    signed_by = recent_events.load_bylines(signed_bitmap)
    known_leaves = recent_events.match_known_leaves(queries, signed_bitmap)
    for query_number, hits in engine.match_signed(signed_by, known_leaves):
        papers_by_query[query_number].update(
            recent_events.listed.papers[position] for position in list_positions(hits.maybe)
        )
    return papers_by_query


def _narrow_queries(recent_events: RecentEvents, queries: Iterable[Query]) -> tuple[list[Bounds], int]:
    """Return the bounds of queries by the index, and a bitmap of the events for which any of them is undecided."""
    bounds = [recent_events.narrower.narrow(query) for query in queries]
    return bounds, reduce(or_, (query_bounds.open_events for query_bounds in bounds), recent_events.signed)
