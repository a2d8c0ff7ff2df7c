"""The sentence of an abstract that says what is new is found, in all fields."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contributions import read_labelled_papers
from digest.core.papers.excerpts.contribution import WEIGHTS, describe_sentences, find_contribution
from tests.support.cases import for_each_case

BACKGROUND = "However, the existing methods remain limited, and this is a crucial challenge in practice."
ABSTRACTS = [
    [
        "Large models have recently shown remarkable success in many tasks.",
        BACKGROUND,
        "To address this, we propose PAPERBIRD, a framework that reads abstracts without a model.",
        "It uses a table of weights and an encoder.",
        "Extensive experiments on three datasets show the effectiveness of our method.",
        "The code is available at https://example.org.",
    ],
    [
        "Let $G$ be a finite group.",
        "It is known that its centre may be trivial.",
        "In this paper, we prove that every group of odd order is solvable, which settles a conjecture.",
        "We also discuss some examples.",
    ],
    [
        "The mass of these stars is crucial for models of their evolution.",
        "Previous work has shown that it is difficult to measure.",
        "Here we show that the mass of the star is 2.1 times larger than predicted, with an error of 3%.",
        "Future observations may reduce the error.",
    ],
    [
        "The role of sleep in memory is unclear.",
        "We investigated sleep in mice.",
        "Mice were observed for ten days.",
        "Our results show that mice that sleep longer remember significantly more than those that do not.",
        "This may have implications for therapies.",
    ],
    [
        "Auctions are often studied without budgets.",
        "This paper presents a model of auctions with budgets and derives its equilibrium.",
        "Two applications are discussed.",
    ],
]


@for_each_case("sentences", ABSTRACTS)
def test_the_sentence_that_says_what_is_new_is_chosen(sentences: list[str]) -> None:
    new = max(sentences, key=lambda sentence: any(word in sentence for word in _SAYS_NEW))

    assert sentences[find_contribution(sentences)] == new


_SAYS_NEW = ("PAPERBIRD", "solvable", "2.1 times", "mice that sleep longer", "This paper presents")


def test_the_title_decides_between_sentences_of_equal_form() -> None:
    sentences = [
        "We study the colour of apples in wet winters.",
        "We study the taste of pears in dry summers.",
    ]

    assert find_contribution(sentences, "The taste of pears in dry summers") == 1
    assert find_contribution(sentences, "The colour of apples in wet winters") == 0


def test_every_process_ranks_sentences_in_the_same_order() -> None:
    sentences = [sentence for abstract in ABSTRACTS for sentence in abstract]
    code = (
        "from digest.core.papers.excerpts.contribution import rank_sentences;"
        f"print(rank_sentences({sentences!r}))"
    )

    def rank_in_a_process(hash_seed: str) -> str:
        environ = os.environ | {"PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True
        ).stdout

    assert len({rank_in_a_process(hash_seed) for hash_seed in ("1", "2", "3")}) == 1


def test_a_single_sentence_is_chosen() -> None:
    assert find_contribution(["Withdrawn."]) == 0


def test_each_weight_belongs_to_a_feature_that_sentences_have() -> None:
    found: Counter[str] = Counter()
    openings = [[sentence, BACKGROUND] for sentence in ("We study wells.", "We find wells.")]
    for sentences in [*ABSTRACTS, *openings, *([BACKGROUND, sentence] for sentence in _MORE_SENTENCES)]:
        for features in describe_sentences(sentences, "Wells: a framework to dig wells of water"):
            found.update(features)

    assert set(WEIGHTS) <= set(found)


_MORE_SENTENCES = [
    "We introduce Wells, a framework to dig wells of water, and we construct one.",
    "A method is proposed and a bound is derived, and it is shown to be used for water by many.",
    "This article shows that wells are deep, and the present work constructs one that is used.",
    "This work introduces a well. This work studies it. Results give evidence. Results compare wells.",
    "Simulations indicate that the result is obtained. Results derive from it. We use it.",
    "The main result is a theorem on state-of-the-art wells; we achieve more, and we ask whether it can be used.",
    "Specifically, they dig.",
    "It is deep.",
    "Hence it can be used.",
    "Experiments support it.",
    "We derive this.",
    "We dig. " * 30,
    "We dig. " * 40,
]


@given(
    st.lists(
        st.sampled_from([BACKGROUND, *ABSTRACTS[0], *_MORE_SENTENCES]) | st.text(), min_size=1, max_size=12
    ),
    st.text(),
)
def test_every_abstract_has_a_chosen_sentence(sentences: list[str], title: str) -> None:
    assert 0 <= find_contribution(sentences, title) < len(sentences)


@for_each_case(
    "piece", ["we ", "p", "Aa", "in this ", "we paper ", "a" * 50 + " ", "study, ", "A-", "(", "%"]
)
def test_any_text_is_ranked_in_linear_time(piece: str) -> None:
    # A regular expression calls no function that could be counted: in quadratic time this would take hours.
    text = piece * (500_000 // len(piece))

    assert find_contribution([text, text], text) in {0, 1}


def test_labelled_papers_show_a_good_sentence_in_all_fields(data: Path) -> None:
    """The thresholds lie a little below the figures of ``python -m benchmarks contributions``."""
    papers = read_labelled_papers(data / "contributions" / "dev.jsonl")
    choices = [find_contribution(paper.sentences, paper.title) for paper in papers]
    good = Counter(paper.field for paper, choice in zip(papers, choices, strict=True) if choice in paper.good)
    best = sum(choice == paper.best for paper, choice in zip(papers, choices, strict=True))

    assert len(papers) >= 190
    assert good.total() >= 0.86 * len(papers)
    assert best >= 0.61 * len(papers)
    for field, count in Counter(paper.field for paper in papers).items():
        assert good[field] >= 0.64 * count, field
