"""Search: the papers of the database that a query of the follow language matches.

A search finds what a follow with the same text would have found: the index proposes candidates that miss nothing, and
the evaluator decides about them until a page is full. Papers are found whether they have events or not; what queries
about events mean for them is defined in ``digest.core.matching.event_queries``. Unlike a digest, a search is not
limited to new and picked papers, and it finds withdrawn ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from digest.jobs.matching.search_narrowing import CandidateNarrower
from digest.jobs.matching.search_ranking import RankedPaper, Statistics, rank_by_relevance
from digest.jobs.matching.search_summary import Facets, summarize_window
from digest.jobs.matching.search_window import (
    MAX_CANDIDATES,
    DocumentRange,
    SearchIndex,
    SearchWindow,
    Total,
    get_year_range,
)
from digest.model import MatchResult, Paper
from digest.store.database.engine import Store
from digest.store.matching import search_index

MAX_RESULTS = 1_000
"""Maximum number of results of a search, on all its pages."""
MAX_PAGE_SIZE = 100
_MAX_EVALUATED = 400
"""Number of evaluated candidates after which a page is left as it is, and has fewer results than it could."""
_MAX_LOOKED_AT = 4_000
"""The same for candidates that are looked at; most of them are ruled out by what the index has of them."""


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
        index = SearchIndex(tx)
        if request.order is SearchOrder.DATE:
            window = index.load_window(parsed.query, parsed.numbers, MAX_CANDIDATES)
            ordered, statistics = _iter_by_day(index, window, parsed.numbers, cursor), Statistics()
        else:
            window = _load_ranked_window(index, parsed, cursor)
            ranked, statistics = rank_by_relevance(index, parsed.query, window, cursor)
            ordered = _iter_from(ranked, cursor)
        narrower = CandidateNarrower(tx, index, window, parsed.query)
        evaluator = CandidateEvaluator(tx, parsed.query)
        filler = _PageFiller(narrower, evaluator, request.limit, cursor.count if cursor else 0)
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


class _PageFiller:
    """Fills a page with candidates that the query matches, and looks whether there is one more.

    Args:
        narrower: rules out candidates that need not be evaluated.
        evaluator: decides about the others.
        limit: maximum number of results on the page.
        previous_count: the number of results on the pages before.
    """

    def __init__(
        self,
        narrower: CandidateNarrower,
        evaluator: CandidateEvaluator,
        limit: int,
        previous_count: int,
    ) -> None:
        self._narrower = narrower
        self._evaluator = evaluator
        self._limit = max(0, min(max(limit, 1), MAX_PAGE_SIZE, MAX_RESULTS - previous_count))
        self._previous_count = previous_count
        self._matches: list[RankedPaper] = []
        self._possible: list[RankedPaper] = []
        """Candidates that have not been evaluated; many at once take less time than one by one."""

    def fill(self, ordered: Iterator[RankedPaper]) -> _FilledPage:
        """Fill the page with candidates in their order."""
        last: RankedPaper | None = None
        looked_at = 0
        while len(self._evaluator.results) < _MAX_EVALUATED and looked_at < _MAX_LOOKED_AT:
            chunk = list(islice(ordered, self._get_chunk_size(looked_at)))
            self._possible += self._select_possible(chunk)
            if not chunk or len(self._possible) >= self._count_needed():
                self._evaluate()
            if not chunk or len(self._matches) > self._limit:
                return self._make_page(last=None)
            looked_at += len(chunk)
            last = chunk[-1]
        self._evaluate()
        return self._make_page(last)

    def _count_needed(self) -> int:
        """Return how many candidates to evaluate next: those that are needed if all match."""
        return max(self._limit + 1 - len(self._matches), _MIN_EVALUATED)

    def _get_chunk_size(self, looked_at: int) -> int:
        """Return how many candidates to look at next: those that are needed, or more if most may be ruled out."""
        needed = self._count_needed() - len(self._possible)
        return max(needed, looked_at, _MIN_NARROWED) if self._narrower.can_narrow else needed

    def _select_possible(self, chunk: Sequence[RankedPaper]) -> list[RankedPaper]:
        documents = {indexed.document for indexed in self._narrower.narrow(entry.indexed for entry in chunk)}
        return [candidate for candidate in chunk if candidate.indexed.document in documents]

    def _evaluate(self) -> None:
        """Evaluate candidates until there is one match more than the page has room for."""
        while self._possible and len(self._matches) <= self._limit:
            size = self._count_needed()
            batch, self._possible = self._possible[:size], self._possible[size:]
            self._evaluator.evaluate([candidate.indexed for candidate in batch])
            matching = (
                candidate for candidate in batch if self._evaluator.results[candidate.indexed.document]
            )
            self._matches += islice(matching, self._limit + 1 - len(self._matches))

    def _make_page(self, last: RankedPaper | None) -> _FilledPage:
        """Make the page.

        Args:
            last: the candidate after which the next page begins if this one has room for more results; None if
                there are no further candidates.
        """
        is_cut = False
        if len(self._matches) > self._limit:
            self._matches.pop()
            is_cut = self._previous_count + self._limit >= MAX_RESULTS
            last = None if is_cut else self._matches[-1]
        results = [
            SearchResult(
                paper=evaluated.paper,
                day=find_day(candidate.indexed.document),
                score=candidate.score,
                match_result=evaluated.match_result,
            )
            for candidate in self._matches
            if (evaluated := self._evaluator.results[candidate.indexed.document])
        ]
        return _FilledPage(tuple(results), self._previous_count + len(results), last, is_cut)


_MIN_EVALUATED = 4
"""Minimum number of candidates that are evaluated at a time, because each time costs as much as one of them."""
_MIN_NARROWED = 64
"""Minimum number of candidates that are narrowed at a time."""
