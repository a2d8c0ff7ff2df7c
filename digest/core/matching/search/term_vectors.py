"""TF-IDF vectors of the words of papers, and how near two papers are.

The weight of a term in a paper is ``(1 + ln f) · idf`` for its frequency ``f``, in which the title counts twice
(Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, sections 6.2 to 6.4). Two papers are as near
as the cosine of their vectors. The index stores the frequencies of a paper, which never change, and the length of
its vector, which hardly changes when other papers are added.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from math import log, sqrt
from typing import NamedTuple
from zlib import crc32

_TITLE_WEIGHT = 2
_MAX_TERMS = 80
"""Maximum number of terms in a stored vector, the heaviest ones; the others are mostly words of every text."""
_MAX_IDF = 6_000
"""Highest weight of a term by the number of papers, in thousandths: that of a term in one of 400 papers.

Rarer terms weigh no more: names and misspellings would decide otherwise, and vectors that were stored when there were
few papers would be shorter than others.
"""
_FREQUENCY_BITS = 4
_MAX_FREQUENCY = (1 << _FREQUENCY_BITS) - 1
_WEIGHTS = (0.0, *(1 + log(frequency) for frequency in range(1, _MAX_FREQUENCY + 1)))
"""Weight of a term by its frequency."""
_ENTRY_TYPE = "I"
"""An entry has 32 bits: the code of a term in the upper 28, and its frequency."""


class TermVector(NamedTuple):
    """The stored vector of a paper.

    Attributes:
        norm: its length, in thousandths, with the weights of terms when it was stored.
        entries: its terms with their frequencies, as an array of ``_ENTRY_TYPE``.
    """

    norm: int
    entries: bytes


def count_terms(title_terms: Sequence[str], abstract_terms: Sequence[str]) -> dict[str, int]:
    """Return the frequency of each term of a paper.

    Args:
        title_terms: the terms of the words of the title, which count twice.
        abstract_terms: the terms of the words of the abstract.
    """
    counts = Counter(abstract_terms)
    for term in title_terms:
        counts[term] += _TITLE_WEIGHT
    return {term: min(count, _MAX_FREQUENCY) for term, count in counts.items()}


def make_vector(frequencies: Mapping[str, int], idfs: Mapping[str, int]) -> TermVector:
    """Return the vector of a paper.

    Args:
        frequencies: the frequency of each of its terms (``count_terms``).
        idfs: the weight of each term by the number of papers that have it (``bm25.compute_idf``).
    """
    weights = _weigh_terms(frequencies, idfs)
    heaviest = nlargest(_MAX_TERMS, weights, key=weights.__getitem__)
    entries = array(_ENTRY_TYPE, [_make_entry(term, frequencies[term]) for term in heaviest])
    return TermVector(round(_measure_norm(weights)), entries.tobytes())


def _weigh_terms(frequencies: Mapping[str, int], idfs: Mapping[str, int]) -> dict[str, float]:
    return {term: _WEIGHTS[frequency] * min(idfs[term], _MAX_IDF) for term, frequency in frequencies.items()}


def _measure_norm(weights: Mapping[str, float]) -> float:
    return sqrt(sum([weight * weight for weight in weights.values()]))


def _make_entry(term: str, frequency: int) -> int:
    return _make_code(term) << _FREQUENCY_BITS | frequency


@lru_cache(maxsize=1 << 16)
def _make_code(term: str) -> int:
    """Return the code of a term: 28 bits, so that hardly any two terms of two papers have the same."""
    return crc32(term.encode("utf-8", "surrogatepass")) >> _FREQUENCY_BITS


class SimilarityMeter:
    """Measures how near other papers are to one.

    Attributes:
        contributions: what another paper gains by having a term once, by term, the highest first.

    Args:
        frequencies: the frequency of each of its terms.
        idfs: the weight of each term by the number of papers that have it.
    """

    def __init__(self, frequencies: Mapping[str, int], idfs: Mapping[str, int]) -> None:
        weights = _weigh_terms(frequencies, idfs)
        self._norm = _measure_norm(weights)
        factors = {term: weight * min(idfs[term], _MAX_IDF) for term, weight in weights.items()}
        self.contributions = dict(sorted(factors.items(), key=lambda item: (-item[1], item[0])))
        self._terms = {_make_code(term): term for term in frequencies}
        # One look-up for each entry takes a third of the time of taking entries apart.
        self._products = {
            _make_entry(term, frequency): factor * _WEIGHTS[frequency]
            for term, factor in factors.items()
            for frequency in range(1, _MAX_FREQUENCY + 1)
        }

    def measure(self, vector: TermVector) -> float:
        """Return how near a paper with a vector is, from 0 to 1."""
        norms = self._norm * vector.norm
        products = filter(None, map(self._products.get, _read_entries(vector)))
        return min(sum(products) / norms, 1.0) if norms else 0.0

    def list_common_terms(self, vector: TermVector, limit: int) -> list[str]:
        """Return terms that a paper with a vector has as well, those that contribute most first."""
        entries = [entry for entry in _read_entries(vector) if entry in self._products]
        heaviest = nlargest(limit, entries, key=self._products.__getitem__)
        return [self._terms[entry >> _FREQUENCY_BITS] for entry in heaviest]


def _read_entries(vector: TermVector) -> array[int]:
    entries = array(_ENTRY_TYPE)
    entries.frombytes(vector.entries)
    return entries
