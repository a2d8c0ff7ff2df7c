"""DKIM signatures on finished messages (RFC 6376): relaxed/relaxed, one for each of our keys.

Which headers those are, and how they are hashed and folded, dkimpy knows; the arithmetic is the cryptography library's,
which takes a thirtieth of the time. A signature has no time in it, so that a repeated message is the same bytes again.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from digest.core.delivery.dns.dkim_keys import DkimKey

NEVER_TWICE = (
    *("from", "subject", "to", "cc", "date", "message-id", "reply-to", "in-reply-to", "references"),
    *("list-id", "list-unsubscribe", "list-unsubscribe-post", "list-help", "list-owner", "list-archive"),
    *("archived-at", "feedback-id", "mime-version", "content-type", "content-transfer-encoding"),
)
"""These are signed once more than they stand there: who adds one breaks the signature (RFC 6376, section 5.4.2).

With List-Unsubscribe and List-Unsubscribe-Post among them, one click is safe (RFC 8058, section 4).
"""
_SIGNED = (*NEVER_TWICE, "content-language", "precedence", "auto-submitted", "x-auto-response-suppress")
_NAME = b"DKIM-Signature"
_LINE = 72
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
        import dkim  # slow, and for those who sign

        head, _, body = content.partition(b"\r\n\r\n")
        headers, _ = dkim.rfc822_parse(head + b"\r\n\r\n")
        names = _named([name.lower() for name, _ in headers])
        signed = _canonical(dkim.select_headers(headers, names))
        body_hash = base64.b64encode(hashlib.sha256(relaxed(body)).digest())
        signatures = [self._signature(key, names, signed, body_hash) for key in self._keys]
        return b"".join([*signatures, content])

    def _signature(self, key: DkimKey, names: Sequence[bytes], signed: bytes, body_hash: bytes) -> bytes:
        import dkim

        tags = (
            *(b"v=1", f"a={key.kind}-sha256".encode(), b"c=relaxed/relaxed"),
            *(b"d=" + self._domain, f"s={key.selector}".encode()),
            *(b"h=" + b" : ".join(names), b"bh=" + body_hash, b"b="),
        )
        value: bytes = dkim.fold(b" " + b"; ".join(tags), namelen=len(_NAME))
        # It signs itself, too, without the signature and without the end of its line (RFC 6376, section 3.7).
        itself = _canonical([(_NAME, value)]).removesuffix(b"\r\n")
        written = base64.b64encode(key.sign(hashlib.sha256(signed + itself).digest()))
        lines = b"".join(b"\r\n " + written[at : at + _LINE] for at in range(0, len(written), _LINE))
        return b"".join([_NAME, b":", value, lines, b"\r\n"])


def _canonical(headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Headers as they are hashed (RFC 6376, section 3.4.2)."""
    from dkim.canonicalization import Relaxed

    return b"".join([name + b":" + value for name, value in Relaxed.canonicalize_headers(headers)])


def _named(there: Sequence[bytes]) -> list[bytes]:
    """The names of the headers to be signed, as ``h=`` has them.

    Args:
        there: those of the message, in lower case.
    """
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
    end = len(plain)
    while plain.endswith(b"\r\n", 0, end):
        end -= 2
    return plain[:end] + b"\r\n" if end else b""
