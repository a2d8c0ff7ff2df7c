"""DKIM keys: read from what people keep them in, and the DNS record that others check our signatures by.

RFC 6376 has the records, RFC 8301 how long a key is, RFC 8463 Ed25519.
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
"""Of an RSA key: shorter ones are not accepted by anybody (RFC 8301, section 3.2)."""
RECOMMENDED_BITS = 2048
"""What RFC 8301, section 3.2, asks for."""
_MAX_STRING_BYTES = 255
"""Bytes of one string of a TXT record (RFC 1035, section 3.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimKey:
    """A key that we sign with.

    Attributes:
        selector: the name of its DNS record.
        kind: ``rsa`` or ``ed25519``.
        bits: its length.
        public: its public half, as the record holds it.
        sign: signs a SHA-256 hash; the same hash always gets the same signature.
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
        """Where its DNS record stands."""
        return f"{self.selector}._domainkey.{domain}"


def format_zone_line(name: str, text: str) -> str:
    """A TXT record as zone files have it: in strings of at most 255 bytes, which are read as one text."""
    strings = " ".join(
        f'"{text[start : start + _MAX_STRING_BYTES]}"' for start in range(0, len(text), _MAX_STRING_BYTES)
    )
    return f"{name}. TXT {strings}"


def read_key(selector: str, text: str) -> DkimKey:
    """Read a private key: PEM, or the base64 of its DER on one line, as variables and panels hold it.

    Args:
        selector: the name of its DNS record.
        text: the key.

    Raises:
        ConfigError: it is no key that DKIM knows; says what to do.
    """
    from cryptography.exceptions import UnsupportedAlgorithm  # slow, and for those who sign
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
    """The tags of a record (RFC 6376, section 3.2); of one that stands twice the first."""
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
    """The public key in a DNS record; b"" where it was withdrawn, None where there is none to be read.

    An RSA key may stand there without its wrapping (RFC 6376, section 3.6.1): it is given with it.
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
