"""Quotation marks: those that delimit phrases, and others that readers may take for them."""

from __future__ import annotations

import re
from typing import NamedTuple

QUOTES = '"“”„‟＂'
"""Quotation marks that open a phrase; any of them closes it."""
_MARK_PAIRS = ("«»", "»«", "‹›", "›‹", "「」", "『』", "《》", "〝〞〟")
"""Opening marks, each followed by its closing ones, that do not occur in names."""
_APOSTROPHES = "'‘’‚‛`´′″＇"
"""Marks that also occur in names, as in 3'-UTR; as quotes, they open before a letter or digit and close after a word."""
_ELISION = rf"(?:[tsn]|em|til|tis|twas|cause|round|\d0s)(?![\w{_APOSTROPHES}])"
"""Words without their beginning, as in *van 't Hoff* and *the '90s*; an apostrophe before one opens nothing."""
_OPERATOR = r"\b(?:AND|OR|NOT|ANDNOT)\b"
_BETWEEN_APOSTROPHES = (
    rf"(?<![\w\\{_APOSTROPHES}])[{_APOSTROPHES}]+(?=\w)(?!(?<![{_APOSTROPHES}]{{2}}){_ELISION})"
    rf"(?P<inner>(?:\\.|(?!{_OPERATOR})[^{_APOSTROPHES}{QUOTES}\\]|(?<=\w)[{_APOSTROPHES}](?=\w))*)"
    rf"[{_APOSTROPHES}]+(?!\w)"
)
"""A passage between apostrophes that contains no quote and no operator.

An apostrophe after a quote or operator belongs to another part of the query, as in 5'-end.
"""
_BETWEEN_PAIRS = (
    rf"{pair[0]}(?P<inner{number}>[^{pair}]*)[{pair[1:]}]" for number, pair in enumerate(_MARK_PAIRS)
)
_MARKED_PASSAGE = re.compile("|".join([*_BETWEEN_PAIRS, _BETWEEN_APOSTROPHES]))
LEADING_MARK = re.compile(rf"^(?:[{_APOSTROPHES}]+\w|[{''.join(pair[0] for pair in _MARK_PAIRS)}])")
"""A mark that opens a quotation elsewhere, but not in this language."""


def strip_quotes(text: str) -> str:
    """Return a text without quotation marks, so that it can be put in quotes."""
    return " ".join(text.translate(_BLANKS).split())


_BLANKS = dict.fromkeys(map(ord, QUOTES), " ")
"""Replacements of quotation marks for ``str.translate``."""


class Passage(NamedTuple):
    """A text between marks that are not quotes in this language.

    Attributes:
        start: position of the opening mark.
        end: position after the closing mark.
        inner: the text between them.
    """

    start: int
    end: int
    inner: str


def find_marked_passages(text: str) -> tuple[Passage, ...]:
    """Return the passages of a text that are between marks that readers may take for quotes."""
    matches = _MARKED_PASSAGE.finditer(text)
    return tuple([Passage(match.start(), match.end(), match[match.lastgroup or 0]) for match in matches])
