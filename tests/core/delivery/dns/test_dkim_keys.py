from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as on_a_curve
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.dns.dkim_keys import extract_public_key, format_zone_line, parse_tags, read_key
from digest.errors import ConfigError
from tests.support.cases import for_each_case
from tests.support.rsa_keys import make_rsa_key

NO_PASSPHRASE = serialization.NoEncryption()
PKCS8, PKCS1 = serialization.PrivateFormat.PKCS8, serialization.PrivateFormat.TraditionalOpenSSL
PEM, DER = serialization.Encoding.PEM, serialization.Encoding.DER


@for_each_case(
    "write",
    [
        lambda: make_rsa_key().private_bytes(PEM, PKCS8, NO_PASSPHRASE).decode(),
        lambda: make_rsa_key().private_bytes(PEM, PKCS1, NO_PASSPHRASE).decode(),
        lambda: f"\n{make_rsa_key().private_bytes(PEM, PKCS1, NO_PASSPHRASE).decode()}\n",
        lambda: base64.b64encode(make_rsa_key().private_bytes(DER, PKCS8, NO_PASSPHRASE)).decode(),
    ],
    ids=["PKCS 8", "PKCS 1", "with blank lines around", "base64 alone"],
)
def test_a_key_is_read_in_every_form_that_programs_write(write: Callable[[], str]) -> None:
    text = write()
    key = read_key("digest", text)

    assert (key.kind, key.bits, key.make_record_name("example.org")) == (
        "rsa",
        2048,
        "digest._domainkey.example.org",
    )
    assert extract_public_key(key.record) == key.public
    assert text not in repr(key)


def test_ed25519_stands_in_its_record_as_it_is() -> None:
    key = read_key("digest", Ed25519PrivateKey.generate().private_bytes(PEM, PKCS8, NO_PASSPHRASE).decode())

    assert key.record.startswith("v=DKIM1; k=ed25519; p=")
    assert extract_public_key(key.record) == key.public
    assert len(key.public) == 32


def test_an_rsa_key_without_its_wrapping_is_the_same_key() -> None:
    bare = make_rsa_key().public_key().public_bytes(DER, serialization.PublicFormat.PKCS1)

    assert (
        extract_public_key(f"p={base64.b64encode(bare).decode()}")
        == read_key("digest", make_rsa_key().private_bytes(PEM, PKCS8, NO_PASSPHRASE).decode()).public
    )


@for_each_case(
    ("text", "told"),
    [
        ("", "not a private key in PEM"),
        ("hello", "not a private key in PEM"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "not a private key in PEM"),
        (on_a_curve(SECP256R1()).private_bytes(PEM, PKCS8, NO_PASSPHRASE).decode(), "RSA or Ed25519"),
    ],
)
def test_what_is_no_key_for_mails_is_told(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_key("digest", text)


def test_a_key_with_a_passphrase_is_told() -> None:
    closed = make_rsa_key().private_bytes(PEM, PKCS8, serialization.BestAvailableEncryption(b"x")).decode()

    with pytest.raises(ConfigError, match="a passphrase"):
        read_key("digest", closed)


@for_each_case("record", ["", "v=spf1 -all", "v=DKIM2; p=AAAA", "v=DKIM1; p=%%", "k=rsa; p=AAAA"])
def test_a_record_without_a_key_has_none(record: str) -> None:
    assert extract_public_key(record) is None


def test_a_key_that_was_withdrawn_is_empty() -> None:
    assert extract_public_key("v=DKIM1; k=rsa; p=") == b""


@given(st.text())
def test_any_text_can_be_looked_at_as_a_record(text: str) -> None:
    parse_tags(text)
    extract_public_key(text)


def test_a_long_record_stands_in_a_zone_file_in_pieces() -> None:
    text = "v=DKIM1; p=" + "A" * 400

    line = format_zone_line("digest._domainkey.example.org", text)

    name, kind, *strings = line.split(" ", 2)
    assert (name, kind) == ("digest._domainkey.example.org.", "TXT")
    pieces = strings[0].strip('"').split('" "')
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= 255
