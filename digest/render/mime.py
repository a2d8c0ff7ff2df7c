"""A finished message as bytes, read again before anybody gets it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from email import message_from_bytes, policy

from digest.errors import RenderError

_MARKED = re.compile(rb"[=\x80-\xff]")
_LONGEST_LINE = 998
"""Bytes without the line's end: RFC 5322, section 2.1.1."""


def alternative(headers: Sequence[tuple[str, str]], *, text: str, html: str) -> bytes:
    """A message of a text and an HTML part, text first (RFC 2046, section 5.1.4).

    Args:
        headers: names and values, ASCII, already encoded; a value may be folded.
        text: the text part.
        html: the HTML part.

    Raises:
        RenderError: read again, the message does not have exactly these headers and parts.
    """
    parts = [_part("plain", text), _part("html", html)]
    # "=_" stands neither in quoted-printable nor in base64 (RFC 2045, section 6.7).
    boundary = "=_" + hashlib.sha256(b"".join(parts)).hexdigest()[:32]
    mime = (("MIME-Version", "1.0"), ("Content-Type", f'multipart/alternative; boundary="{boundary}"'))
    lines = [f"{name}: {value}\r\n" for name, value in (*headers, *mime)]
    delimiter = f"\r\n--{boundary}\r\n".encode()
    body = b"".join(delimiter + part for part in parts) + f"\r\n--{boundary}--\r\n".encode()
    message = "".join(lines).encode("ascii") + body
    _check(message, [name for name, _ in (*headers, *mime)], (text, html))
    return message


def _part(subtype: str, content: str) -> bytes:
    """A body part, in the encoding that makes it shorter."""
    raw = _unix(content).replace("\n", "\r\n").encode()
    if 2 * len(_MARKED.findall(raw)) > len(raw) / 3:
        encoding, body = "base64", base64.encodebytes(raw).replace(b"\n", b"\r\n")
    else:
        encoding, body = "quoted-printable", binascii.b2a_qp(raw)
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode("ascii") + body


def _check(message: bytes, names: Sequence[str], contents: Sequence[str]) -> None:
    """Read a message as its receiver will: what came from outside must not have become a header or a part."""
    read = message_from_bytes(message, policy=policy.default)
    if read.keys() != list(names):
        raise RenderError(
            f"the finished message has the headers {', '.join(read.keys())} instead of {', '.join(names)}; "
            "it is not sent"
        )
    bodies = [_unix(part.get_content()) for part in read.iter_parts()]
    if bodies != [_unix(content) for content in contents]:
        raise RenderError(
            "the parts of the finished message are not those that were rendered; it is not sent"
        )
    if max(map(len, message.split(b"\r\n"))) > _LONGEST_LINE:
        raise RenderError(
            f"a line of the finished message is longer than {_LONGEST_LINE} bytes; it is not sent"
        )


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
