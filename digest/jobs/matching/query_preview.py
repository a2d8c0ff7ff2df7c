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

from digest.core.language.parser import ParsedQuery, parse_with_hints
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
from digest.jobs.matching.recent_events import RecentEvents, build_engine, build_event_document
from digest.model import Confidence, Event, MatchResult
from digest.store.citations import count_with_references
from digest.store.database.engine import Store
from digest.store.matching.search_index import IndexedEvents
from digest.store.papers.events import load_events_by_seq

MAX_PAPERS = 3_000
"""So many papers tell what a query finds: if it finds more, no days further back are asked about."""
_MAX_QUERIES = 40
"""So many alternatives, wider queries and parts are tried at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperMatch:
    """A paper that the query finds, by its first event that fits.

    Attributes:
        seq: of the event.
        day: of the event.
        confidence: how surely.
        in_title: how many of the words and phrases that are asked for stand in the title.
        sides: which alternatives of the query it shows, by their numbers.
        bylines: with what is known of who signed; none where the query fits whoever signed.
    """

    seq: int
    day: date
    confidence: Confidence
    in_title: int
    sides: frozenset[int]
    bylines: tuple[Byline, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A paper that the query finds, whole.

    Attributes:
        event: by which it was found.
        match_result: the query fits it.
    """

    paper_match: PaperMatch
    event: Event
    match_result: MatchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCount:
    """An announcement day.

    Attributes:
        checked: how many papers were looked at.
        sure: how many the query finds, surely or likely.
        maybe: how many it may find.
    """

    day: date
    checked: int
    sure: int
    maybe: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPreview:
    """What a query finds.

    Attributes:
        reading: how it was read.
        effective_query: what a digest that says nothing of kinds is told by it.
        days: those on which anything was announced that it was asked about, the first one first.
        matches: each paper once, the surest first, of these those with most words that fit in the title, then the newest.
        since: it finds so many papers that only these days, from this one on, were asked about; None: all were.
        wider: where nothing is found, the queries that ask for one thing less, with how many papers they
            find; those that find most first.
        lacking: where nothing is found, the parts of the query that find nothing by themselves either.
        references: where it asks what papers cite, of how many papers of these days that is known, and how many
            there are.
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
        """How many papers it was asked about."""
        return sum(day.checked for day in self.days)


def try_query(
    store: Store,
    text: str,
    days: int,
    now: datetime,
    *,
    max_papers: int = MAX_PAPERS,
    report_progress: Callable[[str, int, int], None] = lambda _activity, _count, _total: None,
) -> QueryPreview:
    """Ask a query about the papers of the last days that are in the store: those that were new or picked.

    Of other events, as new versions, it is asked where it names their kinds.

    Args:
        store: where.
        text: the query.
        days: how far back to look.
        now: until when.
        max_papers: days further back are not asked about once it has found so many papers.
        report_progress: is told what is done, and with how many events of how many, now and then.

    Raises:
        QueryError: it cannot be read.
    """
    parsed = parse_with_hints(text)
    first_day = now.date() - timedelta(days=days)
    with store.begin_read() as tx:
        recent_events = RecentEvents(tx, parsed, first_day, report_progress)
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
    """The events by which papers were found, with their papers, by seq."""
    with store.begin_read() as tx:
        return load_events_by_seq(tx, [paper_match.seq for paper_match in matches])


def load_examples(
    store: Store, query_result: QueryPreview, matches: Iterable[PaperMatch]
) -> tuple[Example, ...]:
    """Papers that a query finds, whole, and why it finds them.

    Those are left out that have changed since, so that it finds them no more.
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
    """Examples that tell most about a query, out of what it finds.

    Going through the papers in their order, first each one that shows an alternative of the query that none
    before it shows; then, while there is room, the first of the others. Shown in their order, too.

    Args:
        matches: in the order of ``QueryPreview.matches``.
        limit: how many to take.
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


# --- asking ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _PreviewQueries:
    """What is asked of each paper.

    Attributes:
        query: what is tried.
        alternatives: of the query; their numbers are those of ``PaperMatch.sides``.
        parts: the words and phrases that are to be there; those in the title are counted.
    """

    query: Query
    alternatives: Sequence[Query]
    parts: Sequence[TextQuery]

    @property
    def all_queries(self) -> tuple[Query, ...]:
        """All of it, in the order of the numbers that ``_iter_matches`` reads."""
        return (self.query, *self.alternatives, *self.parts)


def _find_papers(
    recent_events: RecentEvents, parsed: ParsedQuery, max_papers: int
) -> tuple[dict[int, date], list[PaperMatch], date | None]:
    """The papers that were looked at, each with its day, what the query finds, and since when if not all were."""
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
    """What ``_find_papers`` gives, of what was looked at and found."""
    return (
        {paper: day for paper, day in checked.items() if since is None or day >= since},
        [paper_match for paper_match in matches if since is None or paper_match.day >= since],
        since,
    )


def _list_text_parts(query: Query) -> tuple[TextQuery, ...]:
    """The words and phrases that are to be there."""
    return tuple(dict.fromkeys(part for part in iter_positive_parts(query) if isinstance(part, TextQuery)))


def _find_first_complete_day(checked: Mapping[int, date], reached_days: Sequence[date]) -> date | None:
    """The first day of which all papers were asked about; None if nothing was left out.

    Of the day that was reached some papers may not have been asked about: it counts only if there is no other.
    """
    complete_days = [day for day in set(checked.values()) if reached_days and day > reached_days[0]]
    return min(complete_days, default=min(reached_days, default=None))


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexResult:
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

    def make_match(self, position: int, listed: IndexedEvents) -> PaperMatch:
        """One of the events that it finds surely, by its place among those in question."""
        return PaperMatch(
            seq=listed.seqs[position],
            day=listed.days[position],
            confidence=Confidence.SURELY,
            in_title=self.in_title.get(position, 0),
            sides=frozenset(self.sides.get(position, ())),
        )


def _evaluate_block(recent_events: RecentEvents, queries: _PreviewQueries, block: int) -> _IndexResult:
    """What the index and its texts tell of the events of a block."""
    indexed = _narrow_block(recent_events, queries, block)
    if not indexed.open:
        return indexed
    recent_events.narrower.decide(indexed.open)
    return _narrow_block(recent_events, queries, block)


def _narrow_block(recent_events: RecentEvents, queries: _PreviewQueries, block: int) -> _IndexResult:
    """What the index tells of them, as far as its texts were read."""
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
"""An event and its day, and who signed the paper."""
_NO_HITS = MatchBitmaps(0, 0, 0, 0, 0, 0)
_MAIN_QUERY = 0
"""The number of the query."""


def _iter_matches(
    matches: Iterable[tuple[int, MatchBitmaps]],
    get_event_info: Callable[[int], _EventInfo],
    alternatives: int,
) -> Iterator[PaperMatch]:
    """What a query finds of some papers.

    Args:
        matches: of the query, its alternatives, and behind them its parts.
        get_event_info: of a place in these.
        alternatives: how many there are.
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
    """What the query finds of papers that had to be loaded; the engine has all that is asked."""
    for pairs in recent_events.iter_documents(blocks, [queries.query]):
        event_infos = [(event.seq, event.day, paper_document.bylines) for event, paper_document in pairs]
        matches = engine.match([paper_document for _, paper_document in pairs])
        yield from _iter_matches(matches, event_infos.__getitem__, len(queries.alternatives))


def _find_signed(
    recent_events: RecentEvents, engine: Engine, queries: _PreviewQueries, bitmap: int
) -> Iterator[PaperMatch]:
    """What the query finds of papers of which all is known but who signed them, by the row of their events."""
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
    """What would be found if one thing less were asked for, and which parts find nothing by themselves."""
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
    """The papers that queries find, or may find, by the number of the query."""
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
    """What the index tells of queries, and the events of which it leaves open whether one of them finds them."""
    bounds = [recent_events.narrower.narrow(query) for query in queries]
    return bounds, reduce(or_, (query_bounds.open_events for query_bounds in bounds), recent_events.signed)
