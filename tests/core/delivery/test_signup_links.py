from __future__ import annotations

from base64 import urlsafe_b64decode
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.signup_links import (
    LINK_LIFETIME,
    SIGNIN_MAILBOX_PURPOSE,
    SignupRequest,
    hash_mailbox,
    open_request,
    seal_request,
)

NOW = datetime(2026, 6, 12, 12, tzinfo=UTC)
KEY, OTHER = b"k" * 32, b"o" * 32
REQUEST = SignupRequest(address="Ada+papers@example.org", public_digest="daily-papers", language="de")


def test_a_link_brings_back_what_was_asked_for_and_shows_no_address() -> None:
    token = seal_request(REQUEST, [KEY], NOW)

    assert open_request(token, [KEY], NOW) == REQUEST
    assert open_request(token, [OTHER, KEY], NOW) == REQUEST, "after the key was changed"
    assert b"example" not in urlsafe_b64decode(token)
    assert seal_request(REQUEST, [KEY], NOW) != token, "each link is used up by itself"


def test_a_link_is_valid_for_two_days() -> None:
    token = seal_request(REQUEST, [KEY], NOW)

    assert open_request(token, [KEY], NOW + LINK_LIFETIME) == REQUEST
    assert open_request(token, [KEY], NOW + LINK_LIFETIME + timedelta(seconds=2)) is None
    assert open_request(token, [OTHER], NOW) is None


@given(st.integers(0, 10_000), st.integers(0, 7))
def test_a_link_of_which_anything_was_changed_is_none_of_ours(place: int, bit: int) -> None:
    token = seal_request(REQUEST, [KEY], NOW)
    place %= len(token.rstrip("=")) - 1  # the last character has bits that mean nothing
    changed = token[:place] + chr(ord(token[place]) ^ (1 << bit)) + token[place + 1 :]

    assert open_request(changed, [KEY], NOW) is None


@pytest.mark.parametrize("token", ["", "x", "é", "\x00", "a" * 100_000, "=" * 8, "gAAAAA"])
def test_anything_else_is_none_of_ours(token: str) -> None:
    assert open_request(token, [KEY], NOW) is None


def test_the_hash_of_an_address_depends_on_the_key() -> None:
    assert hash_mailbox("ada@example.org", KEY) == hash_mailbox("ada@example.org", KEY)
    assert hash_mailbox("ada@example.org", KEY) != hash_mailbox("ada@example.org", OTHER)
    assert hash_mailbox("ada@example.org", KEY) != hash_mailbox("bob@example.org", KEY)


def test_mails_of_different_purposes_are_counted_apart() -> None:
    signin = hash_mailbox("ada@example.org", KEY, SIGNIN_MAILBOX_PURPOSE)
    assert signin != hash_mailbox("ada@example.org", KEY)
