from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.percolator.postings import (
    PHRASE_END,
    add_phrase,
    add_posting,
    list_postings,
    remove_phrase,
    remove_posting,
)

STEPS = st.lists(st.tuples(st.booleans(), st.sampled_from("ab"), st.integers(0, 3)))
ROWS = st.sampled_from(["ab", "aba", "abab", "abb", "ba", "baa"])


@given(STEPS)
def test_what_was_put_and_not_taken_is_there_once(steps: list[tuple[bool, str, int]]) -> None:
    file: dict[str, Any] = {}
    there: dict[str, set[int]] = {"a": set(), "b": set()}
    for comes, key, entry in steps:
        if comes:
            add_posting(file, key, entry)
            there[key].add(entry)
        else:
            remove_posting(file, key, entry)
            there[key].discard(entry)

    for key, expected in there.items():
        assert sorted(list_postings(file.get(key))) == sorted(expected)
    assert set(file) == {key for key, expected in there.items() if expected}


def filed(file: dict[str, Any], before: str = "") -> Iterator[tuple[str, int]]:
    for key, there in file.items():
        row = before if key == PHRASE_END else before + key
        if isinstance(there, dict):
            assert there
            yield from filed(there, row)
        else:
            yield from ((row, entry) for entry in list_postings(there))


@given(st.lists(st.tuples(ROWS, st.integers(0, 2))), st.randoms(use_true_random=False))
def test_what_is_filed_under_rows_is_there_until_it_is_taken(
    puts: list[tuple[str, int]], random: Any
) -> None:
    file: dict[str, Any] = {}
    for row, entry in puts:
        add_phrase(file, row, entry)
    assert sorted(filed(file)) == sorted(set(puts))

    left = sorted(set(puts))
    random.shuffle(left)
    while left:
        remove_phrase(file, *left.pop())
        assert sorted(filed(file)) == sorted(left)
    assert not file
