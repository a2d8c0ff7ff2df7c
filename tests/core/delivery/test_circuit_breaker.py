from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.circuit_breaker import (
    AnswerTally,
    RunVolume,
    add_counts,
    add_receipt,
    find_bounce_problem,
    find_volume_problem,
)
from digest.model import Deferred, Receipt, Refused, Sent, Unknown
from tests.support.cases import for_each_case

RECEIPTS = st.sampled_from(
    [Sent(), Refused(answer="550 no such user"), Deferred(answer="451 later"), Unknown(answer="")]
)


@given(st.lists(RECEIPTS, max_size=99))
def test_few_answers_never_stop_a_run(receipts: list[Receipt]) -> None:
    tally = AnswerTally()
    for receipt in receipts:
        tally = add_receipt(tally, receipt)

    assert tally.answered == sum(isinstance(receipt, Sent | Refused) for receipt in receipts)
    assert tally.refused == sum(isinstance(receipt, Refused) for receipt in receipts)
    assert find_bounce_problem(tally, 0.01) == ""


@given(st.lists(st.tuples(st.integers(0, 5000), st.floats(0, 1)), max_size=20))
def test_counts_stay_below_a_thousand_and_refusals_never_exceed_answers(
    counts: list[tuple[int, float]],
) -> None:
    tally = AnswerTally()
    for answered, share in counts:
        tally = add_counts(tally, answered=answered, refused=int(answered * share))

        assert 0 <= tally.refused <= tally.answered <= 1000


@for_each_case(
    ("answered", "refused", "share", "is_problem"),
    [
        (100, 6, 0.05, True),
        (100, 5, 0.05, False),
        (99, 99, 0.05, False),
        (100, 100, 0.0, False),
    ],
)
def test_a_run_bounces_if_more_than_the_share_of_at_least_a_hundred_answers_are_refusals(
    answered: int, refused: int, share: float, *, is_problem: bool
) -> None:
    tally = AnswerTally(answered=answered, refused=refused, last_refusal="550 no")

    reason = find_bounce_problem(tally, share)

    assert bool(reason) == is_problem
    assert not reason or (f"{refused} of the last {answered} " in reason and "550 no" in reason)


def test_an_old_good_time_does_not_hide_a_new_problem() -> None:
    tally = add_counts(AnswerTally(), answered=100_000, refused=0)

    for _ in range(60):
        tally = add_receipt(tally, Refused(answer="550 no"))

    assert find_bounce_problem(tally, 0.05)


@for_each_case(
    ("deliveries", "usual", "ratio", "named"),
    [
        (3001, 1500.0, 2.0, ["3,001", "1,500"]),
        (3000, 1500.0, 2.0, []),
        (1100, 101.0, 2.0, []),
        (1101, 101.0, 2.0, ["1,101", "101"]),
        (10**6, None, 2.0, []),
        (10**6, 1.0, 0.0, []),
    ],
)
def test_a_run_is_unusual_if_it_has_more_than_the_ratio_and_a_thousand_more(
    deliveries: int, usual: float | None, ratio: float, named: list[str]
) -> None:
    volume = RunVolume(run=1, deliveries=deliveries, usual=usual)

    reason = find_volume_problem(volume, ratio)

    assert bool(reason) == bool(named)
    assert all(number in reason for number in named)
