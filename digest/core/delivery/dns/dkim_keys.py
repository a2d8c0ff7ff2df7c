"""DKIM keys: parsing of private keys, and the DNS records with which others verify our signatures.

RFC 6376 defines the records, RFC 8301 the lengths of keys, RFC 8463 Ed25519.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from digest.errors import ConfigError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

_MIN_BITS = 1024
"""Minimum length of an RSA key, in bits; verifiers reject shorter ones (RFC 8301, section 3.2)."""
RECOMMENDED_BITS = 2048
"""Recommended length of an RSA key, in bits (RFC 8301, section 3.2)."""
_MAX_STRING_BYTES = 255
"""Maximum length of one string of a TXT record, in bytes (RFC 1035, section 3.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimKey:
    """A signing key.

    Attributes:
        selector: the name of its DNS record.
        kind: ``rsa`` or ``ed25519``.
        bits: its length.
        public: its public key in the format of the DNS record.
        sign: signs a SHA-256 hash, deterministically.
    """

    selector: str
    kind: str
    bits: int
    public: bytes
    sign: Callable[[bytes], bytes] = field(repr=False, compare=False)

    @property
    def record(self) -> str:
        """The text of its DNS record (RFC 6376, section 3.6.1)."""
        return f"v=DKIM1; k={self.kind}; p={base64.b64encode(self.public).decode()}"

    def make_record_name(self, domain: str) -> str:
        """Return the name of its DNS record in a domain."""
        return f"{self.selector}._domainkey.{domain}"


def format_zone_line(name: str, text: str) -> str:
    """Return a TXT record for a zone file, split into strings of at most 255 bytes, which are read as one text."""
    strings = " ".join(
        f'"{text[start : start + _MAX_STRING_BYTES]}"' for start in range(0, len(text), _MAX_STRING_BYTES)
    )
    return f"{name}. TXT {strings}"


def read_key(selector: str, text: str) -> DkimKey:
    """Parse a private key: PEM, or DER in base64 on one line, as environment variables contain it.

    Args:
        selector: the name of its DNS record.
        text: the key.

    Raises:
        ConfigError: the key is invalid or not supported by DKIM; the message says what to do.
    """
    from cryptography.exceptions import UnsupportedAlgorithm  # slow to import, and only needed for signing
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

    try:
        if "-----BEGIN" in text:
            key = serialization.load_pem_private_key(text.strip().encode(), password=None)
        else:
            der = base64.b64decode("".join(text.split()), validate=True)
            key = serialization.load_der_private_key(der, password=None)
    except TypeError:
        raise ConfigError(
            "this key has a passphrase, which nobody can type when mails are sent; save it without one"
        ) from None
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        raise ConfigError(
            "this is not a private key in PEM; create one with `digest dkim-key DOMAIN`, or with `openssl genpkey`"
        ) from None
    if isinstance(key, RSAPrivateKey):
        return _make_rsa_key(selector, key)
    if isinstance(key, Ed25519PrivateKey):
        raw = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return DkimKey(selector=selector, kind="ed25519", bits=256, public=raw, sign=key.sign)
    raise ConfigError(
        "DKIM needs an RSA or Ed25519 key, but this is a different one; create one with `digest dkim-key`"
    )


def _make_rsa_key(selector: str, key: RSAPrivateKey) -> DkimKey:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.utils import Prehashed

    if key.key_size < _MIN_BITS:
        raise ConfigError(
            f"this RSA key has {key.key_size} bits, but servers ignore signatures by keys of fewer than {_MIN_BITS}; create one with `digest dkim-key DOMAIN`"
        )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )

    def sign(hashed: bytes) -> bytes:
        return key.sign(hashed, PKCS1v15(), Prehashed(hashes.SHA256()))

    return DkimKey(selector=selector, kind="rsa", bits=key.key_size, public=public, sign=sign)


def parse_tags(record: str) -> dict[str, str]:
    """Parse the tags of a record (RFC 6376, section 3.2); the first of several with the same name counts."""
    tags: dict[str, str] = {}
    for name, value in _split_tags(record):
        tags.setdefault(name, value)
    return tags


def _split_tags(record: str) -> Iterator[tuple[str, str]]:
    for part in record.split(";"):
        name, separator, value = part.partition("=")
        if separator:
            yield name.strip(), "".join(value.split())


def extract_public_key(record: str) -> bytes | None:
    """Return the public key in a DNS record; b"" if it was revoked, None if there is no valid one.

    An RSA key may be there without its SubjectPublicKeyInfo wrapper (RFC 6376, section 3.6.1), which is added
    then.
    """
    tags = parse_tags(record)
    if "p" not in tags or tags.get("v", "DKIM1") != "DKIM1":
        return None
    try:
        raw = base64.b64decode(tags["p"], validate=True)
    except binascii.Error:
        return None
    if tags.get("k", "rsa") != "rsa" or not raw:
        return raw
    from cryptography.hazmat.primitives import serialization

    try:
        key = serialization.load_der_public_key(raw)
    except ValueError:
        return None
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
