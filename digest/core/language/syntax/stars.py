"""Stars: at the end of a prefix, as in quantiz*, or as part of a name, as in A*."""

from __future__ import annotations

import re
import unicodedata

from digest.core.text.scripts import CJK
from digest.core.text.tex import normalize_stars, tex_to_unicode

_STARRED = re.compile(
    rf"(?<![^\W_])(?<![.\u00ad\u0300-\u036f\u200b-\u200d\u2060\ufeff])((?:(?![{CJK}])[^\W_]){{1,2}})\*+"
)
_CJK_STARRED = re.compile(rf"(?<=[{CJK}])\*+(?=[,;.:!?]*$)")


def is_prefix(word: str) -> bool:
    """Whether a star in a word stands for more letters; after one or two letters, as in A*, it does not."""
    if "*" not in word:
        return False
    plain_word = strip_cjk_star(normalize_stars(tex_to_unicode(word)))
    return "*" in _STARRED.sub(lambda match: "" if is_too_short(match[1]) else match[0], plain_word)


def strip_cjk_star(word: str) -> str:
    """Return a word without a star at its end after a Chinese, Japanese or Korean character.

    Each of these characters is a whole word, so every text with it is found without the star.
    """
    return _CJK_STARRED.sub("", word)


def find_starred_names(plain_text: str) -> tuple[str, ...]:
    """Return the names with a star in a text, each once: A*, K*, and C* of C*-algebra.

    Args:
        plain_text: without TeX.
    """
    return tuple(dict.fromkeys(match[0] for match in _STARRED.finditer(plain_text) if is_too_short(match[1])))


def is_too_short(prefix: str) -> bool:
    """Whether a text is too short for a prefix."""
    return sum(map(str.isalnum, unicodedata.normalize("NFKC", prefix))) < _MIN_PREFIX_LENGTH


_MIN_PREFIX_LENGTH = 3
"""Minimum number of letters and digits of a prefix."""
