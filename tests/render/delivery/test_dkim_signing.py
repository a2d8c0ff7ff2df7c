from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from email import message_from_bytes
from functools import cache

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from dkim.canonicalization import Relaxed
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.dns.dkim_keys import DkimKey, read_key
from digest.render.delivery.dkim_signing import Signer, canonicalize_body
from digest.render.delivery.mail import make_mail
from digest.render.environment import make_environment
from tests.render.samples import SITE, make_edition_of_every_kind, make_edition_of_three_parts
from tests.support.cases import for_each_case
from tests.support.rsa_keys import encode_pem, make_rsa_key

ONE_CLICK = "https://digest.example.org/unsubscribe/MQ.c2ln"


@cache
def make_rsa_dkim_key() -> DkimKey:
    return read_key("rsa1", encode_pem(make_rsa_key()))


@cache
def make_ed25519_dkim_key() -> DkimKey:
    return read_key("ed1", encode_pem(Ed25519PrivateKey.generate()))


def make_dns_records(*keys: DkimKey) -> Callable[..., bytes | None]:
    """The DNS, in which stand the records of keys."""
    known_values = {f"{key.make_record_name('example.org')}.".encode(): key.record.encode() for key in keys}
    return lambda name, **_: known_values.get(name)


def message() -> bytes:
    return make_mail(
        make_environment(),
        make_edition_of_every_kind(),
        SITE,
        delivery=1,
        recipient="me@example.org",
        message_id="<1@example.org>",
        unsubscribe=ONE_CLICK,
        page="https://digest.example.org/editions/MQ.c2ln",
    ).content


def test_a_signed_message_is_the_message_with_signatures_before_it() -> None:
    plain = message()

    signed = Signer("example.org", [make_rsa_dkim_key(), make_ed25519_dkim_key()]).sign_message(plain)

    assert signed.endswith(plain)
    assert message_from_bytes(signed).keys()[:3] == ["DKIM-Signature", "DKIM-Signature", "From"]
    assert max(map(len, signed[: -len(plain)].split(b"\r\n"))) <= 78


def test_what_is_signed_passes() -> None:
    signed = Signer("example.org", [make_rsa_dkim_key()]).sign_message(message())

    assert dkim.verify(signed, dnsfunc=make_dns_records(make_rsa_dkim_key()))


@pytest.mark.parametrize("make", [make_rsa_dkim_key, make_ed25519_dkim_key], ids=["rsa", "ed25519"])
def test_one_click_is_covered_and_the_length_is_not(make: Callable[[], DkimKey]) -> None:
    key = make()
    tags = _tags(Signer("example.org", [key]).sign_message(message()))

    named = tags["h"].split(":")
    assert named.count("list-unsubscribe") == named.count("list-unsubscribe-post") == 2
    assert {"from", "subject", "date", "message-id", "feedback-id", "list-id", "content-type"} <= set(named)
    assert (tags["a"], tags["c"], tags["d"]) == (f"{key.kind}-sha256", "relaxed/relaxed", "example.org")
    assert not {"l", "t", "x"} & set(tags)


def test_a_repeated_message_is_signed_with_the_same_bytes() -> None:
    signer = Signer("example.org", [make_rsa_dkim_key(), make_ed25519_dkim_key()])

    assert signer.sign_message(message()) == signer.sign_message(message())


@for_each_case(
    "header",
    [
        b"Subject: Win",
        b"From: evil@example.net",
        b"Reply-To: evil@example.net",
        b"List-Unsubscribe: <https://evil.example>",
    ],
)
def test_a_header_that_is_added_breaks_the_signature(header: bytes) -> None:
    signed = Signer("example.org", [make_rsa_dkim_key()]).sign_message(message())

    assert not dkim.verify(header + b"\r\n" + signed, dnsfunc=make_dns_records(make_rsa_dkim_key()))


def test_a_changed_body_breaks_the_signature() -> None:
    signed = Signer("example.org", [make_rsa_dkim_key()]).sign_message(message())

    assert not dkim.verify(
        signed.replace(b"KV cache", b"KV crash"), dnsfunc=make_dns_records(make_rsa_dkim_key())
    )


def test_the_signature_of_ed25519_is_right() -> None:
    """RFC 8463, section 3: what is signed is the hash; dkimpy itself would need a further library to see it."""
    signed = Signer("example.org", [make_ed25519_dkim_key()]).sign_message(message())

    tags, document = _tags(signed), dkim.DKIM(signed)
    (signature, *headers) = Relaxed.canonicalize_headers(document.headers)
    hasher = hashlib.sha256()
    dkim.hash_headers(hasher, Relaxed, headers, tags["h"].encode().split(b":"), signature, {})
    public = Ed25519PublicKey.from_public_bytes(make_ed25519_dkim_key().public)
    public.verify(base64.b64decode(tags["b"]), hasher.digest())


@given(
    st.lists(st.sampled_from([b" ", b"\t", b"\r\n", b"a", b"=20", b".", b"\xc3\xa4"])).map(
        lambda values: b"".join([*values, b"\r\n"])
    )
)
def test_a_body_is_hashed_as_the_library_has_it(body: bytes) -> None:
    assert canonicalize_body(body) == Relaxed.canonicalize_body(body)


def _tags(signed: bytes) -> dict[str, str]:
    value = str(message_from_bytes(signed)["DKIM-Signature"])
    return dict(re.sub(r"\s", "", part).split("=", 1) for part in value.split(";"))


def test_other_editions_are_signed_too() -> None:
    plain = make_mail(
        make_environment(),
        make_edition_of_three_parts(),
        SITE,
        delivery=1,
        recipient="a@example.org",
        message_id="<2@example.org>",
    ).content

    assert dkim.verify(
        Signer("example.org", [make_rsa_dkim_key()]).sign_message(plain),
        dnsfunc=make_dns_records(make_rsa_dkim_key()),
    )
