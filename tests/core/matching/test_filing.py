from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.filing import entries, put, take

STEPS = st.lists(st.tuples(st.booleans(), st.sampled_from("ab"), st.integers(0, 3)))


@given(STEPS)
def test_what_was_put_and_not_taken_is_there_once(steps: list[tuple[bool, str, int]]) -> None:
    file: dict[str, Any] = {}
    there: dict[str, set[int]] = {"a": set(), "b": set()}
    for comes, key, entry in steps:
        if comes:
            put(file, key, entry)
            there[key].add(entry)
        else:
            take(file, key, entry)
            there[key].discard(entry)

    for key, expected in there.items():
        assert sorted(entries(file.get(key))) == sorted(expected)
    assert set(file) == {key for key, expected in there.items() if expected}
