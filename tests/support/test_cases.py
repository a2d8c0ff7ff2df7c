from __future__ import annotations

import pytest

from tests.support.cases import MOST_TRACEBACKS, for_each_case


@pytest.fixture
def limit() -> int:
    return 3


@for_each_case("number", [1, 2, 3])
def test_a_table_can_be_used_with_fixtures(limit: int, number: int) -> None:
    assert number <= limit


def test_every_case_is_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @for_each_case(("number", "word"), [(1, "one"), pytest.param(2, "two"), (3, "three")])
    def walk(number: int, word: str) -> None:
        tried.append(word)
        assert number == 2

    with pytest.raises(
        ExceptionGroup, match="2 of 3 cases failed: number=1, word='one'; number=3, word='three'"
    ) as failed:
        walk()

    assert tried == ["one", "two", "three"]
    assert [error.__notes__ for error in failed.value.exceptions] == [
        ["in the case number=1, word='one'"],
        ["in the case number=3, word='three'"],
    ]


def test_cases_can_be_called_by_ids_of_their_own() -> None:
    @for_each_case("number", [1, 2], ids=["the first", "the second"])
    def walk(number: int) -> None:
        assert number == 1

    with pytest.raises(ExceptionGroup, match="1 of 2 cases failed: the second"):
        walk()


def test_of_many_failures_all_are_named_and_some_are_shown_in_full() -> None:
    @for_each_case("number", range(50))
    def walk(number: int) -> None:
        assert number < 0

    with pytest.raises(
        ExceptionGroup, match=r"50 of 50 cases failed, the first 5 in full: .*number=49"
    ) as failed:
        walk()

    assert len(failed.value.exceptions) == MOST_TRACEBACKS
