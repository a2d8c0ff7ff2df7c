"""Whether two titles name one work: as a title is typeset, marked, cut and edited between two printings of it."""

from __future__ import annotations

import html
import re
import unicodedata
from math import ceil
from typing import NamedTuple

from digest.core.text.scripts import CJK, GREEK_NAMES
from digest.core.text.tex import tex_to_unicode

_MAX_LENGTH = 500
"""Characters of a title that are compared."""
_MIN_PIECE_LENGTH = 4
"""Letters from which on a title can stand inside a word of another one: *ion* is no part of *Millions*."""
_MIN_STEM_LENGTH = 4
"""Letters that two forms of a word have in common at least."""
_LEADING_REMARKS = re.compile(r"(?:\s*\[[^\[\]\d]*\])+")
_TRAILING_REMARKS_REVERSED = re.compile(r"(?:[\s.]*\][^\[\]\d]*\[)+")
"""Read from the end, because a search for the first of them takes quadratic time where many stand in the middle."""
_TEX_SIGNS = str.maketrans({"~": " "} | dict.fromkeys("${}_^"))
_DIACRITICS = dict.fromkeys(range(0x300, 0x370))
_WORD = re.compile(rf"(?=\w)[{CJK}]|[^\W_{CJK}]+")
_NUMBER = re.compile(rf"(?<![^\W_{CJK}])(?:\d+|[ivx]+)(?![^\W_{CJK}]|\.\.\.)")
"""A number as a word; where a title is cut, it may be a part of one."""


class Title(NamedTuple):
    """A title without its typesetting.

    Attributes:
        words: folded, in their order; each character of Chinese and Japanese is one.
        letters: the words run together; of a title without words, its signs.
        numbers: those of its words that are Arabic or Roman numbers, in an editor's remark too.
    """

    words: tuple[str, ...]
    letters: str
    numbers: frozenset[str]


def read_title(printed: str) -> Title:
    """Take a title out of its typesetting: entities, TeX, case, signs, diacritics, remarks in square brackets.

    Args:
        printed: as announced; what stands beyond 500 characters is left out.
    """
    folded_text = _fold(printed[:_MAX_LENGTH])
    words = _WORD.findall(strip_remarks(folded_text)) or _WORD.findall(folded_text)
    return Title(
        tuple(words), "".join(words) or "".join(folded_text.split()), frozenset(_NUMBER.findall(folded_text))
    )


def strip_remarks(title: str) -> str:
    """A title without what editors add to it in square brackets, at either end: *[Graphical abstract added]*."""
    if leading := _LEADING_REMARKS.match(title):
        title = title[leading.end() :]
    trailing = _TRAILING_REMARKS_REVERSED.match(title[::-1])
    return title[: len(title) - trailing.end()] if trailing else title


def is_different_title(title: Title, other: Title) -> bool:
    """Whether two titles clearly name two works.

    They do not if one contains the other, is cut off, or has other forms of the same words. They do if each has a number
    that the other has not: *Part I* and *Part II*.
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
    # Cut anew, because one sign can become 18.
    text = unicodedata.normalize("NFKD", text.translate(_TEX_SIGNS))[:_MAX_LENGTH].casefold()
    return unicodedata.normalize("NFKC", text.translate(_DIACRITICS)).translate(GREEK_NAMES)


def _is_piece(letters: str, longer: str) -> bool:
    return longer.startswith(letters) or (len(letters) >= _MIN_PIECE_LENGTH and letters in longer)


def _has_same_words(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether the title of fewer words has each of them, or another form of it, in the other one in the same order."""
    shorter, longer = sorted((words, others), key=len)
    remaining_words = iter(longer)
    return shorter != () and all(
        any(_is_form_of(word, other) for other in remaining_words) for word in shorter
    )


def _is_form_of(word: str, other: str) -> bool:
    """Whether two words begin alike for two thirds: *orbit* and *orbital*, *colour* and *color*.

    A sign with a digit beside one without is a form of it, as a number is that only one title has; *H2O2* is none of *H2O3*.
    """
    if word == other:
        return True
    if not (word.isalpha() or other.isalpha()):
        return False
    stem = max(_MIN_STEM_LENGTH, ceil(max(len(word), len(other)) * 2 / 3))
    return word[:stem] == other[:stem] and min(len(word), len(other)) >= stem
