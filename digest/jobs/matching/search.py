"""Search: the papers of the database that a query of the follow language matches.

A search finds what a follow with the same text would have found: the index proposes candidates that miss nothing, and
the evaluator decides about them until a page is full. Papers are found whether they have events or not; what queries
about events mean for them is defined in ``digest.core.matching.event_queries``. Unlike a digest, a search is not
limited to new and picked papers, and it finds withdrawn ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from digest.core.language.parser import ParsedQuery, parse, parse_with_hints, reject_unstorable
from digest.core.language.query import And, Query, compile_query, format_category, format_fact
from digest.core.matching.document_numbers import find_day, get_document, get_position
from digest.core.matching.search_cursor import SearchCursor, decode_cursor, encode_cursor
from digest.jobs.matching.search_evaluation import CandidateEvaluator
from digest.jobs.matching.search_ranking import RankedPaper, Statistics, rank_by_relevance
from digest.jobs.matching.search_window import (
    MAX_CANDIDATES,
    DocumentRange,
    Facets,
    SearchIndex,
    SearchWindow,
    Total,
    get_year_range,
    summarize_window,
)
from digest.model import MatchResult, Paper
from digest.store.database.engine import Store
from digest.store.matching import search_index

MAX_RESULTS = 1_000
"""Maximum number of results of a search, on all its pages."""
MAX_PAGE_SIZE = 100
_MAX_EVALUATED = 400
"""Maximum number of candidates that are evaluated for a page; a page that would need more has fewer results."""


class SearchOrder(StrEnum):
    """The order of results."""

    RELEVANCE = "relevance"
    """Those that match the words best, then the newest."""
    DATE = "date"
    """The newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilters:
    """Conditions besides the query; "" or None for none.

    Attributes:
        category: a category or an archive.
        source: the source that announced the paper.
        year: the year of the paper's day.
        has_code: whether the paper must have known code.
    """

    category: str = ""
    source: str = ""
    year: int | None = None
    has_code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What is searched for.

    Attributes:
        text: the query as typed.
        limit: maximum number of results on the page, from 1 to 100.
        cursor: the position after which the page begins: ``SearchPage.next_cursor`` of the page before; "" for
            the first page.
    """

    text: str
    filters: SearchFilters = field(default_factory=SearchFilters)
    order: SearchOrder = SearchOrder.RELEVANCE
    limit: int = 20
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A paper that a search found.

    Attributes:
        paper: the merged paper.
        day: the day by which it is ordered (``digest.core.papers.paper_day``); None if it is unknown.
        score: how well it matches the words of the query, in thousandths; 0 in the order of days.
        match_result: how certain the match is, and the matching words.
    """

    paper: Paper
    day: date | None
    score: int
    match_result: MatchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """A page of results.

    Attributes:
        reading: the parsed query.
        query: the query with the filters, as it was evaluated.
        results: the papers in the requested order.
        total: the number of papers found.
        facets: counts of the papers found.
        since: if there are too many candidates, only the newest, since this day, were counted and ranked; None if
            all were. In the order of days, further pages have the older ones as well.
        next_cursor: the position of the next page; "" if there is none.
        is_cut: whether there are more papers, but no further page, because a search has at most 1,000 results.
        missing: the number of papers that could not be searched, because they are not in the index yet.
    """

    reading: ParsedQuery
    query: Query
    results: tuple[SearchResult, ...]
    total: Total
    facets: Facets
    since: date | None
    next_cursor: str
    is_cut: bool
    missing: int


class ParsedSearch(NamedTuple):
    """A parsed request.

    Attributes:
        reading: the parsed query as typed.
        query: the query with the filters.
        numbers: the range of the documents in question.
    """

    reading: ParsedQuery
    query: Query
    numbers: DocumentRange


def parse_search(text: str, filters: SearchFilters) -> ParsedSearch:
    """Parse a query and its filters.

    Raises:
        QueryError: the query or a filter cannot be parsed.
    """
    filter_texts = [
        *([format_category(filters.category)] if filters.category else []),
        *([format_fact("source", filters.source)] if filters.source else []),
        *(["has:code"] if filters.has_code else []),
    ]
    for unchecked_text in (text, *filter_texts):
        reject_unstorable(unchecked_text)
    reading = parse_with_hints(text)
    return ParsedSearch(
        reading=reading,
        query=And(queries=(reading.query, *map(parse, filter_texts))) if filter_texts else reading.query,
        numbers=DocumentRange() if filters.year is None else get_year_range(filters.year),
    )


def search_papers(store: Store, request: SearchRequest) -> SearchPage:
    """Search the papers of the database.

    Raises:
        QueryError: the query or a filter cannot be parsed.
        CursorError: the cursor is invalid, or belongs to another search.
    """
    parsed = parse_search(request.text, request.filters)
    key = f"{request.order}\n{request.filters.year}\n{compile_query(parsed.query)}"
    cursor = decode_cursor(request.cursor, key) if request.cursor else None
    with store.begin_read() as tx:
        index, evaluator = SearchIndex(tx), CandidateEvaluator(tx, parsed.query)
        if request.order is SearchOrder.DATE:
            window = index.load_window(parsed.query, parsed.numbers, MAX_CANDIDATES)
            ordered, statistics = _iter_by_day(index, window, parsed.numbers, cursor), Statistics()
        else:
            window = _load_ranked_window(index, parsed, cursor)
            ranked, statistics = rank_by_relevance(index, parsed.query, window, cursor)
            ordered = _iter_from(ranked, cursor)
        page = _fill_page(ordered, evaluator, request.limit, cursor.count if cursor else 0)
        total, facets = summarize_window(index, window, evaluator)
        next_cursor = page.last and SearchCursor(
            *(page.end, page.last.position, page.last.score, window.first),
            *statistics,
        )
        return SearchPage(
            reading=parsed.reading,
            query=parsed.query,
            results=page.results,
            total=total,
            facets=facets,
            since=window.since,
            next_cursor=encode_cursor(next_cursor, key) if next_cursor else "",
            is_cut=page.is_cut,
            missing=search_index.count_missing(tx),
        )


# --- orders ---------------------------------------------------------------------------------------


def _load_ranked_window(
    index: SearchIndex, parsed: ParsedSearch, cursor: SearchCursor | None
) -> SearchWindow:
    """Load the candidates to rank: on a later page those of the first one, and what has been added since."""
    if cursor is None:
        return index.load_window(parsed.query, parsed.numbers, MAX_CANDIDATES)
    numbers = parsed.numbers._replace(first=max(parsed.numbers.first, cursor.first))
    window = index.load_window(parsed.query, numbers, 2 * MAX_CANDIDATES)
    return window._replace(first=max(window.first, cursor.first))


def _iter_from(ranked: list[RankedPaper], cursor: SearchCursor | None) -> Iterator[RankedPaper]:
    """Iterate over candidates after the position of a cursor."""
    start = (cursor.score, cursor.position) if cursor else None
    return (candidate for candidate in ranked if start is None or candidate[:2] < start)


def _iter_by_day(
    index: SearchIndex, window: SearchWindow, numbers: DocumentRange, cursor: SearchCursor | None
) -> Iterator[RankedPaper]:
    """Iterate over candidates, newest first: those of the window, and then all older ones."""
    if cursor is None:
        yield from (RankedPaper(0, get_position(indexed.document), indexed) for indexed in window.indexed)
        behind = window.first
    else:
        behind = get_document(cursor.position)
    older = numbers._replace(behind=min(numbers.behind, behind))
    for indexed in index.iter_newest(window.candidates.possible, older, MAX_PAGE_SIZE):
        yield RankedPaper(0, get_position(indexed.document), indexed)


# --- pages ----------------------------------------------------------------------------------------


class _FilledPage(NamedTuple):
    """The results of a page.

    Attributes:
        end: the number of results up to its end.
        last: the candidate after which the next page begins; None if there is no further page.
        is_cut: whether there are more results, but no further page.
    """

    results: tuple[SearchResult, ...]
    end: int
    last: RankedPaper | None
    is_cut: bool = False


def _fill_page(
    ordered: Iterator[RankedPaper], evaluator: CandidateEvaluator, limit: int, previous_count: int
) -> _FilledPage:
    """Evaluate candidates in their order until a page is full, and one more to know whether there is another page."""
    limit = max(0, min(limit, MAX_PAGE_SIZE, MAX_RESULTS - previous_count))
    results: list[SearchResult] = []
    last: RankedPaper | None = None
    evaluated_count = 0
    while evaluated_count < _MAX_EVALUATED:
        batch = list(islice(ordered, max(limit + 1 - len(results), _MIN_BATCH)))
        if not batch:
            return _FilledPage(tuple(results), previous_count + len(results), None)
        evaluator.evaluate([candidate.indexed for candidate in batch])
        evaluated_count += len(batch)
        for candidate in batch:
            evaluated = evaluator.results[candidate.indexed.document]
            if evaluated and len(results) == limit:
                end = previous_count + limit
                is_cut = end >= MAX_RESULTS
                return _FilledPage(tuple(results), end, None if is_cut else last, is_cut)
            if evaluated:
                day = find_day(candidate.indexed.document)
                results.append(
                    SearchResult(
                        paper=evaluated.paper,
                        day=day,
                        score=candidate.score,
                        match_result=evaluated.match_result,
                    )
                )
            last = candidate
    return _FilledPage(tuple(results), previous_count + len(results), last)


_MIN_BATCH = 4
"""Minimum number of candidates that are evaluated at a time, because each time costs as much as one of them."""
