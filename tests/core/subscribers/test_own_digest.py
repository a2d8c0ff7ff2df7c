"""What a digest can follow: its limits, and papers of libraries, which have one of their own."""

from __future__ import annotations

import pytest

from digest.core.subscribers.own_digest import (
    MAX_EXCLUSIONS,
    MAX_FOLLOWS,
    MAX_LIBRARY_PAPERS,
    EditError,
    EditMistake,
    OwnFollow,
    add_missing_follows,
    add_own_follow,
    count_own_follows,
    remove_library,
    select_missing_follows,
)
from digest.core.subscribers.transfer.imported import make_library_follow
from digest.model import PaperKey


def make_follow(number: int, *, exclude: bool = False) -> OwnFollow:
    return OwnFollow(text=f"w{number}", query=f"w{number}", exclude=exclude)


def make_paper(number: int) -> OwnFollow:
    return make_library_follow(PaperKey(f"arxiv:2401.{number:05}"), f"Paper {number}")


FULL = (
    *(make_follow(number) for number in range(MAX_FOLLOWS)),
    *(make_paper(number) for number in range(MAX_LIBRARY_PAPERS)),
    *(make_follow(1_000 + number, exclude=True) for number in range(MAX_EXCLUSIONS)),
)


def test_each_kind_has_its_own_limit() -> None:
    assert count_own_follows(FULL) == (MAX_FOLLOWS, MAX_LIBRARY_PAPERS, MAX_EXCLUSIONS)
    for added, mistake in (
        (make_follow(5_000), EditMistake.TOO_MANY_FOLLOWS),
        (make_paper(9_000), EditMistake.TOO_MANY_PAPERS),
        (make_follow(5_000, exclude=True), EditMistake.TOO_MANY_EXCLUSIONS),
    ):
        with pytest.raises(EditError, match=mistake.value):
            add_own_follow(FULL, added)
        with pytest.raises(EditError, match=mistake.value):
            add_missing_follows(FULL, [added])
        assert count_own_follows(add_own_follow(FULL[1:-1][:100], added)).follows >= 99


def test_what_is_there_can_be_changed_when_there_is_no_room() -> None:
    more_than_all = (*FULL, make_follow(9_999))
    changed = OwnFollow(text="w3", query="w3", weight=2.0)
    assert add_own_follow(more_than_all, changed)[3] == changed
    assert add_missing_follows(more_than_all, [changed]) == more_than_all, "an import changes nothing"
    assert remove_library(more_than_all) == tuple(f for f in more_than_all if not f.query.startswith("cites"))


def test_what_has_room_is_told_from_what_has_none() -> None:
    present = FULL[:-1][: MAX_FOLLOWS - 1]
    added = [make_follow(0), make_follow(5_000), make_follow(5_000), make_follow(5_001), make_paper(1)]
    chosen, left_out = select_missing_follows(present, added)
    assert chosen == (make_follow(5_000), make_paper(1))
    assert left_out == (make_follow(5_001),)
    assert len(add_missing_follows(present, chosen)) == len(present) + 2


def test_exclusions_from_a_paper_of_a_library_go_with_it() -> None:
    paper = make_paper(1)
    own = OwnFollow(text="survey", query="survey", exclude=True, only=paper.query)
    assert remove_library((make_follow(1), paper, own)) == (make_follow(1),)
