"""Tokenization: the words of a text, and the forms by which each can be found.

Queries and papers are tokenized by the same rules, so ``H_2O`` finds ``H$_2$O``, ``Godel`` finds Gödel and
``Ca2+`` finds Ca²⁺. A word consists of letters, digits and marks. Everything else separates words, except a
dot between digits, ``'s``, and ``+`` or ``#`` at the end of a word (also a raised plus before a letter:
``CD4⁺T``). A hyphen both separates and joins, and so does a sign that raises or lowers (``L^p``, ``T_c``). It
never joins numbers; neither does the exponent of 10¹⁴. A Greek letter counts as its name, joined to its
neighbours as by a hyphen. Each character of Chinese, Japanese and Korean is a word, and so is ∞ if it is
alone.
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
    "split_new_piece",
    "split_piece",
    "tex_to_unicode",
]


class WordPart(NamedTuple):
    """A word, or one part of a hyphenated word.

    Attributes:
        start: position in the text where it starts.
        end: position in the text where it ends.
        printed: the slice of the text.
        is_joined: whether a hyphen, or a sign that counts as one, joins it to the part before.
    """

    start: int
    end: int
    printed: str
    is_joined: bool


class TextWord(NamedTuple):
    """A word of a text, with the forms by which it can be found.

    ``multi-modal`` yields three: multi, modal, and both joined.

    Attributes:
        start: position in the text where it starts.
        end: position in the text where it ends.
        forms: its bases, folded.
        position: number of its first part, from 0.
        span: number of its parts.
    """

    start: int
    end: int
    forms: frozenset[str]
    position: int
    span: int


# --- parts and compounds --------------------------------------------------------------------------


def _format_ranges(codes: Iterable[int]) -> str:
    """Format characters as ranges for a character class: it compiles in a fifth of the time of single characters.

    Args:
        codes: code points of the characters, in ascending order.
    """
    # The difference of a code and its index is the same for all codes of a run.
    runs = (list(run) for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in runs)


_MARKS = _format_ranges(
    code
    for code in (*range(0x300, 0x3100), *range(0xFE20, 0xFE30))
    if unicodedata.category(chr(code))[0] == "M"
)
"""Marks above, below or behind a letter, as ranges for a character class."""
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_WORD_MARKS = _MARKS + _INVISIBLE
_HYPHENS = "-\u2010\u2011\uff0d\ufe63"
_SUFFIX_SIGNS = "+#\u207a\u208a\uff0b\ufe62\uff03\ufe5f"
"""Signs that belong to a word if they end it, with their compatibility forms, such as the raised plus of a charge."""
_RAISED_PLUS = "\u207a\u208a"
_SIGNS_BEFORE_WORD = rf"[{_RAISED_PLUS}]{{1,3}}(?![\d{SCRIPT_GLYPHS}])|[+\uff0b]{{2}}(?=\w)"
"""Signs that belong to the word before them even if another one follows: CD4⁺T, C++11; in z¹⁺ⁿ they are a sum."""
_DOTS = ".\uff0e\u2024"
_APOSTROPHES = "'\u2019\uff07"
_PART = re.compile(
    rf"(\w[\w{_WORD_MARKS}]*(?:(?<=\d)[{_DOTS}](?=\d)[\w{_WORD_MARKS}]+)*"
    rf"(?:[{_APOSTROPHES}]s(?!\w)|[{_SUFFIX_SIGNS}]{{1,3}}(?![\w{_SUFFIX_SIGNS}])|{_SIGNS_BEFORE_WORD})?)([{_HYPHENS}](?=\w))?"
)
"""A part and the hyphen after it, in a text that ``_HAS_SCRIPT`` does not match and whose ``_`` have become hyphens."""
_NUMBERS_MEET = rf"\d[{SCRIPT_DIGITS}]|[{SCRIPT_DIGITS}]\d|[{LOWERED_DIGITS}][{RAISED_DIGITS}]|[{RAISED_DIGITS}][{LOWERED_DIGITS}]"
_HAS_SCRIPT = re.compile(rf"[{GREEK}{INCREMENT}{INFINITY}{CJK}]|{_NUMBERS_MEET}")
_LETTER = rf"[^\W_{GREEK}{CJK}{VOICING_MARKS}]"
_NEXT_LETTER = (
    rf"(?!(?<=\d)[{SCRIPT_DIGITS}]|(?<=[{SCRIPT_DIGITS}])\d"
    rf"|(?<=[{LOWERED_DIGITS}])[{RAISED_DIGITS}]|(?<=[{RAISED_DIGITS}])[{LOWERED_DIGITS}]){_LETTER}"
)
"""A letter or digit that continues a word; 10¹⁴ is two numbers."""
_WORD_END = rf"(?![^\W_{CJK}])"
INFINITY_ALONE = re.compile(rf"(?<!\w)(?<!\w[{_HYPHENS}_^]){INFINITY}(?![{_HYPHENS}_^]?\w)")
"""The infinity sign if it is a word: neither a letter nor a hyphen is next to it."""
_SCRIPT_PART = re.compile(
    rf"(?:{_LETTER}(?:{_NEXT_LETTER}|[{_WORD_MARKS}])*(?:(?<=\d)[{_DOTS}](?=\d)(?:{_NEXT_LETTER}|[{_WORD_MARKS}])+)*"
    rf"|(?:(?=\w)[{GREEK}]|{INCREMENT})[{_WORD_MARKS}]*)"
    rf"(?:[{_APOSTROPHES}]s{_WORD_END}|[{_SUFFIX_SIGNS}]{{1,3}}(?![{_SUFFIX_SIGNS}]){_WORD_END}|{_SIGNS_BEFORE_WORD})?"
    rf"|{INFINITY_ALONE.pattern}"
    rf"|(?P<cjk>(?=\w)[{CJK}][{_WORD_MARKS}{VOICING_MARKS}]*)"
)
"""A part of any text; also a Greek letter, a CJK character, ∞ by itself, or the exponent of a number."""
_JOINERS = frozenset(["", *_HYPHENS])
MAX_COMPOUND_PARTS = 8
"""Maximum number of parts of a compound that are joined to one word; no real compound has more."""


def iter_parts(text: str) -> Iterator[WordPart]:
    """Yield the words of a text, split at hyphens.

    Args:
        text: readable, without TeX.
    """
    is_joined = False
    for start, part, has_hyphen in scan_parts(text):
        yield WordPart(start, start + len(part), part, is_joined)
        is_joined = has_hyphen


def scan_parts(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the parts of a text, split at hyphens, as plain tuples.

    Args:
        text: readable, without TeX.

    Yields:
        Where the part starts, the part as printed, and whether it is joined to the next one.
    """
    text = text.replace("_", "-").replace("^", "-")
    if not text.isascii() and _HAS_SCRIPT.search(text):
        yield from _scan_script_parts(text)
        return
    end = 0
    # Twice as fast as finditer and the start of each match.
    for part, hyphen in _PART.findall(text):
        start = text.index(part, end)
        end = start + len(part)
        yield start, part, hyphen != ""


def _scan_script_parts(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the parts of a text that has Greek letters, CJK characters or powers of numbers."""
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
    """Return the words of a text in its order, compounds both split and joined.

    Every run of parts that are joined by hyphens is a word as well, except if two digits would meet.

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
    """Yield every run of joined parts: the number of its first part, the number of parts, and the joined word.

    Args:
        part_texts: the parts.
        hyphens: whether each part is joined to the one before.
    """
    run_start = 0
    for last in range(1, len(part_texts)):
        if not hyphens[last] or has_meeting_digits(part_texts[last - 1], part_texts[last]):
            run_start = last
        for first in range(max(run_start, last - MAX_COMPOUND_PARTS + 1), last):
            yield first, last - first + 1, join_parts(part_texts[first : last + 1])


def iter_compounds(part_texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield every run of the parts of a compound: the number of the first, the number of parts, and the joined word."""
    return _iter_compounds(part_texts, [True] * len(part_texts))


def has_meeting_digits(left: str, right: str) -> bool:
    """Return True if two parts never form one word, because two digits would meet: ``2020-21`` is not 202021."""
    return left[-1].isnumeric() and right[0].isnumeric()


class Piece(NamedTuple):
    """The text between two blanks: usually one word, perhaps with signs around it.

    Attributes:
        parts: as printed.
        compounds: words joined from several parts: the number of the first part, the number of parts, and the
            word.
    """

    parts: tuple[str, ...]
    compounds: tuple[tuple[int, int, str], ...] = ()


SURROUNDING_SIGNS = '.,;:!?()[]"“”'
"""Signs that are not part of a word if they are before or after one."""


def split_new_piece(text: str) -> Piece:
    """Split the text between two blanks into parts and compounds; it is not cached.

    Args:
        text: without blanks.
    """
    bare = text.strip(SURROUNDING_SIGNS)
    if bare.isascii():
        if bare.isalnum():
            return Piece((bare,))
        first, hyphen, second = bare.partition("-")
        if hyphen and first.isalnum() and second.isalnum():  # most compounds
            compounds = () if has_meeting_digits(first, second) else ((0, 2, first + second),)
            return Piece((first, second), compounds)
    word_parts = list(iter_parts(bare))
    split = tuple([part.printed for part in word_parts])
    hyphens = [part.is_joined for part in word_parts]
    return Piece(split, tuple(_iter_compounds(split, hyphens)) if any(hyphens) else ())


split_piece = lru_cache(maxsize=1 << 17)(split_new_piece)
"""``split_new_piece``, cached, because most pieces recur."""


# --- folding --------------------------------------------------------------------------------------

_POSSESSIVE = tuple(f"{sign}s" for sign in _APOSTROPHES)
_DECADE = re.compile(r"(?:1\d|20)?[1-9]0|(?:1\d|20)00")
_NON_WORD = re.compile(r"[^\w.+#]|_|(?<!\d)\.|\.(?!\d)|[+#](?=.*\w)")
_UMLAUTS = {"a\u0308", "o\u0308", "u\u0308", "a\u030a"}
_BEFORE_NFKC = str.maketrans({INCREMENT: "Δ", INFINITY: "infinity", "ヿ": "コ", "ゟ": "よ"})
"""Signs that mean a letter or a word, and characters that NFKC would split into two separate words."""
_VOICING_SIGNS = "\u3099\u309a"
"""Marks that turn a kana into another letter and so are not diacritics."""
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
    """Return the forms by which a word of a text can be found: its bases, with and without a final ``+`` or ``#``.

    Args:
        word: one part, or several parts joined.
    """
    folded = _fold(word)
    query_forms = _find_folded_forms(folded)
    return (
        query_forms | _find_folded_forms(folded.rstrip("+#")) if folded.endswith(("+", "#")) else query_forms
    )


@lru_cache(maxsize=1 << 14)
def find_query_forms(word: str) -> frozenset[str]:
    """Return the forms that a word of a query asks for; a word of a text matches if it has one of them.

    Args:
        word: one part, or several parts joined.
    """
    return _find_folded_forms(_fold(word))


def _find_folded_forms(folded: str) -> frozenset[str]:
    if folded.isascii():
        return find_bases(folded)
    plain_bases = find_bases(folded.translate(_UMLAUTS_PLAIN))
    return plain_bases | find_bases(folded.translate(_UMLAUTS_WRITTEN_OUT))


def normalize_word(word: str) -> str:
    """Return the canonical spelling of a word of a query: folded, in lower case unless that would change its forms.

    The result has no letter or digit if there is nothing to look for.
    """
    folded = _fold(word)
    lower = folded.lower()
    return lower if find_query_forms(lower) == find_query_forms(folded) and _fold(lower) == lower else folded


def find_query_prefixes(prefix: str) -> frozenset[str]:
    """Return the prefixes that a query asks for; a word of a text matches if one of its forms starts with one of them.

    Args:
        prefix: the beginning of a word, or complete parts and a beginning, joined.
    """
    folded = normalize_prefix(prefix)
    return frozenset((folded.translate(_UMLAUTS_PLAIN), folded.translate(_UMLAUTS_WRITTEN_OUT)))


def normalize_prefix(prefix: str) -> str:
    """Return the canonical spelling of a prefix: folded, in lower case, without signs at its end."""
    return _fold(_fold(prefix).lower()).rstrip("+#.")


def join_parts(part_texts: Sequence[str]) -> str:
    """Join parts to one word."""
    return "".join(
        [part if part.isalnum() else _strip_possessive(part).rstrip(_SUFFIX_SIGNS) for part in part_texts]
    )


def _strip_possessive(word: str) -> str:
    """Return a word without ``'s``; ``90's`` becomes the plural ``90s``."""
    if not word.endswith(_POSSESSIVE):
        return word
    bare_word = word[:-2]
    return f"{bare_word}s" if _DECADE.fullmatch(bare_word) else bare_word


def _fold(word: str) -> str:
    """Fold compatibility forms and diacritics, and strip ``'s``. Umlauts stay, because they have two plain spellings."""
    return _strip_possessive(word) if word.isascii() else _fold_diacritics(_strip_possessive(word))


def _fold_diacritics(text: str) -> str:
    """Fold a text without blanks that is not ASCII; Greek letters become their names."""
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


# --- letters of a text ----------------------------------------------------------------------------

_DROPPED_SIGNS = {code: None for code in range(128) if not chr(code).isalnum()}
_OWNER_IN_COMPOUND = re.compile(rf"\d*[{_APOSTROPHES}]s(?=[{_HYPHENS}_^]\w)")
_BEYOND_ASCII = re.compile(r"\S*[^\x00-\x7f]\S*")
_EACH_CJK = re.compile(f"([{CJK}][{_WORD_MARKS}{VOICING_MARKS}]*)")


def fold_letters(text: str) -> str:
    """Return all letters and digits of a text, folded, in lower case and without separators.

    Each word of the text is a substring of the result.

    Args:
        text: readable, without TeX except the signs of formulas.

    Returns:
        The letters; if there are umlauts, twice, once with each of their plain spellings.
    """
    if "'s" in text or not text.isascii():
        text = _OWNER_IN_COMPOUND.sub(lambda match: _strip_possessive(match[0]), text)
    if text.isascii():
        return text.translate(_DROPPED_SIGNS).lower()
    folded = _BEYOND_ASCII.sub(_fold_match, text).translate(_DROPPED_SIGNS)
    spellings = dict.fromkeys((folded.translate(_UMLAUTS_PLAIN), folded.translate(_UMLAUTS_WRITTEN_OUT)))
    return " ".join(spellings).lower()


def _fold_match(match: re.Match[str]) -> str:
    """Fold the text between two blanks, CJK characters one by one because they are looked up one by one."""
    return "".join(map(_fold_diacritics, _EACH_CJK.split(match[0])))
