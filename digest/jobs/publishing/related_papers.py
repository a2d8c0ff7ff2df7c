"""Papers that have to do with a paper: similar ones, those that it cites, and those that cite it."""

from __future__ import annotations

from collections.abc import Sequence

from digest.core.language.query import format_citing
from digest.core.matching.search.filters import SearchOrder, SimilarOrder
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.related_papers import RelatedPapers, SimilarPaperEntry
from digest.jobs.matching.search.request import SearchRequest
from digest.jobs.matching.search.search_papers import search_papers
from digest.jobs.matching.search.similar_papers import find_similar
from digest.jobs.publishing.listed_papers import load_listed_papers
from digest.model import Paper
from digest.store.database.engine import Store
from digest.store.papers.papers import find_by_id, load_papers
from digest.store.papers.signals import load_paper_signals

_MAX_CITED, _MAX_CITING = 10, 10
_MAX_REFERENCES = 100
"""Maximum number of references that are looked up."""


def load_related_papers(store: Store, paper: Paper, similar_order: SimilarOrder) -> RelatedPapers:
    """Load the papers that have to do with a paper."""
    similar = find_similar(store, paper.key, similar_order)
    citing = search_papers(
        store,
        SearchRequest(text=format_citing(paper.key), order=SearchOrder.DATE, limit=_MAX_CITING),
    )
    similar_papers = load_listed_papers(store, similar)
    return RelatedPapers(
        similar=tuple(
            SimilarPaperEntry(listed, entry.common_words)
            for listed, entry in zip(similar_papers, similar, strict=True)
        ),
        cited=_load_cited(store, paper.references),
        cited_count=len(paper.references),
        citing=load_listed_papers(store, citing.results),
        citing_total=citing.total,
    )


def _load_cited(store: Store, references: Sequence[str]) -> tuple[ListedPaper, ...]:
    """Load the first references that are in the database."""
    numbers: dict[int, None] = {}
    with store.begin_read() as tx:
        for key in references[:_MAX_REFERENCES]:
            scheme, _, value = key.partition(":")
            number = find_by_id(tx, scheme, value)
            if number is not None:
                numbers[number] = None
        papers = load_papers(tx, list(numbers)[:_MAX_CITED])
        signals = load_paper_signals(tx, papers)
    return tuple(
        ListedPaper(paper=papers[number], day=None, signals=signals[number])
        for number in numbers
        if number in papers
    )
