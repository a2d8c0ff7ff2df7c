"""Quotes: the signs that make a phrase, and the marks that readers may take for them."""

from __future__ import annotations

import re
from typing import NamedTuple

QUOTES = '"“”„‟＂'
"""Each opens a phrase, and any of them closes it."""
_MARK_PAIRS = ("«»", "»«", "‹›", "›‹", "「」", "『』", "《》", "〝〞〟")
"""Marks of opening, each with those of closing, that no name has."""
_APOSTROPHES = "'‘’‚‛`´′″＇"
"""Marks that names have, too, as in 3'-UTR: they open before a letter or digit, and close behind a word."""
_ELISION = rf"(?:[tsn]|em|til|tis|twas|cause|round|\d0s)(?![\w{_APOSTROPHES}])"
"""What has lost its beginning, as *van 't Hoff* and *the '90s*: an apostrophe before it opens nothing."""
_OPERATOR = r"\b(?:AND|OR|NOT|ANDNOT)\b"
_BETWEEN_APOSTROPHES = (
    rf"(?<![\w\\{_APOSTROPHES}])[{_APOSTROPHES}]+(?=\w)(?!(?<![{_APOSTROPHES}]{{2}}){_ELISION})"
    rf"(?P<inner>(?:\\.|(?!{_OPERATOR})[^{_APOSTROPHES}{QUOTES}\\]|(?<=\w)[{_APOSTROPHES}](?=\w))*)"
    rf"[{_APOSTROPHES}]+(?!\w)"
)
"""Neither a quote nor an operator is within: the apostrophe behind it is one of another part, as in 5'-end."""
_BETWEEN_PAIRS = (
    rf"{pair[0]}(?P<inner{number}>[^{pair}]*)[{pair[1:]}]" for number, pair in enumerate(_MARK_PAIRS)
)
_MARKED_PASSAGE = re.compile("|".join([*_BETWEEN_PAIRS, _BETWEEN_APOSTROPHES]))
LEADING_MARK = re.compile(rf"^(?:[{_APOSTROPHES}]+\w|[{''.join(pair[0] for pair in _MARK_PAIRS)}])")
"""A mark that opens a quotation elsewhere, and none here."""


def strip_quotes(text: str) -> str:
    """A text as it can stand in quotes."""
    return " ".join(text.translate(dict.fromkeys(map(ord, QUOTES), " ")).split())


class Passage(NamedTuple):
    """What stands between marks that are no quotes here.

    Attributes:
        start: where the opening mark stands.
        end: behind the closing mark.
        inner: the text between them.
    """

    start: int
    end: int
    inner: str


def find_marked_passages(text: str) -> tuple[Passage, ...]:
    """The passages of a text that stand between marks that readers may take for quotes."""
    matches = _MARKED_PASSAGE.finditer(text)
    return tuple([Passage(match.start(), match.end(), match[match.lastgroup or 0]) for match in matches])
