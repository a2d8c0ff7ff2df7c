from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.people.coauthors import MAX_AUTHORS, Coauthorship, weigh_coauthors

NAMES = [f"Ada {letter}ovelace" for letter in "BCDFGHJKLMNP"]
LISTS = st.lists(st.lists(st.sampled_from(NAMES), unique=True, max_size=8), max_size=12)


def weigh(lists: list[list[str]], limit: int = 99) -> Coauthorship:
    """The co-authors of Me, who is the first author of each paper."""
    names = {number: ["Me", *others] for number, others in enumerate(lists)}
    return weigh_coauthors([(number, 0) for number in names], names, limit)


def test_all_coauthors_of_a_paper_together_count_as_one() -> None:
    found = weigh([[NAMES[0], NAMES[1]], [NAMES[0]]])

    assert [(entry.name, entry.papers, entry.weight) for entry in found.coauthors] == [
        (NAMES[0], 2, 1.5),
        (NAMES[1], 1, 0.5),
    ]
    assert found.pairs == {(0, 1): 1}


def test_a_coauthor_is_named_as_on_the_newest_paper() -> None:
    found = weigh([["Erdős Pál"], ["Erdos Pal"]])

    assert [(entry.name, entry.place) for entry in found.coauthors] == [("Erdos Pal", (1, 1))]


def test_a_paper_with_too_many_authors_does_not_count() -> None:
    found = weigh([[f"Author {number}" for number in range(MAX_AUTHORS)], NAMES[:1]])

    assert [entry.name for entry in found.coauthors] == NAMES[:1]
    assert found.skipped_papers == 1


@given(LISTS, st.integers(1, 12))
def test_weights_fall_and_sum_up_to_the_papers_with_coauthors(lists: list[list[str]], limit: int) -> None:
    everybody, first = weigh(lists), weigh(lists, limit)

    assert sum(entry.weight for entry in everybody.coauthors) == pytest.approx(sum(map(bool, lists)))
    assert all(closer.weight >= other.weight for closer, other in pairwise(everybody.coauthors))
    assert first.coauthors == everybody.coauthors[:limit]


@given(LISTS)
def test_pairs_are_counted_over_common_papers(lists: list[list[str]]) -> None:
    found = weigh(lists)
    names = [entry.name for entry in found.coauthors]

    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            common = sum({names[first], names[second]} <= set(others) for others in lists)
            assert found.pairs.get((first, second), 0) == common
