"""What editions keep of the papers that they do not show in full."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.event_set import EventSet
from digest.model import Confidence, EditionPart, Event, EventKind, Evidence, Reason
from digest.store.editions.encodings import overflow
from digest.store.editions.encodings.overflow import Overflow, OverflowReason, Rank
from tests.store.factories import make_paper


def events(*titles: str) -> dict[int, Event]:
    return {
        seq: Event(
            seq=seq,
            kind=EventKind.NEW,
            number=0,
            day=date(2026, 6, 12),
            source="arxiv",
            first=True,
            paper=make_paper(seq, title=title),
        )
        for seq, title in enumerate(titles, start=1)
    }


def kept(overflow: Overflow) -> dict[str, object]:
    results: dict[str, object] = json.loads(overflow.to_json())
    return results


def test_words_of_titles_are_marked_where_a_follow_asks_for_them() -> None:
    graphs = OverflowReason("my graphs", Confidence.SURELY, "graph OR survey")
    new_overflow = Overflow(
        reason_groups=[[graphs]], ranks=[Rank(EditionPart.SURELY, 1.0, [(0, EventSet(0b110))])]
    )

    first, second = overflow.read_items(kept(new_overflow), events("Graphs: a survey", "Trees"))

    words = Evidence(field="title", words=("Graphs", "survey"))
    assert first.reasons == (Reason(follow="my graphs", confidence=Confidence.SURELY, evidence=(words,)),)
    assert second.reasons == (Reason(follow="my graphs", confidence=Confidence.SURELY, evidence=()),)


@pytest.mark.parametrize("query", ["", "a query of ( another release"])
def test_what_cannot_be_marked_has_its_follow(query: str) -> None:
    new_overflow = Overflow(
        reason_groups=[[OverflowReason("graphs", Confidence.MAYBE, query)]],
        ranks=[Rank(EditionPart.MAYBE, 1.0, [(0, EventSet(0b10))])],
    )

    (item,) = overflow.read_items(kept(new_overflow), events("Graphs"))

    assert item.reasons == (Reason(follow="graphs", confidence=Confidence.MAYBE, evidence=()),)


@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), max_size=4))
def test_papers_of_one_rank_stand_in_the_order_of_their_events_whatever_they_are_there_for(
    ranks: list[list[int]],
) -> None:
    known_events = events(*(["Paper"] * sum(map(len, ranks))))
    seqs = iter(known_events)
    wanted = [[(next(seqs), number) for number in numbers] for numbers in ranks]
    new_overflow = Overflow(
        first_seq=1,
        reason_groups=[[OverflowReason(f"follow {number}", Confidence.SURELY, "")] for number in range(3)],
        ranks=[
            Rank(
                EditionPart.SURELY,
                float(-at),
                [
                    (why, EventSet.from_positions(seq - 1 for seq, number in rank if number == why))
                    for why in range(3)
                ],
            )
            for at, rank in enumerate(wanted)
        ],
    )

    items = list(overflow.read_items(kept(new_overflow), known_events))

    expected = [(seq, f"follow {number}") for rank in wanted for seq, number in rank]
    assert [(item.event.seq, item.reasons[0].follow) for item in items] == expected
    assert sorted(overflow.list_seqs(kept(new_overflow))) == [seq for seq, _ in expected]


def test_the_rest_of_an_edition_of_an_older_release_can_be_read() -> None:
    old = {
        "why": [[["graphs", 3], ["trees", 1]], [["graphs", 3]]],
        "lines": [[2, "surely", 2.0, 0, [[["title", ["Graphs"]]], []]], [1, "surely", 1.0, 1]],
    }

    first, second = overflow.read_items(old, events("Paper", "Graphs"))

    assert (first.event.seq, first.score) == (2, 2.0)
    assert first.reasons == (
        Reason(
            follow="graphs",
            confidence=Confidence.SURELY,
            evidence=(Evidence(field="title", words=("Graphs",)),),
        ),
        Reason(follow="trees", confidence=Confidence.MAYBE, evidence=()),
    )
    assert second.reasons == (Reason(follow="graphs", confidence=Confidence.SURELY, evidence=()),)
    assert overflow.list_seqs(old) == [2, 1]


@pytest.mark.parametrize(
    ("apart", "bits"),
    [pytest.param(1, 4, id="all papers of a day"), pytest.param(40, 56, id="few of many days")],
)
def test_a_paper_of_a_rest_takes_seven_bytes_at_the_most(apart: int, bits: int) -> None:
    mine = range(0, 500 * apart, apart)
    rank = Rank(EditionPart.SURELY, 1.0, [(0, EventSet.from_positions(mine))])
    new_overflow = Overflow(
        first_seq=123_456,
        reason_groups=[[OverflowReason("category:cs.LG", Confidence.SURELY, "")]],
        ranks=[rank],
    )

    assert len(new_overflow.to_json()) * 8 < 500 * bits
    assert overflow.list_seqs(kept(new_overflow)) == [123_456 + place for place in mine]


def test_a_rest_that_was_kept_with_the_numbers_of_its_events_can_be_read() -> None:
    old = {"why": [[["graphs", 3, ""]]], "ranks": [["surely", 1.0, [[0, [1, 2]]]]]}

    assert [item.event.seq for item in overflow.read_items(old, events("Paper", "Graphs"))] == [1, 2]
    assert overflow.list_seqs(old) == [1, 2]
