"""Rare names have one bearer, common ones many, and a name that few have here may be common elsewhere."""

from __future__ import annotations

import pytest

from digest.core.people.ambiguity import SAME_GIVEN_CHANCE, NameAmbiguity, NamePopulation


def others(names: list[str], seen: float = 3) -> float:
    """How many others may have signed as the first two."""
    return NameAmbiguity(names, NamePopulation(names)).estimate_others(0, 1, seen)


def test_a_name_whose_family_name_nobody_else_has_here_is_rare() -> None:
    assert others(["Hjördis Quvenstad"] * 2) == pytest.approx(SAME_GIVEN_CHANCE)


def test_a_name_is_the_less_rare_the_more_given_names_go_with_its_family_name() -> None:
    family = [f"H{vowel}{end} Quvenstad" for vowel in "aeiou" for end in ("lga", "nrik", "ns", "rald", "lma")]

    assert others(["Hjördis Quvenstad"] * 2) < others(["Hjördis Quvenstad"] * 2 + family[:5])
    assert others(["Hjördis Quvenstad"] * 2 + family) == 3


def test_a_family_name_that_is_common_elsewhere_is_common_here() -> None:
    assert others(["Wencong Xiao"] * 2) == 3


def test_initials_may_be_of_everybody() -> None:
    assert others(["H. Quvenstad", "Hjördis Quvenstad"]) == 3
    assert others(["H. Quvenstad", "H. Quvenstad"]) == 3


def test_of_a_rare_name_no_more_others_are_believed_than_there_seem_to_be() -> None:
    assert others(["Hjördis Quvenstad"] * 2, seen=0) == 0


def test_the_names_that_may_be_one_are_those_that_fit_fully() -> None:
    names = ["Ann Lind", "Ann B. Lind", "Ann C. Lind", "A. Lind", "Anna Lind"]
    namesakes = NameAmbiguity(names, NamePopulation(names))

    assert namesakes.find_possible_names(0, 1) == {"Ann Lind", "Ann B. Lind", "Ann C. Lind"}
    assert namesakes.find_possible_names(0, 3) == set(names)
    assert namesakes.find_possible_names(1, 2) == set(names)


def test_others_are_fewer_when_papers_are_joined() -> None:
    names = ["Wencong Xiao"] * 11
    namesakes = NameAmbiguity(names, NamePopulation(names))

    assert namesakes.build_estimate(range(11))(0, 1) == 2
    assert namesakes.build_estimate([0] * 10 + [1])(0, 10) == pytest.approx(0.2)


def test_a_name_with_initials_may_be_that_of_all_who_are_known_to_be_there() -> None:
    names = ["W. Xiao", "Wencong Xiao"]

    assert NameAmbiguity(names, NamePopulation(names)).build_estimate([0, 1])(0, 1) == pytest.approx(0.2)
    assert NameAmbiguity(names, NamePopulation(names, groups=26)).build_estimate([0, 1])(0, 1) == 5
