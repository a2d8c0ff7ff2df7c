from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.bitmaps import MatchBitmaps
from digest.core.matching.event_set import NO_EVENTS, NO_MATCHES, EventSet, MatchedEvents

POSITIONS = st.sets(st.integers(0, 300), max_size=40)


@given(POSITIONS, POSITIONS)
def test_the_operations_are_those_of_sets(first: set[int], second: set[int]) -> None:
    left, right = EventSet.from_positions(first), EventSet.from_positions(second)

    assert list(left | right) == sorted(first | second)
    assert list(left & right) == sorted(first & second)
    assert list(left - right) == sorted(first - second)
    assert left.isdisjoint(right) == first.isdisjoint(second)
    assert (left == right) == (first == second)
    assert len(left) == len(first)
    assert bool(left) == bool(first)
    assert all((position in left) == (position in first) for position in range(301))


@given(st.lists(POSITIONS, max_size=4))
def test_a_union_has_the_events_of_all(several: list[set[int]]) -> None:
    union = EventSet.union([EventSet.from_positions(positions) for positions in several])

    assert list(union) == sorted(set().union(*several))


@given(st.sets(st.integers(0, 40_000), max_size=600), st.integers(0, 700))
def test_the_first_are_the_lowest_and_no_more_than_asked_for(positions: set[int], limit: int) -> None:
    assert list(EventSet.from_positions(positions).first(limit)) == sorted(positions)[:limit]


@given(st.integers(-5, 300))
def test_before_a_position_are_all_lower_ones(position: int) -> None:
    assert list(EventSet.before(position)) == list(range(position))


@given(POSITIONS)
def test_equal_sets_are_one_key_and_are_printed_as_they_are_made(positions: set[int]) -> None:
    events = EventSet.from_positions(positions)

    assert {events: 1}[EventSet(events.bitmap)] == 1
    assert eval(repr(events)) == events
    assert events != positions


def test_equal_bitmaps_become_one_object() -> None:
    matched = MatchedEvents.from_bitmaps(MatchBitmaps(6, 6, 2, 6, 0, 0))

    assert matched.maybe is matched.likely is matched.title
    assert [list(events) for events in matched] == [[1, 2], [1, 2], [1], [1, 2], [], []]
    assert matched.author_surely is NO_EVENTS
    assert MatchedEvents.from_bitmaps(MatchBitmaps(0, 0, 0, 0, 0, 0)) == NO_MATCHES
