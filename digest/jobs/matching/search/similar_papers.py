"""Similar papers: those whose words are nearest to the words of a paper.

The terms that weigh most in a paper find candidates, and the vectors of the candidates order them
(``digest.core.matching.search.term_vectors``). The vector of a paper is stored with the paper; so each search
costs about the same, whatever the number of papers, and also finds papers that were stored later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from heapq import nlargest
from itertools import islice

from digest.core.matching.lookups import TEXT_COLUMNS, AdjacentTerms
from digest.core.matching.paper_terms import PaperTerms, extract_paper_terms, map_printed_words
from digest.core.matching.search.bm25 import compute_idf
from digest.core.matching.search.candidates import InColumns
from digest.core.matching.search.document_numbers import find_day, get_position
from digest.core.matching.search.filters import SimilarOrder
from digest.core.matching.search.term_vectors import (
    SimilarityMeter,
    count_terms,
)
from digest.jobs.matching.search.window import DocumentRange, SearchIndex
from digest.model import Paper, PaperKey
from digest.store.database.engine import Store, Transaction
from digest.store.matching.indexed_papers import find_document, load_indexed_papers, load_vectors
from digest.store.papers.papers import find_papers, load_papers, load_roots

MAX_SIMILAR = 20
"""Maximum number of similar papers."""
MAX_COMMON_WORDS = 5
"""Maximum number of words that are given as the reason."""
_SOUGHT_TERMS = 24
"""Number of terms that find candidates."""
_MAX_PAPERS_OF_TERM = 1_000
"""Maximum number of papers that a term finds, the newest ones."""
_MAX_CANDIDATES = 400
"""Maximum number of papers whose vectors are compared."""
MIN_COSINE = 0.05
"""Least similarity; papers below it share little more than frequent words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPaper:
    """A paper that is similar to another one.

    Attributes:
        paper: the merged paper.
        day: its day (``digest.core.matching.search.paper_day``); None if it is unknown.
        cosine: how similar it is, from 0 to 1.
        common_words: words that both papers have, as printed in the other one; those that contribute most first.
    """

    paper: Paper
    day: date | None
    cosine: float
    common_words: tuple[str, ...]


def find_similar(
    store: Store, key: PaperKey, order: SimilarOrder = SimilarOrder.NEARNESS
) -> tuple[SimilarPaper, ...]:
    """Return the papers that are nearest to a paper; none if it is unknown or not in the index yet.

    Args:
        store: the store.
        key: the key of the paper, or of one that is merged with it.
        order: their order.
    """
    with store.begin_read() as tx:
        root = next(iter(load_roots(tx, find_papers(tx, [key]).values()).values()), None)
        document = None if root is None else find_document(tx, root)
        index = SearchIndex(tx)
        if root is None or document is None or not index.state.is_current:
            return ()
        nearest = _find_nearest(tx, index, load_papers(tx, [root])[root], document)
        return tuple(sorted(nearest, key=_ORDER_KEYS[order], reverse=True))


_ORDER_KEYS = {
    SimilarOrder.NEARNESS: lambda similar: (similar.cosine, similar.day or date.min),
    SimilarOrder.DATE: lambda similar: (similar.day or date.min, similar.cosine),
}


def _find_nearest(tx: Transaction, index: SearchIndex, paper: Paper, document: int) -> list[SimilarPaper]:
    terms = extract_paper_terms(paper)
    meter = build_meter(index, terms)
    vectors = load_vectors(tx, _find_candidates(index, meter.contributions, document))
    cosines = {other: meter.measure(vector) for other, vector in vectors.items()}
    nearest = nlargest(MAX_SIMILAR, cosines, key=lambda other: (cosines[other], other))
    printed_words = map_printed_words(f"{terms.title.text}\n{terms.body.text}")
    indexed = load_indexed_papers(tx, [other for other in nearest if cosines[other] >= MIN_COSINE])
    papers = load_papers(tx, [entry.paper for entry in indexed])
    return [
        SimilarPaper(
            paper=papers[entry.paper],
            day=find_day(entry.document),
            cosine=cosines[entry.document],
            common_words=tuple([printed_words.get(term, term) for term in common_terms]),
        )
        for entry in indexed
        for common_terms in (meter.list_common_terms(vectors[entry.document], MAX_COMMON_WORDS),)
    ]


def build_meter(index: SearchIndex, terms: PaperTerms) -> SimilarityMeter:
    """Build what compares other papers with the terms of one."""
    frequencies = count_terms(terms.title.words, terms.body.words)
    counts = index.terms.load_counts(frequencies)
    idfs = {term: compute_idf(index.state.papers, counts.get(term, 0)) for term in frequencies}
    return SimilarityMeter(frequencies, idfs)


def _find_candidates(index: SearchIndex, contributions: Mapping[str, float], document: int) -> list[int]:
    """Return the documents with the heaviest terms of a paper, without earlier revisions of the paper itself.

    Args:
        index: the index.
        contributions: what a document gains by having a term, the highest first.
        document: the document of the paper.
    """
    counts = index.terms.load_counts(contributions)
    shared_terms = (term for term in contributions if counts.get(term, 0) > 1)
    totals: dict[int, float] = defaultdict(float)
    for term in islice(shared_terms, _SOUGHT_TERMS):
        documents = InColumns(TEXT_COLUMNS[""], AdjacentTerms((term,)))
        for other in index.find_newest(documents, DocumentRange(), _MAX_PAPERS_OF_TERM):
            totals[other] += contributions[term]
    own_position = get_position(document)
    nearest = nlargest(_MAX_CANDIDATES, zip(totals.values(), totals, strict=True))
    return [other for _, other in nearest if get_position(other) != own_position]
