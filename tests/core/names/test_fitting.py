"""A follow of a person finds the names that can be hers, and says how sure the spelling makes it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from digest.core.names.fitting import NameMatch, fold_name, match_names
from digest.core.names.parts import find_spellings
from tests.support.cases import for_each_case

FULL, INITIALS, NOT = NameMatch.FULL, NameMatch.INITIALS, NameMatch.NOT

BANDS = {"full": FULL, "maybe": INITIALS, "not": NOT}


def pairs_of_the_table() -> Iterator[tuple[str, str, NameMatch]]:
    table = Path(__file__).with_name("name_pairs.txt").read_text(encoding="utf-8")
    for line in table.splitlines():
        if line and not line.startswith(("#", "==")):
            band, _, names = line.partition(" ")
            expected, printed = names.strip().split(" | ")
            yield expected, printed, BANDS[band]


ODD_SIGNS = [
    ("  Wencong   Xiao ", "Wencong Xiao", FULL),
    ("", "Wencong Xiao", NOT),
    ("Wencong Xiao", "", NOT),
    ("Jean-Pierre Serre", "Jean\u2010Pierre Serre", FULL),
    ("Bernhard Schölkopf", "Bernhard Sch\u006f\u0308lkopf", FULL),
    ("Conor O'Brien", "Conor O\u2019Brien", FULL),
    ("Ludwig\u00a0van\u2009Beethoven", "Ludwig van Beethoven", FULL),
]
"""Pairs that differ in signs which the table would not show."""

PAIRS = [*pairs_of_the_table(), *ODD_SIGNS]


@for_each_case(("expected", "printed", "fit"), PAIRS)
def test_a_name_fits_as_the_table_says(expected: str, printed: str, fit: NameMatch) -> None:
    assert match_names(expected, printed) is fit


def test_the_table_has_more_than_two_hundred_pairs_and_none_twice() -> None:
    pairs = [frozenset((expected, printed)) for expected, printed, _ in pairs_of_the_table()]

    assert len(set(pairs)) == len(pairs) > 200


def test_other_forms_of_a_first_name_are_other_names_unless_the_script_alone_differs(data: Path) -> None:
    with (data / "authors" / "first_name_pairs.csv").open(encoding="utf-8") as file:
        variants = [(row["name"], row["variant"]) for row in csv.DictReader(file)]

    assert len(variants) > 10_000
    for variant, other in variants:
        if find_spellings(variant).isdisjoint(find_spellings(other)) and {variant, other}.isdisjoint(
            {"ap", "mc", "op"}
        ):  # these are read as particles
            assert match_names(f"{variant.title()} Tibshirani", f"{other.title()} Tibshirani") is NOT, (
                variant,
                other,
            )


@for_each_case(("expected", "printed", "fit"), PAIRS)
def test_it_does_not_matter_which_of_two_names_was_wanted(
    expected: str, printed: str, fit: NameMatch
) -> None:
    assert match_names(printed, expected) is fit


# The ending keeps particles, suffixes and collaborations out.
part = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäöüéçñøłő"), min_size=2, max_size=8).map(
    lambda letters: letters.title() + "ik"
)


@given(st.lists(part, min_size=1, max_size=3), part)
def test_a_name_fits_itself_fully_and_so_with_a_comma(given_names: list[str], family: str) -> None:
    text = " ".join([*given_names, family])
    assert match_names(text, text) is FULL
    assert match_names(text, f"{family}, {' '.join(given_names)}") is FULL


@given(part, part)
def test_initials_are_a_maybe(given_name: str, family: str) -> None:
    assert match_names(f"{given_name} {family}", f"{given_name[0]}. {family}") is INITIALS


PARTICLES = ["de", "van", "van der", "von", "de la", "del", "al", "El", "Mac", "ben", "bin", "dos", "di"]


@given(part, st.sampled_from(PARTICLES), part)
def test_an_initial_before_a_particle_is_a_maybe(given_name: str, particle: str, family: str) -> None:
    initial = f"{given_name[0]}. {particle} {family}"

    assert match_names(initial, initial) is INITIALS
    assert match_names(f"{given_name} {particle} {family}", initial) is INITIALS
    assert match_names(f"{particle} {family}, {given_name}", initial) is INITIALS


@given(part, part, part)
def test_an_initial_before_a_double_family_name_is_a_maybe(given_name: str, father: str, mother: str) -> None:
    initial = f"{given_name[0]}. {father} {mother}"

    assert match_names(initial, initial) is INITIALS
    assert match_names(f"{given_name} {father} {mother}", initial) is INITIALS


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_an_answer_and_both_ways_the_same(left: str, right: str) -> None:
    assert match_names(left, right) is match_names(right, left)


def test_a_hostile_byline_takes_no_longer_than_a_name() -> None:
    for evil in ("ö-" * 5000, "A. " * 5000, "\u201c" * 50000, "(" * 50000, "Xu " * 5000, "{\\u g}" * 5000):
        assert match_names(f"{evil} Xiao", f"{evil} Xiao Xiao") in NameMatch


# --- the same name in another list ----------------------------------------------------------------


def test_one_name_in_two_lists_of_the_same_authors_is_known_again() -> None:
    spellings = ["Paul Erdős", r"Paul Erd\H{o}s", "PAUL ERDOS", "Paul  Erdo\u030bs"]

    assert {fold_name(name) for name in spellings} == {"paulerdos"}
    assert fold_name("Jean-Paul O'Neil") == fold_name("Jean Paul O\u2019Neil")
    assert fold_name("P. Erdos") != fold_name("Paul Erdos")
    assert fold_name("Li Wei") != fold_name("Wei Li")
    assert fold_name("李雨") == "liyu"
