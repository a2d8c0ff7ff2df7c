"""Words: what the words of a text are, and in which forms each can be looked for.

Queries and papers are read by the same rules, so ``H_2O`` finds ``H$_2$O``, ``Godel`` finds Gödel and ``Ca2+``
finds Ca²⁺. Words are letters, digits and marks. All else parts them, except a dot between digits, ``'s``, and ``+``
or ``#`` at a word's end. A hyphen parts and joins, and so does what raises or lowers (``L^p``, ``T_c``); it never joins
numbers, so neither does the exponent of 10¹⁴. A Greek letter counts as its name, joined to its neighbours as by a
hyphen; each character of Chinese, Japanese and Korean is a word, and so is ∞ by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from digest.core.text.inflection import bases
from digest.core.text.scripts import CJK, GREEK, GREEK_NAMES, INCREMENT, INFINITY, SCRIPT_DIGITS, VOICED
from digest.core.text.tex import tex_to_unicode

__all__ = [
    "INFINITY_ALONE",
    "LONGEST",
    "Part",
    "Piece",
    "Word",
    "beginnings",
    "canonical",
    "canonical_beginning",
    "digits_meet",
    "forms",
    "join",
    "joined",
    "letters",
    "parts",
    "piece",
    "spelled",
    "tex_to_unicode",
    "wanted",
    "words",
]


class Part(NamedTuple):
    """A word, or what stands between two hyphens of one.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        printed: the slice.
        joined: whether a hyphen, or what counts as one, joins it to the part before.
    """

    start: int
    end: int
    printed: str
    joined: bool


class Word(NamedTuple):
    """A word of a text and how it can be looked for.

    ``multi-modal`` is three: multi, modal, and the two as one.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        forms: its bases, folded.
        position: the number of the part that it starts with, from 0.
        span: how many parts it has.
    """

    start: int
    end: int
    forms: frozenset[str]
    position: int
    span: int


# --- reading --------------------------------------------------------------------------------------


def _as_ranges(codes: Iterable[int]) -> str:
    """Write characters for a character class: one of ranges is compiled in a fifth of the time.

    Args:
        codes: of the characters, in order.
    """
    # Consecutive numbers are as far from their places in the sequence as each other.
    runs = (list(run) for _, run in groupby(enumerate(codes), lambda place: place[1] - place[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in runs)


_MARKS = _as_ranges(
    code
    for code in (*range(0x300, 0x3100), *range(0xFE20, 0xFE30))
    if unicodedata.category(chr(code))[0] == "M"
)
"""Marks that stand above, below or behind a letter, as ranges for a character class."""
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_WITHIN = _MARKS + _INVISIBLE
_HYPHENS = "-\u2010\u2011\uff0d\ufe63"
_PLUS = "+#\u207a\u208a\uff0b\ufe62\uff03\ufe5f"
"""Signs that count at a word's end, with their compatibility forms, as superscripts of charges are."""
_DOTS = ".\uff0e\u2024"
_APOSTROPHES = "'\u2019\uff07"
_PART = re.compile(
    rf"(\w[\w{_WITHIN}]*(?:(?<=\d)[{_DOTS}](?=\d)[\w{_WITHIN}]+)*"
    rf"(?:[{_APOSTROPHES}]s(?!\w)|[{_PLUS}]{{1,3}}(?!\w))?)([{_HYPHENS}](?=\w))?"
)
"""A part, and the hyphen behind it, in a text without ``_HAS_SCRIPT``; ``_`` is a hyphen already."""
_HAS_SCRIPT = re.compile(rf"[{GREEK}{INCREMENT}{INFINITY}{CJK}]|\d[{SCRIPT_DIGITS}]|[{SCRIPT_DIGITS}]\d")
_LETTER = rf"[^\W_{GREEK}{CJK}{VOICED}]"
_NEXT = rf"(?!(?<=\d)[{SCRIPT_DIGITS}]|(?<=[{SCRIPT_DIGITS}])\d){_LETTER}"
"""A letter or digit behind another one: 10¹⁴ is two numbers."""
_END = rf"(?![^\W_{CJK}])"
INFINITY_ALONE = re.compile(rf"(?<!\w)(?<!\w[{_HYPHENS}_^]){INFINITY}(?![{_HYPHENS}_^]?\w)")
"""The sign where it is a word: neither a letter nor a hyphen is beside it."""
_SCRIPT_PART = re.compile(
    rf"(?:{_LETTER}(?:{_NEXT}|[{_WITHIN}])*(?:(?<=\d)[{_DOTS}](?=\d)(?:{_NEXT}|[{_WITHIN}])+)*"
    rf"|(?:(?=\w)[{GREEK}]|{INCREMENT})[{_WITHIN}]*)"
    rf"(?:[{_APOSTROPHES}]s{_END}|[{_PLUS}]{{1,3}}{_END})?"
    rf"|{INFINITY_ALONE.pattern}"
    rf"|(?P<cjk>(?=\w)[{CJK}][{_WITHIN}{VOICED}]*)"
)
"""A part of any text: a Greek letter is one, a CJK character, ∞ by itself, and the exponent of a number."""
_JOINTS = frozenset(["", *_HYPHENS])
LONGEST = 8
"""Of how many parts of a compound one word is made at most: no real one has more."""


def parts(text: str) -> Iterator[Part]:
    """The words of a text, parted at hyphens, too.

    Args:
        text: readable, without TeX.
    """
    joined = False
    for start, printed, joins in spelled(text):
        yield Part(start, start + len(printed), printed, joined)
        joined = joins


def spelled(text: str) -> Iterator[tuple[int, str, bool]]:
    """The ``parts`` of a text with where each starts and whether it is joined to the next one.

    Args:
        text: readable, without TeX.
    """
    text = text.replace("_", "-").replace("^", "-")
    if not text.isascii() and _HAS_SCRIPT.search(text):
        yield from _spelled_scripts(text)
        return
    end = 0
    for printed, hyphen in _PART.findall(text):  # twice as fast as to ask each match where it is
        start = text.index(printed, end)
        end = start + len(printed)
        yield start, printed, hyphen != ""


def _spelled_scripts(text: str) -> Iterator[tuple[int, str, bool]]:
    """The same for a text that has Greek letters, CJK characters or powers of numbers."""
    before: re.Match[str] | None = None
    for found in _SCRIPT_PART.finditer(text):
        if before:
            beside_cjk = before["cjk"] or found["cjk"]
            joins = not beside_cjk and text[before.end() : found.start()] in _JOINTS
            yield before.start(), before[0], joins
        before = found
    if before:
        yield before.start(), before[0], False


def words(text: str) -> tuple[Word, ...]:
    """The words of a text in its order, compounds split and joined.

    Every run of parts that hyphens join is a word as well, except where two digits would meet.

    Args:
        text: readable, without TeX.
    """
    found = list(parts(text))
    printed = [part.printed for part in found]
    known = [Word(part.start, part.end, forms(part.printed), at, 1) for at, part in enumerate(found)]
    for first, span, made in _joined(printed, [part.joined for part in found]):
        known.append(Word(found[first].start, found[first + span - 1].end, forms(made), first, span))
    return tuple(sorted(known, key=lambda word: (word.position + word.span, word.span > 1, word.position)))


def _joined(printed: Sequence[str], hyphens: Sequence[bool]) -> Iterator[tuple[int, int, str]]:
    """Every run of parts that hyphens join: the number of its first, how many, and the parts as one word.

    Args:
        printed: the parts.
        hyphens: whether one joins it to the part before.
    """
    begun = 0
    for last in range(1, len(printed)):
        if not hyphens[last] or digits_meet(printed[last - 1], printed[last]):
            begun = last
        for first in range(max(begun, last - LONGEST + 1), last):
            yield first, last - first + 1, join(printed[first : last + 1])


def joined(printed: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Every run of the parts of a compound: the number of its first, how many, and the parts as one word."""
    return _joined(printed, [True] * len(printed))


def digits_meet(left: str, right: str) -> bool:
    """Whether two parts are never one word: ``2020-21`` is not 202021."""
    return left[-1].isnumeric() and right[0].isnumeric()


class Piece(NamedTuple):
    """What stands between two blanks of a text: mostly one word, perhaps with signs around it.

    Attributes:
        parts: as printed.
        joined: the words made of several parts: the number of the first, how many, and the parts as one word.
    """

    parts: tuple[str, ...]
    joined: tuple[tuple[int, int, str], ...] = ()


AROUND = '.,;:!?()[]"“”'
"""Signs that are no part of a word where they stand before or behind one."""


@lru_cache(maxsize=1 << 17)
def piece(printed: str) -> Piece:
    """The words of what stands between two blanks: most pieces come again, and are read once.

    Args:
        printed: without blanks.
    """
    bare = printed.strip(AROUND)
    if bare.isascii():
        if bare.isalnum():
            return Piece((bare,))
        split = tuple(bare.split("-"))
        if len(split) > 1 and all(map(str.isalnum, split)):
            return Piece(split, tuple(joined(split)))
    found = list(parts(bare))
    split = tuple([part.printed for part in found])
    hyphens = [part.joined for part in found]
    return Piece(split, tuple(_joined(split, hyphens)) if any(hyphens) else ())


# --- folding --------------------------------------------------------------------------------------

_POSSESSIVE = tuple(f"{sign}s" for sign in _APOSTROPHES)
_DECADE = re.compile(r"(?:1\d|20)?[1-9]0|(?:1\d|20)00")
_NO_WORD = re.compile(r"[^\w.+#]|_|(?<!\d)\.|\.(?!\d)|[+#](?=.*\w)")
_KEPT = {"a\u0308", "o\u0308", "u\u0308", "a\u030a"}
_BEFORE_NFKC = str.maketrans({INCREMENT: "Δ", INFINITY: "infinity", "ヿ": "コ", "ゟ": "よ"})
"""Signs that are meant as a letter or a word; and what NFKC makes two characters of, where each would be a word."""
_VOICING = "\u3099\u309a"
"""They make another letter of a kana, and so are no diacritics."""
_LETTERS = str.maketrans(
    {
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ħ": "h",
        "ı": "i",
        "ȷ": "j",
        "ŋ": "ng",
        "þ": "th",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
    }
    | {
        "Ł": "L",
        "Đ": "D",
        "Ð": "D",
        "Ħ": "H",
        "İ": "I",
        "Ŋ": "Ng",
        "Þ": "Th",
        "ẞ": "SS",
        "Æ": "Ae",
        "Œ": "Oe",
    }
)
_PLAIN = str.maketrans("äöüåøÄÖÜÅØ", "aouaoAOUAO")
_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)


@lru_cache(maxsize=1 << 16)
def forms(printed: str) -> frozenset[str]:
    """What a word of a text can be looked for as: its bases, with and without ``+`` or ``#`` at its end.

    Args:
        printed: one part, or parts joined.
    """
    folded = _fold(printed)
    found = _asked(folded)
    return found | _asked(folded.rstrip("+#")) if folded.endswith(("+", "#")) else found


@lru_cache(maxsize=1 << 14)
def wanted(printed: str) -> frozenset[str]:
    """What a word of a query asks for: a word of a text fits if one of its forms is among these.

    Args:
        printed: one part, or parts joined.
    """
    return _asked(_fold(printed))


def _asked(folded: str) -> frozenset[str]:
    if folded.isascii():
        return bases(folded)
    found = bases(folded.translate(_PLAIN))
    return found | bases(folded.translate(_WRITTEN_OUT))


def canonical(printed: str) -> str:
    """The one spelling of all that asks for the same: in lower case, unless the capitals say something.

    Empty if there is no letter or digit in it.
    """
    folded = _fold(printed)
    lower = folded.lower()
    return lower if wanted(lower) == wanted(folded) and _fold(lower) == lower else folded


def beginnings(printed: str) -> frozenset[str]:
    """What a word of a query asks for as a beginning: a word of a text fits if one of its forms starts so.

    Args:
        printed: the beginning of a word, or whole parts and a beginning joined.
    """
    folded = canonical_beginning(printed)
    return frozenset((folded.translate(_PLAIN), folded.translate(_WRITTEN_OUT)))


def canonical_beginning(printed: str) -> str:
    """The one spelling of all beginnings that ask for the same: in lower case, without signs at its end."""
    return _fold(_fold(printed).lower()).rstrip("+#.")


def join(printed: Sequence[str]) -> str:
    """Parts as one word."""
    return "".join([part if part.isalnum() else _owner(part).rstrip(_PLUS) for part in printed])


def _owner(printed: str) -> str:
    """A word without ``'s``; ``90's`` is the plural that ``90s`` is."""
    if not printed.endswith(_POSSESSIVE):
        return printed
    owner = printed[:-2]
    return f"{owner}s" if _DECADE.fullmatch(owner) else owner


def _fold(printed: str) -> str:
    """Compatible forms and diacritics folded, but not the umlauts, which have two plain spellings."""
    return _owner(printed) if printed.isascii() else _plain(_owner(printed))


def _plain(text: str) -> str:
    """The same for what stands between two blanks; Greek letters become their names."""
    text = unicodedata.normalize("NFKC", text.translate(_BEFORE_NFKC)).translate(_LETTERS)
    signs = unicodedata.normalize("NFD", _NO_WORD.sub("", text))
    kept = (
        sign
        for before, sign in zip(" " + signs, signs, strict=False)
        if not unicodedata.category(sign).startswith("M")
        or (before.lower() + sign) in _KEPT
        or sign in _VOICING
    )
    return unicodedata.normalize("NFC", "".join(kept)).translate(GREEK_NAMES)


# --- letters --------------------------------------------------------------------------------------

_SIGNS = {code: None for code in range(128) if not chr(code).isalnum()}
_OWNER_IN_COMPOUND = re.compile(rf"\d*[{_APOSTROPHES}]s(?=[{_HYPHENS}_^]\w)")
_BEYOND_ASCII = re.compile(r"\S*[^\x00-\x7f]\S*")
_EACH_CJK = re.compile(f"([{CJK}][{_WITHIN}{VOICED}]*)")


def letters(text: str) -> str:
    """The letters and digits of a text, folded, in lower case and run together: each of its words is in there.

    Args:
        text: readable, without TeX other than the signs of formulas.

    Returns:
        Where there are umlauts twice, with both of their plain spellings.
    """
    if "'s" in text or not text.isascii():
        text = _OWNER_IN_COMPOUND.sub(lambda found: _owner(found[0]), text)
    if text.isascii():
        return text.translate(_SIGNS).lower()
    folded = _BEYOND_ASCII.sub(_plain_parts, text).translate(_SIGNS)
    spellings = dict.fromkeys((folded.translate(_PLAIN), folded.translate(_WRITTEN_OUT)))
    return " ".join(spellings).lower()


def _plain_parts(found: re.Match[str]) -> str:
    """What stands between two blanks, folded; CJK characters one by one, as they are looked for."""
    return "".join(map(_plain, _EACH_CJK.split(found[0])))
