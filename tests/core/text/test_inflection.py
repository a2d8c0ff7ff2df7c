from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.inflection import find_bases
from tests.support.cases import for_each_case

TABLE = Path(__file__).with_name("inflection_pairs.txt")


def pairs(sign: str) -> list[tuple[str, str]]:
    """The lines of the table with this sign between two words."""
    lines = (line.split() for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [(line[0], line[2]) for line in lines if line and line[1] == sign]


FIT, NEVER = pairs("="), pairs("≠")


def test_the_table_has_three_hundred_pairs_each_once() -> None:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]

    assert len(FIT) + len(NEVER) == len(lines) == len({frozenset(pair) for pair in (*FIT, *NEVER)})
    assert len(lines) >= 300


@for_each_case(("word", "inflected"), FIT)
def test_a_word_finds_its_inflected_forms_and_they_find_it(word: str, inflected: str) -> None:
    assert find_bases(word) & find_bases(inflected)


@for_each_case(("word", "other"), NEVER)
def test_a_word_never_finds_another_word_of_its_family_or_one_spelled_alike(word: str, other: str) -> None:
    assert not find_bases(word) & find_bases(other)


def test_bases_is_base_and_basis() -> None:
    assert find_bases("bases") == {"bases", "base", "basis"}


def test_a_word_in_capitals_is_only_itself() -> None:
    assert find_bases("GPS") == {"gps"}
    assert find_bases("gps") == {"gps", "gp"}


@given(st.text(max_size=30))
def test_every_word_is_its_own_base_or_that_of_its_possessive(word: str) -> None:
    bases = find_bases(word)
    assert bases
    if not word.lower().endswith(("'s", "\u2019s", "'", "\u2019")):
        assert word.lower() in bases


@given(st.from_regex("[a-z]{3,12}(ing|ed|s|es|ies|ings|ics)?", fullmatch=True))
def test_a_base_is_at_least_two_letters_long_and_never_longer_than_the_word_by_more_than_two(
    word: str,
) -> None:
    assert all(2 <= len(base) <= len(word) + 2 for base in find_bases(word))
