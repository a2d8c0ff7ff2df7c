"""The candidates of a search: looked up in the index, newest first, and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from digest.core.language.query import Query, iter_authors
from digest.core.matching.search.candidates import CandidateBuilder, Candidates, Documents
from digest.core.matching.search.document_numbers import find_day, get_first_document
from digest.core.matching.search.query_persons import QueryPersons
from digest.core.matching.search.totals import CountKind, Total
from digest.jobs.matching.search.evaluation import CandidateEvaluator
from digest.jobs.people.statements import list_names_by_ids
from digest.store.database.engine import Transaction
from digest.store.matching import posting_lists, search_index
from digest.store.matching.indexed_papers import IndexedPaper, count_indexed_papers, load_indexed_papers
from digest.store.matching.term_dictionary import StoredTerms

MAX_CANDIDATES = 2_000
"""Maximum number of candidates that are counted and ranked, the newest ones.

It bounds the time of a search: reading what the index knows about so many papers takes some 8 ms.
"""
MAX_DECIDED = 20
"""Maximum number of candidates that are evaluated only to count exactly."""


# --- window ---------------------------------------------------------------------------------------


class DocumentRange(NamedTuple):
    """A range of document numbers, the last one excluded."""

    first: int = 0
    behind: int = posting_lists.MAX_DOCUMENT


def get_year_range(year: int) -> DocumentRange:
    """Return the range of the documents of a year; empty if it is out of range."""
    if not date.min.year < year < date.max.year:
        return DocumentRange(0, 0)
    return DocumentRange(get_first_document(date(year, 1, 1)), get_first_document(date(year + 1, 1, 1)))


class SearchWindow(NamedTuple):
    """The newest candidates of a query.

    Attributes:
        candidates: all candidates.
        indexed: the newest ones, newest first.
        first: the lowest document number that was looked at; 0 if there is no older candidate.
    """

    candidates: Candidates
    indexed: Sequence[IndexedPaper]
    first: int

    @property
    def since(self) -> date | None:
        """The day of the oldest candidate; None if there are no older ones."""
        return find_day(self.first) if self.first else None


class SearchIndex:
    """The index of papers in a transaction.

    Attributes:
        state: its state; an index of another release is not searched.
        terms: its terms.
        builder: builds the candidates of queries.
    """

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self.state = search_index.load_state(tx)
        posting_lists.prepare_search(tx)
        self.terms = StoredTerms(tx)
        self.builder = CandidateBuilder(self.terms, partial(list_names_by_ids, tx))

    def find_newest(self, documents: Documents, numbers: DocumentRange, limit: int) -> list[int]:
        """Return the documents with the highest numbers in a range, the highest first."""
        if not self.state.is_current:
            return []
        return posting_lists.find_newest(
            self._tx, documents, limit, first=numbers.first, before=numbers.behind
        )

    def load_window(self, query: Query, numbers: DocumentRange, limit: int) -> SearchWindow:
        """Load the newest candidates of a query in a range of document numbers."""
        candidates = self.builder.build(query)
        found = self.find_newest(candidates.possible, numbers, limit + 1)
        first = found[-2] if len(found) > limit else 0
        return SearchWindow(candidates, load_indexed_papers(self._tx, found[:limit]), first)

    def iter_newest(
        self, documents: Documents, numbers: DocumentRange, block_size: int
    ) -> Iterator[IndexedPaper]:
        """Iterate over the papers of documents in a range, newest first, and load them in blocks."""
        while found := self.find_newest(documents, numbers, block_size):
            yield from load_indexed_papers(self._tx, found)
            numbers = numbers._replace(behind=found[-1])

    def count(self, query: Query) -> Total:
        """Count the papers that a query finds; a few are evaluated if the count is then exact."""
        candidates = self.builder.build(query)
        found = self.find_newest(candidates.possible, DocumentRange(), MAX_CANDIDATES + 1)
        count = count_indexed_papers(self._tx, found[:MAX_CANDIDATES])
        if len(found) > MAX_CANDIDATES:
            return Total(count, CountKind.MORE_THAN)
        undecided = self.find_newest(candidates.undecided, DocumentRange(), MAX_DECIDED + 1)
        if len(undecided) > MAX_DECIDED:
            return Total(count, CountKind.AT_MOST)
        evaluator = CandidateEvaluator(self._tx, query, QueryPersons(iter_authors(query)))
        evaluator.evaluate(load_indexed_papers(self._tx, undecided))
        return Total(count - sum(not found for found in evaluator.results.values()), CountKind.EXACT)
