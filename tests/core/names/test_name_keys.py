"""Names are looked up by keys; no name that fits is missed by them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from digest.core.names.fitting import (
    NameMatch,
    _make_index_keys,
    _match_names,
    make_block_key,
    make_index_keys,
    make_key_filter,
    match_names,
)
from digest.core.names.parts import _parse_in_full, find_ends, parse_name
from digest.core.text.accents import COMBINING
from tests.core.names.test_fitting import PAIRS
from tests.simulation.recorded_days import read_papers_of_day
from tests.support.cases import for_each_case

FULL, INITIALS, NOT = NameMatch.FULL, NameMatch.INITIALS, NameMatch.NOT


def found_by_keys(text: str, other: str) -> bool:
    """Whether the keys of two names do what is promised of them, judged without the keys' own part in a fit."""
    meets = not make_index_keys(text).isdisjoint(make_index_keys(other))
    assert make_key_filter([text])(other) == make_key_filter([other])(text) == meets
    same = make_block_key(text) == make_block_key(other)
    return (meets or _match_names(parse_name(text), parse_name(other)) is NOT) and (
        same or match_names(text, other) is not FULL
    )


@for_each_case(("text", "other"), [pair[:2] for pair in PAIRS])
def test_names_of_the_table_that_fit_have_a_key_in_common(text: str, other: str) -> None:
    assert found_by_keys(text, other)


@pytest.mark.parametrize("most", [30, pytest.param(80, marks=pytest.mark.long)])
def test_real_names_that_fit_have_a_key_in_common(data: Path, most: int) -> None:
    names = {name for announced in read_papers_of_day(data, date(2026, 3, 17)) for name in announced.authors}
    for group in _alike(names, most):
        for text, other in combinations(group, 2):
            assert found_by_keys(text, other), (text, other)


def _alike(names: Iterable[str], most: int) -> Iterable[list[str]]:
    """Names that have a beginning of a word in common, so many together, those of odd letters oftener."""
    groups = defaultdict(list)
    for name in sorted(names, key=lambda name: (name.isascii(), name)):
        for word in name.split():
            groups[word[:2].casefold()].append(name)
    return [group[:most] for group in groups.values()]


# --- names made of names --------------------------------------------------------------------------

# fmt: off
WORDS = [
    "Wencong", "Xiao", "Li", "Xue", "Xu", "Jean", "Pierre", "Jean-Pierre", "Schölkopf", "Schoelkopf",
    "Scholkopf", "García", "Márquez", "Al-Naser", "Alnaser", "O'Brien", "OBrien", "O", "Brien", "van", "den",
    "Oord", "Vanden", "der", "Deboer", "de", "Boer", "Leon", "del", "Mar", "Delmar", "Abd", "El", "Rahman",
    "Abdelrahman", "Åsa", "Aasa", "Søgaard", "Đoković", "Đorđe", "Djordje", "J", "J.", "JP", "Yu.", "Jr.",
    "III", "Ng", "y", "von", "Ou-Yang", "Ouyang", "Smith-Jones", "Smithjones", "Ó", "Mac", "Łukasz", "王伟",
    "李", "Иван", "Phúc", "Nguyễn", "bin", "Mohamed", "Collaboration", "ATLAS", "Erd\\H{o}s", "ß", "김민준",
]
# fmt: on
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


def _initials(name: str) -> str:
    *given_names, family = name.split() or [""]
    return " ".join([*(word[:1] + "." for word in given_names), family])


def _swapped(name: str) -> str:
    first, _, rest = name.partition(" ")
    return f"{rest} {first}"


def _comma(name: str) -> str:
    *given_names, family = name.split() or [""]
    return f"{family}, {' '.join(given_names)}"


def _in_tex(name: str) -> str:
    return name.replace("ö", '\\"o').replace("é", "\\'e").replace("Ł", "\\L ")


CHANGES = [
    str.upper,
    str.lower,
    _initials,
    _swapped,
    _comma,
    _in_tex,
    lambda name: name.replace("-", " "),
    lambda name: name.replace("-", ""),
    lambda name: name.replace(" ", "-", 1),
    lambda name: name.replace(" ", "", 1),
    lambda name: "".join(reversed("".join(reversed(name)).replace(" ", "", 1))),
    lambda name: name.partition(" ")[2],
    lambda name: name.rpartition(" ")[0],
    lambda name: name.rpartition(" ")[2],
    lambda name: f"{name} Jr.",
    lambda name: f"{name}, M.D.",
    lambda name: f"{name} MD PhD",
    lambda name: f"Dr. rer. nat. {name}",
    lambda name: f"{name}, Fellow, IEEE",
    lambda name: f"Team {name}, ATLAS",
    lambda name: f"{name} Collaboration",
    lambda name: f"{name} Team, ATLAS",
    lambda name: "".join(letter for letter in name if letter not in COMBINING.values()),
]


@settings(max_examples=300)
@given(names, st.lists(st.sampled_from(CHANGES), max_size=3), names)
def test_a_name_written_in_another_way_that_fits_has_a_key_in_common(
    name: str, changes: list[object], other: str
) -> None:
    text = name
    for change in changes:
        text = change(text)  # type: ignore[operator]

    assert found_by_keys(name, text)
    assert found_by_keys(other, text)


@given(st.text(max_size=30), st.text(max_size=30))
@example("", "\ufada")  # a code point for a sign that there is not yet
def test_no_text_breaks_the_keys(one: str, other: str) -> None:
    assert found_by_keys(one, other)
    assert found_by_keys(one, one)


@for_each_case(
    ("text", "other"),
    [
        ("Bart de Boer", "Bart Deboer"),
        ("Ponce de Leon, Ana", "Ana Ponce Deleon"),
        ("Maria De La Rosa", "Maria Delarosa"),
        ("Ahmed Abd El Rahman", "Ahmed Abdelrahman"),
        ("Erik van der Meer", "Erik Vandermeer"),
        ("Ping Ou-Yang", "Ping Ouyang"),
        ("W. Xiao", "Wencong Xiao"),
        ("Jürgen Müller", "J. Mueller"),
        ("王伟", "Wei Wang"),
    ],
)
def test_one_family_name_written_together_and_apart_is_in_one_block(text: str, other: str) -> None:
    assert make_block_key(text) == make_block_key(other)


def test_names_of_different_people_are_kept_apart_where_the_letters_allow() -> None:
    assert make_block_key("Wei Xu") != make_block_key("Wei Xue")
    assert make_block_key("Wei Xu") != make_block_key("Yi Xu")
    assert make_index_keys("Wei Xu").isdisjoint(make_index_keys("Yi Xu"))
    assert make_block_key("") == make_block_key("...") == ""
    assert make_index_keys("") == frozenset()


@given(names)
def test_two_plain_words_are_read_as_any_name_is(name: str) -> None:
    two = " ".join(name.split()[:2])

    assert parse_name(two) == _parse_in_full(two)
    assert make_index_keys(two) == _make_index_keys(_parse_in_full(two))


@given(
    st.lists(
        st.sampled_from(["Wei", "A.", "O.", "Ming", "Sue", "Oe", "Ma", "De", "Jr", "Dr", "Xu"]),
        min_size=2,
        max_size=6,
    )
)
def test_plain_words_and_initials_are_looked_up_as_if_they_were_read(words: list[str]) -> None:
    name = " ".join(words)

    assert make_index_keys(name) == _make_index_keys(_parse_in_full(name))


@given(names)
def test_the_ends_of_a_plain_name_are_those_that_reading_it_gives(name: str) -> None:
    _same_ends(name)


def test_the_ends_of_real_names_are_those_that_reading_them_gives(data: Path) -> None:
    for announced in read_papers_of_day(data, date(2026, 3, 17)):
        for name in announced.authors:
            _same_ends(name)


def _same_ends(name: str) -> None:
    likeliest = next(iter(parse_name(name).readings), None)
    first, end = find_ends(name) or ("", "")
    assert (first, end) == ((likeliest.first_given, likeliest.family_end) if likeliest else ("", "")), name
