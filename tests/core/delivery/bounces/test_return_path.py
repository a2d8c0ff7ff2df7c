"""A return path names its delivery, survives mail servers, and cannot be made up."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.tokens import sign_token
from tests.support.cases import for_each_case

KEYS = (b"k" * 32,)
PATH = ReturnPath(address="bounces@example.org", keys=KEYS)


@given(st.integers(1, 2**63 - 1))
def test_it_names_its_delivery(number: int) -> None:
    assert PATH.read_delivery(PATH.make_address(number)) == number


@given(st.integers(1, 2**63 - 1))
def test_it_is_short_and_plain_enough_for_every_server(number: int) -> None:
    longest = ReturnPath(address="a-name-of-twenty-let@example.org", keys=KEYS).make_address(
        min(number, 10**12)
    )

    assert re.fullmatch(r"bounces\+[0-9]+\.[a-z2-7]{29}@example\.org", PATH.make_address(number))
    assert len(longest.partition("@")[0]) <= 64  # RFC 5321, section 4.5.3.1.1


def test_a_server_that_changes_capitals_does_no_harm() -> None:
    assert PATH.read_delivery(PATH.make_address(7).upper()) == 7
    assert PATH.read_delivery(PATH.make_address(7).title()) == 7


@for_each_case(
    "made_up",
    [
        "bounces@example.org",
        "bounces+7@example.org",
        f"bounces+7.{'a' * 29}@example.org",
        PATH.make_address(7).replace("+7.", "+8."),
        PATH.make_address(7).replace("example.org", "example.net"),
        PATH.make_address(7).replace("bounces", "other"),
        PATH.make_address(7)[:-13] + "@example.org",
        ReturnPath(address="bounces@example.org", keys=(b"x" * 32,)).make_address(7),
        f"bounces+{sign_token('unsubscribe', '7', KEYS)}@example.org",
        "",
        "@",
        "bounces+٧.aaaaaaaaaaaaaaaaaaaaaaaaaaaaa@example.org",
    ],
)
def test_one_that_was_made_up_names_nothing(made_up: str) -> None:
    assert PATH.read_delivery(made_up) is None


@given(st.text())
def test_nothing_that_somebody_writes_breaks_it(text: str) -> None:
    assert PATH.read_delivery(text) is None
    assert PATH.read_delivery(f"bounces+{text}@example.org") is None


def test_one_signed_by_an_older_key_is_known() -> None:
    old = PATH.make_address(7)

    assert ReturnPath(address="bounces@example.org", keys=(b"n" * 32, *KEYS)).read_delivery(old) == 7


def test_what_looks_like_one_is_told_from_what_does_not() -> None:
    assert PATH.is_return_path("bounces+nonsense@example.org")
    assert not PATH.is_return_path("digest@example.org")
