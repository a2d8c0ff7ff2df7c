"""DKIM signatures on finished messages (RFC 6376): relaxed/relaxed, one for each of our keys.

What is signed, and how it is written down, dkimpy knows; the arithmetic is the cryptography library's, which takes a
thirtieth of the time. A signature has no time in it, so that a repeated message is the same bytes again.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from digest.core.sending.dkim_keys import DkimKey

NEVER_TWICE = (
    *("from", "subject", "to", "cc", "date", "message-id", "reply-to", "in-reply-to", "references"),
    *("list-id", "list-unsubscribe", "list-unsubscribe-post", "list-help", "list-owner", "list-archive"),
    *("archived-at", "feedback-id", "mime-version", "content-type", "content-transfer-encoding"),
)
"""These are signed once more than they stand there: who adds one breaks the signature (RFC 6376, section 5.4.2).

With List-Unsubscribe and List-Unsubscribe-Post among them, one click is safe (RFC 8058, section 4).
"""
_SIGNED = (*NEVER_TWICE, "precedence", "auto-submitted", "x-auto-response-suppress")
_EMPTY_LINES = re.compile(rb"(?:\r\n)+\Z")
_BLANKS = bytes.maketrans(b"\t", b" ")


class Signer:
    """Signs for one domain.

    Args:
        domain: which answers for the messages: ``d=``.
        keys: one signature is made with each.
    """

    def __init__(self, domain: str, keys: Sequence[DkimKey]) -> None:
        self._domain = domain.encode("ascii")
        self._keys = keys

    def signed(self, content: bytes) -> bytes:
        """The message with its signatures before it.

        Args:
            content: headers and body, lines ending in CRLF.
        """
        head, _, body = content.partition(b"\r\n\r\n")
        body_hash = base64.b64encode(hashlib.sha256(relaxed(body)).digest())
        signatures = [self._signature(key, head, body_hash) for key in self._keys]
        return b"".join([*signatures, content])

    def _signature(self, key: DkimKey, head: bytes, body_hash: bytes) -> bytes:
        import dkim  # slow, and for those who sign
        from dkim.canonicalization import CanonicalizationPolicy

        signing = dkim.DKIM(head + b"\r\n\r\n")
        signing.hasher = hashlib.sha256
        signing.signature_algorithm = b"ed25519-sha256"  # by this name it lets the key sign by itself
        names = _named(head)
        fields = [
            (b"v", b"1"),
            (b"a", f"{key.kind}-sha256".encode()),
            (b"c", b"relaxed/relaxed"),
            (b"d", self._domain),
            (b"s", key.selector.encode()),
            (b"h", b" : ".join(names)),
            (b"bh", body_hash),
            (b"b", b"0" * 60),  # so long that it stands on lines of its own, as the signature will
        ]
        policy = CanonicalizationPolicy.from_c_value(b"relaxed/relaxed")
        value: bytes = signing.gen_header(fields, names, policy, b"DKIM-Signature", _Pen(key))
        return b"DKIM-Signature: " + value


class _Signature(NamedTuple):
    signature: bytes


class _Pen(NamedTuple):
    """A key as dkimpy asks it."""

    key: DkimKey

    def sign(self, hashed: bytes) -> _Signature:
        return _Signature(self.key.sign(hashed))


def _named(head: bytes) -> list[bytes]:
    """The names of the headers to be signed, as ``h=`` has them."""
    there = [line.partition(b":")[0].lower() for line in head.split(b"\r\n") if line[:1] not in b" \t"]
    named: list[bytes] = []
    for name in _SIGNED:
        raw = name.encode()
        named += [raw] * (there.count(raw) + (name in NEVER_TWICE))
    return named


def relaxed(body: bytes) -> bytes:
    """A body as RFC 6376, section 3.4.4, has it hashed: blanks at the end of lines and empty lines at its end go."""
    plain = body.translate(_BLANKS)
    while b"  " in plain:
        plain = plain.replace(b"  ", b" ")
    plain = plain.replace(b" \r\n", b"\r\n")
    bare = _EMPTY_LINES.sub(b"", plain)
    return bare + b"\r\n" if bare else b""
