"""Encoding of finished messages, which are parsed again before they are sent."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from email import message_from_bytes, policy
from functools import cache
from typing import NamedTuple

from digest.errors import RenderError

_UNENCODED_BYTES = bytes(code for code in range(128) if code != ord("="))
_SAFE_BYTES = bytes(code for code in range(32, 127) if code != ord("=")) + b"\r\n"
_UNSAFE_BYTES = re.compile(rb"[^\r\n -<>-~]+")
_MAX_ENCODED_LINE = 76
"""Maximum length of a line in quoted-printable, in characters: RFC 2045, section 6.7, rule 5."""
_MAX_LINE_PIECE = 72
"""Maximum length of a line before its soft break, in characters, with room for the break and for an encoded dot."""
_MAX_LAST_PIECE = 74
"""Maximum length of the last piece of a line, in characters, with room for an encoded dot."""
_REFERENCE = re.compile(rb"&#(1[6-9]\d|[2-9]\d\d|[1-9]\d{3,5});")
"""A character reference from 160 on.

Lower ones stay: those to ASCII characters were written by a template, and those from 128 to 159 denote other
characters than their numbers say (HTML, section 13.2.5.80).
"""
_RAW_ELEMENT = re.compile(r"<(style|script)\b.*?(?:</\1|$)", re.IGNORECASE | re.DOTALL)
"""A raw text element (HTML, section 13.1.2)."""
_MAX_LINE = 998
"""Maximum length of a line, in bytes, without its end: RFC 5322, section 2.1.1."""


def make_alternative(headers: Sequence[tuple[str, str]], *, message_id: str, text: str, html: str) -> bytes:
    """Make a message of a text part and an HTML part, text first (RFC 2046, section 5.1.4).

    Args:
        headers: names and encoded values, in ASCII; a value may be folded.
        message_id: the Message-ID, from which the boundary is derived.
        text: the text part.
        html: the HTML part.

    Raises:
        RenderError: parsed again, the message does not have exactly these headers and parts.
    """
    parts = [_make_part("plain", text), _make_part("html", html)]
    message = join_message(headers, message_id, *parts)
    names = [name for name, _ in (*headers, *_make_mime_headers("alternative", ""))]
    _check(message, names, (text, html))
    return message


class Attachment(NamedTuple):
    """A file that a mail brings.

    Attributes:
        name: its name, in ASCII without quotation marks.
        media_type: its media type.
    """

    name: str
    media_type: str
    content: bytes


def make_with_attachment(
    headers: Sequence[tuple[str, str]], *, message_id: str, text: str, attachment: Attachment
) -> bytes:
    """Make a message of a text and a file.

    Args:
        headers: names and encoded values, in ASCII; a value may be folded.
        message_id: the Message-ID, from which the boundary is derived.
        text: the text part.
        attachment: the file.

    Raises:
        RenderError: parsed again, the message does not have exactly these headers and parts.
    """
    parts = [_make_part("plain", text), _make_attachment(attachment)]
    message = _join_parts("mixed", headers, message_id, *parts)
    names = [name for name, _ in (*headers, *_make_mime_headers("mixed", ""))]
    _check(message, names, (text, attachment.content))
    return message


def join_message(
    headers: Sequence[tuple[str, str]], message_id: str, text: Sequence[bytes], html: Sequence[bytes]
) -> bytes:
    """Join headers and the two encoded parts of a mail, each given in pieces, into a message."""
    return _join_parts("alternative", headers, message_id, text, html)


def _join_parts(
    subtype: str, headers: Sequence[tuple[str, str]], message_id: str, *parts: Sequence[bytes]
) -> bytes:
    # "=_" occurs neither in quoted-printable nor in base64 (RFC 2045, section 6.7), and authors of unencoded texts
    # cannot know the Message-ID.
    boundary = "=_" + hashlib.sha256(message_id.encode(errors="replace")).hexdigest()[:32]
    header_block = "".join(
        [f"{name}: {value}\r\n" for name, value in (*headers, *_make_mime_headers(subtype, boundary))]
    )
    delimiter = f"\r\n--{boundary}\r\n".encode()
    closing_delimiter = f"\r\n--{boundary}--\r\n".encode()
    pieces = [piece for part in parts for piece in (delimiter, *part)]
    return b"".join([header_block.encode("ascii"), *pieces, closing_delimiter])


def _make_mime_headers(subtype: str, boundary: str) -> tuple[tuple[str, str], ...]:
    return ("MIME-Version", "1.0"), ("Content-Type", f'multipart/{subtype}; boundary="{boundary}"')


def _make_attachment(attachment: Attachment) -> Sequence[bytes]:
    fields = (
        ("Content-Type", f'{attachment.media_type}; name="{attachment.name}"'),
        ("Content-Disposition", f'attachment; filename="{attachment.name}"'),
        ("Content-Transfer-Encoding", "base64"),
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"{head}\r\n".encode("ascii"), encode_base64(attachment.content)


@cache
def make_part_head(subtype: str, encoding: str) -> bytes:
    """Return the headers of a part."""
    content_type = f"Content-Type: text/{subtype}; charset=utf-8\r\n"
    return f"{content_type}Content-Transfer-Encoding: {encoding}\r\n\r\n".encode("ascii")


def encode_quoted_printable(raw: bytes) -> bytes:
    """Encode bytes whose lines end in CRLF as quoted-printable."""
    return break_lines(encode_octets(raw))


def encode_octets(raw: bytes) -> bytes:
    """Encode each octet that is not printable ASCII: the first half of quoted-printable.

    It does not depend on neighbouring octets, so pieces that are encoded separately can be joined in any
    order.
    """
    if not raw.translate(None, _SAFE_BYTES):
        return raw
    return _UNSAFE_BYTES.sub(lambda match: b"=" + match[0].hex("=").upper().encode(), raw)


def break_lines(content: bytes) -> bytes:
    """Break lines with encoded octets if they are too long: the second half of quoted-printable.

    A blank at the end of a line is also encoded (RFC 2045, section 6.7, rule 3), and a dot at the beginning
    of one, because otherwise SMTP would have to copy the mail to double it (RFC 5321, section 4.5.2).
    """
    if b" \r\n" in content:
        content = content.replace(b" \r\n", b"=20\r\n")
    if b"\n." in content:
        content = content.replace(b"\n.", b"\n=2E")
    if content.startswith(b"."):
        content = b"=2E" + content[1:]
    if content.endswith(b" "):
        content = content[:-1] + b"=20"
    lines = content.split(b"\r\n")
    if max(map(len, lines)) <= _MAX_ENCODED_LINE:
        return content
    return b"\r\n".join([line if len(line) <= _MAX_ENCODED_LINE else _break_line(line) for line in lines])


def _break_line(line: bytes) -> bytes:
    """Insert soft breaks into a line (RFC 2045, section 6.7, rule 5), none of them within an encoded octet."""
    pieces, start = [], 0
    while len(line) - start > _MAX_LAST_PIECE:
        end = start + _MAX_LINE_PIECE
        escape_start = line.rfind(b"=", end - 2, end)
        end = escape_start if escape_start >= 0 else end
        pieces.append(line[start:end])
        start = end
    pieces.append(line[start:])
    return b"=\r\n".join(pieces).replace(b"\n.", b"\n=2E")


def encode_html_ascii(html: str) -> bytes:
    """Encode HTML in ASCII with character references (HTML, section 13.1.4), and with lines that end in CRLF."""
    return html.replace("\n", "\r\n").encode("ascii", "xmlcharrefreplace")


def has_raw_characters(html: str) -> bool:
    """Whether a style sheet or script, in which references are not decoded, contains characters beyond ASCII."""
    return not html.isascii() and any(not match[0].isascii() for match in _RAW_ELEMENT.finditer(html))


def measure_encoded_html(content: bytes) -> int:
    """Return the size of HTML, made by ``encode_html_ascii``, in the shorter of its encodings, in bytes."""
    return len(_resolve_references(content)) if _is_shorter_in_base64(content) else len(content)


def make_html_part(content: bytes) -> Sequence[bytes]:
    """Make a part of HTML, made by ``encode_html_ascii``, in its shortest encoding."""
    if _is_shorter_in_base64(content):
        return make_part_head("html", "base64"), encode_base64(_resolve_references(content))
    if _has_short_lines(content):
        return make_part_head("html", "7bit"), content
    return _encode_part("html", _resolve_references(content))


def _is_shorter_in_base64(content: bytes) -> bool:
    """Whether HTML is shorter in base64 than with character references."""
    # Base64 makes four bytes of three, and a reference is at most five bytes longer than its character in UTF-8. So
    # base64 can be shorter only if four times five bytes for each reference exceed the total; this avoids decoding.
    if 20 * content.count(b"&") <= len(content):
        return False
    return 4 * len(_resolve_references(content)) < 3 * len(content)


def _resolve_references(content: bytes) -> bytes:
    return _REFERENCE.sub(lambda match: chr(int(match[1])).encode(errors="xmlcharrefreplace"), content)


def _has_short_lines(raw: bytes) -> bool:
    """Whether no line is longer than SMTP allows; the lines end in CRLF."""
    max_length = _MAX_LINE + len(b"\r\n")
    start, last_start = 0, len(raw) - max_length
    while start < last_start:
        start = raw.rfind(b"\n", start, start + max_length) + 1
        if not start:
            return False
    return True


def make_text_part(content: bytes) -> Sequence[bytes]:
    """Make a part of a text with encoded octets in its shortest encoding, which for a mostly Chinese text is base64."""
    # If at most an eighth of it are equals signs, it is shorter than base64; this avoids decoding.
    if 8 * content.count(b"=") <= len(content):
        return make_part_head("plain", "quoted-printable"), break_lines(content)
    return _encode_part("plain", binascii.a2b_qp(content))


def _encode_part(subtype: str, raw: bytes) -> Sequence[bytes]:
    """Make a part of bytes in the shorter of two encodings.

    Base64 adds a third to everything (RFC 2045, section 6.8), quoted-printable twice the length of what it
    has to encode (section 6.7).
    """
    if 6 * len(raw.translate(None, _UNENCODED_BYTES)) > len(raw):
        return make_part_head(subtype, "base64"), encode_base64(raw)
    return make_part_head(subtype, "quoted-printable"), encode_quoted_printable(raw)


def encode_base64(raw: bytes) -> bytes:
    """Encode bytes as base64, in lines that end in CRLF."""
    return base64.encodebytes(raw).replace(b"\n", b"\r\n")


def _make_part(subtype: str, content: str) -> Sequence[bytes]:
    """Make a part in its shortest encoding."""
    text = _normalize_newlines(content)
    if subtype == "html" and not has_raw_characters(text):
        return make_html_part(encode_html_ascii(text))
    raw = text.replace("\n", "\r\n").encode()
    return make_text_part(encode_octets(raw)) if subtype == "plain" else _encode_part(subtype, raw)


def _check(message: bytes, names: Sequence[str], contents: Sequence[str | bytes]) -> None:
    """Parse a message as its receiver will, and check that no text has become a header or a part."""
    parsed = message_from_bytes(message, policy=policy.default)
    if parsed.keys() != list(names):
        raise RenderError(
            f"the finished message has the headers {', '.join(parsed.keys())} instead of {', '.join(names)}; "
            "it is not sent"
        )
    bodies = [_normalize_content(part.get_content()) for part in parsed.iter_parts()]
    if bodies != [_normalize_content(content) for content in contents]:
        raise RenderError(
            "the parts of the finished message are not those that were rendered; it is not sent"
        )
    if max(map(len, message.split(b"\r\n"))) > _MAX_LINE:
        raise RenderError(f"a line of the finished message is longer than {_MAX_LINE} bytes; it is not sent")


def _normalize_content(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else encode_html_ascii(_normalize_newlines(content))


def _normalize_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
