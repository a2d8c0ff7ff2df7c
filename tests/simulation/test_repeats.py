"""Repeats are put down to connections fairly."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.simulation.repeats import MailConnection, count_repeats

ONE, TWO, THREE = (MailConnection(f"10.0.0.{number}", number) for number in (1, 2, 3))
FAULTS = {ONE.address: 1, TWO.address: 5}


def test_what_the_machine_with_more_faults_sent_again_for_another_is_not_its_repeat() -> None:
    mails = [[ONE, TWO]] * 10 + [[TWO, THREE]] * 10

    assert count_repeats(mails, FAULTS, 10) == {ONE: 10, TWO: 10}


def test_too_many_repeats_of_a_connection_are_seen() -> None:
    assert count_repeats([[TWO, THREE]] * 11, FAULTS, 10) == {TWO: 11}
    assert max(count_repeats([[ONE, TWO]] * 21, FAULTS, 10).values()) == 11


def test_a_chain_of_machines_is_followed_to_its_end() -> None:
    faults = {ONE.address: 3, TWO.address: 2, THREE.address: 1}
    mails = [[TWO, ONE]] * 3 + [[THREE, TWO]] * 2 + [[ONE, MailConnection("10.0.0.4", 4)]] * 2

    assert max(count_repeats(mails, faults, 3).values()) <= 3


@given(
    st.lists(st.lists(st.sampled_from([ONE, TWO, THREE]), min_size=2, max_size=3), max_size=12),
    st.integers(min_value=1, max_value=4),
)
def test_the_number_of_repeats_stays_and_the_limit_is_kept_where_that_is_possible(
    mails: list[list[MailConnection]], limit: int
) -> None:
    faults = dict.fromkeys((one.address for one in (ONE, TWO, THREE)), 1)
    counts = count_repeats(mails, faults, limit)

    assert counts.total() == sum(len(copies) - 1 for copies in mails)
    assert (max(counts.values(), default=0) <= limit) == is_possible(mails, Counter(), limit)


def is_possible(mails: list[list[MailConnection]], counts: Counter[MailConnection], limit: int) -> bool:
    """Whether some choice of the copy of peace keeps the limit, by trying all of them."""
    if max(counts.values(), default=0) > limit:
        return False
    if not mails:
        return True
    first, *others = mails
    return any(
        is_possible(others, counts + Counter(first[:index] + first[index + 1 :]), limit)
        for index in range(len(first))
    )
