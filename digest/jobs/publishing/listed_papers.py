"""Papers of a search for public pages, with the numbers about them."""

from __future__ import annotations

from collections.abc import Sequence

from digest.core.publishing.coverage import Coverage
from digest.core.publishing.listed_paper import ListedPaper
from digest.jobs.matching.search.page import SearchResult
from digest.store.database.engine import Store
from digest.store.fetching import coverage
from digest.store.papers.signals import load_paper_signals


def load_listed_papers(store: Store, results: Sequence[SearchResult]) -> tuple[ListedPaper, ...]:
    """Load the numbers about papers that a search found, and return both, in the same order."""
    with store.begin_read() as tx:
        signals = load_paper_signals(tx, {number: result.paper for number, result in enumerate(results)})
    return tuple(
        ListedPaper(paper=result.paper, day=result.day, signals=signals[number])
        for number, result in enumerate(results)
    )


def load_coverage(store: Store) -> Coverage:
    """Load what the database knows."""
    with store.begin_read() as tx:
        return coverage.load_coverage(tx)
