"""Cleaning and encoding of the values of mail headers."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.utils import format_datetime, formataddr, parseaddr
from functools import lru_cache
from textwrap import wrap

from digest.errors import RenderError
from digest.render.branding import encode_domain
from digest.render.environment import remove_unprintable

_WHITESPACE = re.compile(r"\s")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_NEEDS_CLEANING = re.compile(r"  |=\?|\?=|^ | $")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_MAX_LENGTH = 400
"""Maximum length of a cleaned text, in characters: more than any header needs, and encoded it has less than 998
per line.
"""
_MAX_NAME_LENGTH = 200
"""Maximum length of a display name, in characters: each may need a backslash, and the address may have 318."""
_LINE_LENGTH = 76
"""Maximum length of a folded line, in characters."""
_ENCODED_WORD_LENGTH = 52
"""Maximum length of an encoded word without its delimiters, in characters, so that it obeys RFC 2047, section 2."""


def clean_header_text(text: str) -> str:
    """Return a text that is safe in a header: on one line, without anything that mail programs interpret.

    Control characters, line breaks, bidi overrides and beginnings of encoded words (RFC 2047) are removed or
    separated: up to 3.11.9, Python unfolds an encoded word in a subject into new headers (CVE-2024-6923).
    """
    if text.isprintable() and unicodedata.is_normalized("NFC", text) and not _NEEDS_CLEANING.search(text):
        return text[:_MAX_LENGTH].rstrip()
    text = _BIDI.sub("", remove_unprintable(_WHITESPACE.sub(" ", text)))
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    return text.replace("=?", "= ?").replace("?=", "? =")[:_MAX_LENGTH].rstrip()


def encode_header(text: str) -> str:
    """Clean a text and encode it as the value of a header: ASCII as it is, other texts as folded encoded words.

    No line is longer than 76 characters (RFC 2047, section 2), including the name of the header.
    """
    return encode_words(clean_header_text(text))


def encode_words(text: str) -> str:
    """Encode a text cleaned by ``clean_header_text`` as the value of a header."""
    if text.isascii():
        return text
    q_text = text.translate(_Q_TABLE)
    raw = text.encode()
    if len(q_text) < (len(raw) + 2) // 3 * 4:
        words = [f"=?utf-8?q?{word}?=" for word in _split_q_words(q_text)]
    else:
        words = [f"=?utf-8?b?{base64.b64encode(word).decode()}?=" for word in _split_b_words(raw)]
    return "\r\n ".join(words)


class _QTable(dict[int, str]):
    """The form of each character in a Q-encoded word (RFC 2047, sections 4.2 and 5), computed when first needed."""

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        is_plain = character.isascii() and (character.isalnum() or character in "!*+-/")
        encoded_character = character if is_plain else "".join(f"={byte:02X}" for byte in character.encode())
        self[code_point] = encoded_character
        return encoded_character


_Q_TABLE = _QTable({ord(" "): "_"})
_CONTINUATION_PREFIXES = ("=8", "=9", "=A", "=B")
"""The beginnings of encoded bytes that continue a character."""


def _split_q_words(text: str) -> Iterator[str]:
    """Split a Q-encoded text between characters (RFC 2047, section 5) into pieces that fit into encoded words."""
    start = 0
    while len(text) - start > _ENCODED_WORD_LENGTH:
        end = start + _ENCODED_WORD_LENGTH
        escape_start = text.rfind("=", end - 2, end)
        end = escape_start if escape_start >= 0 else end
        while text.startswith(_CONTINUATION_PREFIXES, end):
            end -= 3
        yield text[start:end]
        start = end
    yield text[start:]


def _split_b_words(raw: bytes) -> Iterator[bytes]:
    """Split UTF-8 between characters into pieces whose base64 fits into encoded words."""
    start = 0
    while len(raw) - start > _ENCODED_WORD_LENGTH // 4 * 3:
        end = start + _ENCODED_WORD_LENGTH // 4 * 3
        while raw[end] & 0xC0 == 0x80:  # a byte that continues a character
            end -= 1
        yield raw[start:end]
        start = end
    yield raw[start:]


@lru_cache(maxsize=64)
def format_mailbox(text: str) -> str:
    """Format ``Digest <digest@example.org>`` as the value of a header.

    Raises:
        RenderError: it contains no valid address.
    """
    name, address = parseaddr(text)
    bare_address = encode_address(address or text)
    name = clean_header_text(_decode_name(name))[:_MAX_NAME_LENGTH].rstrip()
    if name.isascii():
        return formataddr((name, bare_address))
    return f"{encode_header(name)}\r\n <{bare_address}>"


def _decode_name(name: str) -> str:
    """Return a display name in readable form: ``email.utils.formataddr`` encodes names that are not ASCII."""
    try:
        return str(make_header(decode_header(name)))
    except (HeaderParseError, LookupError, ValueError):
        return name


def encode_address(address: str) -> str:
    """Return a bare address as needed in envelopes and headers, with an internationalized domain in ASCII.

    Raises:
        RenderError: it is invalid, or its local part is not ASCII (RFC 6531 is not supported).
    """
    local, at_sign, domain = address.strip().rpartition("@")
    try:
        bare_address = f"{local}{at_sign}{encode_domain(domain)}"
    except UnicodeError:
        bare_address = ""
    if not _ADDRESS.fullmatch(bare_address):
        raise RenderError(f"{address!r} is not a valid e-mail address; write one such as name@example.org")
    return bare_address


@lru_cache(maxsize=64)
def format_date(instant: datetime) -> str:
    """Format a date: ``Fri, 12 Jun 2026 05:30:04 +0000`` (RFC 5322, section 3.3)."""
    return format_datetime(instant)


@lru_cache(maxsize=1024)
def format_list_id(title: str, digest: str, host: str) -> str:
    """Format a List-Id (RFC 2919): ``"LLM systems" <llm-systems.digest.example.org>``, the same for every edition.

    Args:
        title: the title of the digest, which is the phrase; beyond ASCII it is in encoded words (RFC 2047,
            section 5).
        digest: the name of the digest.
        host: the host name within which the identifier is unique.
    """
    identifier = f"<{_make_label(digest)}.{host}>"
    phrase = clean_header_text(title)
    if not phrase.isascii():
        return f"{encode_words(phrase)}\r\n {identifier}"
    quoted_phrase = '"{}"'.format(re.sub(r'(["\\])', r"\\\1", phrase)) if phrase else ""
    folded_lines = wrap(
        f"{quoted_phrase} {identifier}".lstrip(),
        width=_LINE_LENGTH,
        initial_indent=" " * len("List-Id: "),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\r\n ".join(folded_lines).lstrip(" ")


@lru_cache(maxsize=1024)
def make_feedback_id(digest: str, host: str, *, is_alert: bool) -> str:
    """Make a Feedback-ID, by which Gmail counts complaints: ``llm-systems:edition:papers-digest:5f0c3a91be27``.

    It is the same for every edition and reader and identifies nobody, because Gmail reports only numbers. The
    last field is a unique id of the sender with 5 to 15 characters (Gmail's page on the Feedback Loop).
    """
    sender = hashlib.sha256(host.casefold().encode()).hexdigest()[:12]
    return f"{_make_label(digest)}:{'alert' if is_alert else 'edition'}:papers-digest:{sender}"


def _make_label(digest: str) -> str:
    """Return a digest's name in the form that headers need."""
    return re.sub(r"[^a-z0-9-]+", "-", digest.casefold()).strip("-") or "digest"
