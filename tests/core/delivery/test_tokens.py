"""What links that are signed can be relied on for."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.tokens import read_token, sign_token

KEY, OLD, OTHER = b"k" * 32, b"o" * 32, b"x" * 32
VALUES = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=32)


@given(VALUES)
def test_who_has_the_key_reads_what_was_signed(value: str) -> None:
    assert read_token("unsubscribe", sign_token("unsubscribe", value, [KEY]), [KEY]) == value


@given(VALUES)
def test_a_token_is_short_and_needs_no_escape_in_a_url(value: str) -> None:
    token = sign_token("unsubscribe", value, [KEY])

    assert len(token) <= 57
    assert set(token) <= {*string.ascii_letters, *string.digits, "_", "-", "."}


def test_the_same_value_gives_the_same_token() -> None:
    assert sign_token("feed", "12", [KEY]) == sign_token("feed", "12", [KEY])


def test_a_token_is_good_for_one_purpose() -> None:
    assert read_token("unsubscribe", sign_token("edition", "12", [KEY]), [KEY]) is None


def test_one_purpose_is_no_beginning_of_another() -> None:
    assert (
        sign_token("feed", "s12", [KEY]).partition(".")[2]
        != sign_token("feeds", "12", [KEY]).partition(".")[2]
    )


def test_a_token_of_another_key_says_nothing() -> None:
    assert read_token("unsubscribe", sign_token("unsubscribe", "12", [OTHER]), [KEY]) is None


def test_links_of_an_old_key_go_on_as_long_as_it_is_kept_and_the_new_one_signs() -> None:
    old = sign_token("unsubscribe", "12", [OLD])

    assert read_token("unsubscribe", old, [KEY, OLD]) == "12"
    assert read_token("unsubscribe", old, [KEY]) is None
    assert sign_token("unsubscribe", "12", [KEY, OLD]) == sign_token("unsubscribe", "12", [KEY])


def test_a_token_with_any_other_sign_in_it_says_nothing() -> None:
    token = sign_token("unsubscribe", "1207", [KEY])
    signs = string.ascii_letters + string.digits + "_-.=+/ %\n\0é"

    changed = {
        token[:at] + other + token[at + 1 :]
        for at in range(len(token))
        for other in signs
        if token[at] != other
    }

    assert {text for text in changed if read_token("unsubscribe", text, [KEY]) is not None} == set()


def test_a_token_that_lost_or_gained_something_says_nothing() -> None:
    token = sign_token("unsubscribe", "1207", [KEY])
    cut = [token[:at] for at in range(len(token))] + [token[at:] for at in range(1, len(token))]
    longer = [
        token + "=",
        token + "A",
        token + ".",
        token + "\n",
        f" {token}",
        f"{token}.{token}",
        "0" + token,
    ]

    assert {text for text in [*cut, *longer] if read_token("unsubscribe", text, [KEY]) is not None} == set()


@given(st.text(max_size=80))
def test_what_nobody_signed_says_nothing(text: str) -> None:
    assert read_token("unsubscribe", text, [KEY]) is None


@pytest.mark.parametrize("value", ["12", "13"])
def test_a_signature_does_not_move_to_another_value(value: str) -> None:
    signature = sign_token("unsubscribe", "12", [KEY]).partition(".")[2]

    assert read_token("unsubscribe", f"{value}.{signature}", [KEY]) == (value if value == "12" else None)
