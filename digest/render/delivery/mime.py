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

_UNENCODED_BYTES = bytes(code for code in range(128) if code != ord("="))
_SAFE_BYTES = bytes(code for code in range(32, 127) if code != ord("=")) + b"\r\n"
_UNSAFE_BYTES = re.compile(rb"[^\r\n -<>-~]+")
_MAX_ENCODED_LINE = 76
"""Characters of a line in quoted-printable: RFC 2045, section 6.7, rule 5."""
_MAX_LINE_PIECE = 72
"""Characters of a line before its soft break, with room for that and for a dot that is encoded."""
_MAX_LAST_PIECE = 74
"""Characters of what is left, with room for a dot that is encoded."""
_REFERENCE = re.compile(rb"&#(1[6-9]\d|[2-9]\d\d|[1-9]\d{3,5});")
"""To a sign from 160 on: a template's own to a sign of ASCII stays, and those from 128 to 159 are not to the sign of
their number (HTML, section 13.2.5.80)."""
_RAW_ELEMENT = re.compile(r"<(style|script)\b.*?(?:</\1|$)", re.IGNORECASE | re.DOTALL)
"""Raw text elements (HTML, section 13.1.2)."""
_MAX_LINE = 998
"""Bytes without the line's end: RFC 5322, section 2.1.1."""


def make_alternative(headers: Sequence[tuple[str, str]], *, message_id: str, text: str, html: str) -> bytes:
    """A message of a text and an HTML part, text first (RFC 2046, section 5.1.4).

    Args:
        headers: names and values, ASCII, already encoded; a value may be folded.
        message_id: the message's; its boundary is made of it.
        text: the text part.
        html: the HTML part.

    Raises:
        RenderError: read again, the message does not have exactly these headers and parts.
    """
    parts = [_make_part("plain", text), _make_part("html", html)]
    message = join_message(headers, message_id, *parts)
    _check(message, [name for name, _ in (*headers, *_make_mime_headers(""))], (text, html))
    return message


def join_message(
    headers: Sequence[tuple[str, str]], message_id: str, text: Sequence[bytes], html: Sequence[bytes]
) -> bytes:
    """A message of headers and of parts that are ready, each of them in pieces."""
    # "=_" stands neither in quoted-printable nor in base64 (RFC 2045, section 6.7); and what goes as it is was written
    # by people who could not know the Message-ID.
    boundary = "=_" + hashlib.sha256(message_id.encode(errors="replace")).hexdigest()[:32]
    header_block = "".join(
        [f"{name}: {value}\r\n" for name, value in (*headers, *_make_mime_headers(boundary))]
    )
    delimiter = f"\r\n--{boundary}\r\n".encode()
    closing_delimiter = f"\r\n--{boundary}--\r\n".encode()
    return b"".join([header_block.encode("ascii"), delimiter, *text, delimiter, *html, closing_delimiter])


def _make_mime_headers(boundary: str) -> tuple[tuple[str, str], ...]:
    return ("MIME-Version", "1.0"), ("Content-Type", f'multipart/alternative; boundary="{boundary}"')


@cache
def make_part_head(subtype: str, encoding: str) -> bytes:
    """The headers of a part."""
    content_type = f"Content-Type: text/{subtype}; charset=utf-8\r\n"
    return f"{content_type}Content-Transfer-Encoding: {encoding}\r\n\r\n".encode("ascii")


def encode_quoted_printable(raw: bytes) -> bytes:
    """Bytes whose lines end in CRLF in quoted-printable."""
    return break_lines(encode_octets(raw))


def encode_octets(raw: bytes) -> bytes:
    """Encode each octet that is not printable ASCII: the first half of quoted-printable.

    It looks at nothing around an octet, so pieces that are encoded by themselves can be joined in any order.
    """
    if not raw.translate(None, _SAFE_BYTES):
        return raw
    return _UNSAFE_BYTES.sub(lambda match: b"=" + match[0].hex("=").upper().encode(), raw)


def break_lines(content: bytes) -> bytes:
    """Break lines with encoded octets where they are too long: the second half of quoted-printable.

    A blank that ends a line is encoded, too (RFC 2045, section 6.7, rule 3), and a dot that begins one, for which a mail
    would be copied to double it (RFC 5321, section 4.5.2).
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
    """A line with soft breaks (RFC 2045, section 6.7, rule 5), none of them within an encoded octet."""
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
    """HTML in which signs beyond ASCII are references (HTML, section 13.1.4), with lines that end in CRLF."""
    return html.replace("\n", "\r\n").encode("ascii", "xmlcharrefreplace")


def has_raw_characters(html: str) -> bool:
    """Whether there are signs beyond ASCII where a reference is not read: in a style sheet, or a script."""
    return not html.isascii() and any(not match[0].isascii() for match in _RAW_ELEMENT.finditer(html))


def measure_encoded_html(content: bytes) -> int:
    """The bytes of HTML, as ``encode_html_ascii`` makes it, whichever way it is encoded."""
    return len(_resolve_references(content)) if _is_shorter_in_base64(content) else len(content)


def make_html_part(content: bytes) -> Sequence[bytes]:
    """HTML, as ``encode_html_ascii`` makes it, as a part in the encoding that makes it shortest."""
    if _is_shorter_in_base64(content):
        return make_part_head("html", "base64"), encode_base64(_resolve_references(content))
    if _has_short_lines(content):
        return make_part_head("html", "7bit"), content
    return _encode_part("html", _resolve_references(content))


def _is_shorter_in_base64(content: bytes) -> bool:
    """Whether base64 of the signs is shorter than the references to them."""
    # Base64 makes four bytes of three, and a reference is at most five bytes longer than its sign is in UTF-8: base64
    # cannot be shorter unless four times five bytes for each reference are more than all there are.
    if 20 * content.count(b"&") <= len(content):
        return False
    return 4 * len(_resolve_references(content)) < 3 * len(content)


def _resolve_references(content: bytes) -> bytes:
    return _REFERENCE.sub(lambda match: chr(int(match[1])).encode(errors="xmlcharrefreplace"), content)


def _has_short_lines(raw: bytes) -> bool:
    """Whether lines that end in CRLF are as short as SMTP wants them."""
    max_length = _MAX_LINE + len(b"\r\n")
    start, last_start = 0, len(raw) - max_length
    while start < last_start:
        start = raw.rfind(b"\n", start, start + max_length) + 1
        if not start:
            return False
    return True


def make_text_part(content: bytes) -> Sequence[bytes]:
    """A text, its octets encoded, as a part in the encoding that makes it shortest: base64 where most of it is Chinese."""
    # Where not an eighth of it are marks, it is shorter than base64 of what it says.
    if 8 * content.count(b"=") <= len(content):
        return make_part_head("plain", "quoted-printable"), break_lines(content)
    return _encode_part("plain", binascii.a2b_qp(content))


def _encode_part(subtype: str, raw: bytes) -> Sequence[bytes]:
    """Bytes as a part, in the shorter one of two encodings.

    A third is added to all by base64 (RFC 2045, section 6.8), and twice its length to what quoted-printable
    has to mark (section 6.7).
    """
    if 6 * len(raw.translate(None, _UNENCODED_BYTES)) > len(raw):
        return make_part_head(subtype, "base64"), encode_base64(raw)
    return make_part_head(subtype, "quoted-printable"), encode_quoted_printable(raw)


def encode_base64(raw: bytes) -> bytes:
    """Bytes in base64, in lines that end in CRLF."""
    return base64.encodebytes(raw).replace(b"\n", b"\r\n")


def _make_part(subtype: str, content: str) -> Sequence[bytes]:
    """A body part, in the encoding that makes it shortest."""
    text = _normalize_newlines(content)
    if subtype == "html" and not has_raw_characters(text):
        return make_html_part(encode_html_ascii(text))
    raw = text.replace("\n", "\r\n").encode()
    return make_text_part(encode_octets(raw)) if subtype == "plain" else _encode_part(subtype, raw)


def _check(message: bytes, names: Sequence[str], contents: Sequence[str]) -> None:
    """Read a message as its receiver will: what came from outside must not have become a header or a part."""
    parsed = message_from_bytes(message, policy=policy.default)
    if parsed.keys() != list(names):
        raise RenderError(
            f"the finished message has the headers {', '.join(parsed.keys())} instead of {', '.join(names)}; "
            "it is not sent"
        )
    bodies = [encode_html_ascii(_normalize_newlines(part.get_content())) for part in parsed.iter_parts()]
    if bodies != [encode_html_ascii(_normalize_newlines(content)) for content in contents]:
        raise RenderError(
            "the parts of the finished message are not those that were rendered; it is not sent"
        )
    if max(map(len, message.split(b"\r\n"))) > _MAX_LINE:
        raise RenderError(f"a line of the finished message is longer than {_MAX_LINE} bytes; it is not sent")


def _normalize_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
