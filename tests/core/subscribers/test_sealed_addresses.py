"""Sealed addresses open with the keys that sealed them, for their own destination, and for nothing else."""

from __future__ import annotations

import base64

from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.sealed_addresses import (
    SecretAddress,
    make_webhook_secret,
    open_address,
    seal_address,
)

OLD, NEW = b"an old key that is long enough", b"a new key that is long enough"
ADDRESS = SecretAddress(url="https://example.org/hooks/very-secret", secret="whsec_c2VjcmV0")


@given(st.text(), st.text(), st.integers(1, 2**62))
def test_any_address_comes_back_as_it_was(url: str, secret: str, destination: int) -> None:
    address = SecretAddress(url=url, secret=secret)

    assert open_address(seal_address(address, destination, [NEW]), destination, [NEW]) == address


def test_a_new_key_opens_nothing_unless_the_old_one_is_there() -> None:
    sealed = seal_address(ADDRESS, 7, [OLD])

    assert open_address(sealed, 7, [NEW, OLD]) == ADDRESS
    assert open_address(sealed, 7, [NEW]) is None
    assert open_address(seal_address(ADDRESS, 7, [NEW, OLD]), 7, [NEW]) == ADDRESS


def test_an_address_of_another_destination_does_not_open() -> None:
    assert open_address(seal_address(ADDRESS, 7, [NEW]), 8, [NEW]) is None


@given(st.integers(0), st.integers(1, 255))
def test_a_changed_byte_is_noticed(position: int, change: int) -> None:
    token = bytearray(base64.urlsafe_b64decode(seal_address(ADDRESS, 7, [NEW])))
    token[position % len(token)] ^= change

    assert open_address(base64.urlsafe_b64encode(token).decode(), 7, [NEW]) is None


@given(st.text())
def test_what_was_never_sealed_does_not_open(text: str) -> None:
    assert open_address(text, 7, [NEW]) is None


def test_nothing_of_an_address_is_shown() -> None:
    assert "secret" not in repr(ADDRESS).replace("SecretAddress", "")
    assert "very-secret" not in seal_address(ADDRESS, 7, [NEW])


def test_each_webhook_has_a_key_of_its_own() -> None:
    secrets = {make_webhook_secret() for _ in range(20)}

    assert len(secrets) == 20
    assert {len(base64.b64decode(secret.removeprefix("whsec_"))) for secret in secrets} == {32}
