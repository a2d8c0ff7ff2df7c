"""Comparison of titles that may differ in typesetting, remarks, truncation and editing."""

from __future__ import annotations

import html
import re
import unicodedata
from math import ceil
from typing import NamedTuple

from digest.core.text.scripts import CJK, GREEK_NAMES
from digest.core.text.tex import tex_to_unicode

_MAX_LENGTH = 500
"""Maximum number of characters of a title that are compared."""
_MIN_PIECE_LENGTH = 4
"""Minimum number of letters of a title that may occur inside another title, so that *ion* is not part of *Millions*."""
_MIN_STEM_LENGTH = 4
"""Minimum number of letters that two forms of a word have in common."""
_LEADING_REMARKS = re.compile(r"(?:\s*\[[^\[\]\d]*\])+")
_TRAILING_REMARKS_REVERSED = re.compile(r"(?:[\s.]*\][^\[\]\d]*\[)+")
"""Remarks at the end, matched in the reversed title: a forward search is quadratic in the number of remarks."""
_TEX_SIGNS = str.maketrans({"~": " "} | dict.fromkeys("${}_^"))
_DIACRITICS = dict.fromkeys(range(0x300, 0x370))
_WORD = re.compile(rf"(?=\w)[{CJK}]|[^\W_{CJK}]+")
_NUMBER = re.compile(rf"(?<![^\W_{CJK}])(?:\d+|[ivx]+)(?![^\W_{CJK}]|\.\.\.)")
"""A number as a word of its own; not before ``...``, where a title is cut off and the number may be incomplete."""


class Title(NamedTuple):
    """A title without its typesetting.

    Attributes:
        words: the folded words in order; each Chinese or Japanese character is one.
        letters: the words joined without spaces; the signs of a title without words.
        numbers: the words that are Arabic or Roman numbers, including those in remarks.
    """

    words: tuple[str, ...]
    letters: str
    numbers: frozenset[str]


def read_title(printed: str) -> Title:
    """Normalize a title: entities, TeX, case, signs, diacritics, and remarks in square brackets.

    Args:
        printed: as announced; only the first 500 characters count.
    """
    folded_text = _fold(printed[:_MAX_LENGTH])
    words = _WORD.findall(strip_remarks(folded_text)) or _WORD.findall(folded_text)
    return Title(
        tuple(words), "".join(words) or "".join(folded_text.split()), frozenset(_NUMBER.findall(folded_text))
    )


def strip_remarks(title: str) -> str:
    """Return a title without editors' remarks in square brackets at either end, as *[Graphical abstract added]*."""
    if leading := _LEADING_REMARKS.match(title):
        title = title[leading.end() :]
    trailing = _TRAILING_REMARKS_REVERSED.match(title[::-1])
    return title[: len(title) - trailing.end()] if trailing else title


def is_different_title(title: Title, other: Title) -> bool:
    """Return True if two titles clearly belong to two works.

    They do not if one contains the other, is cut off, or has other forms of the same words. They do if each
    has a number that the other lacks: *Part I* and *Part II*.
    """
    if title.letters == other.letters:
        return False
    if title.numbers - other.numbers and other.numbers - title.numbers:
        return True
    shorter, longer = sorted((title, other), key=lambda compared_title: len(compared_title.letters))
    return not (_is_piece(shorter.letters, longer.letters) or _has_same_words(title.words, other.words))


def _fold(printed: str) -> str:
    text = html.unescape(printed)
    if "\\" in text:
        text = tex_to_unicode(text)
    # The text is cut again, because normalization can turn one character into 18.
    text = unicodedata.normalize("NFKD", text.translate(_TEX_SIGNS))[:_MAX_LENGTH].casefold()
    return unicodedata.normalize("NFKC", text.translate(_DIACRITICS)).translate(GREEK_NAMES)


def _is_piece(letters: str, longer: str) -> bool:
    return longer.startswith(letters) or (len(letters) >= _MIN_PIECE_LENGTH and letters in longer)


def _has_same_words(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return True if the longer title has each word of the shorter one, or a form of it, in the same order."""
    shorter, longer = sorted((words, others), key=len)
    remaining_words = iter(longer)
    return shorter != () and all(
        any(_is_form_of(word, other) for other in remaining_words) for word in shorter
    )


def _is_form_of(word: str, other: str) -> bool:
    """Return True if the first two thirds of two words are equal: *orbit* and *orbital*, *colour* and *color*.

    A word with digits can be a form of one with letters only, but not of another one with digits: *H2O2* and
    *H2O3* differ.
    """
    if word == other:
        return True
    if not (word.isalpha() or other.isalpha()):
        return False
    stem = max(_MIN_STEM_LENGTH, ceil(max(len(word), len(other)) * 2 / 3))
    return word[:stem] == other[:stem] and min(len(word), len(other)) >= stem
