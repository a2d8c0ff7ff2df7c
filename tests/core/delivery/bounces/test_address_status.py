"""What a bounce says of an address, and when an address rests or gets nothing any more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.bounces.address_status import (
    CLOSED_PERIOD,
    AddressStatus,
    BounceMark,
    BounceScore,
    decide_status,
    derive_bounce_class,
    parse_bounce,
    score_bounces,
)
from digest.core.delivery.replies import Step, derive_receipt
from digest.model import BounceClass, Deferred, Fault, Refused, Sent, Unknown
from tests.core.delivery.test_replies import REPLIES
from tests.support.cases import for_each_case

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
GONE, CLOSED, SOFT, DOMAIN, OURS = (
    BounceClass.GONE,
    BounceClass.CLOSED,
    BounceClass.SOFT,
    BounceClass.DOMAIN,
    BounceClass.OURS,
)
DAY = timedelta(days=1)


def finding(reply: str, step: Step = Step.RCPT) -> BounceClass:
    code, _, text = reply.partition(" ")
    return derive_bounce_class(derive_receipt(step, int(code), text))


# --- one ------------------------------------------------------------------------------------------


@for_each_case(("source", "step", "reply", "kind", "blame"), REPLIES)
def test_nobody_is_gone_or_closed_whom_a_reply_does_not_blame_for_good(
    source: str, step: Step, reply: str, kind: type[Deferred | Refused], blame: Fault
) -> None:
    hard = finding(reply, step) in {GONE, CLOSED}

    assert hard == (kind is Refused and blame is Fault.ADDRESS), source


@for_each_case(("source", "step", "reply", "kind", "blame"), REPLIES)
def test_a_refusal_that_is_our_fault_says_so(
    source: str, step: Step, reply: str, kind: type[Deferred | Refused], blame: Fault
) -> None:
    if kind is Refused and blame is Fault.OURS:
        assert finding(reply, step) is OURS, source


@for_each_case(
    ("reply", "expected"),
    [
        ("550 5.1.1 user unknown", GONE),
        ("550 5.1.2 host unknown", GONE),
        ("501 5.1.3 bad address syntax", GONE),
        ("550 5.1.6 moved", GONE),
        ("556 5.1.10 null MX", GONE),
        ("550 No such user here", GONE),
        ("550 5.1.0 address rejected", CLOSED),
        ("550 5.1.4 ambiguous address", CLOSED),
        ("550 5.2.1 mailbox disabled", CLOSED),
        ("550 5.2.0 mailbox unavailable", CLOSED),
        ("550 5.4.1 Recipient address rejected: Access denied", CLOSED),
        ("550 5.4.4 unable to route", SOFT),
        ("550 5.2.2 mailbox full", SOFT),
        ("450 4.2.2 mailbox full", SOFT),
        ("450 4.1.1 user unknown", SOFT),
        ("450 4.4.1 no answer from host", SOFT),
        ("451 4.7.1 come back later", DOMAIN),
        ("550 5.7.1 spam", OURS),
        ("550 5.7.26 unauthenticated", OURS),
        ("550 5.1.8 bad sender", OURS),
        ("550 5.4.5 daily sending limit exceeded", OURS),
    ],
)
def test_how_much_a_reply_says_of_an_address(reply: str, expected: BounceClass) -> None:
    assert finding(reply) is expected


@for_each_case(
    ("answer", "finding"),
    [
        ("550 5.1.9 no such user", CLOSED),
        ("550 5.2.1 no such user", CLOSED),
        ("550 5.1.0 no such user", GONE),
        ("550 5.2.0 no such user", GONE),
        ("550 5.5.1 no such user", GONE),
        ("550 5.1.0 go away", CLOSED),
    ],
)
def test_the_words_decide_where_the_status_says_nothing_of_the_address(
    answer: str, finding: BounceClass
) -> None:
    assert derive_bounce_class(Refused(answer=answer, fault=Fault.ADDRESS)) is finding


def test_what_was_taken_or_may_have_arrived_says_nothing() -> None:
    assert derive_bounce_class(Sent(answer="250 ok")) is BounceClass.NOTHING
    assert derive_bounce_class(Unknown(answer="it hung up")) is BounceClass.NOTHING


@for_each_case(
    ("status", "diagnostic", "expected"),
    [
        ("4.4.7", "550 5.1.1 user unknown", SOFT),  # given up after days: the last who had it knows more
        ("5.0.0", "450 4.2.2 mailbox full", SOFT),
        ("5.1.1", "", GONE),
        ("", "550 5.1.1 user unknown", GONE),
        ("", "it could not be done", SOFT),
        ("5.1.1 (no such user)", "", GONE),
        ("nonsense", "", SOFT),
    ],
)
def test_of_a_status_and_a_diagnosis_the_milder_counts(
    status: str, diagnostic: str, expected: BounceClass
) -> None:
    assert parse_bounce(status, diagnostic)[0] is expected


@given(st.text(max_size=20), st.text(max_size=200))
def test_no_delivery_status_breaks_the_classifier(status: str, diagnostic: str) -> None:
    assert parse_bounce(status, diagnostic)[0] in BounceClass


# --- several --------------------------------------------------------------------------------------


def soft(*days_ago: float) -> list[BounceMark]:
    return [(NOW - DAY * ago, SOFT) for ago in days_ago]


def stood(*days_ago: float) -> list[datetime]:
    return [NOW - DAY * ago for ago in days_ago]


def test_five_soft_bounces_on_three_days_make_it_rest() -> None:
    assert decide_status(SOFT, soft(0, 0, 1, 1, 2), [], NOW) is AddressStatus.SUSPENDED
    assert decide_status(SOFT, soft(0, 1, 2, 3), [], NOW) is AddressStatus.ACTIVE
    assert decide_status(SOFT, soft(0, 0, 0, 1, 1, 1), [], NOW) is AddressStatus.ACTIVE


def test_soft_bounces_wear_off_with_time() -> None:
    assert score_bounces(soft(0, 13, 15, 20), [], NOW) == BounceScore(bounces=2, days=2)


def test_each_later_message_that_stood_takes_one_away() -> None:
    assert score_bounces(soft(12, 11, 10), stood(9, 8), NOW) == BounceScore(bounces=1, days=1)
    assert score_bounces(soft(8), stood(12, 11, 10), NOW) == BounceScore(
        bounces=1, days=1
    )  # those before it do not


def test_a_message_that_was_taken_just_now_may_still_come_back() -> None:
    assert score_bounces(soft(5, 4), stood(3, 2, 1), NOW) == BounceScore(bounces=2, days=2)


def test_an_address_that_does_not_exist_is_suppressed_at_once() -> None:
    assert decide_status(GONE, [(NOW, GONE)], stood(10, 9, 8), NOW) is AddressStatus.SUPPRESSED


def test_one_that_is_closed_is_suppressed_when_that_is_said_on_another_day_too() -> None:
    assert decide_status(CLOSED, [(NOW, CLOSED)], [], NOW) is AddressStatus.ACTIVE
    assert decide_status(CLOSED, [(NOW - DAY / 8, CLOSED), (NOW, CLOSED)], [], NOW) is AddressStatus.ACTIVE
    assert decide_status(CLOSED, [(NOW - DAY, CLOSED), (NOW, CLOSED)], [], NOW) is AddressStatus.SUPPRESSED
    assert decide_status(CLOSED, [(NOW - 31 * DAY, CLOSED), (NOW, CLOSED)], [], NOW) is AddressStatus.ACTIVE
    assert (
        decide_status(CLOSED, [(NOW - CLOSED_PERIOD, CLOSED), (NOW, CLOSED)], [], NOW) is AddressStatus.ACTIVE
    )
    assert decide_status(CLOSED, [(NOW - DAY, SOFT), (NOW, CLOSED)], [], NOW) is AddressStatus.ACTIVE
    assert (
        decide_status(CLOSED, [(NOW - 2 * DAY, CLOSED), (NOW - DAY, CLOSED)], [], NOW)
        is AddressStatus.SUPPRESSED
    )


MARKS = st.lists(
    st.tuples(
        st.datetimes(datetime(2026, 5, 1), datetime(2026, 6, 12)).map(lambda at: at.replace(tzinfo=UTC)),  # noqa: DTZ001
        st.sampled_from([SOFT, DOMAIN, OURS]),
    ),
    max_size=60,
)


@given(MARKS, st.sampled_from([SOFT, DOMAIN, OURS]))
def test_no_soft_bounce_and_none_that_blames_others_ever_suppresses_anybody(
    marks: list[BounceMark], last: BounceClass
) -> None:
    decided = decide_status(last, [*marks, (NOW, last)], [], NOW)

    assert decided is not AddressStatus.SUPPRESSED
    if last is not SOFT:
        assert decided is AddressStatus.ACTIVE


@given(MARKS)
def test_a_message_that_stood_never_makes_a_score_worse(marks: list[BounceMark]) -> None:
    with_it = score_bounces(marks, stood(7), NOW)

    assert with_it.bounces <= score_bounces(marks, [], NOW).bounces
    assert 0 <= with_it.days <= with_it.bounces
