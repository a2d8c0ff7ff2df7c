"""Order of the candidates of a search by relevance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from digest.core.language.query import Query
from digest.core.matching.search.bm25 import (
    QueryWord,
    Scorer,
    build_word_documents,
    compute_idf,
    list_query_words,
)
from digest.core.matching.search.candidates import Intersection
from digest.core.matching.search.cursor import SearchCursor
from digest.core.matching.search.document_numbers import get_position
from digest.errors import CursorError
from digest.jobs.matching.search.window import DocumentRange, SearchIndex, SearchWindow
from digest.store.matching.indexed_papers import IndexedPaper


class RankedPaper(NamedTuple):
    """A candidate with its place in the order; the greatest is the first.

    Attributes:
        score: its score, in thousandths; 0 in the order of days.
        position: its position in the index, by day.
    """

    score: int
    position: int
    indexed: IndexedPaper


class Statistics(NamedTuple):
    """What scores are computed with.

    Attributes:
        mean_length: the mean length of papers.
        idfs: the weights of the words of the query.
    """

    mean_length: int = 0
    idfs: tuple[int, ...] = ()


def rank_by_relevance(
    index: SearchIndex, query: Query, window: SearchWindow, cursor: SearchCursor | None
) -> tuple[list[RankedPaper], Statistics]:
    """Rank candidates by BM25, and those with the same score by day.

    Args:
        index: the index.
        query: the query.
        window: the candidates.
        cursor: the position of an earlier page, whose statistics are used again; None on the first page.

    Returns:
        The candidates, best first, and the statistics.

    Raises:
        CursorError: the cursor belongs to an index with other terms.
    """
    words = list_query_words(query, index.terms)
    if cursor:
        statistics = Statistics(cursor.mean_length, cursor.idfs)
        if len(cursor.idfs) != len(words):
            raise CursorError("These results are out of date; begin again at the first page.")
    else:
        papers = index.state.papers
        idfs = tuple(compute_idf(papers, index.terms.count_papers(word.terms)) for word in words)
        statistics = Statistics(index.state.mean_length, idfs)
    scorer = Scorer(words, statistics.idfs, statistics.mean_length)
    papers_with_word = _find_optional_words(index, window, words)
    ranked = [
        RankedPaper(
            scorer.score(
                indexed.frequencies,
                indexed.length,
                [number for number, found in papers_with_word.items() if indexed.document not in found]
                if papers_with_word
                else (),
            ),
            get_position(indexed.document),
            indexed,
        )
        for indexed in window.indexed
    ]
    ranked.sort(reverse=True)
    return ranked, statistics


def _find_optional_words(
    index: SearchIndex, window: SearchWindow, words: Sequence[QueryWord]
) -> dict[int, set[int]]:
    """Return the candidates that have a word, for those words that candidates may lack, by number of the word.

    All documents between the candidates are looked up: on SQLite, there are more of them than there are candidates.
    """
    if not window.indexed:
        return {}
    numbers = DocumentRange(window.indexed[-1].document, window.indexed[0].document + 1)
    optional = [number for number, word in enumerate(words) if not word.is_required]
    return {
        number: {
            *index.find_newest(
                Intersection((window.candidates.possible, build_word_documents(words[number]))),
                numbers,
                numbers.behind - numbers.first,
            )
        }
        for number in optional
    }
