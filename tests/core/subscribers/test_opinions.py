"""What a follow learns: a little each time, within bounds, and nothing that is taken back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.opinions import (
    MAX_WEIGHT_FACTOR,
    MIN_WEIGHT_FACTOR,
    RATINGS,
    Opinion,
    compute_weight_factor,
)

MORE, LESS = Opinion.MORE, Opinion.LESS
likings = st.lists(st.sampled_from(RATINGS), max_size=60)


def test_nothing_said_is_the_weight_as_written() -> None:
    assert compute_weight_factor([]) == 1


def test_more_is_a_tenth_more_and_less_a_tenth_less() -> None:
    assert compute_weight_factor([MORE]) == 1.1
    assert compute_weight_factor([MORE, MORE]) == 1.21
    assert compute_weight_factor([LESS]) == 0.9


@given(likings)
def test_it_stays_within_bounds(said: list[Opinion]) -> None:
    assert MIN_WEIGHT_FACTOR <= compute_weight_factor(said) <= MAX_WEIGHT_FACTOR


@given(likings)
def test_what_is_said_last_is_felt_however_much_was_said_before(said: list[Opinion]) -> None:
    before = compute_weight_factor(said)

    assert compute_weight_factor([*said, MORE]) > before or before == MAX_WEIGHT_FACTOR
    assert compute_weight_factor([*said, LESS]) < before or before == MIN_WEIGHT_FACTOR
