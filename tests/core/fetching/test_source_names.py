"""Sources whose names change at one instant: what is stored of each stays its own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.source_names import choose_renamed
from tests.support.cases import for_each_case

NAMES = st.sampled_from("abcdefgh")


@for_each_case(
    ("names", "stored", "declared", "chosen"),
    [
        ({"a": "b"}, "a", "b", {"a": "b"}),
        ({"a": "b"}, "", "b", {}),
        ({"a": "b"}, "ab", "b", {}),  # what b has stays b's
        ({"b": "c", "a": "b"}, "ab", "bc", {"a": "b", "b": "c"}),
        ({"a": "b", "b": "c"}, "abc", "bc", {}),  # c makes no room, so b does not
        ({"a": "b", "b": "a"}, "ab", "ab", {"a": "b", "b": "a"}),
        ({"a": "c", "b": "c"}, "ab", "c", {"a": "c"}),
        ({"x": "a"}, "x", "ax", {}),  # another source is called x now, and what is stored is its own
    ],
)
def test_names_change_where_their_place_is_free(
    names: dict[str, str], stored: str, declared: str, chosen: dict[str, str]
) -> None:
    assert choose_renamed(names, set(stored), set(declared)) == chosen


@given(
    names=st.dictionaries(NAMES, NAMES, max_size=8),
    stored=st.frozensets(NAMES),
    others=st.frozensets(NAMES),
)
def test_nothing_of_two_sources_ever_comes_under_one_name(
    names: dict[str, str], stored: frozenset[str], others: frozenset[str]
) -> None:
    chosen = choose_renamed(names, stored, {*names.values(), *others})
    after = [chosen.get(name, name) for name in sorted(stored)]

    assert len(set(after)) == len(after)
    assert chosen.items() <= names.items()
    assert chosen.keys() <= stored
