"""Papers of a search for public pages, with the numbers about them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from digest.core.publishing.coverage import Coverage
from digest.core.publishing.listed_paper import ListedPaper
from digest.model import Paper
from digest.store.database import content_version
from digest.store.database.engine import Store
from digest.store.fetching import coverage
from digest.store.papers.signals import load_paper_signals


class DatedPaper(Protocol):
    """A paper that was found, with its day."""

    @property
    def paper(self) -> Paper:
        """The paper."""

    @property
    def day(self) -> date | None:
        """Its day; None if it is unknown."""


def load_listed_papers(store: Store, results: Sequence[DatedPaper]) -> tuple[ListedPaper, ...]:
    """Load the numbers about papers that were found, and return both, in the same order."""
    with store.begin_read() as tx:
        signals = load_paper_signals(tx, {number: result.paper for number, result in enumerate(results)})
    return tuple(
        ListedPaper(paper=result.paper, day=result.day, signals=signals[number])
        for number, result in enumerate(results)
    )


def read_content_version(store: Store, today: date) -> tuple[object, ...]:
    """Return what pages of papers and persons depend on, by one look-up: what is stored about them, and the day."""
    with store.begin_read() as tx:
        return today, content_version.read_content_version(tx)


def load_coverage(store: Store) -> Coverage:
    """Load what the database knows."""
    with store.begin_read() as tx:
        return coverage.load_coverage(tx)
