"""Patterns that find a secret in every encoding in which addresses, documents, mails and logins write it.

A server that refuses a request often repeats it in the encoding of its protocol. The patterns rely on one
property of all these encodings: none of them changes an ASCII letter or digit, except base64 (RFC 4648),
which changes everything.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import groupby
from unicodedata import normalize

MIN_BASE64_BYTES = 6
"""Minimum length of a secret to look for in base64, in bytes.

A shorter secret determines too few characters of the encoded text.
"""
_MIN_SUBSTRING_LENGTH = 8
"""Minimum length of a secret to find inside a word, in characters.

Shorter secrets, and those of ASCII letters or digits alone, are found as whole words only.
"""

_LINE_FOLD = re.compile(r"=\r?\n|(?<=[\w+/-]{60})\r?\n[ \t]*")
"""A line break of quoted-printable (RFC 2045, section 6.7) or of base64 (section 6.8, and PEM)."""
_LETTER, _ASCII_LETTER = r"[^\W_]", "[A-Za-z0-9]"
_WORD_START = (
    r"(?:(?<![^\W_])|(?<=\\[abfnrtv0])|(?<=[%=][0-9A-F]{2})|(?<=%[0-9a-f]{2})|(?<=\\x[0-9A-Fa-f]{2})"
    r"|(?<=\\u[0-9A-Fa-f]{4}))"
)
"""Matches where no letter or digit precedes, except those of an escape sequence."""
_WORD_END = r"(?![^\W_])"
_SHORT_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
}  # fmt: skip
"""Short escapes of JSON (RFC 8259, section 7), Python and C."""


# Each escaping of a text doubles its backslashes. The patterns accept at most eight for one, so that runs take little time.


@dataclass(frozen=True)
class Spelling:
    """A way in which a secret may be written.

    Attributes:
        literal: a part that every text with this spelling contains; "" if there is none.
        make_regex: returns the regular expression that finds it.
    """

    literal: str
    make_regex: Callable[[], str]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression, compiled at first use: most are never needed."""
        return re.compile(self.make_regex())


def list_spellings(secret: str) -> Iterator[Spelling]:
    """List all spellings of a secret.

    Args:
        secret: without white space at its ends.
    """
    # An accented letter is one character (NFC) or two (NFD); file names and some keyboards yield the latter.
    for form in {secret, normalize("NFC", secret), normalize("NFD", secret)}:
        yield from _list_form_spellings(form)


def _list_form_spellings(secret: str) -> Iterator[Spelling]:
    yield Spelling(_find_longest_unchanged(secret), partial(_make_plain_regex, secret))
    octets = secret.encode("utf-8", "replace")
    if len(octets) >= MIN_BASE64_BYTES:
        for offset in range(3):
            core = _compute_base64_core(octets, offset)
            has_end = 8 * (offset + len(octets)) % 6 != 0
            yield Spelling(_find_longest_unchanged(core), partial(_make_base64_regex, core, has_end=has_end))


def unfold(text: str) -> str:
    """Join the lines that an encoding has broken."""
    return _LINE_FOLD.sub("", text) if "\n" in text else text


# --- characters -----------------------------------------------------------------------------------


def _make_plain_regex(secret: str) -> str:
    regex = "".join(_make_run_regex(chars) for chars in _split_runs(secret))
    if len(secret) < _MIN_SUBSTRING_LENGTH:
        return f"{_WORD_START}{regex}{_WORD_END}"
    if secret.isascii() and (secret.isalpha() or secret.isdigit()):
        # Chinese and Japanese put no blanks around a word, so only ASCII letters and digits count as its neighbours.
        return (
            f"{_WORD_START.replace(_LETTER, _ASCII_LETTER)}{regex}{_WORD_END.replace(_LETTER, _ASCII_LETTER)}"
        )
    return regex


def _split_runs(secret: str) -> Iterator[str]:
    """Split a secret into runs of letters and digits, of white space, and of a repeated sign."""
    for _, chars in groupby(secret, lambda char: _is_unchanged(char) or (char.isspace() and " ") or char):
        yield "".join(chars)


def _make_run_regex(chars: str) -> str:
    if _is_unchanged(chars[0]):
        return chars
    if chars.isspace():
        # Quoted text is often wrapped elsewhere; a blank is "+" in addresses and "_" in RFC 2047.
        # The alternatives exclude each other: otherwise runs of blanks would cause catastrophic backtracking.
        encoded_regexes = "|".join(map(_make_encoded_regex, sorted({" ", *chars})))
        # The UTF-8 bytes of blanks beyond ASCII, decoded as Latin-1; those that are blanks there match \s anyway.
        misread = {sign for char in chars if not char.isascii() for sign in char.encode().decode("latin-1")}
        misread_regex = "".join(map(re.escape, sorted(sign for sign in misread if not sign.isspace())))
        return rf"(?:[\s+_{misread_regex}]|{encoded_regexes}|\\{{1,8}}\s)+"
    if chars[0] == "\\":
        return rf"(?:(?:{_make_encoded_regex(chars[0])}){{{len(chars)}}}|\\{{{len(chars)},{8 * len(chars)}}})"
    return (
        f"(?:{_make_char_regex(chars[0])}){{{len(chars)}}}"
        if len(chars) > 1
        else f"(?:{_make_char_regex(chars[0])})"
    )


def _is_unchanged(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _find_longest_unchanged(text: str) -> str:
    return max(re.findall("[A-Za-z0-9]+", text), key=len, default="")


@cache
def _make_char_regex(char: str) -> str:
    """Return a pattern for one character, as it is, behind a backslash, or encoded."""
    return "|".join((_make_encoded_regex(char), *_list_misread_regexes(char), rf"\\{{0,8}}{re.escape(char)}"))


@cache
def _make_encoded_regex(char: str) -> str:
    """Return a pattern for one character that is percent-encoded, escaped, an entity, or in quoted-printable.

    Percent-encoding is defined by RFC 3986, quoted-printable by RFC 2045, entities by HTML.
    """
    code, octets = ord(char), char.encode("utf-8", "replace")
    units = char.encode("utf-16-be", "surrogatepass")
    regexes = [
        "".join(rf"%(?:25)*{_make_hex_regex(octet, 2)}" for octet in octets),
        "".join(f"={_make_hex_regex(octet, 2)}" for octet in octets),
        *([f"[%=]{_make_hex_regex(code, 2)}"] if 0x80 <= code < 0x100 else []),
        "".join(rf"\\{{1,8}}x{_make_hex_regex(octet, 2)}" for octet in octets),
        "".join(
            rf"\\{{1,8}}u{_make_hex_regex(int.from_bytes(units[start : start + 2]), 4)}"
            for start in range(0, len(units), 2)
        ),
        rf"\\{{1,8}}U{_make_hex_regex(code, 8)}",
        rf"&(?:amp;)*(?:#0*{code}|#[xX]0*{_make_hex_regex(code, 0)}{''.join(f'|{name}' for name in _get_entity_names(char))});",
    ]
    if octets[1:] and code < 0x100:
        regexes.append(rf"\\{{1,8}}x{_make_hex_regex(code, 2)}")
    if short_escape := _SHORT_ESCAPES.get(char):
        regexes.append(rf"\\{{1,8}}{short_escape}")
    return "|".join(regexes)


def _list_misread_regexes(char: str) -> Iterator[str]:
    """List patterns for a character whose UTF-8 was decoded as another encoding."""
    if not char.isascii():
        octets = char.encode("utf-8", "replace")
        # NEL and the no-break space are blanks in Latin-1, which programs that tidy a text remove or replace.
        yield "".join(r"\s?" if sign.isspace() else re.escape(sign) for sign in octets.decode("latin-1"))
        yield re.escape(octets.decode("cp1252", "replace"))
        yield "\ufffd{1,4}"


def _make_hex_regex(number: int, digits: int) -> str:
    """Return a pattern for a hexadecimal number, in letters of either case."""
    return "".join(
        f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{number:0{digits}x}"
    )


def _get_entity_names(char: str) -> tuple[str, ...]:
    """Return the names of a character in HTML."""
    return _load_entity_names().get(char, ())


@cache
def _load_entity_names() -> dict[str, tuple[str, ...]]:
    from html.entities import html5  # most processes never need it

    names_by_char: dict[str, tuple[str, ...]] = {}
    for name, char in sorted(html5.items()):
        if name.endswith(";"):
            names_by_char[char] = (*names_by_char.get(char, ()), name[:-1])
    return names_by_char


# --- base64 ---------------------------------------------------------------------------------------


def _compute_base64_core(octets: bytes, offset: int) -> str:
    """Return the characters that octets have in the base64 of a longer text, ``user:password`` (RFC 7617) for example.

    Args:
        octets: the secret.
        offset: the number of octets before it, modulo 3.

    Returns:
        The characters that depend on the secret alone, without those that also encode bits of its neighbours.
    """
    encoded = b64encode(bytes(offset) + octets).decode()
    return encoded[-(-8 * offset // 6) : 8 * (offset + len(octets)) // 6]


def _make_base64_regex(core: str, *, has_end: bool) -> str:
    regex = "".join({"+": r"(?:[+-]|%2[Bb])", "/": r"(?:\\?/|_|%2[Ff])"}.get(char, char) for char in core)
    return f"{regex}{'[A-Za-z0-9+/_-]?' if has_end else ''}={{0,2}}"
