"""The signs of the follow language as keyboards, input methods and journals write them."""

from __future__ import annotations

import re

from digest.core.language.quotes import QUOTES

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_FULL_WIDTH = str.maketrans("（）：＊＝－～", "():*=-~")
"""The signs of the language as an input method for Chinese or Japanese types them."""
_SEGMENT = re.compile(rf"[{QUOTES}][^{QUOTES}]*[{QUOTES}]?|[^{QUOTES}]+")
_ASTERISK_OPERATOR = re.compile(r"(?<=\w)\u2217")
"""The star of a name as pages of journals print it: C∗."""


def normalize_signs(text: str) -> str:
    """A query with the signs of the language as such, where they stand outside quotes; nothing moves."""
    return _SEGMENT.sub(_to_half_width, text)


def _to_half_width(match: re.Match[str]) -> str:
    if match[0][0] in QUOTES:
        return match[0]
    return _ASTERISK_OPERATOR.sub("*", match[0].translate(_FULL_WIDTH))
