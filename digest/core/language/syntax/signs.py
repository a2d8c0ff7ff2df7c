"""The signs of the follow language in the variants of keyboards, input methods and journals."""

from __future__ import annotations

import re
import unicodedata

from digest.core.language.quotes import QUOTES
from digest.core.text.tex import normalize_stars

DASHES = (
    "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
    "\u02d7\u058a\u05be\u1400\u1806\u2043\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0"
    "\ufe31\ufe32\ufe58\U00010d6e\U00010ead"
)
"""Hyphens, dashes and minus signs; a test compares them with the Unicode database."""
COMMAS = ",;\uff0c\uff1b\u3001\uff64\ufe50\ufe51\ufe54\u060c\u061b"
"""Commas and semicolons of Latin, Chinese, Japanese, Korean and Arabic script."""
FULL_STOPS = "\u3002\uff61"
"""Full stops of Chinese and Japanese, which occur in no name or number."""
_FULL_WIDTH = str.maketrans("（）：＊＝－﹣～＆｜＋！", "():*=--~&|+!")
"""Mapping of signs from input methods for Chinese and Japanese, and of the small hyphen, to those of the language."""
_SEGMENT = re.compile(rf"[{QUOTES}][^{QUOTES}]*[{QUOTES}]?|[^{QUOTES}]+")
_RAISED_MINUS = re.compile(
    rf"(?:(?<!\w)|(?<=\bAND)|(?<=\bOR)|(?<=\bNOT)|(?<=\bANDNOT))[\u207b\u208b](?=([^\W_]|[(=$\\{QUOTES}]))"
)
"""A raised or lowered minus before a word or another part of the query; after a letter or digit it is a charge."""


def normalize_signs(text: str) -> str:
    """Return a query in which variants of signs outside quotes are replaced; all positions stay the same."""
    return _SEGMENT.sub(_normalize_segment, text)


def _normalize_segment(match: re.Match[str]) -> str:
    if match[0][0] in QUOTES:
        return match[0]
    next_character = match.string[match.end() : match.end() + 1]
    text = _RAISED_MINUS.sub(_lower_minus, match[0].translate(_FULL_WIDTH) + next_character)
    return normalize_stars(text[: len(match[0])])


def _lower_minus(match: re.Match[str]) -> str:
    is_exponent = unicodedata.normalize("NFKC", match[1]) != match[1]  # ⁻¹
    return match[0] if is_exponent else "\u2212"
