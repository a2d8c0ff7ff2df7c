"""What a follow learns: a little each time, within bounds, and nothing that is taken back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.opinions import LEAST, LIKINGS, MOST, Opinion, learned

MORE, LESS = Opinion.MORE, Opinion.LESS
likings = st.lists(st.sampled_from(LIKINGS), max_size=60)


def test_nothing_said_is_the_weight_as_written() -> None:
    assert learned([]) == 1


def test_more_is_a_tenth_more_and_less_a_tenth_less() -> None:
    assert learned([MORE]) == 1.1
    assert learned([MORE, MORE]) == 1.21
    assert learned([LESS]) == 0.9


@given(likings)
def test_it_stays_within_bounds(said: list[Opinion]) -> None:
    assert LEAST <= learned(said) <= MOST


@given(likings)
def test_what_is_said_last_is_felt_however_much_was_said_before(said: list[Opinion]) -> None:
    before = learned(said)

    assert learned([*said, MORE]) > before or before == MOST
    assert learned([*said, LESS]) < before or before == LEAST
