r"""Conversion of TeX accents and special letters in names to Unicode.

arXiv's feeds print names as they were typed: ``Paulo Andr\'e Lima de Castro``. A day has hundreds of them,
and accents are the only TeX in them, so a table and two patterns replace a TeX parser (pylatexenc takes 0.3
ms a name).
"""

from __future__ import annotations

import re
import unicodedata

COMBINING = dict(
    zip(
        "`'^\"~=.uvHrcdbkt",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u030a\u0327\u0323\u0331\u0328\u0361",
        strict=True,
    )
)
_ACCENT = re.compile(
    r"""\\(?: (?P<sign>[`'^"~=.]) \s* | (?P<letter>[uvHrcdbkt]) (?: \s+ | (?=[{\\]) ) )
        (?: \{\s*(?P<braced>\\[ij]|[^\W\d_])\s*\} | (?P<bare>\\[ij](?![A-Za-z])|[^\W\d_]) )""",
    re.VERBOSE,
)
_LETTER_MACROS = dict(
    zip(
        re.findall("[a-zA-Z]+", "o O l L i j ss aa AA ae AE oe OE dh DH dj DJ th TH ng NG"),
        "øØłŁıȷßåÅæÆœŒðÐđĐþÞŋŊ",
        strict=True,
    )
)
_DOTLESS_TO_DOTTED = str.maketrans("ıȷ", "ij")
"""Mapping of the dotless i and j, on which TeX users put accents, to the dotted letters."""
_LETTER = re.compile(
    r"\\(" + "|".join(sorted(_LETTER_MACROS, key=len, reverse=True)) + r")(?:\s+|(?![A-Za-z]))"
)
_SPACE = re.compile(r"\\[ ,;/]|~|\s+")
_LEFTOVER = re.compile(r"[\\{}]")


def decode_tex_accents(name: str) -> str:
    r"""Return a name with its TeX accents and special letters as Unicode: ``Andr\'e`` becomes André.

    Any other macro loses only its backslash and braces.

    Args:
        name: one name or several; returned unchanged if it contains no TeX.
    """
    if not ("\\" in name or "~" in name or "{" in name or "}" in name):
        return name
    name = _ACCENT.sub(_decode_accent, name)
    name = _LETTER.sub(lambda match: _LETTER_MACROS[match[1]], name)
    return _LEFTOVER.sub("", _SPACE.sub(" ", name))


def _decode_accent(match: re.Match[str]) -> str:
    base = (match["braced"] or match["bare"]).lstrip("\\").translate(_DOTLESS_TO_DOTTED)
    return unicodedata.normalize("NFC", base + COMBINING[match["sign"] or match["letter"]])
