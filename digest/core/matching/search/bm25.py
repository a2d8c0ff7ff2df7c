"""BM25: how well papers match the words of a query.

The score of a paper is the sum over the words of the query of ``idf · f · (k1 + 1) / (f + k1 · (1 - b + b · l / L))``
(Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.4). ``f`` is the
frequency of the word and ``l`` the length of the paper, both weighted over title and abstract as in section 3.6;
``L`` is the mean length. The weight of a rare word is ``idf = ln(1 + (N - n + ½) / (n + ½))``, for a word in ``n`` of
``N`` papers; adding 1 keeps it positive, as in Lucene.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import log
from typing import NamedTuple

from digest.core.language.query import And, Exact, Or, Phrase, Query, TextQuery
from digest.core.matching.lookups import TEXT_COLUMNS, TermDictionary, build_any_term, find_word_terms
from digest.core.matching.paper_terms import make_term
from digest.core.matching.search.candidates import Documents, InColumns
from digest.core.matching.search.term_frequencies import ONCE, STORED, TermFrequency, find_group, make_code
from digest.core.text.words import find_forms, find_query_forms, iter_parts

TITLE_WEIGHT, ABSTRACT_WEIGHT = 4, 1
_K1, _B = 1.2, 0.75
"""How soon further occurrences stop to matter, and how much long texts are marked down; usual values."""
SCALE = 1000
"""Scores and weights of words are whole numbers of thousandths, so that they are the same on every machine."""
MAX_WORDS = 32
"""Maximum number of words of a query that are scored."""


class QueryWord(NamedTuple):
    """A word of a query that is scored.

    Attributes:
        terms: its terms in the index.
        field: the text in which the query looks for it: ``title``, ``abstract``, or "" for both.
        is_required: whether all papers that match the query have it; it is on no side of an OR.
    """

    terms: tuple[str, ...]
    field: str
    is_required: bool


def list_query_words(query: Query, dictionary: TermDictionary) -> tuple[QueryWord, ...]:
    """Return the words of a query that are scored, each once.

    These are the words of title and abstract that it asks for, the parts of a compound one by one. What is
    behind a NOT is left out, and so are the beginnings of words, which stand for too many.
    """
    words: dict[tuple[tuple[str, ...], str], bool] = {}
    for leaf, is_required in _iter_text_leaves(query, is_required=True):
        for terms in _iter_terms(leaf, dictionary):
            words[terms, leaf.field] = words.get((terms, leaf.field), False) or is_required
    scored = [QueryWord(terms, field, is_required) for (terms, field), is_required in words.items()]
    return tuple(scored[:MAX_WORDS])


def _iter_text_leaves(query: Query, *, is_required: bool) -> Iterator[tuple[TextQuery, bool]]:
    match query:
        case And():
            for part in query.queries:
                yield from _iter_text_leaves(part, is_required=is_required)
        case Or():
            for part in query.queries:
                yield from _iter_text_leaves(part, is_required=False)
        case Phrase() | Exact() if query.field in {"", "title", "abstract"}:
            yield query, is_required


def _iter_terms(leaf: TextQuery, dictionary: TermDictionary) -> Iterator[tuple[str, ...]]:
    """Yield the terms of each word of a leaf."""
    match leaf:
        case Phrase():
            for unit in leaf.units:
                for word in unit:
                    yield tuple(find_word_terms(find_query_forms(word), dictionary).sure)
        case Exact():
            for part in iter_parts(leaf.text):
                yield (make_term(find_forms(part.printed)),)


def build_word_documents(word: QueryWord) -> Documents:
    """Build the documents that have a word."""
    return InColumns(TEXT_COLUMNS[word.field], build_any_term(word.terms))


def compute_idf(papers: int, papers_with_word: int) -> int:
    """Return the weight of a word, in thousandths.

    Args:
        papers: the number of papers in the index.
        papers_with_word: the number of those with the word; may be estimated too high.
    """
    count = min(papers_with_word, papers)
    return round(SCALE * log(1 + (papers - count + 0.5) / (count + 0.5)))


def measure_length(title_words: int, abstract_words: int) -> int:
    """Return the length of a paper from the number of its words."""
    return TITLE_WEIGHT * title_words + ABSTRACT_WEIGHT * abstract_words


class _ScoredWord(NamedTuple):
    """A word as scores are computed with it.

    Attributes:
        codes: the codes of its terms.
        weights: the weighted frequency of a term by the group that it belongs to.
        once: the weighted frequency of a term that belongs to none.
        factor: the weight of the word.
    """

    codes: Sequence[bytes]
    weights: Sequence[int]
    once: int
    factor: float


class Scorer:
    """Scores papers for the words of a query.

    Args:
        words: the words.
        idfs: the weight of each word, in thousandths.
        mean_length: the mean length of all papers.
    """

    def __init__(self, words: Sequence[QueryWord], idfs: Sequence[int], mean_length: int) -> None:
        self._words = [
            _ScoredWord(
                [make_code(term) for term in word.terms],
                [_weigh(frequency, word.field) for frequency in STORED],
                _weigh(ONCE, word.field),
                idf * (_K1 + 1),
            )
            for word, idf in zip(words, idfs, strict=True)
        ]
        self._least_norm = _K1 * (1 - _B)
        self._norm_by_length = _K1 * _B / max(mean_length, 1)

    def score(self, frequencies: bytes, length: int, absent: Collection[int] = ()) -> int:
        """Return the score of a paper, in thousandths.

        Args:
            frequencies: how often its terms occur (``encode_frequencies``).
            length: its length (``measure_length``).
            absent: the numbers of the words that it does not have.
        """
        norm = self._least_norm + self._norm_by_length * length
        score = 0.0
        for number, (codes, weights, once, factor) in enumerate(self._words):
            if absent and number in absent:
                continue
            weight = 0
            for code in codes:
                group = find_group(frequencies, code)
                if group is not None:
                    weight += weights[group]
            weight = weight or once
            score += factor * weight / (weight + norm)
        return round(score)


def _weigh(frequency: TermFrequency, field: str) -> int:
    """Return the weighted frequency of a term in the texts in which a query looks for it."""
    in_title = frequency.in_title if field != "abstract" else 0
    in_abstract = frequency.in_abstract if field != "title" else 0
    return TITLE_WEIGHT * in_title + ABSTRACT_WEIGHT * in_abstract
