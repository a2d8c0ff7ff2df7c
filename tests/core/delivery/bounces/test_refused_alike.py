"""When refusals of many addresses at one domain are taken to be about us."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.bounces.refused_alike import (
    MIN_REFUSED,
    REFUSED_DIVISOR,
    is_about_us,
    is_worth_counting,
    normalize_refusal,
)
from tests.support.cases import for_each_case


@for_each_case(
    ("first", "second"),
    [
        ("550 5.1.1 <ann@example.com>: User unknown", "550 5.1.1 <bob@example.com>: User unknown"),
        ("550 Unknown user ann", "550 Unknown user bob"),
        ("550 unknown user: 'ann.lee'", "550 unknown user: 'bob.ray'"),
        (
            "550 5.1.1 no such user e22-n7GpZmsf0.222 - gsmtp",
            "550-5.1.1 no such user\n 550 5.1.1 f31-k2HqAntg1.417 - gsmtp",
        ),
        (
            "550 5.4.1 Access denied. [AM1EUR05FT012.eop 2026-06-12T05:31:24.324Z]",
            "550 5.4.1 Access denied. [DB9EUR07FT033.eop 2026-06-12T05:32:02.101Z]",
        ),
        ("550 用户不存在", "550 5.1.1 用户不存在"),
        ("550 5.1.1 User unknown (qXyzAbC)", "550 5.1.1 User unknown (RtuvWKl)"),
        ("550 5.1.1 No such user [mxHdkQwe]", "550 5.1.1 No such user [aPoiZbn]"),
    ],
)
def test_numbers_names_and_codes_do_not_make_two_answers_differ(first: str, second: str) -> None:
    assert normalize_refusal(first, "ann.lee@example.com") == normalize_refusal(second, "bob.ray@example.com")


def test_other_words_are_other_words() -> None:
    assert normalize_refusal("550 User unknown", "a@x.org") != normalize_refusal(
        "550 Mailbox disabled", "b@x.org"
    )
    assert normalize_refusal("550 UserUnknown", "a@x.org") != normalize_refusal(
        "550 MailboxDisabled", "b@x.org"
    )


@for_each_case(
    ("refused", "accepted", "expected"),
    [
        (4, 0, False),  # few can have ended by chance
        (5, 0, True),
        (5, 15, True),
        (5, 16, False),  # a list of some size always has a few that have ended
        (30, 970, False),
        (500, 500, True),
    ],
)
def test_a_quarter_of_a_domain_does_not_end_in_one_run(refused: int, accepted: int, expected: bool) -> None:  # noqa: FBT001 - a column of a table
    assert is_about_us(refused, accepted) is expected


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_one_more_that_took_its_mail_never_makes_it_our_fault(refused: int, accepted: int) -> None:
    assert is_about_us(refused, accepted) >= is_about_us(refused, accepted + 1)
    assert is_about_us(refused + 1, accepted) >= is_about_us(refused, accepted)


@given(st.integers(MIN_REFUSED, 20_000))
def test_what_was_accepted_is_counted_seldom_and_never_a_quarter_too_late(refused: int) -> None:
    counted = [number for number in range(MIN_REFUSED, refused + 1) if is_worth_counting(number)]

    assert counted[0] == MIN_REFUSED
    assert len(counted) <= 60
    assert refused - counted[-1] <= max(1, counted[-1] // REFUSED_DIVISOR)
