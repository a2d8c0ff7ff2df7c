"""Patterns that find a secret in every encoding in which addresses, documents, mails and logins write it.

A server that refuses us often repeats what it was given, in the encoding of its protocol. Of all these encodings one
thing is used: none of them changes an ASCII letter or digit, but base64 (RFC 4648), which changes all.
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
"""Bytes of the shortest secret that is looked for in base64; a shorter one has too few characters of its own there."""
_MIN_ANYWHERE = 8
"""Characters: a shorter secret is looked for as a whole word only, and so is one of letters or digits alone."""

_FOLD = re.compile(r"=\r?\n|(?<=[\w+/-]{60})\r?\n[ \t]*")
"""Where quoted-printable (RFC 2045, 6.7) and base64 (6.8, and PEM) break a line."""
_LETTER, _ASCII_LETTER = r"[^\W_]", "[A-Za-z0-9]"
_WORD_START = (
    r"(?:(?<![^\W_])|(?<=\\[abfnrtv0])|(?<=[%=][0-9A-F]{2})|(?<=%[0-9a-f]{2})|(?<=\\x[0-9A-Fa-f]{2})"
    r"|(?<=\\u[0-9A-Fa-f]{4}))"
)
"""No letter or digit stands before it, but those of an escape sequence."""
_WORD_END = r"(?![^\W_])"
_SHORT_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
}  # fmt: skip
"""Of JSON (RFC 8259, section 7) and of Python and C."""


# Backslashes are doubled each time that a text is escaped; there is a limit, so that many of them take no long time.


@dataclass(frozen=True)
class Spelling:
    """A way in which a secret may be written.

    Attributes:
        literal: a part that each text has in which the secret is written so; "" where nothing is known of it.
        make_regex: returns the regular expression that finds it.
    """

    literal: str
    make_regex: Callable[[], str]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression, made when it is needed first: hardly any ever is."""
        return re.compile(self.make_regex())


def spellings(secret: str) -> Iterator[Spelling]:
    """Return all ways in which a secret may be written.

    Args:
        secret: without white space at its ends.
    """
    # An accent is a letter's part or a sign of its own; file names and some keyboards have the latter.
    for form in {secret, normalize("NFC", secret), normalize("NFD", secret)}:
        yield from _spellings(form)


def _spellings(secret: str) -> Iterator[Spelling]:
    yield Spelling(_longest_unchanged(secret), partial(_plain_regex, secret))
    octets = secret.encode("utf-8", "replace")
    if len(octets) >= MIN_BASE64_BYTES:
        for before in range(3):
            core = _base64_core(octets, before)
            ends = 8 * (before + len(octets)) % 6 != 0
            yield Spelling(_longest_unchanged(core), partial(_base64_regex, core, has_end=ends))


def unfold(text: str) -> str:
    """Join the lines that an encoding has broken."""
    return _FOLD.sub("", text) if "\n" in text else text


# --- characters -----------------------------------------------------------------------------------


def _plain_regex(secret: str) -> str:
    regex = "".join(_run(chars) for chars in _runs(secret))
    if len(secret) < _MIN_ANYWHERE:
        return f"{_WORD_START}{regex}{_WORD_END}"
    if secret.isascii() and (secret.isalpha() or secret.isdigit()):
        # Chinese and Japanese have no blanks around it.
        return (
            f"{_WORD_START.replace(_LETTER, _ASCII_LETTER)}{regex}{_WORD_END.replace(_LETTER, _ASCII_LETTER)}"
        )
    return regex


def _runs(secret: str) -> Iterator[str]:
    """The parts of a secret: letters and digits, white space, and the same sign several times."""
    for _, chars in groupby(secret, lambda char: _is_unchanged(char) or (char.isspace() and " ") or char):
        yield "".join(chars)


def _run(chars: str) -> str:
    if _is_unchanged(chars[0]):
        return chars
    if chars.isspace():
        # Who quotes a text often breaks its lines elsewhere; addresses have "+", and RFC 2047 "_".
        # Each text has a single way through this, or blanks in a row would take hours.
        encoded = "|".join(map(_encoded, sorted({" ", *chars})))
        return rf"(?:[\s+_]|{encoded}|\\{{1,8}}\s)+"
    if chars[0] == "\\":
        return rf"(?:(?:{_encoded(chars[0])}){{{len(chars)}}}|\\{{{len(chars)},{8 * len(chars)}}})"
    return f"(?:{_written(chars[0])}){{{len(chars)}}}" if len(chars) > 1 else f"(?:{_written(chars[0])})"


def _is_unchanged(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _longest_unchanged(text: str) -> str:
    return max(re.findall("[A-Za-z0-9]+", text), key=len, default="")


@cache
def _written(char: str) -> str:
    """A pattern for one character, as it is, behind a backslash, or encoded."""
    return "|".join((_encoded(char), *_misread(char), rf"\\{{0,8}}{re.escape(char)}"))


@cache
def _encoded(char: str) -> str:
    """A pattern for one character, percent-encoded (RFC 3986), in quoted-printable, escaped, or as an entity of HTML."""
    code, octets = ord(char), char.encode("utf-8", "replace")
    units = char.encode("utf-16-be", "surrogatepass")
    forms = [
        "".join(rf"%(?:25)*{_hex(octet, 2)}" for octet in octets),
        "".join(f"={_hex(octet, 2)}" for octet in octets),
        *([f"[%=]{_hex(code, 2)}"] if 0x80 <= code < 0x100 else []),
        "".join(rf"\\{{1,8}}x{_hex(octet, 2)}" for octet in octets),
        "".join(
            rf"\\{{1,8}}u{_hex(int.from_bytes(units[at : at + 2]), 4)}" for at in range(0, len(units), 2)
        ),
        rf"\\{{1,8}}U{_hex(code, 8)}",
        rf"&(?:amp;)*(?:#0*{code}|#[xX]0*{_hex(code, 0)}{''.join(f'|{name}' for name in _entities(char))});",
    ]
    if octets[1:] and code < 0x100:
        forms.append(rf"\\{{1,8}}x{_hex(code, 2)}")
    if short := _SHORT_ESCAPES.get(char):
        forms.append(rf"\\{{1,8}}{short}")
    return "|".join(forms)


def _misread(char: str) -> Iterator[str]:
    """A character whose UTF-8 was read as another encoding."""
    if not char.isascii():
        octets = char.encode("utf-8", "replace")
        yield re.escape(octets.decode("latin-1"))
        yield re.escape(octets.decode("cp1252", "replace"))
        yield "\ufffd{1,4}"


def _hex(number: int, digits: int) -> str:
    """A pattern for a hexadecimal number, in letters of either case."""
    return "".join(
        f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{number:0{digits}x}"
    )


def _entities(char: str) -> tuple[str, ...]:
    """The names that HTML has for a character."""
    return _entity_names().get(char, ())


@cache
def _entity_names() -> dict[str, tuple[str, ...]]:
    from html.entities import html5  # most processes never need it

    found: dict[str, tuple[str, ...]] = {}
    for name, char in sorted(html5.items()):
        if name.endswith(";"):
            found[char] = (*found.get(char, ()), name[:-1])
    return found


# --- base64 ---------------------------------------------------------------------------------------


def _base64_core(octets: bytes, before: int) -> str:
    """The characters that some octets have in the base64 of a longer text, such as ``user:password`` (RFC 7617).

    Args:
        octets: the secret.
        before: how many octets stand before it, modulo 3.

    Returns:
        Those that are made of the secret alone: of its first and last octet a part is left out.
    """
    written = b64encode(bytes(before) + octets).decode()
    return written[-(-8 * before // 6) : 8 * (before + len(octets)) // 6]


def _base64_regex(core: str, *, has_end: bool) -> str:
    regex = "".join({"+": r"(?:[+-]|%2[Bb])", "/": r"(?:\\?/|_|%2[Ff])"}.get(char, char) for char in core)
    return f"{regex}{'[A-Za-z0-9+/_-]?' if has_end else ''}={{0,2}}"
