"""A finished message as bytes, read again before anybody gets it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from email import message_from_bytes, policy
from functools import cache

from digest.errors import RenderError

_UNMARKED = bytes(code for code in range(128) if code != ord("="))
_LONGEST_LINE = 998
"""Bytes without the line's end: RFC 5322, section 2.1.1."""
_RAW = re.compile(r"<(style|script)\b.*?(?:</\1|$)", re.IGNORECASE | re.DOTALL)
"""Where references are no characters (HTML, section 13.1.2: raw text elements)."""

_REFERENCE = re.compile(rb"&#(1(?:2[89]|[3-9]\d)|[2-9]\d\d|\d{4,7});")
"""Of what is not ASCII."""


def alternative(headers: Sequence[tuple[str, str]], *, message_id: str, text: str, html: str) -> bytes:
    """A message of a text and an HTML part, text first (RFC 2046, section 5.1.4).

    Args:
        headers: names and values, ASCII, already encoded; a value may be folded.
        message_id: the message's; its boundary is made of it.
        text: the text part.
        html: the HTML part.

    Raises:
        RenderError: read again, the message does not have exactly these headers and parts.
    """
    raw, ascii_only = _raw(html), in_references(html)
    if ascii_only is not None and references_excess(len(raw), len(ascii_only)) <= 0:
        html, html_part = ascii_only.decode(), part_in_references(ascii_only)
    else:
        html_part = _part("html", raw)
    message = joined(headers, message_id, _part("plain", _raw(text)), html_part)
    _check(message, [name for name, _ in (*headers, *_mime(""))], (text, html))
    return message


def joined(
    headers: Sequence[tuple[str, str]], message_id: str, text: Sequence[bytes], html: Sequence[bytes]
) -> bytes:
    """A message of headers and of parts that are ready, each of them in pieces."""
    # "=_" stands neither in quoted-printable nor in base64 (RFC 2045, section 6.7); and what goes as it is was written
    # by people who could not know the Message-ID.
    boundary = "=_" + hashlib.sha256(message_id.encode(errors="replace")).hexdigest()[:32]
    head = "".join([f"{name}: {value}\r\n" for name, value in (*headers, *_mime(boundary))])
    delimiter = f"\r\n--{boundary}\r\n".encode()
    last = f"\r\n--{boundary}--\r\n".encode()
    return b"".join([head.encode("ascii"), delimiter, *text, delimiter, *html, last])


def _mime(boundary: str) -> tuple[tuple[str, str], ...]:
    return ("MIME-Version", "1.0"), ("Content-Type", f'multipart/alternative; boundary="{boundary}"')


@cache
def part_head(subtype: str, encoding: str) -> bytes:
    """The headers of a part."""
    kind = f"Content-Type: text/{subtype}; charset=utf-8\r\n"
    return f"{kind}Content-Transfer-Encoding: {encoding}\r\n\r\n".encode("ascii")


def excess(raw: bytes) -> int:
    """How much shorter base64 is than quoted-printable, more or less; it can be added up over pieces.

    A third is added to all by base64 (RFC 2045, section 6.8), and twice its length to what quoted-printable
    has to mark (section 6.7).
    """
    return 6 * len(raw.translate(None, _UNMARKED)) - len(raw)


def quoted_printable(raw: bytes) -> bytes:
    """Bytes in quoted-printable; their lines end in CRLF, and so do those that are made."""
    # Where it saw no end of a line, the library's soft breaks end in a bare LF.
    return binascii.b2a_qp(raw).replace(b"=\n", b"=\r\n")


def in_base64(raw: bytes) -> bytes:
    """Bytes in base64, in lines that end in CRLF."""
    return base64.encodebytes(raw).replace(b"\n", b"\r\n")


def _part(subtype: str, raw: bytes) -> tuple[bytes, bytes]:
    """A body part, in the encoding that makes it shorter."""
    if excess(raw) > 0:
        return part_head(subtype, "base64"), in_base64(raw)
    return part_head(subtype, "quoted-printable"), quoted_printable(raw)


def _raw(content: str) -> bytes:
    return _unix(content).replace("\n", "\r\n").encode()


# --- HTML as it is --------------------------------------------------------------------------------
#
# HTML needs no encoding for the way: what is not ASCII can be written as references. So a mail is a tenth shorter than
# in quoted-printable, and pieces of it can be joined without an end of a line between them.


def in_references(html: str) -> bytes | None:
    """HTML as ASCII, lines ending in CRLF; None where it cannot be written so.

    Args:
        html: its lines end in LF.
    """
    if not html.isascii() and not all(found[0].isascii() for found in _RAW.finditer(html)):
        return None
    return _unix(html).replace("\n", "\r\n").encode("ascii", "xmlcharrefreplace")


def references_excess(raw: int, ascii_only: int) -> int:
    """How much shorter base64 is than references, more or less; it can be added up over pieces.

    Base64 has 78 bytes, with the end of its line, for 57 (RFC 2045, section 6.8).

    Args:
        raw: how many bytes there are.
        ascii_only: how many there are with references.
    """
    return 19 * ascii_only - 26 * raw


def part_in_references(html: bytes) -> tuple[bytes, bytes]:
    """An HTML part that is ASCII: as it is, unless a line of it is too long."""
    if _has_short_lines(html):
        return part_head("html", "7bit"), html
    return part_head("html", "quoted-printable"), quoted_printable(html)


def part_without_references(html: bytes) -> tuple[bytes, bytes]:
    """The part in base64 that was meant by HTML that is ASCII."""
    raw = _REFERENCE.sub(lambda found: chr(int(found[1])).encode(), html)
    return part_head("html", "base64"), in_base64(raw)


def _has_short_lines(content: bytes) -> bool:
    """Whether no line is too long; looked for from the end of a line back from as far as it may reach."""
    place = 0
    while len(content) - place > _LONGEST_LINE:
        place = content.rfind(b"\n", place, place + _LONGEST_LINE + len(b"\r\n")) + 1
        if not place:
            return False
    return True


# --- the finished message -------------------------------------------------------------------------


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
