"""Nearness is the cosine of TF-IDF vectors, from what the index stores of a paper."""

from __future__ import annotations

from math import isclose, log, sqrt

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.search.term_vectors import SimilarityMeter, TermVector, count_terms, make_vector

WORDS = st.sampled_from(["graph", "learn", "test", "estimat·estimate", "量子", "c++", "the"])
PAPERS = st.builds(count_terms, st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=40))
IDFS = {
    "graph": 3_000,
    "learn": 900,
    "test": 2_000,
    "estimat·estimate": 5_500,
    "量子": 9_000,
    "c++": 6_000,
    "the": 1,
}


def compute_cosine(one: dict[str, int], other: dict[str, int]) -> float:
    """The definition."""

    def weigh(frequencies: dict[str, int]) -> dict[str, float]:
        return {term: (1 + log(count)) * min(IDFS[term], 6_000) for term, count in frequencies.items()}

    first, second = weigh(one), weigh(other)
    norms = [sqrt(sum(weight**2 for weight in weights.values())) for weights in (first, second)]
    return sum(weight * second.get(term, 0) for term, weight in first.items()) / (norms[0] * norms[1])


@given(PAPERS.filter(bool), PAPERS.filter(bool))
def test_papers_are_as_near_as_the_cosine_of_their_vectors(
    one: dict[str, int], other: dict[str, int]
) -> None:
    measured = SimilarityMeter(one, IDFS).measure(make_vector(other, IDFS))

    assert isclose(measured, compute_cosine(one, other), abs_tol=0.002) or set(other) == {"the"}
    assert 0 <= measured <= 1


def test_a_word_of_the_title_counts_twice_and_frequencies_have_a_limit() -> None:
    assert count_terms(["graph"], ["graph", "learn"]) == {"graph": 3, "learn": 1}
    assert count_terms([], ["graph"] * 100) == {"graph": 15}


def test_common_terms_come_in_the_order_of_what_they_contribute() -> None:
    meter = SimilarityMeter(count_terms(["graph"], ["learn", "量子", "the"]), IDFS)
    vector = make_vector(count_terms(["learn"], ["graph", "量子", "test", "the"]), IDFS)

    assert meter.list_common_terms(vector, 3) == ["量子", "graph", "learn"]
    assert list(meter.contributions) == ["量子", "graph", "learn", "the"]


def test_papers_without_words_are_near_to_nothing() -> None:
    words = count_terms([], ["graph"])

    assert SimilarityMeter({}, {}).measure(make_vector(words, IDFS)) == 0
    assert SimilarityMeter(words, IDFS).measure(make_vector({}, {})) == 0
    assert make_vector({}, {}) == TermVector(0, b"")


def test_of_a_long_text_the_heaviest_terms_are_stored() -> None:
    frequencies = {f"word{number}": 1 for number in range(300)}
    idfs = {term: number for number, term in enumerate(frequencies)}
    vector = make_vector(frequencies, idfs)

    assert len(vector.entries) == 4 * 80
    assert SimilarityMeter(frequencies, idfs).list_common_terms(vector, 1_000)[-1] == "word220"
