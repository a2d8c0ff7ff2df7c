"""Results of a page: candidates in their order, evaluated until the page is full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import NamedTuple

from digest.core.matching.search.document_numbers import find_day
from digest.jobs.matching.search.evaluation import CandidateEvaluator
from digest.jobs.matching.search.narrowing import CandidateNarrower
from digest.jobs.matching.search.ranking import RankedPaper
from digest.jobs.matching.search.request import MAX_PAGE_SIZE
from digest.model import MatchResult, Paper

MAX_RESULTS = 1_000
"""Maximum number of results of a search, on all its pages."""
_MAX_EVALUATED = 400
"""Number of evaluated candidates after which a page is left as it is, and has fewer results than it could."""
_MAX_EXAMINED = 4_000
"""The same for candidates that are examined; most of them are ruled out by their texts and names in the index."""
_MIN_EVALUATED = 4
"""Minimum number of candidates that are evaluated at a time, because each time costs as much as one of them."""
_MIN_NARROWED = 64
"""Minimum number of candidates that are narrowed at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A paper that a search found.

    Attributes:
        paper: the merged paper.
        day: the day by which it is ordered (``digest.core.matching.search.paper_day``); None if it is unknown.
        score: how well it matches the words of the query, in thousandths; 0 in the order of days.
        match_result: how certain the match is, and the matching words.
    """

    paper: Paper
    day: date | None
    score: int
    match_result: MatchResult


class FilledPage(NamedTuple):
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


class PageFiller:
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

    def fill(self, ordered: Iterator[RankedPaper]) -> FilledPage:
        """Fill the page with candidates in their order."""
        last: RankedPaper | None = None
        examined_count = 0
        while len(self._evaluator.results) < _MAX_EVALUATED and examined_count < _MAX_EXAMINED:
            chunk = list(islice(ordered, self._get_chunk_size(examined_count)))
            self._possible += self._select_possible(chunk)
            if not chunk or len(self._possible) >= self._count_needed():
                self._evaluate()
            if not chunk or len(self._matches) > self._limit:
                return self._make_page(last=None)
            examined_count += len(chunk)
            last = chunk[-1]
        self._evaluate()
        return self._make_page(last)

    def _count_needed(self) -> int:
        """Return how many candidates to evaluate next: those that are needed if all match."""
        return max(self._limit + 1 - len(self._matches), _MIN_EVALUATED)

    def _get_chunk_size(self, examined_count: int) -> int:
        """Return how many candidates to look at next: those that are needed, or more if most may be ruled out."""
        needed = self._count_needed() - len(self._possible)
        return max(needed, examined_count, _MIN_NARROWED) if self._narrower.can_narrow else needed

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

    def _make_page(self, last: RankedPaper | None) -> FilledPage:
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
        return FilledPage(tuple(results), self._previous_count + len(results), last, is_cut)
