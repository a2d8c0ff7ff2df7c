"""Scores are those of BM25, from what the index stores of a paper."""

from __future__ import annotations

from collections import Counter
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.matching.search.bm25 import QueryWord, Scorer, compute_idf, list_query_words, measure_length
from digest.core.matching.search.term_frequencies import (
    ONCE,
    STORED,
    encode_frequencies,
    find_group,
    make_code,
)
from tests.core.matching.search.test_candidates import Dictionary

TERMS = st.lists(st.sampled_from(["graph", "learn", "test", "estimat·estimate", "量子", "c++"]), max_size=12)


def score(title: str, abstract: str, *words: str, field: str = "", mean_length: int = 10) -> int:
    terms = title.split(), abstract.split()
    length = measure_length(*map(len, terms))
    scorer = Scorer(
        [QueryWord((word,), field, is_required=True) for word in words], [1000] * len(words), mean_length
    )
    return scorer.score(encode_frequencies(*terms), length)


@given(TERMS, TERMS)
def test_frequencies_are_kept_but_for_what_occurs_once_in_the_abstract(
    title: list[str], abstract: list[str]
) -> None:
    encoded = encode_frequencies(title, abstract)
    counts = Counter(abstract)

    for term in {*title, *abstract}:
        group = find_group(encoded, make_code(term))
        frequency = ONCE if group is None else STORED[group]
        assert frequency == (int(term in title), min(counts[term], 5))
    assert len(encoded) <= 2 * (len({*title, *abstract}) + len(STORED))


def test_a_score_is_that_of_the_formula() -> None:
    norm = 1.2 * (
        1 - 0.75 + 0.75 * 8 / 10
    )  # 4 words in the abstract, and 1 in the title that counts four times
    assert score("x", "graph graph a b", "graph") == round(1000 * 2 * 2.2 / (2 + norm))
    norm = 1.2 * (1 - 0.75 + 0.75 * 5 / 10)
    assert score("graph", "graph", "graph") == round(1000 * 5 * 2.2 / (5 + norm))
    assert score("graph", "graph", "graph", field="title") == round(1000 * 4 * 2.2 / (4 + norm))
    assert score("graph", "graph", "graph", field="abstract") == round(1000 * 1 * 2.2 / (1 + norm))


def test_a_word_that_a_paper_does_not_have_adds_nothing() -> None:
    words = [QueryWord((word,), "", is_required=False) for word in ("graph", "learn")]
    scorer = Scorer(words, [2000, 1000], 10)
    frequencies = encode_frequencies(["graph"], [])

    assert scorer.score(frequencies, 4, absent=[1]) < scorer.score(frequencies, 4)
    assert scorer.score(frequencies, 4, absent=[0, 1]) == 0


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_rare_words_weigh_more_and_no_word_weighs_less_than_nothing(
    papers: int, some: int, more: int
) -> None:
    rare, frequent = sorted((some, more))

    assert compute_idf(papers, rare) >= compute_idf(papers, frequent) >= 0
    assert compute_idf(papers, papers) == compute_idf(papers, papers + more)


def test_the_weight_of_a_word_is_that_of_the_formula() -> None:
    assert compute_idf(100, 9) == pytest.approx(1000 * log(1 + 91.5 / 9.5), abs=1)


def test_words_are_scored_once_and_those_behind_a_not_or_cut_off_are_not() -> None:
    query = parse(
        'graph "graph drawing" (title:tree OR multi-modal) NOT survey quantiz* comment:pages author:Wang'
    )
    words = list_query_words(query, Dictionary([]))

    assert {(word.terms[0], word.field, word.is_required) for word in words} == {
        ("graph", "", True),
        ("draw", "", True),
        ("tree", "title", False),
        ("multi", "", False),
        ("modal", "", False),
    }
