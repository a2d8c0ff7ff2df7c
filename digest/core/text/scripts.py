"""Scripts that are not split at blanks and hyphens alone: Greek letters in formulas, and CJK characters.

The ranges contain every character that NFKC converts to one of these, including compatibility forms; a test
compares them with the Unicode database. Both are made for character classes of regular expressions.
"""

from __future__ import annotations

import re

GREEK = (
    "\u00b5\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u03d0-\u03d6\u03f0-\u03f2\u03f4\u03f5\u03f9"
    "\u1d5d-\u1d61\u1d66-\u1d6a\u1dbf\u1f00-\u1ffc\u2126\u213c-\u213f\U0001d6a8-\U0001d7c9"
)
"""Letters of the Greek alphabet; the ranges also contain signs that are not letters."""

INCREMENT = "\u2206"
"""A sign, not a letter, that many authors use for a capital delta."""

INFINITY = "\u221e"
"""A sign that counts as the word "infinity" if it is alone, as in (∞,1), but not next to letters and hyphens."""

CJK = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u3131-\u3163\u3165-\u318e\u3192-\u3195\u31a0-\u31bf\u31f0-\u31ff\u3220-\u3229\u3280-\u3289"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d\uffa1-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Characters of Chinese, Japanese and Korean, which are written without blanks between words."""

VOICING_MARKS = "\uff9e\uff9f"
"""Half-width voicing marks: letters according to Unicode, but marks of the preceding character to a reader."""

RAISED_DIGITS = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
LOWERED_DIGITS = "\u2080-\u2089"
SCRIPT_DIGITS = RAISED_DIGITS + LOWERED_DIGITS
"""Raised and lowered digits; next to a digit at another height they are another number, as in 10¹⁴ and SO₄²⁻."""

_LETTER_NAMES = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "ι": "iota",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ν": "nu",
    "ξ": "xi",
    "ο": "omicron",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "υ": "upsilon",
    "φ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
}
GREEK_NAMES = str.maketrans(
    _LETTER_NAMES | {letter.upper(): name for letter, name in _LETTER_NAMES.items()} | {"ς": "sigma"}
)
"""Name of each Greek letter, for ``str.translate``; the text must be in NFKC and without diacritics."""

_CJK_WORD = re.compile(f"[{CJK}][^\\w\\s]*[{VOICING_MARKS}]?[^\\w\\s]*")


def is_cjk(word: str) -> bool:
    """Whether a word is a single CJK character, perhaps with marks."""
    return _CJK_WORD.fullmatch(word) is not None
