"""Search: the papers of the database that a query of the follow language matches.

A search finds what a follow with the same text would have found: the index proposes candidates that miss nothing, and
the evaluator decides about them until a page is full. Papers are found whether they have events or not; what queries
about events mean for them is defined in ``digest.core.matching.event_queries``. Unlike a digest, a search is not
limited to new and picked papers, and it finds withdrawn ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from digest.core.language.parser import ParsedQuery
from digest.core.language.query import Query, compile_query, iter_authors
from digest.core.matching.search.cursor import SearchCursor, decode_cursor, encode_cursor
from digest.core.matching.search.document_numbers import get_document, get_position
from digest.core.matching.search.filters import SearchOrder
from digest.core.matching.search.query_persons import QueryPersons
from digest.core.matching.search.totals import Facets, Total
from digest.jobs.matching.search.evaluation import CandidateEvaluator
from digest.jobs.matching.search.narrowing import CandidateNarrower
from digest.jobs.matching.search.page import PageFiller, SearchResult
from digest.jobs.matching.search.ranking import RankedPaper, Statistics, rank_by_relevance
from digest.jobs.matching.search.request import (
    MAX_PAGE_SIZE,
    ParsedSearch,
    SearchRequest,
    parse_search,
)
from digest.jobs.matching.search.summary import summarize_window
from digest.jobs.matching.search.window import MAX_CANDIDATES, DocumentRange, SearchIndex, SearchWindow
from digest.store.database.engine import Store
from digest.store.matching import search_index


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
        index = SearchIndex(tx)
        if request.order is SearchOrder.DATE:
            window = index.load_window(parsed.query, parsed.numbers, MAX_CANDIDATES)
            ordered, statistics = _iter_by_day(index, window, parsed.numbers, cursor), Statistics()
        else:
            window = _load_ranked_window(index, parsed, cursor)
            ranked, statistics = rank_by_relevance(index, parsed.query, window, cursor)
            ordered = _iter_from(ranked, cursor)
        persons = QueryPersons(iter_authors(parsed.query))
        narrower = CandidateNarrower(tx, index, window, parsed.query, persons)
        evaluator = CandidateEvaluator(tx, parsed.query, persons)
        filler = PageFiller(narrower, evaluator, request.limit, cursor.count if cursor else 0)
        page = filler.fill(ordered)
        total, facets = summarize_window(window, narrower, evaluator)
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
