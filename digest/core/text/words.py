"""Words: what the words of a text are, and in which forms each can be looked for.

Queries and papers are read by the same rules, so ``H_2O`` finds ``H$_2$O``, ``Godel`` finds Gödel and ``Ca2+``
finds Ca²⁺. Words are letters, digits and marks. All else parts them, except a dot between digits, ``'s``, and ``+``
or ``#`` at a word's end (a raised plus before a letter, too: ``CD4⁺T``). A hyphen parts and joins, and so does what
raises or lowers (``L^p``, ``T_c``); it never joins numbers, so neither does the exponent of 10¹⁴. A Greek letter counts
as its name, joined to its neighbours as by a hyphen; each character of Chinese, Japanese and Korean is a word, and so
is ∞ by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from digest.core.text.inflection import find_bases
from digest.core.text.scripts import (
    CJK,
    GREEK,
    GREEK_NAMES,
    INCREMENT,
    INFINITY,
    LOWERED_DIGITS,
    RAISED_DIGITS,
    SCRIPT_DIGITS,
    VOICING_MARKS,
)
from digest.core.text.tex import SCRIPT_GLYPHS, tex_to_unicode

__all__ = [
    "INFINITY_ALONE",
    "MAX_COMPOUND_PARTS",
    "Piece",
    "TextWord",
    "WordPart",
    "extract_words",
    "find_forms",
    "find_query_forms",
    "find_query_prefixes",
    "fold_letters",
    "has_meeting_digits",
    "iter_compounds",
    "iter_parts",
    "join_parts",
    "normalize_prefix",
    "normalize_word",
    "scan_parts",
    "split_piece",
    "tex_to_unicode",
]


class WordPart(NamedTuple):
    """A word, or what stands between two hyphens of one.

    Attributes:
        start: where it starts in the text.
        end: where it ends.
        printed: the slice.
        is_joined: whether a hyphen, or what counts as one, joins it to the part before.
    """

    start: int
    end: int
    printed: str
    is_joined: bool


class TextWord(NamedTuple):
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


def _format_ranges(codes: Iterable[int]) -> str:
    """Write characters for a character class: one of ranges is compiled in a fifth of the time.

    Args:
        codes: of the characters, in order.
    """
    # Consecutive numbers are as far from their places in the sequence as each other.
    runs = (list(run) for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in runs)


_MARKS = _format_ranges(
    code
    for code in (*range(0x300, 0x3100), *range(0xFE20, 0xFE30))
    if unicodedata.category(chr(code))[0] == "M"
)
"""Marks that stand above, below or behind a letter, as ranges for a character class."""
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_WORD_MARKS = _MARKS + _INVISIBLE
_HYPHENS = "-\u2010\u2011\uff0d\ufe63"
_SUFFIX_SIGNS = "+#\u207a\u208a\uff0b\ufe62\uff03\ufe5f"
"""Signs that count at a word's end, with their compatibility forms, as superscripts of charges are."""
_RAISED_PLUS = "\u207a\u208a"
_SIGNS_BEFORE_WORD = rf"[{_RAISED_PLUS}]{{1,3}}(?![\d{SCRIPT_GLYPHS}])|[+\uff0b]{{2}}(?=\w)"
"""Signs that belong to the word before them even if another one follows: CD4⁺T, C++11; z¹⁺ⁿ has a sum."""
_DOTS = ".\uff0e\u2024"
_APOSTROPHES = "'\u2019\uff07"
_PART = re.compile(
    rf"(\w[\w{_WORD_MARKS}]*(?:(?<=\d)[{_DOTS}](?=\d)[\w{_WORD_MARKS}]+)*"
    rf"(?:[{_APOSTROPHES}]s(?!\w)|[{_SUFFIX_SIGNS}]{{1,3}}(?![\w{_SUFFIX_SIGNS}])|{_SIGNS_BEFORE_WORD})?)([{_HYPHENS}](?=\w))?"
)
"""A part, and the hyphen behind it, in a text without ``_HAS_SCRIPT``; ``_`` is a hyphen already."""
_NUMBERS_MEET = rf"\d[{SCRIPT_DIGITS}]|[{SCRIPT_DIGITS}]\d|[{LOWERED_DIGITS}][{RAISED_DIGITS}]|[{RAISED_DIGITS}][{LOWERED_DIGITS}]"
_HAS_SCRIPT = re.compile(rf"[{GREEK}{INCREMENT}{INFINITY}{CJK}]|{_NUMBERS_MEET}")
_LETTER = rf"[^\W_{GREEK}{CJK}{VOICING_MARKS}]"
_NEXT_LETTER = (
    rf"(?!(?<=\d)[{SCRIPT_DIGITS}]|(?<=[{SCRIPT_DIGITS}])\d"
    rf"|(?<=[{LOWERED_DIGITS}])[{RAISED_DIGITS}]|(?<=[{RAISED_DIGITS}])[{LOWERED_DIGITS}]){_LETTER}"
)
"""A letter or digit behind another one: 10¹⁴ is two numbers."""
_WORD_END = rf"(?![^\W_{CJK}])"
INFINITY_ALONE = re.compile(rf"(?<!\w)(?<!\w[{_HYPHENS}_^]){INFINITY}(?![{_HYPHENS}_^]?\w)")
"""The sign where it is a word: neither a letter nor a hyphen is beside it."""
_SCRIPT_PART = re.compile(
    rf"(?:{_LETTER}(?:{_NEXT_LETTER}|[{_WORD_MARKS}])*(?:(?<=\d)[{_DOTS}](?=\d)(?:{_NEXT_LETTER}|[{_WORD_MARKS}])+)*"
    rf"|(?:(?=\w)[{GREEK}]|{INCREMENT})[{_WORD_MARKS}]*)"
    rf"(?:[{_APOSTROPHES}]s{_WORD_END}|[{_SUFFIX_SIGNS}]{{1,3}}(?![{_SUFFIX_SIGNS}]){_WORD_END}|{_SIGNS_BEFORE_WORD})?"
    rf"|{INFINITY_ALONE.pattern}"
    rf"|(?P<cjk>(?=\w)[{CJK}][{_WORD_MARKS}{VOICING_MARKS}]*)"
)
"""A part of any text: a Greek letter is one, a CJK character, ∞ by itself, and the exponent of a number."""
_JOINERS = frozenset(["", *_HYPHENS])
MAX_COMPOUND_PARTS = 8
"""Of how many parts of a compound one word is made at most: no real one has more."""


def iter_parts(text: str) -> Iterator[WordPart]:
    """The words of a text, parted at hyphens, too.

    Args:
        text: readable, without TeX.
    """
    is_joined = False
    for start, part, has_hyphen in scan_parts(text):
        yield WordPart(start, start + len(part), part, is_joined)
        is_joined = has_hyphen


def scan_parts(text: str) -> Iterator[tuple[int, str, bool]]:
    """The ``parts`` of a text with where each starts and whether it is joined to the next one.

    Args:
        text: readable, without TeX.
    """
    text = text.replace("_", "-").replace("^", "-")
    if not text.isascii() and _HAS_SCRIPT.search(text):
        yield from _scan_script_parts(text)
        return
    end = 0
    for part, hyphen in _PART.findall(text):  # twice as fast as to ask each match where it is
        start = text.index(part, end)
        end = start + len(part)
        yield start, part, hyphen != ""


def _scan_script_parts(text: str) -> Iterator[tuple[int, str, bool]]:
    """The same for a text that has Greek letters, CJK characters or powers of numbers."""
    previous: re.Match[str] | None = None
    for match in _SCRIPT_PART.finditer(text):
        if previous:
            beside_cjk = previous["cjk"] or match["cjk"]
            gap = text[previous.end() : match.start()]
            is_joined = (
                not beside_cjk and gap in _JOINERS and (gap != "" or previous[0][-1] not in _RAISED_PLUS)
            )
            yield previous.start(), previous[0], is_joined
        previous = match
    if previous:
        yield previous.start(), previous[0], False


def extract_words(text: str) -> tuple[TextWord, ...]:
    """The words of a text in its order, compounds split and joined.

    Every run of parts that hyphens join is a word as well, except where two digits would meet.

    Args:
        text: readable, without TeX.
    """
    parts = list(iter_parts(text))
    part_texts = [part.printed for part in parts]
    text_words = [
        TextWord(part.start, part.end, find_forms(part.printed), index, 1) for index, part in enumerate(parts)
    ]
    for first_index, span, compound in _iter_compounds(part_texts, [part.is_joined for part in parts]):
        text_words.append(
            TextWord(
                parts[first_index].start,
                parts[first_index + span - 1].end,
                find_forms(compound),
                first_index,
                span,
            )
        )
    return tuple(
        sorted(text_words, key=lambda word: (word.position + word.span, word.span > 1, word.position))
    )


def _iter_compounds(part_texts: Sequence[str], hyphens: Sequence[bool]) -> Iterator[tuple[int, int, str]]:
    """Every run of parts that hyphens join: the number of its first, how many, and the parts as one word.

    Args:
        part_texts: the parts.
        hyphens: whether one joins it to the part before.
    """
    run_start = 0
    for last in range(1, len(part_texts)):
        if not hyphens[last] or has_meeting_digits(part_texts[last - 1], part_texts[last]):
            run_start = last
        for first in range(max(run_start, last - MAX_COMPOUND_PARTS + 1), last):
            yield first, last - first + 1, join_parts(part_texts[first : last + 1])


def iter_compounds(part_texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Every run of the parts of a compound: the number of its first, how many, and the parts as one word."""
    return _iter_compounds(part_texts, [True] * len(part_texts))


def has_meeting_digits(left: str, right: str) -> bool:
    """Whether two parts are never one word: ``2020-21`` is not 202021."""
    return left[-1].isnumeric() and right[0].isnumeric()


class Piece(NamedTuple):
    """What stands between two blanks of a text: mostly one word, perhaps with signs around it.

    Attributes:
        parts: as printed.
        compounds: the words made of several parts: the number of the first, how many, and the parts as one word.
    """

    parts: tuple[str, ...]
    compounds: tuple[tuple[int, int, str], ...] = ()


SURROUNDING_SIGNS = '.,;:!?()[]"“”'
"""Signs that are no part of a word where they stand before or behind one."""


@lru_cache(maxsize=1 << 17)
def split_piece(text: str) -> Piece:
    """The words of what stands between two blanks: most pieces come again, and are read once.

    Args:
        text: without blanks.
    """
    bare = text.strip(SURROUNDING_SIGNS)
    if bare.isascii():
        if bare.isalnum():
            return Piece((bare,))
        split = tuple(bare.split("-"))
        if len(split) > 1 and all(map(str.isalnum, split)):
            return Piece(split, tuple(iter_compounds(split)))
    word_parts = list(iter_parts(bare))
    split = tuple([part.printed for part in word_parts])
    hyphens = [part.is_joined for part in word_parts]
    return Piece(split, tuple(_iter_compounds(split, hyphens)) if any(hyphens) else ())


# --- folding --------------------------------------------------------------------------------------

_POSSESSIVE = tuple(f"{sign}s" for sign in _APOSTROPHES)
_DECADE = re.compile(r"(?:1\d|20)?[1-9]0|(?:1\d|20)00")
_NON_WORD = re.compile(r"[^\w.+#]|_|(?<!\d)\.|\.(?!\d)|[+#](?=.*\w)")
_UMLAUTS = {"a\u0308", "o\u0308", "u\u0308", "a\u030a"}
_BEFORE_NFKC = str.maketrans({INCREMENT: "Δ", INFINITY: "infinity", "ヿ": "コ", "ゟ": "よ"})
"""Signs that are meant as a letter or a word; and what NFKC makes two characters of, where each would be a word."""
_VOICING_SIGNS = "\u3099\u309a"
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
_UMLAUTS_PLAIN = str.maketrans("äöüåøÄÖÜÅØ", "aouaoAOUAO")
_UMLAUTS_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)


@lru_cache(maxsize=1 << 16)
def find_forms(word: str) -> frozenset[str]:
    """What a word of a text can be looked for as: its bases, with and without ``+`` or ``#`` at its end.

    Args:
        word: one part, or parts joined.
    """
    folded = _fold(word)
    query_forms = _find_folded_forms(folded)
    return (
        query_forms | _find_folded_forms(folded.rstrip("+#")) if folded.endswith(("+", "#")) else query_forms
    )


@lru_cache(maxsize=1 << 14)
def find_query_forms(word: str) -> frozenset[str]:
    """What a word of a query asks for: a word of a text fits if one of its forms is among these.

    Args:
        word: one part, or parts joined.
    """
    return _find_folded_forms(_fold(word))


def _find_folded_forms(folded: str) -> frozenset[str]:
    if folded.isascii():
        return find_bases(folded)
    plain_bases = find_bases(folded.translate(_UMLAUTS_PLAIN))
    return plain_bases | find_bases(folded.translate(_UMLAUTS_WRITTEN_OUT))


def normalize_word(word: str) -> str:
    """The one spelling of all that asks for the same: in lower case, unless the capitals say something.

    Empty if there is no letter or digit in it.
    """
    folded = _fold(word)
    lower = folded.lower()
    return lower if find_query_forms(lower) == find_query_forms(folded) and _fold(lower) == lower else folded


def find_query_prefixes(prefix: str) -> frozenset[str]:
    """What a word of a query asks for as a beginning: a word of a text fits if one of its forms starts so.

    Args:
        prefix: the beginning of a word, or whole parts and a beginning joined.
    """
    folded = normalize_prefix(prefix)
    return frozenset((folded.translate(_UMLAUTS_PLAIN), folded.translate(_UMLAUTS_WRITTEN_OUT)))


def normalize_prefix(prefix: str) -> str:
    """The one spelling of all beginnings that ask for the same: in lower case, without signs at its end."""
    return _fold(_fold(prefix).lower()).rstrip("+#.")


def join_parts(part_texts: Sequence[str]) -> str:
    """Parts as one word."""
    return "".join(
        [part if part.isalnum() else _strip_possessive(part).rstrip(_SUFFIX_SIGNS) for part in part_texts]
    )


def _strip_possessive(word: str) -> str:
    """A word without ``'s``; ``90's`` is the plural that ``90s`` is."""
    if not word.endswith(_POSSESSIVE):
        return word
    bare_word = word[:-2]
    return f"{bare_word}s" if _DECADE.fullmatch(bare_word) else bare_word


def _fold(word: str) -> str:
    """Compatible forms and diacritics folded, but not the umlauts, which have two plain spellings."""
    return _strip_possessive(word) if word.isascii() else _fold_diacritics(_strip_possessive(word))


def _fold_diacritics(text: str) -> str:
    """The same for what stands between two blanks; Greek letters become their names."""
    text = unicodedata.normalize("NFKC", text.translate(_BEFORE_NFKC)).translate(_LETTERS)
    characters = unicodedata.normalize("NFD", _NON_WORD.sub("", text))
    kept_characters = (
        character
        for previous, character in zip(" " + characters, characters, strict=False)
        if not unicodedata.category(character).startswith("M")
        or (previous.lower() + character) in _UMLAUTS
        or character in _VOICING_SIGNS
    )
    return unicodedata.normalize("NFC", "".join(kept_characters)).translate(GREEK_NAMES)


# --- letters --------------------------------------------------------------------------------------

_DROPPED_SIGNS = {code: None for code in range(128) if not chr(code).isalnum()}
_OWNER_IN_COMPOUND = re.compile(rf"\d*[{_APOSTROPHES}]s(?=[{_HYPHENS}_^]\w)")
_BEYOND_ASCII = re.compile(r"\S*[^\x00-\x7f]\S*")
_EACH_CJK = re.compile(f"([{CJK}][{_WORD_MARKS}{VOICING_MARKS}]*)")


def fold_letters(text: str) -> str:
    """The letters and digits of a text, folded, in lower case and run together: each of its words is in there.

    Args:
        text: readable, without TeX other than the signs of formulas.

    Returns:
        Where there are umlauts twice, with both of their plain spellings.
    """
    if "'s" in text or not text.isascii():
        text = _OWNER_IN_COMPOUND.sub(lambda match: _strip_possessive(match[0]), text)
    if text.isascii():
        return text.translate(_DROPPED_SIGNS).lower()
    folded = _BEYOND_ASCII.sub(_fold_match, text).translate(_DROPPED_SIGNS)
    spellings = dict.fromkeys((folded.translate(_UMLAUTS_PLAIN), folded.translate(_UMLAUTS_WRITTEN_OUT)))
    return " ".join(spellings).lower()


def _fold_match(match: re.Match[str]) -> str:
    """What stands between two blanks, folded; CJK characters one by one, as they are looked for."""
    return "".join(map(_fold_diacritics, _EACH_CJK.split(match[0])))
