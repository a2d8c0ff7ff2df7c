"""DKIM signatures of finished messages (RFC 6376): relaxed/relaxed canonicalization, one signature for each key.

dkimpy parses, canonicalizes and folds headers; the cryptography library signs, which takes a thirtieth of the
time. Signatures contain no timestamp, so that a repeated message has the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from digest.core.delivery.dns.dkim_keys import DkimKey

OVERSIGNED_HEADERS = (
    *("from", "subject", "to", "cc", "date", "message-id", "reply-to", "in-reply-to", "references"),
    *("list-id", "list-unsubscribe", "list-unsubscribe-post", "list-help", "list-owner", "list-archive"),
    *("archived-at", "feedback-id", "mime-version", "content-type", "content-transfer-encoding"),
)
"""Headers signed once more than they occur, so that adding another one breaks the signature (RFC 6376, section 5.4.2).

Since List-Unsubscribe and List-Unsubscribe-Post are among them, one-click unsubscription is safe (RFC 8058,
section 4).
"""
_SIGNED_HEADERS = (
    *OVERSIGNED_HEADERS,
    "content-language",
    "precedence",
    "auto-submitted",
    "x-auto-response-suppress",
)
_HEADER_NAME = b"DKIM-Signature"
_LINE_LENGTH = 72
_BLANKS = bytes.maketrans(b"\t", b" ")


class Signer:
    """Signs messages for one domain.

    Args:
        domain: the signing domain, ``d=``.
        keys: the keys; each makes one signature.
    """

    def __init__(self, domain: str, keys: Sequence[DkimKey]) -> None:
        self._domain = domain.encode("ascii")
        self._keys = keys

    def sign_message(self, content: bytes) -> bytes:
        """Return the message with its signatures prepended.

        Args:
            content: headers and body, lines ending in CRLF.
        """
        import dkim  # slow to import, and needed for signing only

        head, _, body = content.partition(b"\r\n\r\n")
        headers, _ = dkim.rfc822_parse(head + b"\r\n\r\n")
        names = _select_header_names([name.lower() for name, _ in headers])
        signed_headers = _canonicalize_headers(dkim.select_headers(headers, names))
        body_hash = base64.b64encode(hashlib.sha256(canonicalize_body(body)).digest())
        signatures = [self._make_signature(key, names, signed_headers, body_hash) for key in self._keys]
        return b"".join([*signatures, content])

    def _make_signature(
        self, key: DkimKey, names: Sequence[bytes], signed_headers: bytes, body_hash: bytes
    ) -> bytes:
        import dkim

        tags = (
            *(b"v=1", f"a={key.kind}-sha256".encode(), b"c=relaxed/relaxed"),
            *(b"d=" + self._domain, f"s={key.selector}".encode()),
            *(b"h=" + b" : ".join(names), b"bh=" + body_hash, b"b="),
        )
        header_value: bytes = dkim.fold(b" " + b"; ".join(tags), namelen=len(_HEADER_NAME))
        # The header itself is signed, too, without the signature and its final CRLF (RFC 6376, section 3.7).
        own_header = _canonicalize_headers([(_HEADER_NAME, header_value)]).removesuffix(b"\r\n")
        signature = base64.b64encode(key.sign(hashlib.sha256(signed_headers + own_header).digest()))
        lines = b"".join(
            b"\r\n " + signature[offset : offset + _LINE_LENGTH]
            for offset in range(0, len(signature), _LINE_LENGTH)
        )
        return b"".join([_HEADER_NAME, b":", header_value, lines, b"\r\n"])


def _canonicalize_headers(headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Return headers in the form in which they are hashed (RFC 6376, section 3.4.2)."""
    from dkim.canonicalization import Relaxed

    return b"".join([name + b":" + value for name, value in Relaxed.canonicalize_headers(headers)])


def _select_header_names(present_names: Sequence[bytes]) -> list[bytes]:
    """Return the names of the headers to sign, as in ``h=``.

    Args:
        present_names: the names of the message's headers, in lower case.
    """
    selected: list[bytes] = []
    for name in _SIGNED_HEADERS:
        raw = name.encode()
        selected += [raw] * (present_names.count(raw) + (name in OVERSIGNED_HEADERS))
    return selected


def canonicalize_body(body: bytes) -> bytes:
    """Return a body in the relaxed form in which it is hashed (RFC 6376, section 3.4.4)."""
    canonical = body.translate(_BLANKS)
    while b"  " in canonical:
        canonical = canonical.replace(b"  ", b" ")
    canonical = canonical.replace(b" \r\n", b"\r\n")
    end = len(canonical)
    while canonical.endswith(b"\r\n", 0, end):
        end -= 2
    return canonical[:end] + b"\r\n" if end else b""
