from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.server_health import (
    ServerAnswer,
    ServerEvidence,
    ServerHistory,
    ServerVerdict,
    count_first_suspects,
    evaluate_answers,
    give_up_faulty,
    is_server_failure,
    is_server_proof,
)
from digest.model import BLAME_MESSAGE, Deferred, Delivery, Fault, Receipt, Refused, Sent, Unknown
from tests.core.delivery.factories import NOW, make_delivery
from tests.support.cases import for_each_case

HOUR = timedelta(hours=1)
NO_HISTORY = ServerHistory()
IN_DOUBT = ServerHistory(was_in_doubt=True)
NO_EVIDENCE = ServerEvidence()
BUSY = Deferred(answer="421 busy", fault=Fault.OURS)

KINDS = st.sampled_from(
    [
        {},
        {"blame": Fault.OURS.value, "failed_at": NOW - HOUR},
        {"blame": BLAME_MESSAGE, "failed_at": NOW - HOUR},
    ]
)
ANSWERS = st.lists(st.tuples(st.integers(0, 12), st.booleans()), max_size=40)
HISTORIES = st.builds(
    ServerHistory,
    was_in_doubt=st.booleans(),
    took_others=st.booleans(),
    last_taken=st.sampled_from([None, NOW - 2 * HOUR, NOW]),
)


def evaluate(
    answers: Sequence[ServerAnswer],
    history: ServerHistory = NO_HISTORY,
    evidence: ServerEvidence = NO_EVIDENCE,
    counted: frozenset[int] = frozenset(),
) -> tuple[ServerEvidence, ServerVerdict]:
    return evaluate_answers(evidence, answers, history, counted=counted)


def failures(count: int, **values: object) -> list[ServerAnswer]:
    return [ServerAnswer(make_delivery(number, **values), is_failure=True) for number in range(count)]


def success(number: int = 100, **values: object) -> ServerAnswer:
    return ServerAnswer(make_delivery(number, **values), is_failure=False)


@for_each_case(
    ("history", "before", "count", "is_down"),
    [
        (NO_HISTORY, [], 7, False),
        (NO_HISTORY, [], 8, True),
        (IN_DOUBT, [], 1, False),
        (IN_DOUBT, [], 2, True),
        (IN_DOUBT, [success()], 7, False),
        (IN_DOUBT, [success()], 8, True),
    ],
)
def test_a_server_is_down_after_eight_messages_in_a_row_or_two_if_it_was_in_doubt(
    history: ServerHistory, before: list[ServerAnswer], count: int, *, is_down: bool
) -> None:
    _, verdict = evaluate([*before, *failures(count)], history)

    assert verdict.is_down == is_down


def test_one_message_that_fails_again_and_again_is_one() -> None:
    _, verdict = evaluate(failures(1) * 50)

    assert not verdict.is_down


def test_what_a_server_fails_at_before_it_accepts_others_is_at_fault() -> None:
    evidence, verdict = evaluate([*failures(3), success()])

    assert [delivery.id for delivery in verdict.faulty] == [0, 1, 2]
    assert verdict.new_failures == {0, 1, 2}
    assert not evidence.is_failing


def test_a_new_message_that_fails_after_others_were_accepted_may_be_the_beginning_of_an_outage() -> None:
    evidence, verdict = evaluate([success(), *failures(1)])

    assert verdict.faulty == ()
    assert evidence.is_doubtful


@for_each_case(
    ("before", "last_taken", "is_faulty"),
    [
        ([success()], None, True),
        ([], NOW, True),
        ([], NOW - 2 * HOUR, False),
        ([], None, False),
    ],
)
def test_a_suspect_is_at_fault_if_the_server_accepted_something_since_it_failed(
    before: list[ServerAnswer], last_taken: object, *, is_faulty: bool
) -> None:
    history = replace(NO_HISTORY, last_taken=last_taken)  # type: ignore[arg-type]
    suspects = failures(1, blame=Fault.OURS.value, failed_at=NOW - HOUR)

    _, verdict = evaluate([*before, *suspects], history)

    assert bool(verdict.faulty) == is_faulty


@given(ANSWERS, HISTORIES)
def test_what_is_known_to_be_at_fault_says_nothing_about_the_server(
    answers: list[tuple[int, bool]], history: ServerHistory
) -> None:
    evidence, verdict = evaluate(
        [
            ServerAnswer(make_delivery(number, blame=BLAME_MESSAGE), is_failure)
            for number, is_failure in answers
        ],
        history,
    )

    assert not evidence.is_doubtful
    assert not verdict.is_down
    assert not verdict.is_down_if_alone


@given(ANSWERS, st.lists(KINDS, min_size=13, max_size=13), HISTORIES, st.integers(1, 10))
def test_the_size_of_batches_changes_no_conclusion(
    answers: list[tuple[int, bool]], kinds: list[dict[str, object]], history: ServerHistory, size: int
) -> None:
    rows = [
        ServerAnswer(make_delivery(number, **kinds[number]), is_failure) for number, is_failure in answers
    ]
    at_once, server_verdict = evaluate(rows, history)

    evidence, faulty, new_failures = ServerEvidence(), list[Delivery](), set[int]()
    counted: frozenset[int] = frozenset()
    is_down = False
    for start in range(0, len(rows), size):
        evidence, verdict = evaluate(rows[start : start + size], history, evidence, counted)
        faulty += verdict.faulty
        counted |= {delivery.id for delivery in verdict.faulty}
        assert not new_failures & verdict.new_failures
        new_failures |= verdict.new_failures
        is_down = verdict.is_down

    assert evidence == at_once
    assert {delivery.id for delivery in faulty} == {delivery.id for delivery in server_verdict.faulty}
    assert new_failures == server_verdict.new_failures
    assert is_down == server_verdict.is_down or not rows


@given(ANSWERS, st.lists(KINDS, min_size=13, max_size=13), HISTORIES)
def test_a_message_is_at_fault_only_if_the_server_failed_at_it(
    answers: list[tuple[int, bool]], kinds: list[dict[str, object]], history: ServerHistory
) -> None:
    rows = [
        ServerAnswer(make_delivery(number, **kinds[number]), is_failure) for number, is_failure in answers
    ]

    evidence, verdict = evaluate(rows, history)

    failed = {delivery.id for delivery, is_failure in rows if is_failure}
    assert {delivery.id for delivery in verdict.faulty} <= failed == evidence.failures
    assert evidence.server_failures | evidence.suspect_failures | evidence.undecided.keys() <= failed
    if rows and not rows[-1].is_failure:
        assert not evidence.is_failing
        assert not evidence.undecided
        assert not verdict.is_down


def test_an_attempt_that_counted_in_this_pass_does_not_count_again() -> None:
    _, verdict = evaluate([*failures(2), success()], counted=frozenset({1}))

    assert [delivery.id for delivery in verdict.faulty] == [0]


def test_a_server_that_never_heard_of_the_messages_is_down() -> None:
    _, verdict = evaluate_answers(ServerEvidence(), [], NO_HISTORY, counted=frozenset(), was_unreachable=True)

    assert verdict.is_down


def test_a_server_is_down_if_it_fails_at_the_only_message_and_accepted_nothing_since_an_earlier_pass() -> (
    None
):
    assert evaluate(failures(1), IN_DOUBT)[1].is_down_if_alone
    assert not evaluate(failures(1))[1].is_down_if_alone
    assert not evaluate(failures(1), replace(IN_DOUBT, took_others=True))[1].is_down_if_alone
    assert not evaluate([success(), *failures(1)], IN_DOUBT)[1].is_down_if_alone


def test_a_server_gets_no_more_suspects_after_two_in_a_row_or_eight_if_it_accepted_something() -> None:
    suspects = {"blame": Fault.OURS.value}

    assert [evaluate(failures(count, **suspects))[0].is_spared for count in (1, 2)] == [False, True]
    assert [evaluate([success(), *failures(count, **suspects)])[0].is_spared for count in (7, 8)] == [
        False,
        True,
    ]
    assert not evaluate([*failures(9, **suspects), success()])[0].is_spared


@for_each_case(
    ("receipt", "is_failure", "is_proof"),
    [
        (Sent(), False, True),
        (BUSY, True, False),
        (Deferred(answer="450"), False, True),
        (Deferred(answer="450", fault=Fault.DOMAIN), False, True),
        (Refused(answer="550"), False, True),
        (Refused(answer="554", fault=Fault.OURS), False, False),
        (Unknown(answer=""), False, False),
    ],
)
def test_receipts_say_that_a_server_works_or_fails_or_neither(
    receipt: Receipt, *, is_failure: bool, is_proof: bool
) -> None:
    assert (is_server_failure(receipt), is_server_proof(receipt)) == (is_failure, is_proof)


@for_each_case(
    ("attempts", "expires_at", "is_given_up"),
    [(3, NOW, True), (2, NOW, False), (3, NOW + HOUR, False), (3, None, False)],
)
def test_a_message_at_fault_is_given_up_when_its_time_is_over_at_the_third_attempt_at_the_earliest(
    attempts: int, expires_at: object, *, is_given_up: bool
) -> None:
    delivery = make_delivery(1, attempts=attempts, expires_at=expires_at)

    receipt = give_up_faulty(delivery, BUSY, NOW)

    assert receipt.answer.startswith("421 busy")
    assert isinstance(receipt, Refused) == is_given_up == ("3 attempts" in receipt.answer)
    assert is_given_up or receipt == BUSY
    assert give_up_faulty(delivery, Sent(), NOW) == Sent()


@for_each_case(
    ("has_taken_suspect", "free", "connections", "busy", "count"),
    [
        (False, 8, 8, 0, 1),
        (False, 8, 8, 1, 0),
        (True, 8, 8, 0, 40),
        (True, 8, 8, 3, 10),
        (True, 8, 8, 4, 0),
        (True, 1, 8, 0, 10),
        (True, 1, 1, 0, 10),
        (True, 1, 1, 1, 0),
    ],
)
def test_first_one_suspect_goes_and_once_one_got_through_batches_by_half_of_the_connections(
    free: int, connections: int, busy: int, count: int, *, has_taken_suspect: bool
) -> None:
    evidence = [ServerEvidence(), ServerEvidence(has_taken_suspect=has_taken_suspect)]

    assert count == count_first_suspects(
        evidence, free_count=free, connection_count=connections, suspect_count=busy, batch_size=10
    )
