"""Who signs with some names of a block is worked out without the others, and is the same as with all of them."""

from __future__ import annotations

from datetime import date
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.names.fitting import NameMatch, find_given_names, make_block_key, make_full_keys, match_names
from digest.core.papers.document import BylineStanding
from digest.core.people.name_blocks import NameBlock, resolve_separately
from digest.core.people.persons import Person, Signature, compute_standing, resolve_persons
from tests.core.names.test_fitting import PAIRS
from tests.core.people.test_real_people import Papers, list_signatures, papers
from tests.simulation.recorded_days import read_papers_of_day
from tests.support.cases import for_each_case

__all__ = ["papers"]  # the fixture

GIVEN = ("Yang", "Yan", "Yi", "Yi-Fan", "Yifan", "Yu", "Yong", "Yue", "Ya", "Yao")
"""Of as many persons there is always a namesake with these initials."""


def _found_by_keys(expected: str, printed: str) -> bool:
    """Whether the keys of two names do what is promised of them."""
    fit = match_names(expected, printed)
    one, other = make_full_keys(expected), make_full_keys(printed)
    where = {make_block_key(expected)}
    meet = bool(one & other) or (where <= one and make_block_key(printed) in one) or where <= other
    apart = (
        find_given_names(expected)
        and find_given_names(printed)
        and find_given_names(expected).isdisjoint(find_given_names(printed))
    )
    return (meet or fit is not NameMatch.FULL) and not (
        apart and make_block_key(expected) == make_block_key(printed) and fit is not NameMatch.NOT
    )


@for_each_case(("text", "other"), [pair[:2] for pair in PAIRS])
def test_names_of_the_table_that_fit_have_keys_in_common(text: str, other: str) -> None:
    assert _found_by_keys(text, other)


def test_real_names_of_a_block_that_fit_can_be_one_persons(data: Path) -> None:
    names = {name for announced in read_papers_of_day(data, date(2026, 3, 17)) for name in announced.authors}
    blocks: dict[str, list[str]] = {}
    for name in sorted(names):
        blocks.setdefault(make_block_key(name), []).append(name)

    pairs = [pair for block in blocks.values() for pair in combinations(block, 2)]
    assert len(pairs) > 1_000
    assert [pair for pair in pairs if not _found_by_keys(*pair)] == []


def test_who_is_written_out_is_kin_to_those_who_can_be_the_same_and_initials_to_nobody() -> None:
    kin = NameBlock(
        ["Xiao Ming Wang", "Xiaoming Wang", "Xiao-Ping Wang", "Xin Wang", "X. Wang", "X. M. Wang"]
    )

    assert set(kin.find_compatible_names("Xiaoming Wang")) == {
        "Xiao Ming Wang",
        "Xiaoming Wang",
        "Xiao-Ping Wang",
    }
    assert set(kin.find_compatible_names("Xin Wang")) == {"Xin Wang"}
    assert set(kin.find_compatible_names("X. Wang")) == set()
    assert set(kin.unresolved_names) == {"X. Wang", "X. M. Wang"}
    assert kin.population.groups == 2


# --- the same as with all of them -----------------------------------------------------------------

few = st.frozensets(st.sampled_from(["annalindqvist", "boek", "evafriis", "ibholm", "weiwang"]), max_size=4)
search_strategy = st.lists(
    st.builds(
        Signature,
        paper=st.integers(1, 12),
        position=st.just(0),
        ids=st.just(()),
        name=st.sampled_from(
            ["Yang Wang", "Yang A. Wang", "Yang B. Wang", "Y. Wang", "Yi Wang", "Yi-Fan Wang"]
        ),
        affiliations=st.lists(st.sampled_from(["ETH Zurich", "MIT"]), max_size=1).map(tuple),
        coauthors=few,
        categories=st.lists(st.sampled_from(["cs.DC", "cs.LG", "math.NT"]), max_size=2).map(tuple),
    ),
    max_size=12,
    unique_by=lambda signature: signature.place,
)


@given(search_strategy)
def test_without_the_others_everybody_is_who_they_are_with_them(some: list[Signature]) -> None:
    others = [
        Signature(paper=100 + number, position=0, name=f"{name} Wang") for number, name in enumerate(GIVEN)
    ]
    _same_apart([*some, *others])


@pytest.mark.parametrize("name", ["Yang Liu", "Wencong Xiao", "Yao Fu"])
def test_real_authors_are_who_they_are_without_those_of_other_given_names(papers: Papers, name: str) -> None:
    signatures = sorted(list_signatures(papers, name), key=lambda signature: signature.place)[-600:]

    assert _same_apart(signatures) > 0


def _same_apart(signatures: list[Signature]) -> int:
    """Hold what is told without the others against what is told with all; says of how many bylines it is."""
    persons = resolve_persons(signatures)
    kin = NameBlock({signature.name for signature in signatures})
    strangers = [signature for signature in signatures if signature.name in kin.unresolved_names]
    count = 0
    for names in {frozenset(kin.find_compatible_names(signature.name)) for signature in signatures} - {
        frozenset()
    }:
        those = [signature for signature in signatures if signature.name in names]
        separately = resolve_separately(those, strangers, kin.population)
        if separately is not None:
            assert set(separately) == {person for person in persons if person.names & names}
            count += len(those)
            assert _standings(those, separately) == _standings(those, persons)
    return count


def _standings(those: list[Signature], among: tuple[Person, ...]) -> list[BylineStanding]:
    return [compute_standing(signature, among) for signature in those]
