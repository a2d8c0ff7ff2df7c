"""What papers of two namesakes have in common by chance is known well enough to tell what is no chance."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.people.chance import (
    MAX_NEIGHBOURS,
    MAX_PERSONAL_COAUTHORS,
    compute_category_chance,
    compute_coauthor_chances,
    extract_workplaces,
)
from tests.support.cases import for_each_case

# --- co-authors -----------------------------------------------------------------------------------


def chance(value: set[str], other: set[str]) -> float:
    coauthor_chances = list(compute_coauthor_chances([frozenset(value), frozenset(other)]))
    return coauthor_chances[0][0] if coauthor_chances else 1.0


def many(first: int, size: int) -> set[str]:
    return {f"memberofcrowd{number}" for number in range(first, first + size)}


def test_the_more_co_authors_are_in_common_the_less_it_is_chance() -> None:
    chances = [chance(many(0, 5), many(5 - common, 5)) for common in range(6)]

    assert chances == sorted(chances, reverse=True)
    assert chances[0] == 1.0
    assert chances[1] < 0.01
    assert chances[5] < 1e-9


def test_the_longer_the_lists_the_more_it_is_chance() -> None:
    assert chance(many(0, 3), many(2, 3)) < chance(many(0, 20), many(19, 20)) < 1


def test_short_names_say_less() -> None:
    assert chance({"weiwang", "boek"}, {"weiwang", "evafriis"}) > chance(
        {"hanabrozova", "boek"}, {"hanabrozova"}
    )


def test_papers_of_a_collaboration_have_most_members_in_common_or_say_nothing() -> None:
    size = 10 * MAX_PERSONAL_COAUTHORS

    assert chance(many(0, size), many(100, size)) == 0
    assert chance(many(0, size), many(size - 20, size)) == 1
    assert chance(many(0, size), many(0, 5)) == 1


@given(
    st.lists(st.frozensets(st.sampled_from(sorted(many(0, 12))), max_size=6), max_size=12),
)
def test_pairs_come_once_and_only_with_co_authors_in_common(lists: list[frozenset[str]]) -> None:
    pairs = [(coauthor_chance, other) for _, coauthor_chance, other in compute_coauthor_chances(lists)]

    assert len(set(pairs)) == len(pairs)
    assert set(pairs) == {
        (number, other)
        for other in range(len(lists))
        for number in range(other)
        if not lists[number].isdisjoint(lists[other])
    }


def test_the_work_grows_as_the_papers_do() -> None:
    papers = [frozenset({"theconstantfriend", f"studentof{number}"}) for number in range(2000)]

    assert len(list(compute_coauthor_chances(papers))) <= MAX_NEIGHBOURS * len(papers)


# --- workplaces -----------------------------------------------------------------------------------


@for_each_case(
    ("text", "other"),
    [
        ("ETH Zürich", "ETH Zurich"),
        ("University of Southampton", "School of Electronics, University of Southampton, UK"),
        ("Tsinghua University", "Department of Computer Science, Tsinghua University, Beijing, China"),
        ("Chinese Academy of Sciences", "Institute of Automation, Chinese Academy of Sciences"),
        ("Carnegie Mellon University", "Carnegie Mellon University; Google"),
        ("Microsoft", "Microsoft, Redmond"),
        ("Facebook", "Facebook, Menlo Park"),
        ("Los Alamos National Laboratory", "Theoretical Division, Los Alamos National Laboratory"),
        ("Universität Tübingen", "Universitat Tubingen"),
    ],
)
def test_one_workplace_written_in_two_ways_is_one(text: str, other: str) -> None:
    assert not extract_workplaces(text).isdisjoint(extract_workplaces(other))


@for_each_case(
    ("text", "other"),
    [
        ("Tsinghua University, Beijing, China", "Peking University, Beijing, China"),
        (
            "Department of Computer Science, University of Oslo",
            "Department of Computer Science, Lund University",
        ),
        ("University of Washington", "Washington University"),
        ("School of Medicine", "School of Medicine"),
        ("Dept. of Physics", "Dept. of Physics"),
        ("Facebook AI", "Facility for Imaging"),
        ("Google", "Microsoft"),
        ("", ""),
        (", ;", ", ;"),
    ],
)
def test_workplaces_in_one_town_or_of_one_field_are_not_one(text: str, other: str) -> None:
    assert extract_workplaces(text).isdisjoint(extract_workplaces(other))


@given(st.text(max_size=60))
def test_any_text_names_some_workplaces_or_none(text: str) -> None:
    assert all(extract_workplaces(text))


# --- fields ---------------------------------------------------------------------------------------


def test_a_small_field_in_common_says_most() -> None:
    small = compute_category_chance(["cs.DC", "cs.LG"], ["cs.DC"])
    crowded = compute_category_chance(["cs.CV"], ["cs.CV", "cs.AI"])
    category_chance = compute_category_chance(["cs.DC", "cs.AI"], ["cs.CV", "cs.AI"])

    assert small < crowded < category_chance < compute_category_chance(["cs.DC"], ["math.NT"]) == 1
    assert compute_category_chance([], []) == compute_category_chance(["cs.DC"], []) == 1
